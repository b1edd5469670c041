"""The tables in the code and the revisions say the same."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Dialect, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateTable

import bot
from bot.state import migrations
from bot.state.database import open_database
from bot.state.engine import parse_url
from bot.state.migrations.run import run, upgrade
from bot.state.ports import Limits, Miss, Profile
from bot.state.tables import HEAD, REVISIONS, Moment, metadata
from tests.stores import ANA, NOW, THREAD, note

ROOT = Path(str(bot.__file__)).parents[1]

VERSIONS = Path(str(migrations.__file__)).parent / "versions"


def names_in(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_the_code_knows_every_revision_in_order(tmp_path: Path) -> None:
    found: list[str] = []

    def collect(config: Config) -> None:
        found.extend(script.revision for script in ScriptDirectory.from_config(config).walk_revisions())

    run(parse_url(f"sqlite:///{tmp_path / 'state.sqlite'}"), collect)
    assert tuple(reversed(found)) == REVISIONS
    assert found[0] == HEAD


def test_files_are_named_by_number_and_subject() -> None:
    names = sorted(file.name for file in VERSIONS.glob("*.py"))
    assert [name.split("_")[0] for name in names] == list(REVISIONS)
    assert all(name.removesuffix(".py").replace("_", "").isalnum() and "_" in name for name in names)


def test_the_revisions_lead_to_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # works from any folder
    url = parse_url("sqlite:///state.sqlite")
    upgrade(url)
    assert names_in(tmp_path / "state.sqlite") == {*metadata.tables, "alembic_version"}
    run(url, command.check)  # raises if a difference is left


def test_down_to_nothing_and_up_again(tmp_path: Path) -> None:
    file = tmp_path / "state.sqlite"
    url = parse_url(f"sqlite:///{file}")
    upgrade(url)
    run(url, lambda config: command.downgrade(config, "base"))
    assert names_in(file) == {"alembic_version"}
    upgrade(url)
    upgrade(url)
    assert names_in(file) == {*metadata.tables, "alembic_version"}


async def test_channels_and_notes_come_beside_what_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "state.sqlite"
    url = parse_url(f"sqlite:///{file}")
    await asyncio.to_thread(run, url, lambda config: command.upgrade(config, "0001"))
    assert names_in(file) == {"people", "known", "misses", "alembic_version"}
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO people VALUES ('slack', 'T1', 'U1', 'en', 1)")
        connection.execute("INSERT INTO known VALUES ('slack', 'T1', 'U1', 'slo')")
        connection.execute("INSERT INTO misses VALUES ('goodput', 2, '2026-11-30')")
    database = await open_database(f"sqlite:///{file}", call_seconds=60)
    assert await database.people.get(ANA) == Profile("en", True, frozenset({"slo"}))
    assert await database.misses.top(9) == (Miss("goodput", 2, date(2026, 11, 30)),)
    assert await database.notes.claim(THREAD, note("m1"), Limits(), NOW) == note("m1")
    await database.close()
    await asyncio.to_thread(run, url, lambda config: command.downgrade(config, "0001"))
    assert names_in(file) == {"people", "known", "misses", "alembic_version"}
    await asyncio.to_thread(upgrade, url)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT id, concept FROM known").fetchall() == [("U1", "slo")]
        assert connection.execute("SELECT message FROM notes").fetchall() == []


async def test_rows_learn_their_tenant_from_the_channel_that_was_set(tmp_path: Path) -> None:
    file = tmp_path / "state.sqlite"
    url = parse_url(f"sqlite:///{file}")
    await asyncio.to_thread(run, url, lambda config: command.upgrade(config, "0002"))
    at = "2026-11-30 12:00:00.000000"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO channels VALUES ('slack', 'C1', 'T1', 'all', '', 0, '', NULL, '', '', '')")
        for channel in ("C1", "C2"):
            connection.execute(f"INSERT INTO notes VALUES ('slack', '{channel}', 'm1', '', 'ana00', 'r1', '{at}')")
            connection.execute(f"INSERT INTO note_terms VALUES ('slack', '{channel}', 'm1', 'slo', 'slo', 0)")
            connection.execute(f"INSERT INTO handled VALUES ('slack', '{channel}', 'm2', NULL, '{at}')")
    await asyncio.to_thread(upgrade, url)
    with closing(sqlite3.connect(file)) as connection:
        for table in ("notes", "handled"):
            rows = connection.execute(f"SELECT channel, tenant FROM {table} ORDER BY channel").fetchall()
            assert rows == [("C1", "T1"), ("C2", "")]
    await asyncio.to_thread(run, url, lambda config: command.downgrade(config, "0002"))
    with closing(sqlite3.connect(file)) as connection:
        assert len(connection.execute("SELECT * FROM notes JOIN note_terms USING (channel)").fetchall()) == 2
    await asyncio.to_thread(upgrade, url)


def test_a_new_revision_names_the_columns_type_and_not_our_class(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    shutil.copytree(ROOT / "bot", folder / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    tables = folder / "bot" / "state" / "tables.py"
    tables.write_text(tables.read_text("utf-8") + '\nTable("later", metadata, Column("at", Moment))\n', "utf-8")
    program = [sys.executable, "-W", "error", "-m", "bot.state.migrations", "later"]
    subprocess.run(program, cwd=folder, check=True, capture_output=True, timeout=60)
    (written,) = tables.parent.glob("migrations/versions/*_later.py")
    assert 'Column("at", sa.DateTime(timezone=True)' in written.read_text("utf-8").replace("'", '"')


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 11, 30, 12, tzinfo=UTC),
        datetime(2026, 11, 30, 20, tzinfo=timezone(timedelta(hours=8))),
        datetime(2026, 11, 30, 4, 30, tzinfo=timezone(timedelta(hours=-7, minutes=-30))),
    ],
    ids=["utc", "east", "west"],
)
@pytest.mark.parametrize("make_dialect", [sqlite.dialect, postgresql.dialect], ids=["sqlite", "postgresql"])
def test_moments_go_in_and_come_out_in_utc(moment: datetime, make_dialect: Callable[[], Dialect]) -> None:
    dialect = make_dialect()
    bound = Moment().process_bind_param(moment, dialect)
    assert bound is not None
    assert (bound.isoformat(), Moment().process_bind_param(None, dialect)) == ("2026-11-30T12:00:00+00:00", None)
    for stored in (bound.replace(tzinfo=None), moment):  # SQLite gives it without a zone, a server in any
        read = Moment().process_result_value(stored, dialect)
        assert read is not None
        assert read.isoformat() == "2026-11-30T12:00:00+00:00"
    assert Moment().process_result_value(None, dialect) is None


@pytest.mark.parametrize("dialect", [sqlite.dialect, postgresql.dialect])
@pytest.mark.parametrize("table", metadata.sorted_tables, ids=str)
def test_every_dialect_has_the_types(table: Table, dialect: Callable[[], Dialect]) -> None:
    assert f"CREATE TABLE {table.name}" in str(CreateTable(table).compile(dialect=dialect()))


@pytest.mark.parametrize("table", [table for table in metadata.sorted_tables if "channel" in table.c], ids=str)
def test_what_is_about_a_channel_goes_with_its_tenant(table: Table) -> None:
    goes_with = {key.referred_table for key in table.foreign_key_constraints if key.ondelete == "CASCADE"}
    assert any("tenant" in of.c for of in (table, *goes_with))
