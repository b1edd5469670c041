"""Reads what was said in a thread or a channel, as far as Slack lets the bot read it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.slack.conversations import refusal
from adapters.slack.hearing import is_ordinary
from adapters.slack.requests import PLATFORM, thread_of
from adapters.slack.text import plain
from adapters.slack.workspace import Workspace
from bot.bot import MAX_READ
from bot.request import Hears, Message, Person, Place

PAGE: Final = 200
"""Messages per call. An app that is distributed outside of Slack's Marketplace gets 15, and one call a minute."""

MAX_CALLS: Final = 25


@dataclass(frozen=True, slots=True)
class Read:
    """What was read, oldest first; of `total` messages, as far as Slack tells how many there are."""

    messages: tuple[Message, ...] = ()
    total: int = 0
    hears: Hears = "all"
    """Not `all`: why nothing could be read."""


async def read_thread(workspace: Workspace, place: Place) -> Read:
    """The last `MAX_READ` messages of the place's thread. Where Slack stops answering, what was read until then."""
    kept: deque[Mapping[str, Any]] = deque(maxlen=MAX_READ)
    count, replies, cursor = 0, 0, ""
    for call in range(MAX_CALLS):
        client = workspace.unhurried if call else workspace.client  # somebody waits for the first page
        try:
            page = await client.conversations_replies(
                channel=place.channel, ts=place.thread or "", limit=PAGE, cursor=cursor or None
            )
        except SlackApiError as error:
            if not kept:
                return Read(hears=refusal(error))
            break
        except (aiohttp.ClientError, TimeoutError):
            break
        found = page.get("messages") or []
        kept.extend(found)
        count += len(found)
        replies = max(replies, *(int(raw.get("reply_count") or 0) for raw in found), 0)
        cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            break
    there = max(count, replies + 1 if replies else 0)
    messages = _people_said(kept, place, workspace)
    return Read(messages, len(messages) if there <= len(kept) else there)


async def read_last(workspace: Workspace, place: Place, count: int) -> Read:
    """The last `count` messages of the place's channel, its threads not included."""
    try:
        page = await workspace.unhurried.conversations_history(channel=place.channel, limit=min(count, MAX_READ))
    except SlackApiError as error:
        return Read(hears=refusal(error))
    except (aiohttp.ClientError, TimeoutError):
        return Read()
    messages = _people_said(reversed(page.get("messages") or []), replace(place, thread=None), workspace)
    return Read(messages, len(messages))


def link_to(workspace: Workspace, channel: str, ts: str, thread: str | None) -> str | None:
    """Where a message can be read; None: the workspace's address isn't known. Asking Slack would be a call for each."""
    if not workspace.url:
        return None
    link = f"{workspace.url}archives/{channel}/p{ts.replace('.', '')}"
    return f"{link}?thread_ts={thread}&cid={channel}" if thread else link


def message_of(raw: Mapping[str, Any], place: Place, author: Person, workspace: Workspace, **how: Any) -> Message:
    """A message of the place's channel; `how`: what else there is to say, as in `Message`."""
    ts, thread = raw["ts"], thread_of(raw)
    return Message(
        id=ts,
        place=replace(place, thread=thread),
        author=author,
        text=plain(raw.get("text") or ""),
        sent_at=datetime.fromtimestamp(float(ts), UTC),
        link=link_to(workspace, place.channel, ts, thread),
        opens=None if thread else ts,
        **how,
    )


def _people_said(found: Any, place: Place, workspace: Workspace) -> tuple[Message, ...]:
    return tuple(
        message_of(raw, place, Person(PLATFORM, "", raw["user"]), workspace)
        for raw in found
        if is_ordinary(raw, workspace.bot_user)
    )
