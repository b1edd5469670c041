"""The store of tests, and where there is no place for a database: all of it is gone with the process."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from bot.answer import Shown
from bot.errors import StoreError
from bot.request import Person, Place
from bot.state.counters import Asked, MarkedWrong, Unasked
from bot.state.memory_notes import MemoryNotes
from bot.state.ports import HANDLED_FOR, KEPT, Channel, Miss, Profile, Store, check_tenant


class MemoryStore:
    """Implements `Store`. With `away` set every call raises `StoreError`, as when a database can't be reached."""

    def __init__(self) -> None:
        self.away = False
        self.people = MemoryPeople(self)
        self.misses = MemoryMisses(self)
        self.channels = MemoryChannels(self)
        self.notes = MemoryNotes(self)
        self.handled = MemoryHandled(self)
        self.leases = MemoryLeases(self)
        self.counters = MemoryCounters(self)

    def check_reachable(self) -> None:
        if self.away:
            raise StoreError("the store is away")

    async def forget_tenant(self, platform: str, tenant: str) -> None:
        check_tenant(tenant)
        self.check_reachable()
        self.people.forget_home(platform, tenant)
        self.channels.forget_tenant(platform, tenant)
        self.notes.forget_tenant(platform, tenant)
        self.handled.forget_tenant(platform, tenant)
        self.counters.forget_tenant(platform, tenant)

    def at_hand(self, person: Person, place: Place) -> tuple[Profile, Channel] | None:
        return None

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
        self._store.channels.forget(person)
        self._store.notes.forget(person)

    def forget_home(self, platform: str, home: str) -> None:
        self._profiles = {
            who: kept for who, kept in self._profiles.items() if (who.platform, who.home) != (platform, home)
        }


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


@dataclass(frozen=True, slots=True)
class _Row:
    tenant: str
    channel: Channel
    by: Person | None = None
    """Who set it; None: nobody, or somebody who was forgotten."""


class MemoryChannels:
    """Implements `Channels`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._rows: dict[tuple[str, str], _Row] = {}

    async def get(self, place: Place) -> Channel:
        return self._row(place).channel

    async def set(self, place: Place, channel: Channel, by: Person) -> None:
        before = self._row(place).channel
        set_at = channel.set_at and channel.set_at.astimezone(UTC)
        saved = replace(channel, set_at=set_at, never=before.never, resting=before.resting)
        self._save(place, _Row(place.tenant, saved, by))

    async def set_never(self, place: Place, concept: str, never: bool) -> None:
        row = self._row(place)
        concepts = row.channel.never | {concept} if never else row.channel.never - {concept}
        self._save(place, replace(row, channel=replace(row.channel, never=concepts)))

    async def rest(self, place: Place, label: str) -> None:
        row = self._row(place)
        self._save(place, replace(row, channel=replace(row.channel, resting=row.channel.resting | {label})))

    async def release(self, place: Place, label: str) -> None:
        row = self._row(place)
        self._save(place, replace(row, channel=replace(row.channel, resting=row.channel.resting - {label})))
        self._store.notes.release(place, label)

    async def listed(self, platform: str, tenant: str) -> tuple[tuple[str, Channel], ...]:
        self._store.check_reachable()
        return tuple(
            (channel, row.channel)
            for (of, channel), row in sorted(self._rows.items(), key=lambda item: item[0])
            if (of, row.tenant) == (platform, tenant) and row.channel.mode != "off"
        )

    def forget(self, person: Person) -> None:
        for key, row in self._rows.items():
            if row.by == person:
                self._rows[key] = _unsigned(row)

    def forget_tenant(self, platform: str, tenant: str) -> None:
        self._rows = {key: row for key, row in self._rows.items() if (key[0], row.tenant) != (platform, tenant)}
        for key, row in self._rows.items():
            if row.by and (row.by.platform, row.by.home) == (platform, tenant):
                self._rows[key] = _unsigned(row)

    def _row(self, place: Place) -> _Row:
        self._store.check_reachable()
        return self._rows.get((place.platform, place.channel), _Row(place.tenant, Channel()))

    def _save(self, place: Place, row: _Row) -> None:
        self._rows[place.platform, place.channel] = row


def _unsigned(row: _Row) -> _Row:
    return replace(row, channel=replace(row.channel, set_by=""), by=None)


class MemoryHandled:
    """Implements `Handled`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._claims: dict[tuple[str, str, str], tuple[datetime, str]] = {}
        self._replies: dict[tuple[str, str, str], str] = {}

    async def claim(self, place: Place, message: str, now: datetime) -> bool:
        self._store.check_reachable()
        key = (place.platform, place.channel, message)
        if key in self._claims:
            return False
        self._claims[key] = (now, place.tenant)
        return True

    async def replied(self, place: Place, message: str, reply: str) -> None:
        self._store.check_reachable()
        key = (place.platform, place.channel, message)
        if key in self._claims:
            self._replies[key] = reply

    async def reply_to(self, place: Place, message: str) -> str | None:
        self._store.check_reachable()
        return self._replies.get((place.platform, place.channel, message))

    async def prune(self, now: datetime) -> None:
        self._store.check_reachable()
        self._drop([key for key, (at, _) in self._claims.items() if at < now - HANDLED_FOR])

    def forget_tenant(self, platform: str, tenant: str) -> None:
        self._drop([key for key, (_, of) in self._claims.items() if (key[0], of) == (platform, tenant)])

    def _drop(self, keys: Collection[tuple[str, str, str]]) -> None:
        for key in keys:
            del self._claims[key]
            self._replies.pop(key, None)


class MemoryLeases:
    """Implements `Leases`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._leases: dict[str, tuple[str, datetime]] = {}

    async def acquire(self, name: str, holder: str, until: datetime, now: datetime) -> bool:
        self._store.check_reachable()
        if name in self._leases:
            of, ends = self._leases[name]
            if of != holder and ends > now:
                return False
        self._leases[name] = (holder, until)
        return True

    async def release(self, name: str, holder: str) -> None:
        self._store.check_reachable()
        if name in self._leases and self._leases[name][0] == holder:
            del self._leases[name]


class MemoryCounters:
    """Implements `Counters`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._days: dict[date, Counter[Asked]] = defaultdict(Counter)

    async def add(self, counts: Mapping[Asked, int], day: date) -> None:
        self._store.check_reachable()
        self._days[day].update(counts)

    async def asked(self, since: date) -> Mapping[Asked, int]:
        self._store.check_reachable()
        return sum((counts for day, counts in self._days.items() if day >= since), Counter())

    async def wrong(self, since: datetime) -> Mapping[MarkedWrong, int]:
        self._store.check_reachable()
        return self._store.notes.marked_wrong(since)

    async def unasked(self, since: datetime) -> tuple[Unasked, ...]:
        self._store.check_reachable()
        return self._store.notes.unasked(since)

    async def prune(self, today: date) -> None:
        self._store.check_reachable()
        for day in [day for day in self._days if day < today - KEPT]:
            del self._days[day]

    def forget_tenant(self, platform: str, tenant: str) -> None:
        for counts in self._days.values():
            for what in [what for what in counts if (what.platform, what.tenant) == (platform, tenant)]:
                del counts[what]


if TYPE_CHECKING:
    _memory: type[Store] = MemoryStore  # mypy names the member that is missing
