"""An index over the words of the labels: which concepts does a part of a name belong to?

Latin words count by their stem ("caching" and "cache" are one), Chinese by any run of two characters or more. A
concept matches when its labels, of both languages together, cover every word of the query: "continuous 批处理" does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.glossary.concept import Concept
from bot.glossary.folding import HAN, fold
from bot.glossary.frames import is_frame_word

_TOKENS: Final = re.compile(f"[{HAN}]+|[^\\W_{HAN}]+")
_HAN_TOKEN: Final = re.compile(f"[{HAN}]")
_STEM_LENGTH: Final = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A concept that a part-word belongs to."""

    concept: str
    principal: bool
    """The part stands in a preferred label or a full form, not only in a synonym."""
    leading: bool
    """A label begins with the part (a Latin one: a preferred label or a full form)."""


class PartIndex:
    """Words of labels -> concepts."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._entries: list[_Entry] = []
        self._postings: dict[str, set[int]] = defaultdict(set)
        self._texts: list[str] = []
        for number, concept in enumerate(concepts):
            entry = _Entry(concept)
            self._entries.append(entry)
            for key in entry.keys():
                self._postings[key].add(number)

    def find(self, text: str) -> list[Part]:
        """The concepts whose labels cover all words of `text`: those of preferred labels first, then by topic order."""
        tokens = _tokens(fold(text))
        if not tokens or (len(tokens) == 1 and len(tokens[0]) < 2):
            return []
        keys = [key for token in tokens for key in _keys(token)]
        if not keys:
            return []
        numbers = frozenset.intersection(*(frozenset(self._postings.get(key, ())) for key in keys))
        found = [part for number in sorted(numbers) if (part := self._entries[number].match(tokens))]
        return sorted(found, key=lambda part: not part.principal)

    def sharing(self, text: str) -> dict[str, int]:
        """Concept id -> how many words of `text` its labels share: for suggestions. Words of many concepts don't count."""
        counts: dict[str, int] = defaultdict(int)
        common = max(4, len(self._entries) // 8)
        words = [token for token in _tokens(fold(text)) if not is_frame_word(token)]
        for key in {key for word in words for key in _keys(word)}:
            numbers = self._postings.get(key, set())
            if len(numbers) <= common:
                for number in numbers:
                    counts[self._entries[number].id] += 1
        return counts

    def distinctive(self, text: str, concept_id: str) -> bool:
        """Whether no other concept's text uses the words: "speculative" tells a concept, "attention" doesn't."""
        tokens = _tokens(fold(text))
        return not any(entry.id != concept_id and entry.mentions(tokens) for entry in self._entries)


class _Entry:
    __slots__ = ("_labels", "_text", "id")

    def __init__(self, concept: Concept) -> None:
        self.id = concept.id
        self._labels = [
            (label.kind in ("pref", "full"), tuple(_tokens(fold(label.text)))) for label in concept.labels()
        ]
        self._text = " ".join(f"{section.summary} {section.definition}" for section in concept.sections.values())

    def keys(self) -> set[str]:
        return {key for _, tokens in self._labels for token in tokens for key in _keys(token)}

    def match(self, tokens: list[str]) -> Part | None:
        if not all(any(_covers(token, label) for _, label in self._labels) for token in tokens):
            return None
        principal = all(any(_covers(token, label) for main, label in self._labels if main) for token in tokens)
        han = _HAN_TOKEN.match(tokens[0]) is not None
        leading = any(_begins(label, tokens) for main, label in self._labels if main or han)
        return Part(self.id, principal, leading)

    def mentions(self, tokens: list[str]) -> bool:
        words = _prose(self._text)
        return any(
            token in words.text if _HAN_TOKEN.match(token) else _stem(token) in words.stems for token in tokens
        ) or any(_covers(token, label) for token in tokens for _, label in self._labels)


@dataclass(frozen=True, slots=True)
class _Prose:
    text: str
    stems: frozenset[str]


@lru_cache(maxsize=512)
def _prose(text: str) -> _Prose:
    folded = fold(text)
    return _Prose(folded, frozenset(_stem(token) for token in _tokens(folded)))


def _tokens(folded: str) -> list[str]:
    return _TOKENS.findall(folded)


def _keys(token: str) -> list[str]:
    if _HAN_TOKEN.match(token):
        return [token[i : i + 2] for i in range(len(token) - 1)]
    return [_stem(token)]


def _covers(token: str, label: tuple[str, ...]) -> bool:
    if _HAN_TOKEN.match(token):
        return any(token in word for word in label)
    return any(_stem(token) == _stem(word) for word in label)


def _begins(label: tuple[str, ...], tokens: list[str]) -> bool:
    if len(tokens) > len(label):
        return False
    *head, last = tokens
    if any(_stem(token) != _stem(word) for token, word in zip(head, label, strict=False)):
        return False
    word = label[len(head)]
    return word.startswith(last) if _HAN_TOKEN.match(last) else _stem(word) == _stem(last)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """A rough English stem: enough to bring cache, caches, cached and caching together."""
    if not word.isascii() or not word.isalpha():
        return word
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_LENGTH - (ending in ("es", "s")):
            if ending in ("es", "s") and word.endswith("ss"):
                break
            word = word[: -len(ending)]
            break
    return word.removesuffix("e") if len(word) >= _STEM_LENGTH else word
