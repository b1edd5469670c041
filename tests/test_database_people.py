"""People in a database, beyond the contract: what stands in the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.stores import ANA, BO, NOW, opened_database


def ids(folder: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(folder / "state.sqlite")) as connection:
        return connection.execute("SELECT id FROM people UNION ALL SELECT id FROM known ORDER BY id").fetchall()


async def test_forget_leaves_no_row(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        await database.people.set_language(ANA, "en")
        await database.people.know(ANA, ["slo"])
        await database.people.know(BO, ["slo"])
        await database.people.forget(ANA)
    assert ids(tmp_path) == [("U1",), ("U1",)]  # Bo has the same id elsewhere


async def test_nothing_known_writes_nothing(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        await database.people.know(ANA, ())
        await database.people.unknow(ANA, ())
    assert ids(tmp_path) == []


async def test_a_miss_stands_without_a_person(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        await database.misses.count("goodput", NOW.date())
    with closing(sqlite3.connect(tmp_path / "state.sqlite")) as connection:
        assert connection.execute("SELECT * FROM misses").fetchall() == [("goodput", 1, "2026-11-30")]
