"""The App Home: published when it's opened, and after each change to what it shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from adapters.slack import views
from adapters.slack.answers import Answers, meant
from adapters.slack.people import People
from adapters.slack.requests import Origin, request
from adapters.slack.sending import Sender
from adapters.slack.workspace import Workspace
from bot.answer import Answer, Button, Menu
from bot.phrases import Phrases
from bot.request import Press, Request, decode, encode

CHANGES: Final = frozenset(
    {"lang", "lang-both", "lang-auto", "mute", "unmute", "note-mute", "know", "unknow", "unknow-all", "forget-yes"}
)
"""Buttons that change what the page shows."""

_MUTES: Final = frozenset({"mute", "unmute", "静音", "取消静音"})
"""Behind a command, these change it, too."""


@dataclass(frozen=True, slots=True)
class Home:
    """One per process."""

    answers: Answers
    phrases: Phrases
    people: People
    sender: Sender

    async def opened(self, origin: Origin, workspace: Workspace) -> None:
        """Shows the page as it's now."""
        known = await self.people.learn(origin.person, workspace)
        answer = await self.answers.to(request(origin, "home", known, by="button"), workspace)
        await self.publish(origin.person.id, answer, workspace)

    async def show(self, asked: Request, answer: Answer, workspace: Workspace) -> None:
        """A page that a button of the Home leads to, with the way back."""
        if asked.action != "home":
            others = (button for button in answer.buttons if not _leads_to_panel(button))
            back = Button(self.phrases.say("slack.home.back", answer.chrome), encode(Press("home")))
            answer = replace(answer, buttons=(*others, back))
        await self.publish(asked.person.id, answer, workspace)

    async def changed(self, answer: Answer, asked: Request, workspace: Workspace) -> None:
        """Brings the page up to date after a change that was made elsewhere."""
        action, text = meant(asked)
        typed = bool(text.strip()) if action == "lang" else text.strip().lower() in _MUTES
        press = asked.press
        # The language of what others see, too, stays as it is for them: what the presser gets is a copy.
        changes = typed if press is None else (press.switch and not asked.public) or asked.action in CHANGES
        if not changes or answer.kind == "error":
            return
        after = replace(asked, action="home", press=None, text="", word="", by="button", public=False)
        await self.publish(asked.person.id, await self.answers.to(after, workspace), workspace)

    async def publish(self, user: str, answer: Answer, workspace: Workspace) -> None:
        await self.sender.view(workspace.client.views_publish(user_id=user, view=views.home(answer)))


def _leads_to_panel(button: Button | Menu) -> bool:
    """The panel is what the Home itself shows."""
    return isinstance(button, Button) and decode(button.request).action == "panel"
