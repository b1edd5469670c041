"""Slack as the composition root sees it: start, wait, stop."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.slack import one_workspace
from adapters.slack.app import handlers, listen
from adapters.slack.http import HttpServer
from adapters.slack.logs import NAME, sdk_logger
from adapters.slack.manifest import scopes
from adapters.slack.oauth import Installable, installable
from adapters.slack.removal import Removal
from adapters.slack.sending import Sender
from adapters.slack.socket_mode import SocketConnection
from adapters.slack.tasks import Tasks
from adapters.slack.workspace import Workspace, retry_handlers
from bot.answer import Answer
from bot.bot import Bot
from bot.errors import ConnectError, SettingsError
from bot.phrases import Phrases
from bot.settings import Settings
from bot.state.ports import Store

CALL_SECONDS: Final = 30
"""So long a call of Slack's Web API may take."""

STOP_SECONDS: Final = 3.0
"""So long answers in flight may take to finish at the end."""

Removed: TypeAlias = Callable[[AsyncBoltContext, dict[str, Any]], Awaitable[None]]


class SlackPlatform:
    """The bot on Slack: in one workspace with a bot token, or in those that install the app through OAuth.

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
        self._oauth: Installable | None = None
        self._sender: Sender | None = None
        self._own: Workspace | None = None
        self._ended: asyncio.Future[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether Slack's requests reach the bot at this moment."""
        return self._socket.open_now if self._socket is not None else self._server is not None

    @property
    def reconnects(self) -> int:
        """How often the connection was made again since the start; over HTTP there's none to make."""
        return self._socket.reconnects if self._socket is not None else 0

    @property
    def address(self) -> tuple[str, int]:
        """Host and port where the bot listens. RuntimeError: it doesn't, or not yet."""
        if self._server is None:
            raise RuntimeError("nothing listens for Slack's requests")
        return self._server.address

    async def start(self) -> str:
        """Connects; one line for the log. ConnectError, SettingsError: it can't; they say what to do."""
        try:
            return await self._start()
        except BaseException:
            await self.stop()
            raise

    async def wait(self) -> None:
        """Runs for as long as Slack lets the bot in. ConnectError: it no longer does."""
        assert self._ended is not None
        await asyncio.shield(self._ended)

    async def post(self, channel: str, answer: Answer) -> None:
        """Says something that nobody asked for. ConnectError: it isn't said there; the log has Slack's reason."""
        if self._own is None or self._sender is None:
            raise ConnectError(f"Slack: {channel} can't be posted to: that needs a running bot with SLACK_BOT_TOKEN")
        if await self._sender.post(self._own, channel, answer) is None:
            raise ConnectError(f"Slack: {channel} can't be posted to: is the bot a member there?")

    async def stop(self) -> None:
        """Takes nothing new, finishes what is being answered within `STOP_SECONDS`, and closes what is open."""
        loop = asyncio.get_running_loop()
        end = loop.time() + STOP_SECONDS
        socket, self._socket = self._socket, None
        server, self._server = self._server, None
        session, self._session = self._session, None
        oauth, self._oauth = self._oauth, None
        self._own = None
        if socket is not None:
            socket.take_no_more()
        if server is not None:
            await server.stop()
        await self._tasks.finish(max(0.0, end - loop.time()))
        if socket is not None:
            await socket.close()  # type: ignore[no-untyped-call]
        if oauth is not None:
            await oauth.close()
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
        client = self._client()
        if settings.slack_client_id and settings.slack_client_secret.get_secret_value():
            where, who = await self._many()
            removed: Removed = who.removal.heard
            refused: Callable[[str], None] = _elsewhere
            app = _app(client, authorize=who.authorize, oauth_flow=who.flow, phrases=self._phrases)
        else:
            where, installed = await self._one()
            removed, refused = self._removed, self._refused
            app = _app(client, authorize=_always(installed), phrases=self._phrases)
        self._sender = Sender(self._session, client.logger, refused)
        listen(app, handlers(self._bot, self._phrases, settings, self._sender, self._tasks), removed)
        return f"{where}; {await self._open(app)}"

    def _client(self, token: str | None = None) -> AsyncWebClient:
        """Without a token: each request's client gets its own from what authorizes the request."""
        return AsyncWebClient(
            token,
            base_url=self._settings.slack_api_url.rstrip("/") + "/",
            session=self._session,
            logger=sdk_logger("web"),
            retry_handlers=retry_handlers(),
        )

    async def _one(self) -> tuple[str, AuthorizeResult]:
        client = self._client(self._settings.slack_bot_token.get_secret_value())
        installed = await one_workspace.authorized(client)
        self._own = Workspace(client, installed.team_id or "", installed.bot_user_id or "")
        return one_workspace.named(installed), installed

    async def _many(self) -> tuple[str, Installable]:
        settings = self._settings
        asked_for = scopes(settings.slack_read_messages)
        self._oauth = installable(settings, self._engine, self._store, self._phrases, asked_for)
        await self._oauth.check()
        return "many workspaces, which install the app at /slack/install", self._oauth

    async def _open(self, app: AsyncApp) -> str:
        """Lets Slack's requests in."""
        settings, ways = self._settings, []
        if app_token := settings.slack_app_token.get_secret_value():
            self._socket = SocketConnection(app, app_token, self._tasks, sdk_logger("socket"), self._end)
            await self._socket.open()
            ways.append("Socket Mode")
        if self._socket is None or self._oauth is not None:
            self._server = HttpServer(app, self._secret(), settings.http_host, settings.http_port)
            await self._server.start()
            host, port = self._server.address
            ways.append(f"HTTP at {host}:{port}")
        return " and ".join(ways)

    def _secret(self) -> str:
        """With Socket Mode, Slack sends no requests over HTTP, and those of anybody else mustn't count as Slack's."""
        secret = self._settings.slack_signing_secret.get_secret_value()
        if not secret and self._socket is None:
            raise SettingsError(
                "SLACK_SIGNING_SECRET: is missing; it stands under Basic Information > App Credentials. Without a "
                "public address use Socket Mode instead, with SLACK_APP_TOKEN"
            )
        return secret or secrets.token_hex()

    async def _removed(self, context: AsyncBoltContext, body: Mapping[str, Any]) -> None:
        await Removal(self._store).heard(context, body)
        event = body["event"]
        if event["type"] != "tokens_revoked" or event.get("tokens", {}).get("bot"):
            self._refused(event["type"])

    def _refused(self, code: str) -> None:
        self._end(one_workspace.refused(code))

    def _end(self, why: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(ConnectError(why))


def _app(client: AsyncWebClient, *, phrases: Phrases, **how: Any) -> AsyncApp:
    return AsyncApp(
        name=f"{NAME}.app",  # bolt gives the logger of this name its own level
        logger=sdk_logger("bolt", logging.ERROR),  # below that, bolt writes down whole requests
        client=client,
        process_before_response=True,
        request_verification_enabled=False,  # http.py does it
        raise_error_for_unhandled_request=True,
        user_facing_authorize_error_message="\n".join(
            phrases.say("slack.not_installed", language) for language in ("en", "zh-Hans")
        ),
        **how,
    )


def _always(installed: AuthorizeResult) -> Any:
    async def authorize() -> AuthorizeResult:
        return installed

    return authorize


def _elsewhere(_code: str) -> None:
    """A workspace that took its token away is told by an event; the others go on."""
