"""`jargonaut run` as a process of its own, beside the fakes that a test plays Slack and Discord with."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp

from tests.discord_fake import FakeDiscord
from tests.processes import COMMAND, Ended, Jargonaut
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace

LIMIT: Final = 60.0
"""Seconds in which anything has to happen; a start takes two on a quiet machine."""


@dataclass
class Run:
    """A process that runs, and the lines that it has logged."""

    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list)
    over: bool = False
    """It has closed its log."""
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def read(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.lines.append(line.decode().rstrip("\n"))
            async with self._news:
                self._news.notify_all()
        async with self._news:
            self.over = True
            self._news.notify_all()

    async def logged(self, words: str) -> dict[str, Any]:
        """The first line with these words, as an object; waits for it. AssertionError: the process ended without."""
        async with asyncio.timeout(LIMIT), self._news:
            await self._news.wait_for(lambda: self.over or any(words in line for line in self.lines))
        found = [line for line in self.lines if words in line]
        assert found, "\n".join(self.lines)
        line: dict[str, Any] = json.loads(found[0])
        return line

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """The exit code after a signal."""
        self.process.send_signal(number)
        return await self.ended()

    async def ended(self) -> int:
        async with asyncio.timeout(LIMIT):
            return await self.process.wait()


@asynccontextmanager
async def running(home: Path, **variables: str) -> AsyncIterator[Run]:
    """`variables` are those of the environment, in capitals. What still runs at the end is killed."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        "run",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        cwd=home,
        env=Jargonaut(home, {"OPS_PORT": "0"}).environment(**variables),
    )
    run = Run(process)
    reading = asyncio.create_task(run.read())
    try:
        yield run
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await reading


def on_slack(slack: SlackFake, acme: Workspace) -> dict[str, str]:
    """The settings of a run in a workspace of the fake, over Socket Mode."""
    return {
        "SLACK_BOT_TOKEN": acme.installation.token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_API_URL": slack.api_url,
    }


def on_discord(discord: FakeDiscord) -> dict[str, str]:
    return {"DISCORD_TOKEN": discord.token, "DISCORD_API_URL": discord.api_url}


async def get(address: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return answer.status, await answer.text()


def ended(home: Path, **variables: str) -> Ended:
    """A run that can't begin."""
    return Jargonaut(home)("run", **variables)
