"""A soak of the bot without platforms: `benchmarks/soak_core.py [SECONDS]`, 20 by default. `soak.py` has platforms.

People look up, compare, press buttons, change settings; channels talk, and get notes; the team's files change. All of
it goes through `Bot`, over the database that DATABASE_URL names, or an SQLite file. What grows with time shows itself
in 10 minutes: `benchmarks/soak_core.py 600`.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Final

from _timing import Report

from adapters.reloading import Outcome, Reloading
from bot.answer import Answer, Button
from bot.bot import Bot
from bot.glossary.yaml_files import shipped
from bot.request import Message, Person, Place, Request, decode
from bot.state.caching import Cached
from bot.state.database import open_database
from bot.state.ports import Channel, Limits
from bot.state.tally import Tally
from bot.watching import Nobody

SECONDS: Final = 20.0
WORKERS: Final = 8
PAUSE: Final = 0.02
"""Seconds between two requests of a worker: a load that a machine of two cores carries without queueing."""

PAUSE_OF_FILES: Final = 8.0
"""Seconds between two changes of the team's files."""

WARM: Final = 0.25
"""Of the time: until then caches fill, and it isn't looked at."""

EVAL: Final = Path(__file__).parent.parent / "tests" / "eval"
CHANNELS: Final = [Place("slack", "T1", f"C{number}") for number in range(100)]
PEOPLE: Final = [Person("slack", "T1", f"U{number}") for number in range(2_000)]


@dataclass
class Footprint:
    memory: float
    """MiB that the process has in memory."""
    files: int
    tasks: int

    @classmethod
    def now(cls) -> Footprint:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - the names are of no use
        return cls(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, files, len(asyncio.all_tasks()))


class Load:
    """What people and channels do, by chance but the same each time."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._chance = random.Random(1)
        self._queries = _texts("resolve_dev.jsonl", "query")
        self._sides = _texts("vs_dev.jsonl", "args")
        self._messages = _texts("detect_dev.jsonl", "text")
        self._buttons: list[Button] = []
        self._count = 0
        self.seconds: list[float] = []
        self.failed = 0
        self.notes = 0

    async def work(self, ends: float) -> None:
        kinds: list[Callable[[], Awaitable[None]]] = [self._define, self._compare, self._press, self._set, self._talk]
        while perf_counter() < ends:
            (kind,) = self._chance.choices(kinds, (50, 10, 15, 3, 22))
            started = perf_counter()
            await kind()
            self.seconds.append(perf_counter() - started)
            await asyncio.sleep(PAUSE)

    async def _define(self) -> None:
        await self._ask("define", self._chance.choice(self._queries))

    async def _compare(self) -> None:
        await self._ask("vs", self._chance.choice(self._sides))

    async def _set(self) -> None:
        await self._ask("lang", self._chance.choice(("en", "zh", "both", "auto")))

    async def _press(self) -> None:
        if self._buttons:
            press = decode(self._chance.choice(self._buttons).request)
            await self._ask(press.action, press=press, by="button")

    async def _ask(self, action: str, text: str = "", **how: object) -> None:
        now = datetime.now(UTC)
        who, where = self._chance.choice(PEOPLE), self._chance.choice(CHANNELS)
        request = Request(who, where, action, text, today=now.date(), now=now, chance=self._chance.random(), **how)  # type: ignore[arg-type]
        answer = await self._bot.answer(request)
        self.failed += answer.kind == "error" and answer.error is None
        self._remember(answer)

    def _remember(self, answer: Answer) -> None:
        own = [button for button in answer.buttons if isinstance(button, Button)]
        self._buttons = [*self._buttons, *own][-200:]

    async def _talk(self) -> None:
        self._count += 1
        now = datetime.now(UTC)
        where, who = self._chance.choice(CHANNELS), self._chance.choice(PEOPLE)
        message = Message(str(self._count), where, who, self._chance.choice(self._messages), now)
        note = await self._bot.notice(message, now)
        if note.kind != "silence":
            self.notes += 1
            await self._bot.posted(message, f"note {self._count}")


class Editor:
    """Writes another entry into the team's file every few seconds."""

    def __init__(self, team: Path) -> None:
        self._file = team / "glossary" / "soak.yaml"
        self._file.parent.mkdir(parents=True)
        self.loaded = 0
        self.write(0)

    def write(self, number: int) -> None:
        words = f"      pref_label: Soak {number}\n      summary: A test\n      definition: One. Two."
        entry = f"  - id: soak\n    en:\n{words}"
        self._file.write_text(f"topic: soak\nname: {{en: Soak}}\nconcepts:\n{entry}\n", encoding="utf-8")

    def told(self, outcome: Outcome) -> None:
        self.loaded += outcome.loaded

    async def work(self) -> None:
        number = 0
        while True:
            await asyncio.sleep(PAUSE_OF_FILES)
            number += 1
            self.write(number)


async def soak(seconds: float, report: Report, folder: Path) -> None:
    team = folder / "team"
    editor = Editor(team)
    reloading = Reloading([shipped(), team], [team], editor.told)
    database = await open_database(os.environ.get("DATABASE_URL") or f"sqlite:///{folder / 'soak.sqlite'}")
    await database.ready(within=30)
    store = Cached(database)
    for place in CHANNELS:
        await store.channels.set(place, Channel("all"), PEOPLE[0])
    tally = Tally(store.counters, Nobody())
    bot = Bot(
        lambda place: reloading.glossary, reloading.loaded.phrases, store, limits=Limits(per_hour=99), watch=tally
    )
    await bot.warm(reloading.glossary)
    behind = [asyncio.create_task(work) for work in (tally.run(), reloading.run(bot.prepare), editor.work())]
    load = Load(bot)
    started = perf_counter()
    ends = started + seconds
    working = [asyncio.create_task(load.work(ends)) for _ in range(WORKERS)]
    await asyncio.sleep(seconds * WARM)
    before, first = Footprint.now(), len(load.seconds)
    await asyncio.gather(*working)
    after = Footprint.now()
    for task in behind:
        task.cancel()
    await asyncio.gather(*behind, return_exceptions=True)
    await tally.write()
    await bot.close()
    await store.close()

    lasted = perf_counter() - started
    steady = load.seconds[first:]
    half = len(steady) // 2
    early, late = (statistics.quantiles(part, n=100) for part in (steady[:half], steady[half:]))
    report.note("requests and messages, per second", f"{len(load.seconds) / lasted:.0f}")
    report.note("notes, and changes of files", f"{load.notes}, {editor.loaded}")
    report.note("median and 99th of 100, first half", f"{early[49] * 1e3:.1f}, {early[98] * 1e3:.0f} ms")
    report.note("median and 99th of 100, second half", f"{late[49] * 1e3:.1f}, {late[98] * 1e3:.0f} ms")
    report.note("memory", f"{before.memory:.0f} -> {after.memory:.0f} MiB")
    report.at_most("answers that failed", load.failed, 0, "")
    report.at_most("memory, end against a quarter of the way", after.memory / before.memory, 1.15)
    report.at_most("open files, the same", after.files - before.files, 2, "more")
    report.at_most("tasks, the same", after.tasks - before.tasks, 2, "more")
    report.at_most("median of a request, second half against first", late[49] / early[49], 1.5)


def _texts(name: str, key: str) -> list[str]:
    return [json.loads(line)[key] for line in (EVAL / name).read_text("utf-8").splitlines()]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    report = Report(f"soak: {seconds:g} s of mixed load, {WORKERS} at a time")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(soak(seconds, report, Path(folder)))
    report.done()


if __name__ == "__main__":
    main()
