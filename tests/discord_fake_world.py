"""What the fake Discord knows: people, servers, channels, messages, who may do what, and how the API writes them."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

VIEW_CHANNEL: Final = 1 << 10
SEND_MESSAGES: Final = 1 << 11
MANAGE_CHANNELS: Final = 1 << 4
MANAGE_MESSAGES: Final = 1 << 13
READ_MESSAGE_HISTORY: Final = 1 << 16
MENTION_EVERYONE: Final = 1 << 17
USE_APPLICATION_COMMANDS: Final = 1 << 31
MANAGE_THREADS: Final = 1 << 34
SEND_MESSAGES_IN_THREADS: Final = 1 << 38
USE_EXTERNAL_APPS: Final = 1 << 50
ADD_REACTIONS: Final = 1 << 6
ADMINISTRATOR: Final = 1 << 3
ALL: Final = (1 << 53) - 1
EVERYONE: Final = (
    *(VIEW_CHANNEL, SEND_MESSAGES, READ_MESSAGE_HISTORY, USE_APPLICATION_COMMANDS, SEND_MESSAGES_IN_THREADS),
    *(USE_EXTERNAL_APPS, ADD_REACTIONS),
)
USUAL: Final = sum(EVERYONE)

TEXT, DM, VOICE, GROUP_DM, NEWS, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 1, 2, 3, 5, 11, 12, 15
THREADS: Final = (10, PUBLIC_THREAD, PRIVATE_THREAD)

CAN_BE_REPLIED_TO: Final = (0, 19, 20, 23)
"""Types of messages: people's, replies, answers to commands and to menu entries. The others are Discord's own."""

SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SUPPRESS_NOTIFICATIONS, IS_COMPONENTS_V2 = 1 << 2, 1 << 6, 1 << 7, 1 << 12, 1 << 15

_EPOCH_MS: Final = 1_420_070_400_000


class Clock:
    """The real time and what a test added to it.

    What Discord bounds (an answer within 3 s) counts only the seconds that a test added: a busy machine is no fault.
    """

    def __init__(self) -> None:
        self.ahead = 0.0
        self._last_id = 0

    def now(self) -> float:
        return time.time() + self.ahead

    def advance(self, seconds: float) -> None:
        self.ahead += seconds

    def snowflake(self, ago: float = 0.0) -> int:
        """A new id, made so many seconds ago."""
        made = int((self.now() - ago) * 1000) - _EPOCH_MS << 22
        if ago:
            return made | (self._next() & 0x3FFFFF)
        self._last_id = max(made, self._last_id + 1)
        return self._last_id

    def _next(self) -> int:
        self._last_id += 1
        return self._last_id


def made_at(snowflake: int) -> float:
    return ((snowflake >> 22) + _EPOCH_MS) / 1000


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@dataclass(eq=False)
class User:
    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"
    accepts_dms: bool = True
    installed: bool = False
    """Has the app as a user install."""

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "."),
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "public_flags": 0,
            "bot": self.bot,
        }

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"


@dataclass(eq=False)
class Role:
    id: int
    name: str
    permissions: int = 0
    bot: User | None = None
    """Whose own role it is: Discord makes one when a bot is invited."""

    def payload(self) -> dict[str, Any]:
        return {
            **{"id": str(self.id), "name": self.name, "permissions": str(self.permissions), "position": 0},
            **{"color": 0, "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}},
            **{"hoist": False, "managed": bool(self.bot), "mentionable": False, "flags": 0},
            **({"tags": {"bot_id": str(self.bot.id)}} if self.bot else {}),
        }


@dataclass(eq=False)
class Member:
    user: User
    roles: list[Role] = field(default_factory=list)
    nick: str | None = None

    def payload(self, permissions: int | None = None, *, with_user: bool = True) -> dict[str, Any]:
        payload: dict[str, Any] = {
            **{"roles": [str(role.id) for role in self.roles], "nick": self.nick, "avatar": None, "flags": 0},
            **{"joined_at": iso(1_700_000_000), "premium_since": None, "deaf": False, "mute": False, "pending": False},
            **{"communication_disabled_until": None},
        }
        if with_user:
            payload["user"] = self.user.payload()
        if permissions is not None:
            payload["permissions"] = str(permissions)
        return payload


@dataclass(eq=False)
class Guild:
    id: int
    name: str
    owner: User
    locale: str = "en-US"
    installed: bool = True
    """The bot is a member."""
    everyone: Role = field(init=False)
    members: dict[int, Member] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.everyone = self.roles[self.id] = Role(self.id, "@everyone", USUAL)

    def payload(self, me: User) -> dict[str, Any]:
        """Of GUILD_CREATE: the channels that the bot sees, and of the members only itself, as without their intent."""
        seen = [c for c in self.channels.values() if permissions(me, c) & VIEW_CHANNEL]
        return {
            **{"id": str(self.id), "name": self.name, "owner_id": str(self.owner.id), "preferred_locale": self.locale},
            **{
                "unavailable": False,
                "member_count": len(self.members),
                "large": False,
                "joined_at": iso(1_700_000_000),
            },
            **{"roles": [role.payload() for role in self.roles.values()], "emojis": [], "stickers": [], "features": []},
            "members": [self.members[me.id].payload()],
            "channels": [c.payload() for c in seen if c.type not in THREADS],
            "threads": [c.payload(me) for c in seen if c.type in THREADS and not c.archived],
            **{"presences": [], "voice_states": [], "stage_instances": [], "guild_scheduled_events": []},
            **{"soundboard_sounds": [], "icon": None, "splash": None, "banner": None, "description": None},
            **{"verification_level": 0, "default_message_notifications": 1, "explicit_content_filter": 0},
            **{"mfa_level": 0, "nsfw_level": 0, "premium_tier": 0, "afk_timeout": 300, "afk_channel_id": None},
            **{"system_channel_id": None, "system_channel_flags": 0, "application_id": None, "rules_channel_id": None},
            **{"public_updates_channel_id": None, "vanity_url_code": None},
        }


@dataclass(eq=False)
class Channel:
    id: int
    type: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    people: list[User] = field(default_factory=list)
    """The other side of a DM; the members of a group DM or of a private thread."""
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Id of a role or a member -> (allowed, denied)."""
    archived: bool = False
    locked: bool = False
    messages: dict[int, Message] = field(default_factory=dict)
    creator: User | None = None

    @property
    def is_thread(self) -> bool:
        return self.type in THREADS

    def payload(self, me: User | None = None) -> dict[str, Any]:
        """`me`: a thread says since when this member is in it."""
        last = max((id_ for id_, m in self.messages.items() if m.seen_by is None), default=None)
        payload: dict[str, Any] = {
            **{"id": str(self.id), "type": self.type, "last_message_id": str(last) if last else None, "flags": 0},
        }
        if self.guild is None:
            others = [user.payload() for user in self.people]
            return {**payload, "recipients": others} | ({"name": None, "icon": None} if self.type == GROUP_DM else {})
        payload |= {"guild_id": str(self.guild.id), "name": self.name, "rate_limit_per_user": 0}
        payload["parent_id"] = str(self.parent.id) if self.parent else None
        if not self.is_thread:
            return payload | {
                **{"position": 0, "nsfw": False, "topic": None, "default_auto_archive_duration": 1440},
                "permission_overwrites": [
                    {"id": str(id_), "type": int(id_ not in self.guild.roles), "allow": str(allow), "deny": str(deny)}
                    for id_, (allow, deny) in self.overwrites.items()
                ],
                **({"bitrate": 64_000, "user_limit": 0, "rtc_region": None} if self.type == VOICE else {}),
                **({"available_tags": [], "default_reaction_emoji": None} if self.type == FORUM else {}),
            }
        return payload | {
            "owner_id": str(self.creator.id if self.creator else self.guild.owner.id),
            **{"message_count": len(self.messages), "total_message_sent": len(self.messages), "member_count": 1},
            "thread_metadata": {
                **{"archived": self.archived, "locked": self.locked, "auto_archive_duration": 1440},
                **{"archive_timestamp": iso(made_at(self.id)), "create_timestamp": iso(made_at(self.id))},
            },
            "applied_tags": [],
            **({"member": {"join_timestamp": iso(made_at(self.id)), "flags": 0}} if me in self.people else {}),
        }


