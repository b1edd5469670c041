"""What a chat at the terminal remembers: people as everywhere; its channels are new at each start, with notes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.request import Person, Place
from bot.state.counters import Counters
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Channels, Handled, Leases, Misses, Notes, People, Profile, Store


class ChatStore:
    """Implements `Store`: people and misses of another store, everything about channels in memory."""

    def __init__(self, kept: Store) -> None:
        passing = MemoryStore()
        self._kept = kept
        self.people: People = PeopleHere(kept.people, passing.people)
        self.misses: Misses = kept.misses
        self.channels: Channels = NotesOn(passing.channels)
        self.notes: Notes = passing.notes
        self.handled: Handled = passing.handled
        self.leases: Leases = kept.leases
        self.counters: Counters = kept.counters
        self._passing = passing

    async def forget_tenant(self, platform: str, tenant: str) -> None:
        await self._kept.forget_tenant(platform, tenant)
        await self._passing.forget_tenant(platform, tenant)

    def at_hand(self, person: Person, place: Place) -> tuple[Profile, Channel] | None:
        return None

    async def close(self) -> None:
        await self._kept.close()


class PeopleHere:
    """Implements `People`: who is forgotten, is forgotten in this chat's channels too."""

    def __init__(self, kept: People, passing: People) -> None:
        self._kept = kept
        self._passing = passing
        self.get = kept.get
        self.set_language = kept.set_language
        self.set_muted = kept.set_muted
        self.know = kept.know
        self.unknow = kept.unknow

    async def forget(self, person: Person) -> None:
        await self._kept.forget(person)
        await self._passing.forget(person)


class NotesOn:
    """Implements `Channels`: where nobody set anything, notes are on everywhere."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels

    async def get(self, place: Place) -> Channel:
        channel = await self._channels.get(place)
        if channel.set_at is not None:
            return channel
        return Channel(mode="all", never=channel.never, resting=channel.resting)

    async def set(self, place: Place, channel: Channel, by: Person) -> None:
        await self._channels.set(place, channel, by)

    async def set_never(self, place: Place, concept: str, never: bool) -> None:
        await self._channels.set_never(place, concept, never)

    async def rest(self, place: Place, label: str) -> None:
        await self._channels.rest(place, label)

    async def release(self, place: Place, label: str) -> None:
        await self._channels.release(place, label)

    async def listed(self, platform: str, tenant: str) -> tuple[tuple[str, Channel], ...]:
        return await self._channels.listed(platform, tenant)


if TYPE_CHECKING:
    _store: type[Store] = ChatStore  # mypy names the member that is missing
