"""What every store has to do about the settings of channels."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.answer import Shown
from bot.request import Person, Place
from bot.state.ports import Channel, Limits, Mode, Store
from tests.stores import ANA, BO, CHANNEL, KINDS, NOW, OTHER_CHANNEL, OTHER_PLATFORM, THREAD, note, opened

SET = Channel("threads", "zh-Hans", True, "Ana", NOW)


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


async def test_where_nobody_set_anything_the_defaults_hold(store: Store) -> None:
    assert await store.channels.get(CHANNEL) == Channel("off", None, False, "", None, frozenset(), frozenset())


@pytest.mark.parametrize("mode", ["off", "threads", "all"])
@pytest.mark.parametrize("language", ["en", "zh-Hans", "both", None])
@pytest.mark.parametrize("advanced", [True, False])
async def test_the_last_setting_counts(store: Store, mode: Mode, language: Shown | None, advanced: bool) -> None:
    await store.channels.set(CHANNEL, Channel("all", "both", True, "Ana", NOW), ANA)
    later = Channel(mode, language, advanced, "Bo 李", NOW + timedelta(days=1))
    await store.channels.set(CHANNEL, later, ANA)
    assert await store.channels.get(CHANNEL) == later


@pytest.mark.parametrize(
    ("place", "same"),
    [
        pytest.param(THREAD, True, id="thread"),
        pytest.param(Place("slack", "T2", "C1"), True, id="tenant"),
        pytest.param(OTHER_CHANNEL, False, id="channel"),
        pytest.param(OTHER_PLATFORM, False, id="platform"),
    ],
)
async def test_a_row_per_platform_and_channel(store: Store, place: Place, same: bool) -> None:
    await store.channels.set(CHANNEL, SET, ANA)
    await store.channels.set_never(CHANNEL, "slo", True)
    await store.channels.rest(CHANNEL, "psi")
    everything = replace(SET, never=frozenset({"slo"}), resting=frozenset({"psi"}))
    assert await store.channels.get(place) == (everything if same else Channel())


async def test_what_is_set_in_a_thread_holds_in_its_channel(store: Store) -> None:
    await store.channels.set(THREAD, SET, ANA)
    assert await store.channels.get(CHANNEL) == SET


async def test_times_come_back_in_utc(store: Store) -> None:
    set_at = datetime(2026, 12, 1, 3, 30, 0, 123456, tzinfo=timezone(timedelta(hours=8)))
    await store.channels.set(CHANNEL, Channel(set_at=set_at), ANA)
    read = (await store.channels.get(CHANNEL)).set_at
    assert read is not None
    assert read.isoformat() == "2026-11-30T19:30:00.123456+00:00"
    assert read.tzinfo == UTC


async def test_set_leaves_never_and_resting_alone(store: Store) -> None:
    await store.channels.set_never(CHANNEL, "slo", True)
    await store.channels.rest(CHANNEL, "psi")
    await store.channels.set(CHANNEL, replace(SET, never=frozenset({"x"}), resting=frozenset({"y"})), ANA)
    expected = replace(SET, never=frozenset({"slo"}), resting=frozenset({"psi"}))
    assert await store.channels.get(CHANNEL) == expected
    await store.channels.set(CHANNEL, SET, ANA)
    assert await store.channels.get(CHANNEL) == expected


async def test_never_and_resting_leave_the_rest_alone(store: Store) -> None:
    await store.channels.set(CHANNEL, SET, ANA)
    await store.channels.set_never(CHANNEL, "slo", True)
    await store.channels.rest(CHANNEL, "psi")
    await store.channels.set_never(CHANNEL, "slo", False)
    await store.channels.release(CHANNEL, "psi")
    assert await store.channels.get(CHANNEL) == SET


async def test_never_takes_and_gives_back_one_concept_at_a_time(store: Store) -> None:
    for concept in ("slo", "sla", "slo"):
        await store.channels.set_never(THREAD, concept, True)
    assert (await store.channels.get(CHANNEL)).never == {"slo", "sla"}
    for concept in ("slo", "slo", "unknown"):
        await store.channels.set_never(CHANNEL, concept, False)
    assert await store.channels.get(CHANNEL) == Channel(never=frozenset({"sla"}))


async def test_labels_rest_until_they_are_released(store: Store) -> None:
    for label in ("psi", "推理", "psi"):
        await store.channels.rest(THREAD, label)
    assert (await store.channels.get(CHANNEL)).resting == {"psi", "推理"}
    for label in ("psi", "psi", "unknown"):
        await store.channels.release(CHANNEL, label)
    assert await store.channels.get(CHANNEL) == Channel(resting=frozenset({"推理"}))


async def test_a_concept_and_a_label_of_one_name_are_two(store: Store) -> None:
    await store.channels.set_never(CHANNEL, "psi", True)
    await store.channels.rest(CHANNEL, "psi")
    await store.channels.set_never(CHANNEL, "psi", False)
    assert await store.channels.get(CHANNEL) == Channel(resting=frozenset({"psi"}))
    await store.channels.set_never(CHANNEL, "psi", True)
    await store.channels.release(CHANNEL, "psi")
    assert await store.channels.get(CHANNEL) == Channel(never=frozenset({"psi"}))


async def test_a_release_forgets_how_often_the_label_was_marked_wrong_here(store: Store) -> None:
    for place in (CHANNEL, THREAD, OTHER_CHANNEL, OTHER_PLATFORM):
        await store.notes.settle_wrong(place, "psi", "psi-drift", NOW)
    await store.notes.settle_wrong(CHANNEL, "drift", "data-drift", NOW)
    await store.channels.release(THREAD, "psi")  # of its channel: that it doesn't rest is no error
    counts = [
        await store.notes.settle_wrong(CHANNEL, "psi", "psi-drift", NOW),
        await store.notes.settle_wrong(OTHER_CHANNEL, "psi", "psi-drift", NOW),
        await store.notes.settle_wrong(OTHER_PLATFORM, "psi", "psi-drift", NOW),
        await store.notes.settle_wrong(CHANNEL, "drift", "data-drift", NOW),
    ]
    assert counts == [1, 2, 2, 2]


async def test_a_release_leaves_threads_silent_and_figures_as_they_are(store: Store) -> None:
    await store.notes.settle_wrong(THREAD, "slo label", "slo", NOW)
    await store.channels.release(CHANNEL, "slo label")
    assert await store.notes.claim(THREAD, note("m1", "slo"), Limits(), NOW) is None
    assert (await store.notes.figures(CHANNEL, NOW)).wrong == 1


@pytest.mark.parametrize("mode", ["threads", "all"])
async def test_channels_with_notes_are_listed_by_id(store: Store, mode: Mode) -> None:
    channel = replace(SET, mode=mode)
    for name in ("b", "a", "Z", "频道"):
        await store.channels.set(Place("discord", "G1", name, "thread"), channel, BO)
    await store.channels.set(Place("discord", "G1", "off"), replace(channel, mode="off"), BO)
    await store.channels.set(Place("discord", "G2", "elsewhere"), channel, BO)
    await store.channels.set(Place("slack", "G1", "elsewhere"), channel, ANA)
    await store.channels.rest(Place("discord", "G1", "never set"), "psi")
    for concept in ("slo", "sla"):
        await store.channels.set_never(Place("discord", "G1", "a"), concept, True)
    await store.channels.rest(Place("discord", "G1", "a"), "psi")
    assert await store.channels.listed("discord", "G1") == (
        ("Z", channel),
        ("a", replace(channel, never=frozenset({"slo", "sla"}), resting=frozenset({"psi"}))),
        ("b", channel),
        ("频道", channel),
    )
    assert await store.channels.listed("discord", "G3") == ()


async def test_a_channel_is_listed_where_it_was_set_last(store: Store) -> None:
    await store.channels.set_never(Place("slack", "T0", "C1"), "slo", True)
    await store.channels.set(Place("slack", "T1", "C1"), SET, ANA)
    await store.channels.set(Place("slack", "T2", "C1"), SET, ANA)
    await store.channels.set_never(Place("slack", "T3", "C1"), "slo", False)
    await store.channels.rest(Place("slack", "T3", "C1"), "psi")
    listed = {tenant: await store.channels.listed("slack", tenant) for tenant in ("T0", "T1", "T2", "T3")}
    here = (("C1", replace(SET, resting=frozenset({"psi"}))),)
    assert listed == {"T0": (), "T1": (), "T2": here, "T3": ()}


async def test_forget_takes_the_name_and_leaves_the_settings(store: Store) -> None:
    await store.channels.set(CHANNEL, SET, ANA)
    await store.channels.set_never(CHANNEL, "slo", True)
    await store.channels.set(OTHER_CHANNEL, replace(SET, set_by="Bo"), BO)
    await store.people.forget(ANA)
    assert await store.channels.get(CHANNEL) == replace(SET, set_by="", never=frozenset({"slo"}))
    assert await store.channels.get(OTHER_CHANNEL) == replace(SET, set_by="Bo")
    await store.channels.set(CHANNEL, SET, ANA)
    assert (await store.channels.get(CHANNEL)).set_by == "Ana"


@pytest.mark.parametrize(
    "other",
    [Person("discord", "T1", "U1"), Person("slack", "T2", "U1"), Person("slack", "T1", "U2")],
    ids=["platform", "home", "id"],
)
async def test_forget_leaves_the_names_of_others(store: Store, other: Person) -> None:
    await store.channels.set(CHANNEL, SET, ANA)
    await store.people.forget(other)
    assert await store.channels.get(CHANNEL) == SET


async def test_forget_leaves_the_name_of_who_set_it_after_them(store: Store) -> None:
    await store.channels.set(CHANNEL, SET, ANA)
    await store.channels.set(CHANNEL, replace(SET, set_by="Bo"), BO)
    await store.people.forget(ANA)
    assert (await store.channels.get(CHANNEL)).set_by == "Bo"
