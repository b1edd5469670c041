"""Channels in a database, beyond the contract: what stands in the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

from bot.state.ports import Channel
from tests.stores import ANA, BO, CHANNEL, OTHER_CHANNEL, opened_database


def dump(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "state.sqlite")) as connection:
        return "\n".join(line for line in connection.iterdump() if line.startswith("INSERT"))


async def test_forget_leaves_no_name_and_no_id(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        await database.channels.set(CHANNEL, Channel("all", set_by="Ana of Ulm"), ANA)
        await database.channels.set(OTHER_CHANNEL, Channel("all", set_by="Bo of Bonn"), BO)
        assert "Ana of Ulm" in dump(tmp_path)
        await database.people.forget(ANA)
        assert "Ana of Ulm" not in dump(tmp_path)
        assert f"'{ANA.home}','{ANA.id}'" not in dump(tmp_path)
        assert "Bo of Bonn" in dump(tmp_path)


async def test_times_are_kept_in_utc(tmp_path: Path) -> None:
    set_at = datetime(2026, 12, 1, 3, 30, tzinfo=timezone(timedelta(hours=8)))
    async with opened_database("sqlite", tmp_path) as database:
        await database.channels.set(CHANNEL, Channel(set_at=set_at), ANA)
    assert "'2026-11-30 19:30:00.000000'" in dump(tmp_path)


async def test_what_was_silenced_and_released_leaves_no_row(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        await database.channels.set_never(CHANNEL, "slo-concept", True)
        await database.channels.rest(CHANNEL, "slo-label")
        assert {"slo-concept" in dump(tmp_path), "slo-label" in dump(tmp_path)} == {True}
        await database.channels.set_never(CHANNEL, "slo-concept", False)
        await database.channels.release(CHANNEL, "slo-label")
    assert {"slo-concept" in dump(tmp_path), "slo-label" in dump(tmp_path)} == {False}
