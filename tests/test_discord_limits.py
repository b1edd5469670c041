"""Texts are cut where they can be read to the end, and counted so that Discord never counts more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.limits import cut, label, length
from tests.texts import any_text


@pytest.mark.parametrize(("text", "units"), [("", 0), ("abc", 3), ("量化", 2), ("😀", 2), ("a😀b", 4)])
def test_length_is_in_utf_16_units(text: str, units: int) -> None:
    assert length(text) == units == len(text.encode("utf-16-le")) // 2


CUTS = {
    "it fits": ("One. Two.", 9, "One. Two."),
    "at a sentence": ("First sentence. Second one goes on", 24, "First sentence. …"),
    "at a Chinese sentence": ("第一句话说完了。第二句话还没有说完", 14, "第一句话说完了。…"),
    "no sentence ends near": ("A. then a long way without any end", 22, "A. then a long way…"),
    "at a word": ("continuous batching and more", 25, "continuous batching and…"),
    "no space in it": ("x" * 30, 10, "x" * 8 + "…"),
    "Chinese without a sentence": ("从发出提示词到看到第一个字的时间", 8, "从发出提示词…"),
    "a number isn't the end of a sentence": ("around 3.5 and 4.5 or so", 16, "around 3.5 and…"),
    "not after a comma": ("one two, three four", 11, "one two…"),
    "no room": ("abc", 1, "…"),
    "no room at all": ("abc", 0, ""),
}


@pytest.mark.parametrize(("text", "room", "left"), CUTS.values(), ids=CUTS)
def test_where_it_is_cut(text: str, room: int, left: str) -> None:
    assert cut(text, room, length) == left


@given(any_text, st.integers(0, 40))
def test_it_always_fits(text: str, room: int) -> None:
    assert length(cut(text, room, length)) <= room


@given(st.text(max_size=60), st.integers(1, 40))
def test_what_is_left_is_how_it_begins(text: str, room: int) -> None:
    left = cut(text, room, length)
    assert left == text or text.startswith(left.removesuffix("…").removesuffix(" "))


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\x00", "\ud800"])
def test_a_label_is_never_empty(text: str) -> None:
    assert label(text, 80) == "…"


def test_a_label_is_one_line() -> None:
    assert label("Compare\nwith ", 80) == "Compare with"


@given(any_text, st.integers(2, 80))
def test_a_label_always_fits(text: str, room: int) -> None:
    assert 1 <= length(label(text, room)) <= room
