"""Who asks, and where: Slack's payloads -> Person, Place and Request."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from slack_bolt.context.async_context import AsyncBoltContext

from adapters.slack.people import Known
from adapters.slack.workspace import Workspace
from bot.errors import ButtonError
from bot.request import Person, Place, Request, decode

PLATFORM: Final = "slack"

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """Who did something, and where."""

    person: Person
    place: Place
    name: str = ""
    """As the payload has it; not the name that people see, so only where that isn't known."""
    direct: bool = False
    """In the conversation of one person with the bot."""

    def inside(self, thread: str | None) -> Origin:
        return replace(self, place=replace(self.place, thread=thread))


def of_command(body: Json, workspace: Workspace) -> Origin:
    """A slash command. Slack doesn't let people use them in threads."""
    return Origin(
        Person(PLATFORM, body.get("enterprise_id") or body["team_id"], body["user_id"]),
        Place(PLATFORM, workspace.tenant, body["channel_id"]),
        body.get("user_name") or "",
    )


def of_event(event: Json, context: AsyncBoltContext, workspace: Workspace, user: str) -> Origin:
    """`event` has a channel. `user` acts in it; in a channel shared with others perhaps somebody of another company."""
    home = context.actor_enterprise_id or context.actor_team_id
    home = home or event.get("user_team") or context.enterprise_id or context.team_id or ""
    channel = event["channel"]
    kind = event.get("channel_type")
    direct = kind in ("im", "app_home") or (kind is None and channel.startswith("D"))
    return Origin(
        Person(PLATFORM, home, user), Place(PLATFORM, workspace.tenant, channel, thread_of(event)), "", direct
    )


def of_interaction(body: Json, workspace: Workspace, channel: str = "", thread: str | None = None) -> Origin:
    """A button, a menu, a shortcut or a modal. A modal and the App Home stand in no channel of their own."""
    user = body["user"]
    home = (body.get("enterprise") or {}).get("id") or user.get("team_id") or workspace.tenant
    return Origin(
        Person(PLATFORM, home, user["id"]),
        Place(PLATFORM, workspace.tenant, channel, thread),
        user.get("name") or user.get("username") or "",
    )


def thread_of(message: Json) -> str | None:
    """The thread that a message stands in. The message that opened it doesn't."""
    thread: str | None = message.get("thread_ts")
    return thread if thread != message.get("ts") else None


def request(origin: Origin, action: str, known: Known | None, **how: Any) -> Request:
    """`how`: what else there is to say, as in `Request`."""
    now = datetime.now(UTC)
    return Request(
        person=origin.person,
        place=origin.place,
        action=action,
        locale=known.locale if known else None,
        name=(known.name if known else "") or origin.name,
        today=now.date(),
        now=now,
        chance=random.random(),
        direct=origin.direct,
        **how,
    )


def pressed(origin: Origin, value: str, known: Known | None, *, public: bool = False, on: str = "") -> Request:
    """A button with this string. One that isn't ours is answered, too."""
    try:
        press = decode(value)
    except ButtonError:
        return request(origin, "unknown-command", known, by="button", public=public)
    return request(origin, press.action, known, press=press, by="button", public=public, on=on)
