"""The store as an answer uses it: each call takes a bounded time, and its failure is said to the log, not to people."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime
from typing import Final, TypeVar

from bot.changes import Change
from bot.errors import StoreError
from bot.request import Person, Place, Request
from bot.state.ports import Channel, Profile, Store
from bot.state.remembering import MAY_BE_LOST, remember

T = TypeVar("T")

_log: Final = logging.getLogger(__name__)

READ_SECONDS: Final = 0.5
"""What an answer waits for the store at most; after that it's given as to somebody who never set anything."""

WRITE_SECONDS: Final = 1.5
"""What an answer waits for a setting to be saved, before it says that it wasn't."""


class Bounded:
    """Reads and writes within these times, for one process."""

    def __init__(self, store: Store, failed: Callable[[str], None]) -> None:
        """`failed` is told the kind of each failure, without any value."""
        self._store = store
        self._failed = failed
        self._tasks: set[asyncio.Task[None]] = set()
        self._away = False

    async def remembered(self, person: Person, place: Place) -> tuple[Profile, Channel, bool]:
        """What is set for a person and a channel; the defaults, and False, where the store doesn't say in time."""
        if (known := self._store.at_hand(person, place)) is not None:
            return *known, True
        try:
            async with asyncio.timeout(READ_SECONDS):
                remembered = await self._store.people.get(person), await self._store.channels.get(place), True
        except (StoreError, TimeoutError) as error:
            self._failed(type(error).__name__)
            if not self._away:  # said once, not with every answer
                _log.warning("store: can't be reached (%s); answers go on without it", type(error).__name__)
            self._away = True
            return Profile(), Channel(), False
        if self._away:
            _log.warning("store: back again")
        self._away = False
        return remembered

    async def quietly(self, work: Awaitable[T]) -> T | None:
        """The result of a call that an answer can do without; None where it failed."""
        try:
            async with asyncio.timeout(READ_SECONDS):
                return await work
        except (StoreError, TimeoutError) as error:
            self._failed(type(error).__name__)
            _log.warning("store: a call about notes failed (%s)", type(error).__name__)
            return None

    async def save(self, changes: Collection[Change], request: Request, now: datetime) -> bool:
        """Carries out what a command wants remembered. False: a setting wasn't saved, and the answer has to say so.

        Counts are written behind the answer.
        """
        if not changes:
            return True
        settings: list[Change] = []
        for change in changes:
            if isinstance(change, MAY_BE_LOST):
                self.behind(remember(change, request, self._store, now))
            else:
                settings.append(change)
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                for change in settings:
                    await remember(change, request, self._store, now)
        except (StoreError, TimeoutError) as error:
            self._failed(type(error).__name__)
            _log.warning("store: saving a setting failed (%s)", type(error).__name__)
            return False
        return True

    def behind(self, work: Awaitable[None]) -> None:
        """Does what nobody waits for; `close` does. Losing it is said to the log only."""

        async def write() -> None:
            try:
                async with asyncio.timeout(WRITE_SECONDS):
                    await work
            except Exception as error:  # whatever it is, its message may have the text
                self._failed(type(error).__name__)
                _log.warning("store: a count was lost (%s)", type(error).__name__)

        task = asyncio.create_task(write())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Waits for what is still being written, which takes `WRITE_SECONDS` at most."""
        await asyncio.gather(*self._tasks)
