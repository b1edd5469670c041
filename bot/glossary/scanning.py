"""The fold of `folding.py` for running text, with the way back to places in the original.

Most texts fold character by character, so that places stay as they are, and a few passes in C do it. Only where a
character's fold is longer or shorter (ligatures, invisible characters), and for runs of spaces, it's noted what moved.
The result is UTF-8, which the automaton reads without a detour.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from bot.glossary.folding import fold
from bot.glossary.traditional import SIMPLIFIED

_CAPITALS: Final = bytes(range(0x41, 0x5B))
_GAPS: Final = b"-_\t\n\v\f\r\x1c\x1d\x1e\x1f"
_INVISIBLE: Final = bytes([*range(0x09), *range(0x0E, 0x1C), 0x7F])
_SMALL: Final = bytes.maketrans(
    _CAPITALS + _GAPS + _INVISIBLE, _CAPITALS.lower() + b" " * len(_GAPS) + b"\0" * len(_INVISIBLE)
)
_INVISIBLES: Final = re.compile("\0+")
_SPACES: Final = re.compile("  +")
_TWO_SPACES: Final = re.compile(b"  ")
"""In prose, where single ones are everywhere, `re` looks for two twice as fast as `in`."""


def _unlike() -> str:
    """The inside of a character class: all beyond ASCII whose fold isn't themselves; punctuation separates anyway.

    One class of ranges, with gaps for the Traditional characters, is several times faster than alternatives.
    """
    gaps = [0x4DFF, *sorted(place for place in SIMPLIFIED if 0x4E00 <= place <= 0x9FFF), 0xA000]
    han = "".join(f"{chr(a + 1)}-{chr(b - 1)}" for a, b in pairwise(gaps) if b - a > 1)
    punctuation = "\u2018\u201a-\u201d\u2026\u3001\u3002\u3007-\u3011\uff0c\uff01\uff1a\uff1b\uff1f\uff08\uff09"
    return f"^\0-\x7f{punctuation}{han}\u2600-\u27bf\U0001f300-\U0001faff"


_UNLIKE: Final = re.compile(f"[{_unlike()}]")


@dataclass(frozen=True, slots=True)
class Moves:
    """From each of `places` of a text on, until the next one, its characters stood `shifts` further on before."""

    places: list[int]
    shifts: list[int]

    def origin(self, place: int) -> int:
        at = bisect_right(self.places, place) - 1
        return place + self.shifts[at] if at >= 0 else place


class Folded(NamedTuple):
    """A folded text as UTF-8, and what moved on the way to it, the last first."""

    utf8: bytes
    moves: tuple[Moves, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The places in the original of the characters from `start` to `end`; there must be some."""
        last = end - 1
        for moves in self.moves:
            start, last = moves.origin(start), moves.origin(last)
        return start, last + 1


def fold_in_place(text: str) -> Folded:
    """`text` folded for scanning."""
    all_moves: tuple[Moves, ...] = ()
    if not text.isascii():
        text, moves = _rewritten(text, _UNLIKE, _fold_one)
        all_moves = (moves,) if moves.places else ()
    small = text.encode().translate(_SMALL)
    if b"\0" in small:
        text, moves = _rewritten(small.decode(), _INVISIBLES, lambda _: "")
        small, all_moves = text.encode(), (moves, *all_moves)
    if _TWO_SPACES.search(small):
        text, moves = _rewritten(small.decode(), _SPACES, lambda _: " ")
        small, all_moves = text.encode(), (moves, *all_moves)
    return Folded(small, all_moves)


def _rewritten(text: str, pattern: re.Pattern[str], rewrite: Callable[[str], str]) -> tuple[str, Moves]:
    """`text` with another text for each match, all of whose characters then come from where the match began."""
    parts: list[str] = []
    moves = Moves([], [])
    end = length = 0
    for match in pattern.finditer(text):
        old, new = match.group(), rewrite(match.group())
        start = match.start()
        parts += (text[end:start], new)
        length += start - end
        end = match.end()
        if len(old) != len(new):
            moves.places.extend(range(length, length + len(new) + 1))
            moves.shifts.extend(start - place for place in range(length, length + len(new)))
            moves.shifts.append(end - length - len(new))
        length += len(new)
    parts.append(text[end:])
    return "".join(parts), moves


@lru_cache(maxsize=4096)
def _fold_one(character: str) -> str:
    """The fold of a character, but a gap is a gap, and signs such as ① and ㎏ are no part of the word beside them."""
    folded, category = fold(character), unicodedata.category(character)
    if folded:
        return "," if folded.isascii() and category in ("No", "So") else folded
    return " " if character.isspace() or category == "Pd" else ""
