"""Terms in a running text: message -> mentions, with their places in the original text.

Three steps. Every label is looked for at once (Aho-Corasick, all overlapping matches). What stands in code, addresses,
quotes or inside a word is dropped, and of matches that overlap the longest stays; inside a `not_label` its own concept
isn't found. Then the sense: what a label needs near it, or must not have, stands in the data.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from bot.glossary.concept import Label
from bot.glossary.cues import Cues, Surroundings
from bot.glossary.folding import HAN, fold, has_han, squash
from bot.glossary.glossary import Glossary, Hit
from bot.glossary.masking import Prose
from bot.glossary.scanning import Folded, fold_in_place

_BESIDE_HAN: Final = re.compile(f"(?<=[{HAN}])(?=[a-z0-9])|(?<=[a-z0-9])(?=[{HAN}])")
_SPACE_BESIDE_HAN: Final = re.compile(f"(?<=[{HAN}]) | (?=[{HAN}])")
_WORD: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_S: Final = ord("s")

FEW: Final = 1_000
"""So many spellings may have the fastest kind of automaton; for more it takes too much memory."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A term at `text[start:end]`, places in code points. `explain`: it may be explained unasked."""

    concept: str
    label: Label
    text: str
    start: int
    end: int
    explain: bool = True


class _Pattern(NamedTuple):
    """What one spelling may mean, and the concepts that it doesn't mean though it holds a label of theirs."""

    hits: tuple[Hit, ...]
    denied: frozenset[str]
    takes_s: bool
    """May have a plural."""


class _Place(NamedTuple):
    """A spelling in the folded text."""

    start: int
    end: int
    pattern: _Pattern


class _Match(NamedTuple):
    """A match in the folded text, with its place in the original."""

    start: int
    end: int
    hits: tuple[Hit, ...]
    at: tuple[int, int]


class Detector:
    """Finds the terms of one glossary. Making it costs some milliseconds per thousand labels; it can be shared."""

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary
        self._cues: dict[tuple[str, ...], Cues] = {}
        patterns = _patterns(glossary)
        self._patterns = list(patterns.values())
        self._automaton = BytesAhoCorasick(
            [spelling.encode() for spelling in patterns],
            matchkind=MatchKind.Standard,
            implementation=Implementation.DFA if len(patterns) <= FEW else None,
        )

    def mentions(self, text: str, *, everyday: bool = False) -> list[Mention]:
        """The terms in `text` from left to right, none inside another.

        Only those whose sense is clear; with `everyday` (somebody asked for an explanation) also the others, which
        then say `explain=False`. Linear in the length of the text.
        """
        folded = fold_in_place(text)
        whole = self._whole(folded.utf8)
        if not whole:
            return []
        small = folded.utf8.decode()
        read = [
            (
                match,
                [
                    (hit, self._sense(hit.label, small, match))
                    for hit in match.hits
                    if _case_fits(hit, text[match.at[0] : match.at[1]])
                ],
            )
            for match in _longest(_in_characters(whole, folded.utf8), text, folded)
        ]
        sure = {hit.concept for _, hits in read for hit, sense in hits if sense and not hit.label.needs_company}
        found = []
        for match, hits in read:
            clear = [hit for hit, sense in hits if sense or (sense is None and sure - {hit.concept})]
            meant = clear or ([hit for hit, _ in hits] if everyday else [])
            if len(meant) == 1:
                start, end = match.at
                found.append(Mention(meant[0].concept, meant[0].label, text[start:end], start, end, bool(clear)))
        return found

    def has_label(self, text: str) -> bool:
        """Whether any label stands there, whatever it means; False: there are no mentions. The cheapest question."""
        return bool(self._whole(fold_in_place(text).utf8))

    def _whole(self, folded: bytes) -> list[_Place]:
        """The matches that are no part of a Latin word, with the s of a plural. Chinese has no such borders."""
        whole = []
        size = len(folded)
        for number, start, end in self._automaton.find_matches_as_indexes(folded, overlapping=True):
            if start and folded[start - 1] in _WORD and folded[start] in _WORD:
                continue
            pattern = self._patterns[number]
            if end < size and folded[end] in _WORD and folded[end - 1] in _WORD:
                if not (pattern.takes_s and folded[end] == _S and (end + 1 == size or folded[end + 1] not in _WORD)):
                    continue
                end += 1
            whole.append(_Place(start, end, pattern))
        return whole

    def _sense(self, label: Label, folded: str, match: _Match) -> bool | None:
        """Whether the words around a label let it be explained; None: that takes another term with a clear sense."""
        if not label.explain:
            return False
        if not (label.not_near or label.needs_company):
            return True
        around = Surroundings.of(folded, match.start, match.end)
        if label.not_near and self._cues_of(label.not_near, ()).any_in(around):
            return False
        if not label.needs_company:
            return True
        return True if self._cues_of(label.near, label.contexts).any_in(around) else None

    def _cues_of(self, words: tuple[str, ...], contexts: tuple[str, ...]) -> Cues:
        key = (*words, "", *contexts)
        cues = self._cues.get(key)
        if cues is None:
            more = (word for context in contexts for word in self._glossary.contexts[context])
            cues = self._cues[key] = Cues((*words, *more))
        return cues


