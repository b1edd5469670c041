"""Runs Alembic from code; there is no alembic.ini."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL

from bot.state.engine import make_engine

LOCK_KEY = int.from_bytes(b"jargonau", signed=True)
"""What PostgreSQL knows the lock of a migration by. Locks of channels are hashes, and so others."""

_one_at_a_time = threading.Lock()
"""Alembic keeps what it works on in module globals."""


def upgrade(url: URL) -> None:
    """Brings the database to the newest revision. Blocks; must not be called where an event loop runs."""
    run(url, lambda config: command.upgrade(config, "head"))


def run(url: URL, action: Callable[[Config], None]) -> None:
    """Runs a command of Alembic in one transaction that has SQLite's write lock, or a lock on the server, from its
    beginning.

    So a second process that starts at the same time waits, and then finds nothing left to do.
    """
    with _one_at_a_time:
        asyncio.run(_run(url, action))


async def _run(url: URL, action: Callable[[Config], None]) -> None:
    def act(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
        action(make_config(connection))

    engine = make_engine(url, migrating=True)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(act)
    finally:
        await engine.dispose()


def make_config(connection: Connection) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "bot.state:migrations")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    return config
