"""PostgreSQL beyond the contract: start, several processes, and what happens when it's gone, slow or full."""

from __future__ import annotations

import asyncio
import contextlib
import struct
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TypeVar

import asyncpg
import pytest
from sqlalchemy.engine import make_url

import bot
from bot.errors import RefusedError, StoreError
from bot.request import Person
from bot.state.database import lock_key
from bot.state.ports import Limits, Miss, Profile
from bot.state.tables import HEAD
from tests.servers import SERVER, Opener, Way
from tests.stores import ANA, CHANNEL, NOW, note

if not SERVER:
    pytest.skip("TEST_DATABASE_URL isn't set: nothing was tested against PostgreSQL", allow_module_level=True)

pytest_plugins = ("tests.postgresql_fixtures",)

T = TypeVar("T")

ROOT = Path(str(bot.__file__)).parents[1]
DAY = date(2026, 11, 30)
SHORT = 1.0
"""Seconds: a bound for tests in which it is meant to be exceeded."""


async def sql(url: str, statement: str) -> list[tuple[object, ...]]:
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(statement)]
    finally:
        await connection.close()


async def until_it_works(call: Callable[[], Awaitable[T]]) -> T:
    """pytest-timeout ends what never works."""
    while True:
        try:
            return await call()
        except StoreError:
            await asyncio.sleep(0.05)


# Start

COUNTER = """
import asyncio, sys
from datetime import date
from bot.state.database import open_database

async def main():
    print("imported", flush=True)
    sys.stdin.readline()
    database = await open_database(sys.argv[1], call_seconds=60)
    for _ in range(20):
        await database.misses.count("goodput", date(2026, 11, 30))
    await database.close()

asyncio.run(main())
"""


def started_together(url: str) -> list[tuple[str, int]]:
    """What five processes wrote to stderr, and their exit codes."""
    with ExitStack() as stack:
        programs = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-W", "error", "-c", COUNTER, url],
                    cwd=ROOT,
                    text=True,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            )
            for _ in range(5)
        ]
        for program in programs:
            assert program.stdout is not None
            assert program.stdout.readline() == "imported\n"
        for program in programs:
            assert program.stdin is not None
            program.stdin.write("go\n")
            program.stdin.flush()
        return [(program.communicate()[1], program.returncode) for program in programs]


async def test_five_processes_that_start_together_on_an_empty_database(empty: str) -> None:
    assert await asyncio.to_thread(started_together, empty) == [("", 0)] * 5
    assert await sql(empty, "SELECT text, count FROM misses") == [("goodput", 100)]
    assert await sql(empty, "SELECT version_num FROM alembic_version") == [(HEAD,)]


async def test_a_newer_schema_is_refused_with_the_reason(empty: str, opened: Opener) -> None:
    await (await opened(empty)).ready()
    await sql(empty, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(RefusedError, match=r"newer version .*'9999'"):
        await (await opened(empty)).ready(within=60)


async def test_a_database_that_comes_later_is_waited_for(way: tuple[Way, str], opened: Opener) -> None:
    proxy, url = way
    await proxy.refuse()
    database = await opened(url)
    with pytest.raises(StoreError, match="ConnectionRefusedError"):
        await database.ready(within=0.5)
    waiting = asyncio.create_task(database.ready(within=60))
    with pytest.raises(StoreError):
        await database.people.get(ANA)
    await proxy.listen()
    await waiting
    assert await database.people.get(ANA) == Profile("en")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"username": "nobody_of_this_name"}, "doesn't let this user in", id="user"),
        pytest.param({"database": "no_such_database"}, "has no database of the name", id="database"),
    ],
)
async def test_who_is_not_let_in_learns_why_at_once(
    opened: Opener, change: dict[str, str], says: str, caplog: pytest.LogCaptureFixture
) -> None:
    url = make_url(SERVER).set(password="hunter2", **change).render_as_string(hide_password=False)
    database = await opened(url)
    with pytest.raises(RefusedError, match=says) as caught:
        await database.ready(within=60)
    assert "hunter2" not in str(caught.value) + caplog.text
    assert "\n" not in str(caught.value)


