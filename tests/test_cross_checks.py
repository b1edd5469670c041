"""What must fit together in the end, beyond the single faults of `test_data_files.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import Problem
from bot.glossary import cross_checks
from bot.glossary.cross_checks import sentences
from tests.data_dirs import concept, glossary, layered, refused


def warnings(found: tuple[Problem, ...], words: str) -> list[Problem]:
    return [problem for problem in found if words in problem.message]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("One.", 1),
        ("One. Two.", 2),
        ("One! Two? Three.", 3),
        ("One. Two", 2),
        ("unfinished", 1),
        ("Since v1.0 it is 2.5 times faster. Yes.", 2),
        ("Formats, e.g. ONNX, i.e. files, vs. code etc. are read. Yes.", 2),
        ("Formats, ONNX etc. Yes.", 2),
        ("The answer is no. Yes.", 2),
        ('They say "it runs." Then it stops.', 2),
        ("It runs (or so.) Yes.", 2),
        ("第一句。第二句！第三句？", 3),
        ("约 2.5 倍。用 vLLM v0.6。", 2),
        ("说“好。”然后走了。", 2),
        ("第一句。没完", 2),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert sentences(text) == count


@pytest.mark.parametrize(
    ("definition", "warned"),
    [("One.", True), ("One. Two.", False), ("A. B. C. D. E.", False), ("A. B. C. D. E. F.", True)],
)
def test_length_of_definitions(definition: str, warned: bool, tmp_path: Path) -> None:
    text = glossary(concept("alpha")).replace("A first sentence. A second one.", definition)
    found = warnings(layered(tmp_path, {"glossary": text}).warnings, "two to five")
    assert [problem.line for problem in found] == [7] * warned


@pytest.mark.parametrize(
    ("summary", "warned"),
    [
        pytest.param("how it differs", False, id="none"),
        pytest.param("a beta thing", False, id="one other"),
        pytest.param("beta and Gamma-Ray mixed", True, id="two others"),
        pytest.param("alpha beta", False, id="its own and one other"),
        pytest.param("alphabets and betas", False, id="inside words"),
        pytest.param("tea and beta", False, id="never explained unasked"),
        pytest.param("先看贝塔再看伽马", True, id="two others in Chinese"),
    ],
)
def test_jargon_in_summaries(summary: str, warned: bool, tmp_path: Path) -> None:
    others = concept("beta", zh="pref_label: 贝塔"), concept("gamma-ray", zh="alt_labels: [伽马]")
    everyday = concept("delta", en="alt_labels: [{text: tea, explain: false}]")
    text = glossary(concept("alpha"), *others, everyday).replace("summary: what a is", f"summary: {summary}")
    found = warnings(layered(tmp_path, {"glossary": text}).warnings, "needs other entries")
    assert [problem.line for problem in found] == [6] * warned


def test_both_places_of_a_label_are_named(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, {"glossary": glossary(concept("alpha"), concept("beta", en="alt_labels: [ALPHA]"))})
    assert problem.line == 13
    assert f"{tmp_path}/0/glossary/things.yaml:5" in problem.message


@pytest.mark.parametrize(
    ("alpha", "beta", "shared"),
    [
        pytest.param("qualifier: of metal", "qualifier: of wood", True, id="both qualified"),
        pytest.param("qualifier: of metal", "", False, id="one qualified"),
        pytest.param("", "", False, id="none qualified"),
    ],
)
def test_qualified_labels_are_shared(alpha: str, beta: str, shared: bool, tmp_path: Path) -> None:
    text = glossary(concept("alpha", en=f"alt_labels: [PSI]\n{alpha}"), concept("beta", en=f"pref_label: PSI\n{beta}"))
    if shared:
        assert len(layered(tmp_path, {"glossary": text}).glossary.concepts) == 2
    else:
        assert ["`qualifier`" in problem.message for problem in refused(tmp_path, {"glossary": text})] == [True]


def test_an_id_as_label_of_another_concept(tmp_path: Path) -> None:
    text = glossary(concept("alpha-one", en="pref_label: First"), concept("beta", en="alt_labels: [alpha one]"))
    assert layered(tmp_path, {"glossary": text})


def test_a_later_directory_takes_a_label(tmp_path: Path) -> None:
    base = {"glossary": glossary(concept("alpha", en="alt_labels: [one, two]"))}
    later = {"glossary": glossary(concept("beta", en="alt_labels: [ONE]"))}
    loaded = layered(tmp_path, base, later)
    labels = {id_: [label.text for label in c.labels()] for id_, c in loaded.glossary.concepts.items()}
    assert labels == {"alpha": ["Alpha", "two"], "beta": ["Beta", "ONE"]}
    (problem,) = warnings(loaded.warnings, "now means")
    assert problem.file == f"{tmp_path}/1/glossary/things.yaml"
    assert problem.message == (
        f'"one" now means beta; so far it was a label of alpha ({tmp_path}/0/glossary/things.yaml:8)'
    )


def test_a_later_directory_takes_a_name(tmp_path: Path) -> None:
    base = {"glossary": glossary(concept("alpha", en="alt_labels: [{text: bad, status: avoid}, one]"))}
    later = {"glossary": glossary(concept("beta", en="alt_labels: [alpha]"))}
    alpha = layered(tmp_path, base, later).glossary.concepts["alpha"].sections["en"]
    assert (alpha.pref_label.text, alpha.pref_label.kind) == ("one", "pref")
    assert [label.text for label in alpha.alt_labels] == ["bad"]


def test_a_later_directory_takes_the_only_name(tmp_path: Path) -> None:
    later = {"glossary": glossary(concept("beta", en="alt_labels: [alpha]"))}
    (problem,) = refused(tmp_path, {"glossary": glossary(concept("alpha"))}, later)
    assert "the only name of alpha" in problem.message
    assert "hide alpha" in problem.message


def test_a_later_directory_shares_a_qualified_label(tmp_path: Path) -> None:
    base = {"glossary": glossary(concept("alpha"))}
    later = {
        "glossary": glossary(concept("beta", en="alt_labels: [alpha]\nqualifier: of wood"))
        + "  - id: alpha\n    en: {qualifier: of metal}\n"
    }
    loaded = layered(tmp_path, base, later)
    assert not warnings(loaded.warnings, "now means")
    assert loaded.glossary.concepts["alpha"].sections["en"].pref_label.text == "Alpha"


def test_ids_with_the_same_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Ids whose 42-bit codes are equal can't be found in the time of a test.
    monkeypatch.setattr(cross_checks, "code", lambda id_: id_[:1])
    (problem,) = refused(tmp_path, {"glossary": glossary(concept("alpha"), concept("any"))})
    assert problem.line == 8
    assert "any and alpha in" in problem.message


def test_ids_of_unreadable_files_are_not_missed(tmp_path: Path) -> None:
    base = {"glossary": glossary(concept("alpha")) + "  - id: beta\n    en: {summary: a: b}\n"}
    later = {"glossary": "concepts:\n  - id: beta\n    related: [alpha]\n"}
    problems = refused(tmp_path, base, later)
    assert [problem.file for problem in problems] == [f"{tmp_path}/0/glossary/things.yaml"]


def compared(id_: str, sides: str, choose: str = "[when one, when two]", more: str = "") -> str:
    text = f"{{gist: 'First this, then that.', choose: {choose}, rows: [[Kind, a, b]]}}"
    return f"- id: {id_}\n  sides: {sides}\n{more}  en: {text}\n"


@pytest.mark.parametrize(
    ("comparisons", "messages"),
    [
        pytest.param(
            compared("alpha-vs-beta", "[alpha, beta]", more="  colour: red\n") + compared("two", "[alpha, nothing]"),
            ["colour", "there is no concept nothing"],
            id="an unknown key in one, a side of another that is none",
        ),
        pytest.param(
            compared("one", "[alpha, nothing]") + compared("two", "[nobody, beta]"),
            ["there is no concept nothing", "there is no concept nobody"],
            id="sides of two",
        ),
        pytest.param(
            compared("one", "[alpha, nothing]", choose="[when one]"),
            ["there is no concept nothing", "`choose` has 1 line"],
            id="a side and the texts of one",
        ),
    ],
)
def test_a_faulty_comparison_hides_no_other_fault(comparisons: str, messages: list[str], tmp_path: Path) -> None:
    found = refused(tmp_path, {"glossary": glossary(concept("alpha"), concept("beta")), "comparisons": comparisons})
    assert len(found) == len(messages)
    assert all(any(words in str(problem) for problem in found) for words in messages), found
