"""PostgreSQL for tests: databases of their own on a server, and a way to it that a test can cut, stall and refuse."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final, TypeAlias

import asyncpg
from sqlalchemy.engine import URL, make_url

from bot.state.database import Database

SERVER: Final = os.environ.get("TEST_DATABASE_URL", "")
"""A server where the tests may make databases and drop them: `postgresql://postgres@127.0.0.1:5432/postgres`."""


Opener: TypeAlias = Callable[..., Awaitable[Database]]
"""Opens a database as often as a test wants; all are closed at its end."""


def url_to(name: str) -> str:
    """Of a database on the server; empty: there's no server."""
    return make_url(SERVER).set(database=name).render_as_string(hide_password=False) if SERVER else ""


def random_name() -> str:
    return f"jargonaut_test_{secrets.token_hex(6)}"


_NAME: Final = random_name()

DATABASE: Final = url_to(_NAME)
"""The database of this run of the tests; `shared_database` makes it."""


@contextmanager
def database_named(name: str) -> Iterator[str]:
    """The URL of a new and empty database, which is dropped at the end, whoever still uses it."""
    asyncio.run(_execute(f"CREATE DATABASE {name}"))
    try:
        yield url_to(name)
    finally:
        asyncio.run(_execute(f"DROP DATABASE {name} WITH (FORCE)"))


@contextmanager
def shared_database() -> Iterator[None]:
    if not SERVER:
        yield
        return
    with database_named(_NAME):
        yield


async def _execute(statement: str) -> None:
    connection = await asyncpg.connect(SERVER.replace("postgres+asyncpg", "postgresql"))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


class Way:
    """A TCP proxy in this process. Made by `way_to`."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._flows = asyncio.Event()
        self._flows.set()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None] | None] = set()
        self.port = 0

    def stall(self) -> None:
        """Nothing gets through any more, and nobody is told: as with packets that are dropped."""
        self._flows.clear()

    def flow(self) -> None:
        """What was held back gets through, and all that follows."""
        self._flows.set()

    def cut(self) -> None:
        """Every connection ends at once; new ones are welcome."""
        for writer in self._open:
            writer.transport.abort()

    async def refuse(self) -> None:
        """Nobody listens here any more, and every connection ends."""
        if self._server:
            self._server.close()
            self._server = None
        self.cut()

    async def listen(self) -> None:
        """Again, on the same port."""
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def end(self) -> None:
        await self.refuse()
        for task in (tasks := [task for task in self._tasks if task]):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.current_task())
        self._open.add(writer)
        try:
            await self._flows.wait()
            there_reader, there_writer = await asyncio.open_connection(*self._target)
        except (OSError, asyncio.CancelledError):
            self._open.discard(writer)
            writer.transport.abort()
            return
        for source, sink in ((reader, there_writer), (there_reader, writer)):
            self._open.add(sink)
            self._tasks.add(asyncio.create_task(self._pump(source, sink)))

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError):
                while data := await source.read(65536):
                    await self._flows.wait()
                    sink.write(data)
                    await sink.drain()
        finally:
            self._open.discard(sink)
            sink.close()


@asynccontextmanager
async def way_to(url: str) -> AsyncIterator[tuple[Way, str]]:
    """A way to a database, and the URL that goes this way."""
    target: URL = make_url(url)
    way = Way(target.host or "127.0.0.1", target.port or 5432)
    await way.listen()
    try:
        yield way, target.set(host="127.0.0.1", port=way.port).render_as_string(hide_password=False)
    finally:
        await way.end()
