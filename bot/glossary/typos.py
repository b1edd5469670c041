"""Labels within a few edits of a typed text.

The budget of edits grows with the length of the label: a percentage would be wrong for short ones. Edits are counted
by optimal string alignment, in which two swapped neighbours are one edit.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
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
    """Squashed labels in buckets of the same script and length, so that a query is held against few of them."""

    def __init__(self, labels: Iterable[tuple[str, tuple[HitT, ...]]]) -> None:
        self._buckets: dict[tuple[bool, int], list[str]] = defaultdict(list)
        self._hits: dict[str, tuple[HitT, ...]] = {}
        for squashed, hits in labels:
            self._buckets[has_han(squashed), len(squashed)].append(squashed)
            self._hits[squashed] = hits

    def near(self, squashed: str) -> list[Near[HitT]]:
        """All labels within their own budget of edits, the nearest first. Never a label of other digits."""
        han = has_han(squashed)
        found = []
        for length in range(len(squashed) - 3, len(squashed) + 4):
            allowed = budget(length, han=han)
            if allowed and (bucket := self._buckets.get((han, length))):
                found += self._within(squashed, bucket, allowed)
        return sorted((near for near in found if _plausible(squashed, near.squashed, near.edits)), key=_order)

    def _within(self, squashed: str, bucket: list[str], allowed: int) -> list[Near[HitT]]:
        matches = process.extract(squashed, bucket, scorer=OSA.distance, score_cutoff=allowed, limit=None)
        return [Near(label, int(edits), self._hits[label]) for label, edits, _ in matches]

    def codes_near(self, squashed: str) -> list[Near[HitT]]:
        """Codes one edit away from a code: neighbours to offer, never an answer."""
        found = []
        for length in range(len(squashed) - 1, len(squashed) + 2):
            if 2 <= length <= CODE_LENGTH + 1 and (bucket := self._buckets.get((False, length))):
                found += self._within(squashed, bucket, 1)
        return sorted(found, key=_order)


def _order(near: Near[HitT]) -> tuple[int, str]:
    return near.edits, near.squashed


def _plausible(typed: str, label: str, edits: int) -> bool:
    """Whether the edits look like a slip rather than like another word."""
    if _DIGITS.findall(typed) != _DIGITS.findall(label):
        return False  # INT4 is not INT8
    if has_han(label):
        return True  # judged by the resolver, which knows the readings
    if typed[0] == label[0]:
        return True
    # A slip in the first letter is rare; where more is wrong, or the word is short, it's another word
    # ("reference" is two edits from "inference", "upset" one from "opset").
    missing = typed[0] == label[1] and len(label) > 13
    return (len(label) > 8 and edits == 1) or missing or typed[:2] == label[1::-1]
