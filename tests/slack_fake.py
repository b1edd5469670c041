"""A Slack on loopback for tests, written from Slack's public documentation, and strict.

    async with SlackFake() as slack:                      # a server: Web API, Socket Mode, response_urls
        acme = slack.workspace("Acme")                    # the app is installed there; installed=False: it isn't
        lena = acme.person("Lena", locale="zh-CN")        # also: admin=True, guest=True; acme.stranger("Max")
        general = acme.channel("general", lena)           # bot=False: it's no member; kind="group" | "im" | "mpim"
        ...                                               # start the app with slack.api_url, acme.installation.token,
        slack.at_rest()                                   #   slack.app_token; then say that it's idle

        outcome = await acme.say(general, lena, f"{acme.at} SLO")             # say, edit, touch, delete, say_as_app
        outcome = await acme.say(general, lena, "!vs slo sla", thread=outcome.said)
        outcome = await acme.slash(lena, general, "define", "SLO")            # `/define SLO`
        outcome = await acme.press(lena, outcome.one, "Share")                # a label or an action id; menus too
        outcome = await acme.shortcut(lena, "callback_id", message)           # no message: the global one
        outcome = await acme.open_home(lena); outcome.home.says
        outcome = await acme.submit_view(lena, outcome.view, {"Channel": general.id})
        options = await acme.suggest(lena, view, "sl"); await acme.choose(lena, view, options[0])
        await acme.invite(channel, lena)

Every verb waits until all is settled (`settle=False`: it doesn't) and tells what people see of it: `outcome.one` (the
one message), `.says`, `.posted`, `.whispered`, `.changed`, `.deleted`, `.views`, `.view`, `.home`, `.nothing`. Messages
have `.says` (the screen, line by line, `[buttons]` too), `.buttons`, `.text`, `.blocks`, `.thread_ts`, `.gone`.
`acme.sees(lena, general)` is all that stands there for her.

Whatever Slack would refuse is refused with Slack's error and is a `Violation`; so is what this bot promises not to do
(pings, unfurling, late acknowledgements). Leaving the `async with` raises on each one that wasn't foretold:
`slack.expect("not_in_channel")`, or by `allow` if it may happen. On demand:
`slack.fail("chat.postMessage", "ratelimited", times=2, retry_after=1)`,
`slack.delay("views.open", 0.5)`, `hold = slack.hold("chat.postMessage")` (`await hold.arrived.wait()`, `.release()`),
`slack.clock.pass_by(4)`, `slack.outside_marketplace = True`. Seen from outside: `slack.calls`, `slack.called(method)`,
`slack.envelopes`; `await slack.until(condition)`, `await slack.settled()`.

Socket Mode: `slack.socket.connections[0].disconnect("refresh_requested")`, `.drop()`; `slack.redeliver(envelope)`;
`slack.socket.route = 1` sends everything over the second connection.
HTTP: `slack.http.url = "http://127.0.0.1:3000/slack/events"` sends everything there, signed; `slack.http.post(body)`.
Organisations: `slack.workspace("One", enterprise="E1")`, `slack.install(one, two, for_org=True)`, `slack.code_for`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

from aiohttp import web

from tests import slack_fake_oauth, slack_fake_reading, slack_fake_views  # noqa: F401 - they register their methods
from tests.slack_fake_api import Hold, Orders, Refused, answer
from tests.slack_fake_chat import respond
from tests.slack_fake_delivery import Envelope, HttpMode, Kind, SocketMode
from tests.slack_fake_people import Workspace
from tests.slack_fake_state import (
    APP,
    EVENTS,
    SCOPES,
    Call,
    Change,
    Clock,
    Ids,
    Installation,
    Json,
    Message,
    ResponseUrl,
    Trigger,
    View,
    Violation,
)
from tests.slack_fake_tasks import Tasks

_LIMIT: Final = 10.0
"""Seconds in which anything has to happen."""


class SlackFake:
    """See the module."""

    app_token = "xapp-1-fake"
    signing_secret = "sssh"
    client_id = "1.2"
    client_secret = "shh"

    def __init__(self) -> None:
        self.clock = Clock()
        self.ids = Ids()
        self.events = set(EVENTS)
        self.workspaces: dict[str, Workspace] = {}
        self.installations: list[Installation] = []
        self.old_tokens: dict[str, tuple[Installation, float]] = {}
        self.codes: dict[str, Installation] = {}
        self.triggers: dict[str, Trigger] = {}
        self.calls: list[Call] = []
        self.envelopes: list[Envelope] = []
        self.journal: list[Change] = []
        self.violations: list[Violation] = []
        self.orders = Orders()
        self.outside_marketplace = False
        self.last_read: dict[str, float] = {}
        self.in_flight = 0
        self.closing = False
        self.socket = SocketMode(self)
        self.http = HttpMode(self)
        self.port = 0
        self._urls: dict[str, ResponseUrl] = {}
        self._expected: list[tuple[str, str]] = []
        self._allowed: list[tuple[str, str]] = []
        self._tasks = Tasks()
        self._stirred = asyncio.Event()
        self._sending: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> SlackFake:
        app = web.Application()
        app.router.add_route("*", "/api/{method}", self._api)
        app.router.add_get("/link/", self.socket.link)
        app.router.add_post("/hook/{id}", self._hook)
        self._runner = web.AppRunner(app, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.closing = True
        for connection in list(self.socket.connections):
            await connection.close()
        await self.http.close()
        await self._runner.cleanup()
        if kind is None:
            self.check()

    # -- What there is --------------------------------------------------------------------------------------------

    @property
    def api_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/"

    def workspace(
        self,
        name: str = "Acme",
        *,
        enterprise: str | None = None,
        installed: bool = True,
        scopes: frozenset[str] = SCOPES,
    ) -> Workspace:
        workspace = Workspace(self, self.ids.new("T"), name, enterprise)
        self.workspaces[workspace.id] = workspace
        if installed:
            self.install(workspace, scopes=scopes)
        return workspace

    def install(self, *workspaces: Workspace, for_org: bool = False, scopes: frozenset[str] = SCOPES) -> Installation:
        """Installs the app: into one workspace, or with `for_org` into these ones of an organisation."""
        found = self._installation(*workspaces, for_org=for_org, scopes=scopes)
        self.installations.append(found)
        return found

    def _installation(self, *workspaces: Workspace, for_org: bool, scopes: frozenset[str]) -> Installation:
        teams = tuple(workspace.id for workspace in workspaces)
        enterprise = workspaces[0].enterprise
        new = self.ids.new
        found = Installation(f"xoxb-{new('t')}", new("U"), new("B"), teams, enterprise, for_org, scopes)
        for workspace in workspaces:
            workspace.installation = found
        return found

    def code_for(self, *workspaces: Workspace, for_org: bool = False, rotating: bool = False) -> str:
        """What Slack sends an admin back with who allowed the app; `oauth.v2.access` takes it once."""
        installation = self._installation(*workspaces, for_org=for_org, scopes=SCOPES)
        if rotating:
            slack_fake_oauth.rotate(self, installation)
        code = self.ids.new("code")
        self.codes[code] = installation
        return code

    def installation(self, token: str) -> Installation | None:
        """Whose token it is; one that was refreshed is good until its time is over."""
        for installation in self.installations:
            if installation.token == token:
                return installation
        old, expires_at = self.old_tokens.get(token, (None, 0.0))
        return old if expires_at > self.clock.now() else None

    def signature(self, workspace: Workspace) -> Json:
        """How a message of the app is signed."""
        assert workspace.installation is not None
        return {"bot_id": workspace.installation.bot, "app_id": APP}

    def response_url(self, url: ResponseUrl) -> str:
        key = self.ids.new("url")
        self._urls[key] = url
        return f"http://127.0.0.1:{self.port}/hook/{key}"

    # -- What a test asks for -------------------------------------------------------------------------------------

    def expect(self, error: str, where: str = "") -> None:
        """A violation that has to happen; `error` is its code, or how its description starts."""
        self._expected.append((where, error))

    def allow(self, error: str, where: str = "") -> None:
        """A violation that may happen: the app asks Slack, and a no is an answer."""
        self._allowed.append((where, error))

    def fail(self, method: str, error: str, *, times: int = 1, retry_after: float | None = None) -> None:
        """The next calls of a method fail, through no fault of the app."""
        self.orders.faults.setdefault(method, []).extend([(error, retry_after)] * times)

    def delay(self, method: str, seconds: float) -> None:
        """Every call of a method takes so long."""
        self.orders.delays[method] = seconds

    def hold(self, method: str) -> Hold:
        """The next call of a method waits until it's released."""
        hold = Hold()
        self.orders.holds.setdefault(method, []).append(hold)
        return hold

    def called(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    # -- What happened --------------------------------------------------------------------------------------------

    def violated(self, where: str, error: str, detail: str = "") -> None:
        self.violations.append(Violation(where, error, detail))

    def changed(self, kind: Any, workspace: Workspace, thing: Message | View) -> None:
        self.journal.append(Change(kind, workspace.id, thing))
        self.stir()

    def check(self) -> None:
        """Raises for every violation that wasn't foretold, and for every foretold one that didn't happen."""
        ignored = [one for one in self.envelopes if one.sent_at and not one.acked.is_set() and not one.given_up]
        left = [*self.violations, *(Violation("ack", "never acknowledged", one.kind) for one in ignored)]
        missing = []
        for where, error in (*self._allowed, *self._expected):
            found = [one for one in left if one.error.startswith(error) and where in ("", one.where)]
            left = [one for one in left if one not in found]
            if not found and (where, error) in self._expected:
                missing.append(f"didn't happen: {where} {error}")
        faults = [*map(str, left), *missing]
        assert not faults, "\n".join(faults)

    # -- Delivery -------------------------------------------------------------------------------------------------

    def deliver(
        self,
        kind: Kind,
        payload: Json,
        *,
        takes_answer: bool = False,
        then: Callable[[Any], None] | None = None,
        attempt: int = 0,
        reason: str = "",
        to: int | None = None,
    ) -> Envelope:
        """Sends a payload to the app; `attempt` above 0: Slack tried before. `to`: index of the connection."""
        envelope = Envelope(kind, payload, takes_answer, attempt=attempt, reason=reason, then=then)
        self.envelopes.append(envelope)
        if self.http.url:
            self.http.send(envelope)
        else:
            task = asyncio.create_task(self.socket.send(envelope, to=to))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        return envelope

    async def redeliver(
        self, envelope: Envelope, *, reason: str = "timeout", to: int | None = None, settle: bool = False
    ) -> Envelope:
        """Slack sends an event once more, as it does where no acknowledgement came in time."""
        envelope.given_up = True
        payload, attempt = envelope.payload, envelope.attempt + 1
        again = self.deliver("events_api", payload, attempt=attempt, reason=reason, to=to)
        if settle:
            await self.settled()
        return again

    # -- Waiting --------------------------------------------------------------------------------------------------

    def stir(self) -> None:
        self._stirred.set()

    async def until(
        self, condition: Callable[[], object], seconds: float = _LIMIT, *, why: Callable[[], str] = str
    ) -> None:
        """Waits until something is so. AssertionError: it wasn't in time."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not condition():
            assert loop.time() < end, f"not within {seconds} s: {why()}"
            self._stirred.clear()
            try:
                async with asyncio.timeout(0.01):
                    await self._stirred.wait()
            except TimeoutError:
                continue

    async def connected(self, count: int = 1) -> None:
        """The app has that many connections."""
        await self.until(lambda: len(self.socket.connections) >= count, why=lambda: "no connection")

    def at_rest(self) -> None:
        """The app has started and does nothing now: what its tasks wait for is what they wait for when idle."""
        self._tasks.at_rest()

    async def settled(self, seconds: float = _LIMIT) -> None:
        """Everything is acknowledged, no call is in flight, and no task of the app works on anything."""
        quiet = 0
        while quiet < 3:
            await self.until(lambda: not self._unsettled(), seconds, why=self._unsettled)
            await asyncio.sleep(0.001)
            quiet = 0 if self._unsettled() else quiet + 1

    def _unsettled(self) -> str:
        open_ones = [one for one in self.envelopes if not one.acked.is_set() and not one.given_up]
        if open_ones or self._sending:
            return f"not acknowledged: {[one.payload.get('type') or one.kind for one in open_ones]}"
        if self.in_flight:
            return f"in flight: {self.calls[-1].method}"
        return self._tasks.busy()

    # -- The server -----------------------------------------------------------------------------------------------

    async def _api(self, request: web.Request) -> web.Response:
        return await answer(self, request.match_info["method"], request)

    async def _hook(self, request: web.Request) -> web.Response:
        url = self._urls[request.match_info["id"]]
        body: Any = json.loads(await request.text())
        call = Call("response_url", body, url.team, self.clock.now())
        self.calls.append(call)
        self.in_flight += 1
        try:
            if orders := self.orders.faults.get("response_url"):
                error, retry_after = orders.pop(0)
                call.status = 429 if error == "ratelimited" else 400
                headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
                return web.json_response({"ok": False, "error": error}, status=call.status, headers=headers)
            respond(self, url, body)
        except Refused as refused:
            call.status = 404 if refused.error in ("used_url", "expired_url") else 400
            call.response = {"ok": False, "error": refused.error}
            self.violated("response_url", refused.error, str(refused.more or ""))
            return web.json_response(call.response, status=call.status)
        finally:
            self.in_flight -= 1
            self.stir()
        return web.Response(text="ok")
