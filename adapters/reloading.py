"""The team's directories are watched while the bot runs: a good change is used, a bad one changes nothing."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.errors import DataError, Problem
from bot.glossary.glossary import Glossary
from bot.glossary.yaml_files import Loaded, load

EVERY: Final = 1.0
"""Seconds between two looks. A change is used once two looks saw the same: a file that is being written changes on."""

SHARE: Final = 10
"""A change that takes away more than one entry in ten, and more than one, is taken for half a file."""

_ENTRY: Final = re.compile(rb"^[ \t]*-[ \t]+id:", re.MULTILINE)

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a change. `problems` are worded for whoever wrote the files."""

    loaded: bool
    concepts: int
    """In the glossary that is used from now on."""
    problems: tuple[Problem, ...]
    """Where it's loaded, warnings."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What stood in the directories: enough to tell whether it's the same, and how much it is."""

    digest: str
    entries: int


class Reloading:
    """The glossary as it is now. One per process: each replica watches its own files."""

    def __init__(
        self, layers: Sequence[Path], watched: Sequence[Path], told: Callable[[Outcome], None] = lambda outcome: None
    ) -> None:
        """Loads `layers`, which `watched` are among. Raises `DataError`.

        `told` hears of every change; it may not block.
        """
        self._layers = tuple(layers)
        self._watched = tuple(watched)
        self._told = told
        self._used = look_at(self._watched)
        self.loaded: Loaded = load(self._layers)
        """What was read last and is used. Phrases are read at the start only: answers in flight hold them."""
        self.problems: tuple[Problem, ...] = ()
        """Why what stands in the directories isn't used; empty: it is."""
        self._last = self._used
        self._rejected: Seen | None = None
        self._hurried = asyncio.Event()

    @property
    def glossary(self) -> Glossary:
        return self.loaded.glossary

    def hurry(self) -> None:
        """Loads at once, and even where much is gone: somebody says that it's meant so. For SIGHUP."""
        self._hurried.set()

    async def run(self, prepare: Callable[[Glossary], Awaitable[None]]) -> None:
        """Looks again and again, until it's cancelled. `prepare` makes what a glossary needs before it's asked."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._hurried.wait()
            try:
                await self.look(prepare)
            except Exception as error:  # the old glossary is better than none
                _log.error("glossary: %s while looking for changes", type(error).__name__)

    async def look(self, prepare: Callable[[Glossary], Awaitable[None]]) -> None:
        """One look at the directories, and what follows from it."""
        seen = await asyncio.to_thread(look_at, self._watched)
        if self._hurried.is_set():
            self._hurried.clear()
            await self._take(seen, prepare, forced=True)
        elif seen == self._used:
            self._rejected, self.problems = None, ()
        elif seen == self._last != self._rejected:
            await self._take(seen, prepare, forced=False)
        self._last = seen

    async def _take(self, seen: Seen, prepare: Callable[[Glossary], Awaitable[None]], *, forced: bool) -> None:
        try:
            loaded = await asyncio.to_thread(load, self._layers)
        except DataError as error:
            self._reject(seen, [problem for problem in error.problems if problem.severity == "error"])
            return
        if seen != await asyncio.to_thread(look_at, self._watched):
            if forced:
                self._hurried.set()
            return  # it changed while it was read
        lost = self._used.entries - seen.entries
        if not forced and (lost > max(1, self._used.entries // SHARE) or (lost and not seen.entries)):
            self._reject(seen, (self._half(seen),))
            return
        await prepare(loaded.glossary)
        self.loaded, self._used = loaded, seen
        self._rejected, self.problems = None, ()
        _log.info("glossary: loaded again, %d concepts", len(loaded.glossary.concepts))
        self._told(Outcome(True, len(loaded.glossary.concepts), loaded.warnings))

    def _half(self, seen: Seen) -> Problem:
        return Problem(
            str(self._watched[-1]),
            0,
            0,
            f"has {seen.entries} entries and had {self._used.entries}: that looks like half a file and isn't used. "
            "If it's meant so, send the process SIGHUP or start it again",
        )

    def _reject(self, seen: Seen, problems: Sequence[Problem]) -> None:
        self._rejected, self.problems = seen, tuple(problems)
        _log.error("glossary: a change isn't used\n%s", "\n".join(map(str, problems)))
        self._told(Outcome(False, len(self.glossary.concepts), self.problems))


def look_at(directories: Sequence[Path]) -> Seen:
    """Reads all that the loader might read, and what tells that something is missing."""
    digest, entries = hashlib.sha256(), 0
    for directory in directories:
        for folder in (directory, directory / "glossary"):
            for file in _yaml_files(folder):
                content = _content(file)
                digest.update(f"{file}\0{len(content)}\0".encode("utf-8", "surrogateescape") + content)
                entries += len(_ENTRY.findall(content))
            digest.update(b"\0")
    return Seen(digest.hexdigest(), entries)


def _yaml_files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if file.suffix == ".yaml" and not file.name.startswith("."))
    except OSError:
        return []


def _content(file: Path) -> bytes:
    """Empty where it can't be read: the loader says why."""
    try:
        return file.read_bytes() if file.is_file() else b""
    except OSError:
        return b""
