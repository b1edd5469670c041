"""Socket Mode: connections end and come back; tokens may be wrong."""

from __future__ import annotations

import asyncio

import pytest

from adapters.slack import socket_mode as module
from adapters.slack.socket_mode import LINK_SECONDS, USELESS, refused_app_token
from bot.errors import ConnectError
from bot.glossary.yaml_files import Loaded
from tests.slack_office import office


@pytest.mark.parametrize("code", sorted(USELESS))
def test_a_refused_app_token_is_a_line_that_says_what_to_do(code: str) -> None:
    line = refused_app_token(code)
    assert line.startswith("SLACK_APP_TOKEN: ")
    assert "\n" not in line


async def test_slack_may_ask_for_a_new_connection_and_nothing_is_lost(loaded: Loaded) -> None:
    async with office(loaded) as at:
        assert at.platform.reconnects == 0
        first = at.slack.socket.connections[0]
        await first.disconnect("refresh_requested")
        await at.slack.until(lambda: at.platform.reconnects == 1 and at.platform.connected)
        at.slack.at_rest()
        assert "SLO" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says


async def test_a_connection_that_drops_is_made_again(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.socket.connections[0].drop()
        await at.slack.until(lambda: at.platform.reconnects >= 1 and at.platform.connected, 30)
        at.slack.at_rest()
        assert "SLO" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says


async def test_an_app_token_that_was_taken_away_ends_the_platform(loaded: Loaded) -> None:
    async with office(loaded) as at:
        waiting = asyncio.create_task(at.platform.wait())
        at.slack.fail("apps.connections.open", "token_revoked", times=10)
        await at.slack.socket.connections[0].disconnect("refresh_requested")
        with pytest.raises(ConnectError, match="SLACK_APP_TOKEN: Slack says token_revoked"):
            await asyncio.wait_for(waiting, 30)


async def test_an_address_that_has_grown_old_is_asked_for_again(
    loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an outage the SDK would try the address from before it forever."""
    async with office(loaded) as at:
        now = 1_000.0
        monkeypatch.setattr(module, "monotonic", lambda: now)
        connection = at.platform._socket
        assert connection is not None
        connection.wss_uri = "ws://127.0.0.1:9/gone"
        now += LINK_SECONDS - 1
        assert connection.wss_uri == "ws://127.0.0.1:9/gone"
        now += 1
        assert connection.wss_uri is None
        asked = len(at.slack.called("apps.connections.open"))
        await connection.connect()
        assert len(at.slack.called("apps.connections.open")) == asked + 1
        assert at.platform.connected
        at.slack.at_rest()
        assert "SLO" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says
