"""What the bot may do where: from what discord.py knows of the server, without a call to Discord."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import discord

from bot.request import Hears

Channel: TypeAlias = object
"""Whatever discord.py says that something happened in; often it knows no more than an id."""

_NONE: Final = discord.Permissions.none()
_USUAL: Final = discord.Permissions(view_channel=True, send_messages=True, read_message_history=True)


def rights(channel: Channel) -> discord.Permissions:
    """The bot's own permissions; none where it isn't a member. In a direct message it has what it needs; of a thread
    that was just opened again discord.py may know nothing yet, and Discord decides.

    A private thread is closed to whoever isn't in it.
    """
    if isinstance(channel, discord.DMChannel | discord.PartialMessageable):
        return _USUAL
    guild = getattr(channel, "guild", None)
    if guild is None or guild.me is None or guild.unavailable or not hasattr(channel, "permissions_for"):
        return _NONE
    if isinstance(channel, discord.Thread):
        if channel.parent is None:
            return _NONE
        allowed = channel.permissions_for(guild.me)
        outside = channel.is_private() and channel.me is None and not allowed.manage_threads
        return _NONE if outside else allowed
    found: discord.Permissions = channel.permissions_for(guild.me)
    return found


def may_speak(channel: Channel) -> bool:
    """Threads have a permission of their own. An archived one opens again by a message, a locked one doesn't."""
    allowed = rights(channel)
    if not isinstance(channel, discord.Thread):
        return allowed.view_channel and allowed.send_messages
    return allowed.view_channel and allowed.send_messages_in_threads and (not channel.locked or allowed.manage_threads)


def may_reply(channel: Channel) -> bool:
    """A reply refers to an earlier message, which Discord allows only to those who may read them."""
    return rights(channel).read_message_history


def hears(channel: Channel, *, reads: bool) -> Hears:
    """`reads`: the application may have the text of messages."""
    if isinstance(channel, discord.DMChannel):
        return "all"
    if not rights(channel).view_channel:
        return "not-member"
    return "all" if reads else "not-allowed"


def visible_channels(guild: discord.Guild, member: discord.Member) -> dict[str, str]:
    """Id -> name of the channels that a member sees."""
    channels = (channel for channel in guild.channels if not isinstance(channel, discord.CategoryChannel))
    return {str(each.id): each.name for each in channels if each.permissions_for(member).view_channel}


def member_permissions(message: discord.Message) -> discord.Permissions:
    """Of a message's author, where it was written; none in a direct message."""
    author: Any = message.author
    channel = message.channel
    if not isinstance(author, discord.Member) or isinstance(channel, discord.DMChannel | discord.PartialMessageable):
        return _NONE
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return _NONE
    return channel.permissions_for(author)
