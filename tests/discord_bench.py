"""The bot on a fake Discord: the real platform, the real client, the shipped data, and two people to try it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any

from adapters.discord.platform import DiscordPlatform
from adapters.platforms import phrases_of
from bot.bot import Bot, fixed
from bot.glossary.detector import Detector
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Person, Place
from bot.settings import Settings
from bot.state.memory import MemoryStore
from bot.state.ports import Channel as NotesOf
from bot.state.ports import Mode, Store
from tests.discord_fake import FakeDiscord
from tests.discord_fake_replies import Interaction
from tests.discord_fake_world import Channel, Message, User

WAITS = (0.01, 0.02, 0.04)
"""Between tries of the first connection."""


_DETECTORS: dict[Glossary, Detector] = {}
"""Shared by all bots here: to make one takes a third of a second, and it never changes."""


class Bench:
    """Ops is Lena's server, Max a member of it; both read #talk. Nothing runs before `start`."""

    def __init__(self, glossary: Glossary, phrases: Phrases, **fake: Any) -> None:
        self.discord = FakeDiscord(**fake)
        self._glossary, self._phrases = glossary, phrases
        self.store: Store = MemoryStore()
        self.per_minute = 0
        """Requests of one person that are answered; 0: all."""
        self.lena, self.max = self.discord.user("Lena"), self.discord.user("Max")
        self.ops = self.discord.guild("Ops", self.lena)
        self.discord.join(self.ops, self.max)
        self.talk = self.discord.channel(self.ops, "talk")
        self.bots: list[Bot] = []
        self._platforms: list[DiscordPlatform] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Bench:
        await self._stack.enter_async_context(self.discord)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        await self.store.close()
        await self._stack.__aexit__(kind, error, trace)

    def platform(self, store: Store | None = None, **given: Any) -> DiscordPlatform:
        """Not started yet; settings are `given` by the names of the variables, in lower case."""
        told = {"discord_token": self.discord.token, "discord_api_url": self.discord.api_url} | given
        settings = Settings(_env_file=None, **told)
        spoken, kept = phrases_of(settings, self._phrases), store or self.store
        bot = Bot(fixed(self._glossary), self._phrases, kept, platform_phrases=spoken, per_minute=self.per_minute)
        bot._indexes._detectors = _DETECTORS
        self.bots.append(bot)
        platform = DiscordPlatform(bot, spoken["discord"], kept, settings, waits=WAITS)
        self._platforms.append(platform)
        return platform

    async def start(self, **settings: Any) -> DiscordPlatform:
        platform = self.platform(**settings)
        await platform.start()
        return platform

    async def restart(self) -> DiscordPlatform:
        """As a new process over the same database."""
        await self._platforms[-1].stop()
        return await self.start()

    async def stop(self) -> None:
        for platform in self._platforms:
            await platform.stop()
        for bot in self.bots:
            await bot.close()

    # -- Short for what nearly every test does --------------------------------------------------------------------

    async def ask(self, text: str, *, by: User | None = None, at: Channel | None = None, **how: Any) -> Message:
        """The bot's reply to what somebody types."""
        return await self.discord.reply_to(await self.discord.say(at or self.talk, by or self.lena, text, **how))

    async def slash(
        self, name: str, /, *, by: User | None = None, at: Channel | None = None, **options: Any
    ) -> Interaction:
        return await self.discord.slash(by or self.lena, at or self.talk, name, **options)

    async def press(self, message: Message, label: str, *, by: User | None = None, **how: Any) -> Interaction:
        return await self.discord.press(by or self.lena, message, label, **how)

    async def choose(self, message: Message, label: str, *, by: User | None = None, **how: Any) -> Interaction:
        return await self.discord.choose(by or self.lena, message, label, **how)

    async def unanswered(self, text: str, *, by: User | None = None, at: Channel | None = None, **how: Any) -> Message:
        """AssertionError: the bot says anything for it."""
        before = self.discord.said()
        message = await self.discord.say(at or self.talk, by or self.lena, text, **how)
        await self.discord.settled()
        said = [each for each in self.discord.said() if each not in (*before, message)]
        assert not said, f"answered {text!r}:\n{self.discord.shown(said[0])}" if said else ""
        return message

    async def notes(self, mode: Mode, channel: Channel | None = None) -> None:
        """Switches a channel's notes on or off behind everybody's back."""
        place = Place("discord", str(self.ops.id), str((channel or self.talk).id))
        await self.store.channels.set(place, NotesOf(mode=mode), Person("discord", "", str(self.lena.id)))

    def shown(self, message: Message) -> str:
        return self.discord.shown(message)
