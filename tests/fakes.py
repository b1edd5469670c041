"""Stores that fail in the ways that real ones do. They implement the port."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import date
from typing import TYPE_CHECKING, NoReturn

from bot.answer import Shown
from bot.errors import StoreError
from bot.request import Person
from bot.state.ports import Miss, Profile, Store


class FailingStore:
    """Fails at everything, with StoreError, as a database does that can't be reached.

    With a `profile` it still knows who somebody is, and fails at everything else.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self.people = self
        self.misses = self
        self._profile = profile

    async def fail(self) -> NoReturn:
        raise StoreError("away")

    async def get(self, person: Person) -> Profile:
        return self._profile or await self.fail()

    async def set_language(self, person: Person, language: Shown | None) -> None:
        await self.fail()

    async def set_muted(self, person: Person, muted: bool) -> None:
        await self.fail()

    async def know(self, person: Person, concepts: Collection[str]) -> None:
        await self.fail()

    async def unknow(self, person: Person, concepts: Collection[str]) -> None:
        await self.fail()

    async def forget(self, person: Person) -> None:
        await self.fail()

    async def count(self, text: str, day: date) -> None:
        await self.fail()

    async def top(self, limit: int, at_least: int = 2) -> tuple[Miss, ...]:
        await self.fail()

    async def close(self) -> None:
        """Nothing was ever opened."""


class SilentStore(FailingStore):
    """Never answers. `waiting` counts the calls that still wait."""

    def __init__(self, profile: Profile | None = None) -> None:
        super().__init__(profile)
        self.waiting = 0

    async def fail(self) -> NoReturn:
        self.waiting += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.waiting -= 1
        raise AssertionError("nobody sets the event")


class BrokenStore(FailingStore):
    """Raises what no store should, with `secret` in its message."""

    def __init__(self, secret: str, profile: Profile | None = None) -> None:
        super().__init__(profile)
        self._secret = secret

    async def fail(self) -> NoReturn:
        raise RuntimeError(self._secret)


if TYPE_CHECKING:
    _failing: type[Store] = FailingStore
