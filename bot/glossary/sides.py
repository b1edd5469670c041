"""The sides of a comparison in a text such as "slo vs sla", "A 和 B", "fp16 bf16 int8".

Separators also stand inside labels ("A/B testing", "prefill / decode") or are missing altogether, so labels are looked
for first, and only what stands between them can separate.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from bot.glossary.folding import has_han, visible
from bot.glossary.frames import compares, only_context, only_frame, peel
from bot.glossary.glossary import Glossary
from bot.glossary.resolver import MAX_LENGTH, Ambiguous, Found, Resolution, certain, resolve, trim
from bot.glossary.spans import Span, scan

MAX_SIDES: Final = 3
"""So many can be compared at once; more get the usage."""

_MAX_TEXT: Final = 400
_MAX_GAPS: Final = 8

_STRONG: Final = re.compile(
    r"(?<![a-z0-9])(?:v\s?\.?\s?s\.?|versus|compared\s+(?:to|with|against)|as\s+opposed\s+to|rather\s+than|instead\s+of)(?![a-z0-9])"
    r"|对比|對比|相比于|相比|比较|比較|相较于|[|｜]",
    re.IGNORECASE,
)
_WEAK: Final = re.compile(
    r"[/／,，、;；&＆+＋=\n]|(?<![a-z0-9])(?:or|and)(?![a-z0-9])|和|与|與|跟|同|及|以及|还是|還是|或者|或|还有",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(
    r"“([^“”]+)”|\"([^\"]+)\"|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》|‘([^‘’]+)’|`([^`]+)`|(?<!\w)'([^']+)'(?!\w)"
)
_IN: Final = re.compile(r"^\s*(?:in|on|for|with|when|at)\b", re.IGNORECASE)
_IN_MANY_WORDS: Final = frozenset("同及")
"""Separators that words often begin with, and so separate only right beside a label."""

_NOTHING: Final = re.compile(r"[\s\W_]*")


@dataclass(frozen=True, slots=True)
class Side:
    """One side as typed, trimmed, and what it means. An empty text: the side is missing."""

    text: str
    means: Resolution


def split(text: str, glossary: Glossary, *, question: bool = False) -> tuple[Side, ...]:
    """The sides that `text` names; one side where nothing can be cut. Takes bounded time for any text.

    In a `question` the words around and between the sides are asking words ("is A the same as B"), and are no part of
    an unknown side; else they are taken off only where that leaves a label.
    """
    typed = visible(text[:_MAX_TEXT])
    text = unicodedata.normalize("NFKC", typed)
    if whole := certain(text, glossary):
        sides = list(_parts_of(text, whole, glossary)) or [_side(text, glossary)]
    else:
        sides = [_side(piece, glossary) for piece in _pieces(text, glossary, question=question)]
    return tuple(_as_typed(side, text, typed) for side in _with_shared_head(sides, glossary))


def _pieces(text: str, glossary: Glossary, *, question: bool) -> list[str]:
    pieces = _at_separators(text, glossary)
    if len(pieces) == 1 and (quoted := _at_quotes(text)):
        return quoted
    if len(pieces) > 1:
        pieces = [_without_frame(piece, glossary) for piece in pieces]
    elif question and len(spans := scan(text, glossary)) > 1:
        pieces = [text[span.start : span.end] for span in spans]
    else:
        pieces = _at_labels(text, glossary)
    if not question:
        pieces = [_if_known(piece, glossary) for piece in pieces]
    else:
        asked = [(piece, about) for piece in pieces if (about := _asked_about(piece, glossary))]
        sure = [certain(about, glossary) is not None for _, about in asked]
        several = sum(sure) > 1  # then "which is better for latency" beside them is no side
        pieces = [
            about
            for (piece, about), known in zip(asked, sure, strict=True)
            if known or not (several and compares(piece))
        ]
    return pieces


def _if_known(piece: str, glossary: Glossary) -> str:
    """A side without asking words, if what is left is known; else the side as it is."""
    if certain(piece, glossary):
        return piece
    peeled = peel(piece, comparing=True)
    return peeled if certain(peeled, glossary) else piece


def _as_typed(side: Side, text: str, typed: str) -> Side:
    """A side with its text as it was typed, full-width letters and all, where the cut text has the same places."""
    at = text.find(side.text)
    if len(text) != len(typed) or at < 0:
        return side
    return replace(side, text=typed[at : at + len(side.text)])


def _asked_about(piece: str, glossary: Glossary) -> str:
    """A side without the asking words around it; empty if it's nothing else. A label of such words stays whole."""
    if certain(piece, glossary):
        return piece
    return "" if only_frame(piece) else peel(piece, comparing=True)


def has_separator(text: str) -> bool:
    """Whether a word stands in `text` that separates the sides of a comparison and is used for nothing else."""
    return _STRONG.search(text[:_MAX_TEXT]) is not None


def without_strong_separators(text: str) -> str:
    return _STRONG.sub(" ", text)


def _side(text: str, glossary: Glossary) -> Side:
    return Side(trim(text), resolve(text, glossary))


def _at_quotes(text: str) -> list[str]:
    """Cuts where quotation marks begin and end: "data drift" "concept drift"."""
    edges = [0, *(edge for match in _QUOTED.finditer(text) for edge in match.span()), len(text)]
    parts = [part for left, right in pairwise(edges) if not _NOTHING.fullmatch(part := text[left:right])]
    return parts if len(parts) > 1 else []


