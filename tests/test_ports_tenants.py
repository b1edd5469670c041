"""What every store has to do when a workspace or server removes the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.request import Person, Place
from bot.state.ports import Channel, Figures, Limits, Profile, Store
from tests.stores import ANA, BO, CHANNEL, KINDS, NOW, OTHER_CHANNEL, OTHER_PLATFORM, THREAD, note, opened

OF_T2 = Place("slack", "T2", "C9")
CY = Person("slack", "T2", "U2")
LIMITS = Limits()


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


async def fill(store: Store, place: Place) -> None:
    """One row of everything about a channel, in a thread of it and in the channel itself."""
    for number, here in enumerate((place, replace(place, thread="100.1"))):
        await store.notes.claim(here, note(f"m{number}", f"slo{number}"), LIMITS, NOW)
        await store.notes.posted(here, f"m{number}", f"r{number}")
        await store.notes.saw(here, ["sla"], NOW)
        await store.notes.opened(here, f"m{number}", NOW)
        await store.notes.mark_wrong(here, f"m{number}", f"slo{number}", "voter", NOW)
        await store.notes.settle_wrong(here, "gil", "gil", NOW)
        await store.handled.claim(here, f"h{number}", NOW)
        await store.handled.replied(here, f"h{number}", "r")
    for reader in ("a", "b", "c"):
        await store.notes.knows(place, ["ttft"], reader, NOW)


async def left(store: Store, place: Place) -> dict[str, object]:
    thread = replace(place, thread="100.1")
    return {
        "channel": await store.channels.get(place),
        "notes": [await store.notes.find(place, message=message) for message in ("m0", "m1")],
        "figures": await store.notes.figures(place, NOW),
        "known": await store.notes.many_know(place),
        "replies": [await store.handled.reply_to(place, message) for message in ("h0", "h1")],
        "explained": await store.notes.claim(thread, note("new", "slo0", "sla", "fresh"), LIMITS, NOW),
        "votes": await store.notes.mark_wrong(thread, "new", "fresh", "voter", NOW),
        "wrong": await store.notes.settle_wrong(place, "gil", "gil", NOW),
    }


@pytest.mark.parametrize("is_set", [True, False], ids=["a-channel-that-was-set", "one-that-nobody-set"])
async def test_everything_about_its_channels_goes(store: Store, is_set: bool) -> None:
    if is_set:
        await store.channels.set(CHANNEL, Channel("all", set_by="Ana", set_at=NOW), ANA)
        await store.channels.set_never(CHANNEL, "slo", True)
        await store.channels.rest(CHANNEL, "gil")
    await fill(store, CHANNEL)
    await store.forget_tenant("slack", "T1")
    assert await store.channels.listed("slack", "T1") == ()
    assert await left(store, CHANNEL) == {
        "channel": Channel(),
        "notes": [None, None],
        "figures": Figures(),
        "known": (),
        "replies": [None, None],
        "explained": note("new", "slo0", "sla", "fresh"),
        "votes": 1,
        "wrong": 1,
    }


@pytest.mark.parametrize("place", [OF_T2, OTHER_PLATFORM], ids=["another-tenant", "the-same-name-elsewhere"])
async def test_what_belongs_to_others_stays(store: Store, place: Place) -> None:
    by = replace(CY, platform=place.platform)
    await store.channels.set(place, Channel("all", set_by="Cy", set_at=NOW), by)
    await store.channels.rest(place, "gil")
    await fill(store, place)
    await store.people.know(by, ["slo"])
    await store.misses.count("goodput", NOW.date())
    await store.forget_tenant("slack", "T1")
    remains = await left(store, place)
    assert remains["channel"] == Channel("all", set_by="Cy", set_at=NOW, resting=frozenset({"gil"}))
    assert remains["notes"] == [
        replace(note("m0", "slo0"), reply="r0"),
        replace(note("m1", "slo1"), reply="r1"),
    ]
    assert remains["figures"] == Figures(notes=2, opened=2, wrong=2)
    assert remains["known"] == ("ttft",)
    assert remains["replies"] == ["r", "r"]
    assert remains["explained"] == note("new", "fresh")
    assert remains["wrong"] == 3
    assert await store.people.get(by) == Profile(known=frozenset({"slo"}))
    assert [miss.text for miss in await store.misses.top(9, at_least=1)] == ["goodput"]


async def test_people_whose_home_it_is_go_too(store: Store) -> None:
    for person in (ANA, BO, CY):
        await store.people.set_language(person, "en")
        await store.people.know(person, ["slo"])
    await store.forget_tenant("slack", "T1")
    kept = Profile("en", False, frozenset({"slo"}))
    assert [await store.people.get(person) for person in (ANA, BO, CY)] == [Profile(), kept, kept]


async def test_what_they_set_for_channels_of_others_stays_without_their_name(store: Store) -> None:
    """A channel that two workspaces share."""
    await store.channels.set(OF_T2, Channel("threads", set_by="Ana", set_at=NOW), ANA)
    await store.channels.set(replace(OF_T2, channel="C8"), Channel("all", set_by="Cy", set_at=NOW), CY)
    await store.forget_tenant("slack", "T1")
    assert await store.channels.get(OF_T2) == Channel("threads", set_by="", set_at=NOW)
    assert (await store.channels.get(replace(OF_T2, channel="C8"))).set_by == "Cy"


async def test_it_can_come_back(store: Store) -> None:
    await fill(store, CHANNEL)
    await store.forget_tenant("slack", "T1")
    await store.forget_tenant("slack", "T1")
    assert await store.handled.claim(CHANNEL, "h0", NOW)
    assert await store.notes.claim(THREAD, note("m0", "slo0"), LIMITS, NOW) == note("m0", "slo0")
    await store.channels.set(OTHER_CHANNEL, Channel("all"), ANA)
    assert [name for name, _ in await store.channels.listed("slack", "T1")] == ["C2"]


async def test_places_without_a_tenant_are_not_one_tenant(store: Store) -> None:
    await store.people.set_language(BO, "en")
    with pytest.raises(ValueError, match="no tenant"):
        await store.forget_tenant("discord", "")
    assert await store.people.get(BO) == Profile("en")