@dataclass(eq=False)
class Message:
    id: int
    channel: Channel
    author: User
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    embeds: list[dict[str, Any]] = field(default_factory=list)
    flags: int = 0
    reply_to: Message | None = None
    reference: int | None = None
    """The id that it replies to, also when that's gone."""
    type: int = 0
    webhook: int | None = None
    seen_by: User | None = None
    """An ephemeral message: nobody else sees it, and it isn't in the channel."""
    pings: tuple[str, ...] = ()
    """Whom it notified: `everyone`, `role:ID` and names of people."""
    mentioned: tuple[User, ...] = ()
    nonce: str | int | None = None
    edited: float | None = None
    deleted: bool = False
    reactions: list[str] = field(default_factory=list)
    asked_by: dict[str, Any] | None = None
    """What is told of the interaction that it answers."""
    versions: int = 1
    forwards: str = ""
    """The text of a message that it forwards."""

    @property
    def silent(self) -> bool:
        return bool(self.flags & SUPPRESS_NOTIFICATIONS)

    @property
    def ephemeral(self) -> bool:
        return self.seen_by is not None

    @property
    def url(self) -> str:
        guild = self.channel.guild
        return f"https://discord.com/channels/{guild.id if guild else '@me'}/{self.channel.id}/{self.id}"

    def payload(self, *, emptied: bool = False, nested: bool = False) -> dict[str, Any]:
        """`emptied`: as an app without the message content intent gets it."""
        guild = self.channel.guild
        payload: dict[str, Any] = {
            **{"id": str(self.id), "channel_id": str(self.channel.id), "type": self.type, "flags": self.flags},
            **{"content": "" if emptied else self.content, "components": [] if emptied else self.components},
            **{"embeds": [] if emptied else self.embeds, "attachments": [], "tts": False, "pinned": False},
            **{"author": self.author.payload(), "timestamp": iso(made_at(self.id))},
            **{"edited_timestamp": iso(self.edited) if self.edited else None, "mention_roles": []},
            **{"mention_everyone": "everyone" in self.pings, "mentions": [u.payload() for u in self.mentioned]},
        }
        if self.forwards:
            payload["message_snapshots"] = [{"message": {"content": self.forwards, "embeds": [], "components": []}}]
        if self.webhook:
            payload["webhook_id"] = str(self.webhook)
            payload["author"] |= {"id": str(self.webhook)}
        if self.nonce is not None and not nested:
            payload["nonce"] = self.nonce
        if self.asked_by is not None:
            payload["interaction_metadata"] = self.asked_by
        if self.reference is not None:
            payload["message_reference"] = {"type": 0, "message_id": str(self.reference)} | {
                "channel_id": str(self.channel.id),
                **({"guild_id": str(guild.id)} if guild else {}),
            }
            if not nested:
                there = self.reply_to is not None and not self.reply_to.deleted
                payload["referenced_message"] = self.reply_to.payload(nested=True) if there and self.reply_to else None
        return payload


