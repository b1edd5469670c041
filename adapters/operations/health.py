"""`/healthz`, `/readyz` and `/metrics`, on an address of their own: never the one that Slack reaches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from adapters.operations.metrics import Metrics
from bot.errors import ConnectError

_METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether requests may be sent here, and what there is to say about each part."""

    ready: bool
    detail: dict[str, Any] = field(default_factory=dict)


class HealthServer:
    """A small HTTP server for probes and Prometheus."""

    def __init__(self, host: str, port: int, metrics: Metrics, readiness: Callable[[], Awaitable[Readiness]]) -> None:
        """`port` 0: any free one; see `address`."""
        self._host, self._port = host, port
        self._metrics = metrics
        self._readiness = readiness
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Raises `ConnectError` where the address can't be had."""
        app = web.Application(client_max_size=1024)
        app.add_routes(
            [
                web.get("/healthz", self._healthz),
                web.get("/readyz", self._readyz),
                web.get("/metrics", self._show_metrics),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self.stop()
            reason = error.strerror or type(error).__name__
            raise ConnectError(
                f"{self._host}:{self._port} is not free for health and metrics ({reason}): set OPS_PORT to another"
                " port, or OPS_HOST to nothing"
            ) from None

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens. Only after `start`."""
        assert self._runner is not None
        host, port = self._runner.addresses[0][:2]
        return host, port

    async def stop(self) -> None:
        """Twice is no error."""
        if self._runner is not None:
            runner, self._runner = self._runner, None
            await runner.cleanup()

    async def _healthz(self, _request: web.Request) -> web.Response:
        """The process lives and its loop turns."""
        return web.Response(text="ok\n")

    async def _readyz(self, _request: web.Request) -> web.Response:
        readiness = await self._readiness()
        return web.json_response({"ready": readiness.ready, **readiness.detail}, status=200 if readiness.ready else 503)

    async def _show_metrics(self, _request: web.Request) -> web.Response:
        return web.Response(body=self._metrics.text(), headers={"Content-Type": _METRICS_TYPE})
