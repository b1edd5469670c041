"""Answers in flight: nothing that goes wrong in one is lost or shows what people wrote, and none is cut off."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Coroutine
from typing import Any, Final

_log: Final = logging.getLogger(__name__)


class InFlight:
    """The work that events cause, each in the task that discord.py made for it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._latest: dict[int, asyncio.Task[Any]] = {}
        self._ending = False

    async def run(self, work: Coroutine[Any, Any, object], what: str, *, message: int | None = None) -> None:
        """Does the work; an error is logged with its type and place, since its message may quote somebody.

        Work about the same `message` is done in the order of its events: whoever takes a question back while it's
        being answered finds the answer.
        """
        task = asyncio.current_task()
        if task is None or self._ending:
            work.close()
            return
        self._tasks.add(task)
        before = self._latest.get(message) if message is not None else None
        if message is not None:
            self._latest[message] = task
        try:
            if before is not None:
                await asyncio.wait({before})
            await work
        except Exception as error:
            frames = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s while handling %s\n%s", type(error).__name__, what, frames)
        finally:
            work.close()  # it may have been cancelled before its turn
            self._tasks.discard(task)
            if message is not None and self._latest.get(message) is task:
                del self._latest[message]

    async def finish(self, seconds: float) -> None:
        """Takes no more work, and waits so long for what was begun."""
        self._ending = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
