"""What people do on the fake Discord: talk, type commands, press buttons, open threads, invite the bot."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from tests import discord_fake_gateway as gw
from tests.discord_fake_commands import BOOLEAN, CHANNEL, CHAT, INTEGER, MESSAGE, STRING, localized
from tests.discord_fake_components import BUTTON, LINK, SELECT, walk
from tests.discord_fake_replies import AUTOCOMPLETE, COMMAND, COMPONENT, UPDATES_LATER, Interaction
from tests.discord_fake_world import (
    ADMINISTRATOR,
    DM,
    FORUM,
    GROUP_DM,
    LOADING,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    USE_APPLICATION_COMMANDS,
    USE_EXTERNAL_APPS,
    VIEW_CHANNEL,
    Channel,
    Guild,
    Member,
    Role,
    User,
    may_send,
    mentions,
    permissions,
)
from tests.discord_fake_world import Message as Said

THREAD_STARTER = 21
"""The type of the empty message with which a thread begins that was opened on a message."""

if TYPE_CHECKING:
    from tests.discord_fake import FakeDiscord


class People:
    """Mixed into `FakeDiscord`, whose module says how it's used."""

    # -- The world ------------------------------------------------------------------------------------------------

    def user(
        self: FakeDiscord, name: str, *, locale: str = "en-US", bot: bool = False, installed: bool = False
    ) -> User:
        user = User(self.clock.snowflake(), name, bot, locale, installed=installed)
        self.users[user.id] = user
        return user

    def guild(
        self: FakeDiscord, name: str, owner: User, *, installed: bool = True, shard: int = 0, shards: int = 1
    ) -> Guild:
        """A server that lies on a shard; before the client starts (else `invite`)."""
        id_ = self.clock.snowflake()
        while (id_ >> 22) % shards != shard:
            id_ += 1 << 22
        guild = Guild(id_, name, owner, installed=installed)
        guild.members[owner.id] = Member(owner)
        if installed:
            self._enter(guild)
        self.guilds[guild.id] = guild
        return guild

    def _enter(self: FakeDiscord, guild: Guild) -> None:
        own = self.role(guild, self.me_user.name)
        own.bot = self.me_user
        guild.members[self.me_user.id] = Member(self.me_user, [own])

    def role(self: FakeDiscord, guild: Guild, name: str, permissions: int = 0) -> Role:
        role = Role(self.clock.snowflake(), name, permissions)
        guild.roles[role.id] = role
        return role

    def join(self, guild: Guild, user: User, *roles: Role) -> User:
        guild.members[user.id] = Member(user, list(roles))
        return user

    def channel(
        self: FakeDiscord,
        guild: Guild,
        name: str,
        *,
        type: int = TEXT,
        overwrites: dict[Any, tuple[int, int]] | None = None,
    ) -> Channel:
        """`overwrites`: a role or a user -> (allowed, denied)."""
        channel = Channel(self.clock.snowflake(), type, name, guild)
        channel.overwrites = {thing.id: bits for thing, bits in (overwrites or {}).items()}
        guild.channels[channel.id] = self.channels[channel.id] = channel
        return channel

    def thread(
        self: FakeDiscord, parent: Channel, name: str, *, private: bool = False, people: tuple[User, ...] = ()
    ) -> Channel:
        """One that is there before the client starts; else `open_thread`."""
        thread = Channel(
            self.clock.snowflake(), PRIVATE_THREAD if private else PUBLIC_THREAD, name, parent.guild, parent
        )
        thread.people = list(people)
        assert parent.guild is not None
        parent.guild.channels[thread.id] = self.channels[thread.id] = thread
        return thread

    def group(self: FakeDiscord, *people: User) -> Channel:
        """A group DM, where no bot can be."""
        group = Channel(self.clock.snowflake(), GROUP_DM, people=list(people))
        self.channels[group.id] = group
        return group

    async def open_thread(
        self: FakeDiscord, parent: Channel, user: User, name: str, *, private: bool = False, on: Said | None = None
    ) -> Channel:
        thread = self.thread(parent, name, private=private, people=(user,))
        thread.creator = user
        if on is not None:  # it has the id of its message
            assert parent.guild is not None
            del parent.guild.channels[thread.id], self.channels[thread.id]
            thread.id = on.id
            parent.guild.channels[thread.id] = self.channels[thread.id] = thread
        await self._channel_event("THREAD_CREATE", thread)
        if on is not None:
            starter = Said(self.clock.snowflake(), thread, user, reply_to=on, reference=on.id, type=THREAD_STARTER)
            thread.messages[starter.id] = starter
            await self.tell("MESSAGE_CREATE", starter)
        return thread

    async def forum_post(self: FakeDiscord, forum: Channel, user: User, title: str, text: str) -> tuple[Channel, Said]:
        assert forum.type == FORUM
        thread = await self.open_thread(forum, user, title)
        message = await self.say(thread, user, text, id_=thread.id)
        return thread, message

    async def archive(self: FakeDiscord, thread: Channel, *, locked: bool = False) -> None:
        thread.archived, thread.locked = True, locked
        await self._channel_event("THREAD_UPDATE", thread)

    async def _channel_event(self: FakeDiscord, event: str, channel: Channel) -> None:
        guild = channel.guild
        assert guild is not None
        if guild.installed and permissions(self.me_user, channel) & VIEW_CHANNEL:
            await self.gateway.dispatch(event, guild.id, gw.GUILDS, lambda _: channel.payload(self.me_user))

    async def add_channel(self: FakeDiscord, guild: Guild, name: str) -> Channel:
        channel = self.channel(guild, name)
        await self._channel_event("CHANNEL_CREATE", channel)
        return channel

    async def remove_channel(self: FakeDiscord, channel: Channel) -> None:
        event = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        await self._channel_event(event, channel)
        assert channel.guild is not None
        del self.channels[channel.id], channel.guild.channels[channel.id]

    async def invite(self: FakeDiscord, guild: Guild) -> None:
        """The bot joins a server while it's running."""
        guild.installed = True
        self._enter(guild)
        await self.gateway.dispatch("GUILD_CREATE", guild.id, gw.GUILDS, lambda _: guild.payload(self.me_user))

    async def outage(self: FakeDiscord, guild: Guild) -> None:
        """Discord loses a server for a while; `back` ends it."""
        lost = {"id": str(guild.id), "unavailable": True}
        await self.gateway.dispatch("GUILD_DELETE", guild.id, gw.GUILDS, lambda _: lost)

    async def back(self: FakeDiscord, guild: Guild) -> None:
        await self.gateway.dispatch("GUILD_CREATE", guild.id, gw.GUILDS, lambda _: guild.payload(self.me_user))

    async def throw_out(self: FakeDiscord, guild: Guild) -> None:
        guild.installed = False
        del guild.members[self.me_user.id]
        await self.gateway.dispatch("GUILD_DELETE", guild.id, gw.GUILDS, lambda _: {"id": str(guild.id)})

    # -- Talking --------------------------------------------------------------------------------------------------

    async def say(
        self: FakeDiscord,
        channel: Channel,
        user: User,
        text: str,
        *,
        reply_to: Said | None = None,
        ping: bool = False,
        ago: float = 0.0,
        webhook: bool = False,
        id_: int = 0,
        kind: int = 0,
    ) -> Said:
        """`ping`: whether a reply pings; `ago`: sent so many seconds ago; `webhook`: by a relay in their name;
        `kind`: Discord's type of a message that it writes itself, such as 7 when somebody joins.
        """
        assert webhook or user is self.me_user or may_send(user, channel), f"{user.name} can't write there"
        message = Said(id_ or self.clock.snowflake(ago), channel, user, text, reply_to=reply_to)
        message.type = kind or (19 if reply_to else 0)
        message.reference = reply_to.id if reply_to else None
        message.webhook = self.clock.snowflake() if webhook else None
        _, people, _ = mentions(text, channel, self.users)
        message.mentioned = tuple(dict.fromkeys([*people, *([reply_to.author] if reply_to and ping else [])]))
        if channel.archived:  # whoever may write there opens it by that
            channel.archived = False
            await self._channel_event("THREAD_UPDATE", channel)
        channel.messages[message.id] = message
        await self.tell("MESSAGE_CREATE", message)
        return message

    async def edit(self: FakeDiscord, message: Said, text: str) -> None:
        message.content, message.edited = text, self.clock.now()
        message.mentioned = tuple(mentions(text, message.channel, self.users)[1])
        await self.tell("MESSAGE_UPDATE", message)

    async def unfurl(self: FakeDiscord, message: Said) -> None:
        """Discord adds a preview of a link: an update without an edit."""
        message.embeds = [{"type": "link", "url": "https://example.org/", "title": "Example"}]
        await self.tell("MESSAGE_UPDATE", message)

    async def delete(self: FakeDiscord, message: Said) -> None:
        await self.remove(message)

    # -- Interactions ---------------------------------------------------------------------------------------------

    def _command(self: FakeDiscord, user: User, channel: Channel, name: str, kind: int) -> dict[str, Any]:
        """The command, if Discord offers it to this person here; else AssertionError."""
        found = next((c for c in self.commands if c["name"] == name and c["type"] == kind), None)
        assert found is not None, f"{name} isn't registered; there are {[c['name'] for c in self.commands]}"
        guild = channel.guild
        context = 0 if guild else 1 if channel.type == DM and channel is self.dm(user) else 2
        contexts = found["contexts"] or [0, 1, 2]
        assert context in contexts, f"{name} isn't offered in context {context}"
        for_user = user.installed and 1 in found["integration_types"]
        for_guild = (guild is None or guild.installed) and context != 2 and 0 in found["integration_types"]
        assert for_user or for_guild, f"{name} isn't installed there"
        if guild is not None:
            may = permissions(user, channel)
            assert may & USE_APPLICATION_COMMANDS, f"{user.name} may use no commands there"
            wanted = int(found["default_member_permissions"] or 0)
            by_setting = (guild, user, name) in self.command_allowed
            assert may & wanted == wanted or by_setting or may & ADMINISTRATOR, f"{user.name} may not use {name}"
        return found

    async def slash(
        self: FakeDiscord, user: User, channel: Channel, name: str, /, *, wait: bool = True, **options: Any
    ) -> Interaction:
        """Options by name: text, number, bool or Channel; a choice by its value."""
        command = self._command(user, channel, name, CHAT)
        known = {option["name"]: option for option in command.get("options", [])}
        assert options.keys() <= known.keys(), f"{name} has no option {options.keys() - known.keys()}"
        missing = [n for n, option in known.items() if option.get("required") and n not in options]
        assert not missing, f"{name} needs {missing}"
        resolved: dict[str, Any] = {}
        given = [self._option(known[n], value, user, resolved) for n, value in options.items()]
        data = {"id": command["id"], "name": name, "type": CHAT, "options": given, "resolved": resolved}
        return await self._interact(user, channel, COMMAND, data, wait=wait)

    def _option(
        self: FakeDiscord, option: dict[str, Any], value: Any, user: User, resolved: dict[str, Any]
    ) -> dict[str, Any]:
        kind, label = option["type"], option["name"]
        if kind == CHANNEL:
            assert option.get("channel_types") is None or value.type in option["channel_types"], "not offered"
            resolved["channels"] = {str(value.id): value.payload() | {"permissions": str(permissions(user, value))}}
            value = str(value.id)
        else:
            wanted = {STRING: str, INTEGER: int, BOOLEAN: bool}[kind]
            assert type(value) is wanted, f"{label} takes {wanted}"
        if choices := option.get("choices"):
            assert value in [choice["value"] for choice in choices], f"{label} has no choice {value!r}"
        if kind == INTEGER:
            assert option.get("min_value", value) <= value <= option.get("max_value", value), f"{label}: {value}"
        if kind == STRING:
            assert option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000), f"{label}: {len(value)}"
        return {"name": label, "type": kind, "value": value}

    async def autocomplete(
        self: FakeDiscord, user: User, channel: Channel, name: str, option: str, text: str, /, **others: Any
    ) -> Interaction:
        """While somebody types into an option."""
        command = self._command(user, channel, name, CHAT)
        known = {option["name"]: option for option in command.get("options", [])}
        assert known[option].get("autocomplete"), f"{option} isn't completed"
        given = [self._option(known[n], value, user, {}) for n, value in others.items()]
        given.append({"name": option, "type": known[option]["type"], "value": text, "focused": True})
        data = {"id": command["id"], "name": name, "type": CHAT, "options": given}
        return await self._interact(user, channel, AUTOCOMPLETE, data)

    async def context_menu(
        self: FakeDiscord, user: User, message: Said, name: str, *, wait: bool = True
    ) -> Interaction:
        """`name`: as this person sees it, or as it's registered."""
        names = {localized(c, "name", user.locale): c["name"] for c in self.commands if c["type"] == MESSAGE}
        command = self._command(user, message.channel, names.get(name, name), MESSAGE)
        target = str(message.id)
        resolved = {"messages": {target: message.payload()}}
        data = {
            "id": command["id"],
            "name": command["name"],
            "type": MESSAGE,
            "target_id": target,
            "resolved": resolved,
        }
        return await self._interact(user, message.channel, COMMAND, data, wait=wait)

    def buttons(self, message: Said) -> list[str]:
        """The labels of the buttons that can be pressed, in the order of reading."""
        return [_label(c) for c in walk(message.components) if c["type"] == BUTTON and not c.get("disabled")]

    def options(self, message: Said) -> list[str]:
        """The labels of all options of the message's menus."""
        return [o["label"] for c in walk(message.components) if c["type"] == SELECT for o in c["options"]]

    async def press(
        self: FakeDiscord, user: User, message: Said, label: str, *, nth: int = 0, wait: bool = True
    ) -> Interaction:
        """By label or custom id; the n-th of those with the same label."""
        self._sees(user, message)
        buttons = [c for c in walk(message.components) if c["type"] == BUTTON and c["style"] != LINK]
        found = [b for b in buttons if label in (_label(b), b["custom_id"]) and not b.get("disabled")]
        assert len(found) > nth, f"no button {label!r} on:\n{self.shown(message)}"
        data = {"custom_id": found[nth]["custom_id"], "component_type": BUTTON, "id": found[nth]["id"]}
        return await self._interact(user, message.channel, COMPONENT, data, on=message, wait=wait)

    async def choose(self: FakeDiscord, user: User, message: Said, label: str, *, wait: bool = True) -> Interaction:
        """An option of a menu, by its label or value."""
        self._sees(user, message)
        for menu in (c for c in walk(message.components) if c["type"] == SELECT and not c.get("disabled")):
            for option in menu["options"]:
                if label in (option["label"], option["value"]):
                    data = {"custom_id": menu["custom_id"], "component_type": SELECT, "id": menu["id"]}
                    data["values"] = [option["value"]]
                    return await self._interact(user, message.channel, COMPONENT, data, on=message, wait=wait)
        raise AssertionError(f"no option {label!r} on:\n{self.shown(message)}")

    def _sees(self, user: User, message: Said) -> None:
        assert not message.deleted, "it's gone"
        assert not message.flags & LOADING, "nothing to press yet"
        assert message.seen_by in (None, user), f"{user.name} doesn't see it"
        assert permissions(user, message.channel) & VIEW_CHANNEL, f"{user.name} doesn't see the channel"

    async def _interact(
        self: FakeDiscord,
        user: User,
        channel: Channel,
        kind: int,
        data: dict[str, Any],
        *,
        on: Said | None = None,
        wait: bool = True,
    ) -> Interaction:
        guild = channel.guild
        interaction = Interaction(
            self.clock.snowflake(), secrets.token_urlsafe(48), kind, user, channel, self.clock.ahead, on
        )
        interaction.guest = guild is not None and not guild.installed
        interaction.hidden = interaction.guest and not permissions(user, channel) & USE_EXTERNAL_APPS
        self.interactions.append(interaction)
        payload = self._payload(interaction, data)
        await self.gateway.dispatch("INTERACTION_CREATE", guild.id if guild else None, 0, lambda _: payload)
        if wait:
            await self.until(lambda: interaction.done, f"an answer to {data.get('name') or data.get('custom_id')}")
            if interaction.response == UPDATES_LATER:  # what changes then is for the app to know
                await self.settled()
        return interaction

    def _payload(self: FakeDiscord, interaction: Interaction, data: dict[str, Any]) -> dict[str, Any]:
        user, channel, guild, on = interaction.user, interaction.channel, interaction.channel.guild, interaction.on
        may = permissions(user, channel)
        own = permissions(self.me_user, channel) if not interaction.guest else may
        owners = {"0": str(guild.id) if guild else "0"} if not interaction.guest and channel.type != GROUP_DM else {}
        owners |= {"1": str(user.id)} if user.installed else {}
        payload: dict[str, Any] = {
            **{"id": str(interaction.id), "application_id": str(self.application_id), "type": interaction.type},
            **{"token": interaction.token, "version": 1, "data": data, "locale": user.locale},
            **{"channel_id": str(channel.id), "channel": channel.payload() | {"permissions": str(may)}},
            **{"app_permissions": str(own), "entitlements": [], "authorizing_integration_owners": owners},
            **{"attachment_size_limit": 10_485_760},
            "context": 0 if guild else 1 if channel.type == DM else 2,
        }
        if guild is None:
            return payload | {"user": user.payload()} | ({"message": on.payload()} if on else {})
        payload |= {
            "guild_id": str(guild.id),
            "guild_locale": guild.locale,
            "member": guild.members[user.id].payload(may),
        }
        payload["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
        return payload | ({"message": on.payload()} if on else {})


def _label(button: dict[str, Any]) -> str:
    return " ".join(part for part in ((button.get("emoji") or {}).get("name", ""), button.get("label", "")) if part)
