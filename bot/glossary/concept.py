"""What the termbase is made of. Names follow SKOS and TBX; everything is frozen."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh-Hans"]
"""A BCP 47 tag of a language that the termbase is written in."""

LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh-Hans")

LabelKind: TypeAlias = Literal["pref", "full", "alt", "hidden"]


@dataclass(frozen=True, slots=True)
class Label:
    """One way to write a concept. The flags matter to scanning and wording, and tell everyday words apart."""

    text: str
    language: Language
    kind: LabelKind = "alt"
    case_sensitive: bool = False
    """In a running text only exactly this case counts (IR, not ir)."""
    explain: bool = True
    """May trigger an unasked explanation."""
    part: bool = False
    """Names one part of what its entry covers (prefill, of prefill / decode)."""
    status: Literal["admitted", "avoid"] = "admitted"
    note: str | None = None
    """Why a label is to be avoided."""
    pinyin: str | None = None
    """The right reading where the library's is wrong ("bing xing"); None: the library's."""
    near: tuple[str, ...] = ()
    """In a running text the label counts only if one of these stands near it, or another term that is sure."""
    contexts: tuple[str, ...] = ()
    """Ids of word lists in `contexts.yaml` that count like `near`."""
    not_near: tuple[str, ...] = ()
    """In a running text the label doesn't count if one of these stands near it."""

    @property
    def needs_company(self) -> bool:
        """Whether in a running text other words have to tell that the term is meant."""
        return bool(self.near or self.contexts)

    @property
    def everyday(self) -> bool:
        """Whether it is an everyday word, too: typed alone it names the term, in a sentence perhaps not.

        The heading of an entry is none: "tell me about pruning" asks for it.
        """
        return not self.explain or (self.needs_company and self.kind != "pref")


@dataclass(frozen=True, slots=True)
class LanguageSection:
    """All that one language says about a concept (TBX: langSec)."""

    language: Language
    pref_label: Label
    summary: str
    definition: str
    full_form: Label | None = None
    alt_labels: tuple[Label, ...] = ()
    hidden_labels: tuple[Label, ...] = ()
    not_labels: tuple[str, ...] = ()
    """Near misses that mean something else and are never corrected into this concept."""
    qualifier: str | None = None
    """Tells two concepts with the same label apart: shown beside it."""

    def labels(self) -> tuple[Label, ...]:
        """Everything that finds the concept, the preferred label first."""
        full = (self.full_form,) if self.full_form else ()
        return (self.pref_label, *full, *self.alt_labels, *self.hidden_labels)


@dataclass(frozen=True, slots=True)
class Concept:
    """One idea with one stable id, in all languages together. At least one section is present."""

    id: str
    topic: str
    level: Literal[1, 2, 3]
    """1: everybody in the field says it; 3: specialists do."""
    sections: Mapping[Language, LanguageSection]
    related: tuple[str, ...] = ()
    confusable_with: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    note: Mapping[Language, str] = field(default_factory=dict)
    link: str | None = None
    contact: str | None = None
    source: str | None = None
    reviewed: str | None = None
    """Month of the last review, "2026-11"."""

    def section(self, language: Language) -> LanguageSection:
        """The section in `language`, or in another language where that one isn't written yet."""
        found = self.sections.get(language)
        return found if found is not None else next(iter(self.sections.values()))

    def labels(self) -> tuple[Label, ...]:
        return tuple(label for section in self.sections.values() for label in section.labels())


@dataclass(frozen=True, slots=True)
class Topic:
    """A group of concepts; `position` orders the topics."""

    id: str
    name: Mapping[Language, str]
    position: int = 1000


@dataclass(frozen=True, slots=True)
class Chapter:
    """A handbook chapter that entries point to. Shown only where it has a `url`."""

    id: str
    title: Mapping[Language, str]
    url: str | None = None


@dataclass(frozen=True, slots=True)
class OtherSide:
    """A side of a comparison that is no concept. Its labels count only next to the comparison's other sides."""

    labels: Mapping[Language, tuple[str, ...]]
    """The first label of each language is the shown one."""
    line: Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class ComparisonSection:
    """What one language says about a comparison; `choose` and the cells of a row stand in the order of the sides."""

    gist: str
    choose: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """(aspect, one cell per side)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """An authored "X vs. Y" entry with two or three sides, of which at most one is no concept."""

    id: str
    sides: tuple[str | OtherSide, ...]
    sections: Mapping[Language, ComparisonSection]

    def concepts(self) -> tuple[str, ...]:
        return tuple(side for side in self.sides if isinstance(side, str))

    def other(self) -> OtherSide | None:
        return next((side for side in self.sides if isinstance(side, OtherSide)), None)


@lru_cache(maxsize=8_192)
def code(concept_id: str) -> str:
    """The short stand-in for a concept's id in a button: 7 characters of the base64url SHA-256, stable for ever."""
    return base64.urlsafe_b64encode(hashlib.sha256(concept_id.encode()).digest())[:7].decode("ascii")
