"""The store in a database: SQLite by default.

No call takes longer than the store's `call_seconds`. What SQLAlchemy raises becomes `StoreError`, which names the kind
of failure and never a value.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import Executable, Table, delete, inspect, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import RefusedError, StoreError
from bot.request import Person, Place
from bot.state import tables
from bot.state.database_channels import DatabaseChannels, DatabaseHandled
from bot.state.database_counters import DatabaseCounters
from bot.state.database_leases import DatabaseLeases
from bot.state.database_notes import DatabaseNotes
from bot.state.database_people import NOBODY, DatabaseMisses, DatabasePeople
from bot.state.engine import CONNECTIONS, make_engine, parse_url, prepare_file, sqlite_file
from bot.state.faults import Outage, is_of_the_database, kind, refusal
from bot.state.ports import Channel, Profile, Store, check_tenant
from bot.state.tables import HEAD, REVISIONS, channels, people

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    Insert: TypeAlias = sqlite.Insert | postgresql.Insert

T = TypeVar("T")

CALL_SECONDS = 2.0
"""Seconds that one call may take."""

PATIENCE = 0.2
"""Of `CALL_SECONDS`: a server that answered nothing for so long isn't asked more until it does, or is asked anew."""

READY_WAITS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between the tries to reach a database that is away at the start; the last one again and again."""

WAL_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
"""Seconds between the tries to turn a new file's write-ahead log on, while somebody else does the same."""

log = logging.getLogger(__name__)


async def open_database(url: str, *, call_seconds: float = CALL_SECONDS, connections: int = CONNECTIONS) -> Database:
    """Comes back before the database was asked anything; the schema is looked at, and migrated, in the background.

    `url`: see `engine.parse_url`. `call_seconds`: what one call may take. `connections`: this process's, at most.
    Raises `SettingsError` if the URL or the file can't be used. A database that is away is no error here: calls raise
    `StoreError` until it is back.
    """
    parsed = parse_url(url)
    file = sqlite_file(parsed)
    empty = prepare_file(file) if file else parsed.get_backend_name() == "sqlite"
    database = Database(parsed, call_seconds=call_seconds, connections=connections, empty=empty)
    database.prepare()
    return database


