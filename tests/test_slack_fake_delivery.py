"""The fake's ways to the app: envelopes over WebSockets, signed requests over HTTP; and what people see of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType, web
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_fake_state import Channel, User

BUTTON = {"type": "button", "action_id": "a", "value": "v", "text": {"type": "plain_text", "text": "Press"}}
CARD = {"text": "card", "blocks": [{"type": "actions", "elements": [BUTTON]}]}


@pytest.fixture
async def slack() -> AsyncIterator[SlackFake]:
    async with SlackFake() as slack:
        slack.events = {"app_mention"}  # one envelope a mention
        yield slack


@pytest.fixture
def acme(slack: SlackFake) -> Workspace:
    return slack.workspace("Acme")


@pytest.fixture
def lena(acme: Workspace) -> User:
    return acme.person("Lena")


@pytest.fixture
def general(acme: Workspace, lena: User) -> Channel:
    return acme.channel("general", lena)


@asynccontextmanager
async def connected(slack: SlackFake, url: str = "") -> AsyncIterator[ClientWebSocketResponse]:
    """A connection of an app that does nothing by itself; it has said hello."""
    count = len(slack.socket.connections) + 1
    client = AsyncWebClient(slack.app_token, base_url=slack.api_url)
    url = url or str((await client.apps_connections_open(app_token=slack.app_token))["url"])
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        hello = await socket.receive_json()
        assert (hello["type"], hello["num_connections"]) == ("hello", count)
        await slack.connected(count)
        yield socket


async def test_an_event_is_delivered_until_it_is_acknowledged(
    slack: SlackFake, acme: Workspace, lena: User, general: Channel
) -> None:
    async with connected(slack) as socket:
        asked = await acme.say(general, lena, f"{acme.at} SLO", settle=False)
        first = await socket.receive_json()
        assert (first["type"], first["retry_attempt"], first["payload"]["event"]["ts"]) == (
            *("events_api", 0),
            asked.said.ts,
        )
        slack.socket.connections[0].drop()
        await slack.until(lambda: not slack.socket.connections)
    async with connected(slack) as socket:
        again = await socket.receive_json()
        assert (again["retry_attempt"], again["retry_reason"]) == (1, "timeout")
        assert again["payload"]["event_id"] == first["payload"]["event_id"]
        await socket.send_json({"envelope_id": again["envelope_id"]})
        await slack.settled()


async def test_what_is_never_acknowledged_is_a_violation(
    slack: SlackFake, acme: Workspace, lena: User, general: Channel
) -> None:
    async with connected(slack) as socket:
        await acme.say(general, lena, f"{acme.at} SLO", settle=False)
        await socket.receive_json()
        with pytest.raises(AssertionError, match="never acknowledged"):
            slack.check()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param({"envelope_id": "unknown"}, "an acknowledgement of nothing", id="of nothing"),
        pytest.param({"payload": {"text": "hi"}}, "carries an answer", id="with an answer to an event"),
        pytest.param({"more": True}, "an acknowledgement of nothing", id="with another field"),
    ],
)
async def test_acknowledgements_that_slack_makes_nothing_of(
    slack: SlackFake, acme: Workspace, lena: User, general: Channel, answer: dict[str, Any], error: str
) -> None:
    async with connected(slack) as socket:
        await acme.say(general, lena, f"{acme.at} SLO", settle=False)
        envelope = await socket.receive_json()
        await socket.send_json({"envelope_id": envelope["envelope_id"], **answer})
        await slack.until(lambda: slack.violations)
        slack.expect(error)
        slack.allow("never acknowledged")


async def test_a_late_acknowledgement_is_a_violation(
    slack: SlackFake, acme: Workspace, lena: User, general: Channel
) -> None:
    async with connected(slack) as socket:
        await acme.say(general, lena, f"{acme.at} SLO", settle=False)
        envelope = await socket.receive_json()
        slack.clock.pass_by(3.1)
        await socket.send_json({"envelope_id": envelope["envelope_id"]})
        await slack.settled()
        slack.expect("late: events_api", "ack")


async def test_each_payload_goes_to_one_connection_in_turns(
    slack: SlackFake, acme: Workspace, lena: User, general: Channel
) -> None:
    async with connected(slack) as one, connected(slack) as other:
        for _ in range(2):
            await acme.say(general, lena, f"{acme.at} SLO", settle=False)
        for socket in (one, other):
            envelope = await socket.receive_json()
            await socket.send_json({"envelope_id": envelope["envelope_id"]})
        await slack.settled()
        assert [len(connection.heard) for connection in slack.socket.connections] == [1, 1]


async def test_slack_says_that_a_connection_ends_and_a_ticket_is_good_once(slack: SlackFake) -> None:
    url = slack.socket.ticket()
    async with connected(slack, url) as socket:
        await slack.socket.connections[0].disconnect("refresh_requested")
        assert (await socket.receive_json())["reason"] == "refresh_requested"
        await slack.socket.connections[0].close()
        assert (await socket.receive()).type == WSMsgType.CLOSE
    with pytest.raises(aiohttp.WSServerHandshakeError):
        async with connected(slack, url):
            pass
    slack.expect("a ticket is good for one connection")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param({"text": ""}, "no_text", id="no text"),
        pytest.param({**CARD, "channel": "C1"}, "invalid_command_response", id="unknown field"),
        pytest.param({"text": "x", "blocks": [{"type": "section"}]}, "invalid_command_response", id="blocks"),
    ],
)
async def test_answers_to_a_command_that_slack_makes_nothing_of(
    slack: SlackFake, acme: Workspace, lena: User, general: Channel, answer: dict[str, Any], error: str
) -> None:
    async with connected(slack) as socket:
        outcome = await acme.slash(lena, general, "define", "SLO", settle=False)
        envelope = await socket.receive_json()
        await socket.send_json({"envelope_id": envelope["envelope_id"], "payload": answer})
        await slack.settled()
        assert outcome.nothing
        slack.expect(error, "ack")


async def test_an_answer_to_a_command_is_seen_by_one_person_and_can_be_pressed(
    slack: SlackFake, acme: Workspace, lena: User, general: Channel
) -> None:
    async with connected(slack) as socket:
        outcome = await acme.slash(lena, general, "define", "SLO", settle=False)
        envelope = await socket.receive_json()
        assert envelope["accepts_response_payload"]
        await socket.send_json({"envelope_id": envelope["envelope_id"], "payload": CARD})
        card = (await outcome.settled()).one
        assert (card.says, acme.sees(lena, general), acme.sees(acme.person("Max"), general)) == ("[Press]", [card], [])
        pressed = await acme.press(lena, card, "Press", settle=False)
        payload = (await socket.receive_json())["payload"]
        assert payload["actions"][0]["value"] == "v"
        assert payload["container"]["is_ephemeral"]
        assert "message" not in payload  # Slack doesn't show what only one person sees
        async with aiohttp.ClientSession() as session:
            await session.post(payload["response_url"], json={"text": "pressed", "replace_original": True})
        assert pressed.changed == [card]
        assert card.says == "pressed"
        slack.allow("never acknowledged")


async def test_requests_over_http_are_signed(slack: SlackFake, acme: Workspace, lena: User, general: Channel) -> None:
    verifier, verified = SignatureVerifier(slack.signing_secret), []

    async def take(request: web.Request) -> web.Response:
        verified.append(verifier.is_valid_request(await request.read(), dict(request.headers)))
        return web.json_response(CARD) if request.content_type.endswith("urlencoded") else web.Response()

    app = web.Application()
    app.router.add_post("/", take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.http.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    assert (await acme.say(general, lena, f"{acme.at} SLO")).nothing
    assert (await acme.slash(lena, general, "define", "SLO")).says == "[Press]"
    wrong: list[dict[str, Any]] = [
        {"secret": "other"},
        {"age": 301},
        {"age": -301},
        {"reshape": lambda body: body + " "},
    ]
    for how in wrong:
        await slack.http.post("{}", **how)
    assert verified == [True, True, False, False, False, False]
    await slack.http.close()
    await runner.cleanup()
