"""Where the gateway is: named by the API that is set, for every new session; and tried again for a first connection."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from discord.http import HTTPClient, Route

from adapters.discord.gateway import OFFICIAL, Gateway, use_api
from bot.errors import ConnectError
from tests.discord_bench import Bench

pytest_plugins = ("tests.discord_fixtures",)

ASKED = "GET /gateway/bot"


def asked(bench: Bench) -> int:
    return [call.route for call in bench.discord.calls].count(ASKED)


def test_the_api_may_end_with_a_slash() -> None:
    try:
        use_api("http://127.0.0.1:1/api/v10/")
        assert Route("GET", "/users/@me").url == "http://127.0.0.1:1/api/v10/users/@me"
    finally:
        use_api(OFFICIAL)
    assert Route("GET", "/users/@me").url == f"{OFFICIAL}/users/@me"


@pytest.mark.parametrize("shards", ["", "0/1", "0-1/2"])
async def test_the_gateway_is_the_one_that_the_api_names(bench: Bench, shards: str) -> None:
    await bench.start(discord_shards=shards)
    assert asked(bench) >= 1
    assert "SLO" in bench.shown(await bench.ask("!define slo"))


async def test_a_new_session_after_an_invalid_one_goes_there_again(bench: Bench) -> None:
    platform = await bench.start(discord_shards="0/1")
    before = asked(bench)
    await bench.discord.gateway.invalidate(resumable=False)
    await bench.discord.until(lambda: platform.reconnects == 1 and platform.connected, "a new session")
    assert asked(bench) > before
    assert "SLO" in bench.shown(await bench.ask("!define slo"))


async def test_a_session_is_resumed_where_the_gateway_said(bench: Bench) -> None:
    platform = await bench.start()
    before = asked(bench)
    await bench.discord.gateway.ask_to_reconnect()
    await bench.discord.until(lambda: platform.reconnects == 1 and platform.connected, "the old session")
    assert asked(bench) == before


async def test_a_gateway_that_is_away_for_a_moment_is_tried_again(bench: Bench) -> None:
    bench.discord.failing[ASKED] = [503, 503]
    await bench.start(discord_shards="0/1")
    assert "SLO" in bench.shown(await bench.ask("!define slo"))


async def test_a_gateway_that_stays_away_ends_the_start(bench: Bench) -> None:
    bench.discord.failing[ASKED] = [503] * 4
    with pytest.raises(ConnectError, match="can't be reached"):
        await bench.start(discord_shards="0/1")


async def test_where_no_api_is_set_the_address_stays_discords_own() -> None:
    tried: list[str] = []
    http = HTTPClient(asyncio.get_running_loop())

    async def refuse(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        tried.append(url)
        raise ConnectionRefusedError

    http.ws_connect = refuse  # type: ignore[method-assign]
    gateway = Gateway(http, named=False, waits=(0.0,))
    connecting = asyncio.create_task(gateway.ws_connect("wss://gateway.discord.gg/?v=10"))
    assert await gateway.unreachable == "ConnectionRefusedError"
    assert tried == ["wss://gateway.discord.gg/?v=10"] * 2
    connecting.cancel()
