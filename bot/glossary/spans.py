"""Labels inside a short typed text, as spans: whole words in Latin script, any run in Chinese, the longest first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.glossary.folding import HAN
from bot.glossary.glossary import Glossary, Hit

_WORD: Final = re.compile(f"[{HAN}]|\\.?[^\\W_{HAN}]+(?:['’]s\\b)?")
_MAX_CHARACTERS: Final = 120
"""Nothing longer is a label."""


@dataclass(frozen=True, slots=True)
class Span:
    """A label found at `text[start:end]`. Several hits: concepts that share the label."""

    start: int
    end: int
    hits: tuple[Hit, ...]

    @property
    def concept(self) -> str:
        return self.hits[0].concept


def scan(text: str, glossary: Glossary) -> list[Span]:
    """The labels in `text` that don't overlap, from left to right. For texts of a few hundred characters."""
    words = [match.span() for match in _WORD.finditer(text)]
    found: list[Span] = []
    number = 0
    while number < len(words):
        longest: Span | None = None
        after = number + 1
        for last in range(number, len(words)):
            start, end = words[number][0], words[last][1]
            if hits := glossary.lookup(text[start:end]):
                longest, after = Span(start, end, hits), last + 1
            if end - start > _MAX_CHARACTERS or not glossary.begins_label(text[start:end]):
                break
        if longest is not None:
            found.append(longest)
        number = after
    return found
