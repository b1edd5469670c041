"""A store that remembers for a moment what is set for people and channels, so that a lively channel costs few reads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Hashable
from itertools import islice
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from bot.answer import Shown
from bot.request import Person, Place
from bot.state.counters import Counters
from bot.state.ports import Channel, Channels, Handled, Leases, Misses, Notes, People, Profile, Store

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

SECONDS: Final = 1.0
"""So long another replica's change may stay unseen."""

SIZE: Final = 20_000
"""People, and as many channels, that are remembered at most."""


SWEPT: Final = 4
"""Of the oldest, so many are looked at with each new one: more than come in, so that what is too old goes."""


class Cached:
    """Implements `Store` over another one. What is changed through it is seen at once."""

    def __init__(
        self, store: Store, *, seconds: float = SECONDS, size: int = SIZE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock`: seconds that never go back."""
        self._store = store
        self._profiles: Recent[Person, Profile] = Recent(seconds, size, clock)
        self._settings: Recent[tuple[str, str], Channel] = Recent(seconds, size, clock)
        self.people: People = CachedPeople(store.people, self._profiles, self._settings)
        self.channels: Channels = CachedChannels(store.channels, self._settings)
        self.misses: Misses = store.misses
        self.notes: Notes = store.notes
        self.handled: Handled = store.handled
        self.leases: Leases = store.leases
        self.counters: Counters = store.counters

    async def forget_tenant(self, platform: str, tenant: str) -> None:
        try:
            await self._store.forget_tenant(platform, tenant)
        finally:
            self._profiles.clear()
            self._settings.clear()

    def at_hand(self, person: Person, place: Place) -> tuple[Profile, Channel] | None:
        profile = self._profiles.at_hand(person)
        if profile is None:
            return None
        channel = self._settings.at_hand((place.platform, place.channel))
        return (profile, channel) if channel is not None else None

    async def close(self) -> None:
        await self._store.close()


class Recent(Generic[Key, Value]):
    """Values as they were read a moment ago, the oldest first. Of reads of one key at the same time one is made."""

    def __init__(self, seconds: float, size: int, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._size = size
        self._clock = clock
        self._values: dict[Key, tuple[float, Value]] = {}
        self._reads: dict[Key, asyncio.Task[Value]] = {}

    def __len__(self) -> int:
        return len(self._values)

    def at_hand(self, key: Key) -> Value | None:
        """The value of `key`, if it was read a moment ago."""
        known = self._values.get(key)
        return known[1] if known is not None and self._clock() - known[0] < self._seconds else None

    async def get(self, key: Key, read: Callable[[], Awaitable[Value]]) -> Value:
        """The value of `key`, which `read` reads if it isn't known. What `read` raises is raised, and not kept."""
        began = self._clock()
        if (value := self.at_hand(key)) is not None:
            return value
        running = self._reads.get(key)
        if running is None:
            running = self._reads[key] = asyncio.create_task(self._read(key, began, read))
            running.add_done_callback(_ended)
        return await asyncio.shield(running)  # others wait for it, too: who gives up leaves it running

    def drop(self, key: Key) -> None:
        """The value was changed. A read that is under way may have come before the change: it isn't kept either."""
        self._values.pop(key, None)
        self._reads.pop(key, None)

    def clear(self) -> None:
        """Any value may have been changed."""
        self._values.clear()
        self._reads.clear()

    async def _read(self, key: Key, began: float, read: Callable[[], Awaitable[Value]]) -> Value:
        try:
            value = await read()
            if self._reads.get(key) is asyncio.current_task():
                self._keep(key, began, value)
            return value
        finally:
            if self._reads.get(key) is asyncio.current_task():
                del self._reads[key]

    def _keep(self, key: Key, began: float, value: Value) -> None:
        self._values.pop(key, None)  # so that it's the newest
        self._values[key] = (began, value)
        for oldest, (at, _) in list(islice(self._values.items(), SWEPT)):
            if len(self._values) > self._size or began - at >= self._seconds:
                del self._values[oldest]


def _ended(read: asyncio.Task[Value]) -> None:
    if not read.cancelled():
        read.exception()  # nobody may be waiting any more; asyncio would complain that it was never read


class CachedPeople:
    """Implements `People`."""

    def __init__(
        self, people: People, profiles: Recent[Person, Profile], settings: Recent[tuple[str, str], Channel]
    ) -> None:
        self._people = people
        self._profiles = profiles
        self._settings = settings

    async def get(self, person: Person) -> Profile:
        return await self._profiles.get(person, lambda: self._people.get(person))

    async def set_language(self, person: Person, language: Shown | None) -> None:
        await self._change(person, self._people.set_language(person, language))

    async def set_muted(self, person: Person, muted: bool) -> None:
        await self._change(person, self._people.set_muted(person, muted))

    async def know(self, person: Person, concepts: Collection[str]) -> None:
        await self._change(person, self._people.know(person, concepts))

    async def unknow(self, person: Person, concepts: Collection[str]) -> None:
        await self._change(person, self._people.unknow(person, concepts))

    async def forget(self, person: Person) -> None:
        try:
            await self._change(person, self._people.forget(person))
        finally:
            self._settings.clear()  # any of them may show the name

    async def _change(self, person: Person, change: Awaitable[None]) -> None:
        try:
            await change
        finally:  # one that failed may have happened
            self._profiles.drop(person)


class CachedChannels:
    """Implements `Channels`."""

    def __init__(self, channels: Channels, settings: Recent[tuple[str, str], Channel]) -> None:
        self._channels = channels
        self._settings = settings

    async def get(self, place: Place) -> Channel:
        return await self._settings.get(_key(place), lambda: self._channels.get(place))

    async def set(self, place: Place, channel: Channel, by: Person) -> None:
        await self._change(place, self._channels.set(place, channel, by))

    async def set_never(self, place: Place, concept: str, never: bool) -> None:
        await self._change(place, self._channels.set_never(place, concept, never))

    async def rest(self, place: Place, label: str) -> None:
        await self._change(place, self._channels.rest(place, label))

    async def release(self, place: Place, label: str) -> None:
        await self._change(place, self._channels.release(place, label))

    async def listed(self, platform: str, tenant: str) -> tuple[tuple[str, Channel], ...]:
        return await self._channels.listed(platform, tenant)

    async def _change(self, place: Place, change: Awaitable[None]) -> None:
        try:
            await change
        finally:  # one that failed may have happened
            self._settings.drop(_key(place))


def _key(place: Place) -> tuple[str, str]:
    return place.platform, place.channel


if TYPE_CHECKING:
    _cached: type[Store] = Cached  # mypy names the member that is missing
