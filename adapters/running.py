"""`jargonaut run`: connects to the platforms that are configured, and stays until it's told to stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

from bot.answer import Answer
from bot.errors import ConnectError

STOPPED: Final = 0
LOST: Final = 1

STOP_SECONDS: Final = 4.0
"""So long a platform may take to finish what it was answering and to close."""

_log: Final = logging.getLogger(__name__)


class Platform(Protocol):
    """A chat platform that the bot is connected to."""

    @property
    def name(self) -> str: ...

    @property
    def connected(self) -> bool:
        """Events arrive now. False while it connects again."""
        ...

    @property
    def reconnects(self) -> int:
        """How often the connection was made again."""
        ...

    async def post(self, channel: str, answer: Answer) -> None:
        """Posts a message of its own to a channel. Raises whatever kept it from that."""
        ...

    async def start(self) -> str:
        """Connects. One line for the log: where, as whom, what is on and what isn't.

        Raises `ConnectError` if the platform refuses, and won't change its mind.
        """
        ...

    async def wait(self) -> None:
        """Ends with `ConnectError` when the platform has shut us out, and not before."""
        ...

    async def stop(self) -> None:
        """Takes no new events, finishes answers that were begun, closes. Also before `start` is done, and twice."""
        ...


async def keep_running(platforms: Sequence[Platform], stop: asyncio.Event, tell: Callable[[int, str], None]) -> int:
    """The exit code: `STOPPED` once `stop` is set, `LOST` when every platform has shut us out.

    Raises `ConnectError` if one refuses at the start: a deployment that is half there would go unnoticed.
    """
    told = asyncio.create_task(stop.wait())
    starts = {asyncio.create_task(platform.start()): platform for platform in platforms}
    ends: dict[asyncio.Task[None], Platform] = {}
    try:
        connecting = dict(starts)
        while connecting:
            await asyncio.wait({told, *connecting}, return_when=asyncio.FIRST_COMPLETED)
            if told.done():
                return STOPPED
            for start in [task for task in connecting if task.done()]:
                tell(logging.INFO, f"{connecting.pop(start).name}: {start.result()}")
        ends = {asyncio.create_task(platform.wait()): platform for platform in platforms}
        while ends:
            done, _ = await asyncio.wait({told, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if told.done():
                return STOPPED
            for end in [task for task in ends if task in done]:
                tell(logging.ERROR, f"{ends.pop(end).name}: {_why(end)}")
        return LOST
    finally:
        for task in (told, *starts, *ends):
            task.cancel()
        await asyncio.gather(*(_stop(platform) for platform in platforms))
        await asyncio.gather(told, *starts, *ends, return_exceptions=True)


def _why(end: asyncio.Task[None]) -> str:
    error = end.exception()
    if isinstance(error, ConnectError):
        return str(error)
    return f"the connection ended{f' ({type(error).__name__})' if error else ''}"


async def _stop(platform: Platform) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            try:
                await platform.stop()
            except Exception as error:
                _log.error("%s: %s while closing", platform.name, type(error).__name__)
