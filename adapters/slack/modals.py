"""Modals: the shortcuts, searching as one types, and where to share. What takes time comes after the modal is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adapters.slack import views
from adapters.slack.answers import Answers
from adapters.slack.home import Home
from adapters.slack.people import People
from adapters.slack.requests import Origin, of_interaction, pressed, request
from adapters.slack.sending import Sender
from adapters.slack.text import plain
from adapters.slack.views import SEARCH_AGAIN, Carried, View, carried
from adapters.slack.workspace import Workspace
from bot.answer import Answer, Paragraph
from bot.bot import Bot
from bot.commands.situation import DEFAULT_LANGUAGE, SHARES
from bot.glossary.concept import Language
from bot.phrases import Phrases

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Modals:
    """One per process. `prefix` stands before the names of commands."""

    bot: Bot
    answers: Answers
    phrases: Phrases
    people: People
    sender: Sender
    home: Home
    prefix: str = ""

    async def explain(self, body: Json, workspace: Workspace) -> None:
        """The message shortcut: the jargon in that message, for whoever asks."""
        said = body["message"]
        thread = said.get("thread_ts")
        channel = body["channel"]["id"]
        origin = of_interaction(body, workspace, channel, thread)
        language, carry = self._language(origin, workspace), Carried(channel, thread)
        loading = views.loading(self.phrases, language, carry)
        view_id = await self._open(body, loading, workspace, origin, "explain", language)
        if view_id is None:
            return
        known = self.people.known(origin.person, workspace)
        asked = request(origin, "explain", known, text=plain(said.get("text") or ""), by="shortcut")
        answer = await self.answers.to(asked, workspace)
        await self._show(view_id, views.answer_modal(self.phrases, answer, carry), workspace)

    async def search(self, body: Json, origin: Origin, workspace: Workspace) -> None:
        """The global shortcut and "Search…"."""
        language = self._language(origin, workspace)
        carry = Carried(origin.place.channel, origin.place.thread, searched=True)
        form = views.search_form(self.phrases, language, carry)
        await self._open(body, form, workspace, origin, "define", language)

    def found(self, body: Json, workspace: Workspace) -> list[dict[str, Any]]:
        """The options for what somebody has typed so far."""
        origin = of_interaction(body, workspace)
        found = self.bot.complete(
            str(body.get("value") or ""),
            origin.place,
            limit=views.MAX_OPTIONS,
            language=self._language(origin, workspace),
        )
        return views.options(found)

    async def pressed(self, body: Json, value: str, workspace: Workspace) -> None:
        """A button in a modal: its answer takes the modal's place."""
        view = body["view"]
        carry = carried(view)
        origin = of_interaction(body, workspace, carry.channel, carry.thread)
        if value == SEARCH_AGAIN:
            form = views.search_form(self.phrases, self._language(origin, workspace), carry)
            await self._show(view["id"], form, workspace)
            return
        known = self.people.known(origin.person, workspace)
        asked = pressed(origin, value, known)
        if asked.action in SHARES:
            await self.ask_where(body, origin, replace(carry, share=value), workspace, push=True)
            return
        answer = await self.answers.to(asked, workspace)
        if answer.kind != "silence":
            await self._show(view["id"], views.answer_modal(self.phrases, answer, carry), workspace)
        await self.sender.besides(workspace, carry.channel, answer)
        await self.home.changed(answer, asked, workspace)

    async def ask_where(self, body: Json, origin: Origin, carry: Carried, workspace: Workspace, *, push: bool) -> None:
        """A modal stands in no channel, so sharing asks for one. `push`: on top of the modal that is open."""
        form = views.share_form(self.phrases, self._language(origin, workspace), carry)
        show = workspace.client.views_push if push else workspace.client.views_open
        await self.sender.view(show(trigger_id=body["trigger_id"], view=form))

    async def share(self, body: Json, workspace: Workspace) -> None:
        """The form was sent: the card goes where it says, through the address that Slack gives for it."""
        chosen = next(iter(body.get("response_urls") or ()), None)
        if chosen is None:
            return
        origin = of_interaction(body, workspace, chosen.get("channel_id") or "")
        known = await self.people.learn(origin.person, workspace)
        answer = await self.answers.to(pressed(origin, carried(body["view"]).share, known), workspace)
        if not await self.sender.respond(chosen["response_url"], answer, public=answer.where == "public"):
            await self.sender.post(workspace, origin.person.id, self.refused(answer))

    def refused(self, answer: Answer) -> Answer:
        """In place of an answer that Slack didn't let us post for all."""
        return Answer(
            "error", answer.chrome, blocks=(Paragraph(self.phrases.say("slack.share.refused", answer.chrome)),)
        )

    def _language(self, origin: Origin, workspace: Workspace) -> Language:
        """What a window says before anything was looked up."""
        known = self.people.known(origin.person, workspace)
        return (known.locale if known else None) or DEFAULT_LANGUAGE

    async def _open(
        self, body: Json, view: View, workspace: Workspace, origin: Origin, instead: str, language: Language
    ) -> str | None:
        """Opens a modal: its id. None: the trigger was too old, or Slack doesn't let us; then what to type is said."""
        opened = await self.sender.view(workspace.client.views_open(trigger_id=body["trigger_id"], view=view))
        if opened is not None:
            return str(opened["view"]["id"])
        command = f"/{self.prefix}{instead} …"
        hint = Answer(
            "error", language, blocks=(Paragraph(self.phrases.say("slack.expired", language, command=command)),)
        )
        if url := body.get("response_url"):
            await self.sender.respond(url, hint, thread=origin.place.thread)
        else:
            await self.sender.post(workspace, origin.person.id, hint)
        return None

    async def _show(self, view_id: str, view: View, workspace: Workspace) -> None:
        await self.sender.view(workspace.client.views_update(view_id=view_id, view=view))
