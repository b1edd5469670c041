"""Notes in a database.

Whatever reads and then writes runs alone in its channel, so that two replicas can't both take the last place of a
budget. Threads are kept as text; the channel itself is an empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ColumnElement,
    Table,
    and_,
    bindparam,
    case,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.request import Place
from bot.state.database_channels import channel_values, row_values
from bot.state.ports import FIGURES_OF, HOUR, KEPT, MANY, Figures, Limits, Note
from bot.state.tables import explained, known_here, note_terms, notes, presses, votes, wrong

if TYPE_CHECKING:
    from bot.state.database import Database, Insert

DATED = (notes, explained, presses, wrong, known_here)
"""What `prune` shortens. Terms and votes go with their note."""


class DatabaseNotes:
    """Implements `Notes`."""

    def __init__(self, database: Database, insert: Callable[[Table], Insert]) -> None:
        self._database = database
        self._vote = insert(votes).on_conflict_do_nothing()
        row = insert(explained)
        later = case((row.excluded.at > explained.c.at, row.excluded.at), else_=explained.c.at)
        self._saw = row.on_conflict_do_update(index_elements=list(explained.primary_key), set_={"at": later})
        self._knows = insert(known_here).on_conflict_do_nothing()
        self._unlearns = delete(known_here).where(
            *(known_here.c[name] == bindparam(f"{name}_") for name in ("platform", "channel", "concept", "reader"))
        )
        self._prune = [delete(table).where(table.c.at < bindparam("since")) for table in DATED]

    async def claim(self, place: Place, note: Note, limits: Limits, now: datetime) -> Note | None:
        async def work(connection: AsyncConnection) -> Note | None:
            if await _budget_is_used(connection, place, note.message, limits, now):
                return None
            concepts = [concept for concept, _ in note.terms]
            seen = await _explained(connection, place, concepts, now, limits)
            terms = limits.chosen(note.terms, seen, await _silent(connection, place))
            if not terms:
                return None
            claimed = replace(note, terms=terms)
            await _keep(connection, place, claimed, now)
            return claimed

        return await self._database.change(work, alone_in=place)

    async def saw(self, place: Place, concepts: Collection[str], now: datetime) -> None:
        values = row_values(place) | {"thread": _thread(place), "message": "", "at": now}
        rows = [values | {"concept": concept} for concept in concepts]

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(self._saw, rows)

        if rows:
            await self._database.change(work, alone_in=place)

    async def posted(self, place: Place, message: str, reply: str) -> None:
        await self._database.write((update(notes).where(_is(notes, place, message)).values(reply=reply), [{}]))

    async def withdraw(self, place: Place, message: str) -> None:
        async def work(connection: AsyncConnection) -> None:
            found = await connection.execute(delete(notes).where(_is(notes, place, message)))
            if found.rowcount:
                for table in (presses, explained):
                    await connection.execute(delete(table).where(_is(table, place, message)))

        await self._database.change(work, alone_in=place)

    async def find(self, place: Place, *, message: str = "", reply: str = "") -> Note | None:
        if not message and not reply:
            return None
        which = notes.c.message == message if message else notes.c.reply == reply
        return _note(await self._database.read(_shown.where(_in_channel(notes, place), which), {}))

    async def keep_only(self, place: Place, message: str, concepts: Collection[str]) -> Note | None:
        async def work(connection: AsyncConnection) -> Note | None:
            note = await _find(connection, place, message)
            if note is None:
                return None
            terms = tuple(term for term in note.terms if term[0] in concepts)
            gone = [concept for concept, _ in note.terms if concept not in concepts]
            await connection.execute(
                delete(note_terms).where(_is(note_terms, place, message), note_terms.c.concept.in_(gone))
            )
            return replace(note, terms=terms) if terms else None

        return await self._database.change(work, alone_in=place)

    async def opened(self, place: Place, message: str, now: datetime) -> None:
        async def work(connection: AsyncConnection) -> None:
            if await _find(connection, place, message):
                row = row_values(place) | {"message": message, "at": now}
                await connection.execute(insert(presses), row)

        await self._database.change(work, alone_in=place)

    async def mark_wrong(self, place: Place, message: str, concept: str, voter: str, now: datetime) -> int:
        async def work(connection: AsyncConnection) -> int:
            note = await _find(connection, place, message)
            if note is None or concept not in dict(note.terms):
                return 0
            row = channel_values(place) | {"message": message, "concept": concept, "voter": voter}
            await connection.execute(self._vote, row)
            return await _count(connection, votes, _is(votes, place, message), votes.c.concept == concept)

        return await self._database.change(work, alone_in=place)

    async def settle_wrong(self, place: Place, label: str, concept: str, now: datetime) -> int:
        async def work(connection: AsyncConnection) -> int:
            row = row_values(place) | {"thread": _thread(place), "label": label, "concept": concept, "at": now}
            await connection.execute(insert(wrong), row)
            unreleased = (wrong.c.label == label, wrong.c.released == false())
            return await _count(connection, wrong, _in_channel(wrong, place), *unreleased)

        return await self._database.change(work, alone_in=place)

    async def figures(self, place: Place, now: datetime) -> Figures:
        counts = (
            _counting(notes, _lately(notes, place, now), notes.c.reply.is_not(None)),
            _counting(presses, _lately(presses, place, now)),
            _counting(wrong, _lately(wrong, place, now)),
        )
        rows = await self._database.read(select(*(count.scalar_subquery() for count in counts)), {})
        return Figures(*rows[0]) if rows else Figures()

    async def knows(self, place: Place, concepts: Collection[str], reader: str, now: datetime) -> None:
        rows = [row_values(place) | {"concept": concept, "reader": reader, "at": now} for concept in sorted(concepts)]
        if rows:
            await self._database.write((self._knows, rows))

    async def unlearns(self, place: Place, concepts: Collection[str], reader: str) -> None:
        key = {"platform_": place.platform, "channel_": place.channel, "reader_": reader}
        rows = [key | {"concept_": concept} for concept in concepts]
        if rows:
            await self._database.write((self._unlearns, rows))

    async def many_know(self, place: Place) -> tuple[str, ...]:
        readers = func.count()
        here = (known_here.c.platform == place.platform, known_here.c.channel == place.channel)
        statement = (
            select(known_here.c.concept)
            .where(*here)
            .group_by(known_here.c.concept)
            .having(readers >= MANY)
            .order_by(readers.desc(), known_here.c.concept)
        )
        return tuple(row.concept for row in await self._database.read(statement, {}))

    async def prune(self, now: datetime) -> None:
        await self._database.write(*((statement, [{"since": now - KEPT}]) for statement in self._prune))


_shown = (
    select(notes.c.message, notes.c.author, notes.c.reply, note_terms.c.concept, note_terms.c.label)
    .select_from(notes.join(note_terms))
    .order_by(notes.c.message, note_terms.c.position)
)
"""A row for each term that a note shows; none for a note that is gone."""


def _note(rows: Sequence[Any]) -> Note | None:
    if not rows:
        return None
    return Note(rows[0].message, rows[0].author, tuple((row.concept, row.label) for row in rows), rows[0].reply)


async def _find(connection: AsyncConnection, place: Place, message: str) -> Note | None:
    return _note((await connection.execute(_shown.where(_is(notes, place, message)))).all())


async def _budget_is_used(
    connection: AsyncConnection, place: Place, message: str, limits: Limits, now: datetime
) -> bool:
    """Or the message has a note, or had one."""
    if await _count(connection, notes, _is(notes, place, message)):
        return True
    in_channel = _in_channel(notes, place)
    if place.thread:
        in_thread = await _count(connection, notes, in_channel, notes.c.thread == place.thread)
        if in_thread >= limits.per_thread:
            return True
    return await _count(connection, notes, in_channel, notes.c.at > now - HOUR) >= limits.per_hour


async def _explained(
    connection: AsyncConnection, place: Place, concepts: Collection[str], now: datetime, limits: Limits
) -> set[str]:
    """Those of `concepts` that may not be explained again yet."""
    too_soon = explained.c.at > now - limits.again_after
    if place.thread:
        too_soon = or_(too_soon, explained.c.thread == place.thread)
    found = select(explained.c.concept).where(
        _in_channel(explained, place), explained.c.concept.in_(concepts), too_soon
    )
    return set((await connection.execute(found)).scalars())


async def _silent(connection: AsyncConnection, place: Place) -> set[str]:
    """Labels that were marked wrong in this thread."""
    if not place.thread:
        return set()
    found = select(wrong.c.label).where(_in_channel(wrong, place), wrong.c.thread == place.thread)
    return set((await connection.execute(found)).scalars())


async def _keep(connection: AsyncConnection, place: Place, note: Note, now: datetime) -> None:
    key = channel_values(place) | {"message": note.message}
    of_thread = {"tenant": place.tenant, "thread": _thread(place), "at": now}
    await connection.execute(insert(notes), key | of_thread | {"author": note.author, "reply": note.reply})
    terms = [
        key | {"concept": concept, "label": label, "position": position}
        for position, (concept, label) in enumerate(note.terms)
    ]
    await connection.execute(insert(note_terms), terms)
    await connection.execute(insert(explained), [key | of_thread | {"concept": concept} for concept, _ in note.terms])


def _counting(table: Table, *conditions: ColumnElement[bool]) -> Any:
    return select(func.count()).select_from(table).where(*conditions)


async def _count(connection: AsyncConnection, table: Table, *conditions: ColumnElement[bool]) -> int:
    return int((await connection.execute(_counting(table, *conditions))).scalar_one())


def _thread(place: Place) -> str:
    return place.thread or ""


def _in_channel(table: Table, place: Place) -> ColumnElement[bool]:
    return and_(table.c.platform == place.platform, table.c.channel == place.channel)


def _is(table: Table, place: Place, message: str) -> ColumnElement[bool]:
    return and_(_in_channel(table, place), table.c.message == message)


def _lately(table: Table, place: Place, now: datetime) -> ColumnElement[bool]:
    return and_(_in_channel(table, place), table.c.at >= now - FIGURES_OF)
