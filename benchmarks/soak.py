"""Whether a process that people talk to for a long time stays as small and as quick as it was.

    .venv/bin/python benchmarks/soak.py [--minutes 10] [--per-second 10] [--postgresql]

`jargonaut run` on Slack (Socket Mode) and Discord at once, with fakes of both, over SQLite, or with `--postgresql` over
a database of its own on the server that TEST_DATABASE_URL names. People ask, press, type, write and edit by chance. The
first fifth fills the caches; from then on memory and descriptors may not grow beyond the goals.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import Final

from _people import Crowd, OnDiscord, OnSlack, Wait, Waits
from _processes import Usage, usage
from _timing import Report

from tests.discord_fake import FakeDiscord
from tests.runs import on_discord, on_slack, running
from tests.servers import SERVER, database_named, random_name
from tests.slack_fake import SlackFake

MEMORY: Final = 15.0
"""Megabytes by which the process may grow after the first fifth."""

DESCRIPTORS: Final = 4
"""By which they may differ once nothing is asked any more: connections come and go."""

LATE: Final = 3.0
"""Seconds after which Slack and Discord tell people that the bot didn't answer."""

REST_SECONDS: Final = 5.0


class Load:
    """Does what people do, so and so often per second, however long each thing takes."""

    def __init__(self, crowds: Sequence[Crowd], chance: random.Random, per_second: float) -> None:
        self._crowds = crowds
        self._chance = chance
        self._pause = 1 / per_second
        self._tasks: set[asyncio.Task[None]] = set()
        self.waits = Waits()
        self.failures: list[str] = []

    async def go_on(self, seconds: float) -> Waits:
        """For so long; what people waited meanwhile."""
        self.waits = waits = Waits()
        start = perf_counter()
        begun = 0
        while (passed := perf_counter() - start) < seconds:
            while begun * self._pause <= passed:
                name, deed = self._chance.choice(self._crowds).choose()
                task = asyncio.create_task(self._do(name, deed, waits))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                begun += 1
            await asyncio.sleep(self._pause)
            if begun % 200 == 0 and len(self._tasks) < 10:
                for crowd in self._crowds:
                    crowd.forget()
        return waits

    async def rest(self) -> None:
        """Until all is answered, and a little longer."""
        await asyncio.gather(*self._tasks)
        await asyncio.sleep(REST_SECONDS)

    async def _do(self, name: str, deed: Wait, waits: Waits) -> None:
        try:
            waits.add(name, await deed())
        except Exception as error:
            self.failures.append(f"{name}: {type(error).__name__} {error}"[:200])


def row(when: str, now: Usage, waits: Waits) -> None:
    done = sum(waits.counts.values())
    print(
        f"  {when:<12}{now.megabytes:>8.1f} MB{now.descriptors:>6} descriptors{done:>8} done"
        f"{waits.milliseconds(0.5):>9.1f} ms median{waits.milliseconds(0.99):>9.1f} ms at 0.99",
        flush=True,
    )


async def soak(minutes: float, per_second: float, database: str) -> None:
    report = Report(f"soak: {minutes:g} minutes, {per_second:g} per second, {database.partition(':')[0] or 'sqlite'}")
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as home:
        async with SlackFake() as slack, FakeDiscord() as discord:
            crowds = OnSlack(slack, chance), OnDiscord(discord, chance)
            settings = {**on_slack(slack, crowds[0].acme), **on_discord(discord), "DATABASE_URL": database}
            async with running(Path(home), **settings) as run:
                await run.logged("slack: ")
                await run.logged("discord: ")
                for crowd in crowds:
                    await crowd.explain()
                load = Load(crowds, chance, per_second)
                pid = run.process.pid
                row("started", usage(pid), load.waits)
                seconds = minutes * 60
                first = await load.go_on(seconds / 5)
                row("warm", usage(pid), first)
                await load.rest()
                before = usage(pid)
                steps = max(2, round(minutes * 0.8))
                early = late = first
                for step in range(steps):
                    late = await load.go_on(seconds * 0.8 / steps)
                    early = late if step == 0 else early
                    row(f"{step + 1} of {steps}", usage(pid), late)
                await load.rest()
                after = usage(pid)
                code = await run.stop()
    print()
    for line in sorted(set(load.failures)):
        print(f"  failed {load.failures.count(line)} times: {line}")
    errors = [line for line in run.lines if '"level": "error"' in line or "Traceback" in line]
    for line in errors[:5]:
        print(f"  logged: {line}"[:300])
    report.note("computing, of one core", f"{(after.seconds - before.seconds) / (seconds * 0.8 + REST_SECONDS):.1%}")
    report.note("median of what people waited, first and last step", _both(early, late, 0.5))
    report.note("0.99 of it", _both(early, late, 0.99))
    report.at_most("memory after, against before", after.megabytes - before.megabytes, MEMORY, "MB")
    report.at_most("descriptors after, against before", after.descriptors - before.descriptors, DESCRIPTORS, "")
    report.at_most("things that failed", len(load.failures), 0, "")
    report.at_most("errors logged", len(errors), 0, "")
    report.at_most("longest wait of the last step", max(late.seconds) if late.seconds else 0, LATE, "s")
    report.at_most("exit code after SIGTERM", code, 0, "")
    report.done()


def _both(early: Waits, late: Waits, part: float) -> str:
    return f"{early.milliseconds(part):.1f}, {late.milliseconds(part):.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--per-second", type=float, default=10)
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    if given.postgresql and not SERVER:
        sys.exit("--postgresql needs TEST_DATABASE_URL: a server where databases may be made")
    with database_named(random_name()) if given.postgresql else nullcontext("") as database:
        asyncio.run(soak(given.minutes, given.per_second, database))


if __name__ == "__main__":
    main()
