"""More processes of the bot at the same Slack, with a memory of their own or a database that they share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.slack.platform import SlackPlatform
from bot.bot import Bot, fixed
from bot.glossary.yaml_files import Loaded
from bot.settings import Settings
from bot.state.database import open_database
from bot.state.ports import Store
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_office import warm


@asynccontextmanager
async def replica(slack: SlackFake, workspace: Workspace, loaded: Loaded, store: Store) -> AsyncIterator[SlackPlatform]:
    """One more process with one more connection; it knows nothing of the others but what the store has."""
    assert workspace.installation is not None
    before = len(slack.socket.connections)
    bot = Bot(fixed(loaded.glossary), loaded.phrases, store)
    await warm(bot, loaded)
    settings = Settings(
        _env_file=None,
        slack_bot_token=workspace.installation.token,
        slack_app_token=slack.app_token,
        slack_api_url=slack.api_url,
    )
    platform = SlackPlatform(bot, loaded.phrases, store, settings, None)
    try:
        await platform.start()
        await slack.connected(before + 1)
        slack.at_rest()
        yield platform
    finally:
        await platform.stop()
        await bot.close()
        await slack.until(lambda: len(slack.socket.connections) == before)


@asynccontextmanager
async def shared(folder: Path) -> AsyncIterator[Store]:
    """A process's way into the database that all processes share."""
    database = await open_database(f"sqlite:///{folder / 'shared.sqlite'}", call_seconds=60)
    try:
        await database.ready()
        yield database
    finally:
        await database.close()
