"""`share`: a private answer, posted for all."""

from __future__ import annotations

from dataclasses import replace

from bot.answer import Note
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
    shown = (vs if press.action == "share-vs" else define)(shared).answer
    if shown.where != "public" or not s.request.name:
        return Reply(shown)
    return Reply(replace(shown, blocks=(*shown.blocks, Note(s.say("shared_by", name=s.request.name)))))
