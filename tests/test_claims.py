"""Whose a message is to answer."""

from __future__ import annotations

import pytest

from bot.state import bounded, claims
from bot.state.bounded import Bounded
from bot.state.claims import Claims
from bot.state.memory import MemoryStore
from bot.state.ports import Handled
from tests.fakes import FailingStore, SilentStore
from tests.stores import CHANNEL, NOW, OTHER_CHANNEL, OTHER_PLATFORM, THREAD


def replica(handled: Handled, failed: list[str] | None = None) -> Claims:
    """A process over a store that others have, too."""
    told = failed if failed is not None else []
    return Claims(handled, Bounded(MemoryStore(), told.append))


async def test_a_message_is_one_replicas() -> None:
    handled = MemoryStore().handled
    one, other = replica(handled), replica(handled)
    assert [await one.claim(CHANNEL, "m1", NOW), await other.claim(CHANNEL, "m1", NOW)] == [True, False]
    assert not await one.claim(CHANNEL, "m1", NOW)
    assert not await one.claim(THREAD, "m1", NOW), "a message has one id in its channel, threads included"
    assert [await other.claim(place, "m1", NOW) for place in (OTHER_CHANNEL, OTHER_PLATFORM)] == [True, True]


@pytest.mark.parametrize("kind", [FailingStore, SilentStore])
async def test_with_the_store_away_it_is_answered_once_here(
    kind: type[FailingStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "READ_SECONDS", 0.01)
    failed: list[str] = []
    alone = replica(kind().handled, failed)
    assert [await alone.claim(CHANNEL, "m1", NOW) for _ in range(3)] == [True, False, False]
    assert len(failed) == 1
    assert await alone.reply_to(CHANNEL, "m1") is None
    await alone.replied(CHANNEL, "m1", "r1")


async def test_the_reply_is_found_by_every_replica() -> None:
    handled = MemoryStore().handled
    one, other = replica(handled), replica(handled)
    await one.claim(CHANNEL, "m1", NOW)
    assert await other.reply_to(CHANNEL, "m1") is None
    await one.replied(CHANNEL, "m1", "r1")
    assert await other.reply_to(CHANNEL, "m1") == "r1"


async def test_what_a_process_remembers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "REMEMBERED", 2)
    alone = replica(FailingStore().handled)
    for message in ("m1", "m2", "m3"):
        assert await alone.claim(CHANNEL, message, NOW)
    assert not await alone.claim(CHANNEL, "m3", NOW)
    assert await alone.claim(CHANNEL, "m1", NOW), "too long ago"
