"""Leases in a database, beyond the contract: several replicas."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.state.database import open_database
from tests.stores import NOW, SHARED, opened_database, url_of


@pytest.mark.parametrize("kind", SHARED)
async def test_of_two_replicas_one_gets_it_each_time(kind: str, tmp_path: Path) -> None:
    async with opened_database(kind, tmp_path) as first:
        second = await open_database(url_of(kind, tmp_path), call_seconds=60)
        for turn in range(20):
            now = NOW + timedelta(minutes=turn)
            asked = (
                replica.leases.acquire("report", f"{name}{turn}", now + timedelta(minutes=1), now)
                for name, replica in (("a", first), ("b", second))
            )
            assert sorted(await asyncio.gather(*asked)) == [False, True]
        await second.close()
