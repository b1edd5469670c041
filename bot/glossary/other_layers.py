"""Lays comparisons, topics, chapters, contexts and phrases of several directories over each other.

Concepts: `layers.py`.
"""

from __future__ import annotations

import difflib
import re
import string
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from bot.errors import Problem
from bot.glossary.concept import (
    LANGUAGES,
    Chapter,
    Comparison,
    ComparisonSection,
    Language,
    OtherSide,
    Topic,
)
from bot.glossary.file_form import (
    SECTIONS,
    ChapterForm,
    ChineseComparison,
    ComparisonForm,
    ContextForm,
    EnglishComparison,
    Form,
    GlossaryForm,
    OtherSideForm,
    PhraseForm,
)
from bot.glossary.folding import fold
from bot.glossary.layers import Entry, Reference, Spot

FormWithId = TypeVar("FormWithId", ChapterForm, ComparisonForm, ContextForm)

_PART: Final = f"(?:[a-z0-9_]+|{'|'.join(LANGUAGES)})"
_PHRASE_KEY: Final = re.compile(rf"{_PART}(?:\.{_PART})*")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")


def texts(form: Form) -> dict[Language, str]:
    """What a form with one text per language says."""
    found = {language: getattr(form, attribute) for language, attribute in SECTIONS.items()}
    return {language: text for language, text in found.items() if text is not None}


def in_all_languages(some: Mapping[Language, str]) -> dict[Language, str]:
    """`some`, with what a language lacks taken from another one. `some` isn't empty."""
    return {language: some.get(language) or next(iter(some.values())) for language in LANGUAGES}


def report_missing(
    spot: Spot, what: str, said: Collection[Language], both_languages: bool, problems: list[Problem]
) -> None:
    """Reports the languages in which something says nothing: an error if both are needed, or if none is there."""
    missing = [language for language in LANGUAGES if language not in said]
    if missing:
        severe = both_languages or not said
        problems.append(spot.problem(f"{what} lacks {' and '.join(missing)}", "error" if severe else "warning"))


# Topics


def add_topics(
    topics: dict[str, Topic], entries: Iterable[Entry[GlossaryForm]], both_languages: bool, problems: list[Problem]
) -> None:
    """Adds the heads of one directory's glossary files to `topics`."""
    known = set(topics)
    named: dict[tuple[str, str], Spot] = {}
    for entry in entries:
        form, spot = entry.form, entry.spot
        if form.topic is None:
            continue
        firsts = {key: named.setdefault((form.topic, key), spot) for key in ("name", "position") if form.named(key)}
        problems.extend(
            spot.at(key).problem(f"`{key}` of {form.topic} is said in {first.document.file} already")
            for key, first in firsts.items()
            if first is not spot
        )
        said = texts(form.name) if form.name is not None else {}
        old = topics.get(form.topic)
        if form.name is not None or (both_languages and old is None):
            report_missing(spot.at("name"), f"the name of {form.topic}", said, both_languages, problems)
        elif old is None and (near := difflib.get_close_matches(form.topic, known, 1, 0.8)):
            problems.append(
                spot.at("topic").problem(f"{form.topic} is a new topic; did you mean {near[0]}?", "warning")
            )
        name = {**(old.name if old else {}), **said} or {"en": form.topic.replace("-", " ").capitalize()}
        position = form.position or (old.position if old else 1000)
        topics[form.topic] = Topic(form.topic, in_all_languages(name), position)


# Chapters


def add_chapters(
    chapters: dict[str, Chapter], entries: Iterable[Entry[ChapterForm]], both_languages: bool, problems: list[Problem]
) -> None:
    """Adds the chapters of one directory to `chapters`."""
    for entry in _once(entries, "chapter", problems):
        form, spot = entry.form, entry.spot
        said = texts(form)
        old = chapters.get(form.id)
        if old is None:
            report_missing(spot, f"the title of {form.id}", said, both_languages, problems)
            if not said:
                continue
        title = {**(old.title if old else {}), **said}
        chapters[form.id] = Chapter(form.id, in_all_languages(title), form.url or (old.url if old else None))


# Contexts


