"""From a database URL to an engine: which URLs are understood, the file behind them, how a connection is set up."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool

from bot.errors import SettingsError

DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",  # as many hosting services write it
}

SERVER_OPTIONS = {"host", "port", "ssl", "sslmode"}
"""What may stand behind the question mark of a PostgreSQL URL."""

BUSY_SECONDS = 5
"""So long SQLite waits for another process's write, and PostgreSQL's driver for a connection, before it fails."""

COMMAND_SECONDS = 5
"""So long PostgreSQL's driver waits for one statement: longer than any call, for what nobody waits for any more."""

MIGRATION_SECONDS = 60
"""The same while migrating: replicas that start together wait for each other."""

IDLE_IN_TRANSACTION = "10s"
"""After this PostgreSQL ends the transaction of a replica that was cut off, and with it its locks."""

CONNECTIONS = 4
"""Of one process. Each SQLite connection is a thread; one writes, the others read."""


def parse_url(text: str) -> URL:
    """Takes `sqlite:///relative.sqlite`, `sqlite:////absolute.sqlite`, `sqlite://` (memory) and `postgresql://…`.

    `postgres://` is the same. With or without the name of a driver: it always comes back with the asynchronous one.

    Raises `SettingsError`, which doesn't repeat the text: it may hold a password.
    """
    try:
        url = make_url(text)
        driver = DRIVERS[url.get_backend_name()]
    except (ArgumentError, KeyError, ValueError):  # ValueError: a port that is no number
        raise SettingsError(
            "the database URL must look like sqlite:///jargonaut.sqlite or postgresql://user:password@host/name"
        ) from None
    if url.get_backend_name() == "sqlite" and (url.query or (url.database or "").startswith("file:")):
        raise SettingsError("the URL of an SQLite database is a plain path, without file: and without options")
    url = url.set(drivername=driver)
    if url.get_backend_name() == "postgresql":
        return _with_known_options(url)
    file = sqlite_file(url)
    return url.set(database=str(file.absolute())) if file else url


def _with_known_options(url: URL) -> URL:
    """The options under the names that the driver knows; it would trip over others with every connection."""
    if unknown := sorted(set(url.query) - SERVER_OPTIONS):
        known = ", ".join(sorted(SERVER_OPTIONS))
        raise SettingsError(f"the database URL has an option that isn't known: {unknown[0]}. There are: {known}")
    if "sslmode" not in url.query:
        return url
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})


def sqlite_file(url: URL) -> Path | None:
    """The file that holds the database; None if it is in memory or on a server."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def prepare_file(path: Path) -> bool:
    """Creates what is missing, readable by this user only. True: nothing is stored in it yet.

    Raises `SettingsError` unless the file and its folder can be written: SQLite puts two more files beside it.
    """
    folder = path.parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SettingsError(_unwritable(folder, error)) from None
    for existing in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        # Never opened to find out: closing a second descriptor would drop the locks that SQLite holds in this process.
        if existing.exists() and (not existing.is_file() or not _writable(existing)):
            raise SettingsError(_unwritable(existing))
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return path.stat().st_size == 0
    except OSError as error:
        raise SettingsError(_unwritable(path, error)) from None
    return True


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _unwritable(path: Path, error: OSError | None = None) -> str:
    """Says who may not write, who owns it, and what helps. Never `chown -R`: the folder may be anybody's."""
    remedy = "set the database URL to a file in a folder that can be written"
    reason = f" ({error.strerror})" if error else ""
    if hasattr(os, "geteuid") and path.exists() and not _writable(path):
        user, owner = os.geteuid(), path.stat().st_uid
        reason += f"; this is user {user}, it belongs to user {owner}"
        remedy = f"run `chown {user} {path}`, or {remedy}"
    return f"the database needs {path}, which can't be written{reason}: {remedy}"


def make_engine(url: URL, *, migrating: bool = False, connections: int = CONNECTIONS) -> AsyncEngine:
    """`migrating`: one transaction that writes, on a connection of its own. `connections`: at most.

    Raises `SettingsError` if the driver isn't installed.
    """
    is_sqlite = url.get_backend_name() == "sqlite"
    connect_args: dict[str, Any] = {"timeout": BUSY_SECONDS}
    if is_sqlite:
        # Transactions begin where `begin` below says, and not by sqlite3's own rules.
        connect_args["isolation_level"] = None
    else:
        connect_args["command_timeout"] = MIGRATION_SECONDS if migrating else COMMAND_SECONDS
    options: dict[str, Any] = {"connect_args": connect_args, "hide_parameters": True}  # they are people's ids and words
    if migrating:
        options |= {"poolclass": NullPool, "execution_options": {"writes": True}}
    else:
        # A database in memory exists once per connection, and two tasks must never share a transaction.
        in_memory = is_sqlite and sqlite_file(url) is None
        options |= {
            "poolclass": AsyncAdaptedQueuePool,
            "pool_size": 1 if in_memory else connections,
            "max_overflow": 0,
        }
    try:
        engine = create_async_engine(url, **options)
    except ModuleNotFoundError as error:
        raise SettingsError(f"this database URL needs a package that isn't installed: {error.name}") from None
    if is_sqlite:
        _set_up_sqlite(engine, foreign_keys=not migrating)
    elif not migrating:
        _set_up_postgresql(engine)
    return engine


def _set_up_postgresql(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        # Not among the driver's server_settings: a connection pooler in between may refuse those it doesn't know.
        set_it = f"SET idle_in_transaction_session_timeout = '{IDLE_IN_TRANSACTION}'"
        connection.run_async(lambda driver: driver.execute(set_it))

    @event.listens_for(engine.sync_engine, "checkout")
    def checkout(connection: Any, _record: object, _proxy: object) -> None:
        # The server was started anew, or something in between ended it. Asking it would cost three ways each time.
        if connection.driver_connection.is_closed():
            raise DisconnectionError  # the pool makes another one


def _set_up_sqlite(engine: AsyncEngine, *, foreign_keys: bool) -> None:
    """`foreign_keys`: off for migrations. SQLite changes a table by dropping it, and what points to it would go too."""

    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        # With WAL this is safe for the file; a power cut may cost the last moments, for far quicker writes.
        cursor.execute("PRAGMA synchronous = NORMAL")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes then fails at once when somebody else wrote in between; one that
        # takes the write lock first waits for it. A lone SELECT needs no transaction.
        if connection.get_execution_options().get("writes"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