async def refuses_every_password(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As much of the protocol as a server speaks that doesn't accept the password."""
    try:
        (length,) = struct.unpack("!I", await reader.readexactly(4))
        startup = await reader.readexactly(length - 4)
        if startup == struct.pack("!I", 80877103):  # asks for encryption
            writer.write(b"N")
            (length,) = struct.unpack("!I", await reader.readexactly(4))
            await reader.readexactly(length - 4)
        writer.write(b"R" + struct.pack("!II", 8, 3))  # send it in clear text
        kind, length = struct.unpack("!cI", await reader.readexactly(5))
        assert kind == b"p"
        await reader.readexactly(length - 4)
        fields = b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user hunter2\0\0"
        writer.write(b"E" + struct.pack("!I", len(fields) + 4) + fields)
        await writer.drain()
    finally:
        writer.close()


async def test_a_wrong_password_is_said_once_and_without_it(opened: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """The server of the tests may trust everybody, so this one is ours."""
    async with await asyncio.start_server(refuses_every_password, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        database = await opened(f"postgresql://jargonaut:hunter2@127.0.0.1:{port}/jargonaut")
        for _ in range(3):
            with pytest.raises(RefusedError, match="refuses the password") as caught:
                await database.ready(within=60)
        assert "hunter2" not in str(caught.value)
    assert "hunter2" not in caplog.text
    assert caplog.text.count("refuses the password") == 1


# The pool


async def test_writes_that_wait_leave_a_connection_to_reads(empty: str, opened: Opener) -> None:
    database = await opened(empty)
    await database.ready()
    other = await asyncpg.connect(empty)
    async with other.transaction():
        await other.execute("SELECT pg_advisory_xact_lock($1)", lock_key(CHANNEL))
        claims = [
            asyncio.create_task(database.notes.claim(CHANNEL, note(f"m{n}", f"c{n}"), Limits(per_hour=99), NOW))
            for n in range(20)
        ]
        await asyncio.sleep(0.1)
        assert await database.people.get(ANA) == Profile()
        assert not any(claim.done() for claim in claims)
    await other.close()
    assert None not in await asyncio.gather(*claims)


async def test_more_at_once_than_there_are_connections(empty: str, opened: Opener) -> None:
    database = await opened(empty, connections=2)
    await asyncio.gather(
        *(database.misses.count("goodput", DAY) for _ in range(100)),
        *(database.people.get(ANA) for _ in range(200)),
    )
    assert await database.misses.top(1) == (Miss("goodput", 100, DAY),)
    used = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    assert await sql(empty, used) == [(2,)]


async def test_two_replicas_that_set_the_same_things_never_block_each_other(empty: str, opened: Opener) -> None:
    replicas = [await opened(empty), await opened(empty)]
    await replicas[0].ready()
    concepts = [f"concept-{number}" for number in range(40)]
    for turn in range(10):
        person = Person("slack", "T1", f"U{turn}")
        await asyncio.gather(
            *(replica.people.know(person, order) for replica in replicas for order in (concepts, concepts[::-1]))
        )
        assert len((await replicas[0].people.get(person)).known) == 40


async def test_the_locks_of_a_replica_that_was_cut_off_end_by_themselves(
    way: tuple[Way, str], empty: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.state.engine.IDLE_IN_TRANSACTION", "200ms")
    proxy, url = way
    database = await opened(url, SHORT)
    await until_it_works(database.ready)
    holds = asyncio.Event()

    async def hold(_connection: object) -> None:
        holds.set()
        await asyncio.Event().wait()

    held = asyncio.create_task(database.change(hold, alone_in=CHANNEL))
    await holds.wait()
    proxy.stall()
    other = await opened(empty)
    assert await other.notes.claim(CHANNEL, note("m1"), Limits(), NOW) == note("m1")
    proxy.flow()
    with contextlib.suppress(StoreError):
        await held
