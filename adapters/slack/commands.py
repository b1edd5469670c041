"""Slash commands. The answer travels inside the acknowledgement where it can."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from adapters.slack.acknowledgement import acknowledgement
from adapters.slack.answers import Answers
from adapters.slack.conversations import Conversations
from adapters.slack.home import Home
from adapters.slack.people import People
from adapters.slack.requests import of_command, request
from adapters.slack.sending import Sender
from adapters.slack.tasks import Tasks
from adapters.slack.text import plain
from adapters.slack.views import SEARCH_AGAIN
from adapters.slack.workspace import Workspace
from bot.answer import Answer, Button, Table
from bot.commands.names import BY_WORD
from bot.phrases import Phrases
from bot.request import Request

Ack = Callable[..., Awaitable[Any]]

_SEARCHES: Final = frozenset({"define", "vs", "explain", "glossary"})
"""Commands that, without an argument, offer to search."""


@dataclass(frozen=True, slots=True)
class Commands:
    """`prefix` stands before the names of all of them, where another app owns /define."""

    answers: Answers
    conversations: Conversations
    phrases: Phrases
    people: People
    sender: Sender
    tasks: Tasks
    home: Home
    prefix: str = ""

    async def typed(self, ack: Ack, body: dict[str, Any], workspace: Workspace) -> None:
        """Answers a command that Slack says was typed; one that isn't in our table says so."""
        asked = self._request(body, workspace)
        if not self.answers.at_once(asked):
            await ack()
            self.tasks.start(self._answer(asked, body["response_url"], workspace))
            return
        answer = self._with_search(await self.answers.to(asked, workspace), asked)
        later = _needs_reply(answer)
        if answer.kind == "silence" or later:
            await ack()
        else:
            await ack(acknowledgement(answer))
        if later or answer.kind == "setting" or answer.update or answer.elsewhere:
            self.tasks.start(self._after(answer, asked, body["response_url"] if later else "", workspace))

    def _request(self, body: dict[str, Any], workspace: Workspace) -> Request:
        direct = self.conversations.known_direct(workspace, body["channel_id"])
        origin = of_command(body, workspace, direct=direct)
        word = body["command"].removeprefix("/")
        if self.prefix and word.startswith(self.prefix):
            word = word.removeprefix(self.prefix)
        command = BY_WORD.get(word)
        action = command.name if command is not None else "unknown-command"
        known = self.people.known(origin.person, workspace)
        return request(origin, action, known, text=plain(body.get("text") or ""), word=word, by="slash")

    async def _answer(self, asked: Request, url: str, workspace: Workspace) -> None:
        """What needs Slack first."""
        answer = await self.answers.to(asked, workspace)
        await self._after(answer, asked, "" if answer.kind == "silence" else url, workspace)

    async def _after(self, answer: Answer, asked: Request, url: str, workspace: Workspace) -> None:
        """`url` empty: there's nothing more to say to the person."""
        if url:
            await self.sender.respond(url, answer, public=answer.where == "public")
        await self.sender.besides(workspace, asked.place.channel, answer)
        await self.home.changed(answer, asked, workspace)

    def _with_search(self, answer: Answer, asked: Request) -> Answer:
        if asked.text.strip() or asked.action not in _SEARCHES:
            return answer
        search = Button(self.phrases.say("slack.search", answer.chrome), SEARCH_AGAIN)
        return replace(answer, buttons=(*answer.buttons, search))


def _needs_reply(answer: Answer) -> bool:
    """Slack doesn't say when it can't read the blocks of an acknowledgement, so a table goes another way."""
    return any(isinstance(block, Table) for block in answer.blocks)
