"""Full-text search: the concepts whose labels, summary or definition have all the words of a query, in any language."""

from __future__ import annotations

import re
from typing import Final

from bot.glossary.folding import HAN, fold
from bot.glossary.glossary import Glossary

_WORDS: Final = re.compile(f"[{HAN}]+|[^\\s\\W]+(?:['./-][^\\s\\W]+)*")
_MAX_QUERY: Final = 100
_HAN: Final = re.compile(f"[{HAN}]")


def search(query: str, glossary: Glossary) -> list[str]:
    """Ids of all hits: those with the words in a label first, then by the order of the glossary. Empty: none."""
    words = _WORDS.findall(fold(query[:_MAX_QUERY]))
    if not words:
        return []
    ranked = [
        (rank, concept_id)
        for concept_id, (labels, prose) in glossary.folded_texts.items()
        if (rank := _rank(labels, prose, words)) is not None
    ]
    return [concept_id for _, concept_id in sorted(ranked, key=lambda hit: hit[0])]


def _rank(labels: str, prose: str, words: list[str]) -> int | None:
    if all(_has(labels, word) for word in words):
        return 0
    return 1 if all(_has(labels, word) or _has(prose, word) for word in words) else None


def _has(text: str, word: str) -> bool:
    """Chinese anywhere, Latin from the beginning of a word on: "batch" finds "batching"."""
    if _HAN.search(word):
        return word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}", text) is not None
