"""`home`: the page that is a person's own on platforms that have one."""

from __future__ import annotations

from bot.answer import Block, Button, Heading, Item, Menu, Paragraph
from bot.commands.answering import answer, random_button, voice_of
from bot.commands.browse import topics
from bot.commands.situation import Reply, Situation


def home(s: Situation) -> Reply:
    """How to ask in threads, what one may set and delete, and the topics to browse."""
    s = s.whispered()
    voice = voice_of(s)
    muted = s.profile.muted
    notes = s.say("panel.turn_on" if muted else "panel.turn_off")
    blocks: list[Block] = [
        Heading(s.say("panel.help")),
        Paragraph(s.say("home.threads" if s.request.hears == "all" else "home.threads.unheard")),
        Paragraph(s.say("home.alone")),
        Heading(s.say("panel.title")),
        Item(
            s.say("panel.language"),
            s.say(f"language.{s.profile.language or 'auto'}"),
            Button(s.say("change"), voice.press("lang")),
        ),
        Item(
            s.say("panel.notes"),
            s.say(f"panel.notes.{'off' if muted else 'on'}"),
            Button(notes, voice.press("unmute" if muted else "mute")),
        ),
        Item(
            s.say("panel.known"),
            s.say("terms", count=len(s.profile.known)),
            Button(s.say("show"), voice.press("known")),
        ),
        Item(s.say("panel.data"), s.say("home.data"), Button(s.say("show"), voice.press("privacy"))),
        Heading(s.say("glossary.title"), s.say("glossary.size", count=len(s.glossary.concepts))),
        *topics(s),
    ]
    buttons: list[Button | Menu] = [random_button(s), Button(s.say("home.commands"), voice.press("help"))]
    return Reply(answer(s, "setting", blocks, buttons))
