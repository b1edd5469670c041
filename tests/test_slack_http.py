"""Slack's requests over real sockets: which ones reach the app, and what the others are told."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import logging
import re
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.signature import SignatureVerifier

from adapters.slack import http
from adapters.slack.http import LARGEST_BODY, HttpServer
from adapters.slack.names import EVENTS_PATH
from bot.errors import ConnectError

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
EVENT = {
    "type": "event_callback",
    "team_id": "T1",
    "event_id": "Ev1",
    "event": {"type": "app_mention", "user": "U1", "channel": "C1", "ts": "1.1", "text": "什么是 SLO"},
}
COMMAND = b"command=%2Fdefine&text=slo&team_id=T1&user_id=U1&channel_id=C1"


async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
    return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_id="B0", bot_user_id="U0")


class Workspace:
    """A bolt app with listeners that keep what they got."""

    def __init__(self) -> None:
        self.app = AsyncApp(
            authorize=authorize,
            signing_secret=SECRET,
            request_verification_enabled=False,
            process_before_response=True,
        )
        self.got: list[dict[str, Any]] = []
        self.retries: list[str | None] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.began = asyncio.Event()
        self.app.event("app_mention")(self.on_event)
        self.app.command("/define")(self.on_command)

    async def on_event(self, body: dict[str, Any], request: Any) -> None:
        self.got.append(body)
        self.retries.append(request.headers.get("x-slack-retry-num", [None])[0])

    async def on_command(self, ack: Any, body: dict[str, Any]) -> None:
        self.got.append(body)
        self.began.set()
        await self.go_on.wait()
        await ack(f"you asked for {body['text']}")


class Proxy:
    """Sends requests as Slack does, signed, unless a test changes something on their way."""

    def __init__(self, session: aiohttp.ClientSession, address: tuple[str, int]) -> None:
        self._session = session
        self.url = f"http://{address[0]}:{address[1]}"

    async def post(
        self,
        body: bytes | dict[str, Any],
        *,
        kind: str = JSON,
        skew: int = 0,
        sent: bytes | None = None,
        **headers: str,
    ) -> tuple[int, str]:
        """Status and text of the answer. `sent`: what arrives instead of what was signed."""
        raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        timestamp = str(int(time.time()) + skew)
        signature = SignatureVerifier(SECRET).generate_signature(timestamp=timestamp, body=raw)
        signed = {
            "Content-Type": kind,
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": str(signature),
        }
        signed |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = io.BytesIO(raw if sent is None else sent)
        async with self._session.post(self.url + EVENTS_PATH, data=data, headers=signed) as answer:
            return answer.status, await answer.text()


@asynccontextmanager
async def served(workspace: Workspace) -> AsyncIterator[Proxy]:
    server = HttpServer(workspace.app, SECRET, "127.0.0.1", 0)
    await server.start()
    try:
        async with aiohttp.ClientSession() as session:
            yield Proxy(session, server.address)
    finally:
        await server.stop()


@pytest.fixture
async def workspace() -> Workspace:
    return Workspace()


@pytest.fixture
async def proxy(workspace: Workspace) -> AsyncIterator[Proxy]:
    async with served(workspace) as running:
        yield running


async def test_an_event_reaches_the_app(workspace: Workspace, proxy: Proxy) -> None:
    assert await proxy.post(EVENT) == (200, "")
    assert workspace.got == [EVENT]


async def test_a_command_is_answered_in_the_acknowledgement(workspace: Workspace, proxy: Proxy) -> None:
    form = "command=%2Fdefine&text=%E9%87%8F%E5%8C%96&team_id=T1&user_id=U1&channel_id=C1"
    status, text = await proxy.post(form.encode(), kind=FORM)
    assert (status, text) == (200, "you asked for 量化")


async def test_a_press_reaches_the_app(workspace: Workspace, proxy: Proxy) -> None:
    pressed = {"type": "block_actions", "team": {"id": "T1"}, "user": {"id": "U1"}, "actions": [{"action_id": "a"}]}

    @workspace.app.action("a")
    async def on_press(ack: Any, body: dict[str, Any]) -> None:
        workspace.got.append(body)
        await ack()

    form = aiohttp.FormData({"payload": json.dumps(pressed)})()._value
    assert await proxy.post(bytes(form), kind=FORM) == (200, "")
    assert workspace.got == [pressed]


async def test_retries_say_that_they_are(workspace: Workspace, proxy: Proxy) -> None:
    await proxy.post(EVENT, X_Slack_Retry_Num="1", X_Slack_Retry_Reason="http_timeout")
    assert workspace.retries == ["1"]


async def test_what_steers_bolt_is_not_taken_from_a_header(workspace: Workspace, proxy: Proxy) -> None:
    """The signature doesn't cover headers, and with this one bolt would only run its lazy listeners."""
    await proxy.post(EVENT, X_Slack_Bolt_Lazy_Only="1")
    assert workspace.got == [EVENT]


