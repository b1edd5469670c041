"""Labels within a few edits of a typed text.

The budget of edits grows with the length of the label: a percentage would be wrong for short ones. Edits are counted
by optimal string alignment, in which two swapped neighbours are one edit.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

from rapidfuzz import process
from rapidfuzz.distance import OSA

from bot.glossary.folding import has_han

HitT = TypeVar("HitT")

CODE_LENGTH: Final = 4
"""Latin labels up to this length are codes (SLO, TTFT): with one letter changed they are another code."""

_DIGITS: Final = re.compile(r"\d+")


class Near(NamedTuple, Generic[HitT]):
    """A label near the typed text: its squashed fold, the number of edits, and whose label it is."""

    squashed: str
    edits: int
    hits: tuple[HitT, ...]


def budget(length: int, *, han: bool) -> int:
    """How many edits a label of `length` characters forgives; a Chinese character carries more than a letter."""
    if han:
        return 0 if length < 3 else 1
    if length <= CODE_LENGTH:
        return 0
    return 1 if length < 10 else 2 if length < 18 else 3


class TypoIndex(Generic[HitT]):
    """Squashed labels by script and length, so that a query is held against the few that are as long."""

    def __init__(self, labels: Iterable[tuple[str, tuple[HitT, ...]]]) -> None:
        self._hits = dict(labels)
        self._shelves = {han: _Shelf(label for label in self._hits if has_han(label) == han) for han in (False, True)}

    def near(self, squashed: str) -> list[Near[HitT]]:
        """All labels within their own budget of edits, the nearest first. Never a label of other digits."""
        han = has_han(squashed)
        reach = _reach(len(squashed), han)
        if reach is None:
            return []
        shortest, longest, edits = reach
        found = self._within(squashed, self._shelves[han].between(shortest, longest), edits)
        near = [match for match in found if _plausible(squashed, match, han)]
        return sorted(near, key=_order) if len(near) > 1 else near

    def codes_near(self, squashed: str) -> list[Near[HitT]]:
        """Codes one edit away from a code: neighbours to offer, never an answer."""
        length = len(squashed)
        labels = self._shelves[False].between(max(2, length - 1), min(CODE_LENGTH + 1, length + 1))
        return sorted(self._within(squashed, labels, 1), key=_order)

    def _within(self, squashed: str, labels: list[str], edits: int) -> list[Near[HitT]]:
        matches = process.extract(squashed, labels, scorer=OSA.distance, score_cutoff=edits, limit=None)
        return [Near(label, int(distance), self._hits[label]) for label, distance, _ in matches]


class _Shelf:
    """Labels ordered by length."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = sorted(labels, key=len)
        longest = len(self._labels[-1]) if self._labels else 0
        self._first = [bisect_left(self._labels, length, key=len) for length in range(longest + 2)]

    def between(self, shortest: int, longest: int) -> list[str]:
        """The labels of these lengths, both included."""
        ends = len(self._first) - 1
        return self._labels[self._first[min(max(shortest, 0), ends)] : self._first[min(longest + 1, ends)]]


def _order(near: Near[HitT]) -> tuple[int, str]:
    return near.edits, near.squashed


@lru_cache(maxsize=512)
def _reach(length: int, han: bool) -> tuple[int, int, int] | None:
    """The lengths of the labels that a text of `length` may be a slip of, and the edits that the longest forgives."""
    near = [other for other in range(length - 3, length + 4) if budget(other, han=han) >= max(1, abs(other - length))]
    return (near[0], near[-1], budget(near[-1], han=han)) if near else None


def _plausible(typed: str, near: Near[HitT], han: bool) -> bool:
    """Whether the edits look like a slip rather than like another word."""
    label, edits = near.squashed, near.edits
    if edits > budget(len(label), han=han):
        return False
    if not (typed.isalpha() and label.isalpha()) and _DIGITS.findall(typed) != _DIGITS.findall(label):
        return False  # INT4 is not INT8
    if han or typed[0] == label[0]:
        return True  # one wrong Chinese character is judged by the resolver, which knows the readings
    # A slip in the first letter is rare; where more is wrong, or the word is short, it's another word
    # ("reference" is two edits from "inference", "upset" one from "opset").
    missing = typed[0] == label[1] and len(label) > 13
    return (len(label) > 8 and edits == 1) or missing or typed[:2] == label[1::-1]
