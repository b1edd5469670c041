"""Autocomplete: labels of both languages for what somebody has typed so far, one per concept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.glossary.concept import LANGUAGES, Concept, Language
from bot.glossary.folding import fold, has_han, squash
from bot.glossary.glossary import Glossary, Hit

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
        return [_suggestion(concept, None, prefix) for concept in common[:limit]]
    squashed = squash(folded)
    ranked: dict[str, tuple[int, int, str]] = {}
    for label_folded, hit in glossary.labels():
        if hit.label.kind == "hidden" and label_folded != folded:
            continue
        rank = _rank(label_folded, folded, squashed)
        if rank is not None:
            entry = (rank, len(label_folded), hit.label.text)
            ranked[hit.concept] = min(ranked.get(hit.concept, entry), entry)
    for rank, hits in ((4, glossary.pinyin.lookup(folded)), (5, _slips(squashed, glossary))):
        for hit in hits:
            ranked.setdefault(hit.concept, (rank, 0, hit.label.text))
    best = sorted(ranked.items(), key=lambda entry: entry[1])[:limit]
    return [_suggestion(glossary.concepts[concept], label, prefix) for concept, (_, _, label) in best]


def _rank(label: str, folded: str, squashed: str) -> int | None:
    if label == folded:
        return 0
    if label.startswith(folded) or squash(label).startswith(squashed):
        return 1
    if f" {folded}" in label:
        return 2
    return 3 if has_han(folded) and folded in label else None


def _slips(squashed: str, glossary: Glossary) -> list[Hit]:
    return [hit for near in glossary.typos.near(squashed) for hit in near.hits]


def _suggestion(concept: Concept, label: str | None, prefix: str) -> Suggestion:
    language: Language = "zh-Hans" if has_han(prefix) else "en"
    section = concept.section(language)
    titles = {concept.sections[tag].pref_label.text: None for tag in LANGUAGES if tag in concept.sections}
    return Suggestion(concept.id, label or section.pref_label.text, " · ".join(titles), section.summary)
