"""The Web API's door: who calls, with which token and scopes, what is slowed, held or refused on demand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from tests.slack_fake_state import PREFIXES, Call, Channel, Installation, Json

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake
    from tests.slack_fake_people import Workspace


class Refused(Exception):
    """`ok: false`."""

    def __init__(self, error: str, **more: Any) -> None:
        self.error = error
        self.more = more
        super().__init__(error)


@dataclass
class Caller:
    """One call, and whom its token belongs to; `me` is only there for methods that take a bot token."""

    slack: SlackFake
    method: str
    args: Json
    authorization: str = ""
    installation: Installation | None = None

    @property
    def me(self) -> Installation:
        assert self.installation is not None
        return self.installation

    @property
    def workspaces(self) -> list[Workspace]:
        return [self.slack.workspaces[team] for team in self.me.teams]

    @property
    def workspace(self) -> Workspace:
        """Of a call that isn't about one channel: what `team_id` says, or the only one."""
        if self.me.for_org:
            return self.slack.workspaces[self.args.get("team_id") or self.me.teams[0]]
        return self.workspaces[0]

    def channel(self, *, member: bool = False, scope: str = "") -> tuple[Workspace, Channel]:
        """The channel that the call names, as far as the bot may know that it's there."""
        wanted = self.args["channel"]
        for workspace in self.workspaces:
            channel = workspace.conversation(wanted, self.me.user)
            if channel is None:
                continue
            if scope:
                self.needs(f"{PREFIXES[channel.kind]}:{scope}")
            inside = self.me.user in channel.members
            if not inside and channel.kind != "channel":
                break
            if not inside and member and "chat:write.public" not in self.me.scopes:
                raise Refused("not_in_channel")
            return workspace, channel
        raise Refused("channel_not_found")

    def needs(self, scope: str) -> None:
        if scope not in self.me.scopes:
            raise Refused("missing_scope", needed=scope, provided=",".join(sorted(self.me.scopes)))


@dataclass(frozen=True)
class Method:
    """`kind` of token: bot, app, none (client id and secret)."""

    run: Callable[[Caller], Json]
    needed: frozenset[str]
    allowed: frozenset[str]
    scope: str
    kind: str


METHODS: Final[dict[str, Method]] = {}


def method(
    name: str, *, needed: str = "", allowed: str = "", scope: str = "", kind: str = "bot"
) -> Callable[[Callable[[Caller], Json]], Callable[[Caller], Json]]:
    """Registers a method of the Web API: its arguments (any other is refused) and the scope it always needs."""

    def register(run: Callable[[Caller], Json]) -> Callable[[Caller], Json]:
        arguments = frozenset(needed.split())
        METHODS[name] = Method(run, arguments, arguments | set(allowed.split()), scope, kind)
        return run

    return register


@dataclass
class Hold:
    """A call that waits in the door until the test lets it through."""

    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self.released.set()


@dataclass
class Orders:
    """What a test wants to happen to calls of a method, in the order of the calls."""

    faults: dict[str, list[tuple[str, float | None]]] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)
    holds: dict[str, list[Hold]] = field(default_factory=dict)


async def answer(slack: SlackFake, name: str, request: web.Request) -> web.Response:
    """The answer to one call over HTTP."""
    args = await _arguments(request)
    token = args.pop("token", None) or request.headers.get("Authorization", "").removeprefix("Bearer ")
    installation = slack.installation(token)
    call = Call(name, args, installation.teams[0] if installation else "", slack.clock.now())
    slack.calls.append(call)
    slack.in_flight += 1
    try:
        if name in slack.orders.delays:
            await asyncio.sleep(slack.orders.delays[name])
        if holds := slack.orders.holds.get(name):
            hold = holds.pop(0)
            hold.arrived.set()
            await hold.released.wait()
        if orders := slack.orders.faults.get(name):
            error, retry_after = orders.pop(0)
            call.response = {"ok": False, "error": error}
            call.status = 429 if error == "ratelimited" else 200
            headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
            return web.json_response(call.response, status=call.status, headers=headers)
        caller = Caller(slack, name, args, request.headers.get("Authorization", ""), installation)
        try:
            call.response = {"ok": True, **_run(caller, token)}
        except Refused as refused:
            call.response = {"ok": False, "error": refused.error, **refused.more}
            call.status = 429 if refused.error == "ratelimited" else 200
            slack.violated(name, refused.error, str(refused.more or ""))
        scopes = {"x-oauth-scopes": ",".join(sorted(installation.scopes))} if installation else {}
        waits = {"Retry-After": "60"} if call.status == 429 else {}
        return web.json_response(call.response, status=call.status, headers={**scopes, **waits})
    finally:
        slack.in_flight -= 1
        slack.stir()


def _run(caller: Caller, token: str) -> Json:
    known = METHODS.get(caller.method)
    if known is None:
        raise Refused("unknown_method", req_method=caller.method)
    if known.kind == "app":
        _check_app_token(caller.slack, token)
    elif known.kind == "bot":
        _check_bot_token(caller, token)
        if known.scope:
            caller.needs(known.scope)
    missing = [name for name in known.needed if not caller.args.get(name)]
    unknown = sorted(set(caller.args) - known.allowed - {"team_id"})  # the SDK sends it with everything
    if missing or unknown:
        raise Refused("invalid_arguments", response_metadata={"messages": [f"missing {missing}, unknown {unknown}"]})
    return known.run(caller)


def _check_app_token(slack: SlackFake, token: str) -> None:
    if not token:
        raise Refused("not_authed")
    if token.startswith("xoxb-"):
        raise Refused("not_allowed_token_type")
    if token != slack.app_token:
        raise Refused("invalid_auth")


def _check_bot_token(caller: Caller, token: str) -> None:
    if not token:
        raise Refused("not_authed")
    if token == caller.slack.app_token:
        raise Refused("not_allowed_token_type")
    found = caller.installation
    if found is None:
        raise Refused("token_expired" if token in caller.slack.old_tokens else "invalid_auth")
    if found.state != "valid":
        raise Refused(found.state)
    if found.expires_at is not None and found.expires_at <= caller.slack.clock.now():
        raise Refused("token_expired")


async def _arguments(request: web.Request) -> Json:
    """From the query, a form or JSON: Slack takes all three."""
    args: Json = dict(request.query)
    if request.content_type == "application/json":
        args.update(json.loads(await request.text() or "{}"))
    elif request.can_read_body:
        args.update(await request.post())
    for name in ("blocks", "view", "attachments", "metadata"):
        if isinstance(args.get(name), str):
            args[name] = json.loads(args[name])
    return args
