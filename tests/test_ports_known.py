"""What every store has to do about what many readers of a channel know."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.request import short_hash
from bot.state.ports import KEPT, MANY, Store
from tests.stores import ANA, CHANNEL, KINDS, NOW, OTHER_CHANNEL, OTHER_PLATFORM, THREAD, opened


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


READERS = [f"read{number}" for number in range(MANY)]


async def tell(store: Store, *concepts: str, readers: list[str] = READERS) -> None:
    for reader in readers:
        await store.notes.knows(CHANNEL, concepts, reader, NOW)


async def test_many_have_to_know_it(store: Store) -> None:
    await tell(store, "slo", readers=READERS[1:])
    assert await store.notes.many_know(CHANNEL) == ()
    await tell(store, "slo", readers=READERS[:1])
    assert await store.notes.many_know(CHANNEL) == ("slo",)


async def test_who_says_it_twice_counts_once(store: Store) -> None:
    await tell(store, "slo", readers=READERS[:1] * MANY)
    assert await store.notes.many_know(CHANNEL) == ()


async def test_most_readers_first_then_by_id(store: Store) -> None:
    await tell(store, "slo", "kv-cache", "ttft")
    await tell(store, "ttft", readers=["another"])
    assert await store.notes.many_know(CHANNEL) == ("ttft", "kv-cache", "slo")


async def test_it_belongs_to_the_channel_with_its_threads(store: Store) -> None:
    await tell(store, "slo")
    assert await store.notes.many_know(THREAD) == ("slo",)
    assert await store.notes.many_know(OTHER_CHANNEL) == ()
    assert await store.notes.many_know(OTHER_PLATFORM) == ()


async def test_it_can_be_taken_back(store: Store) -> None:
    await tell(store, "slo", "ttft")
    await store.notes.unlearns(CHANNEL, ("slo", "never-said"), READERS[0])
    await store.notes.unlearns(OTHER_CHANNEL, ("ttft",), READERS[0])
    await store.notes.knows(CHANNEL, (), "nobody", NOW)
    await store.notes.unlearns(CHANNEL, (), "nobody")
    assert await store.notes.many_know(CHANNEL) == ("ttft",)


async def test_it_ends_with_everything_else(store: Store) -> None:
    await tell(store, "slo")
    await store.notes.prune(NOW + KEPT)
    assert await store.notes.many_know(CHANNEL) == ("slo",)
    await store.notes.prune(NOW + KEPT + timedelta(seconds=1))
    assert await store.notes.many_know(CHANNEL) == ()


async def test_a_person_who_is_forgotten_knows_nothing(store: Store) -> None:
    await tell(store, "slo", readers=[*READERS[1:], short_hash(ANA)])
    assert await store.notes.many_know(CHANNEL) == ("slo",)
    await store.people.forget(ANA)
    assert await store.notes.many_know(CHANNEL) == ()