def _in_characters(places: Sequence[_Place], utf8: bytes) -> Sequence[_Place]:
    """The same places, counted in characters."""
    if utf8.isascii():
        return places
    counted = {}
    byte = character = 0
    for edge in sorted({edge for place in places for edge in place[:2]}):
        character += len(utf8[byte:edge].decode())
        byte = edge
        counted[edge] = character
    return [_Place(counted[start], counted[end], pattern) for start, end, pattern in places]


def _longest(places: Sequence[_Place], text: str, folded: Folded) -> list[_Match]:
    """Of those that overlap the longest, without what is no prose, from left to right."""
    prose = Prose(text)
    chosen: list[_Match] = []
    size = max(end for _, end, _ in places)
    taken = bytearray(size)
    denied: dict[str, bytearray] = {}
    for start, end, pattern in sorted(places, key=_longest_first):
        for concept in pattern.denied:
            denied.setdefault(concept, bytearray(size))[start:end] = b"\x01" * (end - start)
        if any(taken[start:end]):
            continue
        at = folded.span(start, end)
        written = text[at[0] : at[1]]
        hits = tuple(
            hit
            for hit in pattern.hits
            if not _is_name(written, hit.label) and not (hit.concept in denied and all(denied[hit.concept][start:end]))
        )
        if not hits or _in_identifier(text, *at) or not prose.has(*at):
            continue
        taken[start:end] = b"\x01" * (end - start)
        chosen.append(_Match(start, end, hits, at))
    return sorted(chosen)


def _patterns(glossary: Glossary) -> Mapping[str, _Pattern]:
    """Every spelling of every label, folded -> hits; of every `not_label` that holds a label of its concept -> it."""
    hits: dict[str, tuple[Hit, ...]] = {}
    for folded, hit in glossary.labels():
        for spelling in spellings(folded):
            others = hits.get(spelling, ())
            if all(hit.concept != other.concept for other in others):
                hits[spelling] = (*others, hit)
    denied: dict[str, frozenset[str]] = defaultdict(frozenset)
    for concept in glossary.concepts.values():
        for folded in {fold(text) for section in concept.sections.values() for text in section.not_labels}:
            if any(fold(label.text) in folded for label in concept.labels()):
                for spelling in spellings(folded):
                    denied[spelling] |= {concept.id}
    return {
        spelling: _Pattern(hits.get(spelling, ()), denied.get(spelling, frozenset()), _takes_s(spelling))
        for spelling in hits.keys() | denied.keys()
        if len(spelling) > 1
    }


_NUMBERED: Final = re.compile(r"([a-z]{2,4})(\d{1,2})")
"""INT8, FP16: people write INT-8 and FP 16, too."""


def spellings(folded: str) -> Iterable[str]:
    """A label, without spaces, without those beside Chinese characters or with them there; and what isn't only an s
    longer in the plural."""
    forms = {folded}
    if not folded.isascii():
        spaced = _BESIDE_HAN.sub(" ", folded)
        forms |= {spaced, _SPACE_BESIDE_HAN.sub("", spaced)}
    if " " in folded and len(squashed := squash(folded)) >= 6 and not has_han(folded):
        forms.add(squashed)
    if number := _NUMBERED.fullmatch(folded):
        forms.add(f"{number[1]} {number[2]}")
    return (
        forms
        | {f"{form[:-1]}ies" for form in forms if form.endswith("y")}
        | {f"{form}es" for form in forms if form.endswith(("sh", "ch", "x", "ss"))}
    )


def _takes_s(spelling: str) -> bool:
    """KV caches, SLOs, A100s; not KSs, and not the plural of a plural."""
    return len(spelling) > 2 and ord(spelling[-1]) in _WORD and spelling[-1] != "s"


def _longest_first(place: _Place) -> tuple[int, int, bool]:
    """Of two of the same place the one that is written so, not the plural of the other."""
    start, end, pattern = place
    return start - end, start, pattern.takes_s


def _is_name(written: str, label: Label) -> bool:
    """slo_target is a name in somebody's code: "SLO target" isn't how we write the term, only how some people do."""
    return label.kind == "hidden" and "_" in written and "_" not in label.text


def _in_identifier(text: str, start: int, end: int) -> bool:
    """SLO_target and kv_cache_usage are names in somebody's code, and "top k-drama" ends in another word."""
    if text[start - 1 : start] == "_" or text[end : end + 1] == "_":
        return True
    one_letter = text[end - 2 : end - 1].isspace()
    return one_letter and text[end : end + 1] == "-" and text[end + 1 : end + 2].isalpha()


def _case_fits(hit: Hit, written: str) -> bool:
    if not hit.label.case_sensitive:
        return True
    written = unicodedata.normalize("NFKC", written)
    return written in (hit.label.text, f"{hit.label.text}s")
