"""Slash commands, the menu of a message, autocomplete, buttons and menus: one response each, within Discord's 3 s."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import discord
from discord import app_commands

from adapters.discord import requests
from adapters.discord.asking import Asker
from adapters.discord.limits import label
from adapters.discord.requests import MENU_ENTRY, Options
from adapters.discord.sending import FAILURES, Sender
from bot.answer import Answer, Heading
from bot.bot import Bot
from bot.completion import Suggestion
from bot.glossary.folding import has_han
from bot.request import Request

_log: Final = logging.getLogger(__name__)

MAX_CHOICES: Final = 25
MAX_CHOICE: Final = 100
"""Characters of a choice's name, and of its value."""

REMEMBERED: Final = 500
"""Lists of choices that are kept ready."""


class Interactions:
    """Answers what people ask with Discord's own means."""

    def __init__(self, client: discord.Client, bot: Bot, asker: Asker, sender: Sender) -> None:
        self._client = client
        self._bot = bot
        self._asker = asker
        self._sender = sender

    async def command(self, interaction: discord.Interaction[Any]) -> None:
        """A slash command, or the entry in the menu of a message."""
        data: Mapping[str, Any] = interaction.data or {}
        if data.get("type") == MENU_ENTRY:
            await self._answer(interaction, requests.menu(interaction, _text_of_target(data)), interaction.channel)
            return
        name = data["name"]
        options: Options = {option["name"]: option["value"] for option in data.get("options", ())}
        elsewhere = self._other_channel(interaction, options) if name == "autoexplain" else None
        if elsewhere is None:
            await self._answer(interaction, requests.command(interaction, name, options), interaction.channel)
        else:
            await self._set_elsewhere(interaction, options, elsewhere)

    async def press(self, interaction: discord.Interaction[Any], button: str) -> None:
        """A button, or an option of a menu."""
        await self._answer(interaction, requests.pressed(interaction, button), interaction.channel)

    async def complete(self, interaction: discord.Interaction[Any]) -> None:
        """Choices for what's typed so far, from memory."""
        data: Mapping[str, Any] = interaction.data or {}
        typed = next((option["value"] for option in data.get("options", ()) if option.get("focused")), "")
        place = requests.place(interaction.channel, interaction.guild_id)
        reads = requests.locale(interaction.locale)
        found = self._bot.complete(str(typed), place, limit=MAX_CHOICES, language=reads)
        try:
            await interaction.response.autocomplete(choices_of(found))
        except FAILURES as error:  # whoever types on asks again
            _log.debug("autocomplete wasn't taken (%s)", type(error).__name__)

    async def _answer(self, interaction: discord.Interaction[Any], request: Request, channel: object) -> None:
        if self._asker.takes_long(request) and not await self._sender.defer(interaction, request):
            return
        answer = await self._asker.answer(request, channel, interaction.user)
        reply = await self._sender.respond(interaction, request, answer)
        if reply is not None and request.now is not None:
            self._bot.recent.add(request.place, answer, reply, request.now)

    def _other_channel(self, interaction: discord.Interaction[Any], options: Options) -> object | None:
        """The channel that `/autoexplain` is about; None: the one that it's typed in."""
        chosen = options.get("channel")
        here = requests.place(interaction.channel, interaction.guild_id)
        if chosen is None or str(chosen) in (here.channel, here.thread):
            return None
        return self._client.get_channel(int(chosen)) or discord.Object(int(chosen))

    async def _set_elsewhere(self, interaction: discord.Interaction[Any], options: Options, channel: object) -> None:
        """For another channel: the change is announced there, and confirmed here.

        Discord's permission for the command counts here; there, whoever sets something has to manage the channel. The
        state comes without buttons, which would be pressed, and so mean something, here.
        """
        member = interaction.user
        there = requests.place(channel, interaction.guild_id)
        request = requests.command(interaction, "autoexplain", options, there)
        manages = (
            isinstance(member, discord.Member)
            and isinstance(channel, discord.abc.GuildChannel | discord.Thread)
            and channel.permissions_for(member).manage_channels
        )
        request = replace(request, may_set=manages and bool(request.text))
        answer = await self._asker.answer(request, channel, member)
        announced = answer if answer.where == "public" else None
        if announced is not None:
            answer = await self._asker.answer(replace(request, text="", may_set=False), channel, member)
        await self._sender.respond(interaction, request, _named(answer, channel))
        if announced is not None:
            await self._sender.post(int(there.channel), announced)


def _named(answer: Answer, channel: object) -> Answer:
    """Says which channel the answer is about."""
    name = getattr(channel, "name", None)
    match answer.blocks:
        case (Heading(text=text), *others) if name:
            return replace(answer, blocks=(Heading(text, f"#{name}"), *others))
    return answer


@lru_cache(REMEMBERED)
def choices_of(found: tuple[Suggestion, ...]) -> list[app_commands.Choice[str]]:
    """What's offered to somebody who types, to be read only."""
    return [app_commands.Choice(name=choice_name(each), value=each.label[:MAX_CHOICE]) for each in found]


def choice_name(suggestion: Suggestion) -> str:
    """Label and summary, cut at a word where they don't fit."""
    colon = "：" if has_han(suggestion.summary) else ": "
    text = f"{suggestion.title}{colon}{suggestion.summary}" if suggestion.summary else suggestion.title
    return label(text, MAX_CHOICE)


def _text_of_target(data: Mapping[str, Any]) -> str:
    """The text of the message whose menu was opened: Discord hands it over, whatever the bot may read otherwise."""
    messages = data.get("resolved", {}).get("messages", {})
    return "\n".join(_texts(messages.get(data.get("target_id"), {})))


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    """What a message says: itself, in embeds (as alerts and builds are posted), in components, forwarded."""
    yield message.get("content") or ""
    for embed in message.get("embeds") or ():
        yield embed.get("title") or ""
        yield embed.get("description") or ""
        for field in embed.get("fields") or ():
            yield f"{field.get('name', '')}: {field.get('value', '')}"
    for component in message.get("components") or ():
        yield from _texts(component)
    for snapshot in message.get("message_snapshots") or ():
        yield from _texts(snapshot.get("message") or {})
