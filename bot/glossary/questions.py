"""What is asked: a label, or a plain question in English or Chinese -> what to look up or to compare.

No language model. A text whose words are labels and asking words, and nothing else, is understood; of any other the
asking words at both ends are taken off, and what is left is looked up whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from bot.glossary.folding import visible
from bot.glossary.frames import compares, only_frame, peel
from bot.glossary.glossary import Glossary
from bot.glossary.resolver import Ambiguous, Found, NotFound, Resolution, certain, resolve, trim
from bot.glossary.sides import Side, has_separator, split, without_separators
from bot.glossary.spans import Span, scan

MAX_QUESTION: Final = 300
"""Characters; a longer text is no question that could be answered here."""

_CONTEXT_EN: Final = re.compile(r"\s(?:in|on|for|with|when|during|inside|within|under|at|from|by)\s", re.IGNORECASE)
_CONTEXT_ZH: Final = re.compile(r"(?:里面|里边|里|裡|中|当中|下|时|上)的?")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text asks for: to define its one side, to compare its sides, or to define several at once."""

    intent: Literal["define", "compare", "several"]
    sides: tuple[Side, ...]


def understand(text: str, glossary: Glossary) -> Asked:
    """What `text` asks for. At least one side; takes bounded time for any text, and never raises."""
    text = visible(text[: MAX_QUESTION + 1]).strip()
    if len(text) > MAX_QUESTION:
        return _define(text, NotFound())
    if whole := certain(text, glossary):
        return _define(text, whole)
    comparing = compares(text) or has_separator(text)
    spans = scan(text, glossary)
    if spans and only_frame(without_separators(_around(text, spans))):
        return _of_labels(text, spans, comparing)
    if comparing:
        sides = split(text, glossary, question=True)
        if len(sides) > 1:
            return Asked("compare", sides)
    return _of_rest(text, glossary)


def _of_labels(text: str, spans: list[Span], comparing: bool) -> Asked:
    sides = tuple(Side(text[span.start : span.end], _meaning(span)) for span in spans)
    if comparing and len(sides) > 1:
        return Asked("compare", sides)
    different = tuple({span.hits: side for span, side in zip(reversed(spans), reversed(sides), strict=True)}.values())
    if len(different) == 1:
        return Asked("define", different)
    return Asked("several", different[::-1])


def _of_rest(text: str, glossary: Glossary) -> Asked:
    """The asking words are taken off; a context behind ("… in vLLM") or before ("vLLM 里的……") too, if a label is left."""
    rest = peel(text)
    for candidate in dict.fromkeys((rest, trim(text))):
        means = resolve(candidate, glossary)
        if isinstance(means, Found | Ambiguous):
            return _define(candidate, means)
    if rest != trim(text):
        for candidate in (_CONTEXT_EN.split(rest)[0], _CONTEXT_ZH.split(rest, maxsplit=1)[-1]):
            if candidate != rest and (means_surely := certain(peel(candidate), glossary)):
                return _define(candidate, means_surely)
    return _define(rest or text, resolve(rest, glossary))


def _define(text: str, means: Resolution) -> Asked:
    return Asked("define", (Side(trim(text), means),))


def _meaning(span: Span) -> Found | Ambiguous:
    if len(span.hits) > 1:
        return Ambiguous(tuple(hit.concept for hit in span.hits))
    return Found(span.concept, span.hits[0].label)


def _around(text: str, spans: list[Span]) -> str:
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(text)]
    return " ".join(text[left:right] for left, right in zip(edges[::2], edges[1::2], strict=True))
