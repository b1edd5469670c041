"""The fixture of tests that let people talk to the bot on Discord; a module asks for it by `pytest_plugins`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from tests.discord_bench import Bench


@pytest.fixture
async def bench(glossary: Glossary, phrases: Phrases) -> AsyncIterator[Bench]:
    """Leaving it fails the test for every request that Discord refused and the test didn't expect."""
    async with Bench(glossary, phrases) as there:
        yield there
