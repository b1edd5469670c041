"""A replica as a process of its own: it answers what it reads. `python -m tests.replica URL`.

Each line of input is a message's id. A line of output is `ready` at the start, `answered ID`, and `done` at the end.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

from bot.request import Place
from bot.state.database import open_database

HERE = Place("slack", "T1", "C1")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

AT_ONCE = 20
"""Messages that it's busy with."""


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str) -> None:
    database = await open_database(url, call_seconds=60)
    await database.ready(within=60)
    at_once = asyncio.Semaphore(AT_ONCE)
    say("ready")

    async def answer(message: str) -> None:
        async with at_once:
            if await database.handled.claim(HERE, message, NOW):
                say(f"answered {message}")
                await database.handled.replied(HERE, message, f"reply to {message}")

    async with asyncio.TaskGroup() as tasks:
        while line := await asyncio.to_thread(sys.stdin.readline):
            tasks.create_task(answer(line.strip()))
    say("done")
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
