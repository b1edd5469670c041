"""Notes, as the store of tests remembers them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from bot.request import Person, Place, short_hash
from bot.state.counters import MarkedWrong, Unasked
from bot.state.ports import FIGURES_OF, HOUR, KEPT, MANY, Figures, Limits, Note

if TYPE_CHECKING:
    from bot.state.memory import MemoryStore


@dataclass(slots=True)
class _Kept:
    """A note that was claimed. Without terms it's gone."""

    place: Place
    at: datetime
    note: Note


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was explained where; `message` is empty unless a note did it. `tenant` is the first one's."""

    platform: str
    channel: str
    thread: str
    concept: str
    message: str = ""
    tenant: str = field(default="", compare=False)


@dataclass(slots=True)
class _Wrong:
    place: Place
    label: str
    concept: str
    at: datetime
    released: bool = False


class MemoryNotes:
    """Implements `Notes`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._notes: dict[tuple[str, str, str], _Kept] = {}
        self._seen: dict[_Seen, datetime] = {}
        self._known: dict[tuple[str, str, str, str], tuple[datetime, str]] = {}
        self._votes: set[tuple[str, str, str, str, str]] = set()
        self._presses: list[tuple[str, str, str, datetime, str]] = []
        self._wrong: list[_Wrong] = []

    async def claim(self, place: Place, note: Note, limits: Limits, now: datetime) -> Note | None:
        self._store.check_reachable()
        here = [kept for kept in self._notes.values() if _same_channel(kept.place, place)]
        if (
            _key(place, note.message) in self._notes
            or sum(kept.at > now - HOUR for kept in here) >= limits.per_hour
            or (place.thread and sum(kept.place.thread == place.thread for kept in here) >= limits.per_thread)
        ):
            return None
        explained = {
            seen.concept
            for seen, at in self._seen.items()
            if (seen.platform, seen.channel) == (place.platform, place.channel)
            and (at > now - limits.again_after or (place.thread and seen.thread == place.thread))
        }
        silent = {
            wrong.label
            for wrong in self._wrong
            if place.thread and _same_channel(wrong.place, place) and wrong.place.thread == place.thread
        }
        terms = limits.chosen(note.terms, explained, silent)
        if not terms:
            return None
        claimed = replace(note, terms=terms)
        self._notes[_key(place, note.message)] = _Kept(place, now, claimed)
        for concept, _ in terms:
            self._seen[_seen(place, concept, note.message)] = now
        return claimed

    async def saw(self, place: Place, concepts: Collection[str], now: datetime) -> None:
        self._store.check_reachable()
        for concept in concepts:
            seen = _seen(place, concept)
            self._seen[seen] = max(now, self._seen.get(seen, now))

    async def posted(self, place: Place, message: str, reply: str) -> None:
        self._store.check_reachable()
        if kept := self._notes.get(_key(place, message)):
            kept.note = replace(kept.note, reply=reply)

    async def withdraw(self, place: Place, message: str) -> None:
        self._store.check_reachable()
        key = _key(place, message)
        if self._notes.pop(key, None):
            self._seen = {
                seen: at for seen, at in self._seen.items() if (seen.platform, seen.channel, seen.message) != key
            }
            self._presses = [press for press in self._presses if press[:3] != key]
            self._drop_votes()

    async def find(self, place: Place, *, message: str = "", reply: str = "") -> Note | None:
        self._store.check_reachable()
        if message:
            found = [kept for key, kept in self._notes.items() if key == _key(place, message)]
        else:
            here = (kept for kept in self._notes.values() if _same_channel(kept.place, place))
            found = [kept for kept in here if reply and kept.note.reply == reply]
        return next((kept.note for kept in found if kept.note.terms), None)

    async def keep_only(self, place: Place, message: str, concepts: Collection[str]) -> Note | None:
        self._store.check_reachable()
        kept = self._notes.get(_key(place, message))
        if kept is None:
            return None
        kept.note = replace(kept.note, terms=tuple(term for term in kept.note.terms if term[0] in concepts))
        return kept.note if kept.note.terms else None

    async def opened(self, place: Place, message: str, now: datetime) -> None:
        if await self.find(place, message=message):
            self._presses.append((*_key(place, message), now, place.tenant))

    async def mark_wrong(self, place: Place, message: str, concept: str, voter: str, now: datetime) -> int:
        note = await self.find(place, message=message)
        if note is None or concept not in dict(note.terms):
            return 0
        term = (*_key(place, message), concept)
        self._votes.add((*term, voter))
        return sum(vote[:4] == term for vote in self._votes)

    async def settle_wrong(self, place: Place, label: str, concept: str, now: datetime) -> int:
        self._store.check_reachable()
        self._wrong.append(_Wrong(place, label, concept, now))
        return sum(
            _same_channel(wrong.place, place) and wrong.label == label and not wrong.released for wrong in self._wrong
        )

    async def knows(self, place: Place, concepts: Collection[str], reader: str, now: datetime) -> None:
        self._store.check_reachable()
        for concept in concepts:
            self._known.setdefault((place.platform, place.channel, concept, reader), (now, place.tenant))

    async def unlearns(self, place: Place, concepts: Collection[str], reader: str) -> None:
        self._store.check_reachable()
        for concept in concepts:
            self._known.pop((place.platform, place.channel, concept, reader), None)

    async def many_know(self, place: Place) -> tuple[str, ...]:
        self._store.check_reachable()
        here = Counter(key[2] for key in self._known if key[:2] == (place.platform, place.channel))
        return tuple(sorted((c for c, readers in here.items() if readers >= MANY), key=lambda c: (-here[c], c)))

    async def figures(self, place: Place, now: datetime) -> Figures:
        self._store.check_reachable()
        since = now - FIGURES_OF
        return Figures(
            notes=sum(
                _same_channel(kept.place, place) and kept.note.reply is not None and kept.at >= since
                for kept in self._notes.values()
            ),
            opened=sum(press[:2] == (place.platform, place.channel) and press[3] >= since for press in self._presses),
            wrong=sum(_same_channel(wrong.place, place) and wrong.at >= since for wrong in self._wrong),
        )

    async def prune(self, now: datetime) -> None:
        self._store.check_reachable()
        since = now - KEPT
        self._notes = {key: kept for key, kept in self._notes.items() if kept.at >= since}
        self._seen = {seen: at for seen, at in self._seen.items() if at >= since}
        self._presses = [press for press in self._presses if press[3] >= since]
        self._wrong = [wrong for wrong in self._wrong if wrong.at >= since]
        self._known = {key: (at, of) for key, (at, of) in self._known.items() if at >= since}
        self._drop_votes()

    def marked_wrong(self, since: datetime) -> Counter[MarkedWrong]:
        """For `Counters`."""
        return Counter(
            MarkedWrong(wrong.place.platform, wrong.place.channel, wrong.label, wrong.concept)
            for wrong in self._wrong
            if wrong.at >= since
        )

    def unasked(self, since: datetime) -> tuple[Unasked, ...]:
        """For `Counters`."""
        notes = Counter(
            key[:2] for key, kept in self._notes.items() if kept.note.reply is not None and kept.at >= since
        )
        opened = Counter(press[:2] for press in self._presses if press[3] >= since)
        return tuple(Unasked(*where, notes[where], opened[where]) for where in sorted(notes | opened))

    def release(self, place: Place, label: str) -> None:
        for wrong in self._wrong:
            if _same_channel(wrong.place, place) and wrong.label == label:
                wrong.released = True

    def forget(self, person: Person) -> None:
        hashed = short_hash(person)
        self._votes = {vote for vote in self._votes if (vote[0], vote[4]) != (person.platform, hashed)}
        self._known = {key: of for key, of in self._known.items() if (key[0], key[3]) != (person.platform, hashed)}
        for kept in self._notes.values():
            if (kept.place.platform, kept.note.author) == (person.platform, hashed):
                kept.note = replace(kept.note, author="")

    def forget_tenant(self, platform: str, tenant: str) -> None:
        def stays(of_platform: str, of_tenant: str) -> bool:
            return (of_platform, of_tenant) != (platform, tenant)

        self._notes = {key: kept for key, kept in self._notes.items() if stays(key[0], kept.place.tenant)}
        self._seen = {seen: at for seen, at in self._seen.items() if stays(seen.platform, seen.tenant)}
        self._known = {key: (at, of) for key, (at, of) in self._known.items() if stays(key[0], of)}
        self._presses = [press for press in self._presses if stays(press[0], press[4])]
        self._wrong = [wrong for wrong in self._wrong if stays(wrong.place.platform, wrong.place.tenant)]
        self._drop_votes()

    def _drop_votes(self) -> None:
        """Those about notes that are no longer kept."""
        self._votes = {vote for vote in self._votes if vote[:3] in self._notes}


def _seen(place: Place, concept: str, message: str = "") -> _Seen:
    return _Seen(place.platform, place.channel, place.thread or "", concept, message, place.tenant)


def _key(place: Place, message: str) -> tuple[str, str, str]:
    return place.platform, place.channel, message


def _same_channel(one: Place, other: Place) -> bool:
    return (one.platform, one.channel) == (other.platform, other.channel)
