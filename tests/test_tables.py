"""The tables in the code and the revisions say the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Dialect, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateTable

from bot.state import migrations
from bot.state.engine import parse_url
from bot.state.migrations.run import run, upgrade
from bot.state.tables import HEAD, REVISIONS, metadata

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


@pytest.mark.parametrize("dialect", [sqlite.dialect, postgresql.dialect])
@pytest.mark.parametrize("table", metadata.sorted_tables, ids=str)
def test_every_dialect_has_the_types(table: Table, dialect: Callable[[], Dialect]) -> None:
    assert f"CREATE TABLE {table.name}" in str(CreateTable(table).compile(dialect=dialect()))
