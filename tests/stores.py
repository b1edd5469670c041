"""Every implementation of the ports, and what tests say about places and notes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from bot.request import Person, Place
from bot.state import tables
from bot.state.database import Database, open_database
from bot.state.memory import MemoryStore
from bot.state.ports import Note, Store
from tests.servers import DATABASE, SERVER

ANA = Person("slack", "T1", "U1")
BO = Person("discord", "", "U1")
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)

CHANNEL = Place("slack", "T1", "C1")
THREAD = Place("slack", "T1", "C1", "100.1")
OTHER_THREAD = Place("slack", "T1", "C1", "200.1")
OTHER_CHANNEL = Place("slack", "T1", "C2")
OTHER_PLATFORM = Place("discord", "T1", "C1")

POSTGRESQL = bool(SERVER)
"""Whether there's a server to test with. Where there's none, `test_database_postgresql` says what wasn't tested."""

SHARED = ["sqlite", *(["postgresql"] if POSTGRESQL else [])]
"""What several processes can have open at the same time."""

KINDS = ["memory", "sqlite-in-memory", *SHARED]


def url_of(kind: str, folder: Path) -> str:
    return {
        "sqlite": f"sqlite:///{folder / 'state.sqlite'}",
        "sqlite-in-memory": "sqlite://",
        "postgresql": DATABASE,
    }[kind]


@asynccontextmanager
async def opened(kind: str, folder: Path) -> AsyncIterator[Store]:
    """An empty store."""
    if kind == "memory":
        memory = MemoryStore()
        yield memory
        await memory.close()
        return
    async with opened_database(kind, folder) as database:
        yield database


@asynccontextmanager
async def opened_database(kind: str, folder: Path) -> AsyncIterator[Database]:
    """An empty one that is ready."""
    database = await open_database(url_of(kind, folder), call_seconds=60)
    await database.ready()
    if kind == "postgresql":
        everything = ", ".join(tables.metadata.tables)
        await database.write((text(f"TRUNCATE {everything} RESTART IDENTITY CASCADE"), [{}]))
    yield database
    await database.close()


def note(message: str = "m1", *concepts: str, author: str = "ana00") -> Note:
    """About these concepts (SLO if none is given), each found by a label of its own name."""
    return Note(message, author, tuple((concept, f"{concept} label") for concept in concepts or ("slo",)))
