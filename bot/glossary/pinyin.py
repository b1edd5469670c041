"""Chinese labels by their reading, for people who type "lianghua" or a homophone of the right characters.

Only whole readings count; they are never matched approximately and never looked for in messages. The library and its
tables are loaded when a reading is first asked for, since most look-ups never need one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Final, Generic, TypeVar

from bot.glossary.folding import HAN, fold, has_han, squash

HitT = TypeVar("HitT")

_LATIN_ONLY: Final = re.compile(r"[a-z0-9 ']{4,80}")
_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_ALIKE: Final = (("zh", "z"), ("ch", "c"), ("sh", "s"), ("ng", "n"))
"""Sounds that speakers of many regions don't tell apart, so that an input method offers both."""


class PinyinIndex(Generic[HitT]):
    """Reading without tones and spaces -> hits. `labels` are (text, corrected reading or None, hit)."""

    def __init__(self, labels: Iterable[tuple[str, str | None, HitT]]) -> None:
        self._labels = [entry for entry in labels if has_han(entry[0])]

    def lookup(self, folded: str) -> tuple[HitT, ...]:
        """The hits whose label is read like `folded`, Latin letters as typed. Two characters at least."""
        if not _LATIN_ONLY.fullmatch(folded):
            return ()
        return tuple(self._by_reading.get(folded.replace(" ", "").replace("'", ""), ()))

    def homophones(self, folded: str) -> tuple[HitT, ...]:
        """The hits whose label sounds like a Chinese text of three characters or more."""
        if not has_han(folded) or not 3 <= len(folded) <= 40:
            return ()
        return tuple(self._by_reading.get(_squashed_reading(folded), ()))

    def warm(self) -> None:
        """Loads the library and makes the index."""
        _ = self._by_reading

    @cached_property
    def _by_reading(self) -> dict[str, list[HitT]]:
        by_reading: dict[str, list[HitT]] = defaultdict(list)
        for text, corrected, hit in self._labels:
            folded = fold(text)
            key = (
                re.sub(r"[^a-z0-9]", "", corrected.lower().replace("ü", "v"))
                if corrected
                else _squashed_reading(folded)
            )
            if len(folded) >= 2 and hit not in by_reading[key]:
                by_reading[key].append(hit)
        return by_reading


def sounds_alike(one: str, other: str) -> bool:
    """Whether two Chinese characters have a reading in common, tones and regional mergers aside."""
    from pypinyin import Style, pinyin

    def readings(character: str) -> set[str]:
        return {_merge(reading) for reading in pinyin(character, style=Style.NORMAL, heteronym=True)[0]}

    return not readings(one).isdisjoint(readings(other))


def _squashed_reading(folded: str) -> str:
    from pypinyin import lazy_pinyin

    return squash(_HAN_RUN.sub(lambda run: "".join(lazy_pinyin(run.group())), folded))


def _merge(reading: str) -> str:
    for full, merged in _ALIKE:
        reading = reading.replace(full, merged)
    return "l" + reading[1:] if reading.startswith("n") else reading
