"""Discord as the composition root sees it: something that starts, runs and stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from adapters.discord.client import Client
from adapters.discord.commands import payloads
from adapters.discord.connecting import log_in, patiently, refused, shards, unreachable
from adapters.discord.gateway import OFFICIAL, WAITS, Gateway, use_api
from adapters.discord.registration import register
from adapters.discord.requests import PLATFORM
from adapters.discord.sending import FAILURES, why
from bot.answer import Answer
from bot.bot import Bot
from bot.errors import ConnectError
from bot.phrases import Phrases
from bot.request import Place
from bot.settings import Settings
from bot.state.ports import Store

_log: Final = logging.getLogger(__name__)

STOP_SECONDS: Final = 3.0
"""What answers in flight have to be finished in."""


class DiscordPlatform:
    """The bot on Discord. `waits`: seconds between tries of the first connection."""

    name: Final = "discord"

    def __init__(
        self, bot: Bot, phrases: Phrases, store: Store, settings: Settings, *, waits: Sequence[float] = WAITS
    ) -> None:
        self._bot = bot
        self._phrases = phrases
        self._store = store
        self._settings = settings
        self._waits = waits
        self._client: Client | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Every shard of this process has its connection."""
        return self._client is not None and self._client.is_open

    @property
    def reconnects(self) -> int:
        return self._client.reconnects if self._client is not None else 0

    async def start(self) -> str:
        """Connects, and registers the commands where they changed; says what is on.

        ConnectError: Discord refuses us, or can't be reached. SettingsError: DISCORD_SHARDS makes no sense.
        """
        _quieten()
        settings = self._settings
        use_api(settings.discord_api_url)
        share = shards(settings.discord_shards)
        token = settings.discord_token.get_secret_value()
        try:
            client = await log_in(token, self._client_that(share), settings.discord_api_url, self._waits)
            self._client = client
            await self._connect(client)
            commands = payloads(self._phrases, self._bot.topics(Place(PLATFORM, "", "")))
            written = await register(client.http, client.application_id, self._store.leases, commands)
        except BaseException:
            await self.stop()
            raise
        return _first_line(client, written)

    async def wait(self) -> None:
        """Until `stop`. ConnectError: Discord has ended the connection for good; what to do."""
        if self._running is None:
            return
        await asyncio.wait({self._running})
        if self._client is not None:
            error = None if self._running.cancelled() else self._running.exception()
            raise refused(error, self._settings.discord_api_url) from None

    async def stop(self) -> None:
        """Takes no more events, lets answers in flight finish, and closes. Twice, or before the start, is no error."""
        client, self._client = self._client, None
        if client is not None:
            await client.in_flight.finish(STOP_SECONDS)
            await client.close()
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._running

    async def post(self, channel: str, answer: Answer) -> None:
        """A message of its own in a channel, without a sound. ConnectError: it couldn't be posted, and why."""
        if self._client is None:
            raise ConnectError("Discord isn't connected")
        try:
            await self._client.sender.deliver(int(channel), answer)
        except (ConnectError, ValueError, *FAILURES) as error:
            raise ConnectError(f"nothing can be posted in channel {channel} ({why(error)})") from None

    def _client_that(self, share: tuple[list[int], int] | None) -> Callable[[bool], Client]:
        ids, count = share or (None, None)

        def make(reads: bool) -> Client:
            return Client(
                self._bot,
                self._phrases,
                self._store,
                prefix=self._settings.discord_prefix,
                reads=reads,
                shard_ids=ids,
                shard_count=count,
            )

        return make

    async def _connect(self, client: Client) -> None:
        """Opens all shards; returns when each has had a session."""
        api = self._settings.discord_api_url
        if client.shard_count is None:  # discord.py would ask once, and end with the first answer that is none
            client.shard_count, _, _ = await patiently(client.http.get_bot_gateway, api, self._waits)
        gateway = Gateway(client.http, named=api.rstrip("/") != OFFICIAL, waits=self._waits)
        client.http.ws_connect = gateway.ws_connect  # type: ignore[method-assign] # there is no setting for it
        self._running = asyncio.create_task(client.connect())
        connected = asyncio.create_task(client.all_connected.wait())
        ends: set[asyncio.Future[Any]] = {self._running, connected, gateway.unreachable}
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        connected.cancel()
        if gateway.unreachable.done():
            raise unreachable(api, gateway.unreachable.result())
        if self._running.done():
            raise refused(self._running.exception(), api) from None


def _first_line(client: Client, written: bool) -> str:
    parts = [
        f"{client.user} on {_count(len(client.guilds), 'server')}, {_count(len(client.shards), 'shard')}",
        f"commands {'registered' if written else 'unchanged'}",
        "" if client.reads else "without message content, so that ! commands and jargon notes are off",
    ]
    return "; ".join(filter(None, parts))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _quieten() -> None:
    """discord.py's lines of INFO and DEBUG have session ids, and everything that people write."""
    library = logging.getLogger("discord")
    if library.getEffectiveLevel() < logging.WARNING:
        library.setLevel(logging.WARNING)
