"""The database beyond the contract in test_ports: start, migration, other processes, bounds, what errors say."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from alembic import command
from sqlalchemy import select

import bot
from bot.errors import SettingsError, StoreError
from bot.request import Person
from bot.state.database import Database, open_database
from bot.state.engine import parse_url
from bot.state.migrations.run import run
from bot.state.ports import Miss, Profile
from bot.state.tables import HEAD, REVISIONS, slack_oauth_states

T = TypeVar("T")

ROOT = Path(str(bot.__file__)).parents[1]
ANA = Person("slack", "T1", "U1")
DAY = date(2026, 11, 30)
NAIVE = datetime(2026, 11, 30, tzinfo=UTC).replace(tzinfo=None)
SHORT = 0.3
"""Seconds: a bound for tests in which it is meant to be exceeded."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state.sqlite"


Opener = Callable[..., Awaitable[Database]]


@pytest.fixture
async def opened(file: Path) -> AsyncIterator[Opener]:
    """Opens the file as often as a test wants, and closes all at the end."""
    async with AsyncExitStack() as stack:

        async def open_one(call_seconds: float = 60.0) -> Database:
            database = await open_database(f"sqlite:///{file}", call_seconds=call_seconds)
            stack.push_async_callback(database.close)
            return database

        yield open_one


@pytest.fixture
async def current(file: Path) -> Path:
    """A database with the schema of today in which ANA speaks English and knows one thing."""
    database = await open_database(f"sqlite:///{file}")
    await database.people.set_language(ANA, "en")
    await database.people.know(ANA, ["slo"])
    await database.close()
    return file


NEXT = f"{len(REVISIONS) + 1:04}"
KEPT = Profile("en", False, frozenset({"slo"}))