def permissions(user: User, channel: Channel) -> int:
    """What somebody may do in a channel: roles, then the overwrites of everyone, of the roles, of the member."""
    guild = channel.guild
    if guild is None:
        return ALL if user.bot or user in channel.people else 0
    member = guild.members.get(user.id)
    if member is None:
        return 0
    if guild.owner is user:
        return ALL
    allowed = guild.everyone.permissions
    for role in member.roles:
        allowed |= role.permissions
    if allowed & ADMINISTRATOR:
        return ALL
    overwrites = (channel.parent if channel.is_thread and channel.parent else channel).overwrites
    layers = [[guild.id], [role.id for role in member.roles], [user.id]]
    for layer in layers:
        mine = [overwrites[id_] for id_ in layer if id_ in overwrites]
        allowed &= ~sum_of(deny for _, deny in mine)
        allowed |= sum_of(allow for allow, _ in mine)
    hidden = channel.type == PRIVATE_THREAD and user not in channel.people and not allowed & MANAGE_THREADS
    return 0 if hidden or not allowed & VIEW_CHANNEL else allowed


def sum_of(bits: Any) -> int:
    total = 0
    for bit in bits:
        total |= bit
    return total


def may_send(user: User, channel: Channel) -> bool:
    wanted = SEND_MESSAGES_IN_THREADS if channel.is_thread else SEND_MESSAGES
    return bool(permissions(user, channel) & wanted)


_MENTION: Final = re.compile(r"@(everyone|here)|<@!?(\d+)>|<@&(\d+)>")


def mentions(text: str, channel: Channel, users: dict[int, User]) -> tuple[bool, list[User], list[int]]:
    """What a text mentions: everybody, people, ids of roles. As Discord reads it, not within code."""
    bare = re.sub(r"\\(.)|```.*?```|(`+)[^`].*?\2", "", text, flags=re.DOTALL)
    found = list(_MENTION.finditer(bare))
    people = [users[int(m[2])] for m in found if m[2] and int(m[2]) in users]
    return any(m[1] for m in found), list(dict.fromkeys(people)), [int(m[3]) for m in found if m[3]]
