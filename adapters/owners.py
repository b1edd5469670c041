"""What the owners of the glossary, and of the server, ask for at the command line. `run` may go on meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from adapters.building import kept
from adapters.terminal.text import render
from bot.glossary.concept import Language
from bot.glossary.yaml_files import load
from bot.report import as_csv, missing
from bot.report import report as worded
from bot.request import Person
from bot.state.counters import counted
from bot.state.ports import Store
from bot.wording import Voice


async def misses(layers: list[Path], language: Language, limit: int) -> str:
    """What was looked up more than once and isn't in the glossary. Raises `StoreError`, as all of these do."""
    async with _asked(layers, language) as (store, voice):
        return render(missing(await store.misses.top(limit), voice), numbered=False)


async def report(layers: list[Path], language: Language, days: int, *, for_spreadsheets: bool) -> str:
    """The last `days` days, today included."""
    async with _asked(layers, language) as (store, voice):
        counts = await counted(store, days, datetime.now(UTC))
        if for_spreadsheets:
            return as_csv(counts, voice.glossary).rstrip("\n")
        return render(worded(counts, voice), numbered=False)


async def forget(person: Person) -> None:
    """Deletes all that is kept about somebody, as "Delete my data" does."""
    async with kept() as store:
        await store.people.forget(person)


@asynccontextmanager
async def _asked(layers: list[Path], language: Language) -> AsyncIterator[tuple[Store, Voice]]:
    loaded = load(layers)
    async with kept() as store:
        yield store, Voice(loaded.glossary, loaded.phrases, language, language)
