"""`share`: a private answer, posted for all."""

from __future__ import annotations

from dataclasses import replace

from bot.answer import Answer, Button, Menu, Note
from bot.commands.answering import gone, pressed_concepts
from bot.commands.compare import vs
from bot.commands.define import define
from bot.commands.situation import Reply, Situation


def share(s: Situation) -> Reply:
    """A private definition or comparison, posted for all: what is on the screen, and who shared it."""
    press = s.request.press
    ids = pressed_concepts(s)
    if press is None or not ids:
        return gone(s)
    shared = replace(s, request=replace(s.request, press=replace(press, switch=False)))
    inner: Answer = (vs if press.action == "share-vs" else define)(shared).answer
    buttons = tuple(button for button in inner.buttons if not _shares(button))
    footer = Note(s.say("shared_by", name=s.request.name)) if s.request.name else None
    blocks = (*inner.blocks, footer) if footer else inner.blocks
    return Reply(replace(inner, where="public", blocks=blocks, buttons=buttons))


def _shares(button: Button | Menu) -> bool:
    return isinstance(button, Button) and button.request.startswith("j1:share")
