"""Typed text -> a command and its argument. What an adapter can't derive from its platform, it asks here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from bot.commands.names import BY_WORD, Command
from bot.glossary.folding import HAN, fold, has_han, visible

_MARKED: Final = re.compile(r"\s*([/!！／、])([ \t\u3000]*)([^\s/!！／、]\S*)(.*)", re.DOTALL)
_LONGEST_WORD: Final = 20
"""Characters of a command's word that are looked at; none is longer."""

_CHINESE_WORDS: Final = sorted((word for word in BY_WORD if has_han(word)), key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as typed. `command` is None where no command has the name `word`."""

    mark: Literal["/", "!"]
    """`!` also for what a Chinese input method makes of both: such a text is a message like any other."""
    word: str
    command: Command | None
    argument: str


def read(text: str) -> Typed | None:
    """A text that begins with a command's mark; None: it doesn't. "! nice" and "!!" are no commands."""
    match = _MARKED.fullmatch(visible(text))
    if match is None or (match[2] and match[1] in "!！、"):
        return None
    mark: Literal["/", "!"] = "/" if match[1] == "/" else "!"
    word, rest = match[3], match[4]
    for chinese in _CHINESE_WORDS:
        if word == chinese or (word.startswith(chinese) and BY_WORD[chinese].takes_text):
            return Typed(mark, chinese, BY_WORD[chinese], (word[len(chinese) :] + rest).strip())
    return Typed(mark, word, BY_WORD.get(fold(word[:_LONGEST_WORD])), rest.strip())


def read_mention(text: str) -> Typed | None:
    """A mention's text that begins with a command's word, whole: "vs slo sla", "对比 SLO SLA"."""
    match = re.fullmatch(rf"\s*([a-zA-Z]+|[{HAN}]+)(?:[\s:：]+(.*))?", visible(text), re.DOTALL)
    command = BY_WORD.get(fold(match[1])) if match else None
    if match is None or command is None or command.name == "jargonaut":
        return None
    return Typed("!", match[1], command, (match[2] or "").strip())
