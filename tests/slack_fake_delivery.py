"""How payloads reach the app: envelopes over Socket Mode, or signed requests over HTTP."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import json
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from aiohttp import ClientSession, WSMsgType, web

from tests.slack_fake_api import Refused
from tests.slack_fake_state import APP, Json

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake

Kind = Literal["events_api", "slash_commands", "interactive"]

ACK_SECONDS: Final = 3


@dataclass
class Envelope:
    """One payload on its way, and what the app said to it."""

    kind: Kind
    payload: Json
    takes_answer: bool
    """Whether Slack looks at what the acknowledgement carries."""
    id: str = ""
    attempt: int = 0
    reason: str = ""
    sent_at: float = 0.0
    acked: asyncio.Event = field(default_factory=asyncio.Event)
    seconds: float = 0.0
    """From sending to the acknowledgement."""
    answer: Json | None = None
    """What the acknowledgement carries."""
    status: int = 200
    given_up: bool = False
    """Another copy is on its way."""
    then: Callable[[Any], None] | None = None
    """What the acknowledgement changes for people; may raise Refused."""
    connection: Connection | None = None

    def json(self) -> Json:
        answers = {"envelope_id": self.id, "payload": self.payload, "type": self.kind}
        retries = {"retry_attempt": self.attempt, "retry_reason": self.reason} if self.kind == "events_api" else {}
        return {**answers, "accepts_response_payload": self.takes_answer, **retries}


class Connection:
    """One WebSocket of the app; `heard` are the envelopes that went over it."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None) -> None:
        self.socket = socket
        self._transport = transport
        self.heard: list[Envelope] = []

    async def disconnect(self, reason: Literal["warning", "refresh_requested", "link_disabled"]) -> None:
        """Says that the connection is about to end; Slack ends it a bit later, after a `warning` in 10 seconds."""
        await self.socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "loopback"}})

    async def close(self) -> None:
        await self.socket.close()

    def drop(self) -> None:
        """Pulls the plug: no close frame, no goodbye."""
        if self._transport is not None:
            self._transport.abort()


