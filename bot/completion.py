"""Autocomplete: labels of both languages for what somebody has typed so far, one per concept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.glossary.concept import LANGUAGES, Concept, Label, Language
from bot.glossary.folding import fold, has_han, squash
from bot.glossary.glossary import Glossary, Hit
from bot.wording import DOT, label

_MAX_PREFIX: Final = 100


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A concept, the label to fill in, and one line about it in the label's language."""

    concept: str
    label: str
    title: str
    summary: str


def complete(prefix: str, glossary: Glossary, *, limit: int = 25) -> list[Suggestion]:
    """Prefix of a label, then of a word inside one, then pinyin, then a slip. An empty prefix: common concepts."""
    folded = fold(prefix[:_MAX_PREFIX])
    if not folded:
        common = sorted(glossary.concepts.values(), key=lambda concept: concept.level)
        return [_suggestion(concept, concept.section("en").pref_label, prefix) for concept in common[:limit]]
    squashed = squash(folded)
    ranked: dict[str, tuple[int, bool, int, str, Label]] = {}
    for label_folded, hit in glossary.labels():
        if hit.label.kind == "hidden" and label_folded != folded:
            continue
        rank = _rank(label_folded, folded, squashed)
        if rank is not None:
            other_script = has_han(label_folded) and not has_han(folded)  # "KV 快取" for "kv"
            entry = (rank, other_script, len(label_folded), hit.label.text, hit.label)
            ranked[hit.concept] = min(ranked.get(hit.concept, entry), entry, key=lambda entry: entry[:4])
    for rank, hits in ((4, glossary.pinyin.lookup(folded)), (5, _slips(squashed, glossary))):
        for hit in hits:
            ranked.setdefault(hit.concept, (rank, False, 0, hit.label.text, hit.label))
    best = sorted(ranked.items(), key=lambda entry: entry[1][:4])[:limit]
    return [_suggestion(glossary.concepts[concept], entry[4], prefix) for concept, entry in best]


def _rank(label: str, folded: str, squashed: str) -> int | None:
    if label == folded:
        return 0
    if label.startswith(folded) or (squashed and squash(label).startswith(squashed)):
        return 1
    if f" {folded}" in label:
        return 2
    return 3 if has_han(folded) and folded in label else None


def _slips(squashed: str, glossary: Glossary) -> list[Hit]:
    return [hit for near in glossary.typos.near(squashed) for hit in near.hits]


def _suggestion(concept: Concept, found: Label, prefix: str) -> Suggestion:
    """`found` is filled in; a misspelling, or a word to avoid, leads to the preferred label instead."""
    language: Language = "zh-Hans" if has_han(prefix) else "en"
    titles = dict.fromkeys(label(concept, tag) for tag in LANGUAGES if tag in concept.sections)
    if found.kind == "hidden" or found.status == "avoid":
        found = concept.section(found.language).pref_label
    return Suggestion(concept.id, found.text, DOT.join(titles), concept.section(language).summary)
