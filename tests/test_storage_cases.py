"""Kinds of trouble that bots have had with what they keep, each as a whole: what happens, and what people see then.

The parts stand in other tests: `test_database`, `test_database_gone`, `test_engine`, `test_locking`.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from sqlite3 import connect

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

import bot
from bot.bot import Bot, fixed
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Person, Request
from bot.state.database import open_database
from bot.state.ports import Miss, Store
from bot.state.tables import misses
from tests.processes import Jargonaut
from tests.stores import ANA, CHANNEL, NOW

ROOT = Path(str(bot.__file__)).parents[1]
DAY = date(2026, 11, 30)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state.sqlite"


async def asked(made: Bot, action: str, words: str, person: Person = ANA) -> tuple[str, tuple[str, ...]]:
    answer = await made.answer(Request(person, CHANNEL, action, words, today=DAY, now=NOW))
    return answer.kind, answer.concepts


Made = Callable[[Store], Bot]


@pytest.fixture
def made(glossary: Glossary, phrases: Phrases) -> Made:
    return lambda store: Bot(fixed(glossary), phrases, store)


# -- Many small writes: "database is locked" ----------------------------------------------------------------------

WRITER = """
import asyncio, sys
from datetime import date
from bot.state.database import open_database

async def main():
    database = await open_database(sys.argv[1], call_seconds=60)
    print("begins", flush=True)
    for _ in range(80):
        await database.misses.count("from another process", date(2026, 11, 30))
    await database.close()

asyncio.run(main())
"""


async def test_fifty_tasks_and_another_process_write_at_once_and_nobody_hears_of_a_lock(file: Path) -> None:
    url = f"sqlite:///{file}"
    databases = [await open_database(url, call_seconds=60) for _ in range(2)]
    await databases[0].ready()
    other = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-c", WRITER, url),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert other.stdout is not None
    assert await other.stdout.readline() == b"begins\n"

    async def toggle(number: int) -> None:
        database, person = databases[number % 2], Person("slack", "T1", f"U{number}")
        for turn in range(8):
            await database.people.set_language(person, "en" if turn % 2 else "zh-Hans")
            await database.misses.count("from a task", DAY)
            assert (await database.people.get(person)).language == ("en" if turn % 2 else "zh-Hans")

    await asyncio.gather(*(toggle(number) for number in range(50)))
    assert ((await other.communicate())[1], other.returncode) == (b"", 0)
    assert await databases[0].misses.top(9) == (
        Miss("from a task", 400, DAY),
        Miss("from another process", 80, DAY),
    )
    for database in databases:
        await database.close()
    with closing(connect(file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]


async def test_who_reads_first_and_then_writes_is_not_overtaken(file: Path) -> None:
    """A transaction that began with reading would fail at once, whatever the busy timeout."""
    ours, theirs = [await open_database(f"sqlite:///{file}", call_seconds=60) for _ in range(2)]
    await ours.misses.count("goodput", DAY)
    await theirs.ready()
    overtaking: list[asyncio.Task[None]] = []

    async def add_one(connection: AsyncConnection) -> None:
        read = (await connection.execute(select(misses.c["count"]))).scalar_one()
        overtaking.append(asyncio.create_task(theirs.misses.count("goodput", DAY)))
        await asyncio.sleep(0.1)
        assert not overtaking[0].done()
        await connection.execute(misses.update().values(count=read + 10))

    await ours.change(add_one)
    await overtaking[0]
    assert await ours.misses.top(1) == (Miss("goodput", 12, DAY),)
    await ours.close()
    await theirs.close()


async def test_a_count_that_is_lost_fails_no_definition(file: Path, made: Made) -> None:
    first = await open_database(f"sqlite:///{file}", call_seconds=60)
    await first.ready()
    await first.close()
    database = await open_database(f"sqlite:///{file}", call_seconds=0.3)
    bot_ = made(database)
    with closing(connect(file, isolation_level=None)) as locker:
        locker.execute("BEGIN IMMEDIATE")
        assert await asked(bot_, "define", "slo") == ("definition", ("slo",))
        assert (await asked(bot_, "define", "zzyzx"))[0] == "unknown"  # which would be counted
        assert (await asked(bot_, "vs", "slo sla"))[0] == "comparison"
        await bot_.close()
    await database.close()


# -- A file over the network, or used twice -----------------------------------------------------------------------


def test_the_second_of_two_stops_with_a_line_that_says_why(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom bot.errors import SettingsError\nfrom bot.state.locking import only_run\n"
        "try:\n    with only_run(sys.argv[1]):\n        print('in', flush=True); sys.stdin.read()\n"
        "except SettingsError as error:\n    sys.exit(str(error))"
    )
    command = [sys.executable, "-c", program, f"sqlite:///{tmp_path / 'state.sqlite'}"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "in\n"
        second = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        assert second.returncode == 1
        assert second.stderr.count("\n") == 1
        assert f"process {first.pid}" in second.stderr
        assert "PostgreSQL" in second.stderr
        # What only looks something up may use the file meanwhile.
        url = f"sqlite:///{tmp_path / 'state.sqlite'}"
        assert Jargonaut(tmp_path, {"DATABASE_URL": url})("define", "slo").code == 0
        first.kill()
    third = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (third.returncode, third.stderr) == (0, "")


# -- Files of somebody else, after the image's user has changed ---------------------------------------------------


@pytest.fixture
def volume() -> Iterator[Path]:
    """Every user may come in here; `tmp_path` is closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


