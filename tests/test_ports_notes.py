"""What every store has to do about unasked notes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.request import Place, short_hash
from bot.state.ports import FIGURES_OF, HOUR, KEPT, Figures, Limits, Note, Store
from tests.stores import (
    ANA,
    BO,
    CHANNEL,
    KINDS,
    MOMENT,
    NOW,
    OTHER_CHANNEL,
    OTHER_PLATFORM,
    OTHER_THREAD,
    THREAD,
    note,
    opened,
)

MANY = Limits(per_message=99, per_thread=99, per_hour=99)
WEEK = MANY.again_after
ELSEWHERE = [
    pytest.param(OTHER_CHANNEL, id="channel"),
    pytest.param(OTHER_PLATFORM, id="platform"),
    pytest.param(replace(OTHER_CHANNEL, thread=THREAD.thread), id="channel-same-thread"),
]


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


async def shown(store: Store, place: Place, message: str, *concepts: str, now: datetime = NOW) -> tuple[str, ...]:
    """Which concepts a note may show, if the budgets are large."""
    claimed = await store.notes.claim(place, note(message, *concepts), MANY, now)
    return tuple(concept for concept, _ in claimed.terms) if claimed else ()


# -- What is explained, and when again ----------------------------------------------------------------------------


async def test_a_claimed_note_comes_back_and_is_found(store: Store) -> None:
    wanted = Note("m1", "ana00", (("slo", "slo"), ("kv-cache", "kv 缓存"), ("sla", "service level agreement")))
    assert await store.notes.claim(THREAD, wanted, MANY, NOW) == wanted
    assert await store.notes.find(THREAD, message="m1") == wanted


@pytest.mark.parametrize(
    ("before", "after", "wait", "free"),
    [
        pytest.param(THREAD, THREAD, WEEK * 2, False, id="a-thread-never-again"),
        pytest.param(THREAD, OTHER_THREAD, WEEK - MOMENT, False, id="another-thread-too-soon"),
        pytest.param(THREAD, OTHER_THREAD, WEEK, True, id="another-thread-after-a-week"),
        pytest.param(THREAD, CHANNEL, WEEK - MOMENT, False, id="from-a-thread-to-its-channel-too-soon"),
        pytest.param(THREAD, CHANNEL, WEEK, True, id="from-a-thread-to-its-channel"),
        pytest.param(CHANNEL, THREAD, WEEK - MOMENT, False, id="from-the-channel-to-a-thread-too-soon"),
        pytest.param(CHANNEL, THREAD, WEEK, True, id="from-the-channel-to-a-thread"),
        pytest.param(CHANNEL, CHANNEL, WEEK - MOMENT, False, id="the-channel-too-soon"),
        pytest.param(CHANNEL, CHANNEL, WEEK, True, id="the-channel-is-no-thread"),
        pytest.param(CHANNEL, OTHER_CHANNEL, timedelta(0), True, id="another-channel"),
        pytest.param(CHANNEL, OTHER_PLATFORM, timedelta(0), True, id="another-platform"),
        pytest.param(
            THREAD, replace(OTHER_CHANNEL, thread=THREAD.thread), timedelta(0), True, id="a-thread-by-channel"
        ),
        pytest.param(CHANNEL, replace(CHANNEL, tenant="T2"), timedelta(0), False, id="whatever-the-tenant"),
    ],
)
@pytest.mark.parametrize("how", ["claim", "saw"])
async def test_once_per_thread_and_once_a_week_per_channel(
    store: Store, how: str, before: Place, after: Place, wait: timedelta, free: bool
) -> None:
    if how == "claim":
        assert await shown(store, before, "m1", "slo", now=NOW) == ("slo",)
    else:
        await store.notes.saw(before, ["slo"], NOW)
    assert await shown(store, after, "m2", "slo", "new", now=NOW + wait) == (("slo", "new") if free else ("new",))


async def test_how_soon_again_is_a_setting(store: Store) -> None:
    daily = replace(MANY, again_after=timedelta(days=1))
    await store.notes.saw(CHANNEL, ["slo"], NOW)
    assert await store.notes.claim(CHANNEL, note("m1"), daily, NOW + timedelta(days=1) - MOMENT) is None
    assert await store.notes.claim(CHANNEL, note("m1"), daily, NOW + timedelta(days=1)) is not None


async def test_times_of_other_zones_are_understood(store: Store) -> None:
    east = timezone(timedelta(hours=8))
    await store.notes.saw(CHANNEL, ["slo"], NOW.astimezone(east))
    assert await shown(store, CHANNEL, "m1", "slo", now=(NOW + WEEK - MOMENT).astimezone(east)) == ()
    assert await shown(store, CHANNEL, "m1", "slo", now=NOW + WEEK) == ("slo",)


async def test_the_last_time_that_people_saw_it_counts(store: Store) -> None:
    await store.notes.saw(CHANNEL, ["slo"], NOW)
    await store.notes.saw(CHANNEL, ["slo", "sla", "slo"], NOW + timedelta(days=3))
    await store.notes.saw(CHANNEL, ["slo"], NOW - timedelta(days=3))  # a replica that was late
    await store.notes.saw(CHANNEL, [], NOW + timedelta(days=9))
    assert await shown(store, CHANNEL, "m1", "slo", "sla", now=NOW + timedelta(days=3) + WEEK - MOMENT) == ()
    assert await shown(store, CHANNEL, "m1", "slo", "sla", now=NOW + timedelta(days=3) + WEEK) == ("slo", "sla")


async def test_what_goes_out_makes_room_for_the_next(store: Store) -> None:
    await store.notes.saw(THREAD, ["seen"], NOW)
    await store.notes.settle_wrong(THREAD, "wrong label", "wrong", NOW)
    wanted = note("m1", "seen", "a", "wrong", "b", "c", "d")
    claimed = await store.notes.claim(THREAD, wanted, Limits(per_message=3), NOW)
    assert claimed == replace(wanted, terms=(("a", "a label"), ("b", "b label"), ("c", "c label")))
    assert await store.notes.find(THREAD, message="m1") == claimed
    assert await shown(store, THREAD, "m2", "d", "c") == ("d",)  # what was cut isn't explained


async def test_each_concept_once_in_a_note(store: Store) -> None:
    terms = (("slo", "slo"), ("sla", "sla"), ("slo", "service level objective"))
    claimed = await store.notes.claim(THREAD, Note("m1", "ana00", terms), MANY, NOW)
    assert claimed is not None
    assert claimed.terms == terms[:2]
    await store.notes.settle_wrong(OTHER_THREAD, "psi", "psi-drift", NOW)
    labels = (("psi-drift", "psi"), ("psi-drift", "population stability index"))
    claimed = await store.notes.claim(OTHER_THREAD, Note("m2", "ana00", labels), MANY, NOW)
    assert claimed is not None
    assert claimed.terms == labels[1:]  # the first label is silent, the second isn't


# -- Nothing is kept ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wanted",
    [note("m2", "seen", "seen"), Note("m2", "ana00", ()), Note("m2", "ana00", (("fresh", "wrong"),))],
    ids=["seen", "none", "wrong"],
)
async def test_no_term_is_left(store: Store, wanted: Note) -> None:
    await store.notes.saw(THREAD, ["seen"], NOW)
    await store.notes.settle_wrong(THREAD, "wrong", "other", NOW)
    assert await store.notes.claim(THREAD, wanted, MANY, NOW) is None
    assert await store.notes.find(THREAD, message="m2") is None
    assert await shown(store, THREAD, "m2", "fresh") == ("fresh",)


async def test_no_concept_per_message_is_no_note(store: Store) -> None:
    assert await store.notes.claim(THREAD, note("m1"), Limits(per_message=0), NOW) is None
    assert await shown(store, THREAD, "m1", "slo") == ("slo",)


async def test_a_message_has_one_note(store: Store) -> None:
    first = await store.notes.claim(THREAD, note("m1", "slo"), MANY, NOW)
    for place in (THREAD, CHANNEL, OTHER_THREAD):  # its id is unique in the channel
        assert await store.notes.claim(place, note("m1", "sla"), MANY, NOW) is None
    assert await store.notes.find(THREAD, message="m1") == first
    assert await shown(store, THREAD, "m2", "sla") == ("sla",)  # it wasn't explained


@pytest.mark.parametrize("place", ELSEWHERE)
async def test_the_same_id_elsewhere_is_another_message(store: Store, place: Place) -> None:
    await store.notes.claim(THREAD, note("m1", "slo"), MANY, NOW)
    assert await shown(store, place, "m1", "slo") == ("slo",)


async def test_a_message_whose_note_is_gone_gets_no_other(store: Store) -> None:
    await store.notes.claim(THREAD, note("m1", "slo"), MANY, NOW)
    await store.notes.keep_only(THREAD, "m1", [])
    assert await shown(store, THREAD, "m1", "sla") == ()


async def claims(store: Store, limits: Limits, *steps: tuple[Place, timedelta]) -> list[bool]:
    """Claims with a concept of its own each; whether each got a note."""
    return [
        await store.notes.claim(place, note(f"m{number}", f"concept-{number}"), limits, NOW + after) is not None
        for number, (place, after) in enumerate(steps)
    ]


SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("limits", "steps", "expected"),
    [
        pytest.param(
            Limits(per_thread=2, per_hour=99),
            [(THREAD, HOUR * n * 30) for n in range(4)],
            [1, 1, 0, 0],
            id="a-thread-ever",
        ),
        pytest.param(
            Limits(per_thread=1, per_hour=99),
            [
                (THREAD, SECOND),
                (THREAD, SECOND),
                (OTHER_THREAD, SECOND),
                (replace(OTHER_CHANNEL, thread="100.1"), SECOND),
            ],
            [1, 0, 1, 1],
            id="threads-each-by-itself",
        ),
        pytest.param(
            Limits(per_thread=1, per_hour=99), [(CHANNEL, SECOND)] * 3, [1, 1, 1], id="the-channel-itself-is-no-thread"
        ),
        pytest.param(
            Limits(per_hour=2),
            [(CHANNEL, SECOND * 0), (CHANNEL, SECOND), (CHANNEL, HOUR - MOMENT), (CHANNEL, HOUR), (CHANNEL, HOUR)],
            [1, 1, 0, 1, 0],
            id="any-60-minutes",
        ),
        pytest.param(
            Limits(per_hour=3),
            [(CHANNEL, SECOND), (THREAD, SECOND), (OTHER_THREAD, SECOND), (CHANNEL, SECOND), (THREAD, SECOND)],
            [1, 1, 1, 0, 0],
            id="threads-count-for-their-channel",
        ),
        pytest.param(
            Limits(per_hour=1),
            [(CHANNEL, SECOND), (OTHER_CHANNEL, SECOND), (OTHER_PLATFORM, SECOND), (CHANNEL, SECOND)],
            [1, 1, 1, 0],
            id="channels-each-by-itself",
        ),
        pytest.param(Limits(per_thread=0), [(THREAD, SECOND), (CHANNEL, SECOND)], [0, 1], id="none-in-threads"),
        pytest.param(Limits(per_hour=0), [(THREAD, SECOND), (CHANNEL, SECOND)], [0, 0], id="none-at-all"),
    ],
)
async def test_budgets(store: Store, limits: Limits, steps: list[tuple[Place, timedelta]], expected: list[int]) -> None:
    assert await claims(store, limits, *steps) == [bool(got) for got in expected]


async def test_the_usual_limits() -> None:
    assert Limits() == Limits(per_message=3, per_thread=3, per_hour=6, again_after=timedelta(days=7))


async def test_what_a_budget_stopped_is_not_remembered(store: Store) -> None:
    limits = Limits(per_hour=1)
    await store.notes.claim(CHANNEL, note("m1", "slo"), limits, NOW)
    assert await store.notes.claim(THREAD, note("m2", "sla"), limits, NOW) is None
    assert await store.notes.find(THREAD, message="m2") is None
    assert await shown(store, THREAD, "m3", "sla") == ("sla",)


async def test_a_note_that_is_gone_counts_for_the_budgets(store: Store) -> None:
    limits = Limits(per_thread=1)
    await store.notes.claim(THREAD, note("m1", "slo"), limits, NOW)
    assert await store.notes.keep_only(THREAD, "m1", []) is None
    assert await store.notes.claim(THREAD, note("m2", "sla"), limits, NOW) is None
    assert await store.notes.claim(CHANNEL, note("m2", "sla"), Limits(per_hour=1), NOW) is None


@pytest.mark.parametrize("limits", [Limits(per_hour=6, per_thread=99), Limits(per_thread=6, per_hour=99)])
async def test_tasks_that_race_stay_within_the_budget(store: Store, limits: Limits) -> None:
    wanted = [note(f"m{number}", f"concept-{number}") for number in range(30)]
    claimed = await asyncio.gather(*(store.notes.claim(THREAD, one, limits, NOW) for one in wanted))
    assert sum(one is not None for one in claimed) == 6


async def test_tasks_that_race_explain_a_concept_once(store: Store) -> None:
    wanted = [note(f"m{number}", "slo") for number in range(30)]
    claimed = await asyncio.gather(*(store.notes.claim(THREAD, one, MANY, NOW) for one in wanted))
    assert sum(one is not None for one in claimed) == 1


# -- The note on the platform -------------------------------------------------------------------------------------


async def test_a_posted_note_is_found_by_either_id(store: Store) -> None:
    claimed = await store.notes.claim(THREAD, note("m1"), MANY, NOW)
    assert claimed is not None
    await store.notes.posted(THREAD, "m1", "r1")
    posted = replace(claimed, reply="r1")
    assert await store.notes.find(CHANNEL, message="m1") == posted
    assert await store.notes.find(CHANNEL, reply="r1") == posted
    assert await store.notes.find(CHANNEL, message="m1", reply="another") == posted


async def test_what_is_not_there_is_not_found(store: Store) -> None:
    await store.notes.claim(THREAD, note("m1"), MANY, NOW)
    assert await store.notes.find(THREAD) is None
    assert await store.notes.find(THREAD, message="m2") is None
    assert await store.notes.find(THREAD, message="r1", reply="m1") is None
    await store.notes.posted(THREAD, "m1", "r1")
    assert await store.notes.find(THREAD, message="r1") is None
    assert await store.notes.find(THREAD, reply="m1") is None


@pytest.mark.parametrize("place", ELSEWHERE)
async def test_a_note_is_found_in_its_channel_only(store: Store, place: Place) -> None:
    await store.notes.claim(THREAD, note("m1"), MANY, NOW)
    await store.notes.posted(place, "m1", "r0")
    await store.notes.posted(THREAD, "m1", "r1")
    assert await store.notes.find(place, message="m1") is None
    assert await store.notes.find(place, reply="r1") is None


async def test_a_withdrawn_note_leaves_nothing(store: Store) -> None:
    limits = Limits(per_thread=1, per_hour=1)
    wanted = note("m1", "slo", "sla")
    await store.notes.claim(THREAD, wanted, limits, NOW)
    await store.notes.posted(THREAD, "m1", "r1")
    await store.notes.opened(THREAD, "m1", NOW)
    await store.notes.mark_wrong(THREAD, "m1", "slo", "bo000", NOW)
    await store.notes.withdraw(CHANNEL, "m1")
    assert await store.notes.find(THREAD, message="m1") is None
    assert await store.notes.find(THREAD, reply="r1") is None
    assert await store.notes.figures(THREAD, NOW) == Figures()
    assert await store.notes.claim(THREAD, wanted, limits, NOW) == wanted
    assert await store.notes.mark_wrong(THREAD, "m1", "slo", "ana00", NOW) == 1


async def test_a_withdrawal_leaves_what_others_explained(store: Store) -> None:
    await shown(store, CHANNEL, "m1", "slo", now=NOW)
    await shown(store, CHANNEL, "m2", "sla", now=NOW)
    await store.notes.saw(CHANNEL, ["slo"], NOW + MOMENT)
    await store.notes.withdraw(CHANNEL, "m1")
    await store.notes.withdraw(OTHER_CHANNEL, "m2")
    assert await shown(store, CHANNEL, "m3", "slo", "sla") == ()


@pytest.mark.parametrize("message", ["unknown", ""])
async def test_messages_without_a_note_are_no_error(store: Store, message: str) -> None:
    await store.notes.saw(THREAD, ["slo"], NOW)
    await store.notes.posted(THREAD, message, "r1")
    await store.notes.withdraw(THREAD, message)
    await store.notes.opened(THREAD, message, NOW)
    assert await store.notes.find(THREAD, message=message) is None
    assert await store.notes.find(THREAD, reply="r1") is None
    assert await store.notes.keep_only(THREAD, message, ["slo"]) is None
    assert await store.notes.mark_wrong(THREAD, message, "slo", "ana00", NOW) == 0
    assert await store.notes.figures(THREAD, NOW) == Figures()
    assert await shown(store, THREAD, "m1", "slo") == ()  # still seen


@pytest.mark.parametrize(
    ("concepts", "left"),
    [
        pytest.param(["c", "a"], ("a", "c"), id="two-in-their-order"),
        pytest.param(["b", "other"], ("b",), id="one-and-a-stranger"),
        pytest.param(["a", "b", "c"], ("a", "b", "c"), id="all"),
        pytest.param(["other"], None, id="strangers"),
        pytest.param([], None, id="none"),
    ],
)
async def test_a_note_is_edited(store: Store, concepts: list[str], left: tuple[str, ...] | None) -> None:
    await store.notes.claim(THREAD, note("m1", "a", "b", "c"), MANY, NOW)
    await store.notes.posted(THREAD, "m1", "r1")
    expected = left and replace(note("m1", *left), reply="r1")
    assert await store.notes.keep_only(CHANNEL, "m1", concepts) == expected
    assert await store.notes.find(THREAD, message="m1") == expected
    assert await store.notes.find(THREAD, reply="r1") == expected
    assert await store.notes.keep_only(THREAD, "m1", ["a", "b", "c"]) == expected  # nothing comes back
    assert await shown(store, THREAD, "m2", "a", "b", "c") == ()  # they stay explained


async def test_an_edit_leaves_other_notes_alone(store: Store) -> None:
    for number, place in enumerate((THREAD, OTHER_CHANNEL, OTHER_PLATFORM)):
        await store.notes.claim(place, note("m1", "a", "b", author=f"by-{number}"), MANY, NOW)
    await store.notes.claim(THREAD, note("m2", "c", "d"), MANY, NOW)
    await store.notes.keep_only(THREAD, "m1", ["a"])
    assert await store.notes.find(OTHER_CHANNEL, message="m1") == note("m1", "a", "b", author="by-1")
    assert await store.notes.find(OTHER_PLATFORM, message="m1") == note("m1", "a", "b", author="by-2")
    assert await store.notes.find(THREAD, message="m2") == note("m2", "c", "d")


# -- Wrong meaning ------------------------------------------------------------------------------------------------


async def test_different_readers_are_counted(store: Store) -> None:
    await store.notes.claim(THREAD, note("m1", "psi", "slo"), MANY, NOW)
    await store.notes.claim(THREAD, note("m2", "sla"), MANY, NOW)
    await store.notes.claim(OTHER_CHANNEL, note("m1", "psi"), MANY, NOW)
    votes = [
        (THREAD, "m1", "psi", "ana00"),
        (THREAD, "m1", "psi", "ana00"),
        (CHANNEL, "m1", "psi", "bo000"),
        (THREAD, "m1", "slo", "bo000"),
        (THREAD, "m2", "sla", "bo000"),
        (OTHER_CHANNEL, "m1", "psi", "bo000"),
        (THREAD, "m1", "psi", "ana00"),
    ]
    assert [await store.notes.mark_wrong(*vote, NOW) for vote in votes] == [1, 1, 2, 1, 1, 1, 2]


async def test_a_concept_that_the_note_does_not_show_is_not_voted_on(store: Store) -> None:
    await store.notes.claim(THREAD, note("m1", "psi", "slo"), MANY, NOW)
    assert await store.notes.mark_wrong(THREAD, "m1", "sla", "ana00", NOW) == 0
    assert await store.notes.mark_wrong(THREAD, "m1", "psi", "ana00", NOW) == 1
    await store.notes.keep_only(THREAD, "m1", ["slo"])
    assert await store.notes.mark_wrong(THREAD, "m1", "psi", "bo000", NOW) == 0
    await store.notes.keep_only(THREAD, "m1", [])
    assert await store.notes.mark_wrong(THREAD, "m1", "slo", "bo000", NOW) == 0


async def test_readers_who_vote_at_once_are_all_counted(store: Store) -> None:
    await store.notes.claim(THREAD, note("m1"), MANY, NOW)
    votes = (store.notes.mark_wrong(THREAD, "m1", "slo", f"v-{number}", NOW) for number in range(10))
    assert sorted(await asyncio.gather(*votes)) == list(range(1, 11))


@pytest.mark.parametrize(
    ("place", "label", "free"),
    [
        pytest.param(THREAD, "psi", False, id="same-thread"),
        pytest.param(THREAD, "PSI score", True, id="another-label"),
        pytest.param(OTHER_THREAD, "psi", True, id="another-thread"),
        pytest.param(CHANNEL, "psi", True, id="channel"),
        pytest.param(replace(OTHER_CHANNEL, thread=THREAD.thread), "psi", True, id="another-channel"),
        pytest.param(replace(OTHER_PLATFORM, thread=THREAD.thread), "psi", True, id="another-platform"),
    ],
)
@pytest.mark.parametrize("concept", ["psi-drift", "psi-linux"])
async def test_a_label_marked_wrong_stays_silent_in_its_thread(
    store: Store, place: Place, label: str, free: bool, concept: str
) -> None:
    await store.notes.settle_wrong(THREAD, "psi", "psi-drift", NOW)
    wanted = Note("m1", "ana00", ((concept, label),))
    assert (await store.notes.claim(place, wanted, MANY, NOW + WEEK) is not None) is free


async def test_the_channel_itself_is_no_thread_to_be_silent_in(store: Store) -> None:
    await store.notes.settle_wrong(CHANNEL, "psi", "psi-drift", NOW)
    assert await store.notes.claim(CHANNEL, Note("m1", "ana00", (("psi-drift", "psi"),)), MANY, NOW) is not None


async def test_how_often_a_label_was_marked_wrong_in_a_channel(store: Store) -> None:
    steps = [
        (THREAD, "psi", "psi-drift"),
        (OTHER_THREAD, "psi", "psi-linux"),
        (THREAD, "drift", "psi-drift"),
        (OTHER_CHANNEL, "psi", "psi-drift"),
        (OTHER_PLATFORM, "psi", "psi-drift"),
        (CHANNEL, "psi", "psi-drift"),
        (THREAD, "psi", "psi-drift"),
    ]
    assert [await store.notes.settle_wrong(*step, NOW) for step in steps] == [1, 2, 1, 1, 1, 3, 4]


async def test_forget_takes_a_persons_votes_and_authorship(store: Store) -> None:
    ana, bo = short_hash(ANA), short_hash(BO)
    of_discord = replace(OTHER_PLATFORM, thread="t")
    for place in (THREAD, of_discord):
        await store.notes.claim(place, note("m1", author=ana), MANY, NOW)
        await store.notes.claim(place, note("m2", "sla", author=bo), MANY, NOW)
        for voter in (ana, bo):
            await store.notes.mark_wrong(place, "m1", "slo", voter, NOW)
    await store.people.forget(ANA)
    assert await store.notes.find(THREAD, message="m1") == note("m1", author="")
    assert await store.notes.find(THREAD, message="m2") == note("m2", "sla", author=bo)
    assert await store.notes.mark_wrong(THREAD, "m1", "slo", bo, NOW) == 1
    # Whoever has the same hash on another platform is somebody else.
    assert await store.notes.find(of_discord, message="m1") == note("m1", author=ana)
    assert await store.notes.mark_wrong(of_discord, "m1", "slo", bo, NOW) == 2


# -- Figures and endings ------------------------------------------------------------------------------------------


async def test_figures_of_a_channel_and_its_threads(store: Store) -> None:
    assert await store.notes.figures(CHANNEL, NOW) == Figures(notes=0, opened=0, wrong=0)
    for message, concept, place in [("m1", "a", CHANNEL), ("m2", "b", THREAD), ("m3", "c", OTHER_THREAD)]:
        await store.notes.claim(place, note(message, concept), MANY, NOW)
    await store.notes.posted(CHANNEL, "m1", "r1")
    await store.notes.posted(THREAD, "m2", "r2")  # the third was never posted
    for message in ("m1", "m2", "m2", "m2"):
        await store.notes.opened(THREAD, message, NOW)
    await store.notes.mark_wrong(THREAD, "m2", "b", "ana00", NOW)  # one voice isn't yet a mark
    await store.notes.settle_wrong(THREAD, "b", "b", NOW)
    await store.notes.settle_wrong(CHANNEL, "b", "b", NOW)
    await store.notes.keep_only(THREAD, "m2", [])  # gone, but people saw it
    await store.notes.opened(THREAD, "m2", NOW)  # nobody can press what is gone
    for place in (CHANNEL, THREAD):
        assert await store.notes.figures(place, NOW) == Figures(notes=2, opened=4, wrong=2)
    for place in (OTHER_CHANNEL, OTHER_PLATFORM):
        assert await store.notes.figures(place, NOW) == Figures()


async def test_figures_are_of_the_last_30_days(store: Store) -> None:
    await store.notes.claim(CHANNEL, note("m1"), MANY, NOW)
    await store.notes.posted(CHANNEL, "m1", "r1")
    await store.notes.opened(CHANNEL, "m1", NOW + timedelta(days=1))  # counts on the day of the press
    await store.notes.settle_wrong(CHANNEL, "slo", "slo", NOW + timedelta(days=2))
    after = [FIGURES_OF, FIGURES_OF + MOMENT, FIGURES_OF + timedelta(days=1, hours=1), FIGURES_OF + timedelta(days=3)]
    figures = [await store.notes.figures(CHANNEL, NOW + wait) for wait in after]
    assert figures == [Figures(1, 1, 1), Figures(0, 1, 1), Figures(0, 0, 1), Figures(0, 0, 0)]


@pytest.mark.parametrize(("wait", "kept"), [(KEPT, True), (KEPT + MOMENT, False)], ids=["just", "older"])
async def test_prune_deletes_what_is_older_than_90_days(store: Store, wait: timedelta, kept: bool) -> None:
    await store.notes.claim(THREAD, note("m1", "slo"), MANY, NOW)
    await store.notes.posted(THREAD, "m1", "r1")
    await store.notes.mark_wrong(THREAD, "m1", "slo", "ana00", NOW)
    await store.notes.saw(THREAD, ["sla"], NOW)
    await store.notes.opened(THREAD, "m1", NOW)
    await store.notes.settle_wrong(THREAD, "psi label", "psi", NOW)
    await store.channels.rest(THREAD, "resting")
    await store.notes.prune(NOW + wait)
    assert (await store.notes.find(THREAD, message="m1") is not None) is kept
    assert (await store.notes.find(THREAD, reply="r1") is not None) is kept
    assert await store.notes.figures(THREAD, NOW) == (Figures(1, 1, 1) if kept else Figures())
    assert (await store.channels.get(THREAD)).resting == {"resting"}  # it has no end
    explained = await shown(store, THREAD, "m2", "slo", "sla", "psi", "new", now=NOW + wait)
    assert explained == (("new",) if kept else ("slo", "sla", "psi", "new"))
    assert await store.notes.settle_wrong(OTHER_THREAD, "psi label", "psi", NOW) == (2 if kept else 1)


async def test_prune_goes_by_each_times_own_age(store: Store) -> None:
    await store.notes.claim(THREAD, note("m1", "slo"), MANY, NOW)
    await store.notes.opened(THREAD, "m1", NOW + timedelta(days=80))
    await store.notes.saw(THREAD, ["slo"], NOW + timedelta(days=80))
    await store.notes.prune(NOW + timedelta(days=100))
    assert await store.notes.find(THREAD, message="m1") is None
    assert await store.notes.figures(THREAD, NOW + timedelta(days=100)) == Figures(opened=1)
    assert await shown(store, THREAD, "m2", "slo", now=NOW + timedelta(days=100)) == ()


async def test_a_pruned_note_takes_its_votes_along(store: Store) -> None:
    await store.notes.claim(THREAD, note("m1", "slo"), MANY, NOW)
    await store.notes.mark_wrong(THREAD, "m1", "slo", "ana00", NOW)
    await store.notes.prune(NOW + KEPT + MOMENT)
    await store.notes.claim(THREAD, note("m1", "slo"), MANY, NOW + KEPT + MOMENT)
    assert await store.notes.mark_wrong(THREAD, "m1", "slo", "bo000", NOW + KEPT + MOMENT) == 1
