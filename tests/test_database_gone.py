"""PostgreSQL that refuses, is silent or was cut off: what callers and people get then, and that it heals by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import date
from typing import TypeVar

import pytest

from bot.answer import Answer
from bot.bot import Bot, fixed
from bot.errors import StoreError
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Person, Request
from bot.state.caching import Cached
from bot.state.database import open_database
from bot.state.ports import Channel, Miss, Profile, Store
from tests.servers import SERVER, Opener, Way
from tests.stores import ANA, CHANNEL, NOW

if not SERVER:
    pytest.skip("TEST_DATABASE_URL isn't set: no outage of PostgreSQL was tested", allow_module_level=True)

pytest_plugins = ("tests.postgresql_fixtures",)

T = TypeVar("T")

DAY = date(2026, 11, 30)
SHORT = 1.0
"""Seconds: a bound for tests in which it is meant to be exceeded."""


async def until_it_works(call: Callable[[], Awaitable[T]]) -> T:
    """pytest-timeout ends what never works."""
    while True:
        try:
            return await call()
        except StoreError:
            await asyncio.sleep(0.05)


async def fails(call: Callable[[], Awaitable[object]]) -> str:
    """What the StoreError says; AssertionError: there was none."""
    with pytest.raises(StoreError) as caught:
        await call()
    return str(caught.value)


async def test_connections_that_were_cut_are_made_anew_unseen(way: tuple[Way, str], opened: Opener) -> None:
    proxy, url = way
    database = await opened(url)
    await asyncio.gather(*(database.people.get(ANA) for _ in range(20)))
    for _ in range(3):
        proxy.cut()
        await asyncio.sleep(0.1)  # until the driver has heard of it
        assert await database.people.get(ANA) == Profile("en")
        proxy.cut()
        await asyncio.sleep(0.1)  # until the driver has heard of it
        await database.people.set_language(ANA, "en")


async def test_a_server_that_refuses_fails_at_once_and_heals_by_itself(way: tuple[Way, str], opened: Opener) -> None:
    proxy, url = way
    database = await opened(url)
    await database.ready()
    await proxy.refuse()
    for _ in range(5):
        assert "the database failed" in await fails(lambda: database.people.get(ANA))
        assert "the database failed" in await fails(lambda: database.people.set_muted(ANA, True))
    await proxy.listen()
    assert await until_it_works(lambda: database.people.get(ANA)) == Profile("en")
    await database.people.set_muted(ANA, True)


async def test_a_server_that_is_silent_fails_in_time_and_heals_by_itself(way: tuple[Way, str], opened: Opener) -> None:
    proxy, url = way
    database = await opened(url, SHORT)
    await until_it_works(database.ready)
    await until_it_works(lambda: database.people.get(ANA))
    proxy.stall()
    assert "within 1 s" in await fails(lambda: database.people.get(ANA))
    for _ in range(100):  # nobody waits again
        assert "isn't answering" in await fails(lambda: database.people.set_muted(ANA, True))
    proxy.flow()
    assert await until_it_works(lambda: database.people.get(ANA)) == Profile("en")
    await until_it_works(lambda: database.people.set_language(ANA, "both"))


async def test_a_stall_of_two_seconds_loses_nothing_for_who_waits(way: tuple[Way, str], opened: Opener) -> None:
    proxy, url = way
    database = await opened(url)
    await database.ready()
    proxy.stall()
    calls = [asyncio.create_task(database.misses.count("goodput", DAY)) for _ in range(10)]
    await asyncio.sleep(2)
    proxy.flow()
    await asyncio.gather(*calls)
    assert await database.misses.top(1) == (Miss("goodput", 10, DAY),)


async def test_a_write_that_was_given_up_is_not_carried_out_later(way: tuple[Way, str], opened: Opener) -> None:
    proxy, url = way
    database = await opened(url, SHORT)
    await until_it_works(database.ready)
    await until_it_works(lambda: database.people.get(ANA))
    proxy.stall()
    await fails(lambda: database.people.set_language(ANA, "both"))
    proxy.flow()
    await until_it_works(lambda: database.people.set_muted(ANA, True))
    assert await database.people.get(ANA) == Profile("en", True)


async def test_close_ends_while_the_server_is_silent(way: tuple[Way, str]) -> None:
    proxy, url = way
    database = await open_database(url, call_seconds=SHORT)
    await until_it_works(database.ready)
    await until_it_works(lambda: database.people.get(ANA))
    proxy.stall()
    reading = asyncio.create_task(fails(lambda: database.people.get(ANA)))
    await asyncio.sleep(0)
    await database.close()
    await reading


async def test_a_start_while_the_server_is_silent_heals_too(way: tuple[Way, str], opened: Opener) -> None:
    proxy, url = way
    proxy.stall()
    database = await opened(url, SHORT)
    await fails(database.ready)
    proxy.flow()
    await until_it_works(database.ready)
    assert await until_it_works(lambda: database.people.get(ANA)) == Profile("en")


async def test_time_is_bounded_whatever_happens(way: tuple[Way, str], opened: Opener) -> None:
    """Calls of all kinds while the way is cut, stalled and refused at random moments: none hangs, all ends well."""
    proxy, url = way
    database = await opened(url, SHORT)
    await until_it_works(database.ready)
    ends = time.monotonic() + 6
    failures = 0

    async def use(number: int) -> None:
        nonlocal failures
        person = Person("slack", "T1", f"U{number}")
        while time.monotonic() < ends:
            try:
                await database.people.get(person)
                await database.people.set_muted(person, True)
                await database.handled.claim(CHANNEL, f"m{number}", NOW)
            except StoreError:
                failures += 1
            await asyncio.sleep(0.02)

    async def disturb() -> None:
        for _ in range(3):
            proxy.cut()
            await asyncio.sleep(0.3)
            proxy.stall()
            await asyncio.sleep(0.7)
            proxy.flow()
            await proxy.refuse()
            await asyncio.sleep(0.2)
            await proxy.listen()
            await asyncio.sleep(0.5)

    await asyncio.gather(disturb(), *(use(number) for number in range(20)))
    assert failures
    for number in range(20):
        person = Person("slack", "T1", f"U{number}")
        await until_it_works(lambda person=person: database.people.set_muted(person, True))
        assert (await until_it_works(lambda person=person: database.people.get(person))).muted


# What people get


Made = Callable[[Store], Bot]


@pytest.fixture
def made(glossary: Glossary, phrases: Phrases) -> Made:
    return lambda store: Bot(fixed(glossary), phrases, store)


async def asked(made: Bot, action: str, words: str, person: Person = ANA) -> Answer:
    return await made.answer(Request(person, CHANNEL, action, words, today=DAY, now=NOW))


async def test_the_bot_answers_before_the_database_is_there_and_remembers_once_it_is(
    way: tuple[Way, str], made: Made
) -> None:
    proxy, url = way
    await proxy.refuse()
    database = await open_database(url)
    bot_ = made(Cached(database))
    for _ in range(5):
        assert (await asked(bot_, "define", "slo")).concepts == ("slo",)
    not_saved = await asked(bot_, "lang", "zh")
    await proxy.listen()
    await database.ready(within=60)
    await until_it_works(lambda: database.people.get(ANA))
    saved = await asked(bot_, "lang", "zh")
    assert await database.people.get(ANA) == Profile("zh-Hans")
    assert not_saved.blocks != saved.blocks
    await bot_.close()
    await database.close()


@pytest.mark.parametrize("how", ["refused", "silent"])
async def test_with_the_database_gone_the_bot_goes_on_and_heals(way: tuple[Way, str], made: Made, how: str) -> None:
    proxy, url = way
    database = await open_database(url)
    await database.ready(within=60)
    await database.people.set_language(ANA, "en")
    bot_ = made(Cached(database))
    if how == "refused":
        await proxy.refuse()
    else:
        proxy.stall()
    async with asyncio.timeout(30):  # for 60 answers: each by itself would wait for several calls
        for number in range(20):
            person = Person("slack", "T1", f"U{number}")
            assert (await asked(bot_, "define", "slo", person)).concepts == ("slo",)
            assert (await asked(bot_, "vs", "slo sla", person)).kind == "comparison"
            assert (await asked(bot_, "define", "zzyzx", person)).kind == "unknown"
    if how == "refused":
        await proxy.listen()
    else:
        proxy.flow()
    await until_it_works(lambda: database.people.get(ANA))
    assert (await asked(bot_, "lang", "zh")).kind == "setting"
    await bot_.close()
    await database.close()


async def test_another_replica_hears_of_a_change_though_every_connection_was_cut(way: tuple[Way, str]) -> None:
    """Nothing listens on a connection that may be dead: what's set is read again after a second."""
    proxy, url = way
    now = [100.0]
    databases = [await open_database(url) for _ in range(2)]
    await databases[0].ready(within=60)
    here, there = Cached(databases[0]), Cached(databases[1], clock=lambda: now[0])
    assert await there.channels.get(CHANNEL) == Channel()
    proxy.cut()
    await until_it_works(lambda: here.channels.set(CHANNEL, Channel("all"), ANA))
    now[0] += 1
    assert (await until_it_works(lambda: there.channels.get(CHANNEL))).mode == "all"
    for store in (here, there):
        await store.close()
