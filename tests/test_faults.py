"""What is said of a database's failures, and when it is asked again."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.state.faults import PAUSE, Outage, is_of_the_database, kind, refusal


class ServerError(Exception):
    """As a driver raises it."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__("hunter2")
        self.sqlstate = sqlstate


def wrapped(sqlstate: str) -> DBAPIError:
    return DBAPIError("SELECT hunter2", {"word": "hunter2"}, ServerError(sqlstate))


@pytest.mark.parametrize(
    ("sqlstate", "says"),
    [
        ("28P01", "password"),
        ("28000", "pg_hba.conf"),
        ("3D000", "createdb"),
        ("42501", "GRANT"),
    ],
)
def test_what_waiting_does_not_help_says_what_does(sqlstate: str, says: str) -> None:
    for error in (wrapped(sqlstate), ServerError(sqlstate)):
        reason = refusal(error)
        assert reason is not None
        assert says in reason
        assert "hunter2" not in reason
        assert "\n" not in reason


@pytest.mark.parametrize("error", [wrapped("57P03"), ServerError("53300"), OSError("hunter2"), TimeoutError()])
def test_the_rest_may_end_by_itself(error: Exception) -> None:
    assert refusal(error) is None


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (IntegrityError("INSERT", {"a": "hunter2"}, ServerError("23503")), "IntegrityError 23503"),
        (ServerError("57P01"), "ServerError 57P01"),
        (ConnectionRefusedError("hunter2"), "ConnectionRefusedError"),
    ],
    ids=["a-statement", "while-connecting", "the-way"],
)
def test_a_failure_is_named_without_any_value(error: Exception, said: str) -> None:
    assert kind(error) == said
    assert is_of_the_database(error)


@pytest.mark.parametrize("error", [TypeError("hunter2"), KeyError("hunter2"), AssertionError()])
def test_a_bug_is_no_failure_of_the_database(error: Exception) -> None:
    assert not is_of_the_database(error)


@dataclass
class Clock:
    now: float = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def outage(clock: Clock) -> Outage:
    return Outage(clock, PATIENCE)


PATIENCE = 0.5  # and other fractions that a computer has exactly


def test_all_is_well_at_first(outage: Outage, clock: Clock) -> None:
    assert not outage.lasts()
    outage.asked()
    assert not outage.lasts()
    clock.now += PATIENCE / 2
    assert not outage.lasts()


def test_who_waits_too_long_warns_the_others(outage: Outage, clock: Clock) -> None:
    outage.asked()
    clock.now += PATIENCE
    assert outage.lasts()
    outage.answered()
    assert not outage.lasts()


def test_a_call_that_waits_while_others_are_answered_is_no_outage(outage: Outage, clock: Clock) -> None:
    outage.asked()
    for _ in range(5):
        clock.now += PATIENCE / 2
        outage.asked()
        outage.answered()
        assert not outage.lasts()
    outage.gave_up()
    assert not outage.lasts()


def test_after_an_unanswered_call_there_is_a_pause(outage: Outage, clock: Clock) -> None:
    outage.asked()
    clock.now += PATIENCE
    outage.gave_up()
    clock.now += PAUSE / 2
    assert outage.lasts()
    clock.now += PAUSE / 2
    assert not outage.lasts()
    outage.asked()
    assert not outage.lasts()


def test_an_answer_ends_the_pause(outage: Outage, clock: Clock) -> None:
    outage.asked()
    outage.asked()
    clock.now += PATIENCE
    outage.gave_up()
    assert outage.lasts()
    outage.answered()
    assert not outage.lasts()


def test_who_gives_up_at_once_says_nothing_about_the_database(outage: Outage, clock: Clock) -> None:
    outage.asked()
    clock.now += PATIENCE / 2
    outage.gave_up()
    assert not outage.lasts()


def test_time_in_which_nobody_asked_does_not_count(outage: Outage, clock: Clock) -> None:
    outage.asked()
    outage.answered()
    clock.now += 100
    outage.asked()
    assert not outage.lasts()
