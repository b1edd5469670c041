"""What is remembered for a moment, and when it isn't any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import StoreError
from bot.request import Person, Place
from bot.state.caching import Cached, Recent
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Profile
from tests.fakes import SilentStore
from tests.stores import ANA, BO, CHANNEL, NOW, OTHER_CHANNEL, OTHER_PLATFORM, THREAD


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept() -> MemoryStore:
    """Where another replica changes things."""
    return MemoryStore()


@pytest.fixture
def cached(kept: MemoryStore, clock: Clock) -> Cached:
    return Cached(kept, clock=clock)


async def test_another_replicas_change_is_seen_after_one_second(
    kept: MemoryStore, cached: Cached, clock: Clock
) -> None:
    assert (await cached.people.get(ANA), await cached.channels.get(THREAD)) == (Profile(), Channel())
    await kept.people.set_language(ANA, "en")
    await kept.channels.set(CHANNEL, Channel("all"), ANA)
    clock.now += 0.999
    assert (await cached.people.get(ANA), await cached.channels.get(THREAD)) == (Profile(), Channel())
    clock.now += 0.001
    assert (await cached.people.get(ANA), await cached.channels.get(THREAD)) == (Profile("en"), Channel("all"))


async def test_people_and_channels_are_told_apart(kept: MemoryStore, cached: Cached) -> None:
    for person in (ANA, BO, replace(ANA, home="T2")):
        await kept.people.know(person, [f"{person}"])
    for place in (CHANNEL, OTHER_CHANNEL, OTHER_PLATFORM):
        await kept.channels.rest(place, f"{place}")
    for _ in range(2):
        for person in (ANA, BO, replace(ANA, home="T2")):
            assert (await cached.people.get(person)).known == {f"{person}"}
        for place in (CHANNEL, OTHER_CHANNEL, OTHER_PLATFORM):
            assert (await cached.channels.get(place)).resting == {f"{place}"}


CHANGES: dict[str, Callable[[Cached], Awaitable[None]]] = {
    "set_language": lambda store: store.people.set_language(ANA, "zh-Hans"),
    "set_muted": lambda store: store.people.set_muted(ANA, True),
    "know": lambda store: store.people.know(ANA, ["sla"]),
    "unknow": lambda store: store.people.unknow(ANA, ["slo"]),
    "forget": lambda store: store.people.forget(ANA),
    "set": lambda store: store.channels.set(THREAD, Channel("threads"), ANA),
    "set_never": lambda store: store.channels.set_never(THREAD, "slo", True),
    "rest": lambda store: store.channels.rest(THREAD, "another"),
    "release": lambda store: store.channels.release(THREAD, "gil"),
    "forget_tenant": lambda store: store.forget_tenant("slack", "T1"),
}


async def filled(kept: MemoryStore) -> None:
    await kept.people.set_language(ANA, "en")
    await kept.people.know(ANA, ["slo"])
    await kept.channels.set(CHANNEL, Channel("all", set_by="Ana", set_at=NOW), ANA)
    await kept.channels.rest(CHANNEL, "gil")


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_ones_own_change_is_seen_at_once(
    kept: MemoryStore, cached: Cached, change: Callable[[Cached], Awaitable[None]]
) -> None:
    await filled(kept)
    before = await cached.people.get(ANA), await cached.channels.get(CHANNEL)
    await change(cached)
    after = await cached.people.get(ANA), await cached.channels.get(CHANNEL)
    assert after == (await kept.people.get(ANA), await kept.channels.get(CHANNEL))
    assert after != before


@pytest.mark.parametrize("name", CHANGES)
async def test_after_a_change_that_failed_it_is_read_again(kept: MemoryStore, cached: Cached, name: str) -> None:
    """The store may have carried it out before the connection was lost."""
    await filled(kept)
    await cached.people.get(ANA), await cached.channels.get(CHANNEL)
    kept.away = True
    with pytest.raises(StoreError):
        await CHANGES[name](cached)
    kept.away = False
    await kept.people.forget(ANA)
    await kept.channels.set(CHANNEL, Channel("off"), BO)
    profile, channel = await cached.people.get(ANA), await cached.channels.get(CHANNEL)
    of_person = name in ("set_language", "set_muted", "know", "unknow")
    of_channel = name in ("set", "set_never", "rest", "release")
    assert (profile == Profile(), channel.mode == "off") == (not of_channel, not of_person)


async def test_a_failure_is_not_remembered(kept: MemoryStore, cached: Cached) -> None:
    await filled(kept)
    kept.away = True
    for _ in range(2):
        with pytest.raises(StoreError):
            await cached.people.get(ANA)
        with pytest.raises(StoreError):
            await cached.channels.get(CHANNEL)
    kept.away = False
    assert (await cached.people.get(ANA)).language == "en"
    assert (await cached.channels.get(CHANNEL)).mode == "all"


async def test_what_isnt_cached_is_the_other_stores(kept: MemoryStore, cached: Cached) -> None:
    await cached.misses.count("goodput", NOW.date())
    assert [miss.text for miss in await kept.misses.top(1, at_least=1)] == ["goodput"]
    assert await cached.handled.claim(CHANNEL, "m1", NOW)
    assert not await kept.handled.claim(CHANNEL, "m1", NOW)
    await cached.channels.set(CHANNEL, Channel("all"), ANA)
    assert await cached.channels.listed("slack", "T1") == (("C1", Channel("all")),)
    assert await cached.leases.acquire("report", "a", NOW, NOW)
    await cached.close()
    assert kept.away


# Recent


class Source:
    """Reads that end when a test says so."""

    def __init__(self) -> None:
        self.calls: list[asyncio.Future[int]] = []

    async def read(self) -> int:
        self.calls.append(asyncio.get_running_loop().create_future())
        return await self.calls[-1]


async def begun(*tasks: asyncio.Task[int]) -> tuple[asyncio.Task[int], ...]:
    """After every task has come as far as it can."""
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


async def test_reads_of_one_key_at_the_same_time_are_one(clock: Clock) -> None:
    recent, source = Recent[str, int](1, 10, clock), Source()
    waiting = await begun(*(asyncio.create_task(recent.get("a", source.read)) for _ in range(50)))
    other = await begun(asyncio.create_task(recent.get("b", source.read)))
    assert len(source.calls) == 2
    source.calls[0].set_result(1)
    source.calls[1].set_result(2)
    assert await asyncio.gather(*waiting, *other) == [1] * 50 + [2]


async def test_who_gives_up_leaves_the_read_to_the_others(clock: Clock) -> None:
    recent, source = Recent[str, int](1, 10, clock), Source()
    first, second = await begun(*(asyncio.create_task(recent.get("a", source.read)) for _ in range(2)))
    first.cancel()
    await begun()
    source.calls[0].set_result(1)
    assert await second == 1
    assert first.cancelled()


async def test_a_shared_failure_reaches_all_who_wait_and_none_later(clock: Clock) -> None:
    recent, source = Recent[str, int](1, 10, clock), Source()
    waiting = await begun(*(asyncio.create_task(recent.get("a", source.read)) for _ in range(3)))
    source.calls[0].set_exception(StoreError("away"))
    assert [type(error) for error in await asyncio.gather(*waiting, return_exceptions=True)] == [StoreError] * 3
    (later,) = await begun(asyncio.create_task(recent.get("a", source.read)))
    source.calls[1].set_result(1)
    assert await later == 1


async def test_a_failure_that_nobody_waits_for_is_no_complaint(clock: Clock) -> None:
    recent, source = Recent[str, int](1, 10, clock), Source()
    (only,) = await begun(asyncio.create_task(recent.get("a", source.read)))
    only.cancel()
    await begun()
    source.calls[0].set_exception(StoreError("away"))
    await begun()  # a complaint would be a warning, and so an error


@pytest.mark.parametrize("drop", [lambda recent: recent.drop("a"), lambda recent: recent.clear()], ids=["one", "all"])
async def test_a_read_that_a_change_overtook_is_not_kept(
    clock: Clock, drop: Callable[[Recent[str, int]], None]
) -> None:
    recent, source = Recent[str, int](1, 10, clock), Source()
    (early,) = await begun(asyncio.create_task(recent.get("a", source.read)))
    drop(recent)
    (late,) = await begun(asyncio.create_task(recent.get("a", source.read)))
    source.calls[1].set_result(2)
    assert await late == 2
    source.calls[0].set_result(1)
    assert await early == 1
    assert await recent.get("a", source.read) == 2


async def test_age_counts_from_when_the_read_began(clock: Clock) -> None:
    recent, source = Recent[str, int](1, 10, clock), Source()
    (slow,) = await begun(asyncio.create_task(recent.get("a", source.read)))
    clock.now += 0.6
    source.calls[0].set_result(1)
    assert await slow == 1
    clock.now += 0.6
    (again,) = await begun(asyncio.create_task(recent.get("a", source.read)))
    source.calls[1].set_result(2)
    assert await again == 2


async def number(value: int) -> int:
    return value


async def test_the_oldest_goes_when_it_is_full(clock: Clock) -> None:
    recent = Recent[int, int](1, 3, clock)
    for key in range(4):
        await recent.get(key, lambda key=key: number(key))
    assert len(recent) == 3
    assert await recent.get(1, lambda: number(-1)) == 1
    assert await recent.get(0, lambda: number(-1)) == -1


async def test_what_is_too_old_goes_while_others_come(clock: Clock) -> None:
    recent = Recent[int, int](1, 100, clock)
    for key in range(40):
        await recent.get(key, lambda: number(0))
    clock.now += 1
    for key in range(100, 110):
        await recent.get(key, lambda: number(0))
    assert len(recent) == 10


async def test_a_store_that_never_answers_holds_nobody_up() -> None:
    silent = SilentStore()
    cached = Cached(silent)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await cached.people.get(ANA)
    assert silent.waiting == 1  # the next one joins it
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await cached.people.get(ANA)
    assert silent.waiting == 1


PEOPLE = st.sampled_from([ANA, BO, Person("slack", "T2", "U1")])
PLACES = st.sampled_from([CHANNEL, THREAD, OTHER_CHANNEL, OTHER_PLATFORM, Place("slack", "T2", "C1")])
WORDS = st.sampled_from(["slo", "sla"])
STEPS = st.one_of(
    st.tuples(st.just("people.get"), PEOPLE),
    st.tuples(st.just("people.set_language"), PEOPLE, st.sampled_from(["en", None])),
    st.tuples(st.sampled_from(["people.know", "people.unknow"]), PEOPLE, st.lists(WORDS, max_size=2)),
    st.tuples(st.just("people.forget"), PEOPLE),
    st.tuples(st.just("channels.get"), PLACES),
    st.tuples(st.just("channels.set"), PLACES, st.just(Channel("all", set_by="x")), PEOPLE),
    st.tuples(st.just("channels.set_never"), PLACES, WORDS, st.booleans()),
    st.tuples(st.sampled_from(["channels.rest", "channels.release"]), PLACES, WORDS),
    st.tuples(st.just("forget_tenant"), st.just("slack"), st.sampled_from(["T1", "T2"])),
)


@settings(max_examples=100)
@given(st.lists(STEPS, max_size=30))
def test_with_one_replica_nobody_sees_a_difference(steps: list[tuple[Any, ...]]) -> None:
    async def scenario() -> None:
        plain, cached = MemoryStore(), Cached(MemoryStore(), size=2, clock=Clock())
        for name, *arguments in steps:
            answers = []
            for store in (plain, cached):
                target: Any = store
                for part in name.split("."):
                    target = getattr(target, part)
                answers.append(await target(*arguments))
            assert answers[0] == answers[1], (name, arguments)

    asyncio.run(scenario())


async def test_what_is_at_hand_needs_no_waiting() -> None:
    clock = Clock()
    store = Cached(MemoryStore(), seconds=1.0, clock=clock)
    assert store.at_hand(ANA, CHANNEL) is None
    await store.people.get(ANA)
    assert store.at_hand(ANA, CHANNEL) is None, "half of it is nothing"
    await store.channels.get(CHANNEL)
    assert store.at_hand(ANA, CHANNEL) == (Profile(), Channel())
    await store.people.set_muted(ANA, True)
    assert store.at_hand(ANA, CHANNEL) is None
    await store.people.get(ANA)
    assert store.at_hand(ANA, CHANNEL) == (Profile(muted=True), Channel())
    clock.now += 1.0
    assert store.at_hand(ANA, CHANNEL) is None
