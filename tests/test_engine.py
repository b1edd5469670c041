"""Which URLs are understood, and what happens to the file behind one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import SettingsError
from bot.state.engine import make_engine, parse_url, prepare_file, sqlite_file

HERE = Path.cwd()


@pytest.mark.parametrize(
    ("url", "driver", "file"),
    [
        ("sqlite:///state.sqlite", "sqlite+aiosqlite", HERE / "state.sqlite"),
        ("sqlite+aiosqlite:///state.sqlite", "sqlite+aiosqlite", HERE / "state.sqlite"),
        ("sqlite+pysqlite:///state.sqlite", "sqlite+aiosqlite", HERE / "state.sqlite"),
        ("sqlite:////data/状态 100%.sqlite", "sqlite+aiosqlite", Path("/data/状态 100%.sqlite")),
        ("sqlite://", "sqlite+aiosqlite", None),
        ("sqlite:///:memory:", "sqlite+aiosqlite", None),
        ("postgresql://u:p@host/name", "postgresql+asyncpg", None),
        ("postgresql+asyncpg://u:p@host/name", "postgresql+asyncpg", None),
        ("postgresql+psycopg://u:p@host/name", "postgresql+asyncpg", None),
        ("postgres://u:p@host/name", "postgresql+asyncpg", None),
        ("postgresql:///name?host=/run/postgresql", "postgresql+asyncpg", None),
    ],
)
def test_url(url: str, driver: str, file: Path | None) -> None:
    parsed = parse_url(url)
    assert parsed.drivername == driver
    assert sqlite_file(parsed) == file


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hunter2",
        "mysql://u:hunter2@host/name",
        "postgresql://u:hunter2@host:port/name",
        "sqlite:///file:hunter2?uri=true",
        "sqlite:///file:hunter2",
        "sqlite:///hunter2?timeout=1",
        "postgresql://u:hunter2@host/name?timeout=1",
        "postgresql://u@host/name?password=hunter2",
    ],
)
def test_bad_url_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(SettingsError, match="database") as caught:
        parse_url(url)
    assert "hunter2" not in str(caught.value)


def test_an_option_that_is_not_known_is_named() -> None:
    with pytest.raises(SettingsError, match="isn't known: channel_binding"):
        parse_url("postgresql://u@host/name?sslmode=require&channel_binding=require")


def test_encryption_is_asked_for_as_everywhere() -> None:
    assert parse_url("postgres://u@host/name?sslmode=require").query == {"ssl": "require"}
    assert parse_url("postgres://u@host/name?ssl=verify-full").query == {"ssl": "verify-full"}


def test_a_driver_that_is_not_installed_is_named() -> None:
    program = (
        "import sys; sys.modules['asyncpg'] = None\n"
        "from bot.state.engine import make_engine, parse_url\n"
        "make_engine(parse_url(sys.argv[1]))"  # not in the program, whose lines newer Pythons quote in a traceback
    )
    command = [sys.executable, "-c", program, "postgresql://u:hunter2@host/name"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    last_line = result.stderr.splitlines()[-1]
    assert "SettingsError" in last_line
    assert "asyncpg" in last_line
    assert "hunter2" not in result.stderr


def test_folder_and_file_are_made_for_this_user_only(tmp_path: Path) -> None:
    file = tmp_path / "new" / "state.sqlite"
    assert prepare_file(file) is True
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_file_with_content_is_not_new_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "state.sqlite"
    file.write_bytes(b"x")
    file.chmod(0o640)
    assert prepare_file(file) is False
    assert file.read_bytes() == b"x"
    assert file.stat().st_mode & 0o777 == 0o640


def parent_is_a_file(folder: Path) -> Path:
    (folder / "file").touch()
    return folder / "file" / "state.sqlite"


def a_folder_in_its_place(folder: Path) -> Path:
    (folder / "state.sqlite").mkdir()
    return folder / "state.sqlite"


@pytest.mark.parametrize("arrange", [parent_is_a_file, a_folder_in_its_place])
def test_a_path_that_cannot_be_a_database(tmp_path: Path, arrange: Callable[[Path], Path]) -> None:
    with pytest.raises(SettingsError, match=str(tmp_path)) as caught:
        prepare_file(arrange(tmp_path))
    assert "chown" not in str(caught.value)  # it wouldn't help


@pytest.fixture
def folder_for_all() -> Iterator[Path]:
    """Every user may come in here; `tmp_path` is closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def read_only_folder(folder: Path) -> Path:
    folder.chmod(0o555)
    return folder


def read_only_file(folder: Path) -> Path:
    folder.chmod(0o777)
    (folder / "state.sqlite").touch()
    (folder / "state.sqlite").chmod(0o444)
    return folder / "state.sqlite"


def read_only_companion(folder: Path) -> Path:
    folder.chmod(0o777)
    for name, mode in (("state.sqlite", 0o666), ("state.sqlite-wal", 0o444)):
        (folder / name).touch()
        (folder / name).chmod(mode)
    return folder / "state.sqlite-wal"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs users and modes")
@pytest.mark.parametrize("arrange", [read_only_folder, read_only_file, read_only_companion])
def test_what_cannot_be_written_is_named_with_what_to_do(folder_for_all: Path, arrange: Callable[[Path], Path]) -> None:
    named = arrange(folder_for_all)
    program = (
        "import os, sys; from pathlib import Path; from bot.state.engine import prepare_file\n"
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"  # root may write everything
        "prepare_file(Path(sys.argv[1]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, str(folder_for_all / "state.sqlite")],
        capture_output=True,
        text=True,
        check=False,
    )
    last_line = result.stderr.splitlines()[-1]
    assert "SettingsError" in last_line
    assert f"needs {named}, which can't be written" in last_line
    assert f"it belongs to user {named.stat().st_uid}: run `chown " in last_line
    assert f" {named}`" in last_line


async def pragma(url: str, name: str, *, migrating: bool) -> object:
    engine = make_engine(parse_url(url), migrating=migrating)
    async with engine.connect() as connection:
        value = (await connection.execute(text(f"PRAGMA {name}"))).scalar()
    await engine.dispose()
    return value


@pytest.mark.parametrize(
    ("name", "migrating", "value"),
    [
        ("foreign_keys", False, 1),
        ("foreign_keys", True, 0),
        ("busy_timeout", False, 5000),
        ("busy_timeout", True, 5000),
        ("synchronous", False, 1),
    ],
)
async def test_how_a_connection_is_set_up(tmp_path: Path, name: str, migrating: bool, value: int) -> None:
    assert await pragma(f"sqlite:///{tmp_path / 'state.sqlite'}", name, migrating=migrating) == value


@pytest.mark.parametrize("migrating", [False, True])
async def test_an_error_of_sqlalchemy_shows_no_values(migrating: bool) -> None:
    engine = make_engine(parse_url("sqlite://"), migrating=migrating)
    async with engine.connect() as connection:
        with pytest.raises(SQLAlchemyError) as caught:
            await connection.execute(text("SELECT * FROM nothing WHERE word = :word"), {"word": "hunter2"})
    await engine.dispose()
    assert "hunter2" not in str(caught.value)