class SocketMode:
    """Slack's end of the app's WebSockets. Each payload goes to one of them, in turns."""

    def __init__(self, slack: SlackFake) -> None:
        self._slack = slack
        self._tickets: set[str] = set()
        self._turns = itertools.count()
        self.connections: list[Connection] = []
        self.waiting: list[Envelope] = []
        """Events for which there was no connection."""
        self.route: int | None = None
        """Index of the connection that everything goes to; None: in turns."""

    def ticket(self) -> str:
        ticket = self._slack.ids.new("ticket")
        self._tickets.add(ticket)
        return f"ws://127.0.0.1:{self._slack.port}/link/?ticket={ticket}&app_id={APP}"

    async def link(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            self._slack.violated("link", "a ticket is good for one connection")
            return web.Response(status=403)
        self._tickets.remove(ticket)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        connection = Connection(socket, request.transport)
        count = len(self.connections) + 1
        debug = {"host": "loopback", "build_number": 1, "approximate_connection_time": 18060}
        info = {"connection_info": {"app_id": APP}, "num_connections": count, "debug_info": debug}
        await socket.send_json({"type": "hello", **info})
        self.connections.append(connection)
        self._slack.stir()
        for envelope in self.waiting[:]:
            self.waiting.remove(envelope)
            await self.send(envelope)
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    self._acknowledged(json.loads(message.data))
        finally:
            self.connections.remove(connection)
            await self._again(connection)
            self._slack.stir()
        return socket

    async def send(self, envelope: Envelope, *, to: int | None = None) -> None:
        """Over the connection with this index, else whose turn it is."""
        envelope.id = envelope.id or self._slack.ids.new("envelope")
        if not self.connections:
            self.waiting.append(envelope)
            return
        to = self.route if to is None else to
        turn = next(self._turns) if to is None else to
        connection = self.connections[turn % len(self.connections)]
        connection.heard.append(envelope)
        envelope.connection = connection
        envelope.sent_at = self._slack.clock.now()
        await connection.socket.send_json(envelope.json())

    def _acknowledged(self, said: Json) -> None:
        found = [one for one in self._slack.envelopes if one.id == said.get("envelope_id")]
        if not found or set(said) - {"envelope_id", "payload"}:
            self._slack.violated("socket", "an acknowledgement of nothing that was sent", str(sorted(said)))
            return
        acknowledge(self._slack, found[-1], said.get("payload"))

    async def _again(self, connection: Connection) -> None:
        """Events that weren't acknowledged come again over another connection; commands and presses are lost."""
        if self._slack.closing:
            return
        for envelope in connection.heard:
            if not envelope.acked.is_set() and not envelope.given_up and envelope.kind == "events_api":
                await self._slack.redeliver(envelope, reason="timeout")


def acknowledge(slack: SlackFake, envelope: Envelope, answer: Any) -> None:
    if envelope.acked.is_set():
        slack.violated("ack", "acknowledged twice")
        return
    envelope.seconds = slack.clock.now() - envelope.sent_at
    if envelope.seconds > ACK_SECONDS:
        slack.violated("ack", f"late: {envelope.kind} after {envelope.seconds:.1f} s")
    if answer and not envelope.takes_answer:
        slack.violated("ack", "carries an answer that Slack doesn't look at", str(answer)[:80])
    envelope.answer = answer or None
    envelope.acked.set()
    if envelope.then is not None:
        try:
            envelope.then(envelope.answer)
        except Refused as refused:
            slack.violated("ack", refused.error, str(refused.more))
    slack.stir()


class HttpMode:
    """Slack's end of the app's request URL."""

    def __init__(self, slack: SlackFake) -> None:
        self._slack = slack
        self._session: ClientSession | None = None
        self.url = ""
        """Where the app listens; empty: it doesn't."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        await asyncio.gather(*self._tasks)
        if self._session:
            await self._session.close()

    def send(self, envelope: Envelope) -> None:
        envelope.id = envelope.id or self._slack.ids.new("envelope")
        envelope.sent_at = self._slack.clock.now()
        task = asyncio.create_task(self._deliver(envelope))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, envelope: Envelope) -> None:
        if envelope.kind == "events_api":
            body, content = json.dumps(envelope.payload), "application/json"
        elif envelope.kind == "slash_commands":
            body, content = urllib.parse.urlencode(envelope.payload), "application/x-www-form-urlencoded"
        else:
            form = {"payload": json.dumps(envelope.payload)}
            body, content = urllib.parse.urlencode(form), "application/x-www-form-urlencoded"
        retries = (
            {"X-Slack-Retry-Num": str(envelope.attempt), "X-Slack-Retry-Reason": envelope.reason}
            if envelope.attempt
            else {}
        )
        envelope.status, text = await self.post(body, content, headers=retries)
        if envelope.status != 200:
            self._slack.violated("http", f"{envelope.status} for {envelope.kind}")
        try:
            answer = json.loads(text) if text.strip() else None
        except ValueError:
            answer = {"text": text} if envelope.takes_answer else text
        acknowledge(self._slack, envelope, answer)

    async def post(
        self,
        body: str,
        content: str = "application/json",
        *,
        secret: str | None = None,
        age: float = 0,
        timestamp: str | None = None,
        headers: Json | None = None,
        reshape: Callable[[str], str] = str,
    ) -> tuple[int, str]:
        """Status and body of what the app answers to one signed request.

        `secret`: signed with another one. `age`: seconds. `timestamp`: instead of the time. `reshape`: what a proxy
        does to the body after it was signed.
        """
        at = timestamp if timestamp is not None else str(int(self._slack.clock.now() - age))
        key = (self._slack.signing_secret if secret is None else secret).encode()
        signature = "v0=" + hmac.new(key, f"v0:{at}:{body}".encode(), hashlib.sha256).hexdigest()
        signed = {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": signature, "Content-Type": content}
        self._session = self._session or ClientSession()
        sent = reshape(body).encode()
        async with self._session.post(self.url, data=sent, headers={**signed, **(headers or {})}) as response:
            return response.status, await response.text()