def _parts_of(text: str, whole: Resolution, glossary: Glossary) -> tuple[Side, ...]:
    """Two labels side by side that are a label together: "prefill decode", "onnx opset" are asked about both.

    Not if together they are the name of a concept, or if one is an everyday word ("online inference").
    """
    if not isinstance(whole, Found):
        return ()
    for gap in re.finditer(rf"\s*(?:{_WEAK.pattern})\s*|\s+", text, re.IGNORECASE):
        means = [certain(part, glossary) for part in _cut(text, [gap.span()])]
        found = [one for one in means if isinstance(one, Found)]
        if len(found) < 2:
            continue
        same = all(one.concept == whole.concept for one in found)
        if same or (whole.label.kind in ("alt", "hidden") and not any(one.label.everyday for one in found)):
            return tuple(Side(trim(part), one) for part, one in zip(_cut(text, [gap.span()]), found, strict=True))
    return ()


def _with_shared_head(sides: list[Side], glossary: Glossary) -> tuple[Side, ...]:
    """ "Tensor and pipeline parallelism", 数据和概念漂移: the last side's head belongs to all of them."""
    last = sides[-1] if sides else None
    if last is None or len(sides) < 2 or not isinstance(last.means, Found):
        return tuple(sides)
    words = last.text.split()
    heads = [" " + " ".join(words[start:]) for start in range(1, len(words))]
    heads += [last.text[start:] for start in range(2, len(last.text) - 1) if has_han(last.text[start:])]
    return tuple(side if _known(side) else _completed(side, heads, glossary) for side in sides)


def _known(side: Side) -> bool:
    return not trim(side.text) or (isinstance(side.means, Found) and not side.means.corrected)


def _completed(side: Side, heads: list[str], glossary: Glossary) -> Side:
    for head in heads:
        if isinstance(means := certain(side.text + head, glossary), Found):
            return Side(side.text + head, means)
    return side


def _at_separators(text: str, glossary: Glossary) -> list[str]:
    """Cuts at the separators outside the labels; at weak ones only where no strong one stands.

    A strong one with nothing beside it leaves an empty piece: "vs QAT" lacks a side, "SLO, SLA," doesn't.
    """
    if strong := _outside(_STRONG, text, scan(text, glossary)):
        pieces = _cut(text, strong)
        return [part for piece in pieces for part in _weakly(piece, glossary, only_if_certain=True)]
    return _weakly(text, glossary)


def _weakly(text: str, glossary: Glossary, *, only_if_certain: bool = False) -> list[str]:
    spans = scan(text, glossary)
    parts = [part for part in _cut(text, _outside(_WEAK, text, spans)) if trim(part)]
    if len(parts) < 2 or (only_if_certain and not all(certain(part, glossary) for part in parts)):
        return [text]
    return parts


def _outside(pattern: re.Pattern[str], text: str, spans: list[Span]) -> list[tuple[int, int]]:
    """Where a separator stands, but for those in labels and in quotation marks."""
    whole = [*((span.start, span.end) for span in spans), *(match.span() for match in _QUOTED.finditer(text))]
    return [
        match.span()
        for match in pattern.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in whole)
        and not _inside_a_word(text, match, spans)
    ]


def _inside_a_word(text: str, match: re.Match[str], spans: list[Span]) -> bool:
    """和 in 饱和度, 同 in 同态 separate nothing: a Chinese separator stands beside a label, or between other signs."""
    if not has_han(match.group()) or len(match.group()) > 1:
        return False
    beside = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    before, after = match.span()
    if match.group() not in _IN_MANY_WORDS:
        before = len(text[:before].rstrip())
        after += len(text[after:]) - len(text[after:].lstrip())
    touches = any(before == span.end or after == span.start for span in spans)
    return not touches and any(has_han(character) for character in beside)


def _cut(text: str, cuts: list[tuple[int, int]]) -> list[str]:
    pieces, start = [], 0
    for left, right in cuts:
        pieces.append(text[start:left])
        start = right
    return [*pieces, text[start:]]


def _at_labels(piece: str, glossary: Glossary) -> list[str]:
    """Cuts a piece without separators where its labels begin and end: "data drift concept drift"."""
    spans = scan(piece, glossary)
    if not spans:
        return _at_gap(piece, glossary)
    if len(spans) == 1 and isinstance(resolve(piece, glossary), Found):
        return [piece]
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(piece)]
    parts = [piece[left:right] for left, right in pairwise(edges)]
    return [part for part in parts if trim(part) and not only_frame(part)] or [piece]


def _without_frame(piece: str, glossary: Glossary) -> str:
    """A piece that is one label and asking words ("the SLO then") is that label; any other stays whole."""
    spans = scan(piece, glossary)
    if len(spans) != 1:
        return piece
    (span,) = spans
    before, after = piece[: span.start], piece[span.end :]
    behind = _IN.sub("", after, count=1)
    known = only_frame(after) or (behind != after and only_context(behind))
    return piece[span.start : span.end] if only_frame(before) and known else piece


def _at_gap(piece: str, glossary: Glossary) -> list[str]:
    """Two labels side by side, both misspelt, or glued together: "PTQvsQAT"."""
    glued = [match.span() for match in re.finditer(r"(?<=[a-z0-9])vs(?=[a-z0-9])", piece.strip(), re.IGNORECASE)]
    gaps = [*glued, *(match.span() for match in re.finditer(r"\s+", piece.strip()))][:_MAX_GAPS]
    if not gaps or len(piece) > MAX_LENGTH or isinstance(resolve(piece, glossary), Found | Ambiguous):
        return [piece]
    for gap in gaps:
        both = _cut(piece.strip(), [gap])
        if all(isinstance(resolve(part, glossary), Found) for part in both):
            return both
    return [piece]
