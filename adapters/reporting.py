"""The channel of the glossary's owners: a report every Monday, and at once what is wrong with a file."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final

from bot.answer import Answer
from bot.errors import Problem, StoreError
from bot.report import rejected, report
from bot.state.counters import counted
from bot.state.ports import Store
from bot.wording import Voice

EVERY: Final = 600.0
"""Seconds between two looks at the clock."""

HOUR: Final = 8
"""On Mondays, UTC: the end of the working day in China, the beginning of it in Europe."""

DAYS: Final = 7

SAME: Final = timedelta(minutes=1)
"""Replicas watch the same files; within this, what another of them has said isn't said again."""

_log: Final = logging.getLogger(__name__)


class Reporting:
    """Of all replicas, one posts. After a crash a report may be missing, never doubled."""

    def __init__(self, store: Store, voice: Callable[[], Voice], post: Callable[[Answer], Awaitable[None]]) -> None:
        """`voice` is asked each time, as the glossary may have changed. `post` may raise what it likes."""
        self._store = store
        self._voice = voice
        self._post = post
        self._holder = secrets.token_hex(8)
        self._posted: datetime | None = None

    async def run(self) -> None:
        """Looks at the clock until it's cancelled."""
        while True:
            await self.look(datetime.now(UTC))
            await asyncio.sleep(EVERY)

    async def look(self, now: datetime) -> None:
        """Posts the report of the week that has ended, if it's Monday and nobody did. Never raises."""
        midnight = datetime.combine(now.date(), time(), UTC)
        if now.weekday() != 0 or now.hour < HOUR or self._posted == midnight:
            return
        try:
            if not await self._store.leases.acquire("weekly-report", self._holder, midnight + timedelta(days=1), now):
                return
            if await self._tried(report(await counted(self._store, DAYS, now - timedelta(days=1)), self._voice())):
                self._posted = midnight
            else:  # another replica may have more luck
                await self._store.leases.release("weekly-report", self._holder)
        except StoreError as error:
            _log.warning("report: the store failed (%s); it's tried again", type(error).__name__)

    async def reject(self, problems: Sequence[Problem], now: datetime) -> None:
        """Says that changed files aren't used, and why. Never raises."""
        try:
            if not await self._store.leases.acquire("rejected-change", self._holder, now + SAME, now):
                return
        except StoreError:
            pass  # better said by every replica than by none
        await self._tried(rejected(problems, self._voice()))

    async def _tried(self, answer: Answer) -> bool:
        try:
            await self._post(answer)
        except Exception as error:  # a platform's message may quote what was posted
            _log.error("report: %s while posting", type(error).__name__)
            return False
        return True
