"""What a Slack has in it: workspaces with people, channels, messages, views, and the app that is installed there."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from tests.slack_fake_blocks import pressable, words

Json: TypeAlias = dict[str, Any]

APP: Final = "A0JARGON"
"""Id of the app under test. Every other app is a stranger."""

READS: Final = frozenset({"channels:history", "groups:history", "im:history", "mpim:history"})
SCOPES: Final = READS | frozenset(
    (
        *("app_mentions:read", "channels:read", "chat:write", "commands", "groups:read", "im:read", "im:write"),
        *("mpim:read", "users:read"),
    )
)
"""Of an app that may read messages."""

EVENTS: Final = frozenset(
    (
        *("app_home_opened", "app_mention", "app_uninstalled", "tokens_revoked", "member_joined_channel"),
        *("message.channels", "message.groups", "message.im", "message.mpim"),
    )
)

TRIGGER_SECONDS: Final = 3
URL_SECONDS: Final = 30 * 60
URL_USES: Final = 5

PREFIXES: Final = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}
"""Kind of a conversation -> the start of its scopes and events."""


class Clock:
    """Slack's clock: the machine's, plus what a test lets pass."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._last = 0

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + self.ahead

    def pass_by(self, seconds: float) -> None:
        self.ahead += seconds

    def ts(self, ago: float = 0) -> str:
        """A timestamp that no other message has; `ago`: seconds before now."""
        micros = int((self.now() - ago) * 1_000_000)
        if not ago:
            micros = self._last = max(micros, self._last + 1)
        return f"{micros // 1_000_000}.{micros % 1_000_000:06d}"


@dataclass
class User:
    id: str
    name: str
    team: str
    enterprise: str | None = None
    locale: str = "en-US"
    is_admin: bool = False
    is_guest: bool = False
    is_bot: bool = False


@dataclass
class Message:
    """A message that everybody in its channel sees."""

    ts: str
    channel: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    subtype: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    edited: Json | None = None
    gone: bool = False
    extra: Json = field(default_factory=dict)

    @property
    def says(self) -> str:
        """What stands on the screen: the blocks, or the text where there are none."""
        return words(self.blocks) if self.blocks else self.text

    @property
    def buttons(self) -> list[str]:
        """Labels of everything that can be pressed, options of menus too."""
        return [label for label, *_ in pressable(self.blocks)]

    @property
    def in_thread(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts

    def json(self) -> Json:
        """As in events and histories."""
        optional = {
            **{"thread_ts": self.thread_ts, "subtype": self.subtype, "bot_id": self.bot_id, "app_id": self.app_id},
            **{"edited": self.edited, "blocks": self.blocks or None},
        }
        kept = {key: value for key, value in optional.items() if value is not None}
        return {"type": "message", "user": self.user, "text": self.text, "ts": self.ts, **kept, **self.extra}


@dataclass
class Ephemeral(Message):
    """A message that one person sees: `reader`."""

    reader: str = ""


@dataclass
class Channel:
    id: str
    name: str
    kind: Literal["channel", "group", "im", "mpim"]
    members: set[str]
    messages: dict[str, Message] = field(default_factory=dict)
    is_archived: bool = False

    def thread(self, ts: str) -> list[Message]:
        """A message and its replies, oldest first."""
        kept = [m for m in self.messages.values() if not m.gone and ts in (m.ts, m.thread_ts)]
        return sorted(kept, key=lambda message: message.ts)

    def with_replies(self, message: Message) -> Json:
        """A message that opens a thread says so, and how many replies there are."""
        count = 0 if message.in_thread else len(self.thread(message.ts)) - 1
        return {**message.json(), **({"reply_count": count, "thread_ts": message.ts} if count > 0 else {})}

    def json(self) -> Json:
        kinds = {f"is_{kind}": kind == self.kind for kind in ("channel", "group", "im", "mpim")}
        private = self.kind != "channel"
        return {"id": self.id, "name": self.name, "is_archived": self.is_archived, "is_private": private, **kinds}


@dataclass
class View:
    """A modal, or somebody's App Home."""

    id: str
    user: str
    team: str
    body: Json
    hash: str
    previous: View | None = None
    open: bool = True
    values: Json = field(default_factory=dict)

    @property
    def blocks(self) -> list[Json]:
        blocks: list[Json] = self.body["blocks"]
        return blocks

    @property
    def says(self) -> str:
        """Title, what stands on the screen, and the button that submits it."""
        lines = [self.body.get("title", {}).get("text", ""), words(self.blocks)]
        if "submit" in self.body:
            lines.append(f"[{self.body['submit']['text']}]")
        return "\n".join(filter(None, lines))

    @property
    def buttons(self) -> list[str]:
        return [label for label, *_ in pressable(self.blocks)]

    def json(self) -> Json:
        root = self
        while root.previous:
            root = root.previous
        blocks = [{"block_id": f"b{place}", **block} for place, block in enumerate(self.blocks)]
        return {
            **{"private_metadata": "", "callback_id": "", "external_id": "", **self.body, "blocks": blocks},
            **{"id": self.id, "team_id": self.team, "app_id": APP, "hash": self.hash, "state": {"values": self.values}},
            **{"root_view_id": root.id, "previous_view_id": self.previous.id if self.previous else None},
        }


@dataclass
class Installation:
    """The app in a workspace, or in a whole organisation: who it is there, and what it may do."""

    token: str
    user: str
    bot: str
    teams: tuple[str, ...]
    enterprise: str | None = None
    for_org: bool = False
    scopes: frozenset[str] = SCOPES
    state: Literal["valid", "token_revoked", "account_inactive"] = "valid"
    expires_at: float | None = None
    refresh_token: str | None = None
    used_refresh_tokens: set[str] = field(default_factory=set)


@dataclass
class ResponseUrl:
    """Where an answer to a command or a press can be sent."""

    team: str
    channel: str
    user: str
    made_at: float
    original: Message | None = None
    """The message whose button was pressed."""
    must_say_what: bool = False
    """Of a press: Slack's documents leave open what an answer does to the message if it doesn't say."""
    uses: int = 0


@dataclass
class Trigger:
    team: str
    user: str
    made_at: float
    view: View | None = None
    used: bool = False


@dataclass(frozen=True)
class Violation:
    """Something that Slack refuses, or that this bot promises never to do."""

    where: str
    error: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.error} {self.detail}".strip()


@dataclass(frozen=True)
class Change:
    """Something became different for people."""

    kind: Literal["posted", "changed", "deleted", "opened", "updated", "home", "closed"]
    team: str
    thing: Message | View


@dataclass
class Call:
    """One call of the Web API or of a response_url."""

    method: str
    args: Json
    team: str
    at: float
    response: Json = field(default_factory=dict)
    status: int = 200


class Ids:
    """Ids that look like Slack's and are different from each other."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def new(self, letter: str) -> str:
        return f"{letter}0{next(self._numbers):07d}"
