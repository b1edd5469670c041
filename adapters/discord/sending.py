"""`Answer` -> Discord: the one response to an interaction, a message, and what changes elsewhere."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from typing import Any, Final

import aiohttp
import discord

from adapters.discord.layout import view_of
from adapters.discord.permissions import may_reply, may_speak
from adapters.discord.requests import where
from bot.answer import Answer, Paragraph, Update
from bot.errors import ConnectError
from bot.phrases import Phrases
from bot.request import Place, Request

_log: Final = logging.getLogger(__name__)

NOBODY: Final = discord.AllowedMentions.none()
"""Nothing that the bot sends pings anybody."""

FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
"""How a call to Discord fails."""

_TOO_LATE: Final = frozenset({10062, 40060})
"""The interaction is gone, or was answered already."""

_MAX_TOLD: Final = 1_000


class Sender:
    """Sends a client's answers. Never raises: what Discord refuses is one line in the log."""

    def __init__(self, client: discord.Client, phrases: Phrases) -> None:
        self._client = client
        self._phrases = phrases
        self._told: dict[int, None] = {}

    async def defer(self, interaction: discord.Interaction[Any], request: Request) -> bool:
        """Says that the answer takes a moment, already where it will be: Discord doesn't let that change later.

        False: it's too late for any answer.
        """
        try:
            if request.press is not None and not request.public:
                await interaction.response.defer()
            else:
                await interaction.response.defer(ephemeral=not request.direct, thinking=True)
        except FAILURES as error:
            _log.error("%s couldn't be deferred (%s)", request.action, why(error))
            return False
        return True

    async def respond(self, interaction: discord.Interaction[Any], request: Request, answer: Answer) -> str | None:
        """The one response that an interaction gets; the id of the message if it's a new one that all see.

        A message that the button stands on and that changes, too, is changed by the response itself: that works
        where the bot is no member.
        """
        try:
            return await self._respond(interaction, request, answer)
        except Exception as error:  # also of our own making: without an answer, Discord says that we don't respond
            reference = secrets.token_hex(2).upper()
            _log.error("ref %s: the answer to %s wasn't taken (%s)", reference, request.action, why(error))
            if not isinstance(error, discord.HTTPException) or error.code not in _TOO_LATE:
                await self._apologize(interaction, request, reference)
            return None
        finally:
            if _on_this(answer.update, interaction):
                answer = replace(answer, update=None)
            if answer.update is not None or answer.elsewhere:
                await self.elsewhere(request, answer)

    async def _apologize(self, interaction: discord.Interaction[Any], request: Request, reference: str) -> None:
        """Else whoever asked would read that the application doesn't respond."""
        language = request.locale or "en"
        text = self._phrases.say("error", language, ref=reference)
        sorry = Answer("error", language, "private", (Paragraph(text),), error="usage", chrome=language)
        try:
            if interaction.response.is_done():
                await self._follow(interaction, request, sorry)
            else:
                await interaction.response.send_message(view=view_of(sorry), ephemeral=True, allowed_mentions=NOBODY)
        except FAILURES as error:
            _log.error("ref %s: nor was this taken (%s)", reference, why(error))

    async def _respond(self, interaction: discord.Interaction[Any], request: Request, answer: Answer) -> str | None:
        response = interaction.response
        if _on_this(answer.update, interaction):
            await self._change_this(interaction, answer.update)
            if answer.kind != "silence":
                await self._follow(interaction, request, answer)
        elif answer.kind == "silence":
            if not response.is_done():
                await response.defer(ephemeral=True)
            if request.press is None:
                await interaction.delete_original_response()
        elif answer.where == "replace" and request.press is not None:
            if response.is_done():
                await interaction.edit_original_response(view=view_of(answer), allowed_mentions=NOBODY)
            else:
                await response.edit_message(view=view_of(answer), allowed_mentions=NOBODY)
        elif response.is_done():
            await self._follow(interaction, request, answer)
        else:
            whispered = _whispered(request, answer)
            sent = await response.send_message(view=view_of(answer), ephemeral=whispered, allowed_mentions=NOBODY)
            return str(sent.message_id) if sent.message_id and not whispered else None
        return None

    async def _change_this(self, interaction: discord.Interaction[Any], update: Update | None) -> None:
        if update is not None and update.answer is not None:
            await interaction.response.edit_message(view=view_of(update.answer), allowed_mentions=NOBODY)
            return
        await interaction.response.defer()
        await interaction.delete_original_response()

    async def _follow(self, interaction: discord.Interaction[Any], request: Request, answer: Answer) -> None:
        await interaction.followup.send(
            view=view_of(answer), ephemeral=_whispered(request, answer), allowed_mentions=NOBODY
        )

    # -- Messages -------------------------------------------------------------------------------------------------

    async def send(
        self, channel: discord.abc.Messageable, answer: Answer, *, to: discord.Message, nonce: str, silent: bool = False
    ) -> discord.Message | None:
        """A reply to a message, without a ping; None: it couldn't be sent.

        `nonce`: of two messages with the same one, Discord posts the first.
        """
        if not may_speak(channel):
            self._say_once(to.channel.id, "the bot may not write there")
            return None
        reference = None
        if may_reply(channel):
            reference = discord.MessageReference(message_id=to.id, channel_id=to.channel.id, fail_if_not_exists=False)
        try:
            return await channel.send(
                view=view_of(answer),
                reference=reference,  # type: ignore[arg-type] # None is what it means
                mention_author=False,
                allowed_mentions=NOBODY,
                nonce=nonce,
                silent=silent,
            )
        except FAILURES as error:
            self._say_once(to.channel.id, why(error))
            return None

    async def ask_to_wait(self, message: discord.Message) -> None:
        """A sign for whoever asks faster than anybody reads: less to look at for the others than an answer."""
        try:
            await message.add_reaction("⏳")
        except FAILURES as error:
            self._say_once(message.channel.id, why(error))

    async def update(self, place: Place, update: Update) -> None:
        """Edits or deletes a message of ours. One that's gone already is no error."""
        channel = self._client.get_partial_messageable(where(place))
        message = channel.get_partial_message(int(update.reply))
        try:
            if update.answer is None:
                await message.delete()
            else:
                await message.edit(view=view_of(update.answer), allowed_mentions=NOBODY)
        except discord.NotFound:
            pass
        except FAILURES as error:
            self._say_once(channel.id, why(error))

    async def elsewhere(self, request: Request, answer: Answer) -> None:
        """What an answer changes besides itself: another message of ours, and announcements in other channels."""
        if answer.update is not None:
            await self.update(request.place, answer.update)
        for post in answer.elsewhere:
            await self.post(int(post.channel), post.answer)

    async def post(self, channel_id: int, answer: Answer) -> None:
        """A message of its own, in any channel."""
        try:
            await self.deliver(channel_id, answer)
        except (ConnectError, *FAILURES) as error:
            self._say_once(channel_id, why(error))

    async def deliver(self, channel_id: int, answer: Answer) -> None:
        """The same, but raises what `FAILURES` has, or ConnectError, where it failed."""
        channel = self._client.get_channel(channel_id) or self._client.get_partial_messageable(channel_id)
        if not isinstance(channel, discord.abc.Messageable) or not may_speak(channel):
            raise ConnectError("the bot may not write there")
        await channel.send(view=view_of(answer), allowed_mentions=NOBODY, silent=True)

    def _say_once(self, channel_id: int, reason: str) -> None:
        """One line per channel: it doesn't get better by being said with every message."""
        if channel_id in self._told:
            return
        self._told[channel_id] = None
        if len(self._told) > _MAX_TOLD:
            del self._told[next(iter(self._told))]
        _log.warning("nothing can be sent to channel %s (%s)", channel_id, reason)


def why(error: BaseException) -> str:
    """Discord's own numbers, or the type: a message may quote what was sent."""
    if isinstance(error, ConnectError):
        return str(error)
    if isinstance(error, discord.HTTPException):
        return f"status {error.status}, code {error.code}"
    return type(error).__name__


def _on_this(update: Update | None, interaction: discord.Interaction[Any]) -> bool:
    """Whether it's the message that the pressed button stands on."""
    return update is not None and interaction.message is not None and update.reply == str(interaction.message.id)


def _whispered(request: Request, answer: Answer) -> bool:
    """Whether this one person sees the message. In a direct message there's nobody to hide it from."""
    return answer.where != "public" and not request.direct
