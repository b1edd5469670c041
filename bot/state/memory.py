"""The store of tests, and where there is no place for a database: all of it is gone with the process."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from bot.answer import Shown
from bot.errors import StoreError
from bot.request import Person
from bot.state.ports import Miss, Profile, Store


class MemoryStore:
    """Implements `Store`. With `away` set every call raises `StoreError`, as when a database can't be reached."""

    def __init__(self) -> None:
        self.away = False
        self.people = MemoryPeople(self)
        self.misses = MemoryMisses(self)

    def check_reachable(self) -> None:
        if self.away:
            raise StoreError("the store is away")

    async def close(self) -> None:
        self.away = True


class MemoryPeople:
    """Implements `People`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._profiles: dict[Person, Profile] = {}

    async def get(self, person: Person) -> Profile:
        self._store.check_reachable()
        return self._profiles.get(person, Profile())

    async def set_language(self, person: Person, language: Shown | None) -> None:
        self._profiles[person] = replace(await self.get(person), language=language)

    async def set_muted(self, person: Person, muted: bool) -> None:
        self._profiles[person] = replace(await self.get(person), muted=muted)

    async def know(self, person: Person, concepts: Collection[str]) -> None:
        profile = await self.get(person)
        self._profiles[person] = replace(profile, known=profile.known | frozenset(concepts))

    async def unknow(self, person: Person, concepts: Collection[str]) -> None:
        profile = await self.get(person)
        self._profiles[person] = replace(profile, known=profile.known - frozenset(concepts))

    async def forget(self, person: Person) -> None:
        self._store.check_reachable()
        self._profiles.pop(person, None)


class MemoryMisses:
    """Implements `Misses`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._misses: dict[str, Miss] = {}

    async def count(self, text: str, day: date) -> None:
        self._store.check_reachable()
        before = self._misses[text].count if text in self._misses else 0
        self._misses[text] = Miss(text, before + 1, day)

    async def top(self, limit: int, at_least: int = 2) -> tuple[Miss, ...]:
        self._store.check_reachable()
        often = [miss for miss in self._misses.values() if miss.count >= at_least]
        return tuple(sorted(often, key=lambda miss: (-miss.count, miss.text))[:limit])


if TYPE_CHECKING:
    _memory: type[Store] = MemoryStore  # mypy names the member that is missing
