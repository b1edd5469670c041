"""An index over the words of the labels: which concepts does a part of a name belong to?

Latin words count by their stem ("caching" and "cache" are one), Chinese by any run of two characters or more. A
concept matches when its labels, of both languages together, cover every word of the query: "continuous 批处理" does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from bot.glossary.concept import Concept
from bot.glossary.folding import HAN, fold, has_han
from bot.glossary.frames import is_frame_word
from bot.glossary.typos import TypoIndex

_TOKENS: Final = re.compile(f"[{HAN}]+|[^\\W_{HAN}]+")
_HAN_TOKEN: Final = re.compile(f"[{HAN}]")
_LONG_WORD: Final = 9
"""From so many letters on few words are one edit away from another."""

_ENDINGS: Final = (
    ("isms", 4),
    ("ism", 4),
    ("ments", 4),
    ("ment", 4),
    ("ings", 4),
    ("ing", 4),
    ("ed", 4),
    ("es", 3),
    ("s", 3),
)
"""(ending, letters that must be left)."""


@dataclass(frozen=True, slots=True)
class Part:
    """A concept that a part-word belongs to."""

    concept: str
    principal: bool
    """The part stands in a preferred label or a full form, not only in a synonym."""
    head: bool
    """A shown label ends with the part, as "batching" ends "dynamic batching", or several words begin one."""
    leading: bool
    """A label begins with the part (a Latin one: a preferred label or a full form)."""


class PartIndex:
    """Words of labels -> concepts."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._entries: list[_Entry] = []
        self._postings: dict[str, set[int]] = defaultdict(set)
        self._vocabulary: set[str] = set()
        for number, concept in enumerate(concepts):
            entry = _Entry(concept)
            self._entries.append(entry)
            for key in entry.search_keys():
                self._postings[key].add(number)
            self._vocabulary |= entry.words()

    def find(self, text: str) -> list[Part]:
        """The concepts whose labels cover all words of `text`: those of preferred labels first, then by topic order."""
        tokens = _tokens(fold(text))
        if not tokens or (len(tokens) == 1 and len(tokens[0]) < 2):
            return []
        keys = [key for token in tokens for key in _keys(token)]
        if not keys:
            return []
        if any(token not in self._vocabulary and f"{token}e" in self._vocabulary for token in tokens):
            return []  # "inferenc" is a slip, not another form of "inference"
        numbers = frozenset.intersection(*(frozenset(self._postings.get(key, ())) for key in keys))
        found = [part for number in sorted(numbers) if (part := self._entries[number].match(tokens))]
        return sorted(found, key=lambda part: not part.principal)

    def sharing(self, text: str) -> dict[str, int]:
        """Concept id -> how many words of `text` its labels share. Words of many concepts don't count."""
        counts: dict[str, int] = defaultdict(int)
        common = max(4, len(self._entries) // 8)
        words = [token for token in _tokens(fold(text)) if not is_frame_word(token)]
        for key in {key for word in words for key in _keys(word)}:
            numbers = self._postings.get(key, set())
            if len(numbers) <= common:
                for number in numbers:
                    counts[self._entries[number].id] += 1
        return counts

    def nearest_word(self, word: str) -> str:
        """The word of a label that `word` is surely a slip of, one edit away; else `word` itself.

        In short words only swapped letters count ("draft" isn't "drift"), in longer ones a missing letter too.
        """
        if word in self._vocabulary or has_han(word):
            return word
        for near in self._word_typos.near(word):
            label = near.squashed
            swapped = sorted(label) == sorted(word)
            lacking = len(word) < len(label) >= _LONG_WORD - 1
            if near.edits == 1 and (swapped or lacking or len(word) >= _LONG_WORD):
                return label
        return word

    @cached_property
    def _word_typos(self) -> TypoIndex[str]:
        return TypoIndex((word, (word,)) for word in sorted(self._vocabulary) if not has_han(word))

    def distinctive(self, text: str, concept_id: str) -> bool:
        """Whether no other concept's text uses the words, but in the concept's own labels.

        "Speculative" tells a concept, "attention" doesn't.
        """
        tokens = _tokens(fold(text))
        own = next(entry for entry in self._entries if entry.id == concept_id).pattern()
        return not any(entry.id != concept_id and entry.mentions(tokens, own) for entry in self._entries)


class _Entry:
    def __init__(self, concept: Concept) -> None:
        self.id = concept.id
        self._labels = [
            (label.kind in ("pref", "full"), tuple(_tokens(fold(label.text))))
            for label in concept.labels()
            if label.kind != "hidden"
        ]
        self._shown = [fold(label.text) for label in concept.labels() if label.kind != "hidden"]
        prose = " ".join(f"{section.summary} {section.definition}" for section in concept.sections.values())
        self._text = " | ".join((prose, *self._shown))

    def search_keys(self) -> set[str]:
        return {key for _, tokens in self._labels for token in tokens for key in _keys(token)}

    def words(self) -> set[str]:
        return {token for _, tokens in self._labels for token in tokens}

    def match(self, tokens: list[str]) -> Part | None:
        if not all(any(_covers(token, label) for _, label in self._labels) for token in tokens):
            return None
        principal = all(any(_covers(token, label) for main, label in self._labels if main) for token in tokens)
        han = _HAN_TOKEN.match(tokens[0]) is not None
        leading = any(_begins(label, tokens) for main, label in self._labels if main or han)
        long = len(tokens) > 1 or (han and len(tokens[0]) > 2)
        head = any(_ends(label, tokens) or (long and _begins(label, tokens)) for _, label in self._labels)
        return Part(self.id, principal, head, leading)

    @cached_property
    def _prose(self) -> str:
        return fold(self._text)

    def pattern(self) -> re.Pattern[str]:
        """Finds this concept's labels in folded prose."""
        return re.compile("|".join(sorted(map(re.escape, self._shown), key=len, reverse=True)))

    def mentions(self, tokens: list[str], but_in: re.Pattern[str]) -> bool:
        """Whether this concept's text has one of the words outside of what `but_in` finds."""
        prose = but_in.sub(" ", self._prose)
        stems = {_stem(token) for token in _tokens(prose)}
        return any(token in prose if _HAN_TOKEN.match(token) else _stem(token) in stems for token in tokens)


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


def _ends(label: tuple[str, ...], tokens: list[str]) -> bool:
    if len(tokens) > len(label):
        return False
    first, *tail = tokens
    if any(_stem(token) != _stem(word) for token, word in zip(reversed(tail), reversed(label), strict=False)):
        return False
    word = label[len(label) - len(tokens)]
    return word.endswith(first) if _HAN_TOKEN.match(first) else _stem(word) == _stem(first)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """A rough English stem: enough to bring cache, caches, cached and caching together."""
    if not word.isascii() or not word.isalpha():
        return word
    for ending, at_least in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= at_least:
            word = word[: -len(ending)]
            break
    return word.removesuffix("e") if len(word) >= 4 else word
