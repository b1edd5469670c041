"""The way in, and what it means when Discord doesn't let us: one line that says what to do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

import discord
import yarl

from adapters.discord.client import Client
from adapters.discord.gateway import PASSING, WAITS
from bot.errors import ConnectError, SettingsError

T = TypeVar("T")

_log: Final = logging.getLogger(__name__)

_PORTAL: Final = "in the Developer Portal (discord.com/developers/applications, your application, Bot)"

_CLOSED: Final = {
    4004: f"Discord refuses DISCORD_TOKEN: reset the token {_PORTAL} and set it anew",
    4010: "Discord refuses this shard: check DISCORD_SHARDS",
    4011: "the bot is on too many servers for so few shards: leave DISCORD_SHARDS empty, or raise its count",
    4013: "Discord doesn't know an intent that the bot asks for: update discord.py",
    4014: f"Discord refuses an intent: switch on Message Content Intent {_PORTAL}, or wait until it's really off there",
}
"""Codes with which the gateway ends a connection for good."""


async def log_in(token: str, make: Callable[[bool], Client], api: str, waits: Sequence[float] = WAITS) -> Client:
    """A client that Discord knows. `make` gets whether the application may have the text of messages.

    ConnectError: the token is wrong, or Discord couldn't be reached for as long as `waits` says.
    """
    return await patiently(lambda: _log_in(token, make), api, waits)


async def patiently(work: Callable[[], Awaitable[T]], api: str, waits: Sequence[float] = WAITS) -> T:
    """What `work` returns; it's tried again where it fails for a passing reason. ConnectError: it went on failing."""
    for wait in (*waits, None):
        try:
            return await work()
        except (*PASSING, discord.HTTPException) as error:
            if not passing(error):
                raise refused(error, api) from None
            if wait is None:
                raise unreachable(api, type(error).__name__) from None
            _log.warning("Discord can't be reached (%s); again in %g s", type(error).__name__, wait)
            await asyncio.sleep(wait)
        except discord.LoginFailure as error:
            raise refused(error, api) from None
    raise AssertionError


async def _log_in(token: str, make: Callable[[bool], Client]) -> Client:
    """Asks for the application first: what the client asks of the gateway depends on it, and can't change later."""
    async with discord.Client(intents=discord.Intents(guilds=True)) as asking:
        await asking.login(token)
        flags = asking.application_flags
    client = make(flags.gateway_message_content or flags.gateway_message_content_limited)
    try:
        await client.login(token)
    except BaseException:
        await client.close()
        raise
    return client


def passing(error: Exception) -> bool:
    """Whether it may be over in a moment. 429 is: Discord, or what stands before it, has had too much for now."""
    return isinstance(error, PASSING) or (isinstance(error, discord.HTTPException) and error.status == 429)


def unreachable(api: str, how: str) -> ConnectError:
    return ConnectError(
        f"Discord can't be reached at {yarl.URL(api).host} ({how}): check the network and DISCORD_API_URL"
    )


def refused(error: BaseException | None, api: str) -> ConnectError:
    """What it means that a connection ended with `error`; None: without one."""
    match error:
        case ConnectError():
            return error
        case discord.LoginFailure():
            return ConnectError(_CLOSED[4004])
        case discord.PrivilegedIntentsRequired():
            return ConnectError(_CLOSED[4014])
        case discord.ConnectionClosed(code=code) if code in _CLOSED:
            return ConnectError(_CLOSED[code])
        case discord.ConnectionClosed(code=code):
            return ConnectError(f"Discord has ended the connection (code {code}): start again")
        case discord.HTTPException(status=status):
            return ConnectError(f"Discord's API at {yarl.URL(api).host} answers with {status}: check DISCORD_API_URL")
    return ConnectError(f"the connection to Discord has ended ({type(error).__name__}): start again")


def shards(setting: str) -> tuple[list[int], int] | None:
    """The ids of this process's shards, and how many there are in all; None: as many as Discord advises, all here.

    SettingsError: they don't fit together.
    """
    if not setting:
        return None
    share, _, count = setting.partition("/")
    first, _, last = share.partition("-")
    ids = list(range(int(first), int(last or first) + 1))
    if not ids or ids[-1] >= int(count):
        raise SettingsError("DISCORD_SHARDS: write first-last/count, counted from 0, like 0-3/16")
    return ids, int(count)
