"""What the bot can't read, and what whoever asks can do about it; and what it says when it's invited."""

from __future__ import annotations

from bot.answer import Button, Menu, Paragraph
from bot.commands.answering import answer, voice_of
from bot.commands.situation import Reply, Situation


def unreadable(s: Situation) -> Reply:
    """Messages would have to be read here, and can't be."""
    s = s.whispered()
    instead = s.say(f"unheard.instead.{s.request.place.platform}")
    return Reply(answer(s, "error", [Paragraph(why_unheard(s)), Paragraph(instead)], error="usage"))


def why_unheard(s: Situation) -> str:
    """What keeps the bot from reading here, and who changes that. Only where something does."""
    hears = s.request.hears.replace("-", "_")
    return s.say(f"unheard.{hears}.{s.request.place.platform}")


def welcome(s: Situation) -> Reply:
    """For whoever invited the bot to a channel: how to ask here; whoever may set it, whether to explain unasked."""
    s = s.whispered()
    voice = voice_of(s)
    if s.request.hears != "all":
        return Reply(answer(s, "help", [Paragraph(s.say("welcome.ask.unheard"))]))
    if not s.request.may_set:
        return Reply(answer(s, "help", [Paragraph(s.say("welcome.ask"))]))
    buttons: list[Button | Menu] = [
        Button(s.say("auto.button.threads", threads=s.threads), voice.press("auto-threads")),
        Button(s.say("auto.button.all"), voice.press("auto-all")),
        Button(s.say("welcome.button.no"), voice.press("auto-no")),
    ]
    return Reply(answer(s, "help", [Paragraph(s.say("welcome.ask")), Paragraph(s.say("welcome.unasked"))], buttons))
