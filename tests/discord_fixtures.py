"""The fixture of tests that let people talk to the bot on Discord; a module asks for it by `pytest_plugins`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest

from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from tests.discord_bench import Bench


@pytest.fixture
def no_rest_between_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py waits 5 s before every session but the first, as Discord wants it; the fake doesn't."""

    async def at_once(_client: discord.Client, _shard: int | None, *, initial: bool = False) -> None: ...

    monkeypatch.setattr(discord.Client, "before_identify_hook", at_once)


@pytest.fixture
async def bench(no_rest_between_sessions: None, glossary: Glossary, phrases: Phrases) -> AsyncIterator[Bench]:
    """Leaving it fails the test for every request that Discord refused and the test didn't expect."""
    async with Bench(glossary, phrases) as there:
        yield there
