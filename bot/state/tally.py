"""Counts what is asked, in memory, and writes it down now and then: an answer costs no write."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Final

from bot.answer import Answer
from bot.errors import StoreError
from bot.request import Request
from bot.state.counters import Asked, Counters
from bot.watching import Noticed, Watch

WRITE_EVERY: Final = 10.0
"""Seconds. So many counts a process that is killed takes with it."""

MOST: Final = 10_000
"""Different counts that wait for the store at most; while it's away, others are lost."""

COUNTED: Final = frozenset({"definition", "comparison", "explanation", "unknown"})
"""Answers to somebody's question. Of a choice, what is chosen counts."""

CHOSEN: Final = frozenset({"choose", "pick", "option", "option-vs", "found"})
"""Buttons that answer the bot's question what was meant. With others people look around."""

_log: Final = logging.getLogger(__name__)


class Tally:
    """Implements `Watch`, for one more than itself."""

    def __init__(self, counters: Counters, watch: Watch) -> None:
        """`watch` is told everything, too."""
        self._counters = counters
        self._watch = watch
        self._waiting: dict[date, Counter[Asked]] = {}
        self._lost = 0
        self._pruned: date | None = None
        self._one_at_a_time = asyncio.Lock()
        self._current: asyncio.Task[None] | None = None

    def answered(self, request: Request, answer: Answer, seconds: float, reference: str) -> None:
        self._watch.answered(request, answer, seconds, reference)
        if answer.kind in COUNTED and (request.press is None or request.action in CHOSEN):
            for asked in _asked(request, answer):
                self._count(request.today, asked)

    def noticed(self, platform: str, what: Noticed) -> None:
        self._watch.noticed(platform, what)

    def store_failed(self, error: str) -> None:
        self._watch.store_failed(error)

    async def run(self) -> None:
        """Writes every `WRITE_EVERY` seconds, until it's cancelled; then `write` once more."""
        while True:
            await asyncio.sleep(WRITE_EVERY)
            # A write that is under way when this is cancelled goes on, and the last one waits for it.
            self._current = asyncio.create_task(self.write())
            await asyncio.shield(self._current)

    async def write(self) -> None:
        """Writes what was counted. Never raises: what can't be written waits for the next time."""
        async with self._one_at_a_time:
            for day in list(self._waiting):
                counts = self._waiting.pop(day)
                if not await self._done(self._counters.add(counts, day)):
                    self._keep(day, counts)
                elif self._pruned is None or self._pruned < day:
                    await self._done(self._counters.prune(day))
                    self._pruned = day
            if self._lost:
                _log.warning("store: %d counts of what is asked were lost", self._lost)
                self._lost = 0

    async def _done(self, work: Awaitable[None]) -> bool:
        try:
            await work
        except StoreError as error:
            self._watch.store_failed(type(error).__name__)
            return False
        return True

    def _keep(self, day: date, counts: Counter[Asked]) -> None:
        for asked, count in counts.items():
            self._count(day, asked, count)

    def _count(self, day: date, asked: Asked, count: int = 1) -> None:
        counts = self._waiting.setdefault(day, Counter())
        if asked in counts or sum(map(len, self._waiting.values())) < MOST:
            counts[asked] += count
        else:
            self._lost += count


def _asked(request: Request, answer: Answer) -> Iterator[Asked]:
    channel = "" if request.direct else request.place.channel
    for concept in ("",) if answer.kind == "unknown" else answer.concepts:
        yield Asked(request.place.platform, request.place.tenant, channel, concept, answer.language, answer.kind)


if TYPE_CHECKING:
    _tally: type[Watch] = Tally  # mypy names the member that is missing
