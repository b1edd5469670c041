"""bolt's question before each request: with which token may the bot act there?

bolt's own answer asks the database each time, renews tokens in each replica at once, and waits for `auth.test`. This
one keeps what it found for a minute; after that it goes on using it while it looks again. So a press or a command
waits for the database only when a workspace is new to this process or its token ran out, and then for a bounded time;
and with the database away, what is known goes on counting. `auth.test` is asked once for each installation, behind:
only Slack knows the workspace's address, which links need.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from aiohttp import ClientError
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.installations import Installations
from adapters.slack.rotation import Rotation, counts, is_due
from bot.errors import JargonautError

FRESH_SECONDS: Final = 60.0
"""So long what was found isn't looked for again; so long another replica doesn't notice an uninstall."""

PATIENCE_SECONDS: Final = 2.0
"""So long a request waits for what isn't known yet. Slack gives it three seconds in all."""

MOST: Final = 10_000
"""Workspaces that are kept in memory."""

Key: TypeAlias = tuple[str | None, str | None, bool]
"""Organisation, workspace, and whether Slack means the organisation's installation."""

InstalledIn: TypeAlias = tuple[str | None, str | None]
"""Organisation and workspace of an installation."""

_log = logging.getLogger(__name__)

# bolt says with each request that it found no installation. `Authorization` says once which one is missing.
logging.getLogger("slack_bolt.AsyncMultiTeamsAuthorization").addFilter(lambda _record: False)


@dataclass(frozen=True, slots=True)
class _Known:
    """`at` is on the clock of `time.monotonic`; None: it's used, but looked for again."""

    bot: Bot
    at: float | None


@dataclass(frozen=True, slots=True)
class _Address:
    """What Slack said about a token: its workspace's address; empty: it doesn't take the token."""

    token: str
    url: str


