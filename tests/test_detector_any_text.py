"""Terms in whatever comes in: the same as by brute force, in their places, in work that grows as the text does."""

from __future__ import annotations

import sys
import unicodedata
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from bot.glossary.detector import Detector
from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary
from bot.glossary.masking import Prose
from tests.terms import LITTLE
from tests.test_platform_cases import HOSTILE
from tests.texts import any_text

SPELT: Final = {
    "slo": ("slo", "slos"),
    "p99": ("p99", "p99s"),
    "awq": ("awq", "awqs"),
    "kv-cache": ("kv cache", "kv caches", "kvcache", "kvcaches", "kv 缓存", "kv缓存", "键值缓存"),
    "quantization": ("quantization", "quantizations", "量化"),
    "qat": ("qat", "qats", "quantization aware training", "quantization aware trainings", "quantizationawaretraining",
        "quantizationawaretrainings", "量化感知训练"),
    "batch": ("batch inference", "batch inferences", "batchinference", "batchinferences", "批处理"),
    "ab-testing": ("a/b testing", "a/b testings", "abtesting", "abtestings", "a/b 测试", "a/b测试"),
}  # fmt: skip
"""Concept -> all of its spellings, folded; written down by hand."""
DENIED: Final = ("量化交易", "quantization noise", "quantization noises", "quantizationnoise", "quantizationnoises")
LATIN: Final = "abcdefghijklmnopqrstuvwxyz0123456789"


def brute_force(text: str) -> list[tuple[str, int, int]]:
    """Every spelling at every place: (concept, start, end) of those that stay, from left to right."""
    small, places = "", []
    for place, character in enumerate(text):
        folded = fold(character) or (" " if character in "-_" or character.isspace() else "")
        if folded.isascii() and unicodedata.category(character) in ("No", "So"):
            folded = ","  # a footnote's ², a ①: a sign of its own
        if not (folded == " " and small.endswith(" ")):
            small += folded
            places += [place] * len(folded)

    def everywhere(spelling: str) -> list[tuple[int, int]]:
        ends = ((at, at + len(spelling)) for at in range(len(small)) if small.startswith(spelling, at))
        return [(start, end) for start, end in ends if whole(start, end)]

    def whole(start: int, end: int) -> bool:
        joined_before = start > 0 and small[start] in LATIN and small[start - 1] in LATIN
        return not joined_before and not (end < len(small) and small[end - 1] in LATIN and small[end] in LATIN)

    def is_name(start: int, end: int) -> bool:
        return "_" in (text[places[start] - 1 : places[start]], text[places[end - 1] + 1 : places[end - 1] + 2])

    denied = [place for spelling in DENIED for place in everywhere(spelling)]
    prose = Prose(text)
    candidates = [
        (concept_id, start, end)
        for concept_id, spellings in SPELT.items()
        for spelling in spellings
        for start, end in everywhere(spelling)
        if prose.has(places[start], places[end - 1] + 1)
        and not is_name(start, end)
        and not (concept_id == "quantization" and any(a <= start and end <= b for a, b in denied))
    ]
    chosen: list[tuple[str, int, int]] = []
    for concept_id, start, end in sorted(candidates, key=lambda found: (found[1] - found[2], found[1])):
        if all(end <= a or b <= start for _, a, b in chosen):
            chosen.append((concept_id, start, end))
    return sorted(((c, places[a], places[b - 1] + 1) for c, a, b in chosen), key=lambda found: found[1])


SMALL: Final = Detector(Glossary(entry for entry in LITTLE if entry.id in SPELT))
PIECES: Final = (
    *("SLO", "slo", "P99", "AWQ", "KV cache", "kv-cache", "kv_cache", "kvcache", "KV", "cache", "缓存", "键值缓存"),
    *(
        "量化",
        "量化感知训练",
        "量化交易",
        "感知训练",
        "批处理",
        "连续批处理",
        "quantization",
        "aware training",
        "noise",
    ),
    *(
        "²",
        "①",
        "A/B testing",
        "a/b",
        "测试",
        "Batch inference",
        "ＳＬＯ",
        "ﬁ",
        "😀",
        "é",
        "量",
        "訓練",
        "\u200b",
        "\u3000",
    ),
    *(" ", " ", "  ", "-", "_", "s", "'s", "’s", "x", "9", ".", ",", "，", "/", "(", "`", "```", "\n", "> ", "@", ":"),
)


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), any_text))
@bounds(max_examples=1500)
def test_the_same_as_by_brute_force(text: str) -> None:
    mentions = SMALL.mentions(text)
    assert [(mention.concept, mention.start, mention.end) for mention in mentions] == brute_force(text)


@given(any_text)
@bounds(max_examples=300)
def test_any_text_has_terms_in_their_places(shipped_detector: Detector, text: str) -> None:
    prose = Prose(text)
    mentions = shipped_detector.mentions(text, everyday=True)
    assert all(mention.text == text[mention.start : mention.end] != "" for mention in mentions)
    assert all(prose.has(mention.start, mention.end) for mention in mentions)
    edges = [edge for mention in mentions for edge in (mention.start, mention.end)]
    assert edges == sorted(edges)
    assert shipped_detector.mentions(text) == [mention for mention in mentions if mention.explain]


def steps(detector: Detector, text: str) -> int:
    """Lines of Python that run while a text is looked at."""
    count = 0

    def trace(_frame: object, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        detector.mentions(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_as_the_text_does(shipped_detector: Detector, name: str) -> None:
    text = HOSTILE[name]
    shipped_detector.mentions(text)  # what is remembered about labels is remembered now
    assert steps(shipped_detector, text * 8) <= 9 * steps(shipped_detector, text) + 1_000


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", HOSTILE)
def test_expressions_do_not_run_away(shipped_detector: Detector, name: str) -> None:
    """What runs in C can't be counted; a pattern that runs away would need hours for this."""
    shipped_detector.mentions((f"SLO {HOSTILE[name]} " * 40)[:40_000])


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), any_text))
def test_without_a_label_there_is_no_mention(text: str) -> None:
    assert SMALL.has_label(text) or not SMALL.mentions(text, everyday=True)
