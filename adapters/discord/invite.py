"""The link with which somebody adds the bot to a server, with the permissions that it uses and no others."""

from __future__ import annotations

from typing import Final

import discord
from discord import Permissions
from discord.utils import oauth_url

from adapters.discord.connecting import patiently
from adapters.discord.gateway import use_api

PERMISSIONS: Final = Permissions(
    view_channel=True,  # to get messages of channels, without which there's no `!define`, mention or note
    send_messages=True,  # answers to these, and notes
    send_messages_in_threads=True,  # the same in threads and posts, where the other one doesn't count
    read_message_history=True,  # to answer as a reply, and for the digest of `/explain`
    add_reactions=True,  # ⏳ for whoever asks faster than anybody reads
)
"""What commands, buttons and menus say needs none of them: those answers are Discord's own to show."""

SCOPES: Final = ("bot", "applications.commands")


async def invite_for(token: str, api_url: str) -> str:
    """The link for the application that the token belongs to. ConnectError: Discord refuses it, or can't be reached."""
    use_api(api_url)
    return invite_url(await patiently(lambda: _application_of(token), api_url, waits=()))


async def _application_of(token: str) -> int:
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await client.login(token)
        assert client.application_id is not None, "the login asks for it"
        return client.application_id


def invite_url(application_id: int) -> str:
    """A link for a browser; whoever follows it chooses the server, and has to be allowed to manage it."""
    return oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)
