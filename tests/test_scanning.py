"""The fold of running text: the same as the fold of labels, and every character knows where it came from."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.glossary.folding import fold
from bot.glossary.scanning import fold_in_place
from tests.texts import any_text

KEPT: Final = ",‘‚‛“”…，！：；？（）"
"""Signs that stay as they are, and the one for all that separates: it doesn't matter what they fold to."""


def folded(text: str) -> str:
    return fold_in_place(text).utf8.decode()


def origin(text: str, part: str) -> str:
    """What stands in the original where `part` stands in the fold."""
    found = fold_in_place(text)
    start = found.utf8.decode().index(part)
    at = found.span(start, start + len(part))
    return text[at[0] : at[1]]


@pytest.mark.parametrize(
    ("text", "small"),
    [
        pytest.param("Our SLO-Target", "our slo target", id="capitals and hyphens"),
        pytest.param("kv_cache", "kv cache", id="underscores"),
        pytest.param("KV \t\r\n  cache", "kv cache", id="runs of spaces"),
        pytest.param("a - b", "a b", id="a hyphen between spaces"),
        pytest.param(" a ", " a ", id="spaces at the ends stay, as one"),
        pytest.param("S\x00L\x1bO\x7f", "slo", id="controls"),
        pytest.param("S\u200bL\u00adO\ufe0f", "slo", id="invisible"),
        pytest.param("ＡＷＱ　Ｐ９９", "awq p99", id="full width"),
        pytest.param("KV\u00a0\u202fcache", "kv cache", id="other spaces"),
        pytest.param("in\u2011flight—batching", "in flight batching", id="other dashes"),
        pytest.param("Little’s ´ ʼ", "little's ' '", id="apostrophes"),
        pytest.param("量化訓練與連續批次處理", "量化训练与连续批次处理", id="traditional"),
        pytest.param("ﬁﬄ", "fiffl", id="longer than before"),
        pytest.param("①㎏SLO²", ",,slo,", id="signs are no part of a word"),
        pytest.param("İß", "i̇ss", id="longer in small"),
        pytest.param("你好，SLO！😀🎂", "你好，slo！😀🎂", id="chinese and emoji"),
        pytest.param("\ud800SLO\udfff", "slo", id="lone surrogates"),
        pytest.param("", "", id="empty"),
    ],
)
def test_fold(text: str, small: str) -> None:
    assert folded(text) == small


@pytest.mark.parametrize(
    ("text", "part", "written"),
    [
        pytest.param("ﬁ…①ＡＷＱ很快", "awq", "ＡＷＱ", id="behind longer folds"),
        pytest.param("ﬁ", "i", "ﬁ", id="a part of a longer fold"),
        pytest.param("so KV \n\n cache, yes", "kv cache", "KV \n\n cache", id="over a run of spaces"),
        pytest.param("a  b  SLO", "slo", "SLO", id="behind runs of spaces"),
        pytest.param("😀  \u200bS\u200bLO\u200b 量", "slo", "S\u200bLO", id="invisible inside, not around"),
        pytest.param("\x00\x00 S\x00LO", "slo", "S\x00LO", id="controls inside"),
        pytest.param("ﬁ  ﬁ　　SLO", "slo", "SLO", id="both kinds of moves"),
        pytest.param("連續  批次", "批次", "批次", id="traditional"),
        pytest.param("Straße und ﬁle: Mean", "mean", "Mean", id="sharp s"),
    ],
)
def test_where_it_came_from(text: str, part: str, written: str) -> None:
    assert origin(text, part) == written


@given(any_text)
def test_places_are_in_the_original_and_in_order(text: str) -> None:
    found = fold_in_place(text)
    spans = [found.span(place, place + 1) for place in range(len(found.utf8.decode()))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)


@given(any_text)
def test_each_character_is_the_fold_of_its_origin(text: str) -> None:
    """But for signs that are kept, and for spaces, of which one stands for many."""
    found = fold_in_place(text)
    for place, character in enumerate(found.utf8.decode()):
        start, end = found.span(place, place + 1)
        assert character in KEPT or character == " " or character in fold(text[start:end])


@given(st.text(st.sampled_from("aZ9-_ \t量訓ＡＱ９ﬁ’é\u200b\u00a0"), max_size=20))
def test_it_is_the_fold_of_labels(text: str) -> None:
    assert folded(text).strip() == fold(text)
