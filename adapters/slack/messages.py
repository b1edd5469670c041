"""What is said where the bot listens: questions are answered, other messages may get a note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slack_bolt.context.async_context import AsyncBoltContext

from adapters.slack.answers import Answers
from adapters.slack.conversations import Conversations
from adapters.slack.digest import message_of
from adapters.slack.hearing import Question, is_ordinary, question
from adapters.slack.home import Home
from adapters.slack.people import People
from adapters.slack.requests import Origin, of_event, request
from adapters.slack.sending import Sender
from adapters.slack.tasks import Tasks
from adapters.slack.turns import Turns
from adapters.slack.workspace import Workspace
from bot.answer import Answer
from bot.bot import Bot
from bot.request import Request

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Messages:
    """One per process."""

    bot: Bot
    answers: Answers
    conversations: Conversations
    people: People
    sender: Sender
    tasks: Tasks
    turns: Turns
    home: Home

    def said(self, event: Json, context: AsyncBoltContext, workspace: Workspace) -> None:
        """A `message` or an `app_mention` event. Of a mention both arrive, in any order; the claim lets one through."""
        if not is_ordinary(event, workspace.bot_user):
            return
        origin = of_event(event, context, workspace, event["user"])
        if origin.direct:
            self.conversations.remember_direct(workspace, origin.place.channel)
        asked = question(event, workspace.bot_user, direct=origin.direct)
        if asked is not None:
            self.tasks.start(self._answer(event, origin, asked, workspace))
        elif event["type"] == "message" and not origin.direct:
            self.tasks.start(self._notice(event, origin, workspace))

    def request(self, origin: Origin, asked: Question, workspace: Workspace) -> Request:
        """What a message asks for, whenever it's answered: at first, or once more after an edit."""
        known = self.people.known(origin.person, workspace)
        return request(origin, asked.action, known, text=asked.text, word=asked.word, by=asked.by, public=True)

    async def _answer(self, event: Json, origin: Origin, asked: Question, workspace: Workspace) -> None:
        place, ts = origin.place, event["ts"]
        async with self.turns.of(place.channel, ts):
            if not await self.bot.claim(place, ts, datetime.now(UTC)):
                return
            question = self.request(origin, asked, workspace)
            answer = await self.answers.to(question, workspace)
            reply = await self.deliver(answer, origin, ts, workspace)
            if reply is not None:
                await self.bot.replied(place, ts, reply)
            await self.sender.besides(workspace, place.channel, answer)
            await self.home.changed(answer, question, workspace)

    async def deliver(self, answer: Answer, origin: Origin, ts: str, workspace: Workspace) -> str | None:
        """Sends the answer to message `ts`. The id of what others see of it, or of what stands in a direct message."""
        place = origin.place
        if answer.kind == "silence":
            return None
        if origin.direct:
            return await self.sender.post(workspace, place.channel, answer, thread=place.thread)
        if answer.where == "public":  # what is set for a channel is told in the channel
            thread = None if answer.kind == "setting" else place.thread or ts
            return await self.sender.post(workspace, place.channel, answer, thread=thread)
        await self.sender.whisper(workspace, place.channel, origin.person.id, answer, thread=place.thread)
        return None

    async def _notice(self, event: Json, origin: Origin, workspace: Workspace) -> None:
        message = message_of(event, origin.place, origin.person, workspace)
        async with self.turns.of(message.place.channel, message.id):
            note = await self.bot.notice(message, datetime.now(UTC))
            if note.kind == "silence":
                return
            thread = message.place.thread or message.id
            reply = await self.sender.post(workspace, message.place.channel, note, thread=thread, asked=False)
            if reply is None:
                await self.bot.not_posted(message)
            else:
                await self.bot.posted(message, reply)
