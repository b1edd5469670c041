"""How much one person may ask for: a flood is slowed down, and nobody else notices it.

Counted per process and in memory only; what a person asks for is remembered as times, for a minute.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from bot.request import Person

WINDOW: Final = timedelta(minutes=1)

PEOPLE: Final = 10_000
"""Of whom requests are remembered at most; whoever asked longest ago goes first."""

Verdict: TypeAlias = Literal["in", "first-over", "over"]
"""A request is within the limit; it's the first one over it since the person was within; it's a further one."""


class Flood:
    """A sliding window per person."""

    def __init__(self, per_minute: int) -> None:
        """`per_minute`: requests of one person; 0: no limit."""
        self._per_minute = per_minute
        self._asked: dict[Person, deque[datetime]] = {}
        self._told: set[Person] = set()

    def judge(self, person: Person, now: datetime) -> Verdict:
        """Counts a request, unless it's over the limit: who keeps asking is let in again when the window moves."""
        if not self._per_minute:
            return "in"
        asked = self._asked.pop(person, None) or deque()
        self._asked[person] = asked  # now the latest
        while asked and now - asked[0] >= WINDOW:
            asked.popleft()
        while len(self._asked) > PEOPLE:
            gone = next(iter(self._asked))
            del self._asked[gone]
            self._told.discard(gone)
        if len(asked) < self._per_minute:
            asked.append(now)
            self._told.discard(person)
            return "in"
        if person in self._told:
            return "over"
        self._told.add(person)
        return "first-over"
