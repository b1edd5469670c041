"""The REST API of the fake, but interactions: who may call what, and what Discord answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from tests.discord_fake_commands import check_command, check_commands, registered, without_localizations
from tests.discord_fake_forms import INVALID_FORM, Form, Refused
from tests.discord_fake_limits import RateLimits, answered, body_of
from tests.discord_fake_messages import EDIT_FLAGS, EDIT_KEYS, MESSAGE_KEYS, POST_FLAGS, check_message
from tests.discord_fake_world import (
    ADD_REACTIONS,
    DM,
    LOADING,
    MANAGE_MESSAGES,
    MANAGE_THREADS,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    Channel,
    Guild,
    Message,
    may_send,
    permissions,
)

if TYPE_CHECKING:
    from tests.discord_fake import FakeDiscord

BASE: Final = "/api/v10"
_NO_TOKEN: Final = (f"{BASE}/interactions", f"{BASE}/webhooks")


class Rest:
    """Handlers return what is sent as JSON; None is 204."""

    def __init__(self, fake: FakeDiscord) -> None:
        self._fake = fake
        self._limits = RateLimits(fake)

    def add_to(self, app: web.Application) -> None:
        channel, message = "/channels/{channel}", "/channels/{channel}/messages/{message}"
        commands = "/applications/{application}/commands"
        for method, path, handler in (
            ("GET", "/gateway", self.gateway),
            ("GET", "/gateway/bot", self.gateway_bot),
            ("GET", "/applications/@me", self.application),
            ("GET", "/oauth2/applications/@me", self.application),
            ("GET", "/users/@me", self.me),
            ("GET", "/users/{user}", self.user),
            ("POST", "/users/@me/channels", self.open_dm),
            ("GET", commands, self.commands),
            ("PUT", commands, self.put_commands),
            ("POST", commands, self.post_command),
            ("PATCH", commands + "/{command}", self.patch_command),
            ("DELETE", commands + "/{command}", self.delete_command),
            ("GET", "/guilds/{guild}", self.guild),
            ("GET", "/guilds/{guild}/channels", self.guild_channels),
            ("GET", "/guilds/{guild}/roles", self.guild_roles),
            ("GET", "/guilds/{guild}/threads/active", self.guild_threads),
            ("GET", "/guilds/{guild}/members/{user}", self.guild_member),
            ("GET", channel, self.channel),
            ("POST", channel + "/typing", self.typing),
            ("PUT", channel + "/thread-members/@me", self.join_thread),
            ("GET", channel + "/messages", self.messages),
            ("POST", channel + "/messages", self.post_message),
            ("GET", message, self.message),
            ("PATCH", message, self.patch_message),
            ("DELETE", message, self.delete_message),
            ("PUT", message + "/reactions/{emoji}/@me", self.react),
            ("DELETE", message + "/reactions/{emoji}/@me", self.unreact),
        ):
            app.router.add_route(method, BASE + path, handler)  # type: ignore[arg-type]

    # -- Around every request -------------------------------------------------------------------------------------

    @web.middleware
    async def guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Token, rate limits, faults that a test wants, and Discord's way to say no."""
        if not request.path.startswith(BASE):
            return await handler(request)  # type: ignore[no-any-return]
        resource = request.match_info.route.resource
        route = f"{request.method} {resource.canonical.removeprefix(BASE) if resource else request.path}"
        headers = {"Via": "1.1 google"}
        fake = self._fake
        try:
            fake.noted(route, request.path, await body_of(request))
            if (held := fake.held.get(route)) is not None:
                await held.wait()
            if fake.offline:
                assert request.transport is not None
                request.transport.abort()
            if (status := fake.failing.pop(route)) is not None:
                return answered({"message": "as a test wants", "code": 0}, status=status, headers=headers)
            if resource is None:
                raise Refused(404, 0, f"404: Not Found ({route})")
            no_token = request.path.startswith(_NO_TOKEN)
            if not no_token and request.headers.get("Authorization") != f"Bot {fake.token}":
                raise Refused(401, 0, "401: Unauthorized")
            if (limited := self._limits.refusal(route, request, headers)) is not None:
                return limited
            result = await handler(request)
        except Refused as fault:
            fake.blamed(request.method, request.path, fault.status, fault.code, f"{fault.message} {fault.errors or ''}")
            return answered(fault.body(), status=fault.status, headers=headers)
        except Exception as error:
            fake.blamed(request.method, request.path, 500, 0, f"the fake itself failed: {error!r}")
            raise
        finally:
            fake.tick()
        if result is None:
            return web.Response(status=204, headers=headers)
        return answered(result, headers=headers)

    # -- The app --------------------------------------------------------------------------------------------------

    async def gateway(self, _: web.Request) -> Any:
        return {"url": self._fake.gateway_url}

    async def gateway_bot(self, _: web.Request) -> Any:
        left = 1000 - len(self._fake.gateway.identifies)
        limit = {"total": 1000, "remaining": left, "reset_after": 86_400_000, "max_concurrency": 16}
        return {"url": self._fake.gateway_url, "shards": self._fake.advised_shards, "session_start_limit": limit}

    async def application(self, _: web.Request) -> Any:
        fake = self._fake
        return {
            **{"id": str(fake.application_id), "name": fake.me_user.name, "icon": None, "description": ""},
            **{"bot_public": True, "bot_require_code_grant": False, "verify_key": "00" * 32, "flags": fake.flags},
            **{"summary": "", "team": None, "owner": fake.me_user.payload(), "rpc_origins": [], "hook": True},
            "bot": fake.me_user.payload(),
        }

    async def me(self, _: web.Request) -> Any:
        return self._fake.me_user.payload() | {"verified": True, "mfa_enabled": False, "flags": 0, "email": None}

    async def user(self, request: web.Request) -> Any:
        if (user := self._fake.users.get(_id(request, "user"))) is None:
            raise Refused(404, 10013, "Unknown User")
        return user.payload()

    async def open_dm(self, request: web.Request) -> Any:
        form = Form()
        form.keys([], await body_of(request), ("recipient_id",), ("recipient_id",))
        form.done()
        user = self._fake.users.get(int((await body_of(request))["recipient_id"]))
        if user is None or user.bot:
            raise Refused(400, INVALID_FORM, "Invalid Recipient(s)")
        return self._fake.dm(user).payload()

    # -- Commands -------------------------------------------------------------------------------------------------

    def _app(self, request: web.Request) -> None:
        if _id(request, "application") != self._fake.application_id:
            raise Refused(403, 20012, "You are not authorized to perform this action on this application")

    def _register(self, command: dict[str, Any]) -> dict[str, Any]:
        """Over the one of the same name and type, which keeps its id."""
        fake = self._fake
        old = next((c for c in fake.commands if _key(c) == _key(command)), None)
        fresh = fake.clock.snowflake()
        return registered(command, int(old["id"]) if old else fresh, fresh, fake.application_id)

    async def commands(self, request: web.Request) -> Any:
        self._app(request)
        if request.query.get("with_localizations", "").lower() in ("true", "1"):
            return self._fake.commands
        return [without_localizations(command) for command in self._fake.commands]

    async def put_commands(self, request: web.Request) -> Any:
        self._app(request)
        body = await body_of(request)
        check_commands(body)
        self._fake.command_writes.append(body)
        self._fake.commands = [self._register(command) for command in body]
        return self._fake.commands

    async def post_command(self, request: web.Request) -> Any:
        self._app(request)
        check_command(await body_of(request))
        self._fake.command_writes.append(await body_of(request))
        command = self._register(await body_of(request))
        self._fake.commands = [c for c in self._fake.commands if c["id"] != command["id"]] + [command]
        return command

    def _command(self, request: web.Request) -> dict[str, Any]:
        self._app(request)
        found = next((c for c in self._fake.commands if c["id"] == request.match_info["command"]), None)
        if found is None:
            raise Refused(404, 10063, "Unknown application command")
        return found

    async def patch_command(self, request: web.Request) -> Any:
        old = self._command(request)
        keep = ("type", "name", "description", "options", "contexts", "integration_types", "default_member_permissions")
        new = {key: old[key] for key in keep if old.get(key)} | await body_of(request)
        check_command(new)
        self._fake.command_writes.append(await body_of(request))
        old.update(registered(new, int(old["id"]), self._fake.clock.snowflake(), self._fake.application_id))
        return old

    async def delete_command(self, request: web.Request) -> None:
        self._fake.commands.remove(self._command(request))
        self._fake.command_writes.append(None)

    # -- Servers --------------------------------------------------------------------------------------------------

    def _guild(self, request: web.Request) -> Guild:
        guild = self._fake.guilds.get(_id(request, "guild"))
        if guild is None or not guild.installed:
            raise Refused(404, 10004, "Unknown Guild")
        return guild

    async def guild(self, request: web.Request) -> Any:
        payload = self._guild(request).payload(self._fake.me_user)
        return {key: payload[key] for key in payload.keys() - {"channels", "members", "threads", "presences"}}

    async def guild_channels(self, request: web.Request) -> Any:
        return [c.payload() for c in self._guild(request).channels.values() if not c.is_thread]

    async def guild_roles(self, request: web.Request) -> Any:
        return [role.payload() for role in self._guild(request).roles.values()]

    async def guild_threads(self, request: web.Request) -> Any:
        seen = [c for c in self._guild(request).channels.values() if c.is_thread and self._may(c, VIEW_CHANNEL)]
        return {"threads": [c.payload() for c in seen if not c.archived], "members": []}

    async def guild_member(self, request: web.Request) -> Any:
        member = self._guild(request).members.get(_id(request, "user"))
        if member is None:
            raise Refused(404, 10007, "Unknown Member")
        return member.payload()

    # -- Channels -------------------------------------------------------------------------------------------------

    def _may(self, channel: Channel, bit: int) -> bool:
        return bool(permissions(self._fake.me_user, channel) & bit)

    def _channel(self, request: web.Request) -> Channel:
        channel = self._fake.channels.get(_id(request, "channel"))
        if channel is None:
            raise Refused(404, 10003, "Unknown Channel")
        if not self._may(channel, VIEW_CHANNEL) or (channel.guild is None and channel.type != DM):
            raise Refused(403, 50001, "Missing Access")
        return channel

    def _message(self, request: web.Request, channel: Channel) -> Message:
        message = channel.messages.get(_id(request, "message"))
        if message is None or message.seen_by is not None:
            raise Refused(404, 10008, "Unknown Message")
        return message

    async def channel(self, request: web.Request) -> Any:
        return self._channel(request).payload()

    async def typing(self, request: web.Request) -> None:
        self._writable(self._channel(request))

    async def join_thread(self, request: web.Request) -> None:
        channel = self._channel(request)
        if not channel.is_thread:
            raise Refused(400, 50024, "Cannot execute action on this channel type")
        channel.people.append(self._fake.me_user)

    async def messages(self, request: web.Request) -> Any:
        channel = self._channel(request)
        limit = request.query.get("limit", "50")
        if not limit.isdecimal() or not 1 <= int(limit) <= 100:
            form = Form()
            form.fault(["limit"], "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
            form.done()
        if not self._may(channel, READ_MESSAGE_HISTORY):
            return []
        ids = sorted(id_ for id_, message in channel.messages.items() if message.seen_by is None)
        before, after = request.query.get("before"), request.query.get("after")
        if around := request.query.get("around"):
            raise Refused(501, 0, f"The fake has no around={around}")
        if after is not None:
            ids = [id_ for id_ in ids if id_ > int(after)][: int(limit)]
        else:
            ids = [id_ for id_ in ids if before is None or id_ < int(before)][-int(limit) :]
        shown = [channel.messages[id_] for id_ in reversed(ids)]
        return [m.payload(emptied=self._fake.emptied(m, self._fake.message_content)) for m in shown]

    async def message(self, request: web.Request) -> Any:
        channel = self._channel(request)
        if not self._may(channel, READ_MESSAGE_HISTORY):
            raise Refused(403, 50001, "Missing Access")
        message = self._message(request, channel)
        return message.payload(emptied=self._fake.emptied(message, self._fake.message_content))

    def _writable(self, channel: Channel) -> None:
        if channel.guild is None and not channel.people[0].accepts_dms:
            raise Refused(403, 50007, "Cannot send messages to this user")
        if channel.type not in (0, DM, 2, 5, 10, 11, 12):
            raise Refused(400, 50008, "Cannot send messages in a non-text channel")
        if not may_send(self._fake.me_user, channel):
            raise Refused(403, 50013, "Missing Permissions")
        if channel.locked and not self._may(channel, MANAGE_THREADS):
            raise Refused(403, 160005, "Thread is locked")

    async def post_message(self, request: web.Request) -> Any:
        channel, body = self._channel(request), await body_of(request)
        self._writable(channel)
        check_message(body, MESSAGE_KEYS, POST_FLAGS)
        reference = body.get("message_reference")
        if reference is not None and not self._may(channel, READ_MESSAGE_HISTORY):
            raise Refused(403, 160002, "Cannot reply without permission to read message history")
        nonce = body.get("nonce")
        if body.get("enforce_nonce") and nonce is not None:
            for message in channel.messages.values():
                if message.author is self._fake.me_user and str(message.nonce) == str(nonce):
                    return message.payload()
        channel.archived = False
        message = await self._fake.post(channel, body)
        return message.payload()

    async def patch_message(self, request: web.Request) -> Any:
        channel = self._channel(request)
        message = self._message(request, channel)
        if message.author is not self._fake.me_user:
            raise Refused(403, 50005, "Cannot edit a message authored by another user")
        check_message(await body_of(request), EDIT_KEYS, EDIT_FLAGS, old_flags=message.flags, edit=True)
        await self._fake.change(message, await body_of(request))
        return message.payload()

    async def delete_message(self, request: web.Request) -> None:
        channel = self._channel(request)
        message = self._message(request, channel)
        if message.author is not self._fake.me_user:
            if channel.guild is None:
                raise Refused(403, 50003, "Cannot execute action on a DM channel")
            if not self._may(channel, MANAGE_MESSAGES):
                raise Refused(403, 50013, "Missing Permissions")
        await self._fake.remove(message)

    async def react(self, request: web.Request) -> None:
        channel = self._channel(request)
        message = self._message(request, channel)
        if not self._may(channel, READ_MESSAGE_HISTORY) or not self._may(channel, ADD_REACTIONS):
            raise Refused(403, 50013, "Missing Permissions")
        if message.flags & LOADING:
            raise Refused(400, 50021, "Cannot execute action on a system message")
        message.reactions.append(request.match_info["emoji"])

    async def unreact(self, request: web.Request) -> None:
        message = self._message(request, self._channel(request))
        if request.match_info["emoji"] not in message.reactions:
            raise Refused(404, 10014, "Unknown Emoji")
        message.reactions.remove(request.match_info["emoji"])


def _key(command: dict[str, Any]) -> tuple[int, str]:
    return command.get("type", 1), command["name"]


def _id(request: web.Request, name: str) -> int:
    text = request.match_info[name]
    if not text.isdecimal():
        form = Form()
        form.fault([f"{name}_id"], "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
        form.done()
    return int(text)
