"""The words near a label that decide its sense: "roses" beside pruning, "checkpoint" beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ahocorasick_rs import AhoCorasick

from bot.glossary.folding import fold

NEAR: Final = 80
"""Characters before and after a label in which such words are looked for."""

_WORD: Final = re.compile(r"[a-z0-9]+")
_ONLY_WORDS: Final = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The folded text near a label, without the label: as it is, as words, and as these words in a row."""

    text: str
    words: frozenset[str]
    row: str

    @classmethod
    def of(cls, folded: str, start: int, end: int) -> Surroundings:
        before, after = folded[max(0, start - NEAR) : start], folded[end : end + NEAR]
        words_before, words_after = _WORD.findall(before), _WORD.findall(after)
        row = f" {' '.join(words_before)} | {' '.join(words_after)} "
        return cls(f"{before} | {after}", frozenset((*words_before, *words_after)), row)


class Cues:
    """Words to look for. Latin words and phrases count whole, in the plural too; Chinese and signs anywhere."""

    def __init__(self, words: Iterable[str]) -> None:
        folded = {fold(word) for word in words} - {""}
        latin = {form for word in folded if _ONLY_WORDS.fullmatch(word) for form in (word, f"{word}s")}
        self._words = frozenset(word for word in latin if " " not in word)
        self._phrases = AhoCorasick([f" {phrase} " for phrase in latin if " " in phrase])
        self._anywhere = AhoCorasick([word for word in folded if not _ONLY_WORDS.fullmatch(word)])

    def any_in(self, around: Surroundings) -> bool:
        return (
            not self._words.isdisjoint(around.words)
            or bool(self._phrases.find_matches_as_indexes(around.row))
            or bool(self._anywhere.find_matches_as_indexes(around.text))
        )
