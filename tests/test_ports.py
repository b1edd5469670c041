"""What every store has to do, the one of the tests included: people, misses, and what holds for all ports.

`test_ports_channels`, `test_ports_notes`, `test_ports_handled` and others go on with the other ports.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.answer import Shown
from bot.errors import StoreError
from bot.request import Person
from bot.state.counters import Asked
from bot.state.database import open_database
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Limits, Miss, Profile, Store
from tests.stores import ANA, BO, KINDS, NOW, THREAD, note, opened

DAY = date(2026, 11, 30)
NEXT_DAY = date(2026, 12, 1)


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


async def test_a_stranger_has_the_defaults(store: Store) -> None:
    assert await store.people.get(ANA) == Profile(language=None, muted=False, known=frozenset())


@pytest.mark.parametrize("language", ["en", "zh-Hans", "both", None])
async def test_the_last_language_counts(store: Store, language: Shown | None) -> None:
    await store.people.set_language(ANA, "both")
    await store.people.set_language(ANA, language)
    assert await store.people.get(ANA) == Profile(language=language)


async def test_muting_can_be_undone(store: Store) -> None:
    await store.people.set_muted(ANA, True)
    assert await store.people.get(ANA) == Profile(muted=True)
    await store.people.set_muted(ANA, False)
    assert await store.people.get(ANA) == Profile()


async def test_settings_leave_each_other_alone(store: Store) -> None:
    await store.people.know(ANA, ["slo"])
    await store.people.set_language(ANA, "en")
    await store.people.set_muted(ANA, True)
    await store.people.set_language(ANA, "zh-Hans")
    assert await store.people.get(ANA) == Profile("zh-Hans", True, frozenset({"slo"}))


async def test_what_is_known_adds_up(store: Store) -> None:
    await store.people.know(ANA, ["slo", "sla", "slo"])
    await store.people.know(ANA, {"sla", "kv-cache"})
    assert (await store.people.get(ANA)).known == {"slo", "sla", "kv-cache"}


async def test_unknow_takes_only_what_it_names(store: Store) -> None:
    await store.people.know(ANA, ["slo", "sla", "kv-cache"])
    await store.people.unknow(ANA, ["slo", "never-known", "kv-cache"])
    assert (await store.people.get(ANA)).known == {"sla"}


async def test_nothing_to_know_or_unknow_is_no_error(store: Store) -> None:
    await store.people.know(ANA, [])
    await store.people.unknow(ANA, [])
    await store.people.unknow(ANA, ["slo"])
    assert await store.people.get(ANA) == Profile()


async def test_many_concepts_at_once(store: Store) -> None:
    concepts = [f"concept-{number}" for number in range(40_000)]  # more than SQLite takes values in one statement
    await store.people.know(ANA, concepts[:100])
    await store.people.unknow(ANA, concepts)
    assert await store.people.get(ANA) == Profile()


async def test_forget_deletes_everything_of_this_person_only(store: Store) -> None:
    for person in (ANA, BO):
        await store.people.set_language(person, "en")
        await store.people.know(person, ["slo"])
    await store.people.forget(ANA)
    assert await store.people.get(ANA) == Profile()
    assert await store.people.get(BO) == Profile("en", False, frozenset({"slo"}))
    await store.people.set_muted(ANA, True)  # what was known must not come back with the person
    assert await store.people.get(ANA) == Profile(muted=True)


async def test_forgetting_a_stranger_is_no_error(store: Store) -> None:
    await store.people.forget(ANA)


@pytest.mark.parametrize(
    "other",
    [
        Person("discord", "T1", "U1"),
        Person("slack", "T2", "U1"),
        Person("slack", "T1", "u1"),
        Person("slack", "", "T1U1"),
    ],
    ids=["platform", "home", "case", "run-together"],
)
async def test_people_differ_by_all_three_parts(store: Store, other: Person) -> None:
    await store.people.set_muted(ANA, True)
    await store.people.know(ANA, ["slo"])
    assert await store.people.get(other) == Profile()


async def test_a_miss_is_counted_with_its_last_day(store: Store) -> None:
    await store.misses.count("goodput", DAY)
    await store.misses.count("goodput", NEXT_DAY)
    assert await store.misses.top(10) == (Miss("goodput", 2, NEXT_DAY),)


async def test_misses_come_most_frequent_first_then_by_text(store: Store) -> None:
    for text in ["b", "分词", "a", "Z", "rare", "often", "often", "often", "b", "a", "分词", "Z"]:
        await store.misses.count(text, DAY)
    assert [miss.text for miss in await store.misses.top(10)] == ["often", "Z", "a", "b", "分词"]
    assert [miss.text for miss in await store.misses.top(2)] == ["often", "Z"]
    assert [miss.text for miss in await store.misses.top(10, at_least=1)] == ["often", "Z", "a", "b", "分词", "rare"]
    assert [miss.text for miss in await store.misses.top(10, at_least=3)] == ["often"]


@pytest.mark.parametrize("text", ["it's", '"; DROP TABLE misses; --', "投机解码", "🧮 ﬁ é", " ", "%s :name ?"])
async def test_any_text_comes_back_as_it_was(store: Store, text: str) -> None:
    await store.misses.count(text, DAY)
    await store.people.know(Person(text, text, text), [text])
    assert await store.misses.top(1, at_least=1) == (Miss(text, 1, DAY),)
    assert (await store.people.get(Person(text, text, text))).known == {text}


async def test_no_count_is_lost_between_tasks(store: Store) -> None:
    counts = [store.misses.count("goodput", DAY) for _ in range(50)]
    reads = [store.people.get(ANA) for _ in range(50)]
    assert await asyncio.gather(*reads, *counts) == [Profile()] * 50 + [None] * 50
    assert await store.misses.top(1) == (Miss("goodput", 50, DAY),)


CALLS: dict[str, Callable[[Store], Awaitable[object]]] = {
    "get": lambda store: store.people.get(ANA),
    "set_language": lambda store: store.people.set_language(ANA, "en"),
    "set_muted": lambda store: store.people.set_muted(ANA, True),
    "know": lambda store: store.people.know(ANA, ["slo"]),
    "unknow": lambda store: store.people.unknow(ANA, ["slo"]),
    "forget": lambda store: store.people.forget(ANA),
    "count": lambda store: store.misses.count("goodput", DAY),
    "top": lambda store: store.misses.top(1),
    "channel": lambda store: store.channels.get(THREAD),
    "set": lambda store: store.channels.set(THREAD, Channel(), ANA),
    "set_never": lambda store: store.channels.set_never(THREAD, "slo", True),
    "rest": lambda store: store.channels.rest(THREAD, "slo"),
    "release": lambda store: store.channels.release(THREAD, "slo"),
    "listed": lambda store: store.channels.listed("slack", "T1"),
    "claim a note": lambda store: store.notes.claim(THREAD, note("m"), Limits(), NOW),
    "saw": lambda store: store.notes.saw(THREAD, ["slo"], NOW),
    "posted": lambda store: store.notes.posted(THREAD, "m", "r"),
    "withdraw": lambda store: store.notes.withdraw(THREAD, "m"),
    "find": lambda store: store.notes.find(THREAD, message="m"),
    "keep_only": lambda store: store.notes.keep_only(THREAD, "m", ["slo"]),
    "opened": lambda store: store.notes.opened(THREAD, "m", NOW),
    "mark_wrong": lambda store: store.notes.mark_wrong(THREAD, "m", "slo", "ana00", NOW),
    "settle_wrong": lambda store: store.notes.settle_wrong(THREAD, "slo", "slo", NOW),
    "figures": lambda store: store.notes.figures(THREAD, NOW),
    "prune notes": lambda store: store.notes.prune(NOW),
    "claim a message": lambda store: store.handled.claim(THREAD, "m", NOW),
    "replied": lambda store: store.handled.replied(THREAD, "m", "r"),
    "reply_to": lambda store: store.handled.reply_to(THREAD, "m"),
    "prune messages": lambda store: store.handled.prune(NOW),
    "acquire": lambda store: store.leases.acquire("report", "a", NOW, NOW),
    "release a lease": lambda store: store.leases.release("report", "a"),
    "add": lambda store: store.counters.add({Asked("slack", "T1", "C1", "slo", "en", "definition"): 1}, DAY),
    "asked": lambda store: store.counters.asked(DAY),
    "wrong": lambda store: store.counters.wrong(NOW),
    "unasked": lambda store: store.counters.unasked(NOW),
    "prune counts": lambda store: store.counters.prune(DAY),
    "forget_tenant": lambda store: store.forget_tenant("slack", "T1"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_a_closed_store_is_away(store: Store, call: Callable[[Store], Awaitable[object]]) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StoreError):
        await call(store)


WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
PEOPLE = st.builds(Person, st.sampled_from(["slack", "discord"]), st.sampled_from(["", "T1"]), WORDS)
STEPS = st.one_of(
    st.tuples(st.just("set_language"), PEOPLE, st.sampled_from(["en", "zh-Hans", "both", None])),
    st.tuples(st.just("set_muted"), PEOPLE, st.booleans()),
    st.tuples(st.sampled_from(["know", "unknow"]), PEOPLE, st.lists(WORDS, max_size=3)),
    st.tuples(st.just("forget"), PEOPLE),
    st.tuples(st.just("count"), WORDS, st.dates()),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(STEPS, max_size=20))
def test_memory_and_database_remember_the_same(steps: list[tuple[Any, ...]]) -> None:
    async def scenario() -> None:
        memory, database = MemoryStore(), await open_database("sqlite://")
        for name, *arguments in steps:
            for store in (memory, database):
                port = store.misses if name == "count" else store.people
                await getattr(port, name)(*arguments)
        for name, *arguments in steps:
            if name != "count":
                assert await database.people.get(arguments[0]) == await memory.people.get(arguments[0])
        assert await database.misses.top(100, at_least=1) == await memory.misses.top(100, at_least=1)
        await database.close()

    asyncio.run(scenario())
