"""A workspace with people and channels, and the bot in it: the real platform against the fake of Slack."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from adapters.slack.platform import SlackPlatform
from bot.bot import Bot, fixed
from bot.glossary.detector import Detector
from bot.glossary.glossary import Glossary
from bot.glossary.yaml_files import Loaded
from bot.settings import Settings
from bot.state.memory import MemoryStore
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_fake_state import SCOPES, Channel, User


@dataclass
class Office:
    """Lena speaks English, Li Chinese; Ada is an admin, Gus a guest. The bot is in `general`, not in `elsewhere`."""

    slack: SlackFake
    acme: Workspace
    platform: SlackPlatform
    bot: Bot
    store: MemoryStore
    lena: User
    li: User
    ada: User
    gus: User
    general: Channel
    elsewhere: Channel

    async def knows_everybody(self) -> None:
        """The bot has asked Slack about all of them, as it does when it meets somebody for the first time."""
        for person in (self.lena, self.li, self.ada, self.gus):
            await self.acme.slash(person, self.general, "jargonaut", "thanks")


async def warm(bot: Bot, loaded: Loaded) -> None:
    """Gives the bot the indexes that a bot of an earlier test made of the same glossary."""
    bot._indexes._detectors = _DETECTORS
    if loaded.glossary not in _DETECTORS:
        await bot.warm(loaded.glossary)


_DETECTORS: dict[Glossary, Detector] = {}


@asynccontextmanager
async def office(
    loaded: Loaded, *, store: Any = None, scopes: frozenset[str] = SCOPES, http: bool = False, **settings: Any
) -> AsyncIterator[Office]:
    """`settings`: others than the tokens. `http`: Slack comes over HTTP instead of Socket Mode."""
    async with SlackFake() as slack:
        acme = slack.workspace("Acme", scopes=scopes)
        lena, li = acme.person("Lena"), acme.person("Li Wei", locale="zh-CN")
        ada, gus = acme.person("Ada", admin=True), acme.person("Gus", guest=True)
        general = acme.channel("general", lena, li, ada, gus)
        elsewhere = acme.channel("elsewhere", lena, li, bot=False, kind="group")
        kept = store if store is not None else MemoryStore()
        bot = Bot(fixed(loaded.glossary), loaded.phrases, kept)
        await warm(bot, loaded)
        assert acme.installation is not None
        way = {"slack_signing_secret": slack.signing_secret} if http else {"slack_app_token": slack.app_token}
        made: dict[str, Any] = {
            "slack_bot_token": acme.installation.token,
            "slack_api_url": slack.api_url,
            "http_port": 0,
            **way,
            **settings,
        }
        platform = SlackPlatform(bot, loaded.phrases, kept, Settings(_env_file=None, **made), None)
        try:
            await platform.start()
            if http:
                host, port = platform.address
                slack.http.url = f"http://{host}:{port}/slack/events"
            else:
                await slack.connected()
            slack.at_rest()
            yield Office(slack, acme, platform, bot, kept, lena, li, ada, gus, general, elsewhere)
        finally:
            await platform.stop()
            await bot.close()
