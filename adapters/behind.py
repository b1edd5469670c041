"""What goes on behind the answers of `jargonaut run`: counting, watching the team's files, reports to their owners."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.operations.metrics import Metrics
from adapters.reloading import Outcome, Reloading
from adapters.reporting import Reporting
from adapters.running import Platform
from bot.answer import Answer
from bot.bot import Bot
from bot.errors import SettingsError
from bot.settings import Settings
from bot.state.ports import Store
from bot.state.tally import Tally
from bot.wording import Voice


class Behind:
    """Made before the bot, which asks it for the glossary and tells it what was answered."""

    def __init__(self, settings: Settings, layers: Sequence[Path], store: Store, metrics: Metrics) -> None:
        """`layers`: the first is the shipped data, the others are watched. Raises `DataError`."""
        self._metrics = metrics
        self._reporting: Reporting | None = None
        self._settings = settings
        self._store = store
        self._telling: set[asyncio.Task[None]] = set()
        self.reloading = Reloading(layers, layers[1:], self._changed)
        self.tally = Tally(store.counters, metrics)

    @asynccontextmanager
    async def going_on(self, bot: Bot, platforms: Sequence[Platform]) -> AsyncIterator[None]:
        """While it lasts, all of it goes on. What was counted is written at the end.

        Raises `SettingsError` if the report channel is one of a platform that isn't there.
        """
        work = [self.tally.run(), self.reloading.run(bot.prepare)]
        if self._settings.report_channel:
            self._reporting = Reporting(self._store, self._voice, poster(self._settings.report_channel, platforms))
            work.append(self._reporting.run())
        tasks = [asyncio.create_task(each) for each in work]
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self.reloading.hurry)
        try:
            yield
        finally:
            for task in (*tasks, *self._telling):
                task.cancel()
            await asyncio.gather(*tasks, *self._telling, return_exceptions=True)
            await self.tally.write()

    def data(self) -> dict[str, Any]:
        """What there is to say about the glossary: how large it is, and why a change isn't used."""
        problems = [str(problem) for problem in self.reloading.problems]
        return {"concepts": len(self.reloading.glossary.concepts)} | ({"rejected": problems} if problems else {})

    def _changed(self, outcome: Outcome) -> None:
        self._metrics.reloaded("loaded" if outcome.loaded else "rejected")
        if self._reporting and not outcome.loaded:
            task = asyncio.create_task(self._reporting.reject(outcome.problems, datetime.now(UTC)))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    def _voice(self) -> Voice:
        language = self._settings.report_language
        return Voice(self.reloading.glossary, self.reloading.loaded.phrases, language, language)


def poster(channel: str, platforms: Sequence[Platform]) -> Callable[[Answer], Awaitable[None]]:
    """Posts to this channel. Discord's ids are numbers, Slack's begin with a letter."""
    name = "discord" if channel.isdigit() else "slack"
    for platform in platforms:
        if platform.name == name:
            return lambda answer: platform.post(channel, answer)
    raise SettingsError(f"REPORT_CHANNEL is a channel of {name.capitalize()}, which isn't configured")
