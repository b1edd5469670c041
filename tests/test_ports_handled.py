"""What every store has to do about messages that were taken care of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.request import Place
from bot.state.ports import HANDLED_FOR, Store
from tests.stores import CHANNEL, KINDS, MOMENT, NOW, OTHER_CHANNEL, OTHER_PLATFORM, THREAD, opened


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


async def test_only_the_first_claim_counts(store: Store) -> None:
    assert await store.handled.claim(CHANNEL, "m1", NOW)
    assert not await store.handled.claim(CHANNEL, "m1", NOW)
    assert not await store.handled.claim(CHANNEL, "m1", NOW + HANDLED_FOR * 2)  # nothing was pruned
    assert await store.handled.claim(CHANNEL, "m2", NOW)


async def test_of_many_at_once_one_gets_it(store: Store) -> None:
    claims = await asyncio.gather(*(store.handled.claim(CHANNEL, "m1", NOW) for _ in range(30)))
    assert sorted(claims) == [False] * 29 + [True]


@pytest.mark.parametrize(
    ("place", "free"),
    [
        pytest.param(OTHER_CHANNEL, True, id="channel"),
        pytest.param(OTHER_PLATFORM, True, id="platform"),
        pytest.param(THREAD, False, id="thread"),
        pytest.param(Place("slack", "T2", "C1"), False, id="tenant"),
    ],
)
async def test_a_message_is_known_by_platform_channel_and_id(store: Store, place: Place, free: bool) -> None:
    await store.handled.claim(CHANNEL, "m1", NOW)
    await store.handled.replied(CHANNEL, "m1", "r1")
    assert await store.handled.reply_to(place, "m1") == (None if free else "r1")
    assert await store.handled.claim(place, "m1", NOW) is free


async def test_the_last_reply_is_found(store: Store) -> None:
    assert await store.handled.reply_to(CHANNEL, "m1") is None
    await store.handled.claim(CHANNEL, "m1", NOW)
    assert await store.handled.reply_to(CHANNEL, "m1") is None
    await store.handled.replied(CHANNEL, "m1", "r1")
    await store.handled.replied(CHANNEL, "m1", "r2")
    assert await store.handled.reply_to(CHANNEL, "m1") == "r2"


async def test_a_reply_to_a_message_that_nobody_claimed_is_not_kept(store: Store) -> None:
    await store.handled.replied(CHANNEL, "m1", "r1")
    assert await store.handled.reply_to(CHANNEL, "m1") is None
    assert await store.handled.claim(CHANNEL, "m1", NOW)
    assert await store.handled.reply_to(CHANNEL, "m1") is None


async def test_prune_deletes_what_is_older_than_24_hours(store: Store) -> None:
    for message, at in [("older", NOW - HANDLED_FOR - MOMENT), ("just", NOW - HANDLED_FOR), ("new", NOW)]:
        await store.handled.claim(CHANNEL, message, at)
        await store.handled.replied(CHANNEL, message, f"reply to {message}")
    await store.handled.prune(NOW)
    replies = {message: await store.handled.reply_to(CHANNEL, message) for message in ("older", "just", "new")}
    assert replies == {"older": None, "just": "reply to just", "new": "reply to new"}
    assert await store.handled.claim(CHANNEL, "older", NOW)
    assert await store.handled.reply_to(CHANNEL, "older") is None
    assert not await store.handled.claim(CHANNEL, "just", NOW)
