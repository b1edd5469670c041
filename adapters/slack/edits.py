"""What happens to our answer, or our note, when the message above it is edited or deleted."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from slack_bolt.context.async_context import AsyncBoltContext

from adapters.slack.answers import Answers
from adapters.slack.digest import message_of
from adapters.slack.hearing import is_ordinary, question
from adapters.slack.messages import Messages
from adapters.slack.requests import Origin, of_event
from adapters.slack.sending import Sender
from adapters.slack.tasks import Tasks
from adapters.slack.workspace import Workspace
from bot.answer import silence
from bot.bot import Bot

Json = Mapping[str, Any]

ANSWERED_AGAIN_FOR: Final = timedelta(minutes=2)
"""So long after it was posted, an edited question edits its answer."""

_TAKEN_BACK: Final = ""
"""In place of the id of our answer: it was deleted, and the next edit may bring another one."""

DELETED: Final = "tombstone"
"""The subtype of a deleted message that had replies: Slack says that it was changed."""


@dataclass(frozen=True, slots=True)
class Edits:
    """One per process."""

    bot: Bot
    answers: Answers
    messages: Messages
    sender: Sender
    tasks: Tasks

    def changed(self, event: Json, context: AsyncBoltContext, workspace: Workspace) -> None:
        """A `message_changed` event. Most of them are none of a person's: links unfold, replies arrive."""
        message, before = event.get("message") or {}, event.get("previous_message") or {}
        if message.get("subtype") == DELETED:
            self.deleted({**event, "deleted_ts": message.get("ts")}, context, workspace)
        elif (
            message.get("edited")
            and message.get("text") != before.get("text")
            and is_ordinary(message, workspace.bot_user)
        ):
            about = {**message, "channel": event["channel"], "channel_type": event.get("channel_type")}
            origin = of_event(about, context, workspace, message["user"])
            self.tasks.start(self._in_turn(origin, message["ts"], self._changed(about, origin, workspace)))

    def deleted(self, event: Json, context: AsyncBoltContext, workspace: Workspace) -> None:
        """A `message_deleted` event, or what Slack sends instead."""
        before = event.get("previous_message") or {}
        if is_ordinary(before, workspace.bot_user):
            about = {**before, "channel": event["channel"], "channel_type": event.get("channel_type")}
            origin = of_event(about, context, workspace, before["user"])
            ts = event.get("deleted_ts") or before["ts"]
            self.tasks.start(self._in_turn(origin, ts, self._deleted(ts, origin, workspace)))

    async def _in_turn(self, origin: Origin, ts: str, work: Coroutine[Any, Any, None]) -> None:
        async with self.messages.turns.of(origin.place.channel, ts):
            await work

    async def _changed(self, message: Json, origin: Origin, workspace: Workspace) -> None:
        ts, place = message["ts"], origin.place
        reply = await self.bot.reply_to(place, ts)
        if reply is None:
            said = message_of(message, place, origin.person, workspace)
            if (update := await self.bot.edited(said)) is not None:
                await self.sender.carry_out(workspace, place.channel, update)
            return
        edited = message["edited"]["ts"]
        if timedelta(seconds=float(edited) - float(ts)) > ANSWERED_AGAIN_FOR:
            return
        if not await self.bot.claim(place, f"{ts} edited {edited}", datetime.now(UTC)):  # Slack may tell it twice
            return
        asked = question(message, workspace.bot_user, direct=origin.direct)
        answer = silence()
        if asked is not None:
            answer = await self.answers.to(self.messages.request(origin, asked, workspace), workspace)
        if reply and answer.kind != "silence" and (origin.direct or answer.where == "public"):
            await self.sender.update(workspace.client, place.channel, reply, answer)
        else:
            if reply:
                await self.sender.delete(workspace.client, place.channel, reply)
            again = await self.messages.deliver(answer, origin, ts, workspace)
            await self.bot.replied(place, ts, again or _TAKEN_BACK)
        await self.sender.besides(workspace, place.channel, answer)

    async def _deleted(self, ts: str, origin: Origin, workspace: Workspace) -> None:
        channel = origin.place.channel
        if reply := await self.bot.reply_to(origin.place, ts):
            await self.sender.delete(workspace.client, channel, reply)
        if (update := await self.bot.deleted(origin.place, ts)) is not None:
            await self.sender.carry_out(workspace, channel, update)
