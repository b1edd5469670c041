"""What Discord takes at most in one message, and how a text is cut to it.

Discord counts code points, and some emoji as more; UTF-16 units, which are never fewer, are counted here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from adapters.discord.markdown import one_line

MAX_COMPONENTS: Final = 40
"""Of a message, nested ones included. A section with a text and a button are three."""

MAX_CHARACTERS: Final = 4_000
"""Of all texts of a message together, markup included; labels of buttons and menus don't count."""

MAX_ROW: Final = 5
"""Buttons side by side."""

MAX_OPTIONS: Final = 25
"""Of one select menu."""

MAX_BUTTON_LABEL: Final = 80
MAX_OPTION_LABEL: Final = 100
MAX_PLACEHOLDER: Final = 150

_NO_WORDS: Final = "…"
"""What stands where a label would be empty, which Discord refuses."""

_SENTENCE_END: Final = re.compile(r"[.!?](?=\s)|[。！？；]")
_ENOUGH: Final = 0.6
"""A text is cut at the end of a sentence or word if so much of the room is used then."""


def length(text: str) -> int:
    """In UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def label(text: str, room: int) -> str:
    """One line for a button or an option, cut at a word; never empty."""
    return cut(one_line(text), room, length) or _NO_WORDS


def cut(text: str, room: int, measure: Callable[[str], int]) -> str:
    """As much of `text` as measures at most `room`, with "…" where something is missing.

    It ends at the end of a sentence if one is near, else of a word, else anywhere.
    """
    if measure(text) <= room:
        return text
    fits, over = 0, len(text)  # the first `fits` characters fit, the first `over` don't
    while over - fits > 1:
        middle = (fits + over) // 2
        fits, over = (middle, over) if measure(text[:middle].rstrip() + " …") <= room else (fits, middle)
    least = int(fits * _ENOUGH)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, least, fits + 1) if match.end() <= fits]
    if ends:
        return text[: ends[-1]] + (" …" if text[ends[-1] - 1].isascii() else "…")
    if text[fits].isalnum() and text[fits].isascii() and (space := text.rfind(" ", least, fits)) > 0:
        fits = space
    kept = text[:fits].rstrip(" \n\t\u200d,;:，、；：")
    return f"{kept}…" if kept else _NO_WORDS if measure(_NO_WORDS) <= room else ""
