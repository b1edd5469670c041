"""Directories of YAML files -> Glossary and Phrases, or one error that lists every problem. The only file access here.

strict_yaml.py     bytes -> plain values with their places; yaml_advice.py words what YAML makes of them
file_form.py       what may stand where; form_problems.py words what doesn't fit
layers.py          concepts of several directories laid over each other; other_layers.py: everything else
cross_checks.py    what must fit together in the end
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from bot.errors import DataError, Problem
from bot.glossary import cross_checks, strict_yaml
from bot.glossary.concept import Chapter, Language, Topic
from bot.glossary.file_form import (
    COMMENT_MAY_FOLLOW,
    ChapterForm,
    ComparisonForm,
    ConceptForm,
    ContextForm,
    Form,
    GlossaryForm,
    PhraseForm,
)
from bot.glossary.form_problems import check
from bot.glossary.glossary import Glossary
from bot.glossary.layers import ConceptLayers, Entry, Spot
from bot.glossary.other_layers import ComparisonLayers, ContextLayers, add_chapters, add_phrases, add_topics
from bot.glossary.strict_yaml import MOST_BYTES, Document, Steps, Value
from bot.phrases import Phrases

SomeForm = TypeVar("SomeForm", bound=Form)

_NAMES: Final = re.compile(rb"^(?:[ \t-]*id:[ \t]*[\"']?([a-z0-9-]+)|([a-zA-Z0-9_.-]+):)", re.MULTILINE)
"""Ids and first-level keys, as far as they can be told in a file that isn't readable as YAML."""
_SHOULD_HOLD: Final = (
    "a data directory holds glossary/*.yaml, comparisons.yaml, chapters.yaml, contexts.yaml or phrases.yaml "
    "(see data/README.md)"
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the directories say together. `warnings` are sorted by file and line."""

    glossary: Glossary
    phrases: Phrases
    warnings: tuple[Problem, ...] = ()


def shipped() -> Path:
    """The directory of the bot's own data: inside an installed wheel, else beside `bot/` in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_data"
    return inside if inside.is_dir() else package.parent / "data"


def load(directories: Sequence[Path], strict_languages: bool = True) -> Loaded:
    """Reads the directories, a later one over the earlier ones; the first is usually `shipped()`.

    With `strict_languages` the first directory must have everything in both languages; what lacks one in a later
    directory is only a warning. Raises DataError with all problems, warnings included, if one of them is an error.
    """
    collecting = gc.isenabled()
    gc.disable()  # nothing here is garbage yet; looking for it again and again is a quarter of the time
    try:
        return _load(directories, strict_languages)
    finally:
        if collecting:
            gc.enable()


def _load(directories: Sequence[Path], strict_languages: bool) -> Loaded:
    problems: list[Problem] = []
    found = [_Directory(number, path, problems) for number, path in enumerate(directories)]
    if not all(directory.readable for directory in found):
        raise DataError(sorted(set(problems)))
    glossary, phrases = _put_together(found, strict_languages, problems)
    return Loaded(glossary, phrases, tuple(sorted(set(problems))))


def _put_together(
    directories: Sequence[_Directory], strict_languages: bool, problems: list[Problem]
) -> tuple[Glossary, Phrases]:
    doubtful = {id_ for directory in directories for id_ in directory.doubtful}
    concepts = ConceptLayers(problems, doubtful)
    comparisons = ComparisonLayers(problems, doubtful)
    contexts = ContextLayers(problems, doubtful)
    topics: dict[str, Topic] = {}
    chapters: dict[str, Chapter] = {}
    phrases: dict[str, dict[Language, str]] = {}
    for directory in directories:
        both = strict_languages and directory.number == 0
        add_topics(topics, directory.topics, both, problems)
        add_chapters(chapters, directory.chapters, both, problems)
        concepts.add(directory.concepts, both)
        comparisons.add(directory.comparisons, both)
        contexts.add(directory.contexts)
        add_phrases(phrases, directory.phrases, directory.number == 0, both, doubtful, problems)
    cross_checks.check_concepts(concepts, chapters, doubtful, problems)
    cross_checks.check_contexts(concepts, contexts, doubtful, problems)
    cross_checks.check_comparisons(comparisons, concepts, doubtful, problems)
    if any(problem.severity == "error" for problem in problems):
        raise DataError(sorted(set(problems)))
    built = [draft.built() for draft in concepts.drafts.values()]
    authored = [draft.built() for draft in comparisons.drafts.values()]
    return Glossary(built, topics.values(), chapters.values(), authored, contexts.built()), Phrases(phrases)


class _Directory:
    """The forms of one directory. What couldn't be read is reported and left out."""

    def __init__(self, number: int, path: Path, problems: list[Problem]) -> None:
        self.number = number
        self.path = path
        self.problems = problems
        self.topics: list[Entry[GlossaryForm]] = []
        self.concepts: list[tuple[Entry[ConceptForm], str | None]] = []
        self.comparisons: list[Entry[ComparisonForm]] = []
        self.chapters: list[Entry[ChapterForm]] = []
        self.contexts: list[Entry[ContextForm]] = []
        self.phrases: list[tuple[str, Entry[PhraseForm]]] = []
        self.doubtful: set[str] = set()
        """Ids and phrase keys in files that have faults: entries of which nothing certain is known."""
        self.readable = self._read()

    def _read(self) -> bool:
        """Whether there is anything to go on with."""
        try:
            here = sorted(self.path.iterdir())
            below = sorted(folder.iterdir()) if (folder := self.path / "glossary").is_dir() else []
        except FileNotFoundError:
            return self._refuse(self.path, f"there is no such directory; {_SHOULD_HOLD}")
        except NotADirectoryError:
            return self._refuse(self.path, f"is a file, but a directory is needed; {_SHOULD_HOLD}")
        except OSError as error:
            return self._refuse(self.path, f"can't be opened: {error.strerror}")
        read = 0
        for file in below:
            if file.suffix == ".yaml" and not file.name.startswith("."):
                read += 1
                self._read_file(file, self._take_glossary)
        readers = {
            "comparisons.yaml": self._take_comparisons,
            "chapters.yaml": self._take_chapters,
            "contexts.yaml": self._take_contexts,
            "phrases.yaml": self._take_phrases,
        }
        for file in here:
            if file.name in readers:
                read += 1
                self._read_file(file, readers[file.name])
        self._report_strangers(here, tuple(readers))
        self._report_strangers(below, ())
        return bool(read) or self._refuse(self.path, f"holds nothing that can be read; {_SHOULD_HOLD}")

    def _refuse(self, file: Path, message: str) -> bool:
        self.problems.append(Problem(str(file), 0, 0, message))
        return False

    def _report_strangers(self, files: Sequence[Path], names: Sequence[str]) -> None:
        for file in files:
            if file.suffix not in (".yaml", ".yml") or file.name.startswith(".") or file.name in names:
                continue
            if names:
                message = f"isn't read: here only {', '.join(names)} are, and concepts stand in glossary/"
            elif file.suffix == ".yml":
                message = "isn't read: give it the ending .yaml"
            else:
                continue
            self.problems.append(Problem(str(file), 0, 0, message, "warning"))

    def _read_file(self, file: Path, take: Callable[[Document], None]) -> None:
        before = len(self.problems)
        if not file.is_file():  # opening a pipe would wait for ever
            self._refuse(file, "can't be read: it is no regular file")
            return
        try:
            with file.open("rb") as stream:
                data = stream.read(MOST_BYTES + 1)
        except OSError as error:
            self._refuse(file, f"can't be read: {error.strerror}")
            return
        document = strict_yaml.read(data, str(file), COMMENT_MAY_FOLLOW)
        self.problems.extend(document.problems)
        if document.value is not None:
            take(document)
        elif not document.problems:
            self.problems.append(Problem(str(file), 0, 0, "is empty", "warning"))
        if len(self.problems) > before:
            for id_, key in _NAMES.findall(data):
                self.doubtful.add((id_ or key).decode("ascii"))

    def _take_glossary(self, document: Document) -> None:
        value = document.value
        concepts: list[Entry[ConceptForm]] = []
        if isinstance(value, dict) and isinstance(value.get("concepts"), list):
            concepts = self._items(document, ("concepts",), value["concepts"], ConceptForm)
            value = {**value, "concepts": []}
        head = self._checked(document, (), value, GlossaryForm)
        self.topics.extend([head] if head else [])
        # With a faulty head the topic is unknown, but not missing.
        self.concepts.extend((concept, head.form.topic if head else "") for concept in concepts)

    def _take_comparisons(self, document: Document) -> None:
        self.comparisons = self._items(document, (), document.value, ComparisonForm)

    def _take_chapters(self, document: Document) -> None:
        self.chapters = self._items(document, (), document.value, ChapterForm)

    def _take_contexts(self, document: Document) -> None:
        self.contexts = self._items(document, (), document.value, ContextForm)

    def _take_phrases(self, document: Document) -> None:
        if not isinstance(document.value, dict):
            self._report(document, "must hold keys, and under each a text per language")
            return
        for key, value in document.value.items():
            if (entry := self._checked(document, (key,), value, PhraseForm)) is not None:
                self.phrases.append((key, entry))

    def _items(self, document: Document, path: Steps, value: Value, form: type[SomeForm]) -> list[Entry[SomeForm]]:
        """The items of a list, each by itself: one with a fault doesn't take the others with it."""
        if not isinstance(value, list):
            self._report(document, "must be a list: every entry begins with `- id: …`")
            return []
        found = (self._checked(document, (*path, number), item, form) for number, item in enumerate(value))
        return [entry for entry in found if entry is not None]

    def _checked(self, document: Document, path: Steps, value: Value, form: type[SomeForm]) -> Entry[SomeForm] | None:
        checked = check(document, path, value, form, self.problems)
        return None if checked is None else Entry(checked, Spot(self.number, document, path))

    def _report(self, document: Document, message: str) -> None:
        self.problems.append(Problem(document.file, *document.place(()), message))