def execute(file: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(statement).fetchall()


def python(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs Python in a process of its own, where a warning is an error and a thread that hangs is noticed."""
    command_line = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command_line, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


LOCKER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(sys.argv[2])
print("locked", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked_by_another_process(file: Path, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", LOCKER, str(file), begin], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as locker:
        assert locker.stdin is not None
        assert locker.stdout is not None
        assert locker.stdout.readline() == "locked\n"
        try:
            yield
        finally:
            locker.stdin.close()
            locker.wait()


# Start


async def test_what_was_kept_is_there_after_a_restart(current: Path, opened: Opener) -> None:
    assert await (await opened()).people.get(ANA) == KEPT


async def test_a_new_file_answers_reads_at_once(file: Path, opened: Opener) -> None:
    with locked_by_another_process(file, "BEGIN EXCLUSIVE"):  # the migration can't even begin
        database = await opened(SHORT)
        assert await database.people.get(ANA) == Profile()
        assert await database.misses.top(10) == ()
        with pytest.raises(StoreError, match="within"):
            await database.people.set_muted(ANA, True)
    await until_it_works(database.ready)
    await until_it_works(lambda: database.people.set_muted(ANA, True))
    assert await database.people.get(ANA) == Profile(muted=True)


async def test_the_first_write_waits_for_the_tables(opened: Opener) -> None:
    database = await opened()
    await database.people.set_muted(ANA, True)
    assert await database.people.get(ANA) == Profile(muted=True)


async def test_an_old_schema_is_migrated_before_the_first_read(current: Path, opened: Opener) -> None:
    await asyncio.to_thread(run, parse_url(f"sqlite:///{current}"), lambda config: command.downgrade(config, "base"))
    with locked_by_another_process(current):
        database = await opened(SHORT)
        with pytest.raises(StoreError, match="within"):
            await database.people.get(ANA)
    await until_it_works(database.ready)
    assert await database.people.get(ANA) == Profile()


async def test_a_newer_schema_is_refused_with_the_reason(
    current: Path, opened: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    execute(current, "UPDATE alembic_version SET version_num = '9999'")
    database = await opened()
    for call in (database.ready, lambda: database.people.get(ANA), lambda: database.people.forget(ANA)):
        with pytest.raises(StoreError, match=r"newer version .*'9999'"):
            await call()
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 1  # not again with every call
    assert "newer version" in errors[0]
    execute(current, f"UPDATE alembic_version SET version_num = '{HEAD}'")
    assert await database.people.get(ANA) == KEPT


@pytest.fixture
def no_database(file: Path) -> None:
    file.write_text("not a database, but long enough to be taken for one\n" * 20)


@pytest.mark.usefixtures("no_database")
async def test_a_file_that_is_no_database(opened: Opener) -> None:
    database = await opened()
    with pytest.raises(StoreError, match="SQLITE_NOTADB"):
        await database.ready()


async def test_a_path_that_cannot_be_used_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=str(tmp_path / "file")):
        await open_database(f"sqlite:///{tmp_path / 'file' / 'state.sqlite'}")


READ_ONE = """
import asyncio, sys
from bot.request import Person
from bot.state.database import open_database

async def main():
    database = await open_database(sys.argv[1])
    print((await database.people.get(Person("slack", "T1", "U1"))).language)
    {close}

asyncio.run(main())
print("alembic" in sys.modules)
"""


def test_a_current_schema_needs_no_alembic(current: Path) -> None:
    result = python("-c", READ_ONE.format(close="await database.close()"), f"sqlite:///{current}")
    assert (result.stdout, result.stderr) == ("en\nFalse\n", "")


def test_a_program_that_forgets_to_close_ends_all_the_same(current: Path) -> None:
    result = python("-c", READ_ONE.format(close=""), f"sqlite:///{current}")
    assert (result.returncode, result.stdout) == (0, "en\nFalse\n")


COUNTER = """
import asyncio, sys
from datetime import UTC, date, datetime
from bot.state.database import open_database

async def main():
    print("imported", flush=True)
    sys.stdin.readline()
    database = await open_database(sys.argv[1], call_seconds=60)
    for _ in range(25):
        await database.misses.count("goodput", date(2026, 11, 30))
    await database.close()

asyncio.run(main())
"""


def test_processes_that_start_together_on_a_new_file(file: Path) -> None:
    with ExitStack() as stack:
        programs = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-W", "error", "-c", COUNTER, f"sqlite:///{file}"],
                    cwd=ROOT,
                    text=True,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            )
            for _ in range(4)
        ]
        for program in programs:
            assert program.stdout is not None
            assert program.stdout.readline() == "imported\n"
        for program in programs:
            assert program.stdin is not None
            program.stdin.write("go\n")
            program.stdin.flush()
        endings = [(program.communicate()[1], program.returncode) for program in programs]
    assert endings == [("", 0)] * 4
    assert execute(file, "SELECT text, count FROM misses") == [("goodput", 100)]


@pytest.fixture
def later_version(tmp_path: Path) -> Path:
    """A copy of this project in which a column changes; for that, SQLite needs the table to be made anew."""
    folder = tmp_path / "later"
    shutil.copytree(ROOT / "bot", folder / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    tables = folder / "bot" / "state" / "tables.py"

    def change(old: str, new: str) -> None:
        assert old in tables.read_text()
        tables.write_text(tables.read_text().replace(old, new))

    change('Column("language", Text)', 'Column("language", Text, server_default="en")')
    written = python("-m", "bot.state.migrations", "everybody speaks English", folder=folder)
    assert written.stderr == ""
    assert (tables.parent / "migrations" / "versions" / f"{NEXT}_everybody_speaks_english.py").is_file()
    change(f'"{HEAD}")', f'"{HEAD}", "{NEXT}")')
    return folder


async def test_a_later_version_brings_an_old_database_along(current: Path, later_version: Path, opened: Opener) -> None:
    program = READ_ONE.format(close="await database.close()")
    result = await asyncio.to_thread(python, "-c", program, f"sqlite:///{current}", folder=later_version)
    assert (result.stdout, result.stderr) == ("en\nTrue\n", "")
    assert execute(current, "SELECT version_num FROM alembic_version") == [(NEXT,)]
    assert execute(current, "SELECT id, concept FROM known") == [("U1", "slo")]
    with pytest.raises(StoreError, match="newer version"):
        await (await opened()).ready()


async def test_others_find_their_tables_in_the_same_database(opened: Opener) -> None:
    database = await opened()
    await database.ready()
    async with database.engine.begin() as connection:
        await connection.execute(slack_oauth_states.insert(), {"state": "s", "expire_at": NAIVE})
    async with database.engine.connect() as connection:
        assert (await connection.execute(select(slack_oauth_states.c.state))).scalars().all() == ["s"]


# Several at once


async def test_two_databases_on_one_file_lose_no_write(opened: Opener) -> None:
    databases = [await opened(), await opened()]
    await asyncio.gather(*(database.misses.count("goodput", DAY) for database in databases for _ in range(15)))
    assert await databases[0].misses.top(1) == (Miss("goodput", 30, DAY),)


@pytest.mark.parametrize("_round", range(10))
async def test_many_open_one_new_file_at_the_same_moment(tmp_path: Path, _round: int) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    databases = [await open_database(url, call_seconds=60) for _ in range(6)]
    await asyncio.gather(*(database.ready() for database in databases))
    await asyncio.gather(*(database.misses.count("goodput", DAY) for database in databases))
    assert await databases[0].misses.top(1) == (Miss("goodput", 6, DAY),)
    await asyncio.gather(*(database.close() for database in databases))


async def test_several_new_files_in_one_process(tmp_path: Path) -> None:
    databases = [await open_database(f"sqlite:///{tmp_path / str(number)}", call_seconds=60) for number in range(8)]
    await asyncio.gather(*(database.people.set_muted(ANA, True) for database in databases))
    assert [await database.people.get(ANA) for database in databases] == [Profile(muted=True)] * 8
    await asyncio.gather(*(database.close() for database in databases))


async def test_reads_go_on_while_writes_wait_for_another_process(current: Path, opened: Opener) -> None:
    database = await opened()
    await database.ready()
    with locked_by_another_process(current):
        writes = [asyncio.create_task(database.misses.count("goodput", DAY)) for _ in range(20)]
        await asyncio.sleep(0)  # now they have begun
        assert await database.people.get(ANA) == KEPT
        assert not any(write.done() for write in writes)
    await asyncio.gather(*writes)
    assert await database.misses.top(1) == (Miss("goodput", 20, DAY),)


async def test_a_lock_that_stays_fails_in_time_and_later_works_again(current: Path, opened: Opener) -> None:
    database = await opened(SHORT)
    await until_it_works(database.ready)
    with locked_by_another_process(current):  # held until the block ends: to get on at all is the proof
        answers = await asyncio.gather(
            *(database.people.set_language(ANA, "both") for _ in range(20)), return_exceptions=True
        )
        assert [type(answer) for answer in answers] == [StoreError] * 20
        assert "within 0.3 s" in str(answers[0])
    await until_it_works(lambda: database.people.set_muted(ANA, True))
    # A write that was reported as failed isn't carried out afterwards.
    assert await until_it_works(lambda: database.people.get(ANA)) == Profile("en", True, frozenset({"slo"}))


async def test_a_cancelled_call_leaves_the_database_usable(current: Path, opened: Opener) -> None:
    database = await opened()
    await database.ready()
    with locked_by_another_process(current):
        call = asyncio.create_task(database.people.set_language(ANA, "both"))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    await database.people.set_muted(ANA, True)
    assert await database.people.get(ANA) == Profile("en", True, frozenset({"slo"}))


async def until_it_works(call: Callable[[], Awaitable[T]]) -> T:
    """For calls with a short bound: a slow machine may need a second try. pytest-timeout ends what never works."""
    while True:
        try:
            return await call()
        except StoreError:
            continue


# Errors and endings


async def test_errors_hold_nothing_of_what_was_said(current: Path, opened: Opener) -> None:
    database = await opened()
    await database.ready()
    execute(current, "DROP TABLE misses")
    execute(current, "DROP TABLE known")
    secret = Person("slack", "secret", "secret")
    for call in (
        lambda: database.misses.count("secret", DAY),
        lambda: database.people.get(secret),
        lambda: database.people.know(secret, ["secret"]),
        lambda: database.people.set_muted(Person("slack", "secret", "secret\ud800"), True),  # no UTF-8
    ):
        with pytest.raises(StoreError) as caught:
            await call()
        assert "secret" not in "".join(traceback.format_exception(caught.value))
        assert str(caught.value).startswith("the database failed: ")
        assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)  # nor what the driver said


async def test_half_a_write_is_no_write(current: Path, opened: Opener) -> None:
    database = await opened()
    execute(current, "DROP TABLE known")
    with pytest.raises(StoreError):
        await database.people.know(Person("slack", "T1", "new"), ["slo"])
    assert execute(current, "SELECT id FROM people") == [("U1",)]


async def test_the_file_keeps_a_write_ahead_log(current: Path) -> None:
    assert execute(current, "PRAGMA journal_mode") == [("wal",)]


async def test_close_ends_every_thread_and_finishes_what_was_begun(current: Path) -> None:
    before = set(threading.enumerate())
    database = await open_database(f"sqlite:///{current}")
    await database.ready()
    call = asyncio.create_task(database.people.set_muted(ANA, True))
    await asyncio.gather(*(database.people.get(ANA) for _ in range(20)))
    await database.close()
    await call
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=30)  # it says that it is done a moment before it ends
        assert not thread.is_alive()
    assert sorted(path.name for path in current.parent.iterdir()) == [current.name]  # the log was merged into the file
    assert execute(current, "SELECT muted FROM people") == [(1,)]


async def test_closing_before_the_first_migration_ended(file: Path) -> None:
    database = await open_database(f"sqlite:///{file}")
    await database.close()
    assert execute(file, "SELECT version_num FROM alembic_version") == [(HEAD,)]
