"""The bot as a service for many workspaces: processes that share a database and are reached over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from adapters.slack.platform import SlackPlatform
from bot.bot import Bot, fixed
from bot.glossary.yaml_files import Loaded
from bot.settings import Settings
from tests.slack_browser import Browser
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_installed import KEY
from tests.slack_office import warm
from tests.slack_replicas import shared


class House:
    """One process, and where Slack finds it."""

    def __init__(self, slack: SlackFake, platform: SlackPlatform, session: aiohttp.ClientSession) -> None:
        self._slack = slack
        self.platform = platform
        host, port = platform.address
        self._origin = f"http://{host}:{port}"
        self._browser = Browser(session, self._origin)

    def open(self) -> None:
        """Slack sends everything to this process from now on."""
        self._slack.http.url = f"{self._origin}/slack/events"

    async def install(self, *workspaces: Workspace, for_org: bool = False, expires_in: float | None = None) -> None:
        """An admin installs the app in a browser. `expires_in`: seconds that its token is good; None: for ever."""
        code = self._slack.code_for(*workspaces, for_org=for_org, rotating=expires_in is not None)
        if expires_in is not None:
            self._slack.codes[code].expires_at = self._slack.clock.now() + expires_in
        status, page = await self._browser.install(code)
        assert status == 200, page


@asynccontextmanager
async def house(slack: SlackFake, loaded: Loaded, folder: Path) -> AsyncIterator[House]:
    """One process more; all whose `folder` is the same share a database. Slack sends everything to the last one."""
    async with shared(folder) as store, aiohttp.ClientSession() as session:
        bot = Bot(fixed(loaded.glossary), loaded.phrases, store)
        await warm(bot, loaded)
        settings = Settings(
            _env_file=None,
            slack_client_id=slack.client_id,
            slack_client_secret=slack.client_secret,
            slack_signing_secret=slack.signing_secret,
            slack_api_url=slack.api_url,
            token_key=KEY,
            http_port=0,
        )
        platform = SlackPlatform(bot, loaded.phrases, store, settings, store.engine)
        try:
            await platform.start()
            made = House(slack, platform, session)
            made.open()
            slack.at_rest()
            yield made
        finally:
            await platform.stop()
            await bot.close()
