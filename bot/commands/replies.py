"""What becomes of a public answer: its asker deletes it, or asks for the same again."""

from __future__ import annotations

from dataclasses import replace

from bot.answer import Field, Paragraph, Update, silence
from bot.commands.answering import answer
from bot.commands.situation import Reply, Situation
from bot.request import short_hash


def delete(s: Situation) -> Reply:
    """The button under an answer: for whoever asked, and for those who may delete messages here."""
    press = s.request.press
    if press is None or not s.request.on:
        return Reply(silence(s.shown))
    if press.asker != short_hash(s.request.person) and not s.request.may_remove:
        return Reply(answer(s, "setting", [Paragraph(s.say("delete.not_yours"))], where="private"))
    return Reply(replace(silence(s.shown), update=Update(s.request.on, None)))


def asked_before(s: Situation) -> Reply:
    """One line with a link to the answer that was given here a moment ago."""
    link = Field(s.say("asked_before"), s.say("asked_before.there"), s.request.link)
    return Reply(answer(s, "help", [link]))
