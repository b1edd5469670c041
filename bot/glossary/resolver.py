"""What a typed label means: typed text -> Found | Ambiguous | Suggested | NotFound.

From certain to uncertain, and the first that says something wins: the label itself, another number or other spaces,
words that several names share, pinyin, a typo, a part of one name. An exact label is never corrected; a code is
never answered by another code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from rapidfuzz import fuzz

from bot.glossary.concept import Label
from bot.glossary.folding import fold, has_han, squash, visible
from bot.glossary.glossary import Glossary, Hit, other_numbers
from bot.glossary.lookalikes import look_alike
from bot.glossary.parts import Part
from bot.glossary.pinyin import sounds_alike
from bot.glossary.typos import CODE_LENGTH, Near

MAX_LENGTH: Final = 120
"""Characters; nothing longer is a label, and nothing longer is compared with one."""

MAX_SUGGESTIONS: Final = 3
MAX_CHOICES: Final = 6
_EDGES: Final = " \t\r\n?？!！,，;；:：…。、~～\"'`“”‘’„«»「」『』《》〈〉【】()（）[]{}<>*_|/\\"
_IN_BRACKETS: Final = re.compile(r"\s*[(（][^()（）]{1,60}[)）]")
_ARTICLE: Final = re.compile(r"^(?:a|an|the|some|our|my|your|this|that)\s+(?=\w\w)", re.IGNORECASE)


class Found(NamedTuple):
    """One concept. `corrected`: the text was taken for a slip or a part of the label, and the answer says so.

    A tuple, not a dataclass: making it is a third of what an exact look-up costs.
    """

    concept: str
    label: Label
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several concepts, the likeliest first; the person chooses."""

    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggested:
    """Nothing, but these concepts are near: at most `MAX_SUGGESTIONS`, offered and clearly no answer."""

    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """Nothing, and nothing near."""


Resolution: TypeAlias = Found | Ambiguous | Suggested | NotFound


def trim(text: str) -> str:
    """`text` without the quotes, brackets and punctuation around it; a leading dot (`.engine`) stays."""
    trimmed = visible(text).strip(_EDGES).rstrip(" .")
    for opening, closing in ("()", "（）"):
        if trimmed.count(opening) > trimmed.count(closing):
            trimmed += closing
    return trimmed


def resolve(text: str, glossary: Glossary) -> Resolution:
    """What `text` means. Never raises; text that is empty or longer than `MAX_LENGTH` is NotFound."""
    hits = glossary.exact(fold(text))
    if len(hits) == 1:
        return Found(*hits[0])
    if sure := certain(text, glossary):
        return sure
    text = _ARTICLE.sub("", trim(text))
    if not fold(text) or len(text) > MAX_LENGTH:
        return NotFound()
    denied = glossary.denied(text)
    parts = glossary.parts.find(text)
    if several := _shared(parts):
        return several  # words that stand in several names are spelt right
    allowed = [part for part in parts if part.concept not in denied]
    return (
        _one_or_choice(glossary.pinyin.lookup(fold(text)), denied)
        or _typo(text, glossary, denied)
        or (_part(text, allowed[0], glossary) if allowed else None)
        or _shared(glossary.parts.find(_respelt(text, glossary)))
        or _suggest(text, glossary)
    )


def certain(text: str, glossary: Glossary) -> Found | Ambiguous | None:
    """What `text` means where nothing has to be guessed; None: it's no label."""
    hits = glossary.exact(fold(text)) if len(text) <= MAX_LENGTH else ()
    if len(hits) == 1:
        return Found(*hits[0])
    trimmed = trim(text)
    if not hits and trimmed and len(trimmed) <= MAX_LENGTH:
        hits = glossary.lookup(trimmed)
        for pattern in (_ARTICLE, _IN_BRACKETS):
            if not hits and (shorter := pattern.sub("", trimmed)) != trimmed:
                hits = glossary.lookup(shorter)
    return _one_or_choice(hits) if hits else None


def _one_or_choice(
    hits: Iterable[Hit], denied: frozenset[str] = frozenset(), *, corrected: bool = False
) -> Found | Ambiguous | None:
    by_concept = {hit.concept: hit for hit in hits if hit.concept not in denied}
    if not by_concept:
        return None
    if len(by_concept) > 1:
        return Ambiguous(tuple(by_concept))
    hit = next(iter(by_concept.values()))
    return Found(hit.concept, hit.label, corrected)


# -- A typo -------------------------------------------------------------------------------------------------------


