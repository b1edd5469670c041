"""What Discord delivers -> `Request`, `Message`, `Person`, `Place`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

import discord

from bot.commands.names import COMMANDS
from bot.errors import ButtonError
from bot.glossary.concept import Language
from bot.request import Message, Person, Place, Press, Request, decode, encode

PLATFORM: Final = "discord"

LAST: Final = 50
"""Messages that `/explain` alone reads in a channel, and that the preview of notes looks at."""

REMEMBERED: Final = 5_000
"""People and places whose values are at hand: every message of a lively server needs them."""

MENU_ENTRY: Final = 3
"""Discord's number for a command in the menu of a message."""

Options: TypeAlias = Mapping[str, str | int | bool]

_DELETE: Final = encode(Press("delete")).rstrip(":")

_NAMES: Final = frozenset(command.name for command in COMMANDS)
_PEOPLE_WRITE: Final = frozenset({discord.MessageType.default, discord.MessageType.reply})
_LANGUAGES: Final[dict[str, Language]] = {"en": "en", "zh": "zh-Hans", "zh-Hans": "zh-Hans"}
_QUOTES: Final = '“”"'


def person(user: discord.abc.User) -> Person:
    return _person(user.id)


def place(channel: object, guild_id: int | None) -> Place:
    """A thread, and so a post of a forum, belongs to its channel."""
    if isinstance(channel, discord.Thread):
        return _place(guild_id, channel.parent_id, channel.id)
    return _place(guild_id, getattr(channel, "id", ""), None)


@lru_cache(REMEMBERED)
def _person(id_: int) -> Person:
    return Person(PLATFORM, "", str(id_))


@lru_cache(REMEMBERED)
def _place(guild: int | None, channel: int | str, thread: int | None) -> Place:
    return Place(PLATFORM, str(guild or ""), str(channel), str(thread) if thread is not None else None)


def where(place: Place) -> int:
    """The id of the channel or thread that messages of a place are sent to."""
    return int(place.thread or place.channel)


@cache
def locale(value: discord.Locale) -> Language | None:
    """zh-TW, too, reads Simplified Chinese rather than English; of other languages we have none."""
    tag = str(value)
    return "zh-Hans" if tag.startswith("zh") else "en" if tag.startswith("en") else None


def by_person(message: discord.Message) -> bool:
    """Whether a person wrote it: no bot, no webhook, not Discord itself."""
    return not message.author.bot and message.webhook_id is None and message.type in _PEOPLE_WRITE


def message(heard: discord.Message) -> Message:
    """What a person said: ask `by_person` first."""
    return Message(
        id=str(heard.id),
        place=place(heard.channel, heard.guild.id if heard.guild else None),
        author=person(heard.author),
        text=heard.content,
        sent_at=heard.created_at,
        link=heard.jump_url,
    )


def request(action: str, asker: discord.abc.User, place: Place, **how: Any) -> Request:
    now = datetime.now(UTC)
    return Request(
        person(asker),
        place,
        action,
        name=asker.display_name,
        today=now.date(),
        now=now,
        chance=random.random(),
        **how,
    )


# -- Interactions -------------------------------------------------------------------------------------------------


def is_direct(interaction: discord.Interaction[Any]) -> bool:
    """One person and the bot. Other private channels have other people in them."""
    return isinstance(interaction.channel, discord.DMChannel) and not interaction.context.private_channel


def _asked(interaction: discord.Interaction[Any], action: str, at: Place | None = None, **how: Any) -> Request:
    asker, now = interaction.user, datetime.now(UTC)
    return Request(
        person(asker),
        at or place(interaction.channel, interaction.guild_id),
        action,
        name=asker.display_name,
        today=now.date(),
        now=now,
        chance=random.random(),
        direct=is_direct(interaction),
        locale=locale(interaction.locale),
        **how,
    )


def command(interaction: discord.Interaction[Any], name: str, options: Options, at: Place | None = None) -> Request:
    """A slash command; `at` is the channel that it's about, if that's another one than it was typed in.

    Discord may know one from an earlier version for a while.
    """
    text = command_text(name, options)
    about = at or place(interaction.channel, interaction.guild_id)
    return _asked(
        interaction,
        name if name in _NAMES else "unknown-command",
        about,
        text=text,
        public=options.get("share") is True,
        language=_LANGUAGES.get(str(options.get("language"))) if name == "define" else None,
        last=_last(options, about) if name == "explain" and not text else None,
        # Discord lets nobody see the command whom its permissions for it leave out
        may_set=name == "autoexplain" and interaction.guild_id is not None,
    )


def _last(options: Options, about: Place) -> int | None:
    """So many messages were asked for; None: all of the thread."""
    if options.get("last"):
        return int(options["last"])
    return LAST if about.thread is None else None


def command_text(name: str, options: Options) -> str:
    """The options as one typed line."""
    match name:
        case "define":
            return str(options.get("term", ""))
        case "vs":
            sides = [str(options[side]) for side in ("first", "second", "third") if options.get(side)]
            return " ".join(f"“{side.strip(_QUOTES)}”" for side in sides) if len(sides) > 1 else "".join(sides)
        case "explain":
            return str(options.get("text", ""))
        case "glossary":
            return f"search {options['search']}" if options.get("search") else str(options.get("topic", ""))
        case "lang":
            return str(options.get("language", ""))
        case "autoexplain":
            return " ".join(str(options[key]) for key in ("mode", "language", "level") if options.get(key))
    return ""


def menu(interaction: discord.Interaction[Any], heard: str) -> Request:
    """ "Explain jargon" in the menu of a message with this text."""
    return _asked(interaction, "explain", text=heard, by="shortcut")


def _stands_on(message: discord.Message) -> int:
    """The message that a button is about: a private page that another message's button opened is about that one."""
    metadata = message.interaction_metadata
    opened_by = metadata.interacted_message_id if metadata is not None and message.flags.ephemeral else None
    return opened_by or message.id


def _is_deletable(components: Sequence[Any]) -> bool:
    """Whether there's the button that deletes the message; what takes its place keeps it."""
    return any(
        str(getattr(each, "custom_id", "")).startswith(_DELETE) or _is_deletable(getattr(each, "children", ()))
        for each in components
    )


def pressed(interaction: discord.Interaction[Any], button: str) -> Request:
    """A button, or an option of a menu. One that isn't ours, or of a later version, is an unknown command."""
    message, allowed = interaction.message, interaction.permissions
    direct = is_direct(interaction)
    try:
        press = decode(button)
    except ButtonError:
        return _asked(interaction, "unknown-command", by="button")
    return _asked(
        interaction,
        press.action,
        press=press,
        by="button",
        public=not direct and message is not None and not message.flags.ephemeral,
        on=str(_stands_on(message)) if message is not None else "",
        deletable=message is not None and _is_deletable(message.components),
        may_set=interaction.guild_id is not None and allowed.manage_channels,
        may_remove=allowed.manage_messages,
    )
