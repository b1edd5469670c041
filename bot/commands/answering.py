"""What all commands share: from a situation to an answer in the right place and voice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.answer import Answer, Block, Button, Fault, Kind, Menu, Paragraph, Where
from bot.commands.situation import SHARES, Reply, Situation
from bot.wording import Voice

OPENED_FROM: Final = ("digest", "dug")
"""The button of a digest and the one that opens a term of it: "dug-thr" leads back to "digest-thr"."""


def voice_of(s: Situation) -> Voice:
    return Voice(s.glossary, s.phrases, s.shown, s.chrome, s.asker)


def place_of(s: Situation) -> Where:
    """Typed: as private or public as it was asked. Pressed: in place, but a private copy of a public message."""
    press = s.request.press
    if press is None or press.action in SHARES:
        return "private" if s.private else "public"
    return "private" if s.request.public and s.private else "replace"


def answer(
    s: Situation, kind: Kind, blocks: Sequence[Block], buttons: Sequence[Button | Menu] = (), **about: Any
) -> Answer:
    """An answer to where the request came from. `about`: concepts, comparison, error, unknown."""
    concepts = about.get("concepts", ())
    return Answer(
        kind,
        s.shown,
        about.pop("where", place_of(s)),
        tuple(blocks),
        tuple(buttons),
        topic=s.glossary.concepts[concepts[0]].topic if concepts else "",
        chrome=s.chrome,
        **about,
    )


def error(
    s: Situation,
    fault: Fault,
    key: str,
    buttons: Sequence[Button | Menu] = (),
    *,
    concepts: tuple[str, ...] = (),
    **values: str,
) -> Reply:
    """A polite line that says what to do next; private wherever the platform can, and so must be its `buttons`."""
    s = s.whispered()
    return Reply(answer(s, "error", [Paragraph(s.say(key, **values))], buttons, error=fault, concepts=concepts))


def gone(s: Situation) -> Reply:
    """The answer to a button whose concept is no longer in the glossary."""
    s = s.whispered()
    return Reply(answer(s, "error", [Paragraph(s.say("gone"))], error="usage", where="private"))


def pressed_concepts(s: Situation) -> list[str]:
    """Ids of the concepts behind a button; those that are gone are left out."""
    codes = s.request.press.codes if s.request.press else ()
    return [concept.id for short in codes if (concept := s.glossary.by_code(short))]


def browse_button(s: Situation) -> Button:
    return Button(s.say("browse"), voice_of(s).press("glossary"))


def panel_button(s: Situation) -> Button:
    return Button(s.say("panel.title"), voice_of(s).press("panel"))


def random_button(s: Situation) -> Button:
    return Button(s.say("random"), voice_of(s).press("random"))


def aside(s: Situation, reply: Reply, way: Button) -> Reply:
    """A page that is one person's own. Typed where nobody can be answered alone, it's one line for all instead, with
    the button that opens the page for whoever presses it."""
    if s.own or s.request.press is not None:
        return reply
    text = s.say("settings.own.saved" if reply.changes else "settings.own")
    return replace(reply, answer=answer(s, "setting", [Paragraph(text)], [way]))


def deletable(s: Situation, shown: Answer) -> Answer:
    """With the button by which its asker deletes a public answer, where the platform wants one."""
    public = shown.where == "public" or (shown.where == "replace" and s.request.public)
    announced = shown.kind == "setting" and not shown.buttons
    if not (s.request.deletable and public) or shown.kind == "silence" or announced:
        return shown
    return replace(shown, buttons=(*shown.buttons, Button("🗑", voice_of(s).press("delete"))))
