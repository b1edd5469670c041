"""What a call of Slack may raise."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from aiohttp import web
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.faults import FAULTS, REFUSED, code_of


def refused(data: Any) -> SlackApiError:
    response = AsyncSlackResponse(
        client=AsyncWebClient(),
        http_verb="POST",
        api_url="https://slack.com/api/x",
        req_args={},
        data=data,
        headers={},
        status_code=200,
    )
    return SlackApiError("no", response)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(refused({"ok": False, "error": "not_in_channel"}), "not_in_channel", id="slack"),
        pytest.param(refused({"ok": False}), "SlackApiError", id="without-a-code"),
        pytest.param(refused("upstream connect error"), "SlackApiError", id="a-proxys-text"),
        pytest.param(SlackApiError("no", object()), "SlackApiError", id="no-answer"),  # type: ignore[no-untyped-call]
        pytest.param(SlackRequestError("no"), "SlackRequestError", id="request"),
        pytest.param(aiohttp.ServerDisconnectedError(), "ServerDisconnectedError", id="disconnected"),
        pytest.param(ConnectionResetError(), "ConnectionResetError", id="reset"),
        pytest.param(TimeoutError(), "TimeoutError", id="too-late"),
    ],
)
def test_a_fault_has_slacks_code_or_its_own_type(error: Exception, code: str) -> None:
    assert isinstance(error, FAULTS)
    assert code_of(error) == code


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text/plain", "upstream connect error"),
        ("text/html", "<h1>Bad gateway</h1>"),
        ("application/json", "{not json"),
    ],
)
async def test_whatever_stands_between_us_and_slack_may_answer_anything(kind: str, text: str) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=text, status=502, content_type=kind)

    app = web.Application()
    app.router.add_route("*", "/api/{method}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    try:
        async with aiohttp.ClientSession() as session:
            client = AsyncWebClient("xoxb-1", base_url=f"http://127.0.0.1:{port}/api/", session=session)
            with pytest.raises(FAULTS) as caught:
                await client.auth_test()
            assert code_of(caught.value) == "SlackApiError"
    finally:
        await runner.cleanup()


def test_a_wrong_channel_is_no_wrong_token() -> None:
    assert "channel_not_found" not in REFUSED
