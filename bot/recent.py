"""What a process remembers of the last minute, and no store needs to know."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from bot.answer import Answer
from bot.request import Place

SAID_FOR: Final = timedelta(seconds=60)
"""So long the same answer to the same question needn't be given again in the same place."""

REMEMBERED: Final = 1_000
"""Public answers that are remembered for that."""


class RecentAnswers:
    """Public answers of the last minute, by what they say and where."""

    def __init__(self) -> None:
        self._replies: dict[tuple[object, ...], tuple[str, datetime]] = {}

    def add(self, place: Place, answer: Answer, reply: str, now: datetime) -> None:
        """A public definition or comparison is the platform's message `reply`. Other kinds aren't remembered."""
        if answer.kind in ("definition", "comparison"):
            self._replies.pop(_key(place, answer), None)
            self._replies[_key(place, answer)] = (reply, now)
            while len(self._replies) > REMEMBERED:
                del self._replies[next(iter(self._replies))]

    def find(self, place: Place, answer: Answer, now: datetime) -> str | None:
        """The reply that says the same in the same place, given less than `SAID_FOR` ago; None: there's none."""
        reply, at = self._replies.get(_key(place, answer), (None, now))
        return reply if now - at < SAID_FOR else None

    def forget(self, reply: str) -> None:
        """That reply is gone: the question may be answered again at once."""
        self._replies = {key: value for key, value in self._replies.items() if value[0] != reply}


def _key(place: Place, answer: Answer) -> tuple[object, ...]:
    return place, answer.kind, answer.language, answer.concepts
