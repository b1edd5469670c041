"""Tokens that expire are renewed before they do, by one replica at a time.

A refresh token counts once: of two replicas that use it, the second would get `invalid_refresh_token`. So whoever
renews holds a lease, reads the installation again under it, and saves the new tokens before letting go. Whoever doesn't
get the lease waits until the new token can be read.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from aiohttp import ClientError
from slack_sdk.errors import SlackApiError, SlackClientError, SlackTokenRotationError
from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.oauth.installation_store.models.installation import Installation
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.installations import Installations
from bot.errors import StoreError
from bot.state.ports import Leases

EARLY_MINUTES: Final = 120
"""So long before a token expires it's renewed; tokens last 12 hours."""

LEASE: Final = timedelta(seconds=60)
"""Longer than a request to Slack and the tries to save what came back may take."""

POLL_SECONDS: Final = 0.1
"""Between two looks at whether another replica has renewed a token."""

REST_SECONDS: Final = 30.0
"""So long a refresh that failed isn't tried again."""

CLOSE_SECONDS: Final = 10.0
"""So long the end of the process waits for tokens that are being renewed."""

SAVE_WAITS: Final = (0.1, 0.5, 2.0, 5.0)
"""Seconds between the tries to save new tokens: without them, the workspace would have to install the app again."""

FOR_GOOD: Final = frozenset({"invalid_refresh_token", "token_revoked", "account_inactive", "invalid_auth"})
"""Errors of Slack's after which only a new installation helps."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Failed:
    """A refresh token that Slack didn't take. `until` is on the clock of `time.monotonic`."""

    token: str | None
    until: float


class Rotation:
    """Renews the tokens of installations."""

    def __init__(
        self, installations: Installations, leases: Leases, client: AsyncWebClient, client_id: str, client_secret: str
    ) -> None:
        """`client` needs no token: client id and secret are what `oauth.v2.access` wants."""
        self._installations = installations
        self._leases = leases
        self._rotator = AsyncTokenRotator(client_id=client_id, client_secret=client_secret, client=client)
        self._holder = secrets.token_hex(8)
        self._running: dict[str, asyncio.Task[Bot | None]] = {}
        self._failed: dict[str, _Failed] = {}

    async def renewed(self, bot: Bot) -> Bot | None:
        """The installation with a token that lasts; the same one, if that isn't to be had and its token still counts.

        None: its token expired, or it isn't there any more. Raises `StoreError`. Once begun it goes on, even if
        whoever waits for it is cancelled.
        """
        name = _name(bot)
        if name not in self._running:  # the lease is this process's: it wouldn't keep two tasks apart
            task = asyncio.create_task(self._renew(name, bot))
            self._running[name] = task
            task.add_done_callback(lambda _: self._running.pop(name))
        return await asyncio.shield(self._running[name])

    async def _renew(self, name: str, bot: Bot) -> Bot | None:
        gives_up = time.monotonic() + LEASE.total_seconds()
        while time.monotonic() < gives_up:
            now = datetime.now(UTC)
            if await self._leases.acquire(name, self._holder, now + LEASE, now):
                try:
                    return await self._renew_alone(name, bot)
                finally:
                    await self._let_go(name)
            await asyncio.sleep(POLL_SECONDS)
            current = await self._current(bot)
            if current is None or not is_due(current.to_bot()):
                return current.to_bot() if current else None
        return _if_it_counts(bot)

    async def _renew_alone(self, name: str, bot: Bot) -> Bot | None:
        current = await self._current(bot)
        if current is None:
            return None
        as_it_is = current.to_bot()
        failed = self._failed.get(name)
        tried = failed and failed.token == current.bot_refresh_token and failed.until > time.monotonic()
        if tried or not is_due(as_it_is):
            return _if_it_counts(as_it_is)
        try:
            fresh = await self._rotator.perform_token_rotation(
                installation=current, minutes_before_expiration=EARLY_MINUTES
            )
        except (SlackClientError, ClientError, OSError, TimeoutError, KeyError) as error:
            return await self._went_wrong(name, current, _code(error))
        if fresh is None:  # slack_sdk's way to say that Slack answered with a token of another kind
            return await self._went_wrong(name, current, "no bot token")
        self._failed.pop(name, None)
        await self._save(name, fresh)
        return fresh.to_bot()

    async def _went_wrong(self, name: str, tried: Installation, code: str) -> Bot | None:
        current = await self._current(tried.to_bot())
        if current is not None and current.bot_refresh_token != tried.bot_refresh_token:
            return _if_it_counts(current.to_bot())  # installed again meanwhile
        for_good = code in FOR_GOOD
        until = float("inf") if for_good else time.monotonic() + REST_SECONDS
        self._failed[name] = _Failed(tried.bot_refresh_token, until)
        where = tried.team_id or tried.enterprise_id
        if for_good:
            _log.error("Slack renews the token of workspace %s no more (%s): reinstall at /slack/install", where, code)
        else:
            _log.warning("the token of workspace %s couldn't be renewed (%s): trying again later", where, code)
        return _if_it_counts(tried.to_bot())

    async def _save(self, name: str, fresh: Installation) -> None:
        for wait in (*SAVE_WAITS, None):
            try:
                await self._installations.async_save(fresh)
            except StoreError as error:
                if wait is None:
                    where = fresh.team_id or fresh.enterprise_id
                    _log.error("the new token of workspace %s couldn't be saved: %s", where, error)
                    return
                await asyncio.sleep(wait)
            else:
                return

    async def _current(self, bot: Bot) -> Installation | None:
        return await self._installations.async_find_installation(
            enterprise_id=bot.enterprise_id, team_id=bot.team_id, is_enterprise_install=bot.is_enterprise_install
        )

    async def _let_go(self, name: str) -> None:
        try:
            await self._leases.release(name, self._holder)
        except StoreError:
            _log.warning("a lease couldn't be given back; it ends by itself after %s", LEASE)

    async def close(self) -> None:
        """Waits for what was begun, so that no new token is lost; for `CLOSE_SECONDS` at most."""
        if self._running:
            await asyncio.wait(self._running.values(), timeout=CLOSE_SECONDS)


def is_due(bot: Bot) -> bool:
    """Whether a token should be renewed. One that never expires shouldn't."""
    expires = bot.bot_token_expires_at
    return expires is not None and bool(bot.bot_refresh_token) and expires <= time.time() + EARLY_MINUTES * 60


def counts(bot: Bot) -> bool:
    """Whether a token can be used now."""
    return bot.bot_token_expires_at is None or bot.bot_token_expires_at > time.time()


def _if_it_counts(bot: Bot) -> Bot | None:
    return bot if counts(bot) else None


def _name(bot: Bot) -> str:
    return f"slack-token {bot.enterprise_id or ''} {bot.team_id or ''}"


def _code(error: Exception) -> str:
    """Slack's word for it, or the kind of failure; never its text."""
    if isinstance(error, SlackTokenRotationError):
        error = error.api_error
    return str(error.response.get("error")) if isinstance(error, SlackApiError) else type(error).__name__