async def test_url_verification_gives_the_challenge_back(proxy: Proxy) -> None:
    status, text = await proxy.post({"type": "url_verification", "token": "x", "challenge": "3eZbrw1aB"})
    assert (status, json.loads(text)) == (200, {"challenge": "3eZbrw1aB"})


async def test_slacks_look_at_the_certificate_is_answered(proxy: Proxy, caplog: pytest.LogCaptureFixture) -> None:
    """It's a POST without a signature."""
    headers = {"Content-Type": FORM}
    async with aiohttp.ClientSession() as session:
        async with session.post(proxy.url + EVENTS_PATH, data=b"token=x&ssl_check=1", headers=headers) as answer:
            assert (answer.status, await answer.text()) == (200, "")
        async with session.post(proxy.url + EVENTS_PATH, data=b'{"text": "&ssl_check=1"}') as answer:
            assert answer.status == 401
    assert len(caplog.records) == 1


# -- Refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"skew": -302}, r"30[23] s behind this machine's clock"),
        ({"skew": 302}, r"30[12] s ahead of this machine's clock"),
        ({"X_Slack_Request_Timestamp": "1_0"}, "isn't a number"),
        ({"X_Slack_Request_Timestamp": "now"}, "isn't a number"),
        ({"X_Slack_Request_Timestamp": ""}, "isn't signed"),
        ({"X_Slack_Signature": "v0=abc"}, "signature mismatch"),
        ({"X_Slack_Signature": ""}, "isn't signed"),
        ({"sent": json.dumps(EVENT, indent=1).encode()}, "signature mismatch"),
        ({"sent": b"null"}, "signature mismatch"),
        ({"sent": b"\xff\xfe"}, "signature mismatch"),
        ({"sent": b"{"}, "signature mismatch"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
async def test_what_is_not_slacks_is_a_401_and_the_log_says_why(
    workspace: Workspace, proxy: Proxy, caplog: pytest.LogCaptureFixture, change: dict[str, Any], reason: str
) -> None:
    status, text = await proxy.post(EVENT, **change)
    assert status == 401
    assert workspace.got == []
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.exc_info is None
    line = record.getMessage()
    assert re.search(reason, line)
    for secret in (SECRET, "SLO", "app_mention", "v0="):
        assert secret not in line + text


async def test_a_wrong_secret_refuses_the_challenge_and_names_the_setting(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    server = HttpServer(workspace.app, "of another app", "127.0.0.1", 0)
    await server.start()
    async with aiohttp.ClientSession() as session:
        status, _ = await Proxy(session, server.address).post({"type": "url_verification", "challenge": "c"})
    await server.stop()
    assert status == 401
    assert "SLACK_SIGNING_SECRET" in caplog.text


NONE_OF_SLACKS = [
    *(b"null", b"", b"[1, 2]", b'"text"', b"1", b"{", b"{}", b"payload=null", b"payload={", b"payload=", b"[]"),
    *(b'{"team": 1}', b'{"event": {"user": 1}, "view": "x", "user": 7, "enterprise": 3}', b"\x00" * 100),
    *(b"[" * 100_000, b'{"authorizations": [1]}'),
]


@pytest.mark.parametrize("kind", [JSON, FORM, "text/plain", "application/json; charset=no-such"])
async def test_a_signed_body_that_is_none_of_slacks_is_no_traceback(
    workspace: Workspace, proxy: Proxy, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    statuses = {(await proxy.post(body, kind=kind))[0] for body in NONE_OF_SLACKS}
    assert statuses <= {200, 400, 404}  # what bolt can read is bolt's: it has no listener for it
    assert workspace.got == []
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize("body", [b"null", b"", b"[1]", b"{"])
async def test_a_broken_body_with_a_good_signature_is_a_400(proxy: Proxy, body: bytes) -> None:
    assert (await proxy.post(body))[0] == 400


async def test_a_body_above_the_limit_is_refused_unread(workspace: Workspace, proxy: Proxy) -> None:
    assert (await proxy.post({"type": "x", "text": "x" * LARGEST_BODY}))[0] == 413
    assert (await proxy.post({**EVENT, "more": "x" * (LARGEST_BODY - 1000)}))[0] == 200


@pytest.mark.parametrize("sent", [gzip.compress(b"x" * (LARGEST_BODY * 4)), gzip.compress(b"{}"), b"no gzip"])
async def test_a_packed_body_is_not_unpacked(proxy: Proxy, caplog: pytest.LogCaptureFixture, sent: bytes) -> None:
    assert (await proxy.post(EVENT, sent=sent, Content_Encoding="gzip"))[0] == 401
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize(
    "sent",
    [b"Content-Length: 10\r\n\r\n{", b"Content-Length: ten\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"],
    ids=["cut off", "a length that's none", "chunks that are none"],
)
async def test_whoever_breaks_off_is_no_traceback(
    workspace: Workspace, proxy: Proxy, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    host, port = proxy.url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"POST {EVENTS_PATH} HTTP/1.1\r\nHost: x\r\n".encode() + sent)
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert await proxy.post(EVENT) == (200, "")
    assert [record for record in caplog.records if record.exc_info] == []


async def test_a_fault_of_the_server_is_logged_without_its_message(
    workspace: Workspace, proxy: Proxy, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_request: object) -> None:
        raise RuntimeError(typed)

    typed = "what somebody typed"
    monkeypatch.setattr(workspace.app, "async_dispatch", fail)
    assert (await proxy.post(EVENT))[0] == 500
    assert "RuntimeError while serving" in caplog.text
    assert "in fail" in caplog.text  # its place
    assert typed not in caplog.text


async def test_a_body_that_does_not_arrive_is_not_waited_for(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.05)
    host, port = proxy.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"POST {EVENTS_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{{".encode())
    assert (await reader.readline()).split()[1] == b"408"
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("POST", "/", 404),
        ("GET", "/slack/install", 404),
        ("GET", "/slack/oauth_redirect", 404),
        ("POST", "/slack/events/", 404),
        ("GET", EVENTS_PATH, 405),
    ],
)
async def test_nothing_else_is_served(proxy: Proxy, method: str, path: str, status: int) -> None:
    async with aiohttp.ClientSession() as session, session.request(method, proxy.url + path) as answer:
        assert answer.status == status


