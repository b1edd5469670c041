"""Where Discord is: `DISCORD_API_URL` names its REST API, and that names its gateway."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route

_log: Final = logging.getLogger(__name__)

OFFICIAL: Final = "https://discord.com/api/v10"

PASSING: Final = (OSError, TimeoutError, aiohttp.ClientError, discord.DiscordServerError, discord.GatewayNotFound)
"""What may be over in a moment: it's tried again."""

WAITS: Final = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds between tries of a first connection; after the last one Discord counts as unreachable."""

CONNECT_SECONDS: Final = 10.0
"""For one try to open a connection to the gateway."""


def use_api(url: str) -> None:
    """Sends all REST calls of this process to `url`. discord.py has one place for it, which all its clients share."""
    Route.BASE = url.rstrip("/")


class Gateway:
    """Opens a client's connections to the gateway, in place of `HTTPClient.ws_connect`.

    discord.py knows Discord's own address and takes it for every new session: whenever the number of shards is given,
    and after an invalid session. Where another API is set (`named`), that one is asked instead. Sessions that are
    resumed go on where the gateway itself said.
    """

    def __init__(self, http: HTTPClient, *, named: bool, waits: Sequence[float] = WAITS) -> None:
        self._http = http
        self._open = http.ws_connect
        self._named = named
        self._waits = waits
        self._reached = False
        self.unreachable: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Done when the first connection failed for good; its result says how, without addresses or secrets."""

    async def ws_connect(self, url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        if self._reached:
            return await self._open(await self._address(url), compress=compress)
        for wait in (*self._waits, None):
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    socket = await self._open(await self._address(url), compress=compress)
            except PASSING as error:
                if wait is None:
                    self.unreachable.set_result(type(error).__name__)
                else:
                    _log.warning("the gateway can't be reached (%s); again in %g s", type(error).__name__, wait)
                    await asyncio.sleep(wait)
            else:
                self._reached = True
                return socket
        # discord.py would go on trying for ever, and log each time; whoever waits for `unreachable` ends it all.
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def _address(self, url: str) -> str:
        asked = yarl.URL(url)
        if not self._named or asked.host != DiscordWebSocket.DEFAULT_GATEWAY.host:
            return url
        _, address, _ = await self._http.get_bot_gateway()
        return str(yarl.URL(address).with_query(asked.query))
