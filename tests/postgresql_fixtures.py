"""Databases on a PostgreSQL server for one test each, and the way to one, which the test may cut, stall or refuse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest

from bot.state.database import Database, open_database
from tests.servers import Opener, Way, database_named, random_name, way_to
from tests.stores import ANA


@pytest.fixture
def empty() -> Iterator[str]:
    """The URL of a database in which nothing was ever made."""
    with database_named(random_name()) as url:
        yield url


@pytest.fixture
async def opened() -> AsyncIterator[Opener]:
    """Opens a database as often as a test wants, and closes all at the end."""
    async with AsyncExitStack() as stack:

        async def open_one(url: str, call_seconds: float = 60.0, connections: int = 4) -> Database:
            database = await open_database(url, call_seconds=call_seconds, connections=connections)
            stack.push_async_callback(database.close)
            return database

        yield open_one


@pytest.fixture
async def way(empty: str) -> AsyncIterator[tuple[Way, str]]:
    """The way to a database that is ready, in which ANA speaks English."""
    database = await open_database(empty, call_seconds=60)
    await database.people.set_language(ANA, "en")
    await database.close()
    async with way_to(empty) as way:
        yield way
