"""The store in a database: SQLite by default.

No call takes longer than the store's `call_seconds`. What SQLAlchemy raises becomes `StoreError`, which names the kind
of failure and never a value.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import Executable, Table, and_, bindparam, delete, inspect, select, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.answer import Shown
from bot.errors import StoreError
from bot.request import Person, Place, short_hash
from bot.state import tables
from bot.state.database_channels import DatabaseChannels, DatabaseHandled
from bot.state.database_leases import DatabaseLeases
from bot.state.database_notes import DatabaseNotes
from bot.state.engine import make_engine, parse_url, prepare_file, sqlite_file
from bot.state.ports import Miss, Profile, Store, check_tenant
from bot.state.tables import HEAD, REVISIONS, channels, known, known_here, misses, notes, people, votes

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    Insert: TypeAlias = sqlite.Insert | postgresql.Insert

T = TypeVar("T")

CALL_SECONDS = 2.0
"""Seconds that one call may take."""

WAL_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
"""Seconds between the tries to turn a new file's write-ahead log on, while somebody else does the same."""

log = logging.getLogger(__name__)


async def open_database(url: str, *, call_seconds: float = CALL_SECONDS) -> Database:
    """Comes back before the database was asked anything; the schema is looked at, and migrated, in the background.

    `url`: see `engine.parse_url`. `call_seconds`: what one call may take. Raises `SettingsError` if the URL or the file
    can't be used. A database that is away is no error here: calls raise `StoreError` until it is back.
    """
    parsed = parse_url(url)
    file = sqlite_file(parsed)
    empty = prepare_file(file) if file else parsed.get_backend_name() == "sqlite"
    database = Database(parsed, call_seconds=call_seconds, empty=empty)
    database.prepare()
    return database


class Database:
    """Implements `Store`. Made by `open_database`."""

    def __init__(self, url: URL, *, call_seconds: float, empty: bool) -> None:
        """`empty`: nothing can be stored yet, so reads needn't wait for the schema."""
        self._url = url
        self._call_seconds = call_seconds
        self._empty = empty
        self._engine = make_engine(url)
        self._writing_engine = self._engine.execution_options(writes=True)
        # SQLite has one writer at a time. Waiting for one's turn here is fair; in SQLite the luckiest gets it.
        self._one_writer = asyncio.Lock()
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

    @property
    def engine(self) -> AsyncEngine:
        """For what else stands in the same database, such as Slack's installations; await `ready` first.

        On SQLite each statement is a transaction of its own.
        """
        return self._engine

    async def ready(self) -> None:
        """Waits until the schema is the one that this version needs; for checks at start-up and for tests.

        Raises `StoreError` if that takes longer than one call may, or if a newer version made the database.
        """
        await self._bounded(self._prepared())

    async def read(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Any]:
        """The rows of one SELECT; none from a new database whose tables are still being made."""
        if self._empty and not self._is_prepared() and not self._closed:
            self.prepare()
            return ()

        async def work() -> Sequence[Any]:
            await self._prepared()
            async with self._engine.connect() as connection:
                return (await connection.execute(statement, values)).all()

        return await self._bounded(work())

    async def write(self, *steps: tuple[Executable, Sequence[Mapping[str, Any]]]) -> None:
        """Runs each statement once for each of its rows of values; all of it happens or nothing."""

        async def work(connection: AsyncConnection) -> None:
            for statement, rows in steps:
                await connection.execute(statement, rows)

        await self.change(work)

    async def change(self, work: Callable[[AsyncConnection], Awaitable[T]], alone_in: Place | None = None) -> T:
        """What `work` gives, in one transaction that writes.

        `alone_in`: no other transaction that gives the same channel runs at the same time, in no process. So what
        `work` reads there is still true when it writes.
        """

        async def transaction() -> T:
            await self._prepared()
            async with self._one_writer, self._writing_engine.begin() as connection:
                if alone_in and self._url.get_backend_name() == "postgresql":  # SQLite has one writer anyway
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
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        try:
            await asyncio.wait({task}, timeout=self._call_seconds)
        finally:
            in_time = task.done()
            if not in_time:
                task.cancel()
        if not in_time:
            raise StoreError(f"the database didn't answer within {self._call_seconds:g} s")
        try:
            return task.result()
        except (SQLAlchemyError, OSError, UnicodeError) as error:  # UnicodeError: half a surrogate pair
            # Without the cause: a server's message may quote the values.
            raise StoreError(f"the database failed: {_kind(error)}") from None

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
            raise StoreError(
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
        complaint = "" if error is None else str(error) if isinstance(error, StoreError) else _kind(error)
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


def _kind(error: BaseException) -> str:
    """The kind of a failure without any value: `OperationalError SQLITE_BUSY`, `IntegrityError 23503`."""
    origin = getattr(error, "orig", None)
    code = getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None)
    return f"{type(error).__name__} {code}" if code else type(error).__name__


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


