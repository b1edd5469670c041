"""Whose a message is to answer, and with which reply it was answered."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.request import Place
from bot.state.bounded import Bounded
from bot.state.ports import Handled

REMEMBERED: Final = 10_000
"""Messages that a process remembers to have answered, for when the store is away."""


class Claims:
    """Over the store, and over this process's own memory where the store is away."""

    def __init__(self, handled: Handled, bounded: Bounded) -> None:
        self._handled = handled
        self._bounded = bounded
        self._here: dict[tuple[str, str, str], None] = {}

    async def claim(self, place: Place, message: str, now: datetime) -> bool:
        """Whether a message that deserves an answer is this replica's to answer; ask before anything slow.

        With the store away a question is answered all the same, and this process doesn't answer it twice.
        """
        key = (place.platform, place.channel, message)
        if key in self._here:
            return False
        self._here[key] = None
        while len(self._here) > REMEMBERED:
            del self._here[next(iter(self._here))]
        return await self._bounded.quietly(self._handled.claim(place, message, now)) is not False

    async def replied(self, place: Place, message: str, reply: str) -> None:
        """The answer to `message` is the platform's message `reply`: edits and deletions will ask for it."""
        await self._bounded.quietly(self._handled.replied(place, message, reply))

    async def reply_to(self, place: Place, message: str) -> str | None:
        """The id of our answer to a message of the last 24 hours; None: there's none, or the store is away."""
        return await self._bounded.quietly(self._handled.reply_to(place, message))
