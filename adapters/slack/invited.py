"""The bot joins a channel: whoever invited it is told, privately, how to ask there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slack_bolt.context.async_context import AsyncBoltContext

from adapters.slack.answers import Answers
from adapters.slack.people import People
from adapters.slack.requests import of_event, request
from adapters.slack.sending import Sender
from adapters.slack.workspace import Workspace
from bot.bot import Bot

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Invited:
    """One per process."""

    bot: Bot
    answers: Answers
    people: People
    sender: Sender

    async def joined(self, event: Json, context: AsyncBoltContext, workspace: Workspace) -> None:
        """A `member_joined_channel` event. Others who join are no business of ours; nor is joining by oneself."""
        inviter = event.get("inviter")
        if event.get("user") != workspace.bot_user or not inviter:
            return
        origin = of_event(event, context, workspace, inviter)
        # Slack delivers an event again when it isn't sure that it arrived; this one has no message to claim.
        if not await self.bot.claim(origin.place, f"joined {event.get('event_ts') or ''}", datetime.now(UTC)):
            return
        known = await self.people.learn(origin.person, workspace)
        answer = await self.answers.to(request(origin, "welcome", known), workspace)
        if answer.kind != "silence":
            await self.sender.whisper(workspace, origin.place.channel, inviter, answer)