def _typo(text: str, glossary: Glossary, denied: frozenset[str]) -> Found | Ambiguous | None:
    squashed = squash(fold(text))
    if not has_han(squashed) and len(squashed) <= CODE_LENGTH:
        return None
    near: list[Near[Hit]] = []
    for spelling in (squashed, *(number for number in other_numbers(squashed) if len(number) < len(squashed))):
        if near := [near for near in glossary.typos.near(spelling) if _slip(spelling, near)]:
            break
    if not near and has_han(squashed):
        return _one_or_choice(glossary.pinyin.homophones(fold(text)), denied, corrected=True)
    fewest = min((match.edits for match in near), default=0)
    hits = [hit for match in near if match.edits == fewest for hit in match.hits]
    shown = [hit for hit in hits if hit.label.kind != "hidden"] or hits
    return _one_or_choice(shown, denied, corrected=True)


def _slip(typed: str, near: Near[Hit]) -> bool:
    """Whether one wrong character looks like a slip: most Chinese pairs are different words (数据漂移, 数据迁移)."""
    label = near.squashed
    if not has_han(label):
        return all(_keeps_code(typed, hit.label.text) for hit in near.hits)
    start = next(
        (i for i, (one, other) in enumerate(zip(typed, label, strict=False)) if one != other),
        min(len(typed), len(label)),
    )
    if len(typed) != len(label):
        # 非自回归生成 is the opposite of 自回归生成: what is too much or missing mustn't be the beginning.
        return len(label) >= 5 and start > 0
    if typed[start + 1 :] != label[start + 1 :]:
        return len(label) >= 4  # two neighbours swapped
    one, other = typed[start], label[start]
    if not (has_han(one) and has_han(other)):
        return False
    if len(label) < 3:
        return False
    return look_alike(one, other) or sounds_alike(one, other) or (len(label) >= 6 and start > 0)


def _keeps_code(typed: str, label: str) -> bool:
    """A code that begins a longer label must be right: "attest" is no slip of "A/B test"."""
    first, _, rest = label.partition(" ")
    code = squash(fold(first))
    return not rest or not first.isupper() or len(code) > CODE_LENGTH or typed.startswith(code)


# -- A part of a name ---------------------------------------------------------------------------------------------


def _shared(parts: list[Part]) -> Ambiguous | None:
    """A choice where the words stand in the names of several concepts."""
    strong = [part.concept for part in parts if part.principal or part.head]
    return Ambiguous(tuple(strong[:MAX_CHOICES])) if len(strong) > 1 else None


def _respelt(text: str, glossary: Glossary) -> str:
    """`text` with misspelt words of labels put right: "drfit" -> "drift"."""
    words = fold(text).split()
    return " ".join(glossary.parts.nearest_word(word) for word in words) if len(words) <= 4 else ""


def _part(text: str, part: Part, glossary: Glossary) -> Found | None:
    """The one concept that the words tell: 流水线 does, "attention" is something broader than PagedAttention.

    One Latin word, or two Chinese characters, tell too little: "key" doesn't mean the KV cache.
    """
    folded = fold(text)
    words = len(folded.split())
    mixed = has_han(folded) and any(character.isascii() and character.isalpha() for character in folded)
    long = mixed or (len(folded) > 2 if has_han(folded) else words > 1)
    if not long or not (mixed or (part.leading and glossary.parts.distinctive(text, part.concept))):
        return None
    label = next(iter(glossary.concepts[part.concept].sections.values())).pref_label
    return Found(part.concept, label, corrected=True)


# -- Nothing, but something near ----------------------------------------------------------------------------------


def _suggest(text: str, glossary: Glossary) -> Suggested | NotFound:
    squashed = squash(fold(text))
    if not has_han(squashed) and len(squashed) <= CODE_LENGTH + 1:
        near = [hit.concept for match in glossary.typos.codes_near(squashed) for hit in match.hits]
        return _suggested(near)
    scores: dict[str, float] = {concept: 60.0 * count for concept, count in glossary.parts.sharing(text).items()}
    for concept_id in scores:
        labels = (fold(label.text) for label in glossary.concepts[concept_id].labels())
        scores[concept_id] += max(fuzz.ratio(fold(text), label) for label in labels)
    for match in glossary.typos.near(squashed):
        for hit in match.hits:
            scores[hit.concept] = scores.get(hit.concept, 0.0) + 200.0
    return _suggested(sorted(scores, key=lambda concept: (-scores[concept], concept)))


def _suggested(concepts: Iterable[str]) -> Suggested | NotFound:
    best = tuple(dict.fromkeys(concepts))[:MAX_SUGGESTIONS]
    return Suggested(best) if best else NotFound()
