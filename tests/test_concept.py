"""The values that the termbase is made of."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, is_dataclass
from typing import Any

import pytest

from bot.glossary import concept as concept_module
from bot.glossary.concept import Comparison, ComparisonSection, Label, Language, OtherSide, code
from bot.glossary.glossary import Glossary
from tests.little import concept

SLO = concept("slo", "SLO", "reliability target", full="Service level objective", hidden=["SL0"], zh=["服务等级目标"])


def test_the_labels_of_a_section_begin_with_the_preferred_one() -> None:
    labels = [(label.text, label.kind) for label in SLO.section("en").labels()]
    assert labels == [
        ("SLO", "pref"),
        ("Service level objective", "full"),
        ("reliability target", "alt"),
        ("SL0", "hidden"),
    ]


def test_a_section_without_a_full_form_has_one_label_less() -> None:
    assert [label.text for label in SLO.section("zh-Hans").labels()] == ["服务等级目标"]


def test_a_concept_has_the_labels_of_all_its_languages() -> None:
    assert {label.language for label in SLO.labels()} == {"en", "zh-Hans"}
    assert len(SLO.labels()) == 5


def test_a_section_is_the_one_of_the_language() -> None:
    assert SLO.section("zh-Hans").language == "zh-Hans"


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_language_that_is_not_written_yet_falls_back_to_the_other(language: Language) -> None:
    only_english, only_chinese = concept("a", "A"), concept("b", zh=["乙"])
    assert only_english.section(language).language == "en"
    assert only_chinese.section(language).language == "zh-Hans"


def test_a_label_may_be_explained_unless_somebody_says_no() -> None:
    label = Label("SLO", "en")
    assert (label.kind, label.status) == ("alt", "admitted")
    assert (label.explain, label.case_sensitive, label.part) == (True, False, False)
    assert not label.everyday
    assert not label.needs_company


@pytest.mark.parametrize(
    ("label", "everyday", "needs_company"),
    [
        pytest.param(Label("online", "en", explain=False), True, False, id="hopeless"),
        pytest.param(Label("canary", "en", near=("rollout",)), True, True, id="near"),
        pytest.param(Label("canary", "en", contexts=("release",)), True, True, id="contexts"),
        pytest.param(Label("Prometheus", "en", not_near=("film",)), False, False, id="not near"),
        pytest.param(Label("Pruning", "en", "pref", near=("weights",)), False, True, id="a heading"),
    ],
)
def test_everyday_words(label: Label, everyday: bool, needs_company: bool) -> None:
    assert (label.everyday, label.needs_company) == (everyday, needs_company)


VALUES = [value for value in vars(concept_module).values() if is_dataclass(value)]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.__name__)
def test_nothing_changes_once_it_is_built(value: Any) -> None:
    assert value.__dataclass_params__.frozen
    assert "__slots__" in vars(value)


def test_a_frozen_value_says_so() -> None:
    name: Any = "id"
    with pytest.raises(FrozenInstanceError):
        setattr(SLO, name, "other")


MEMORY = OtherSide({"en": ("memory", "VRAM"), "zh-Hans": ("显存",)}, {"en": "where it lies", "zh-Hans": "它所在的地方"})
ROWS: dict[Language, ComparisonSection] = {"en": ComparisonSection("gist", ("first", "second"), ())}


def test_a_side_may_be_no_concept() -> None:
    comparison = Comparison("kv-cache-and-memory", ("kv-cache", MEMORY), ROWS)
    assert comparison.concepts() == ("kv-cache",)
    assert comparison.other() == MEMORY


def test_a_comparison_of_concepts_has_no_other_side() -> None:
    comparison = Comparison("a-vs-b", ("b", "a"), ROWS)
    assert comparison.concepts() == ("b", "a")
    assert comparison.other() is None


@pytest.mark.parametrize(
    ("concept_id", "expected"),
    [("slo", "y_OOSWg"), ("kv-cache", "52Uvgs3")],
)
def test_a_code_never_changes(concept_id: str, expected: str) -> None:
    """Buttons that people still see carry it: another code makes all of them dead."""
    assert code(concept_id) == expected


def test_codes_of_the_shipped_data_differ_and_fit_into_buttons(glossary: Glossary) -> None:
    codes = [code(id_) for id_ in (*glossary.concepts, *glossary.topics)]
    assert len(set(codes)) == len(codes)
    assert [short for short in codes if not re.fullmatch(r"[A-Za-z0-9_-]{7}", short)] == []
