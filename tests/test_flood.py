"""A person's flood is slowed down."""

from __future__ import annotations

from collections import deque
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.flood import PEOPLE, WINDOW, Flood
from bot.request import Person
from tests.stores import ANA, BO, MOMENT, NOW


def test_so_many_a_minute_and_one_is_told() -> None:
    flood = Flood(2)
    assert [flood.judge(ANA, NOW) for _ in range(5)] == ["in", "in", "first-over", "over", "over"]
    assert flood.judge(ANA, NOW + WINDOW - MOMENT) == "over"
    assert flood.judge(ANA, NOW + WINDOW) == "in"


def test_nobody_else_notices() -> None:
    flood = Flood(1)
    assert [flood.judge(ANA, NOW), flood.judge(ANA, NOW), flood.judge(BO, NOW)] == ["in", "first-over", "in"]


def test_who_was_within_again_is_told_anew() -> None:
    flood = Flood(1)
    verdicts = [flood.judge(ANA, NOW + timedelta(seconds=second)) for second in (0, 1, 60, 61, 62)]
    assert verdicts == ["in", "first-over", "in", "first-over", "over"]


def test_none_is_no_limit() -> None:
    flood = Flood(0)
    assert {flood.judge(ANA, NOW) for _ in range(1_000)} == {"in"}


def test_what_is_remembered_is_bounded() -> None:
    flood = Flood(1)
    for number in range(PEOPLE + 1):
        flood.judge(Person("slack", "T1", f"U{number}"), NOW)
    assert flood.judge(Person("slack", "T1", "U0"), NOW) == "in", "forgotten, and so let in"
    assert flood.judge(Person("slack", "T1", f"U{PEOPLE}"), NOW) == "first-over"


@pytest.mark.parametrize("per_minute", [1, 3])
@given(gaps=st.lists(st.integers(0, 40), max_size=40))
def test_never_more_than_so_many_in_any_minute(per_minute: int, gaps: list[int]) -> None:
    flood, now, window = Flood(per_minute), NOW, deque[object]()
    for gap in gaps:
        now += timedelta(seconds=gap)
        window = deque(at for at in window if now - at < WINDOW)  # type: ignore[operator]
        allowed = len(window) < per_minute
        assert (flood.judge(ANA, now) == "in") == allowed
        if allowed:
            window.append(now)
