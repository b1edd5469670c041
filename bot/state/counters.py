"""The port of counts: what is asked, marked wrong and opened, for the owners of the glossary. Never who did it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bot.state.ports import Miss, Store


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for, and where. One answer about several concepts counts for each of them."""

    platform: str
    tenant: str
    channel: str
    """Empty: a conversation with the bot alone, whose channel would be a name for the person."""
    concept: str
    """Its id; empty: what was asked for isn't in the glossary."""
    language: str
    """That of the answer, as in `answer.Shown`."""
    outcome: str
    """What the answer was: `answer.Kind`."""


@dataclass(frozen=True, slots=True)
class MarkedWrong:
    """A folded label under which a note explained a sense that wasn't meant."""

    platform: str
    channel: str
    label: str
    concept: str


@dataclass(frozen=True, slots=True)
class Unasked:
    """Notes of one channel that were posted, and buttons of them that were pressed."""

    platform: str
    channel: str
    notes: int = 0
    opened: int = 0


class Counters(Protocol):
    """Counts by day (UTC). They are kept for `ports.KEPT`, as notes are."""

    async def add(self, counts: Mapping[Asked, int], day: date) -> None:
        """All of it is added, or nothing."""
        ...

    async def asked(self, since: date) -> Mapping[Asked, int]:
        """That day and later, all days together."""
        ...

    async def wrong(self, since: datetime) -> Mapping[MarkedWrong, int]:
        """In how many threads."""
        ...

    async def unasked(self, since: datetime) -> tuple[Unasked, ...]:
        """Of every channel that had a note or an opened one, by platform and channel."""
        ...

    async def prune(self, today: date) -> None:
        """Deletes what `add` was told more than `ports.KEPT` ago."""
        ...


@dataclass(frozen=True, slots=True)
class Counts:
    """All that a report is made of."""

    days: int
    asked: Mapping[Asked, int]
    misses: tuple[Miss, ...]
    """Of all time: a miss has a count and its last day, and is in here if that isn't too long ago."""
    wrong: Mapping[MarkedWrong, int]
    unasked: tuple[Unasked, ...]


ALL_MISSES = 10_000
"""Different texts that are read for a report; the most frequent first."""


async def counted(store: Store, days: int, now: datetime) -> Counts:
    """The last `days` days, today (UTC) included. Raises `StoreError`."""
    first = now.astimezone(UTC).date() - timedelta(days=days - 1)
    since = datetime.combine(first, time(), UTC)
    misses = await store.misses.top(ALL_MISSES)
    return Counts(
        days,
        asked=await store.counters.asked(first),
        misses=tuple(miss for miss in misses if miss.last_day >= first),
        wrong=await store.counters.wrong(since),
        unasked=await store.counters.unasked(since),
    )
