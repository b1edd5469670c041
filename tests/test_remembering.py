"""Each change arrives at its port. What commands want remembered is in their own tests; all of it: test_changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.changes import Change, CountMiss, CountOpened, KeepOnly, KnownHere, Release, SetMuted, SettleWrong
from bot.errors import StoreError
from bot.request import Place, Request
from bot.state.memory import MemoryStore
from bot.state.ports import MANY, Limits
from bot.state.remembering import MAY_BE_LOST, RESTS_AFTER, remember
from tests.stores import ANA, CHANNEL, NOW, OTHER_CHANNEL, THREAD, note

REQUEST = Request(ANA, THREAD, "define", today=NOW.date())


async def settled(store: MemoryStore, *threads: str | None, label: str = "psi", channel: Place = CHANNEL) -> None:
    for thread in threads:
        place = Place(channel.platform, channel.tenant, channel.channel, thread)
        await remember(SettleWrong("psi", label), Request(ANA, place, "note-wrong"), store, NOW)


@pytest.mark.parametrize(("times", "rests"), [(1, False), (2, False), (3, True), (4, True)])
async def test_a_label_rests_after_three_times(times: int, rests: bool) -> None:
    store = MemoryStore()
    await settled(store, *(f"{number}.1" for number in range(times)))
    assert ("psi" in (await store.channels.get(CHANNEL)).resting) == rests
    assert RESTS_AFTER == 3


async def test_other_labels_and_channels_are_counted_apart() -> None:
    store = MemoryStore()
    await settled(store, "1.1", "2.1")
    await settled(store, "3.1", label="ks")
    await settled(store, "1.1", channel=OTHER_CHANNEL)
    assert (await store.channels.get(CHANNEL)).resting == frozenset()
    await settled(store, "4.1")
    assert (await store.channels.get(CHANNEL)).resting == {"psi"}
    assert (await store.channels.get(OTHER_CHANNEL)).resting == frozenset()


async def test_a_release_begins_anew() -> None:
    store = MemoryStore()
    await settled(store, "1.1", "2.1", "3.1")
    await remember(Release("psi"), REQUEST, store, NOW)
    await settled(store, "4.1", "5.1")
    assert (await store.channels.get(CHANNEL)).resting == frozenset()
    await settled(store, "6.1")
    assert (await store.channels.get(CHANNEL)).resting == {"psi"}


async def test_a_note_is_cut_and_its_presses_are_counted() -> None:
    store = MemoryStore()
    assert await store.notes.claim(THREAD, note("m1", "slo", "sla"), Limits(), NOW)
    await remember(CountOpened("m1"), REQUEST, store, NOW)
    await remember(KeepOnly("m1", ("sla",)), REQUEST, store, NOW)
    kept = await store.notes.find(THREAD, message="m1")
    assert kept is not None
    assert [concept for concept, _ in kept.terms] == ["sla"]
    assert (await store.notes.figures(CHANNEL, NOW)).opened == 1


@pytest.mark.parametrize("change", [SetMuted(True), CountMiss("goodput"), Release("psi"), KeepOnly("m1", ())], ids=str)
async def test_a_store_that_is_away_says_so(change: Change) -> None:
    store = MemoryStore()
    store.away = True
    with pytest.raises(StoreError):
        await remember(change, REQUEST, store, NOW)


def test_only_counts_may_be_lost() -> None:
    assert (CountMiss, CountOpened, KnownHere) == MAY_BE_LOST


async def test_what_readers_know_counts_for_the_channel_until_they_take_it_back() -> None:
    store = MemoryStore()
    requests = [replace(REQUEST, person=replace(ANA, id=f"u{number}")) for number in range(MANY)]
    for request in requests:
        await remember(KnownHere(("slo", "ttft"), True), request, store, NOW)
    await remember(KnownHere(("ttft",), False), requests[0], store, NOW)
    assert await store.notes.many_know(CHANNEL) == ("slo",)
