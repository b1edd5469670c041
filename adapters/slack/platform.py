"""Slack as the composition root sees it: start, wait, stop."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.slack.app import handlers, listen
from adapters.slack.http import HttpServer
from adapters.slack.logs import sdk_logger
from adapters.slack.sending import Sender
from adapters.slack.socket_mode import SocketConnection
from adapters.slack.tasks import Tasks
from adapters.slack.workspace import HISTORY, retry_handlers
from bot.bot import Bot
from bot.errors import ConnectError
from bot.phrases import Phrases
from bot.settings import Settings
from bot.state.ports import Store

CALL_SECONDS: Final = 30
"""So long a call of Slack's Web API may take."""

STOP_SECONDS: Final = 3.0
"""So long answers in flight may take to finish at the end."""

NEEDED: Final = frozenset({"chat:write", "commands"})
"""Scopes without which the bot can't answer."""


class SlackPlatform:
    """The bot on Slack: one workspace with a bot token, or those that installed the app through OAuth.

    Requests arrive over Socket Mode where there's an app-level token, else over HTTP.
    """

    name = "slack"

    def __init__(
        self, bot: Bot, phrases: Phrases, store: Store, settings: Settings, engine: AsyncEngine | None
    ) -> None:
        """`engine`: of the database that also keeps the installations; None: only one workspace can be served."""
        self._bot = bot
        self._phrases = phrases
        self._store = store
        self._settings = settings
        self._engine = engine
        self._tasks = Tasks()
        self._session: aiohttp.ClientSession | None = None
        self._socket: SocketConnection | None = None
        self._server: HttpServer | None = None
        self._ended: asyncio.Future[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether Slack's requests reach the bot at this moment."""
        return self._socket.open_now if self._socket is not None else self._server is not None

    @property
    def address(self) -> tuple[str, int]:
        """Host and port where Slack's requests arrive. RuntimeError: they come another way, or not yet."""
        if self._server is None:
            raise RuntimeError("nothing listens for Slack's requests")
        return self._server.address

    async def start(self) -> str:
        """Connects; one line for the log. ConnectError: a token or a scope is wrong, or Slack can't be reached."""
        try:
            return await self._start()
        except BaseException:
            await self.stop()
            raise

    async def wait(self) -> None:
        """Runs for as long as Slack lets the bot in. ConnectError: it no longer does."""
        assert self._ended is not None
        await asyncio.shield(self._ended)

    async def stop(self) -> None:
        """Takes nothing new, finishes what is being answered within `STOP_SECONDS`, and closes what is open."""
        loop = asyncio.get_running_loop()
        end = loop.time() + STOP_SECONDS
        socket, self._socket = self._socket, None
        server, self._server = self._server, None
        session, self._session = self._session, None
        if socket is not None:
            socket.take_no_more()
        if server is not None:
            await server.stop()
        await self._tasks.finish(max(0.0, end - loop.time()))
        if socket is not None:
            await socket.close()  # type: ignore[no-untyped-call]
        if session is not None:
            await session.close()
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
        elif self._ended is not None:
            self._ended.exception()  # or asyncio complains that nobody asked

    async def _start(self) -> str:
        settings = self._settings
        self._ended = asyncio.get_running_loop().create_future()
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=CALL_SECONDS))
        level = logging.getLevelNamesMapping()[settings.log_level]
        web_logger = sdk_logger("web", level)
        client = AsyncWebClient(
            settings.slack_bot_token.get_secret_value(),
            base_url=settings.slack_api_url.rstrip("/") + "/",
            session=self._session,
            logger=web_logger,
            retry_handlers=retry_handlers(),
        )
        installed = await _authorized(client)
        client.token = None  # each request gets the token of its workspace

        async def authorize() -> AuthorizeResult:
            return installed

        app = AsyncApp(
            name="jargonaut",
            logger=sdk_logger("bolt", logging.ERROR),  # below that it writes down whole requests
            client=client,
            authorize=authorize,
            process_before_response=True,
            request_verification_enabled=False,
            raise_error_for_unhandled_request=True,
        )
        sender = Sender(self._session, web_logger, lambda code: self._end(_refused_bot_token(code)))
        listen(app, handlers(self._bot, self._phrases, settings, sender, self._tasks))
        if app_token := settings.slack_app_token.get_secret_value():
            self._socket = SocketConnection(app, app_token, self._tasks, sdk_logger("socket", level), self._end)
            await self._socket.open()
            how = "Socket Mode"
        else:
            self._server = HttpServer(
                app, settings.slack_signing_secret.get_secret_value(), settings.http_host, settings.http_port
            )
            await self._server.start()
            host, port = self._server.address
            how = f"HTTP at {host}:{port}"
        return _line(installed, how)

    def _end(self, why: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(ConnectError(why))


async def _authorized(client: AsyncWebClient) -> AuthorizeResult:
    """Who the bot token is. ConnectError: Slack doesn't know it, or it may not do what a bot does."""
    try:
        response = await client.auth_test()
    except SlackApiError as error:
        raise ConnectError(_refused_bot_token(str(error.response.get("error")))) from None
    except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
        raise ConnectError(f"Slack can't be reached at {client.base_url} ({type(error).__name__})") from None
    scopes = {scope.strip() for scope in response.headers.get("x-oauth-scopes", "").split(",") if scope.strip()}
    if scopes and (missing := sorted(NEEDED - scopes)):
        raise ConnectError(
            f"SLACK_BOT_TOKEN: the app lacks the scope {', '.join(missing)}: paste the manifest that "
            "`jargonaut slack manifest` prints, and install the app again"
        )
    return AuthorizeResult.from_auth_test_response(
        bot_token=client.token, bot_scopes=sorted(scopes) or None, auth_test_response=response
    )


def _refused_bot_token(code: str) -> str:
    return (
        f"SLACK_BOT_TOKEN: Slack says {code}. Copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions; if the "
        "app was removed, install it to the workspace again"
    )


def _line(installed: AuthorizeResult, how: str) -> str:
    """Workspace, bot, what is on and what isn't."""
    scopes = set(installed.bot_scopes or ())
    line = f"Slack: {installed.team or installed.team_id}, as @{installed.user or 'jargonaut'}, {how}"
    if not scopes or scopes & HISTORY:
        return f"{line}; on: everything"
    return (
        f"{line}; on: commands, mentions, direct messages, shortcuts, Home; off: ! commands, unasked notes and "
        "digests of threads (for these: jargonaut slack manifest --read-messages)"
    )
