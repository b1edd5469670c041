"""Whether requests may be sent to this process."""

from __future__ import annotations

import pytest

from adapters.readiness import GRACE_SECONDS, Watchman
from tests.test_running import Acted


async def here() -> bool:
    return True


async def away() -> bool:
    return False


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_ready_is_whoever_is_connected_everywhere(clock: Clock) -> None:
    slack, discord = Acted("slack"), Acted("discord", connected=True)
    watchman = Watchman([slack, discord], here, lambda: {"concepts": 3}, clock)
    looked = await watchman.look()
    assert not looked.ready, "it never was"
    slack.connected = True
    looked = await watchman.look()
    assert looked.ready
    assert looked.detail == {
        "platforms": {"slack": True, "discord": True},
        "database": "ok",
        "data": {"concepts": 3},
    }


async def test_a_short_gap_does_not_count(clock: Clock) -> None:
    slack = Acted(connected=True)
    watchman = Watchman([slack], here, dict, clock)
    assert (await watchman.look()).ready
    slack.connected = False
    assert (await watchman.look()).ready
    clock.now += GRACE_SECONDS - 1
    assert (await watchman.look()).ready
    clock.now += 1
    assert not (await watchman.look()).ready
    slack.connected = True
    assert (await watchman.look()).ready
    slack.connected = False
    assert (await watchman.look()).ready, "a new gap begins anew"


async def test_without_the_database_it_is_ready_and_says_so(clock: Clock) -> None:
    looked = await Watchman([Acted(connected=True)], away, dict, clock).look()
    assert (looked.ready, looked.detail["database"]) == (True, "away")
