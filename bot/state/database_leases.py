"""Leases in a database: one statement each, so that of two replicas one gets it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Table, bindparam, delete, or_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.state.tables import leases

if TYPE_CHECKING:
    from bot.state.database import Database, Insert


class DatabaseLeases:
    """Implements `Leases`."""

    def __init__(self, database: Database, insert: Callable[[Table], Insert]) -> None:
        self._database = database
        row = insert(leases)
        self._acquire = row.on_conflict_do_update(
            index_elements=["name"],
            set_={"holder": row.excluded.holder, "until": row.excluded.until},
            where=or_(leases.c.holder == row.excluded.holder, leases.c.until <= bindparam("now")),
        )
        self._release = delete(leases).where(leases.c.name == bindparam("name"), leases.c.holder == bindparam("holder"))

    async def acquire(self, name: str, holder: str, until: datetime, now: datetime) -> bool:
        async def work(connection: AsyncConnection) -> bool:
            row = {"name": name, "holder": holder, "until": until, "now": now}
            return (await connection.execute(self._acquire, row)).rowcount == 1

        return await self._database.change(work)

    async def release(self, name: str, holder: str) -> None:
        await self._database.write((self._release, [{"name": name, "holder": holder}]))
