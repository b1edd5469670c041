"""Discord on loopback: REST, gateway and the people in front of it. Strict: what Discord would refuse fails the test.

    async with FakeDiscord() as discord:                  # on leaving: AssertionError for every refused request
        lena = discord.user("Lena")                       # locale="zh-CN", bot=True, installed=True (user install)
        ops = discord.guild("Ops", lena)                  # its owner; installed=False: the bot isn't there
        talk = discord.channel(ops, "talk")               # type=FORUM, overwrites={role, user or everyone: (+, -)}
        discord.join(ops, discord.user("Max"), role)      # discord.role(ops, "mods", MANAGE_MESSAGES)
        ... start a client with discord.token and discord.api_url ...
        asked = await discord.say(talk, lena, "!define slo", reply_to=None)
        answer = await discord.reply_to(asked)            # waits; .pings, .silent, .flags, .reply_to, .url, .versions
        discord.shown(answer)                             # what people see: text, [buttons], [menus ▾ a / b]
        await discord.edit(asked, "!define sla"); await discord.delete(asked); await discord.unfurl(asked)
        i = await discord.slash(lena, talk, "define", term="slo")   # validated against what is registered; waits
        i.message, i.messages, i.followups, i.choices, i.response   # of the Interaction
        i = await discord.press(lena, answer, "中文")      # label or custom id; choose(user, message, option label)
        i = await discord.context_menu(lena, asked, "Explain jargon")
        i = await discord.autocomplete(lena, talk, "define", "term", "sl")  # i.names
        await discord.settled()                           # everything that was sent is dealt with
        assert discord.said() == []                       # the bot's messages that all see, oldest first
        await discord.until(lambda: answer.deleted)       # with a time limit
        await discord.open_thread(talk, lena, "a thread"); await discord.forum_post(forum, lena, "title", "text")

Faults: `discord.gateway.ask_to_reconnect()`, `.invalidate(resumable=…)`, `.close(4000)`, `.drop()`, `.close_next`,
`.refuse`, `.silent`. With `route = "POST /channels/{channel}/messages"`: `discord.failing[route] = 500` (once; or a
list), `.limited_next[route] = 0.2` (429 with these seconds; negative: global), `.limits[route] = (2, 0.5)`
(requests and seconds), `.held[route] = asyncio.Event()`. `discord.offline = True`, `discord.clock.advance(3)`.
`discord.expect(50013)`: this refusal is wanted (error code, else HTTP status), and has to come. `wait=False` in
whatever a person does returns at once. Ids are real snowflakes; servers lie on shard (id >> 22) % shards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final

from aiohttp import web

from tests import discord_fake_gateway as gw
from tests.discord_fake_components import seen, stored, texts
from tests.discord_fake_forms import Form
from tests.discord_fake_limits import Failing
from tests.discord_fake_people import People
from tests.discord_fake_replies import Interaction, Replies
from tests.discord_fake_rest import BASE, Rest
from tests.discord_fake_world import (
    CAN_BE_REPLIED_TO,
    DM,
    IS_COMPONENTS_V2,
    LOADING,
    MENTION_EVERYONE,
    VIEW_CHANNEL,
    Channel,
    Clock,
    Guild,
    Member,
    Message,
    User,
    mentions,
    permissions,
)

SECONDS: Final = 10.0
"""How long a test waits for what should come at once."""

_MESSAGE_CONTENT: Final = 1 << 19
"""GATEWAY_MESSAGE_CONTENT_LIMITED of an application's flags: the intent is switched on for an unverified app."""

_BUSY: Final = ("discord.py: on_", "CommandTree-", "discord-ui-")
"""Names of the tasks in which discord.py runs what an event starts."""


@dataclass(frozen=True)
class Violation:
    method: str
    path: str
    status: int
    code: int
    message: str


@dataclass(frozen=True)
class Call:
    """A request as it came in."""

    route: str
    path: str
    body: Any