# -- Start and stop -----------------------------------------------------------------------------------------------


async def test_a_port_in_use_is_named(workspace: Workspace) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConnectError, match=f"HTTP_PORT: {port} at 127.0.0.1 is in use"):
            await HttpServer(workspace.app, SECRET, "127.0.0.1", port).start()


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "a" * 70 + ".example", "300.1.1.1"])
async def test_a_host_that_is_not_here_is_named(workspace: Workspace, host: str) -> None:
    with pytest.raises(ConnectError, match=r"HTTP_HOST: .* isn't an address of this machine"):
        await HttpServer(workspace.app, SECRET, host, 0).start()


async def test_the_address_is_known_while_it_runs(workspace: Workspace) -> None:
    server = HttpServer(workspace.app, SECRET, "127.0.0.1", 0)
    with pytest.raises(RuntimeError):
        _ = server.address
    await server.start()
    host, port = server.address
    assert host == "127.0.0.1"
    assert port > 0
    await server.stop()
    with pytest.raises(RuntimeError):
        _ = server.address
    await server.stop()  # twice is no error


async def test_a_request_in_flight_is_answered_before_the_server_stops(workspace: Workspace) -> None:
    workspace.go_on.clear()
    server = HttpServer(workspace.app, SECRET, "127.0.0.1", 0)
    await server.start()
    host, port = server.address
    async with aiohttp.ClientSession() as session:
        asked = asyncio.create_task(Proxy(session, (host, port)).post(COMMAND, kind=FORM))
        await workspace.began.wait()
        stopping = asyncio.create_task(server.stop())
        await listens_no_more(host, port)
        assert not stopping.done()
        workspace.go_on.set()
        assert await asked == (200, "you asked for slo")
        await stopping


async def listens_no_more(host: str, port: int) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                _, writer = await asyncio.open_connection(host, port)
            except OSError:
                return
            writer.close()
            await asyncio.sleep(0.01)


async def test_a_request_that_hangs_does_not_hold_the_server_up(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "STOP_SECONDS", 0.05)
    workspace.go_on.clear()
    async with served(workspace) as proxy:
        asked = asyncio.create_task(proxy.post(COMMAND, kind=FORM))
        await workspace.began.wait()
    with pytest.raises(aiohttp.ClientError):
        await asked
