"""Stores that fail in the ways that real ones do. They implement the port."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import date
from typing import TYPE_CHECKING, NoReturn, cast

from bot.answer import Shown
from bot.errors import StoreError
from bot.request import Person, Place
from bot.state.counters import Counters
from bot.state.ports import Channel, Channels, Handled, Leases, Miss, Notes, Profile, Store


class FailingStore:
    """Fails at everything, with StoreError, as a database does that can't be reached.

    With a `profile` it still knows who somebody is and what is set for a channel, and fails at everything else.
    """

    def __init__(self, profile: Profile | None = None, channel: Channel | None = None) -> None:
        self.people = self
        self.misses = self
        self._profile = profile
        known = (channel or Channel()) if profile else None
        self.channels: Channels = cast(Channels, _Failing(self, known))
        self.notes: Notes = cast(Notes, _Failing(self))
        self.handled: Handled = cast(Handled, _Failing(self))
        self.leases: Leases = cast(Leases, _Failing(self))
        self.counters: Counters = cast(Counters, _Failing(self))

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

    async def forget_tenant(self, platform: str, tenant: str) -> None:
        await self.fail()

    def at_hand(self, person: Person, place: Place) -> tuple[Profile, Channel] | None:
        return None

    async def close(self) -> None:
        """Nothing was ever opened."""


class _Failing:
    """A port of which every call fails in the way of its store; with a `channel`, all but asking for that."""

    def __init__(self, store: FailingStore, channel: Channel | None = None) -> None:
        self._store = store
        self._channel = channel

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        async def call(*_: object, **__: object) -> object:
            return self._channel if name == "get" and self._channel else await self._store.fail()

        return call


class SilentStore(FailingStore):
    """Never answers. `waiting` counts the calls that still wait."""

    def __init__(self, profile: Profile | None = None, channel: Channel | None = None) -> None:
        super().__init__(profile, channel)
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

    def __init__(self, secret: str, profile: Profile | None = None, channel: Channel | None = None) -> None:
        super().__init__(profile, channel)
        self._secret = secret

    async def fail(self) -> NoReturn:
        raise RuntimeError(self._secret)


if TYPE_CHECKING:
    _failing: type[Store] = FailingStore
