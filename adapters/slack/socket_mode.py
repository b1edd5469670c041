"""Socket Mode: Slack's requests come over a connection that we open, so the bot needs no public address."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic, time
from typing import Final

from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app, send_async_response
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from adapters.slack.faults import FAULTS, REFUSED, code_of
from adapters.slack.tasks import Tasks
from bot.errors import ConnectError

PING_SECONDS: Final = 5.0
"""So often the connection is looked after; one that broke is opened again after so long at most."""

LINK_SECONDS: Final = 20.0
"""So long an address to connect to is used; Slack closes it after half a minute, and the SDK would try it forever."""

USELESS: Final = REFUSED | {"not_allowed_token_type", "missing_scope", "no_permission", "socket_mode_disabled"}
"""Slack's errors to an app-level token with which no connection will ever be opened."""


class SocketConnection(SocketModeClient):
    """Reconnects by itself for as long as the app-level token is good."""

    def __init__(
        self, app: AsyncApp, app_token: str, tasks: Tasks, logger: logging.Logger, ended: Callable[[str], None]
    ) -> None:
        """`ended` is told Slack's error when it won't let us in any more. To be made inside the running loop."""
        self._link: tuple[str | None, float] = (None, 0.0)
        super().__init__(app_token, logger, app.client, ping_interval=PING_SECONDS)
        self._app = app
        self._tasks = tasks
        self._ended = ended
        self._stopping = False
        self._connections = 0
        self.socket_mode_request_listeners.append(self._handle)

    async def open(self) -> None:
        """Connects for the first time. ConnectError: the app-level token is of no use."""
        try:
            # Not `issue_new_wss_url`, which logs a refusal of its own: the one line of ConnectError is enough.
            self.wss_uri = (await self.web_client.apps_connections_open(app_token=self.app_token))["url"]
        except FAULTS as error:
            await self.close()  # type: ignore[no-untyped-call]
            code = code_of(error)
            if code == type(error).__name__:
                raise ConnectError(f"Slack's Socket Mode can't be reached ({code})") from None
            raise ConnectError(refused_app_token(code)) from None
        await self.connect()

    @property  # type: ignore[override]  # one of its base classes says that it's never None
    def wss_uri(self) -> str | None:
        """Where to connect; None: Slack has to be asked for an address (again)."""
        link, until = self._link
        return link if monotonic() < until else None

    @wss_uri.setter
    def wss_uri(self, link: str | None) -> None:
        self._link = (link, monotonic() + LINK_SECONDS)

    @property
    def open_now(self) -> bool:
        """Whether Slack's requests reach us at this moment."""
        session = self.current_session
        return not self.closed and not self.stale and session is not None and not session.closed

    def take_no_more(self) -> None:
        """From now on requests aren't acknowledged: Slack brings them to another connection, or again later."""
        self._stopping = True

    @property
    def reconnects(self) -> int:
        """How often the connection was made again since the first time."""
        return max(0, self._connections - 1)

    async def connect(self) -> None:
        await super().connect()  # type: ignore[no-untyped-call]
        self._connections += 1

    async def issue_new_wss_url(self) -> str:
        try:
            return await super().issue_new_wss_url()
        except SlackApiError as error:
            code = code_of(error)
            if code in USELESS:
                self._ended(refused_app_token(code))
            raise

    async def _handle(self, client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        if self._stopping:
            return
        if (task := asyncio.current_task()) is not None:
            self._tasks.watch(task)
        response = await run_async_bolt_app(self._app, request)
        await send_async_response(client, request, response, time())


def refused_app_token(code: str) -> str:
    """What to do about an app-level token that Slack answers with the error `code`."""
    match code:
        case "not_allowed_token_type" | "missing_scope" | "no_permission":
            return (
                f"SLACK_APP_TOKEN: Slack says {code}. Socket Mode takes an app-level token (xapp-…) with the scope "
                "connections:write, from Basic Information > App-Level Tokens"
            )
        case "socket_mode_disabled":
            return "SLACK_APP_TOKEN: Socket Mode is off for this app; switch it on under Settings > Socket Mode"
    return (
        f"SLACK_APP_TOKEN: Slack says {code}. Copy it again, or make a new one, under Basic Information > "
        "App-Level Tokens"
    )
