"""Counts in a database, beyond the contract: several replicas, and what stands in the file."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.state.counters import Asked
from bot.state.database import open_database
from tests.stores import NOW, SHARED, opened_database, url_of

SLO = Asked("slack", "T1", "C1", "slo", "en", "definition")


@pytest.mark.parametrize("kind", SHARED)
async def test_replicas_add_to_the_same_counts(kind: str, tmp_path: Path) -> None:
    counts = {replace(SLO, concept=f"c{number}"): 1 for number in range(30)}
    async with opened_database(kind, tmp_path) as first:
        second = await open_database(url_of(kind, tmp_path), call_seconds=60)
        await second.ready()
        adding = (
            replica.counters.add(dict(order), NOW.date())
            for _ in range(10)
            for replica, order in ((first, counts.items()), (second, reversed(counts.items())))
        )
        await asyncio.gather(*adding)
        assert set((await first.counters.asked(NOW.date())).values()) == {20}
        await second.close()


async def test_half_of_a_batch_is_none(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        with pytest.raises(Exception, match="the database failed"):
            await database.counters.add({SLO: 1, replace(SLO, concept="half\ud800"): 1}, NOW.date())
        assert await database.counters.asked(NOW.date()) == {}


async def test_a_row_says_nobody(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        await database.counters.add({SLO: 1}, NOW.date())
    with closing(sqlite3.connect(tmp_path / "state.sqlite")) as connection:
        rows = connection.execute("SELECT * FROM asked").fetchall()
    assert rows == [("2026-11-30", "slack", "T1", "C1", "slo", "en", "definition", 1)]
