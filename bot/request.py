"""What an adapter hands in: who asks what, where, and how. Also the codec of buttons: a button is a request.

A button's string is `j1:` + action, page, language, concept codes and the asker, so that it needs no memory: it
survives restarts and works on every replica. It is ASCII and at most `MAX_BUTTON` characters long.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from bot.errors import ButtonError
from bot.glossary.concept import Language

MAX_BUTTON: Final = 100
"""Characters of a button's string: Discord's limit for a custom_id. discord.py doesn't check it."""

MAX_CODES: Final = 10
"""Concepts that fit into a button whatever else it carries; an answer has to say what doesn't."""

_CODE_LENGTH: Final = 7
_BUTTON: Final = re.compile(
    r"j1:(?P<action>[a-z0-9-]{1,14})(?:\.(?P<page>\d{1,3}))?(?::(?P<language>[ezEZ])?(?P<switch>(?<![EZ])!)?)?"
    rf"(?::(?P<codes>(?:[A-Za-z0-9_-]{{{_CODE_LENGTH}}})*))?(?:@(?P<asker>[A-Za-z0-9_-]{{5}}))?",
    re.ASCII,
)
Hears: TypeAlias = Literal["all", "not-member", "not-allowed"]
"""Whether the bot gets the messages of a place: it does, it isn't a member there, or the app may not read messages."""

_LANGUAGE_CODES: Final[dict[str, Language]] = {"e": "en", "z": "zh-Hans"}


@dataclass(frozen=True, slots=True)
class Person:
    """A person on a platform.

    `home` is what the id is unique in: the enterprise or team on Slack, empty on Discord, where ids are global.
    """

    platform: str
    home: str
    id: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was said. Settings belong to `channel`; a thread uses its channel's."""

    platform: str
    tenant: str
    channel: str
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """What a button asks for."""

    action: str
    codes: tuple[str, ...] = ()
    page: int = 0
    language: Language | None = None
    """Of the message that the button is on, the first one where it has `both`; with `switch`, the one to change to."""
    both: bool = False
    """The message is in both languages."""
    switch: bool = False
    """The reader wants this language from now on."""
    asker: str = ""
    """`short_hash` of the person whose question the message answers; empty where it doesn't matter."""


@dataclass(frozen=True, slots=True)
class Request:
    """One thing that somebody asked for, typed or pressed.

    Time and chance come in here, since the core has neither: `today` (UTC) and `chance` (0 <= chance < 1).
    """

    person: Person
    place: Place
    action: str
    text: str = ""
    """The argument as typed; empty for a button."""
    word: str = ""
    """What the command was called, as typed: 对比 asks in Chinese, whatever stands behind it."""
    press: Press | None = None
    by: Literal["slash", "text", "mention", "button", "shortcut"] = "slash"
    """`shortcut`: from the menu of a message, whose text this is."""
    public: bool = False
    """Others see the answer (`!`, a mention); for a button: it stands on a message that others see."""
    direct: bool = False
    """A one-to-one conversation with the bot: nothing to share, nobody to be private from."""
    whispers: bool = True
    """The platform can answer this one person only."""
    locale: Language | None = None
    """The platform's language for the person; None: unknown, or not one of ours."""
    name: str = ""
    """What the platform calls the person, for the footer of a shared card."""
    today: date = field(default=date.min)
    chance: float = 0.0
    now: datetime | None = None
    """UTC; None only where nothing about time is asked."""
    on: str = ""
    """The platform's id of the message that a button stands on."""
    may_set: bool = False
    """The platform lets this person change what holds for the channel."""
    may_remove: bool = False
    """The platform lets this person delete other people's messages here."""
    hears: Hears = "all"
    """Whether the bot gets the messages of the place; where it doesn't, nothing can be explained unasked there."""
    language: Language | None = None
    """Asked for this one answer."""
    last: int | None = None
    """So many messages of the channel `explain` reads where no text is given; None: it wants a text."""
    deletable: bool = False
    """The platform wants a button under public answers with which their asker deletes them."""
    channel_names: Mapping[str, str] = field(default_factory=dict)
    """Channel id -> name, of the channels whose settings the person may see; only for `autoexplain`."""
    link: str = ""
    """Where an earlier answer to the same question stands; only for `asked-before`."""


def encode(press: Press) -> str:
    """The string of a button. ValueError: more concepts than fit, which the caller should have cut."""
    page = f".{press.page}" if press.page else ""
    language = next((short for short, tag in _LANGUAGE_CODES.items() if tag == press.language), "")
    if press.both:
        language = language.upper()
    asker = f"@{press.asker}" if press.asker else ""
    text = f"j1:{press.action}{page}:{language}{'!' if press.switch else ''}:{''.join(press.codes)}{asker}"
    if len(text) > MAX_BUTTON or not _BUTTON.fullmatch(text):
        raise ValueError(f"not a button: {text}")
    return text


@lru_cache(1_000)
def decode(text: str) -> Press:
    """What `encode` made the string from. ButtonError: it isn't one of ours, or of a later version."""
    match = _BUTTON.fullmatch(text) if len(text) <= MAX_BUTTON else None
    if match is None:
        raise ButtonError
    codes = match["codes"] or ""
    return Press(
        action=match["action"],
        codes=tuple(codes[start : start + _CODE_LENGTH] for start in range(0, len(codes), _CODE_LENGTH)),
        page=int(match["page"] or 0),
        language=_LANGUAGE_CODES[match["language"].lower()] if match["language"] else None,
        both=(match["language"] or "").isupper(),
        switch=bool(match["switch"]),
        asker=match["asker"] or "",
    )


def short_hash(person: Person) -> str:
    """Five characters that tell a button whether the presser is the asker, and nobody who it is."""
    digest = hashlib.sha256("\0".join((person.platform, person.home, person.id)).encode("utf-8", "replace")).hexdigest()
    return digest[:5]


@dataclass(frozen=True, slots=True)
class Message:
    """Something that was said where the bot listens, and not necessarily to it. Its text is never kept."""

    id: str
    place: Place
    author: Person
    text: str
    sent_at: datetime
    """With time zone."""
    from_person: bool = True
    """False for bots, webhooks, relays and the bot itself."""
    to_bot: bool = False
    """It mentions the bot, or is sent to it alone."""
    link: str | None = None
    """Where the message can be read; None: the platform has no links."""
    opens: str | None = None
    """The thread that a reply to the message would open; None: replies open none, or it stands in one already."""
