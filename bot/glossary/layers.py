"""Lays the concepts of several directories over each other: a later one changes what it names and adds its labels.

Everything in a draft remembers where it was written, so that what doesn't fit together can be reported at its place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, Generic, Literal, TypeVar

from bot.errors import Problem
from bot.glossary.concept import LANGUAGES, Concept, Label, LabelKind, Language, LanguageSection
from bot.glossary.file_form import SECTIONS, ConceptForm, Form, LabelForm, NoteForm, SectionForm
from bot.glossary.folding import fold
from bot.glossary.strict_yaml import Document, Steps

SomeForm = TypeVar("SomeForm", bound=Form)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file of the n-th directory."""

    directory: int
    document: Document
    path: Steps = ()

    def at(self, *steps: str | int) -> Spot:
        return Spot(self.directory, self.document, (*self.path, *steps))

    def problem(self, message: str, severity: Literal["error", "warning"] = "error") -> Problem:
        return Problem(self.document.file, *self.document.place(self.path), message, severity)

    def __str__(self) -> str:
        return f"{self.document.file}:{self.document.place(self.path).line}"


@dataclass(frozen=True, slots=True)
class Entry(Generic[SomeForm]):
    """One form as one file has it."""

    form: SomeForm
    spot: Spot


@dataclass(frozen=True, slots=True)
class Reference:
    """An id where it is used."""

    id: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Written:
    """A text where it is written."""

    text: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class WrittenLabel:
    """A label where it is written, with its fold."""

    label: Label
    folded: str
    spot: Spot


@dataclass(slots=True)
class DraftSection:
    """A `LanguageSection` that may still lack something."""

    language: Language
    pref: WrittenLabel | None = None
    full: WrittenLabel | None = None
    alt: list[WrittenLabel] = field(default_factory=list)
    hidden: list[WrittenLabel] = field(default_factory=list)
    not_labels: dict[str, Written] = field(default_factory=dict)
    """By their folds."""
    texts: dict[str, Written] = field(default_factory=dict)
    """summary, definition, qualifier."""

    def labels(self) -> list[WrittenLabel]:
        return [label for label in (self.pref, self.full, *self.alt, *self.hidden) if label is not None]

    def drop(self, folded: str) -> None:
        """Takes a label out of all but `pref`."""
        if self.full is not None and self.full.folded == folded:
            self.full = None
        self.alt = [label for label in self.alt if label.folded != folded]
        self.hidden = [label for label in self.hidden if label.folded != folded]

    def missing(self) -> list[str]:
        return [*(["pref_label"] if self.pref is None else []), *(n for n in _NEEDED if n not in self.texts)]

    def built(self) -> LanguageSection:
        """The section, which must not lack anything."""
        assert self.pref is not None
        qualifier = self.texts.get("qualifier")
        return LanguageSection(
            self.language,
            _as(self.pref, "pref"),
            self.texts["summary"].text,
            self.texts["definition"].text,
            _as(self.full, "full") if self.full else None,
            tuple(_as(label, "alt") for label in self.alt),
            tuple(_as(label, "hidden") for label in self.hidden),
            tuple(written.text for written in self.not_labels.values()),
            qualifier.text if qualifier else None,
        )


