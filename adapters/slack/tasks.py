"""Work that goes on after Slack has its acknowledgement."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Coroutine
from typing import Any

_log = logging.getLogger(__name__)


class Tasks:
    """Keeps hold of what was started, so that it isn't collected, and waits for it at the end."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Lets `work` run behind. What it raises is logged by type and place: its message may quote a person."""
        self.watch(asyncio.create_task(work))

    def watch(self, task: asyncio.Task[Any]) -> None:
        """The same for a task that somebody else started."""
        self._running.add(task)
        task.add_done_callback(self._done)

    async def finish(self, seconds: float) -> None:
        """Waits for all that was started, also meanwhile, for `seconds` at most; then ends the rest."""
        try:
            async with asyncio.timeout(seconds):
                while self._running:
                    await asyncio.wait(self._running)
        except TimeoutError:
            _log.warning("%d answers were cut off at the end", len(self._running))
        for task in tuple(self._running):
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            frames = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s behind an acknowledgement\n%s", type(error).__name__, frames)
