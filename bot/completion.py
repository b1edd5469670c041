"""Autocomplete: labels of both languages for what somebody has typed so far, one per concept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.glossary.concept import LANGUAGES, Concept, Label, Language
from bot.glossary.folding import fold, has_han, squash
from bot.glossary.glossary import Glossary, Hit
from bot.wording import DOT, label

_MAX_PREFIX: Final = 100


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A concept, the label to fill in, and one line about it."""

    concept: str
    label: str
    title: str
    summary: str


def complete(
    prefix: str, glossary: Glossary, *, limit: int = 25, language: Language | None = None
) -> tuple[Suggestion, ...]:
    """Prefix of a label, then of a word inside one, then pinyin, then a slip. An empty prefix: common concepts.

    `language`: the reader's; None: not known. A question in Chinese is answered in Chinese.
    """
    folded = fold(prefix[:_MAX_PREFIX])
    reads: Language | None = "zh-Hans" if has_han(prefix) else language
    if not folded:
        common = sorted(glossary.concepts.values(), key=lambda concept: concept.level)
        return tuple(_suggestion(each, each.section(reads or "en").pref_label, reads) for each in common[:limit])
    squashed = squash(folded)
    ranked: dict[str, tuple[int, bool, int, str, Label]] = {}
    preferred: dict[str, Label] = {}
    for rank, label_folded, hit in _with(folded, squashed, glossary):
        if hit.label.kind == "hidden" and label_folded != folded:
            continue
        other_script = has_han(label_folded) and not has_han(folded)  # "KV 快取" for "kv"
        entry = (rank, other_script, len(label_folded), hit.label.text, hit.label)
        ranked[hit.concept] = min(ranked.get(hit.concept, entry), entry, key=lambda entry: entry[:4])
        if hit.label.kind == "pref" and not other_script:
            preferred[hit.concept] = hit.label
    for rank, hits in ((4, glossary.pinyin.lookup(folded)), (5, _slips(squashed, glossary))):
        for hit in hits:
            ranked.setdefault(hit.concept, (rank, False, 0, hit.label.text, hit.label))
    best = sorted(ranked.items(), key=lambda entry: entry[1][:4])[:limit]
    return tuple(
        _suggestion(glossary.concepts[concept], found if rank == 0 else preferred.get(concept, found), reads)
        for concept, (rank, _, _, _, found) in best
    )


def _with(folded: str, squashed: str, glossary: Glossary) -> Iterator[tuple[int, str, Hit]]:
    """Labels that are it (0), begin with it (1), have a word that does (2), or have it in them, in Chinese (3)."""
    labels, folds, squashes = glossary.lines
    ranks: dict[int, int] = dict.fromkeys(folds.beginning(folded), 1)
    if squashed:
        ranks |= dict.fromkeys(squashes.beginning(squashed), 1)
    ranks = dict.fromkeys(folds.containing(f" {folded}"), 2) | ranks
    if has_han(folded):
        ranks = dict.fromkeys(folds.containing(folded), 3) | ranks
    for number, rank in ranks.items():
        label_folded, hit = labels[number]
        yield (0 if label_folded == folded else rank), label_folded, hit


def _slips(squashed: str, glossary: Glossary) -> list[Hit]:
    return [hit for near in glossary.typos.near(squashed) for hit in near.hits]


def _suggestion(concept: Concept, found: Label, reads: Language | None) -> Suggestion:
    """`found` is filled in; a misspelling, or a word to avoid, leads to the preferred label instead."""
    language = reads or "en"
    order = sorted(LANGUAGES, key=lambda tag: tag != language)
    titles = dict.fromkeys(label(concept, tag) for tag in order if tag in concept.sections)
    if found.kind == "hidden" or found.status == "avoid":
        found = concept.section(found.language).pref_label
    return Suggestion(concept.id, found.text, DOT.join(titles), concept.section(language).summary)
