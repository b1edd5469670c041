"""The ports: what the bot remembers, as Protocols. One contract suite runs over every implementation.

Every method may raise `StoreError`: the store is away, or didn't answer within its bounded time. Nothing of a
message's text is ever kept; the one exception is `Misses` (see there).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from bot.answer import Shown
from bot.request import Person


@dataclass(frozen=True, slots=True)
class Profile:
    """What is kept about one person. The defaults are what somebody has who never set anything."""

    language: Shown | None = None
    """None: automatic."""
    muted: bool = False
    """No unasked notes under this person's messages."""
    known: frozenset[str] = frozenset()
    """Ids of concepts that the person knows."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A look-up that the glossary couldn't answer: folded text, how often, and the day of the last time (UTC)."""

    text: str
    count: int
    last_day: date


class People(Protocol):
    """One row per person; a person without a row has the default `Profile`."""

    async def get(self, person: Person) -> Profile: ...

    async def set_language(self, person: Person, language: Shown | None) -> None: ...

    async def set_muted(self, person: Person, muted: bool) -> None: ...

    async def know(self, person: Person, concepts: Collection[str]) -> None:
        """Adds to what the person knows; known ones stay."""
        ...

    async def unknow(self, person: Person, concepts: Collection[str]) -> None:
        """Takes from what the person knows; unknown ones are no error."""
        ...

    async def forget(self, person: Person) -> None:
        """Deletes everything that is kept about the person."""
        ...


class Misses(Protocol):
    """Unanswered typed look-ups, for the owners of the glossary: without a person, a channel or a place."""

    async def count(self, text: str, day: date) -> None:
        """Adds one to `text` (folded, at most 40 characters; the caller has filtered it)."""
        ...

    async def top(self, limit: int, at_least: int = 2) -> tuple[Miss, ...]:
        """The most frequent ones with `count >= at_least`; equal counts by text."""
        ...


class Store(Protocol):
    """All ports together, as the composition root hands them to the bot."""

    @property
    def people(self) -> People: ...

    @property
    def misses(self) -> Misses: ...

    async def close(self) -> None:
        """Finishes what was begun and lets go of connections. Calling it twice is no error."""
        ...
