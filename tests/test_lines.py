"""Many labels as one text: the same as looking at each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.glossary.lines import Lines

some = st.text("ab c量", max_size=5)


@given(st.lists(some, max_size=8), some.filter(bool))
def test_it_finds_what_looking_at_each_finds(texts: list[str], part: str) -> None:
    lines = Lines(texts)
    assert list(lines.beginning(part)) == [number for number, text in enumerate(texts) if text.startswith(part)]
    assert list(lines.containing(part)) == [number for number, text in enumerate(texts) if part in text]


def test_nothing_goes_over_the_end_of_a_line() -> None:
    assert list(Lines(["ab", "cd"]).containing("bc")) == []
