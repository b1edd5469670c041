"""Concepts of a later directory laid over those of an earlier one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.glossary.concept import Label
from tests.data_dirs import concept, glossary, layered, refused

BASE = {
    "glossary": glossary(
        concept(
            "alpha",
            "level: 3\nrelated: [beta]\nlink: https://example.org/a\nreviewed: 2026-01",
            en="full_form: Alpha Long\nalt_labels: [first letter, A1]\nhidden_labels: [alfa]\nnot_labels: [alpine]",
            zh="alt_labels: [阿尔法]",
        ),
        concept("beta", "related: [alpha]\nconfusable_with: [gamma]"),
        concept("gamma"),
    )
}


def team(keys: str) -> dict[str, str]:
    return {"glossary": f"topic: things\nconcepts:\n  - id: alpha\n{keys}"}


def texts(labels: tuple[Label, ...]) -> list[str]:
    return [label.text for label in labels]


def test_only_named_fields_change(tmp_path: Path) -> None:
    changed = team("    level: 1\n    contact: us\n    en: {summary: another summary}\n")
    before = layered(tmp_path / "a", BASE).glossary.concepts["alpha"]
    after = layered(tmp_path / "b", BASE, changed).glossary.concepts["alpha"]
    assert (before.level, after.level) == (3, 1)
    assert (before.contact, after.contact) == (None, "us")
    assert after.sections["en"].summary == "another summary"
    assert after.sections["en"].definition == before.sections["en"].definition
    assert after.sections["zh-Hans"] == before.sections["zh-Hans"]
    assert (after.related, after.link, after.reviewed) == (("beta",), "https://example.org/a", "2026-01")
    assert after.labels() == before.labels()


def test_an_empty_list_is_named_too(tmp_path: Path) -> None:
    assert layered(tmp_path, BASE, team("    related: []\n")).glossary.concepts["alpha"].related == ()


def test_labels_are_added(tmp_path: Path) -> None:
    added = team("    en: {alt_labels: [letter one], hidden_labels: [alfer], not_labels: [alps]}\n")
    section = layered(tmp_path, BASE, added).glossary.concepts["alpha"].sections["en"]
    assert texts(section.alt_labels) == ["first letter", "A1", "letter one"]
    assert texts(section.hidden_labels) == ["alfa", "alfer"]
    assert section.not_labels == ("alpine", "alps")


def test_a_label_that_is_there_takes_the_later_form(tmp_path: Path) -> None:
    loaded = layered(tmp_path, BASE, team("    en: {hidden_labels: [{text: a1, explain: false}]}\n"))
    section = loaded.glossary.concepts["alpha"].sections["en"]
    assert texts(section.alt_labels) == ["first letter"]
    assert section.hidden_labels[-1] == Label("a1", "en", "hidden", explain=False)


def test_replaced_names_stay_findable(tmp_path: Path) -> None:
    named = team("    en: {pref_label: First, full_form: First Of All}\n")
    section = layered(tmp_path, BASE, named).glossary.concepts["alpha"].sections["en"]
    assert (section.pref_label.text, section.full_form) == ("First", Label("First Of All", "en", "full"))
    assert texts(section.hidden_labels) == ["alfa", "Alpha", "Alpha Long"]
    assert {label.kind for label in section.hidden_labels} == {"hidden"}


def test_a_name_in_another_case_is_no_second_label(tmp_path: Path) -> None:
    section = layered(tmp_path, BASE, team("    en: {pref_label: ALPHA}\n")).glossary.concepts["alpha"].sections["en"]
    assert section.pref_label.text == "ALPHA"
    assert texts(section.hidden_labels) == ["alfa"]


def test_an_alternative_becomes_the_name(tmp_path: Path) -> None:
    section = layered(tmp_path, BASE, team("    en: {pref_label: A1}\n")).glossary.concepts["alpha"].sections["en"]
    assert section.pref_label == Label("A1", "en", "pref")
    assert texts(section.labels()).count("A1") == 1


@pytest.mark.parametrize(
    "removed", ["first letter", "FIRST-Letter", "alfa", "alpine", "Alpha Long", "阿尔法", "阿爾法"]
)
def test_labels_are_removed(removed: str, tmp_path: Path) -> None:
    loaded = layered(tmp_path, BASE, team(f"    remove_labels: [{removed}]\n"))
    before = layered(tmp_path / "before", BASE).glossary.concepts["alpha"]
    after = loaded.glossary.concepts["alpha"]
    gone = set(texts(before.labels())) - set(texts(after.labels()))
    assert len(gone) == 1 or (removed == "alpine" and after.sections["en"].not_labels == ())
    assert not [problem for problem in loaded.warnings if "to remove" in problem.message]


def test_removing_and_naming_anew(tmp_path: Path) -> None:
    both = team("    remove_labels: [A1, Alpha]\n    en: {pref_label: First, alt_labels: [{text: A1, part: true}]}\n")
    section = layered(tmp_path, BASE, both).glossary.concepts["alpha"].sections["en"]
    assert section.alt_labels[-1] == Label("A1", "en", "alt", part=True)
    assert "Alpha" not in texts(section.labels())


def test_removing_what_is_not_there_is_a_warning(tmp_path: Path) -> None:
    loaded = layered(tmp_path, BASE, team("    remove_labels: [omega]\n"))
    assert [(p.line, p.message) for p in loaded.warnings if "remove" in p.message] == [
        (4, 'alpha has no label "omega" to remove')
    ]


def test_the_name_itself_can_not_be_removed(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, BASE, team("    remove_labels: [alpha]\n"))
    assert "is the pref_label in en: write another one as well" in problem.message


def test_a_concept_is_hidden(tmp_path: Path) -> None:
    loaded = layered(tmp_path, BASE, team("    hide: true\n")).glossary
    assert set(loaded.concepts) == {"beta", "gamma"}
    assert loaded.concepts["beta"].related == ()
    assert loaded.concepts["beta"].confusable_with == ("gamma",)


def test_references_beside_the_hiding_must_not_dangle(tmp_path: Path) -> None:
    hiding = {"glossary": "concepts:\n  - {id: alpha, hide: true}\n  - {id: gamma, related: [beta, alpha]}\n"}
    (problem,) = refused(tmp_path, BASE, hiding)
    assert (problem.line, problem.column) == (3, 33)
    assert problem.message == "alpha is hidden: take it out here, too"


def test_a_hidden_concept_can_be_written_anew(tmp_path: Path) -> None:
    anew = {"glossary": glossary(concept("alpha", en="pref_label: Quite new"))}
    loaded = layered(tmp_path, BASE, team("    hide: true\n"), anew).glossary
    assert texts(loaded.concepts["alpha"].labels()) == ["Quite new"]


def test_a_new_concept(tmp_path: Path) -> None:
    new = {"glossary": glossary(concept("delta", "related: [alpha]"), topic="our-things")}
    loaded = layered(tmp_path, BASE, new)
    delta = loaded.glossary.concepts["delta"]
    assert (delta.topic, delta.level, delta.related) == ("our-things", 2, ("alpha",))
    assert [p.message for p in loaded.warnings if "delta" in p.message] == ["delta has no text in zh-Hans yet"]


def test_a_concept_keeps_its_topic(tmp_path: Path) -> None:
    other = {"glossary": "topic: our-things\nconcepts:\n  - {id: alpha, level: 1}\n"}
    assert layered(tmp_path, BASE, other).glossary.concepts["alpha"].topic == "things"


def test_a_language_is_added_whole(tmp_path: Path) -> None:
    part = {"glossary": "concepts:\n  - id: beta\n    zh-Hans: {pref_label: 贝塔}\n"}
    (problem,) = refused(tmp_path / "part", BASE, part)
    assert (problem.line, problem.message) == (3, "beta lacks summary and definition in zh-Hans")
    texts = "{pref_label: 贝塔, summary: 第二个, definition: 一句。两句。}"
    whole = {"glossary": f"concepts:\n  - id: beta\n    zh-Hans: {texts}\n"}
    assert set(layered(tmp_path / "whole", BASE, whole).glossary.concepts["beta"].sections) == {"en", "zh-Hans"}


def test_notes(tmp_path: Path) -> None:
    first = layered(tmp_path / "a", BASE, team("    note: Ask us first.\n")).glossary.concepts["alpha"]
    assert first.note == {"en": "Ask us first.", "zh-Hans": "Ask us first."}
    second = team("    note: {zh-Hans: 先问我们。}\n")
    later = layered(tmp_path / "b", BASE, team("    note: Ask us first.\n"), second).glossary.concepts["alpha"]
    assert later.note == {"en": "Ask us first.", "zh-Hans": "先问我们。"}


def test_the_same_label_twice_is_a_warning(tmp_path: Path) -> None:
    loaded = layered(tmp_path, {"glossary": glossary(concept("alpha", en="alt_labels: [ALPHA, a-1, A 1]"))})
    assert [p.message for p in loaded.warnings if "same label" in p.message] == [
        f'"ALPHA" is the same label as in {tmp_path}/0/glossary/things.yaml:5: one is enough',
        f'"A 1" is the same label as in {tmp_path}/0/glossary/things.yaml:8: one is enough',
    ]
    assert texts(loaded.glossary.concepts["alpha"].labels()) == ["Alpha", "a-1"]


def test_a_near_miss_twice_is_a_warning(tmp_path: Path) -> None:
    loaded = layered(tmp_path, {"glossary": glossary(concept("alpha", en="not_labels: [alps, ALPS]"))})
    assert [(p.line, p.column) for p in loaded.warnings if "stands in" in p.message] == [(8, 26)]
    assert loaded.glossary.concepts["alpha"].sections["en"].not_labels == ("alps",)


def test_invisible_characters_go_from_labels(tmp_path: Path) -> None:
    loaded = layered(tmp_path, {"glossary": glossary(concept("alpha", en="alt_labels: [a\u200bone, so\u00adft]"))})
    assert texts(loaded.glossary.concepts["alpha"].labels()) == ["Alpha", "aone", "soft"]