class FakeDiscord(People):
    """One application, its bot, and a world around it; see the module."""

    def __init__(self, *, message_content: bool = True, heartbeat_seconds: float = 30.0, shards: int = 1) -> None:
        self.clock = Clock()
        self.token = "fake.bot.token"
        self.application_id = self.clock.snowflake()
        self.me_user = User(self.application_id, "jargonaut", bot=True)
        self.message_content = message_content
        """The switch in the developer portal."""
        self.flags = _MESSAGE_CONTENT if message_content else 0
        self.heartbeat_seconds = heartbeat_seconds
        self.advised_shards = shards
        self.needed_shards = 1
        """Fewer are closed with 4011."""
        self.users: dict[int, User] = {self.me_user.id: self.me_user}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.interactions: list[Interaction] = []
        self.commands: list[dict[str, Any]] = []
        self.command_writes: list[Any] = []
        self.command_allowed: set[tuple[Guild, User, str]] = set()
        """Whom a server's own settings let use a command that their permissions don't."""
        self.calls: list[Call] = []
        self.violations: list[Violation] = []
        self.limited: list[str] = []
        self.limits: dict[str, tuple[int, float]] = {}
        self.limited_next: dict[str, float] = {}
        self.failing = Failing()
        self.held: dict[str, asyncio.Event] = {}
        self.offline = False
        self.gateway = gw.Gateway(self)
        self._expected: dict[int, bool] = {}
        self._changed = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self.port = 0

    # -- Life -----------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> FakeDiscord:
        rest = Rest(self)
        app = web.Application(middlewares=[rest.guard])
        rest.add_to(app)
        Replies(self).add_to(app)
        for path in ("/gateway/", "/resume/"):
            app.router.add_get(path, self.gateway.handle)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for held in self.held.values():
            held.set()
        await self.stop_listening()
        if error is None:
            self.check()

    async def stop_listening(self) -> None:
        """Nobody is at the address any more; clients that are still there aren't waited for."""
        self.gateway.drop()
        assert self._runner is not None
        await self._runner.cleanup()

    def check(self) -> None:
        """AssertionError: the app sent what Discord refuses, or an expected refusal didn't come."""
        unexpected = [v for v in self.violations if (v.code or v.status) not in self._expected]
        assert not unexpected, "Discord refuses:\n" + "\n".join(map(str, unexpected))
        assert all(self._expected.values()), f"never refused: {[c for c, came in self._expected.items() if not came]}"

    def expect(self, *codes: int) -> None:
        self._expected |= dict.fromkeys(codes, False)

    @property
    def api_url(self) -> str:
        return f"http://127.0.0.1:{self.port}{BASE}"

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/gateway/"

    # -- What its parts ask and tell ------------------------------------------------------------------------------

    def resume_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/resume/"

    def allowed_intents(self) -> int:
        return gw.MESSAGE_CONTENT if self.message_content else 0

    def shards(self) -> int:
        return self.needed_shards

    def blamed(self, method: str, path: str, status: int, code: int, message: str) -> None:
        self.violations.append(Violation(method, path, status, code, message))
        if (code or status) in self._expected:
            self._expected[code or status] = True

    def noted(self, route: str, path: str, body: Any) -> None:
        self.calls.append(Call(route, path, body))

    def tick(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _guilds_of(self, session: gw.Session) -> list[Guild]:
        return [g for g in self.guilds.values() if g.installed and session.covers(g.id)]

    def ready(self, session: gw.Session) -> dict[str, Any]:
        return {
            **{"v": 10, "user": self.me_user.payload(), "session_id": session.id, "private_channels": []},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in self._guilds_of(session)],
            **{"resume_gateway_url": self.resume_url(), "shard": [session.shard, session.shards]},
            "application": {"id": str(self.application_id), "flags": self.flags},
        }

    def guild_payloads(self, session: gw.Session) -> list[dict[str, Any]]:
        return (
            [guild.payload(self.me_user) for guild in self._guilds_of(session)] if session.intents & gw.GUILDS else []
        )

    def emptied(self, message: Message, allowed: bool) -> bool:
        """Whether the app gets the message without its content."""
        to_bot = message.channel.guild is None or self.me_user in message.mentioned
        return not (allowed or to_bot or message.author is self.me_user)

    # -- Messages -------------------------------------------------------------------------------------------------

    def dm(self, user: User) -> Channel:
        """The conversation of a person with the bot."""
        found = next((c for c in self.channels.values() if c.type == DM and c.people == [user]), None)
        if found is None:
            found = Channel(self.clock.snowflake(), DM, people=[user])
            self.channels[found.id] = found
        return found

    async def post(
        self,
        channel: Channel,
        body: dict[str, Any],
        *,
        seen_by: User | None = None,
        asked: Interaction | None = None,
        on: Message | None = None,
    ) -> Message:
        """A message of the bot's, whose form was checked."""
        reference = body.get("message_reference")
        replied = channel.messages.get(int(reference["message_id"])) if reference else on
        if reference and replied is None:
            if reference.get("fail_if_not_exists", True):
                form = Form()
                form.fault(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
                form.done()
            reference = None
        if reference and replied is not None and replied.type not in CAN_BE_REPLIED_TO:
            form = Form()
            message = "Cannot reply to a system message"
            form.fault(["message_reference"], "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", message)
            form.done()
        flags = (body.get("flags") or 0) | (1 << 6 if seen_by else 0)
        message = Message(self.clock.snowflake(), channel, self.me_user, flags=flags, seen_by=seen_by)
        message.asked_by = asked.metadata() if asked else None
        message.reply_to, message.nonce = replied, body.get("nonce")
        message.reference = replied.id if replied else None
        message.type = 19 if replied else 0
        self._fill(message, body)
        channel.messages[message.id] = message
        if seen_by is None:
            await self.tell("MESSAGE_CREATE", message)
        self.tick()
        return message

    async def change(self, message: Message, body: dict[str, Any]) -> None:
        """Edits a message of the bot's."""
        if message.flags & LOADING:
            message.flags &= ~LOADING
        else:
            message.edited = self.clock.now()
        message.flags |= (body.get("flags") or 0) & IS_COMPONENTS_V2
        if message.flags & IS_COMPONENTS_V2:
            message.content = ""
        message.versions += 1
        self._fill(message, body)
        if message.seen_by is None:
            await self.tell("MESSAGE_UPDATE", message)
        self.tick()

    async def remove(self, message: Message) -> None:
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        if message.seen_by is None:
            await self.tell("MESSAGE_DELETE", message)
        self.tick()

    def _fill(self, message: Message, body: dict[str, Any]) -> None:
        if body.get("content") is not None:
            message.content = body["content"]
        if body.get("components") is not None:
            message.components = stored(body["components"])
        text = f"{message.content}\n{texts(message.components)}"
        everyone, people, roles = mentions(text, message.channel, self.users)
        allowed = body.get("allowed_mentions")
        parse = ("everyone", "users", "roles") if allowed is None else tuple(allowed.get("parse") or ())
        named = {int(id_) for key in ("users", "roles") for id_ in (allowed or {}).get(key) or ()}
        may = message.asked_by is not None or bool(permissions(self.me_user, message.channel) & MENTION_EVERYONE)
        replied = message.reply_to.author if message.reply_to else None
        pinged = [user for user in people if "users" in parse or user.id in named]
        if replied is not None and (allowed is None or allowed.get("replied_user")):
            pinged.append(replied)
        pings = ["everyone"] if everyone and "everyone" in parse and may else []
        pings += [user.name for user in pinged]
        pings += [f"role:{id_}" for id_ in roles if "roles" in parse or id_ in named]
        message.mentioned = tuple(dict.fromkeys(pinged))
        message.pings = () if message.seen_by else (*message.pings, *pings)

    async def tell(self, event: str, message: Message) -> None:
        """An event about a message, to whoever gets it."""
        channel = message.channel
        guild = channel.guild
        if guild is not None and (not guild.installed or not permissions(self.me_user, channel) & VIEW_CHANNEL):
            return
        if guild is None and (channel.type != DM):
            return

        def data(session: gw.Session) -> dict[str, Any]:
            ids = {"guild_id": str(guild.id)} if guild else {}
            if event == "MESSAGE_DELETE":
                return {"id": str(message.id), "channel_id": str(channel.id), **ids}
            emptied = self.emptied(message, bool(session.intents & gw.MESSAGE_CONTENT))
            payload = message.payload(emptied=emptied) | ids
            if guild and message.webhook is None:
                payload["member"] = (guild.members.get(message.author.id) or Member(message.author)).payload(
                    with_user=False
                )
            return payload

        await self.gateway.dispatch(
            event, guild.id if guild else None, gw.GUILD_MESSAGES if guild else gw.DIRECT_MESSAGES, data
        )

    # -- Looking --------------------------------------------------------------------------------------------------

    def shown(self, message: Message) -> str:
        """What a person sees of it."""
        if message.deleted:
            return "(deleted)"
        if message.flags & LOADING:
            return "(is thinking)"
        lines = [message.content] if message.content else []
        return "\n".join([*lines, *seen(message.components)])

    def said(self, channel: Channel | None = None) -> list[Message]:
        """What the bot said for all to see, oldest first; deleted messages aren't there."""
        channels: Collection[Channel] = self.channels.values() if channel is None else [channel]
        found = [m for c in channels for m in c.messages.values() if m.author is self.me_user and m.seen_by is None]
        return sorted(found, key=lambda message: message.id)

    def replies(self, message: Message) -> list[Message]:
        return [m for m in self.said(message.channel) if m.reference == message.id]

    def tries(self, message: Message) -> int:
        """How often a reply to it was sent; of those with the same nonce Discord posts one."""
        references = ((call.body or {}).get("message_reference") for call in self.calls if isinstance(call.body, dict))
        return sum(bool(each) and int(each["message_id"]) == message.id for each in references)

    async def reply_to(self, message: Message) -> Message:
        """The bot's reply, as soon as there is one."""
        await self.until(lambda: bool(self.replies(message)), f"a reply to {message.content!r}")
        return self.replies(message)[0]

    # -- Waiting --------------------------------------------------------------------------------------------------

    async def until(self, true: Callable[[], object], what: str = "it", *, seconds: float = SECONDS) -> None:
        """AssertionError: it didn't become true in time."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not true():
            assert loop.time() < end, f"waited {seconds} s for {what}; refused: {self.violations}"
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), 0.02)

    async def online(self, sessions: int = 1) -> None:
        await self.until(lambda: len(self.gateway.online()) >= sessions, "a session")

    async def settled(self) -> None:
        """Until the clients have read everything that was sent, and discord.py runs nothing for it any more."""
        for _ in range(2):  # what was dealt with may have sent something itself
            await self.gateway.beat()
            await self.until(lambda: not _running(), f"the end of {_running()}")
            calls = -1
            while calls != len(self.calls):
                calls = len(self.calls)
                await asyncio.sleep(0.03)


def _running() -> list[str]:
    return [task.get_name() for task in asyncio.all_tasks() if task.get_name().startswith(_BUSY) and not task.done()]