OPENS = """
import asyncio, os, sys
from bot.errors import SettingsError
from bot.request import Person
from bot.state import database, engine
from bot.state.migrations import run
import aiosqlite, alembic.command, sqlalchemy.dialects.sqlite.aiosqlite
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)

async def main():
    try:
        opened = await database.open_database(sys.argv[1], call_seconds=60)
    except SettingsError as error:
        sys.exit(str(error))
    await opened.close()

asyncio.run(main())
"""


def opened_by_another(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", OPENS, f"sqlite:///{file}"], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_files_of_the_former_user_are_named_with_what_to_do(volume: Path) -> None:
    for name in ("app.db", "app.db-wal", "app.db-shm"):
        (volume / name).touch()
        (volume / name).chmod(0o444)
    ended = opened_by_another(volume / "app.db")
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    owner = (volume / "app.db").stat().st_uid
    user = 65534 if os.getuid() == 0 else os.getuid()
    assert f"needs {volume / 'app.db'}, which can't be written" in ended.stderr
    assert f"this is user {user}, it belongs to user {owner}" in ended.stderr
    assert f"chown {user} {volume / 'app.db'}" in ended.stderr


def test_a_file_that_can_be_written_in_a_folder_that_cannot(volume: Path) -> None:
    """Only the file was mounted, but SQLite puts two more beside it."""
    (volume / "app.db").touch()
    (volume / "app.db").chmod(0o666)
    volume.chmod(0o555)
    ended = opened_by_another(volume / "app.db")
    volume.chmod(0o777)
    assert ended.returncode == 1
    assert f"needs {volume}, which can't be written" in ended.stderr
    assert f"chown {65534 if os.getuid() == 0 else os.getuid()} {volume}" in ended.stderr


def test_nothing_is_written_anywhere_else(tmp_path: Path) -> None:
    """With a read-only root file system, the folder of the database is all that can be written."""
    home, folder = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    folder.mkdir()
    variables = {"DATABASE_URL": f"sqlite:///{folder / 'app.db'}", "PYTHONDONTWRITEBYTECODE": "1"}
    jargonaut = Jargonaut(home, variables)
    assert jargonaut("chat", "--json", typed="/lang en\n/define slo\n").code == 0
    assert list(home.iterdir()) == []
    assert [path.name for path in folder.iterdir()] == ["app.db"]