class Authorization(AsyncAuthorize):
    """For `AsyncApp(authorize=…)`, and for background work: `find`."""

    def __init__(
        self,
        installations: Installations,
        rotation: Rotation,
        client: AsyncWebClient,
        fresh_seconds: float = FRESH_SECONDS,
    ) -> None:
        """`client` needs no token."""
        self._installations = installations
        self._rotation = rotation
        self._client = client
        self._fresh_seconds = fresh_seconds
        self._known: dict[Key, _Known] = {}
        self._looking: dict[Key, asyncio.Task[Bot | None]] = {}
        self._addresses: dict[InstalledIn, _Address] = {}
        self._asking: dict[InstalledIn, asyncio.Task[None]] = {}
        self._missing: dict[InstalledIn, None] = {}
        self._complaint = ""

    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,
        actor_team_id: str | None = None,
        actor_user_id: str | None = None,
    ) -> AuthorizeResult | None:
        """What bolt acts with in this workspace; None: the bot isn't installed there, or has to be installed again."""
        bot = await self.find(enterprise_id, team_id, bool(context.is_enterprise_install))
        if bot is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_id=bot.bot_id,
            bot_user_id=bot.bot_user_id,
            bot_token=bot.bot_token,
            bot_scopes=bot.bot_scopes,
            url=self._url(bot),
        )

    async def find(self, enterprise_id: str | None, team_id: str | None, org_wide: bool = False) -> Bot | None:
        """The installation that reaches this team, with a token that counts now. Ask again each time: tokens expire.

        None: there is none, or neither database nor Slack said so within `PATIENCE_SECONDS`.
        """
        key = (enterprise_id, team_id, org_wide)
        usable = self._usable(key)
        if usable and self._is_fresh(key):
            return usable
        looking = self._looking.get(key)
        if looking is None:
            looking = self._looking[key] = asyncio.create_task(self._look(key))
            looking.add_done_callback(lambda _: self._looking.pop(key))
        if usable:
            return usable
        await asyncio.wait({looking}, timeout=PATIENCE_SECONDS)
        return looking.result() if looking.done() else self._usable(key)

    def forget(self, enterprise_id: str | None, team_id: str | None) -> None:
        """Looks again before the next use, in this process: something was installed there, or removed."""
        for key in [key for key, known in self._known.items() if _reached(key, known.bot, enterprise_id, team_id)]:
            del self._known[key]

    async def close(self) -> None:
        """Waits for tokens that are being renewed, and for nothing else."""
        for task in (*self._looking.values(), *self._asking.values()):
            task.cancel()
        await asyncio.gather(*self._looking.values(), *self._asking.values(), return_exceptions=True)
        await self._rotation.close()

    def _usable(self, key: Key) -> Bot | None:
        known = self._known.get(key)
        return known.bot if known and counts(known.bot) else None

    def _is_fresh(self, key: Key) -> bool:
        at = self._known[key].at
        return at is not None and time.monotonic() < at + self._fresh_seconds

    async def _look(self, key: Key) -> Bot | None:
        enterprise_id, team_id, org_wide = key
        try:
            bot = await self._installations.async_find_bot(
                enterprise_id=enterprise_id, team_id=team_id, is_enterprise_install=org_wide
            )
            self._note_missing(enterprise_id, team_id, bot)
            if bot and is_due(bot):
                self._keep(key, bot, None)  # what it has may serve until there's a new one
                bot = await self._rotation.renewed(bot)
        except JargonautError as error:  # the database is away, or TOKEN_KEY doesn't fit
            self._complain(str(error))
            return self._usable(key)
        self._complain("")
        if bot:
            self._keep(key, bot, time.monotonic())
            self._ask_for_url(bot)
        else:
            self._known.pop(key, None)
        return bot

    def _url(self, bot: Bot) -> str | None:
        known = self._addresses.get((bot.enterprise_id, bot.team_id))
        return known.url or None if known else None

    def _ask_for_url(self, bot: Bot) -> None:
        of = (bot.enterprise_id, bot.team_id)
        known = self._addresses.get(of)
        if of not in self._asking and not (known and (known.url or known.token == bot.bot_token)):
            asking = self._asking[of] = asyncio.create_task(self._learn_url(of, bot.bot_token))
            asking.add_done_callback(lambda _: self._asking.pop(of))

    async def _learn_url(self, of: InstalledIn, token: str) -> None:
        try:
            url = str((await self._client.auth_test(token=token)).get("url") or "")
        except SlackApiError as error:
            _log.warning(
                "Slack doesn't take the token of workspace %s: %s", of[1] or of[0], error.response.get("error")
            )
            url = ""
        except (SlackClientError, ClientError, OSError, TimeoutError):
            return  # the next look asks again
        self._addresses[of] = _Address(token, url)
        _shorten(self._addresses)

    def _keep(self, key: Key, bot: Bot, at: float | None) -> None:
        self._known.pop(key, None)
        self._known[key] = _Known(bot, at)
        _shorten(self._known)

    def _note_missing(self, enterprise_id: str | None, team_id: str | None, bot: Bot | None) -> None:
        of = (enterprise_id, team_id)
        if bot:
            self._missing.pop(of, None)
        elif of not in self._missing:
            self._missing[of] = None
            _shorten(self._missing)
            _log.warning("asked in workspace %s, where the app isn't installed; said once", team_id or enterprise_id)

    def _complain(self, complaint: str) -> None:
        """Each request may find the same fault; it's logged when it is news."""
        if complaint and complaint != self._complaint:
            _log.error("can't look up where the bot is installed: %s", complaint)
        self._complaint = complaint


def _shorten(memory: dict[Any, Any]) -> None:
    """What was put in first, goes first."""
    if len(memory) > MOST:
        del memory[next(iter(memory))]


def _reached(key: Key, bot: Bot, enterprise_id: str | None, team_id: str | None) -> bool:
    """Whether what is known under `key` is about this team, or about this organisation as a whole."""
    if team_id is None:
        return enterprise_id in (key[0], bot.enterprise_id)
    return team_id in (key[1], bot.team_id)