class ContextLayers:
    """Takes in the lists of words of one directory after another. What doesn't fit goes to `problems`."""

    def __init__(self, problems: list[Problem], doubtful: Collection[str]) -> None:
        self.words: dict[str, dict[str, str]] = {}
        """Per list its words by their folds."""
        self.hidden: dict[str, int] = {}
        """Ids that were taken out, with the number of the directory that did it."""
        self._problems = problems
        self._doubtful = doubtful

    def add(self, entries: Iterable[Entry[ContextForm]]) -> None:
        for entry in _once(entries, "context", self._problems):
            form, spot = entry.form, entry.spot
            known = form.id in self.words
            if form.hide:
                if not known and form.id not in self._doubtful:
                    self._problems.append(
                        spot.at("hide").problem(f"no earlier directory has a context {form.id} to hide")
                    )
                self.words.pop(form.id, None)
                self.hidden[form.id] = spot.directory
                continue
            if not form.words and not known and form.id not in self._doubtful:
                self._problems.append(spot.problem(f"{form.id} has no `words`"))
            self.hidden.pop(form.id, None)
            self._add_words(form, spot)

    def _add_words(self, form: ContextForm, spot: Spot) -> None:
        words = self.words.setdefault(form.id, {})
        before = set(words)
        for number, word in enumerate(form.words):
            folded = fold(word)
            if folded in words and folded not in before:
                here = spot.at("words", number)
                self._problems.append(here.problem(f'"{word}" stands in {form.id} twice: one is enough', "warning"))
            words.setdefault(folded, word)

    def built(self) -> dict[str, tuple[str, ...]]:
        """Of a list that was taken out no word is left, but labels that ask for it still ask for something."""
        return {**dict.fromkeys(self.hidden, ()), **{id_: tuple(words.values()) for id_, words in self.words.items()}}


# Comparisons


@dataclass(slots=True)
class DraftComparison:
    """A `Comparison` that may still lack something or point to nothing."""

    id: str
    spot: Spot
    """Where it was named last."""
    sides: list[Reference | OtherSide] = field(default_factory=list)
    sides_spot: Spot | None = None
    texts: dict[Language, dict[str, Entry[EnglishComparison | ChineseComparison]]] = field(default_factory=dict)
    """Per language, for each of gist, choose and rows the form that names it."""

    def concepts(self) -> list[Reference]:
        return [side for side in self.sides if isinstance(side, Reference)]

    def others(self) -> list[OtherSide]:
        return [side for side in self.sides if isinstance(side, OtherSide)]

    def built(self) -> Comparison:
        """The comparison, which must not lack anything."""
        sections: dict[Language, ComparisonSection] = {}
        for language in LANGUAGES:
            if (named := self.texts.get(language)) is not None:
                rows = tuple((row[0], tuple(row[1:])) for row in named["rows"].form.rows)
                gist = named["gist"].form.gist
                assert gist is not None
                sections[language] = ComparisonSection(gist, tuple(named["choose"].form.choose), rows)
        sides = tuple(side.id if isinstance(side, Reference) else side for side in self.sides)
        return Comparison(self.id, sides, sections)


class ComparisonLayers:
    """Takes in the comparisons of one directory after another. What doesn't fit goes to `problems`."""

    def __init__(self, problems: list[Problem], doubtful: Collection[str]) -> None:
        self.drafts: dict[str, DraftComparison] = {}
        self._problems = problems
        self._doubtful = doubtful

    def add(self, entries: Iterable[Entry[ComparisonForm]], both_languages: bool) -> None:
        for entry in _once(entries, "comparison", self._problems):
            form, spot = entry.form, entry.spot
            known = form.id in self.drafts
            if form.hide:
                if not known and form.id not in self._doubtful:
                    self._problems.append(
                        spot.at("hide").problem(f"no earlier directory has a comparison {form.id} to hide")
                    )
                self.drafts.pop(form.id, None)
            elif known or form.named("sides") or form.id not in self._doubtful:
                draft = self.drafts.setdefault(form.id, DraftComparison(form.id, spot))
                self._apply(draft, entry, both_languages)
                if not known:
                    report_missing(spot, form.id, draft.texts.keys(), both_languages, self._problems)
                    if not form.named("sides"):
                        self._problems.append(spot.problem(f"{form.id} is new and has no `sides`"))

    def _apply(self, draft: DraftComparison, entry: Entry[ComparisonForm], both_languages: bool) -> None:
        form, spot = entry.form, entry.spot
        draft.spot = spot
        if form.sides is not None:
            draft.sides_spot = spot.at("sides")
            draft.sides = [self._side(side, spot.at("sides", n), both_languages) for n, side in enumerate(form.sides)]
        for language, attribute in SECTIONS.items():
            section: EnglishComparison | ChineseComparison | None = getattr(form, attribute)
            if section is not None:
                named = draft.texts.setdefault(language, {})
                for name in ("gist", "choose", "rows"):
                    if section.named(name):
                        named[name] = Entry(section, spot.at(language))

    def _side(self, form: str | OtherSideForm, spot: Spot, both_languages: bool) -> Reference | OtherSide:
        if isinstance(form, str):
            return Reference(form, spot)
        found = {language: getattr(form.other, attribute) for language, attribute in SECTIONS.items()}
        said = {language: side for language, side in found.items() if side is not None}
        report_missing(spot, "this side", said, both_languages, self._problems)
        labels: dict[Language, tuple[str, ...]] = {language: tuple(side.labels) for language, side in said.items()}
        lines: dict[Language, str] = {language: side.line for language, side in said.items()}
        for language in LANGUAGES if said else ():
            labels.setdefault(language, next(iter(labels.values())))
        return OtherSide(labels, in_all_languages(lines) if said else {})