@dataclass(slots=True)
class DraftConcept:
    """A `Concept` that may still lack something or point to nothing."""

    id: str
    topic: str
    spot: Spot
    """Where it is written first."""
    level: int | None = None
    references: dict[str, list[Reference]] = field(default_factory=dict)
    """related, confusable_with, chapters."""
    sections: dict[Language, DraftSection] = field(default_factory=dict)
    note: dict[Language, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    """link, contact, source, reviewed."""

    def labels(self) -> list[WrittenLabel]:
        return [label for section in self.sections.values() for label in section.labels()]

    def built(self) -> Concept:
        """The concept, which must not lack anything."""
        sections = {language: self.sections[language].built() for language in LANGUAGES if language in self.sections}
        level: Literal[1, 2, 3] = 1 if self.level == 1 else 3 if self.level == 3 else 2
        return Concept(
            self.id,
            self.topic,
            level,
            sections,
            related=self._ids("related"),
            confusable_with=self._ids("confusable_with"),
            chapters=self._ids("chapters"),
            note=self.note,
            link=self.texts.get("link"),
            contact=self.texts.get("contact"),
            source=self.texts.get("source"),
            reviewed=self.texts.get("reviewed"),
        )

    def _ids(self, name: str) -> tuple[str, ...]:
        return tuple(reference.id for reference in self.references.get(name, ()))


_NEEDED: Final = ("summary", "definition")


class ConceptLayers:
    """Takes in the concepts of one directory after another. What doesn't fit goes to `problems`.

    `doubtful` are ids of entries that couldn't be read: nothing is concluded from their absence.
    """

    def __init__(self, problems: list[Problem], doubtful: Collection[str]) -> None:
        self.drafts: dict[str, DraftConcept] = {}
        self.hidden: dict[str, int] = {}
        """Ids that were taken out, with the number of the directory that did it."""
        self._problems = problems
        self._doubtful = doubtful

    def add(self, entries: Iterable[tuple[Entry[ConceptForm], str | None]], both_languages: bool) -> None:
        """Adds one directory: its concepts, each with the topic of its file."""
        seen: dict[str, Spot] = {}
        for entry, topic in entries:
            id_, spot = entry.form.id, entry.spot
            if id_ in seen:
                self._problems.append(
                    spot.at("id").problem(f"the id {id_} is taken by {seen[id_]}: keep one of them, or rename one")
                )
                continue
            seen[id_] = spot
            if entry.form.hide:
                self._hide(entry)
            elif id_ in self.drafts:
                self._apply(self.drafts[id_], entry)
                self._report_missing(self.drafts[id_], entry, both_languages=False, new=False)
            elif id_ not in self._doubtful:
                self._begin(entry, topic, both_languages)

    def _hide(self, entry: Entry[ConceptForm]) -> None:
        id_, spot = entry.form.id, entry.spot
        if self.drafts.pop(id_, None) is not None:
            self.hidden[id_] = spot.directory
        elif id_ not in self._doubtful:
            self._problems.append(spot.at("hide").problem(f"no earlier directory has a concept {id_} to hide"))

    def _begin(self, entry: Entry[ConceptForm], topic: str | None, both_languages: bool) -> None:
        if topic is None:
            self._problems.append(
                entry.spot.at("id").problem(f"{entry.form.id} is new: the file must say its topic in `topic:`")
            )
        draft = DraftConcept(entry.form.id, topic or "", entry.spot)
        if both_languages and entry.form.level is None:
            self._problems.append(entry.spot.problem(f"`level` is missing in {draft.id}: 1, 2 or 3"))
        self.drafts[draft.id] = draft
        self._apply(draft, entry)
        self._report_missing(draft, entry, both_languages, new=True)

    def _report_missing(
        self, draft: DraftConcept, entry: Entry[ConceptForm], both_languages: bool, *, new: bool
    ) -> None:
        if not draft.sections:
            wanted = "en and zh-Hans" if both_languages else "en or zh-Hans"
            self._problems.append(
                entry.spot.problem(f"{draft.id} is new, so it needs {wanted}, each with all its texts")
            )
            return
        for language in LANGUAGES:
            section = draft.sections.get(language)
            if section is None and new:
                severity: Literal["error", "warning"] = "error" if both_languages else "warning"
                self._problems.append(entry.spot.problem(f"{draft.id} has no text in {language} yet", severity))
            elif section is not None and (missing := section.missing()):
                here = entry.spot.at(language)
                self._problems.append(here.problem(f"{draft.id} lacks {_listed(missing)} in {language}"))

    def _apply(self, draft: DraftConcept, entry: Entry[ConceptForm]) -> None:
        form, spot = entry.form, entry.spot
        if form.level is not None:
            draft.level = form.level
        for name in ("related", "confusable_with", "chapters"):
            if form.named(name):
                ids: list[str] = getattr(form, name)
                draft.references[name] = [Reference(id_, spot.at(name, n)) for n, id_ in enumerate(ids)]
        for name in ("link", "contact", "source", "reviewed"):
            if (text := getattr(form, name)) is not None:
                draft.texts[name] = text
        if form.note is not None:
            draft.note.update(_by_language(form.note))
        removed = self._remove_labels(draft, entry)
        for language, attribute in SECTIONS.items():
            section: SectionForm | None = getattr(form, attribute)
            if section is not None:
                into = draft.sections.setdefault(language, DraftSection(language))
                self._apply_section(into, section, spot.at(language), removed)

    def _remove_labels(self, draft: DraftConcept, entry: Entry[ConceptForm]) -> set[str]:
        removed: set[str] = set()
        for number, text in enumerate(entry.form.remove_labels):
            folded, spot = fold(text), entry.spot.at("remove_labels", number)
            removed.add(folded)
            found = False
            for section in draft.sections.values():
                named: SectionForm | None = getattr(entry.form, SECTIONS[section.language])
                if section.pref is not None and section.pref.folded == folded:
                    found = True
                    if named is None or named.pref_label is None:
                        self._problems.append(
                            spot.problem(f'"{text}" is the pref_label in {section.language}: write another one as well')
                        )
                found |= folded in section.not_labels or any(label.folded == folded for label in section.labels())
                section.not_labels.pop(folded, None)
                section.drop(folded)
            if not found:
                self._problems.append(spot.problem(f'{draft.id} has no label "{text}" to remove', "warning"))
        return removed

    def _apply_section(self, into: DraftSection, form: SectionForm, spot: Spot, removed: Collection[str]) -> None:
        for name in (*_NEEDED, "qualifier"):
            if (text := getattr(form, name)) is not None:
                into.texts[name] = Written(text, spot.at(name))
        if form.pref_label is not None:
            old, into.pref = into.pref, _written(form.pref_label, into.language, "pref", spot.at("pref_label"))
            into.drop(into.pref.folded)
            self._keep_findable(into, old, removed)
        if form.full_form is not None:
            old, into.full = into.full, _written(form.full_form, into.language, "full", spot.at("full_form"))
            self._keep_findable(into, old, removed)
        kinds: tuple[tuple[LabelKind, list[LabelForm]], ...] = (
            ("alt", form.alt_labels),
            ("hidden", form.hidden_labels),
        )
        for kind, labels in kinds:
            for number, label in enumerate(labels):
                self._add(into, _written(label, into.language, kind, spot.at(f"{kind}_labels", number)))
        for number, text in enumerate(form.not_labels):
            here, folded = spot.at("not_labels", number), fold(text)
            same = into.not_labels.setdefault(folded, Written(text, here))
            if same.spot != here and same.spot.directory == here.directory:
                self._problems.append(here.problem(f'"{text}" stands in {same.spot} already: one is enough', "warning"))

    def _keep_findable(self, into: DraftSection, old: WrittenLabel | None, removed: Collection[str]) -> None:
        """A name that a later directory replaced is still what people type."""
        if old is not None and old.folded not in removed and all(old.folded != la.folded for la in into.labels()):
            into.hidden.append(old)

    def _add(self, into: DraftSection, new: WrittenLabel) -> None:
        """Adds an alternative or hidden label; one of an earlier directory that is the same gives way."""
        same = next((label for label in into.labels() if label.folded == new.folded), None)
        if same is not None and (same in (into.pref, into.full) or same.spot.directory == new.spot.directory):
            self._problems.append(
                new.spot.problem(f'"{new.label.text}" is the same label as in {same.spot}: one is enough', "warning")
            )
            return
        into.drop(new.folded)
        (into.alt if new.label.kind == "alt" else into.hidden).append(new)


def _written(form: LabelForm, language: Language, kind: LabelKind, spot: Spot) -> WrittenLabel:
    label = Label(
        form.text,
        language,
        kind,
        form.case_sensitive,
        form.explain,
        form.part,
        form.status,
        form.note,
        form.pinyin,
        tuple(form.near),
        tuple(form.contexts),
        tuple(form.not_near),
    )
    return WrittenLabel(label, fold(form.text), spot)


def _as(written: WrittenLabel, kind: LabelKind) -> Label:
    return replace(written.label, kind=kind)


def _by_language(form: NoteForm) -> dict[Language, str]:
    texts = {language: getattr(form, attribute) for language, attribute in SECTIONS.items()}
    return {language: text for language, text in texts.items() if text is not None}


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