PERSON = ("platform", "home", "id")

NOBODY = {"set_by": "", "by_platform": None, "by_home": None, "by_id": None}
"""Of a channel that was set by somebody who was forgotten."""


def _values(person: Person) -> dict[str, Any]:
    return {"platform": person.platform, "home": person.home, "id": person.id}


class DatabasePeople:
    """Implements `People`."""

    def __init__(self, database: Database, insert: Callable[[Table], Insert]) -> None:
        self._database = database
        one = and_(*(people.c[name] == bindparam(name) for name in PERSON))
        self._get = (
            select(people.c.language, people.c.muted, known.c.concept).select_from(people.outerjoin(known)).where(one)
        )
        row = insert(people)
        self._set_language = row.on_conflict_do_update(index_elements=PERSON, set_={"language": row.excluded.language})
        self._set_muted = row.on_conflict_do_update(index_elements=PERSON, set_={"muted": row.excluded.muted})
        self._add = row.on_conflict_do_nothing()
        self._know = insert(known).on_conflict_do_nothing()
        self._unknow = delete(known).where(*(known.c[name] == bindparam(name) for name in (*PERSON, "concept")))
        self._forget = delete(people).where(one)

    async def get(self, person: Person) -> Profile:
        rows = await self._database.read(self._get, _values(person))
        if not rows:
            return Profile()
        return Profile(
            language=rows[0].language,
            muted=rows[0].muted,
            known=frozenset(row.concept for row in rows if row.concept is not None),
        )

    async def set_language(self, person: Person, language: Shown | None) -> None:
        await self._database.write((self._set_language, [_values(person) | {"language": language}]))

    async def set_muted(self, person: Person, muted: bool) -> None:
        await self._database.write((self._set_muted, [_values(person) | {"muted": muted}]))

    async def know(self, person: Person, concepts: Collection[str]) -> None:
        if concepts:
            rows = [_values(person) | {"concept": concept} for concept in concepts]
            await self._database.write((self._add, [_values(person)]), (self._know, rows))

    async def unknow(self, person: Person, concepts: Collection[str]) -> None:
        if concepts:
            await self._database.write((self._unknow, [_values(person) | {"concept": concept} for concept in concepts]))

    async def forget(self, person: Person) -> None:
        hashed = short_hash(person)
        set_by_them = (channels.c[f"by_{name}"] == value for name, value in _values(person).items())
        voted = (votes.c.platform == person.platform, votes.c.voter == hashed)
        knew = (known_here.c.platform == person.platform, known_here.c.reader == hashed)
        wrote = (notes.c.platform == person.platform, notes.c.author == hashed)
        await self._database.write(
            (self._forget, [_values(person)]),  # what they know goes with the row
            (update(channels).where(*set_by_them).values(NOBODY), [{}]),
            (delete(votes).where(*voted), [{}]),
            (delete(known_here).where(*knew), [{}]),
            (update(notes).where(*wrote).values(author=""), [{}]),
        )


class DatabaseMisses:
    """Implements `Misses`."""

    def __init__(self, database: Database, insert: Callable[[Table], Insert]) -> None:
        self._database = database
        row = insert(misses)
        self._count = row.on_conflict_do_update(
            index_elements=["text"],
            set_={"count": misses.c["count"] + 1, "last_day": row.excluded.last_day},
        )
        self._top = (
            select(misses)
            .where(misses.c["count"] >= bindparam("at_least"))
            .order_by(misses.c["count"].desc(), misses.c.text)
            .limit(bindparam("limit"))
        )

    async def count(self, text: str, day: date) -> None:
        await self._database.write((self._count, [{"text": text, "count": 1, "last_day": day}]))

    async def top(self, limit: int, at_least: int = 2) -> tuple[Miss, ...]:
        rows = await self._database.read(self._top, {"limit": limit, "at_least": at_least})
        return tuple(Miss(*row) for row in rows)


if TYPE_CHECKING:
    _database: type[Store] = Database  # mypy names the member that is missing
