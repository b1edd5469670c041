"""Health and metrics over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import aiohttp
import pytest

from adapters.operations.health import HealthServer, Readiness
from adapters.operations.metrics import Metrics
from bot.errors import ConnectError


def says(readiness: Readiness) -> Callable[[], Awaitable[Readiness]]:
    async def look() -> Readiness:
        return readiness

    return look


READY = Readiness(True, {"platforms": {"slack": True}})


@asynccontextmanager
async def served(readiness: Readiness = READY) -> AsyncIterator[HealthServer]:
    server = HealthServer("127.0.0.1", 0, Metrics(), says(readiness))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def get(server: HealthServer, path: str, method: str = "GET") -> tuple[int, str, str]:
    host, port = server.address
    async with aiohttp.ClientSession() as session, session.request(method, f"http://{host}:{port}{path}") as answer:
        return answer.status, await answer.text(), answer.headers["Content-Type"]


async def test_it_lives() -> None:
    async with served() as server:
        assert (await get(server, "/healthz"))[:2] == (200, "ok\n")


@pytest.mark.parametrize(("ready", "status"), [(True, 200), (False, 503)])
async def test_ready_or_not_is_said_with_the_details(ready: bool, status: int) -> None:
    async with served(Readiness(ready, {"database": "away"})) as server:
        code, text, kind = await get(server, "/readyz")
    assert (code, kind.split(";")[0]) == (status, "application/json")
    assert text == f'{{"ready": {str(ready).lower()}, "database": "away"}}'


async def test_metrics_are_prometheus_text() -> None:
    async with served() as server:
        code, text, kind = await get(server, "/metrics")
    assert code == 200
    assert kind.startswith("text/plain; version=0.0.4")
    assert "# TYPE jargonaut_requests_total counter" in text


@pytest.mark.parametrize(
    ("path", "method", "status"), [("/", "GET", 404), ("/slack/events", "POST", 404), ("/readyz", "POST", 405)]
)
async def test_there_is_nothing_else(path: str, method: str, status: int) -> None:
    async with served() as server:
        assert (await get(server, path, method))[0] == status


async def test_an_address_that_somebody_has_is_said_with_what_to_do() -> None:
    async with served() as server:
        other = HealthServer("127.0.0.1", server.address[1], Metrics(), says(READY))
        with pytest.raises(ConnectError, match="OPS_PORT"):
            await other.start()
        await other.stop()


async def test_stopped_twice_is_stopped() -> None:
    async with served() as server:
        await server.stop()
