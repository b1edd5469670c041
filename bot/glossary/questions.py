"""What is asked: a label, or a plain question in English or Chinese -> what to look up or to compare.

No language model. A text whose words are labels and asking words, and nothing else, is understood; of any other the
asking words at both ends are taken off, and what is left is looked up whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from bot.glossary.folding import visible
from bot.glossary.frames import asks, asks_meaning, compares, only_context, only_frame, peel, without_kind
from bot.glossary.glossary import Glossary
from bot.glossary.resolver import Ambiguous, Found, NotFound, Resolution, Suggested, certain, resolve, trim
from bot.glossary.sides import Side, has_separator, split, without_strong_separators
from bot.glossary.spans import Span, scan

MAX_QUESTION: Final = 300
"""Characters; a longer text is no question that could be answered here."""

_BETWEEN: Final = re.compile(r"\bb/w\b", re.IGNORECASE)
_IN_EN: Final = re.compile(r"\b(?:in|on|for|with|when|during|inside|within|under|at|from|by)\b", re.IGNORECASE)
_IN_ZH: Final = re.compile(r"(?:里面|里边|里|裡|中|当中|下|上)的?")


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
    text = without_kind(unicodedata.normalize("NFKC", text))
    text = _BETWEEN.sub("between", text)
    comparing = compares(text) or has_separator(text)
    spans = scan(text, glossary)
    if spans and _consists_of(text, spans):
        return _of_labels(text, spans, comparing)
    if comparing:
        sides = split(text, glossary, question=True)
        if len(sides) > 1:
            return Asked("compare", sides)
    return _of_rest(text, glossary)


def _consists_of(text: str, spans: list[Span]) -> bool:
    """Whether nothing but asking words stands around the labels.

    Beside a label that is an everyday word too ("online", 推断) one of them must ask what it means.
    """
    before = _around(text[: spans[-1].start], spans[:-1])
    after = without_strong_separators(text[spans[-1].end :])
    everyday = any(hit.label.everyday for span in spans for hit in span.hits)
    if len(spans) == 1 and everyday:
        return asks_meaning(f"{before} {after}") and only_frame(before) and only_frame(after)
    if len(spans) == 1 and not asks(f"{before} {after}"):
        return not trim(before) and only_frame(after, classes=True, asking=False)
    return only_frame(before) and only_frame(after, classes=not everyday)


def _of_labels(text: str, spans: list[Span], comparing: bool) -> Asked:
    if not comparing or len(spans) > 2:
        spans = _without_context(text, spans)
    sides = tuple(Side(text[span.start : span.end], _meaning(span)) for span in spans)
    if comparing and len(sides) > 1:
        return Asked("compare", sides)
    different = {span.hits[0].concept: side for span, side in zip(spans, sides, strict=True)}
    if len(different) == 1:
        return Asked("define", sides[:1])
    return Asked("several", tuple(different.values()))


def _without_context(text: str, spans: list[Span]) -> list[Span]:
    """ "What does opset mean in ONNX", "ONNX 里的 opset": the other label only says where."""
    if len(spans) < 2:
        return spans
    before, after = text[spans[-2].end : spans[-1].start], text[spans[0].end : spans[1].start]
    if _IN_EN.search(before) and (len(spans) > 2 or asks_meaning(text[: spans[-1].start])):
        return spans[:-1]
    return spans[1:] if _IN_ZH.search(after) else spans


def _of_rest(text: str, glossary: Glossary) -> Asked:
    """Without asking words and context ("… in vLLM", "vLLM 里的……"), if a label is left."""
    whole = resolve(text, glossary)
    if isinstance(whole, Found):
        return _define(text, whole)
    rest = peel(text) if asks(text) else trim(text)
    means = resolve(rest, glossary)
    if isinstance(means, Found) and means.label.everyday and not asks_meaning(text):
        means = Suggested((means.concept,))  # "are you online?" asks for no term
    if isinstance(means, Found | Ambiguous):
        return _define(rest, means)
    if isinstance(whole, Ambiguous):
        return _define(text, whole)
    if rest != trim(text):
        for candidate, context in _in_context(rest):
            if only_context(context) and (surely := certain(peel(candidate), glossary)):
                return _define(candidate, surely)
    asked = rest and (asks_meaning(text) or text.rstrip().endswith(("?", "？")))
    return _define(rest if asked else text, means)


def _in_context(text: str) -> Iterator[tuple[str, str]]:
    """What is asked and where it is used: "… in vLLM", 大模型里的……"""
    if match := _IN_EN.search(text):
        yield text[: match.start()], text[match.end() :]
    if match := _IN_ZH.search(text):
        yield text[match.end() :], text[: match.start()]


def _define(text: str, means: Resolution) -> Asked:
    return Asked("define", (Side(trim(text), means),))


def _meaning(span: Span) -> Found | Ambiguous:
    if len(span.hits) > 1:
        return Ambiguous(tuple(hit.concept for hit in span.hits))
    return Found(span.concept, span.hits[0].label)


def _around(text: str, spans: list[Span]) -> str:
    """What stands beside the labels, without the marks that separate sides."""
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(text)]
    outside = " ".join(text[left:right] for left, right in zip(edges[::2], edges[1::2], strict=True))
    return without_strong_separators(outside)
