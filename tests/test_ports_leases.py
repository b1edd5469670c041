"""What every store has to do about leases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from bot.state.ports import Store
from tests.stores import KINDS, MOMENT, NOW, opened

UNTIL = NOW + timedelta(minutes=1)


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path) as store:
        yield store


async def test_a_lease_has_one_holder(store: Store) -> None:
    assert await store.leases.acquire("report", "a", UNTIL, NOW)
    assert not await store.leases.acquire("report", "b", UNTIL, NOW)
    assert await store.leases.acquire("another", "b", UNTIL, NOW)


async def test_of_many_at_once_one_gets_it(store: Store) -> None:
    asked = [store.leases.acquire("report", str(number), UNTIL, NOW) for number in range(30)]
    assert sorted(await asyncio.gather(*asked)) == [False] * 29 + [True]


async def test_it_ends_at_its_time_and_not_before(store: Store) -> None:
    await store.leases.acquire("report", "a", UNTIL, NOW)
    assert not await store.leases.acquire("report", "b", UNTIL + UNTIL.resolution, UNTIL - MOMENT)
    assert await store.leases.acquire("report", "b", UNTIL + timedelta(minutes=1), UNTIL)
    assert not await store.leases.acquire("report", "a", UNTIL + timedelta(minutes=1), UNTIL)


async def test_its_holder_prolongs_it(store: Store) -> None:
    later = UNTIL + timedelta(minutes=1)
    await store.leases.acquire("report", "a", UNTIL, NOW)
    assert await store.leases.acquire("report", "a", later, NOW)
    assert not await store.leases.acquire("report", "b", later, UNTIL)
    assert await store.leases.acquire("report", "a", later + timedelta(minutes=1), later)  # nobody took it meanwhile


async def test_its_holder_gives_it_back(store: Store) -> None:
    await store.leases.release("report", "a")  # nobody's
    await store.leases.acquire("report", "a", UNTIL, NOW)
    await store.leases.release("report", "b")
    await store.leases.release("another", "a")
    assert not await store.leases.acquire("report", "b", UNTIL, NOW)
    await store.leases.release("report", "a")
    assert await store.leases.acquire("report", "b", UNTIL, NOW)


async def test_the_zone_of_a_time_does_not_matter(store: Store) -> None:
    east = timezone(timedelta(hours=8))
    await store.leases.acquire("report", "a", UNTIL.astimezone(east), NOW)
    assert not await store.leases.acquire("report", "b", UNTIL, NOW)
    assert await store.leases.acquire("report", "b", UNTIL + timedelta(minutes=1), UNTIL.astimezone(east))
