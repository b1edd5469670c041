"""Slack's requests over HTTP: POST /slack/events and, where workspaces install the app themselves, two pages.

    server = HttpServer(app, signing_secret, host, port)
    await server.start()
    server.address
    await server.stop()

`app` is an AsyncApp made with `request_verification_enabled=False`. Requests are verified here, on their raw bytes and
before anything of them is parsed; bolt's own check writes signature and body to the log.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias
from urllib.parse import parse_qs

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier

from adapters.slack.names import EVENTS_PATH
from adapters.slack.signature import refusal
from bot.errors import ConnectError

LARGEST_BODY: Final = 1024 * 1024
"""Bytes. Slack's largest requests carry a view and its state, about a quarter of this."""

BODY_SECONDS: Final = 10.0
"""So long a body may take to arrive."""

STOP_SECONDS: Final = 3.0
"""So long requests in flight may take to finish when the server stops."""

PASSED_ON: Final = ("Content-Type", "X-Slack-Retry-Num", "X-Slack-Retry-Reason")
"""The headers that bolt gets to see. The signature doesn't cover any, and bolt obeys some of its own."""

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.Response]]

_log = logging.getLogger(__name__)


class WithoutInsides(logging.Filter):
    """For what aiohttp's server logs: exceptions of its parser quote what was sent, and anybody can send anything."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, HttpProcessingError | web.RequestPayloadError | ConnectionError):
            return False  # whoever connected speaks no HTTP, or left
        if error is not None:
            place = "".join(traceback.format_tb(error.__traceback__))
            record.msg, record.args, record.exc_info = "%s while serving\n%s", (type(error).__name__, place), None
        return True


_aiohttp_log = logging.getLogger(f"{__name__}.aiohttp")
_aiohttp_log.addFilter(WithoutInsides())


class HttpServer:
    """Serves one app at one address."""

    def __init__(self, app: AsyncApp, signing_secret: str, host: str, port: int) -> None:
        """`port` 0: any free one, see `address`."""
        self._app = app
        self._verifier = SignatureVerifier(signing_secret)
        self._host = host
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Host and port that are listened at. RuntimeError: the server isn't running."""
        if self._runner is None or not self._runner.addresses:
            raise RuntimeError("the server isn't running")
        host, port = self._runner.addresses[0][:2]
        return host, port

    async def start(self) -> None:
        """Listens from now on. Raises `ConnectError` if the address can't be had."""
        served = web.Application(client_max_size=LARGEST_BODY)
        served.router.add_post(EVENTS_PATH, self._events)
        if flow := self._app.oauth_flow:
            # Without HEAD: looking at the page's headers would begin an installation.
            served.router.add_get(flow.install_path, _page(flow.handle_installation), allow_head=False)
            served.router.add_get(flow.redirect_uri_path, _page(flow.handle_callback), allow_head=False)
        # Slack packs no bodies, and what was signed are the bytes on the wire.
        self._runner = web.AppRunner(
            served, logger=_aiohttp_log, access_log=None, auto_decompress=False, shutdown_timeout=STOP_SECONDS
        )
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except (OSError, UnicodeError) as error:  # UnicodeError: a host that can't be a name
            await self.stop()
            raise ConnectError(self._unavailable(error)) from None

    async def stop(self) -> None:
        """Takes no more connections; what is being answered is finished, or cut off after `STOP_SECONDS`."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    def _unavailable(self, error: OSError | UnicodeError) -> str:
        match getattr(error, "errno", None):
            case errno.EADDRINUSE:
                return f"HTTP_PORT: {self._port} at {self._host} is in use: stop what listens there, or set another one"
            case errno.EACCES | errno.EPERM:
                return f"HTTP_PORT: this user may not listen at {self._port}: set one above 1023"
        return (
            f"HTTP_HOST: {self._host} isn't an address of this machine: 127.0.0.1 is for a proxy on this machine, "
            "0.0.0.0 for one elsewhere"
        )

    async def _events(self, request: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await request.read()
        except TimeoutError:
            raise web.HTTPRequestTimeout from None
        if reason := refusal(self._verifier, request.headers, body):
            if _checks_certificate(request, body):
                return web.Response()
            _log.warning("refused a request to %s: %s", EVENTS_PATH, reason)
            return web.Response(status=401, text="This isn't signed as Slack's requests are.")
        passed_on = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        try:
            # The constructor looks for ids wherever Slack may put them, so odd JSON makes it fail in many ways.
            asked = AsyncBoltRequest(body=body.decode(), headers=passed_on)  # type: ignore[arg-type]  # or a str each
        except Exception as error:
            return _unreadable(type(error).__name__)
        if not isinstance(asked.body, dict) or not asked.body:
            return _unreadable("no object")
        return await to_aiohttp_response(await self._app.async_dispatch(asked))


def _unreadable(kind: str) -> web.Response:
    _log.warning("refused a request to %s: it's signed, but its body isn't one of Slack's: %s", EVENTS_PATH, kind)
    return web.Response(status=400, text="This isn't a request that Slack makes.")


def _checks_certificate(request: web.Request, body: bytes) -> bool:
    """Whether it's Slack's occasional look at the certificate of a command's URL, which asks for nothing but a 200."""
    if request.content_type != "application/x-www-form-urlencoded":
        return False
    return parse_qs(body.decode("latin-1")).get("ssl_check") == ["1"]


def _page(handle: Callable[[AsyncBoltRequest], Awaitable[BoltResponse]]) -> Handler:
    """A page of the OAuth flow, as aiohttp serves it."""

    async def serve(request: web.Request) -> web.Response:
        cookie = {"Cookie": request.headers["Cookie"]} if "Cookie" in request.headers else {}
        asked = AsyncBoltRequest(body="", query=request.query_string, headers=cookie)  # type: ignore[arg-type]
        return await to_aiohttp_response(await handle(asked))

    return serve
