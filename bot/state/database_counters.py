"""Counts in a database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING

from sqlalchemy import Table, bindparam, delete, func, select, union_all
from sqlalchemy.sql.expression import literal

from bot.state.counters import Asked, MarkedWrong, Unasked
from bot.state.ports import KEPT
from bot.state.tables import asked, notes, presses, wrong

if TYPE_CHECKING:
    from bot.state.database import Database, Insert

ASKED = ("platform", "tenant", "channel", "concept", "language", "outcome")
WRONG = ("platform", "channel", "label", "concept")


class DatabaseCounters:
    """Implements `Counters`."""

    def __init__(self, database: Database, insert: Callable[[Table], Insert]) -> None:
        self._database = database
        row = insert(asked)
        self._add = row.on_conflict_do_update(
            index_elements=["day", *ASKED], set_={"count": asked.c["count"] + row.excluded["count"]}
        )
        what = [asked.c[name] for name in ASKED]
        self._asked = select(*what, func.sum(asked.c["count"])).where(asked.c.day >= bindparam("since")).group_by(*what)
        labels = [wrong.c[name] for name in WRONG]
        self._wrong = select(*labels, func.count()).where(wrong.c.at >= bindparam("since")).group_by(*labels)
        each = union_all(
            select(notes.c.platform, notes.c.channel, literal(1).label("notes"), literal(0).label("opened")).where(
                notes.c.at >= bindparam("since"), notes.c.reply.is_not(None)
            ),
            select(presses.c.platform, presses.c.channel, literal(0), literal(1)).where(
                presses.c.at >= bindparam("since")
            ),
        ).subquery()
        where = (each.c.platform, each.c.channel)
        self._unasked = select(*where, func.sum(each.c.notes), func.sum(each.c.opened)).group_by(*where)
        self._prune = delete(asked).where(asked.c.day < bindparam("since"))

    async def add(self, counts: Mapping[Asked, int], day: date) -> None:
        rows = [
            {name: getattr(what, name) for name in ASKED} | {"day": day, "count": count}
            for what, count in counts.items()
        ]
        if rows:
            # In one order, so that no two replicas wait for each other.
            rows.sort(key=lambda row: [str(row[name]) for name in ASKED])
            await self._database.write((self._add, rows))

    async def asked(self, since: date) -> Mapping[Asked, int]:
        rows = await self._database.read(self._asked, {"since": since})
        return {Asked(*what): int(count) for *what, count in rows}

    async def wrong(self, since: datetime) -> Mapping[MarkedWrong, int]:
        rows = await self._database.read(self._wrong, {"since": since})
        return {MarkedWrong(*what): int(count) for *what, count in rows}

    async def unasked(self, since: datetime) -> tuple[Unasked, ...]:
        rows = await self._database.read(self._unasked, {"since": since})
        # Sorted here: a server sorts by the rules of its own language.
        return tuple(Unasked(platform, channel, int(n), int(o)) for platform, channel, n, o in sorted(map(tuple, rows)))

    async def prune(self, today: date) -> None:
        await self._database.write((self._prune, [{"since": today - KEPT}]))
