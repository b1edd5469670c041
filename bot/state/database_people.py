"""People, and what nobody could answer, in a database."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, and_, bindparam, delete, select, update

from bot.answer import Shown
from bot.request import Person, short_hash
from bot.state.ports import Miss, Profile
from bot.state.tables import channels, known, known_here, misses, notes, people, votes

if TYPE_CHECKING:
    from bot.state.database import Database, Insert

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
            rows = [_values(person) | {"concept": concept} for concept in sorted(concepts)]
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