class Database:
    """Implements `Store`. Made by `open_database`."""

    def __init__(self, url: URL, *, call_seconds: float, connections: int, empty: bool) -> None:
        """`empty`: nothing can be stored yet, so reads needn't wait for the schema."""
        self._url = url
        self._call_seconds = call_seconds
        self._empty = empty
        self._on_server = url.get_backend_name() == "postgresql"
        self._engine = make_engine(url, connections=connections)
        self._writing_engine = self._engine.execution_options(writes=True)
        # A lone statement needs no transaction, which would cost two more ways to a server.
        alone = {"isolation_level": "AUTOCOMMIT"} if self._on_server else {}
        self._reading_engine = self._engine.execution_options(**alone)
        self._one_write_engine = self._reading_engine if self._on_server else self._writing_engine
        # SQLite has one writer at a time. Waiting for one's turn here is fair; in SQLite the luckiest gets it.
        # On a server writes may wait for each other; one connection is left to those who only read.
        self._writers = asyncio.Semaphore(max(1, connections - 1) if self._on_server else 1)
        self._outage = Outage(time.monotonic, call_seconds * PATIENCE if self._on_server else math.inf)
        self._preparation: asyncio.Task[None] | None = None
        self._complaint = ""
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False
        insert = insert_for(url.get_backend_name())
        self.people = DatabasePeople(self, insert)
        self.misses = DatabaseMisses(self, insert)
        self.channels = DatabaseChannels(self, insert)
        self.notes = DatabaseNotes(self, insert)
        self.handled = DatabaseHandled(self, insert)
        self.leases = DatabaseLeases(self, insert)
        self.counters = DatabaseCounters(self, insert)

    @property
    def engine(self) -> AsyncEngine:
        """For what else stands in the same database, such as Slack's installations; await `ready` first.

        On SQLite each statement is a transaction of its own.
        """
        return self._engine

    async def ready(self, *, within: float = 0.0) -> None:
        """Waits until the schema is the one that this version needs; for checks at start-up and for tests.

        `within`: for so many seconds a database that is away is asked again. Raises `StoreError` if it's still away
        then, and `RefusedError` at once if waiting doesn't help.
        """
        ends = time.monotonic() + within
        waits = iter(READY_WAITS)
        wait = 0.0
        while True:
            try:
                return await self._bounded(self._prepared())
            except RefusedError:
                raise
            except StoreError:
                wait = next(waits, wait)
                if self._closed or time.monotonic() + wait > ends:
                    raise
            await asyncio.sleep(wait)

    async def answers(self) -> bool:
        """Whether the database can be asked now; for health checks."""
        try:
            await self.read(text("SELECT 1"), {})
        except StoreError:
            return False
        return True

    async def read(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Any]:
        """The rows of one SELECT; none from a new database whose tables are still being made."""
        if self._empty and not self._is_prepared() and not self._closed:
            self.prepare()
            return ()

        async def work() -> Sequence[Any]:
            await self._prepared()
            async with self._reading_engine.connect() as connection:
                return (await connection.execute(statement, values)).all()

        return await self._bounded(work())

    async def write(self, *steps: tuple[Executable, Sequence[Mapping[str, Any]]]) -> None:
        """Runs each statement once for each of its rows of values; all of it happens or nothing."""

        async def work(connection: AsyncConnection) -> None:
            for statement, rows in steps:
                await connection.execute(statement, rows)

        await self.change(work)

    async def write_one(self, statement: Executable, values: Mapping[str, Any]) -> int:
        """Runs one statement, and says how many rows it changed.

        Cheaper than `change`, but on a server it may still happen after this has raised `StoreError`.
        """

        async def work() -> int:
            await self._prepared()
            async with self._writers, self._one_write_engine.begin() as connection:
                return (await connection.execute(statement, values)).rowcount

        return await self._bounded(work())

    async def change(self, work: Callable[[AsyncConnection], Awaitable[T]], alone_in: Place | None = None) -> T:
        """What `work` gives, in one transaction that writes.

        `alone_in`: no other transaction that gives the same channel runs at the same time, in no process. So what
        `work` reads there is still true when it writes.
        """

        async def transaction() -> T:
            await self._prepared()
            async with self._writers, self._writing_engine.begin() as connection:
                if alone_in and self._on_server:  # SQLite has one writer anyway
                    key = lock_key(alone_in)
                    await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
                return await work(connection)

        return await self._bounded(transaction())

    async def forget_tenant(self, platform: str, tenant: str) -> None:
        check_tenant(tenant)
        of_tenant = [table for table in tables.metadata.sorted_tables if "tenant" in table.c]
        set_by_them = (channels.c.by_platform == platform, channels.c.by_home == tenant)
        await self.write(
            *(
                (delete(table).where(table.c.platform == platform, table.c.tenant == tenant), [{}])
                for table in of_tenant
            ),
            (delete(people).where(people.c.platform == platform, people.c.home == tenant), [{}]),
            (update(channels).where(*set_by_them).values(NOBODY), [{}]),
        )

    def at_hand(self, person: Person, place: Place) -> tuple[Profile, Channel] | None:
        return None

    async def close(self) -> None:
        self._closed = True
        while unfinished := [task for task in (*self._running, self._preparation) if task and not task.done()]:
            await asyncio.wait(unfinished)
        await self._engine.dispose()

    async def _bounded(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` gives, in time, or `StoreError`.

        A task of its own, because a cancelled SQLite call ends only when its thread does, up to BUSY_SECONDS later.
        """
        if self._closed:
            work.close()
            raise StoreError("the database is closed")
        if self._outage.lasts():
            work.close()
            raise StoreError("the database isn't answering")
        self._outage.asked()
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        try:
            await asyncio.wait({task}, timeout=self._call_seconds)
        finally:
            in_time = task.done()
            if in_time:
                self._outage.answered()
            else:
                self._outage.gave_up()
                task.cancel()
        if not in_time:
            raise StoreError(f"the database didn't answer within {self._call_seconds:g} s")
        try:
            return task.result()
        except Exception as error:
            if not is_of_the_database(error):
                raise
            # Without the cause: a server's message may quote the values.
            raise _worded(error) from None

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # of a task that nobody waits for any more; asyncio would complain that it was never read

    # The schema

    def prepare(self) -> asyncio.Task[None]:
        """Begins to bring the schema up to date, unless that is done or under way; a failed attempt is repeated."""
        if self._preparation is None or (self._preparation.done() and not self._is_prepared()):
            self._preparation = asyncio.create_task(self._prepare())
            self._preparation.add_done_callback(self._log_failure)
        return self._preparation

    def _is_prepared(self) -> bool:
        task = self._preparation
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    async def _prepared(self) -> None:
        if not self._is_prepared():
            await asyncio.shield(self.prepare())

    async def _prepare(self) -> None:
        in_file = sqlite_file(self._url) is not None
        async with self._engine.connect() as connection:
            if in_file:
                await _use_wal(connection)
            revision = await _revision(connection)
        if revision == HEAD:
            return
        if revision is not None and revision not in REVISIONS:
            raise RefusedError(
                f"a newer version of jargonaut made this database: its schema is {revision!r}, this version knows "
                f"up to {HEAD!r}. Install the newer version, or set the database URL to another database"
            )
        if self._url.get_backend_name() == "sqlite" and not in_file:
            async with self._writing_engine.begin() as connection:  # nothing older can be in there
                await connection.run_sync(tables.metadata.create_all)
        else:
            await asyncio.to_thread(_migrate, self._url)

    def _log_failure(self, preparation: asyncio.Task[None]) -> None:
        """Every call begins a failed preparation again; what it says is logged when it is news."""
        if preparation.cancelled():
            return
        error = preparation.exception()
        complaint = "" if error is None else str(error) if isinstance(error, StoreError) else str(_worded(error))
        if complaint and complaint != self._complaint:
            log.error("can't use the database: %s", complaint)
        self._complaint = complaint


async def _use_wal(connection: AsyncConnection) -> None:
    """Turns the write-ahead log on, which the file remembers.

    Of two that do this to a new file at the same moment one is refused at once, whatever the busy timeout.
    """
    for wait in WAL_WAITS:
        try:
            await connection.execute(text("PRAGMA journal_mode = WAL"))
        except OperationalError:
            await asyncio.sleep(wait)
        else:
            return
    await connection.execute(text("PRAGMA journal_mode = WAL"))


async def _revision(connection: AsyncConnection) -> str | None:
    """The schema's revision; None: no revision has run."""
    if not await connection.run_sync(lambda sync: inspect(sync).has_table("alembic_version")):
        return None
    revision = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar()
    return None if revision is None else str(revision)


def _migrate(url: URL) -> None:
    # Imported here, in a thread: Alembic is slow to import and a current schema doesn't need it.
    from bot.state.migrations.run import upgrade

    upgrade(url)


def _worded(error: BaseException) -> StoreError:
    """What the caller gets to know of a failure."""
    reason = refusal(error)
    return RefusedError(reason) if reason else StoreError(f"the database failed: {kind(error)}")


def insert_for(dialect: str) -> Callable[[Table], Insert]:
    """The `insert` that knows ON CONFLICT; each dialect of SQLAlchemy has its own."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert
    from sqlalchemy.dialects import sqlite

    return sqlite.insert


def lock_key(place: Place) -> int:
    """What PostgreSQL knows the lock of a channel by: 64 bits with a sign, the same in every process."""
    name = f"{place.platform}\0{place.channel}".encode()
    return int.from_bytes(hashlib.sha256(name).digest()[:8], signed=True)


if TYPE_CHECKING:
    _database: type[Store] = Database  # mypy names the member that is missing
