"""What a chat at the terminal remembers: people for good, its channels until it ends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.terminal.store import ChatStore
from bot.request import Person, Place
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Limits, Note, Profile

LENA = Person("terminal", "", "lena")
HERE = Place("terminal", "", "terminal")
THREAD = Place("terminal", "", "terminal", "t1")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NOTE = Note("m1", "abcde", (("ttft", "ttft"),))


@pytest.fixture
def kept() -> MemoryStore:
    return MemoryStore()


@pytest.mark.parametrize("place", [HERE, THREAD], ids=["channel", "thread"])
async def test_notes_are_on_where_nobody_set_anything(kept: MemoryStore, place: Place) -> None:
    assert await ChatStore(kept).channels.get(place) == Channel(mode="all")


async def test_what_is_set_counts_until_the_end(kept: MemoryStore) -> None:
    store = ChatStore(kept)
    await store.channels.set(HERE, Channel(mode="off", language="zh-Hans", set_by="Lena", set_at=NOW), LENA)
    channel = await store.channels.get(THREAD)
    assert (channel.mode, channel.language, channel.set_by) == ("off", "zh-Hans", "Lena")
    assert await ChatStore(kept).channels.get(HERE) == Channel(mode="all")


async def test_what_never_counts_or_rests_leaves_notes_on(kept: MemoryStore) -> None:
    channels = ChatStore(kept).channels
    await channels.set_never(HERE, "ttft", True)
    await channels.set_never(HERE, "slo", True)
    await channels.set_never(HERE, "slo", False)
    await channels.rest(HERE, "slo")
    await channels.rest(HERE, "awq")
    await channels.release(HERE, "awq")
    assert await channels.get(HERE) == Channel(mode="all", never=frozenset({"ttft"}), resting=frozenset({"slo"}))


async def test_only_channels_that_somebody_switched_on_are_listed(kept: MemoryStore) -> None:
    channels = ChatStore(kept).channels
    await channels.get(HERE)
    assert await channels.listed("terminal", "") == ()
    await channels.set(HERE, Channel(mode="threads"), LENA)
    assert [name for name, _ in await channels.listed("terminal", "")] == ["terminal"]


async def test_nothing_of_a_channel_reaches_the_other_store(kept: MemoryStore) -> None:
    store = ChatStore(kept)
    await store.channels.set(HERE, Channel(mode="threads"), LENA)
    assert await store.notes.claim(HERE, NOTE, Limits(), NOW) == NOTE
    assert await store.handled.claim(HERE, "m1", NOW)
    assert await kept.channels.get(HERE) == Channel()
    assert await kept.notes.find(HERE, message="m1") is None
    assert await kept.handled.claim(HERE, "m1", NOW)
    assert await ChatStore(kept).notes.claim(HERE, NOTE, Limits(), NOW) == NOTE


async def test_people_and_misses_are_kept(kept: MemoryStore) -> None:
    store = ChatStore(kept)
    await store.people.set_language(LENA, "zh-Hans")
    await store.misses.count("goodput", NOW.date())
    assert await ChatStore(kept).people.get(LENA) == Profile("zh-Hans")
    assert [miss.text for miss in await kept.misses.top(5, at_least=1)] == ["goodput"]


async def test_closing_closes_the_other_store() -> None:
    class Closed(MemoryStore):
        times = 0

        async def close(self) -> None:
            self.times += 1

    kept = Closed()
    await ChatStore(kept).close()
    assert kept.times == 1
