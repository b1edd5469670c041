"""What holds for every answer, whatever was asked: `faults` lists what doesn't."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bot.answer import Answer, Table
from bot.errors import ButtonError
from bot.glossary.concept import Language
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import decode
from tests.desks import buttons, menus, texts

MAX_REQUEST = 100
MAX_LABEL = 75
"""Slack's limit for the text of a button."""


def faults(answer: Answer, glossary: Glossary, phrases: Phrases, *, public: bool = False) -> list[str]:
    """`public`: others see the answer."""
    found = [
        *_texts(answer),
        *_foreign(answer, phrases),
        *_tables(answer),
        *_buttons(answer, public),
        *(f"unknown concept {concept}" for concept in answer.concepts if concept not in glossary.concepts),
    ]
    if (answer.kind == "silence") == bool(answer.blocks):
        found.append("silence is what has no blocks")
    return found


def _texts(answer: Answer) -> Iterator[str]:
    for text in [*texts(answer), *(button.label for button in buttons(answer))]:
        if not text or text != text.strip():
            yield f"empty, or spaces around: {text!r}"
        if "{" in text or "}" in text:
            yield f"not filled in: {text!r}"


def _foreign(answer: Answer, phrases: Phrases) -> Iterator[str]:
    """Sentences of the bot in the other language than the answer's."""
    other: Language = "en" if answer.chrome == "zh-Hans" else "zh-Hans"
    own = {phrases.say(key, answer.chrome) for key in phrases.keys()}  # noqa: SIM118 - it's no mapping
    others = {phrases.say(key, other) for key in phrases.keys()} - own  # noqa: SIM118
    if answer.language == "both":
        others -= {phrases.say(key, other) for key in ("only_this", "only.en", "only.zh-Hans")}
        # comparisons say the aspect's column once, and everything else of both languages comes from the data
    for text in [*texts(answer), *(button.label for button in buttons(answer)), *(m.label for m in menus(answer))]:
        if text in others:
            yield f"says {text!r} in a {answer.chrome} answer"


def _tables(answer: Answer) -> Iterator[str]:
    for block in answer.blocks:
        if isinstance(block, Table):
            if not block.rows or len(block.columns) < 3:
                yield "a table that shows nothing"
            if any(len(row) != len(block.columns) for row in block.rows):
                yield f"cells beside the columns {block.columns}"


def _buttons(answer: Answer, public: bool) -> Iterator[str]:
    all_buttons = buttons(answer)
    for request, count in Counter(button.request for button in all_buttons).items():
        if count > 1:
            yield f"{count} times {request}"
        if not request.isascii() or len(request) > MAX_REQUEST:
            yield f"too much for a button: {request}"
        try:
            press = decode(request)
        except ButtonError:
            yield f"can't be decoded: {request}"
            continue
        if bool(press.asker) != public:
            yield f"a button of a public answer names the asker, and no other does: {request}"
        if public and press.action in ("share", "share-vs"):
            yield "a public answer can't be shared"
    for button in all_buttons:
        if len(button.label) > MAX_LABEL:
            yield f"too long for a button: {button.label}"
    if len(menus(answer)) > 1:
        yield "more than one menu"
    for menu in menus(answer):
        if not 1 <= len(menu.options) <= 8 or len(menu.label) > MAX_LABEL:
            yield f"a menu of {len(menu.options)}"
