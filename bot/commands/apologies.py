"""Answers from memory alone: something failed, or somebody asks for too much at once."""

from __future__ import annotations

from dataclasses import replace

from bot.answer import Answer, Paragraph, silence
from bot.commands.answering import place_of
from bot.commands.situation import Situation


def failed(s: Situation, reference: str) -> Answer:
    """Polite, and without insides; the log has the rest under the same number."""
    s = s.whispered()
    text = s.say("error", ref=reference)
    return Answer("error", s.chrome, place_of(s), (Paragraph(text),), error="usage", chrome=s.chrome)


def busy(s: Situation, *, again: bool) -> Answer:
    """Too much at once. What was typed for all to see isn't answered for all to see, and only the first time at all.

    A silent answer with this error is no answer, but the platform may show that it was understood.
    """
    typed = s.request.press is None and s.request.by in ("text", "mention") and not s.request.direct
    if typed and (again or not s.request.whispers):
        return replace(silence(), error="busy")
    s = s.whispered()
    return Answer("error", s.chrome, "private", (Paragraph(s.say("busy")),), error="busy", chrome=s.chrome)
