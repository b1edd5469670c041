"""What is said to the bot itself: a mention, a direct message, `/jargonaut TEXT`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.answer import silence
from bot.commands.autoexplain import autoexplain
from bot.commands.browse import glossary
from bot.commands.compare import vs
from bot.commands.define import define
from bot.commands.explain import explain
from bot.commands.helping import help_, hint, is_long, is_small_talk, only_terms
from bot.commands.language import lang
from bot.commands.names import BY_WORD
from bot.commands.situation import Reply, Situation
from bot.commands.typed import read_mention
from bot.glossary.folding import fold
from bot.glossary.resolver import trim

_HELP_WORDS: Final = frozenset({"help", "usage", "commands", "帮助", "幫助", "怎么用"})
_COMMANDS: Final[dict[str, Callable[[Situation], Reply]]] = {
    "define": define,
    "vs": vs,
    "glossary": glossary,
    "lang": lang,
    "explain": lambda s: _known(define(s)) or explain(s),
    "autoexplain": autoexplain,
}
""" "explain SLO" asks for one term; of a sentence, "explain" wants all terms in it."""


def mention(s: Situation) -> Reply:
    """A command, a question, a label, or a text with labels in it; silence for thanks; a hint for a long text."""
    text = s.request.text
    if not fold(trim(text)):
        return hint(s)
    first, _, named = fold(trim(text)).partition(" ")
    if first in _HELP_WORDS and (not named or named.lstrip("/!") in BY_WORD):
        return help_(replace(s, request=replace(s.request, text=named, word=first)))
    if is_small_talk(text):
        return Reply(silence(s.shown))
    if typed := read_mention(text):
        assert typed.command is not None
        return _COMMANDS[typed.command.name](
            replace(s, request=replace(s.request, text=typed.argument, word=typed.word))
        )
    reply = define(s)
    if _known(reply):
        return reply
    if s.detector().mentions(text):
        return explain(s)
    return only_terms(s) if is_long(text) else reply


def _known(reply: Reply) -> Reply | None:
    """The answer to a question, if it's one."""
    unknown = reply.answer.kind in ("unknown", "error") and reply.answer.error != "same"
    return None if unknown else reply


def message(s: Situation) -> Reply:
    """What is said in a channel and not to the bot."""
    return Reply(silence(s.shown))
