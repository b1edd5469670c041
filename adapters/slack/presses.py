"""Buttons and menus, on new messages and on old ones: each carries its request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adapters.slack.answers import Answers
from adapters.slack.conversations import Conversations
from adapters.slack.home import Home
from adapters.slack.modals import Modals
from adapters.slack.people import People
from adapters.slack.requests import of_interaction, pressed
from adapters.slack.sending import NO_MEMBER, Sender
from adapters.slack.views import SEARCH_AGAIN, Carried
from adapters.slack.workspace import Workspace
from bot.answer import Answer
from bot.commands.situation import SHARES
from bot.request import Request

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spot:
    """The message that a button stands on."""

    channel: str
    ts: str
    thread: str | None
    private: bool
    """Only the presser sees it; Slack changes such a message through `url` alone."""
    url: str


@dataclass(frozen=True, slots=True)
class Presses:
    """One per process."""

    answers: Answers
    conversations: Conversations
    people: People
    sender: Sender
    modals: Modals
    home: Home

    async def pressed(self, body: Json, workspace: Workspace) -> None:
        """Carries out the first action of a `block_actions` payload; Slack sends one at a time."""
        value = value_of(body["actions"][0])
        if not value:
            return
        view = body.get("view") or {}
        if view.get("type") == "home":
            await self._in_home(body, value, workspace)
        elif view:
            await self.modals.pressed(body, value, workspace)
        else:
            await self._on_message(body, value, workspace)

    async def _on_message(self, body: Json, value: str, workspace: Workspace) -> None:
        spot = spot_of(body)
        origin = of_interaction(body, workspace, spot.channel, spot.thread)
        if value == SEARCH_AGAIN:
            await self.modals.search(body, origin, workspace)
            return
        if not spot.private and await self.conversations.is_direct(workspace, spot.channel):
            origin = replace(origin, direct=True)
        known = self.people.known(origin.person, workspace)
        asked = pressed(origin, value, known, public=not (spot.private or origin.direct), on=spot.ts)
        if asked.action in SHARES:  # the name will be read by others
            asked = replace(asked, name=(await self.people.learn(asked.person, workspace)).name or asked.name)
        answer = await self.answers.to(asked, workspace)
        if answer.kind != "silence":
            await self._show(answer, spot, origin.person.id, workspace)
        if answer.where == "public" and spot.private and asked.press and asked.action.startswith("auto-"):
            await self._refresh(asked, spot, workspace)
        await self.sender.besides(workspace, spot.channel, answer)
        await self.home.changed(answer, asked, workspace)

    async def _show(self, answer: Answer, spot: Spot, presser: str, workspace: Workspace) -> None:
        if answer.where == "public":  # what is set for a channel is told in the channel
            thread = None if answer.kind == "setting" else spot.thread
            if not await self.sender.respond(spot.url, answer, public=True, thread=thread):
                await self._whisper(self.modals.refused(answer), spot, presser, workspace)
        elif answer.where == "private":
            await self._whisper(answer, spot, presser, workspace)
        elif spot.private or not await self.sender.update(workspace.client, spot.channel, spot.ts, answer):
            # What was shared through a response_url where the bot is no member, it can't edit by itself either.
            await self.sender.respond(spot.url, answer, replace=True)

    async def _whisper(self, answer: Answer, spot: Spot, presser: str, workspace: Workspace) -> None:
        """In the thread of the button. For what one person sees, Slack promises that of chat.postEphemeral alone."""
        if spot.thread is None or not await self.sender.whisper(
            workspace, spot.channel, presser, answer, thread=spot.thread, fine=NO_MEMBER
        ):
            await self.sender.respond(spot.url, answer, thread=spot.thread)

    async def _refresh(self, asked: Request, spot: Spot, workspace: Workspace) -> None:
        """The channel was told what changed; the private page that the button stands on would still say otherwise."""
        assert asked.press is not None
        page = replace(asked, action="note-channel", press=replace(asked.press, action="note-channel"))
        answer = await self.answers.to(page, workspace)
        await self.sender.respond(spot.url, answer, replace=True)

    async def _in_home(self, body: Json, value: str, workspace: Workspace) -> None:
        origin = of_interaction(body, workspace)
        if value == SEARCH_AGAIN:
            await self.modals.search(body, origin, workspace)
            return
        asked = pressed(origin, value, self.people.known(origin.person, workspace))
        if asked.action in SHARES:
            await self.modals.ask_where(body, origin, Carried(share=value), workspace, push=False)
            return
        answer = await self.answers.to(asked, workspace)
        if answer.kind != "silence":
            await self.home.show(asked, answer, workspace)


def value_of(action: Json) -> str:
    """The request behind a button, or behind what was chosen in a menu; empty: it's none of ours."""
    chosen = action.get("selected_option") or {}
    return str(action.get("value") or chosen.get("value") or "")


def spot_of(body: Json) -> Spot:
    """Where the message of a `block_actions` payload stands."""
    container, shown = body.get("container") or {}, body.get("message") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or ""
    ts = container.get("message_ts") or shown.get("ts") or ""
    thread = container.get("thread_ts") or shown.get("thread_ts")
    return Spot(
        channel,
        ts,
        thread if thread != ts else None,
        bool(container.get("is_ephemeral")),
        body.get("response_url") or "",
    )
