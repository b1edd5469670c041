"""Autocomplete: labels of both languages, one per concept, the likeliest first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from bot.completion import Suggestion, complete
from bot.glossary.concept import Label
from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary
from tests.little import concept
from tests.texts import any_text

FIRST = {
    "whole": ("slo", "slo", "SLO"),
    "prefix": ("specul", "speculative-decoding", "Speculative decoding"),
    "case and hyphen": ("KV-CA", "kv-cache", "KV cache"),
    "a later word": ("flight", "continuous-batching", "in-flight batching"),
    "spaces left out": ("kvcach", "kv-cache", "KV cache"),
    "chinese": ("连续", "continuous-batching", "连续批处理"),
    "traditional": ("連續批", "continuous-batching", "连续批处理"),
    "inside chinese": ("投机解", "speculative-decoding", "投机解码"),
    "full form": ("time to f", "ttft", "Time to first token"),
    "pinyin": ("lianghua", "quantization", "量化"),
    "a slip": ("quantizaton", "quantization", "Quantization"),
}


@pytest.mark.parametrize(("prefix", "concept_id", "label"), FIRST.values(), ids=FIRST)
def test_the_likeliest_comes_first(prefix: str, concept_id: str, label: str, glossary: Glossary) -> None:
    first = complete(prefix, glossary)[0]
    assert (first.concept, first.label) == (concept_id, label)


def test_what_a_suggestion_says(glossary: Glossary) -> None:
    section = glossary.concepts["ttft"].sections["en"]
    assert complete("ttft", glossary)[0] == Suggestion("ttft", "TTFT", "TTFT", section.summary)
    chinese = glossary.concepts["continuous-batching"].sections["zh-Hans"]
    title = "连续批处理 · Continuous batching"
    assert complete("连续批", glossary)[0] == Suggestion("continuous-batching", "连续批处理", title, chinese.summary)


def test_nothing_typed_yet_offers_what_everybody_says(glossary: Glossary) -> None:
    levels = [glossary.concepts[suggestion.concept].level for suggestion in complete("", glossary)]
    assert levels == sorted(levels)
    assert levels[0] == 1
    assert len(complete(" \u200b ", glossary)) == 25


def test_part_of_a_name_offers_all_that_have_it(glossary: Glossary) -> None:
    assert {"data-drift", "concept-drift", "model-drift"} <= {s.concept for s in complete("drift", glossary)}


@pytest.mark.parametrize("prefix", ["zzqx", "·", "()", "？", "不存在的词"])
def test_nothing_is_offered_for_nothing(prefix: str, glossary: Glossary) -> None:
    assert complete(prefix, glossary) == ()


TYPO = concept("drift", "Drift", "shift", zh=("漂移",), hidden=("drfit", "input drfit"))
AVOIDED = replace(
    concept("token", "Token", zh=("词元",)),
    sections={
        "en": concept("token", "Token").sections["en"],
        "zh-Hans": replace(
            concept("token", zh=("词元",)).sections["zh-Hans"],
            alt_labels=(Label("令牌", "zh-Hans", status="avoid"),),
        ),
    },
)


@pytest.mark.parametrize(
    ("prefix", "label"), [("drfit", "Drift"), ("input drfitt", "Drift"), ("shif", "shift"), ("令牌", "词元")]
)
def test_a_misspelling_or_a_word_to_avoid_is_never_filled_in(prefix: str, label: str) -> None:
    assert [suggestion.label for suggestion in complete(prefix, Glossary([TYPO, AVOIDED]))] == [label]


def test_a_beginning_of_a_misspelling_offers_nothing() -> None:
    """Somebody who types "drf" hasn't finished."""
    assert complete("drf", Glossary([TYPO])) == ()


def test_a_qualifier_is_shown() -> None:
    """Two of one name can only be told apart by it."""
    drift, linux = concept("psi", "PSI"), concept("psi-linux", "PSI")
    linux = replace(linux, sections={"en": replace(linux.sections["en"], qualifier="Linux")})
    titles = [suggestion.title for suggestion in complete("psi", Glossary([drift, linux]))]
    assert titles == ["PSI", "PSI (Linux)"]


@pytest.mark.parametrize("limit", [0, 1, 3, 25])
def test_no_more_than_asked_for(limit: int, glossary: Glossary) -> None:
    assert len(complete("", glossary, limit=limit)) == limit
    assert len(complete("m", glossary, limit=limit)) == min(limit, len(complete("m", glossary, limit=100)))


@given(any_text)
def test_any_text_takes_part(glossary: Glossary, text: str) -> None:
    """Never an error; one suggestion per concept, and every label that is filled in finds its concept."""
    found = complete(text, glossary)
    concepts = [suggestion.concept for suggestion in found]
    assert len(concepts) == len(set(concepts)) <= 25
    for suggestion in found:
        assert suggestion.concept in {hit.concept for hit in glossary.exact(fold(suggestion.label))}
        assert suggestion.title
        assert suggestion.summary


def test_a_whole_label_offers_its_concept(glossary: Glossary) -> None:
    for folded, hit in glossary.labels():
        if hit.label.kind not in ("pref", "full"):
            continue
        offered = [suggestion.concept for suggestion in complete(hit.label.text, glossary)]
        assert offered[: len(glossary.exact(folded))].count(hit.concept) == 1, hit.label.text


def test_a_reader_gets_the_lines_in_their_language(glossary: Glossary) -> None:
    section = glossary.concepts["continuous-batching"].sections["zh-Hans"]
    first = complete("continuous", glossary, language="zh-Hans")[0]
    assert first == Suggestion(
        "continuous-batching", "Continuous batching", "连续批处理 · Continuous batching", section.summary
    )
    assert complete("连续批", glossary, language="en") == complete("连续批", glossary)
    assert complete("", glossary, language="zh-Hans")[0].label == "量化"


def test_the_preferred_label_is_filled_in_where_it_has_what_was_typed(glossary: Glossary) -> None:
    labels = {suggestion.concept: suggestion.label for suggestion in complete("批", glossary)}
    assert labels["continuous-batching"] == "连续批处理"
    assert labels["dynamic-batching"] == "动态批处理"
    assert complete("in-flight batching", glossary)[0].label == "in-flight batching"
