"""`define`: what a label or a question means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.answer import Block, Button, Item, Menu, Paragraph
from bot.commands.answering import answer, browse_button, error, gone, pressed_concepts, random_button, voice_of
from bot.commands.compare import compare
from bot.commands.showing import quote, show
from bot.commands.situation import Reply, Situation
from bot.commands.unknown import unknown
from bot.glossary.folding import fold, has_han
from bot.glossary.questions import MAX_QUESTION, understand
from bot.glossary.resolver import Ambiguous, Found, certain
from bot.glossary.sides import MAX_SIDES, Side
from bot.wording import concept_buttons, item, summary, title


def define(s: Situation) -> Reply:
    """A label or a question, typed; or the button of a concept."""
    if s.request.press is not None:
        return _pressed(s)
    text = s.request.text
    if not fold(text):
        s = s.whispered()
        return error(s, "usage", "usage.define", [browse_button(s), random_button(s)])
    if len(text) > MAX_QUESTION:
        s = s.whispered()
        return error(s, "usage", "too_long", [browse_button(s)])
    asked = understand(text, s.glossary)
    if asked.intent == "compare":
        return compare(s, asked.sides)
    if asked.intent == "several":
        return _several(s, asked.sides)
    (side,) = asked.sides
    if isinstance(side.means, Found):
        return _found(s, side, side.means)
    if isinstance(side.means, Ambiguous):
        return _choose(s, side.means.concepts, side.text)
    return unknown(s, (side,))


def _pressed(s: Situation) -> Reply:
    """A concept's button; the codes behind the first say where the reader comes from."""
    press = s.request.press
    assert press is not None
    concept = s.glossary.by_code(press.codes[0]) if press.codes else None
    if concept is None:
        return gone(s)
    return show(s, concept)


def _found(s: Situation, side: Side, means: Found) -> Reply:
    concept = s.glossary.concepts[means.concept]
    text, word = s.request.text, s.request.word
    bare = has_han(text) and not has_han(word) and certain(text, s.glossary) is not None
    if bare and s.automatic and s.request.locale == "en":
        s = replace(s, profile=replace(s.profile, language="both"))
        return show(s, concept, typed=means.label, automatic=True)
    return show(s, concept, typed=means.label, corrected=side.text if means.corrected else None)


def _several(s: Situation, sides: Sequence[Side]) -> Reply:
    ids = _concepts_of(sides)
    voice = voice_of(s)
    blocks: list[Block] = [item(s.glossary.concepts[i], voice) for i in ids]
    buttons: list[Button | Menu] = []
    if 2 <= len(ids) <= MAX_SIDES:
        buttons.append(Button(s.say("compare"), voice.press("vs", ids)))
    return Reply(answer(s, "list", blocks, buttons, concepts=tuple(ids)))


def _concepts_of(sides: Sequence[Side]) -> list[str]:
    ids: list[str] = []
    for side in sides:
        if isinstance(side.means, Found):
            ids.append(side.means.concept)
        elif isinstance(side.means, Ambiguous):
            ids += side.means.concepts
    return list(dict.fromkeys(ids))


def _choose(s: Situation, ids: Sequence[str], typed: str = "") -> Reply:
    voice = voice_of(s)
    count = s.say(f"number.{min(len(ids), 9)}")
    quoted = typed and s.private
    first = s.say("choice.typed", typed=quote(typed), count=count) if quoted else s.say("choice", count=count)
    items = [
        Item(
            title(concept, voice),
            summary(concept, voice),
            Button(s.say("show"), voice.press("option", (concept.id, *ids))),
        )
        for concept in (s.glossary.concepts[i] for i in ids)
    ]
    return Reply(answer(s, "choice", [Paragraph(first), *items], concepts=tuple(ids)))


def choose(s: Situation) -> Reply:
    """The button back to a choice."""
    ids = pressed_concepts(s)
    if len(ids) == 1:
        return show(s, s.glossary.concepts[ids[0]])
    return _choose(s, ids) if ids else gone(s)


def not_meant(s: Situation) -> Reply:
    """ "Not what I meant" under a correction: what else is near."""
    voice = voice_of(s)
    ids = pressed_concepts(s)
    text = s.say("not_meant.close" if ids else "not_meant.nothing")
    buttons = [*concept_buttons(ids, voice), browse_button(s)]
    return Reply(answer(s, "unknown", [Paragraph(text)], buttons, concepts=tuple(ids)))
