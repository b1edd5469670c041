"""The termbase in memory: immutable once built, and the index from labels to concepts."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.glossary.concept import Chapter, Comparison, Concept, Label, OtherSide, Topic, code
from bot.glossary.folding import fold, has_han, squash
from bot.glossary.lines import Lines
from bot.glossary.parts import PartIndex
from bot.glossary.pinyin import PinyinIndex
from bot.glossary.typos import TypoIndex


class Hit(NamedTuple):
    """A label that was found, and the id of the concept that it belongs to."""

    concept: str
    label: Label


_PLURALS: Final = (("'s", ""), ("s'", ""), ("ies", "y"), ("es", ""), ("s", ""))
_KIND_ORDER: Final = {"pref": 0, "full": 1, "alt": 2, "hidden": 3}


class Glossary:
    """All concepts, topics, chapters and comparisons of a deployment.

    Safe to share between threads and tasks: the indexes that are slow to make are made when they're first asked for
    (or by `warm`), and making one twice does no harm.
    """

    def __init__(
        self,
        concepts: Iterable[Concept],
        topics: Iterable[Topic] = (),
        chapters: Iterable[Chapter] = (),
        comparisons: Iterable[Comparison] = (),
        contexts: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.concepts: Mapping[str, Concept] = MappingProxyType({concept.id: concept for concept in concepts})
        ordered = sorted(topics, key=lambda topic: (topic.position, topic.id))
        self.topics: Mapping[str, Topic] = MappingProxyType({topic.id: topic for topic in ordered})
        self.chapters: Mapping[str, Chapter] = MappingProxyType({chapter.id: chapter for chapter in chapters})
        self.comparisons: Mapping[str, Comparison] = MappingProxyType({entry.id: entry for entry in comparisons})
        self.contexts: Mapping[str, tuple[str, ...]] = MappingProxyType(dict(contexts or {}))
        self._codes = {code(concept_id): concept_id for concept_id in self.concepts}
        self._folded = self._index_labels()
        self._sides = {frozenset(entry.sides): entry for entry in self.comparisons.values() if entry.other() is None}

    def _index_labels(self) -> dict[str, tuple[Hit, ...]]:
        """Fold -> hits, one per concept: the most telling label of those that fold alike."""
        hits: dict[str, dict[str, Hit]] = defaultdict(dict)
        for concept in self.concepts.values():
            for label in sorted(concept.labels(), key=lambda label: _KIND_ORDER[label.kind]):
                hits[fold(label.text)].setdefault(concept.id, Hit(concept.id, label))
        return {folded: tuple(by_concept.values()) for folded, by_concept in hits.items()}

    # -- Labels ---------------------------------------------------------------------------------------------------

    def exact(self, folded: str) -> tuple[Hit, ...]:
        """The hits of a folded text, nothing else tried. More than one: concepts that share the label."""
        return self._folded.get(folded, ())

    def lookup(self, text: str) -> tuple[Hit, ...]:
        """The hits of a text as typed: exact, or with another number or other spaces. An exact label always wins."""
        folded = fold(text)
        return self.exact(folded) or self._respelled(folded)

    def _respelled(self, folded: str) -> tuple[Hit, ...]:
        for number in other_numbers(folded):
            if hits := self._folded.get(number):
                return hits
        squashed = squash(folded)
        for spelling in (squashed, *other_numbers(squashed)):
            if hits := self._squashed.get(spelling):
                return hits
        return ()

    @cached_property
    def _squashed(self) -> dict[str, tuple[Hit, ...]]:
        merged: dict[str, dict[str, Hit]] = defaultdict(dict)
        for folded, hits in self._folded.items():
            for hit in hits:
                merged[squash(folded)].setdefault(hit.concept, hit)
        return {squashed: tuple(hits.values()) for squashed, hits in merged.items()}

    def begins_label(self, text: str) -> bool:
        """Whether a label begins like `text`, whatever the spaces: if not, no longer text from there on is one."""
        squashed = squash(fold(text))
        at = bisect_left(self._sorted, squashed)
        return at < len(self._sorted) and self._sorted[at].startswith(squashed)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._squashed)

    def labels(self) -> Iterator[tuple[str, Hit]]:
        """Every (fold, hit) of the index."""
        for folded, hits in self._folded.items():
            for hit in hits:
                yield folded, hit

    @cached_property
    def lines(self) -> tuple[tuple[tuple[str, Hit], ...], Lines, Lines]:
        """All of `labels`, and to look through them: their folds, and these without spaces and joiners."""
        labels = tuple(self.labels())
        return labels, Lines([folded for folded, _ in labels]), Lines([squash(folded) for folded, _ in labels])

    def denied(self, text: str) -> frozenset[str]:
        """Ids of the concepts into which `text` must not be corrected, since it means something else."""
        if not self._not_labels:
            return frozenset()
        folded = fold(text)
        spellings = (folded, *other_numbers(folded))
        return frozenset().union(*(self._not_labels.get(squash(spelling), ()) for spelling in spellings))

    @cached_property
    def _not_labels(self) -> dict[str, frozenset[str]]:
        denied: dict[str, set[str]] = defaultdict(set)
        for concept in self.concepts.values():
            for section in concept.sections.values():
                for text in section.not_labels:
                    denied[squash(fold(text))].add(concept.id)
        return {text: frozenset(ids) for text, ids in denied.items()}

    # -- The indexes behind the approximate ways ------------------------------------------------------------------

    @cached_property
    def typos(self) -> TypoIndex[Hit]:
        """Of misspellings that stand in the data (hidden, one Latin word) no further misspelling is forgiven."""
        return TypoIndex(
            (squashed, kept)
            for squashed, hits in self._squashed.items()
            if (kept := tuple(hit for hit in hits if not _is_misspelling(hit.label)))
        )

    @cached_property
    def parts(self) -> PartIndex:
        return PartIndex(self.concepts.values())

    @cached_property
    def pinyin(self) -> PinyinIndex[Hit]:
        return PinyinIndex((hit.label.text, hit.label.pinyin, hit) for _, hit in self.labels())

    @cached_property
    def folded_texts(self) -> Mapping[str, tuple[str, str]]:
        """Concept id -> its labels, and its summaries and definitions, as one text each."""
        texts = {}
        for concept in self.concepts.values():
            labels = " | ".join(label.text for label in concept.labels())
            prose = " ".join(f"{section.summary} {section.definition}" for section in concept.sections.values())
            texts[concept.id] = (fold(labels), fold(prose))
        return texts

    def warm(self) -> None:
        """Makes the indexes that are otherwise made at first use; for a quiet moment after start-up."""
        _ = self._sorted, self._not_labels, self.typos, self.parts, self.folded_texts
        self.pinyin.warm()

    # -- Concepts and comparisons ---------------------------------------------------------------------------------

    def by_code(self, concept_code: str) -> Concept | None:
        """The concept behind a button's code; None: it's no longer in the glossary."""
        concept_id = self._codes.get(concept_code)
        return self.concepts[concept_id] if concept_id is not None else None

    def topic_by_code(self, topic_code: str) -> Topic | None:
        """The topic behind a button's code; None: it's no longer in the glossary."""
        return next((topic for topic in self.topics.values() if code(topic.id) == topic_code), None)

    def in_topic(self, topic: str) -> tuple[Concept, ...]:
        """The concepts of a topic, in the order of the files."""
        return tuple(concept for concept in self.concepts.values() if concept.topic == topic)

    def comparison(self, ids: Sequence[str]) -> Comparison | None:
        """The authored comparison of exactly these concepts, whatever their order."""
        return self._sides.get(frozenset(ids))

    def with_other(self, text: str, concept_id: str) -> Comparison | None:
        """The comparison of a concept with something that is none and that `text` names."""
        folded = fold(text.partition("(")[0])
        for entry in self.comparisons.values():
            other = entry.other()
            if other is not None and concept_id in entry.concepts() and folded in _other_labels(other):
                return entry
        return None

    def see_also(self, concept: Concept) -> tuple[str, ...]:
        """What else to read: related concepts, then those that name this one; the confusable ones have own buttons."""
        named = (*concept.related, *self._named_by.get(concept.id, ()))
        return tuple(dict.fromkeys(i for i in named if i != concept.id and i not in concept.confusable_with))

    @cached_property
    def _named_by(self) -> dict[str, list[str]]:
        named_by: dict[str, list[str]] = defaultdict(list)
        for concept in self.concepts.values():
            for other in concept.related:
                named_by[other].append(concept.id)
        return named_by


def other_numbers(folded: str) -> Iterator[str]:
    """The text with its last word in the other number: singular forms first, then the plural.

    Words of two letters have no plural here: KS stays KS.
    """
    for ending, instead in _PLURALS:
        if folded.endswith(ending) and len(folded) - len(ending) > 2:
            yield folded[: -len(ending)] + instead
    if len(folded) > 2 and folded[-1].isascii() and folded[-1].isalnum() and not folded.endswith("s"):
        yield folded + "s"


def _is_misspelling(label: Label) -> bool:
    folded = fold(label.text)
    return label.kind == "hidden" and " " not in folded and not has_han(folded)


def _other_labels(other: OtherSide) -> frozenset[str]:
    return frozenset(fold(label) for labels in other.labels.values() for label in labels)
