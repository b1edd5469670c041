"""What every store has to do about counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.state.counters import Asked, MarkedWrong, Unasked, counted
from bot.state.ports import KEPT, Limits, Miss, Store
from tests.stores import ANA, CHANNEL, KINDS, NOW, OTHER_CHANNEL, OTHER_PLATFORM, OTHER_THREAD, THREAD, note, opened

DAY = NOW.date()
NEXT_DAY = DAY + timedelta(days=1)
SLO = Asked("slack", "T1", "C1", "slo", "en", "definition")
OTHERS = [
    replace(SLO, platform="discord"),
    replace(SLO, tenant="T2"),
    replace(SLO, channel=""),
    replace(SLO, concept="sla"),
    replace(SLO, language="both"),
    replace(SLO, outcome="comparison"),
]


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


async def test_nothing_was_asked(store: Store) -> None:
    await store.counters.add({}, DAY)
    assert await store.counters.asked(date.min) == {}
    assert await store.counters.wrong(NOW - KEPT) == {}
    assert await store.counters.unasked(NOW - KEPT) == ()


async def test_counts_add_up(store: Store) -> None:
    await store.counters.add({SLO: 2, OTHERS[0]: 1}, DAY)
    await store.counters.add({SLO: 3}, DAY)
    await store.counters.add({SLO: 4}, NEXT_DAY)
    assert await store.counters.asked(DAY) == {SLO: 9, OTHERS[0]: 1}
    assert await store.counters.asked(NEXT_DAY) == {SLO: 4}


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: "-".join(vars_of(other)))
async def test_what_differs_in_one_thing_is_counted_apart(store: Store, other: Asked) -> None:
    await store.counters.add({SLO: 1, other: 2}, DAY)
    await store.counters.add({other: 3}, DAY)
    assert await store.counters.asked(DAY) == {SLO: 1, other: 5}


def vars_of(asked: Asked) -> list[str]:
    return [asked.platform, asked.tenant, asked.channel or "private", asked.concept, asked.language, asked.outcome]


async def test_no_count_is_lost_between_tasks(store: Store) -> None:
    many = {replace(SLO, concept=f"c{number}"): 1 for number in range(20)}
    backwards = dict(reversed(many.items()))
    await asyncio.gather(*(store.counters.add(counts, DAY) for counts in (many, backwards) * 10))
    assert set((await store.counters.asked(DAY)).values()) == {20}


async def test_what_is_too_old_ends(store: Store) -> None:
    await store.counters.add({SLO: 1}, DAY)
    await store.counters.prune(DAY + KEPT)
    assert await store.counters.asked(DAY) == {SLO: 1}
    await store.counters.prune(DAY + KEPT + timedelta(days=1))
    assert await store.counters.asked(DAY) == {}


async def test_it_goes_with_its_tenant(store: Store) -> None:
    await store.counters.add({SLO: 1} | dict.fromkeys(OTHERS, 1), DAY)
    await store.forget_tenant("slack", "T1")
    assert await store.counters.asked(DAY) == {replace(SLO, platform="discord"): 1, replace(SLO, tenant="T2"): 1}


async def test_a_person_who_is_forgotten_changes_no_count(store: Store) -> None:
    await store.counters.add({SLO: 1}, DAY)
    await store.people.forget(ANA)
    assert await store.counters.asked(DAY) == {SLO: 1}


async def test_labels_that_were_marked_wrong(store: Store) -> None:
    for place in (THREAD, OTHER_THREAD, CHANNEL):
        await store.notes.settle_wrong(place, "canary", "canary-release", NOW)
    await store.notes.settle_wrong(OTHER_PLATFORM, "canary", "canary-release", NOW)
    await store.notes.settle_wrong(THREAD, "gil", "gil", NOW - timedelta(seconds=1))
    await store.channels.release(CHANNEL, "canary")  # it was wrong all the same
    assert await store.counters.wrong(NOW) == {
        MarkedWrong("slack", "C1", "canary", "canary-release"): 3,
        MarkedWrong("discord", "C1", "canary", "canary-release"): 1,
    }


async def test_notes_that_were_posted_and_opened(store: Store) -> None:
    for place, message, at in (
        (CHANNEL, "m1", NOW),
        (THREAD, "m2", NOW),
        (OTHER_CHANNEL, "m3", NOW),
        (OTHER_PLATFORM, "m4", NOW),
        (CHANNEL, "m0", NOW - timedelta(seconds=1)),
    ):
        await store.notes.claim(place, note(message, message), Limits(), at)
        if message != "m3":
            await store.notes.posted(place, message, f"r{message}")
    for message in ("m1", "m1", "m2"):
        await store.notes.opened(CHANNEL, message, NOW)
    await store.notes.opened(OTHER_CHANNEL, "m3", NOW)  # of a note of which nobody said that it's posted
    assert await store.counters.unasked(NOW) == (
        Unasked("discord", "C1", 1, 0),
        Unasked("slack", "C1", 2, 3),
        Unasked("slack", "C2", 0, 1),
    )


async def test_all_that_a_report_is_made_of(store: Store) -> None:
    today = NOW.date()
    for back, times in ((0, 1), (6, 10), (7, 100)):
        await store.counters.add({SLO: times}, today - timedelta(days=back))
        await store.notes.settle_wrong(CHANNEL, f"{back} days ago", "slo", NOW - timedelta(days=back))
        for _ in range(2):
            await store.misses.count(f"{back} days ago", today - timedelta(days=back))
    await store.misses.count("only once", today)
    week = await counted(store, 7, NOW)
    assert week.days == 7
    assert week.asked == {SLO: 11}
    assert {wrong.label for wrong in week.wrong} == {"0 days ago", "6 days ago"}
    assert week.misses == (Miss("0 days ago", 2, today), Miss("6 days ago", 2, today - timedelta(days=6)))
    assert week.unasked == ()
