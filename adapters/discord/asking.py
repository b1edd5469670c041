"""A request -> its answer: with the messages, channels and permissions that it needs from Discord."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import discord

from adapters.discord.history import Said, fetch, preview, readable
from adapters.discord.permissions import hears, visible_channels
from bot.answer import Answer
from bot.bot import Bot
from bot.request import Request

_WITH_PREVIEW: Final = frozenset({"autoexplain", "note-channel"})
"""Actions that show the state of a channel's notes."""

_OF_NOTES: Final = ("autoexplain", "note-channel", "auto-")
"""How the actions begin that show or set a channel's notes."""

_EVERYWHERE: Final = "auto-off-all"


class Asker:
    """Asks the bot. `reads`: the application may have the text of messages."""

    def __init__(self, bot: Bot, *, reads: bool) -> None:
        self._bot = bot
        self._reads = reads

    def takes_long(self, request: Request) -> bool:
        """Whether a conversation has to be fetched first, which may take longer than Discord waits for an answer."""
        return self._bot.needs(request) is not None

    async def answer(
        self, request: Request, channel: object, member: object = None, *, before: discord.Message | None = None
    ) -> Answer:
        """The answer. `channel` is the one that the request is about, `before` the message that asks."""
        needs = self._bot.needs(request)
        if needs is None:
            if not request.action.startswith(_OF_NOTES):
                return await self._bot.answer(request)
            return await self._of_notes(request, channel, member)
        said = await fetch(channel, needs, reads=self._reads, before=before)
        if isinstance(said, Said):
            return await self._bot.explain(request, said.messages, of=said.of, total=said.total)
        return await self._bot.answer(replace(request, action="unreadable", hears=said))

    async def _of_notes(self, request: Request, channel: object, member: object) -> Answer:
        request = self._about_notes(request, channel, member)
        if request.action not in _WITH_PREVIEW or request.text or readable(channel, reads=self._reads) != "all":
            return await self._bot.answer(request)
        return await self._bot.answer(request, recent=await preview(channel, reads=self._reads))

    def _about_notes(self, request: Request, channel: object, member: object) -> Request:
        request = replace(request, hears=hears(channel, reads=self._reads))
        if not isinstance(member, discord.Member):
            return request
        if request.action == _EVERYWHERE:  # who manages one channel needn't manage all of them
            return replace(request, may_set=member.guild_permissions.manage_channels)
        return replace(request, channel_names=visible_channels(member.guild, member))
