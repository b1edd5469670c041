"""Notes that nobody asked for: a small reply, without a ping and without a sound, never a thread."""

from __future__ import annotations

from datetime import UTC, datetime

import discord

from adapters.discord import requests
from adapters.discord.sending import Sender
from bot.bot import Bot
from bot.request import Place


class Notes:
    """Posts, changes and deletes them."""

    def __init__(self, bot: Bot, sender: Sender) -> None:
        self._bot = bot
        self._sender = sender

    def may_come(self, message: discord.Message) -> bool:
        """False where it's known, at next to no cost, that this message gets none: most messages of a server do."""
        guild = message.guild
        place = requests.place(message.channel, guild.id if guild is not None else None)
        return self._bot.may_notice(requests.person(message.author), place, message.content)

    async def notice(self, message: discord.Message) -> None:
        """Explains what jargon a new message has, where that's wanted."""
        heard = requests.message(message)
        answer = await self._bot.notice(heard, datetime.now(UTC))
        if answer.kind != "explanation":
            return
        sent = await self._sender.send(message.channel, answer, to=message, nonce=f"n{message.id}", silent=True)
        if sent is None:
            await self._bot.not_posted(heard)
        else:
            await self._bot.posted(heard, str(sent.id))

    async def edited(self, message: discord.Message) -> None:
        """A person changed the text: the note may lose what's no longer in it, and never gains anything."""
        update = await self._bot.edited(requests.message(message))
        if update is not None:
            await self._sender.update(requests.message(message).place, update)

    async def deleted(self, place: Place, message_id: str) -> None:
        update = await self._bot.deleted(place, message_id)
        if update is not None:
            await self._sender.update(place, update)