# Phrases


def add_phrases(
    phrases: dict[str, dict[Language, str]],
    entries: Sequence[tuple[str, Entry[PhraseForm]]],
    first: bool,
    both_languages: bool,
    doubtful: Collection[str],
    problems: list[Problem],
) -> None:
    """Adds the phrases of one directory to `phrases`. Only the `first` one may bring new keys."""
    known = set(phrases)
    for key, entry in entries:
        spot, said = entry.spot, texts(entry.form)
        if not _PHRASE_KEY.fullmatch(key):
            problems.append(spot.problem(f"the key {key} may only hold a-z, 0-9, _ and, between these, single dots"))
            continue
        if not first and key not in known:
            if key not in doubtful:
                near = difflib.get_close_matches(key, known, 1, 0.7)
                hint = f": did you mean {near[0]}?" if near else ": a team can only reword what is there"
                problems.append(spot.problem(f"there is no phrase {key}{hint}"))
            continue
        if first or not said:
            report_missing(spot, key, said, both_languages, problems)
        wanted = None if first else _placeholders(phrases[key].values())
        for language, text in said.items():
            _check_phrase(text, spot.at(language), wanted, problems)
            wanted = _placeholders([text]) if wanted is None else wanted
        phrases.setdefault(key, {}).update(said)
    for key, entry in entries:
        base = key.removesuffix(".one")
        if base != key and base not in phrases and base not in doubtful:
            problems.append(entry.spot.problem(f"{key} is a variant of {base}, which is missing"))


def _check_phrase(text: str, spot: Spot, wanted: frozenset[str] | None, problems: list[Problem]) -> None:
    """`wanted`: the placeholders that the other language, or an earlier directory, has."""
    if "  " in text:
        problems.append(spot.problem("two spaces in a row: one is enough"))
    if tag := _TAG.search(text):
        problems.append(spot.problem(f"{tag[0]} looks like HTML, which no platform would show as such: leave it out"))
    try:
        found = [(name, form, conversion) for _, name, form, conversion in string.Formatter().parse(text)]
    except ValueError:
        problems.append(spot.problem("a { or } without its partner: a placeholder is written {name}, a brace {{ or }}"))
        return
    for name, form, conversion in found:
        if name is not None and (not name.isidentifier() or form or conversion):
            problems.append(spot.problem(f"{{{name}}} is no placeholder: a name between braces and nothing else"))
    names = _placeholders([text])
    if wanted is not None and names != wanted:
        few, many = sorted(wanted - names), sorted(names - wanted)
        said = [*(f"{{{name}}} is missing" for name in few), *(f"nothing fills {{{name}}}" for name in many)]
        problems.append(spot.problem(f"the placeholders must be the same everywhere: {', '.join(said)}"))


def _placeholders(some: Iterable[str]) -> frozenset[str]:
    """The names of the placeholders in all of the texts; of one that can't be read, none."""
    names: set[str] = set()
    for text in some:
        try:
            names.update(name for _, name, _, _ in string.Formatter().parse(text) if name)
        except ValueError:
            continue
    return frozenset(names)


def _once(entries: Iterable[Entry[FormWithId]], kind: str, problems: list[Problem]) -> Iterable[Entry[FormWithId]]:
    """The entries without those whose id stood in the same directory before."""
    seen: dict[str, Spot] = {}
    for entry in entries:
        first = seen.setdefault(entry.form.id, entry.spot)
        if first is entry.spot:
            yield entry
        else:
            problems.append(
                entry.spot.at("id").problem(f"the {kind} {entry.form.id} stands in {first} already: keep one of them")
            )
