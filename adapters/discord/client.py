"""The client: Discord's events in. What they mean is told in `questions`, `notes` and `interactions`."""

from __future__ import annotations

import asyncio
import logging
import sys
import traceback
from collections.abc import Sequence
from typing import Any, Final

import discord

from adapters.discord import requests
from adapters.discord.asking import Asker
from adapters.discord.flight import InFlight
from adapters.discord.interactions import Interactions
from adapters.discord.notes import Notes
from adapters.discord.presses import pressed_item
from adapters.discord.questions import Questions
from adapters.discord.sending import NOBODY, Sender
from bot.bot import Bot
from bot.phrases import Phrases
from bot.state.ports import Store

_log: Final = logging.getLogger(__name__)

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it would warn that it can't speak


class Client(discord.AutoShardedClient):
    """One connection per shard. It keeps no messages: what it said is known to the store, what others said to nobody.

    `reads`: the application may have the text of messages. `shard_ids` None: all of them.
    """

    def __init__(
        self,
        bot: Bot,
        phrases: Phrases,
        store: Store,
        *,
        prefix: str,
        reads: bool,
        shard_ids: Sequence[int] | None = None,
        shard_count: int | None = None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=reads),
            allowed_mentions=NOBODY,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            shard_count=shard_count,
        )
        self.shard_ids = list(shard_ids) if shard_ids is not None else None
        sender = self.sender = Sender(self, phrases)
        asker = Asker(bot, reads=reads)
        self.reads: Final = reads
        self.in_flight: Final = InFlight()
        self.all_connected: Final = asyncio.Event()
        """Every shard of this process has had a session."""
        self._bot = bot
        self._store = store
        self._questions = Questions(bot, asker, sender, prefix)
        self._notes = Notes(bot, sender)
        self._interactions = Interactions(self, bot, asker, sender)
        self._ready_shards: set[int] = set()
        self.reconnects = 0
        """How often a shard got its connection back, its session, too, or not."""
        self.add_dynamic_items(pressed_item(self._pressed))

    @property
    def is_open(self) -> bool:
        """Every shard of this process is connected just now."""
        return self.all_connected.is_set() and not any(shard.is_closed() for shard in self.shards.values())

    # -- Events ---------------------------------------------------------------------------------------------------

    async def on_shard_connect(self, shard_id: int) -> None:
        self.reconnects += shard_id in self._ready_shards
        self._ready_shards.add(shard_id)
        if len(self._ready_shards) == (len(self.shard_ids) if self.shard_ids else self.shard_count):
            self.all_connected.set()

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.reconnects += 1

    async def on_message(self, message: discord.Message) -> None:
        if not requests.by_person(message):
            return
        user = self._own_id
        if self._questions.is_question(message, user):
            await self.in_flight.run(self._questions.answer(message, user), "a question", message=message.id)
        elif message.content and self._notes.may_come(message):
            await self.in_flight.run(self._notes.notice(message), "a message", message=message.id)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        message = payload.message
        if requests.by_person(message) and message.edited_at is not None:  # else Discord added the preview of a link
            await self.in_flight.run(self._edited(message), "an edit", message=message.id)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        await self.in_flight.run(self._deleted(payload, payload.message_id), "a deletion", message=payload.message_id)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        for message_id in payload.message_ids:
            await self.in_flight.run(self._deleted(payload, message_id), "a deletion", message=message_id)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Buttons don't come here, but by their pattern."""
        if interaction.type is discord.InteractionType.application_command:
            await self.in_flight.run(self._interactions.command(interaction), "a command")
        elif interaction.type is discord.InteractionType.autocomplete:
            await self.in_flight.run(self._interactions.complete(interaction), "an autocomplete")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was taken out of a server; discord.py tells an outage of one apart."""
        await self.in_flight.run(self._store.forget_tenant(requests.PLATFORM, str(guild.id)), "a removal")

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Without the error's own words, which may quote somebody."""
        kind, _, trace = sys.exc_info()
        name = kind.__name__ if kind else "error"
        _log.error("%s in %s\n%s", name, event_method, "".join(traceback.format_tb(trace)))

    # -- What they mean -------------------------------------------------------------------------------------------

    @property
    def _own_id(self) -> int:
        assert self.user is not None
        return self.user.id

    async def _pressed(self, interaction: discord.Interaction[Any], button: str) -> None:
        await self.in_flight.run(self._interactions.press(interaction, button), "a button")

    async def _edited(self, message: discord.Message) -> None:
        if not await self._questions.edited(message, self._own_id):
            await self._notes.edited(message)

    async def _deleted(
        self, payload: discord.RawMessageDeleteEvent | discord.RawBulkMessageDeleteEvent, message_id: int
    ) -> None:
        channel = self.get_channel(payload.channel_id) or discord.Object(payload.channel_id)
        place = requests.place(channel, payload.guild_id)
        self._bot.recent.forget(str(message_id))
        await self._questions.deleted(place, str(message_id))
        await self._notes.deleted(place, str(message_id))
