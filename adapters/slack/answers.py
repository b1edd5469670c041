"""Request -> Answer, with what a request needs to know of Slack first: rights, and messages to read."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from adapters.slack.conversations import Conversations
from adapters.slack.digest import read_last, read_thread
from adapters.slack.workspace import Workspace
from bot.answer import Answer
from bot.bot import Bot
from bot.commands.typed import read_mention
from bot.request import Request

PREVIEWED: Final = 50
"""Messages of a channel on which the page of its notes shows what notes would have said."""

_REMOVES: Final = frozenset({"note-remove", "delete"})
_SETS: Final = frozenset({"autoexplain", "note-channel", "welcome"})


class Answers:
    """One per process."""

    def __init__(self, bot: Bot, conversations: Conversations) -> None:
        self._bot = bot
        self._conversations = conversations

    def at_once(self, request: Request) -> bool:
        """Whether the answer needs nothing of Slack, and so can travel inside an acknowledgement."""
        return not (_sets_notes(request) or request.action in _REMOVES or self._bot.needs(request) is not None)

    async def to(self, request: Request, workspace: Workspace) -> Answer:
        """The answer. Never raises; what Slack doesn't let the bot read is said."""
        place = request.place
        if not workspace.reads_channels:
            request = replace(request, hears="not-allowed")
        if request.action in _REMOVES:
            may = await self._conversations.may_remove(workspace, request.person)
            return await self._bot.answer(replace(request, may_remove=may))
        if _sets_notes(request):
            return await self._about_notes(request, workspace)
        needed = self._bot.needs(request)
        if needed is None:
            return await self._bot.answer(request)
        if needed == "thread":
            found, of = await read_thread(workspace, place), "thr"
        else:
            found, of = await read_last(workspace, place, needed), str(needed)
        if found.hears != "all":
            return await self._bot.answer(replace(request, action="unreadable", press=None, hears=found.hears))
        return await self._bot.explain(request, found.messages, of=of, total=found.total)

    async def _about_notes(self, request: Request, workspace: Workspace) -> Answer:
        channel = request.place.channel
        direct = request.direct or channel.startswith("D")  # with the bot, or of two people: no notes in either
        hears = await self._conversations.hears(workspace, channel)
        may = await self._conversations.may_set(workspace, request.person)
        name = await self._conversations.name(workspace, request.person) or request.name  # the channel will read it
        shows = request.action in ("autoexplain", "note-channel") and not request.text.strip()
        read = await read_last(workspace, request.place, PREVIEWED) if shows and hears == "all" else None
        return await self._bot.answer(
            replace(request, hears=hears, may_set=may, name=name, direct=direct),
            recent=read.messages if read is not None else (),
        )


def _sets_notes(request: Request) -> bool:
    """Whether it's about a channel's notes; those who guess write `explain auto off`, or say it to the bot."""
    if request.press is not None:
        return request.action in _SETS or request.action.startswith("auto-")
    action, text = meant(request)
    return action in _SETS or (action == "explain" and text.lower().split()[:1] == ["auto"])


def meant(request: Request) -> tuple[str, str]:
    """Action and text of what was typed; a command that is said to the bot counts as one."""
    if request.action in ("mention", "jargonaut") and (typed := read_mention(request.text)) and typed.command:
        return typed.command.name, typed.argument
    return request.action, request.text
