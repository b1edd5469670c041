"""Earlier messages of a channel or thread, for a digest and for the preview of notes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import discord

from adapters.discord.permissions import hears, rights
from adapters.discord.requests import LAST, by_person, message
from bot.request import Hears, Message

MAX_MESSAGES: Final = 500
"""Of a thread, for a digest: five calls to Discord."""

PREVIEW_SECONDS: Final = 1.0
"""For the messages of a preview; it's left out where they take longer, since Discord waits 3 s for an answer."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was said, oldest first. `of` and `total` as `Bot.explain` wants them."""

    messages: tuple[Message, ...]
    of: str
    total: int


async def fetch(
    channel: object, needs: Literal["thread"] | int, *, reads: bool, before: discord.Message | None = None
) -> Said | Hears:
    """The messages that an answer needs, or why the bot may not read them. `before`: the message that asks."""
    heard = readable(channel, reads=reads)
    if heard != "all":
        return heard
    if not isinstance(channel, discord.abc.Messageable):  # a forum has posts, and no messages of its own
        return "not-member"
    limit = MAX_MESSAGES if needs == "thread" else min(needs, MAX_MESSAGES)
    try:
        found = [earlier async for earlier in channel.history(limit=limit, before=before)]
    except discord.HTTPException:
        return "not-member"
    messages = tuple(message(_written(earlier)) for earlier in reversed(found) if by_person(_written(earlier)))
    if needs != "thread":
        return Said(messages, str(needs), len(messages))
    counted = getattr(channel, "message_count", 0) if len(found) == limit else 0
    return Said(messages, "thr", max(counted, len(messages)))


async def preview(channel: object, *, reads: bool) -> Sequence[Message]:
    """The last messages; none where the bot may not read them, or Discord takes long."""
    try:
        async with asyncio.timeout(PREVIEW_SECONDS):
            said = await fetch(channel, LAST, reads=reads)
    except TimeoutError:
        return ()
    return said.messages if isinstance(said, Said) else ()


def readable(channel: object, *, reads: bool) -> Hears:
    heard = hears(channel, reads=reads)
    return "not-member" if heard == "all" and not rights(channel).read_message_history else heard


def _written(earlier: discord.Message) -> discord.Message:
    """The message that a thread was started from stands in it as an empty one that points there."""
    if earlier.type is discord.MessageType.thread_starter_message and earlier.reference is not None:
        started = earlier.reference.resolved
        if isinstance(started, discord.Message):
            return started
    return earlier
