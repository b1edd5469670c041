"""Public answers of the last minute."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.answer import Answer, Kind
from bot.recent import REMEMBERED, SAID_FOR, RecentAnswers
from tests.stores import CHANNEL, MOMENT, NOW, OTHER_CHANNEL, THREAD

SLO = Answer("definition", "en", "public", concepts=("slo",))


def test_the_same_answer_in_the_same_place_is_found_for_a_minute() -> None:
    recent = RecentAnswers()
    assert recent.find(CHANNEL, SLO, NOW) is None
    recent.add(CHANNEL, SLO, "m1", NOW)
    assert recent.find(CHANNEL, SLO, NOW + SAID_FOR - MOMENT) == "m1"
    assert recent.find(CHANNEL, SLO, NOW + SAID_FOR) is None


@pytest.mark.parametrize(
    ("place", "other"),
    [
        (OTHER_CHANNEL, SLO),
        (THREAD, SLO),
        (CHANNEL, Answer("definition", "zh-Hans", "public", concepts=("slo",))),
        (CHANNEL, Answer("definition", "en", "public", concepts=("sla",))),
        (CHANNEL, Answer("comparison", "en", "public", concepts=("slo",))),
    ],
    ids=["another channel", "a thread", "another language", "another concept", "another kind"],
)
def test_nothing_else_is(place: object, other: Answer) -> None:
    recent = RecentAnswers()
    recent.add(CHANNEL, SLO, "m1", NOW)
    assert recent.find(place, other, NOW) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["choice", "unknown", "list", "help", "setting", "error", "explanation", "silence"])
def test_only_what_was_looked_up_is_remembered(kind: Kind) -> None:
    recent = RecentAnswers()
    recent.add(CHANNEL, Answer(kind, "en", "public"), "m1", NOW)
    assert recent.find(CHANNEL, Answer(kind, "en", "public"), NOW) is None


def test_a_deleted_reply_is_forgotten() -> None:
    recent = RecentAnswers()
    recent.add(CHANNEL, SLO, "m1", NOW)
    recent.forget("m1")
    assert recent.find(CHANNEL, SLO, NOW) is None


def test_the_latest_counts_and_the_oldest_goes() -> None:
    recent = RecentAnswers()
    recent.add(CHANNEL, SLO, "m1", NOW)
    recent.add(CHANNEL, SLO, "m2", NOW + timedelta(seconds=50))
    assert recent.find(CHANNEL, SLO, NOW + timedelta(seconds=100)) == "m2"
    for number in range(REMEMBERED):
        recent.add(CHANNEL, Answer("definition", "en", "public", concepts=(f"c{number}",)), f"n{number}", NOW)
    assert recent.find(CHANNEL, SLO, NOW) is None
    assert recent.find(CHANNEL, Answer("definition", "en", "public", concepts=("c0",)), NOW) == "n0"
