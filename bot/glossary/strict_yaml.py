"""The part of YAML in which people can write prose without traps: bytes -> plain values, each with its place.

Only mappings, lists, text, whole numbers and `true` / `false` come out. Whatever YAML would silently read as
something else than it looks like (`NO`, `16:9`, text cut at " #", a second key of the same name) is a problem, and so
is everything that can build objects or grow when read (tags, anchors, aliases). Reading goes on after a problem
wherever that is possible, so that one run tells all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

import yaml

from bot.errors import Problem
from bot.glossary.folding import HAN, visible
from bot.glossary.yaml_advice import QUOTE_OR_BLOCK, advice, misreading, noticed_late

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML was built without libyaml: slower, the same events
    from yaml import SafeLoader as Loader  # type: ignore[assignment]

MOST_BYTES: Final = 5_000_000
MOST_LEVELS: Final = 20
MOST_VALUES: Final = 200_000
MOST_PROBLEMS: Final = 50
"""Per file. What comes after so many faults is rarely worth reading before they are mended."""

Value: TypeAlias = "str | int | bool | list[Value] | dict[str, Value] | None"
Steps: TypeAlias = tuple[str | int, ...]
"""Keys and list indexes that lead to a value: ("concepts", 0, "en", "summary")."""


class Place(NamedTuple):
    """Where something stands in a file; both count from 1, 0 means the whole file."""

    line: int
    column: int


NOWHERE: Final = Place(0, 0)


@dataclass(frozen=True, slots=True)
class Document:
    """What was read from one file. `value` is None for an empty file and for one that isn't readable at all."""

    file: str
    value: Value
    problems: tuple[Problem, ...] = ()
    complete: bool = True
    """False: reading stopped before the end of the file, so that anything may be missing in `value`."""
    values: Mapping[Steps, Place] = field(default_factory=dict)
    keys: Mapping[Steps, Place] = field(default_factory=dict)

    def place(self, path: Steps) -> Place:
        """Where the value at `path` begins; for a value that isn't there, where the one around it does."""
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, NOWHERE)

    def key_place(self, path: Steps) -> Place:
        """Where the key stands whose value is at `path`; the value's own place if that has no key."""
        return self.keys.get(path) or self.place(path)


def read(data: bytes, file: str, comment_may_follow: Collection[str] = ()) -> Document:
    """Reads the bytes of one file. `file` is only the name for the problems.

    After the plain text of a key a comment is refused, because the text may have been meant to go on; not so after
    keys in `comment_may_follow`, whose values can't contain " #" anyway.
    """
    return _Reader(file, frozenset(comment_may_follow)).read(data)


def name_of(path: Steps) -> str:
    """How a problem names the value at `path`: the keys from the innermost list item on."""
    keys: list[str] = []
    for part in reversed(path):
        if isinstance(part, str):
            keys.append(part)
        elif keys:
            break
    return ".".join(reversed(keys))


class _Stop(Exception):
    """The rest of the file isn't read."""


_UNSEEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_TAB: Final = re.compile(r"^ *\t(?=[ \t]*\S)", re.MULTILINE)
_COMMENT: Final = re.compile(r"[ \t]+#")
_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,8}")
_POINTS: Final = "，。；：！？、（）《》「」【】"
_FOLD: Final = re.compile(f"(?<=[{HAN}]) (?=[{HAN}“”‘’…])|(?<=[“”‘’…]) (?=[{HAN}])|(?<=[{_POINTS}]) | (?=[{_POINTS}])")
"""Spaces that only come from folding a Chinese text over several lines."""


class _Reader:
    def __init__(self, file: str, comment_may_follow: frozenset[str]) -> None:
        self.file = file
        self.comment_may_follow = comment_may_follow
        self.text = ""
        self.problems: list[Problem] = []
        self.values: dict[Steps, Place] = {}
        self.keys: dict[Steps, Place] = {}

    def read(self, data: bytes) -> Document:
        value: Value = None
        complete = False
        try:
            self.text = self.decoded(data)
            value = self.document(yaml.parse(self.text, Loader=Loader))
            complete = True
        except yaml.YAMLError as error:
            self.problems.append(self.reworded(error))
        except _Stop:
            pass
        return Document(self.file, value, tuple(self.problems), complete, self.values, self.keys)

    def report(self, place: Place, message: str) -> None:
        self.problems.append(Problem(self.file, *place, message))
        if len(self.problems) == MOST_PROBLEMS:
            self.stop(place, f"the rest of this file wasn't read: it has {MOST_PROBLEMS} faults up to here")

    def stop(self, place: Place, message: str) -> None:
        self.problems.append(Problem(self.file, *place, message))
        raise _Stop

    # The text

    def decoded(self, data: bytes) -> str:
        if len(data) > MOST_BYTES:
            self.stop(NOWHERE, f"is larger than {MOST_BYTES // 1_000_000} MB: split it into several files")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("utf-8-sig", "replace")
            self.stop(_place_at(before, len(before)), "isn't UTF-8 text: save the file with the encoding UTF-8")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        for found in _UNSEEN.finditer(text):
            sign = f"U+{ord(found[0]):04X}"
            self.report(_place_at(text, found.start()), f"an invisible control character ({sign}): delete it")
        known = len(self.problems)
        for found in _TAB.finditer(text):
            self.report(_place_at(text, found.end() - 1), "the line is indented with a tab: use spaces")
        if len(self.problems) > known:
            raise _Stop
        return _UNSEEN.sub(" ", text)

    def reworded(self, error: yaml.YAMLError) -> Problem:
        if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
            return Problem(self.file, *NOWHERE, f"isn't YAML: {error}")
        said = f"{error.context or ''} {error.problem or ''}".strip()
        mark = error.problem_mark
        hint = advice(said, self.text[mark.index : mark.index + 1])
        if error.context_mark is not None and noticed_late(said):
            mark = error.context_mark
        last = self.text.count("\n")  # the end of the text may be reported on a line that doesn't exist
        place = Place(mark.line + 1, mark.column + 1) if mark.line <= last else Place(last + 1, 1)
        return Problem(self.file, *place, f"{hint} (YAML: {error.problem})")

    # The events

    def document(self, events: Iterator[yaml.Event]) -> Value:
        value: Value = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.stop(_start(event), "a second document begins here: delete the line ---")
            elif isinstance(event, yaml.NodeEvent):
                value = self.value(event, events, ())
        return value

    def value(self, event: yaml.Event, events: Iterator[yaml.Event], path: Steps) -> Value:
        place = _start(event)
        self.values[path] = place
        if len(self.values) > MOST_VALUES:
            self.stop(place, f"the file holds more than {MOST_VALUES} values: split it")
        if len(path) > MOST_LEVELS:
            self.stop(place, f"lists or keys are nested more than {MOST_LEVELS} deep")
        if isinstance(event, yaml.AliasEvent):
            name = _short(f"*{event.anchor}")
            self.report(place, f"{name} refers to an anchor, and these aren't used here: {QUOTE_OR_BLOCK}")
            return name
        assert isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent))
        bare = self.refuse_properties(event, place)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(events, path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.items(events, path)
        assert isinstance(event, yaml.ScalarEvent)
        return self.scalar(event, path) if bare else str(event.value)

    def refuse_properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, place: Place) -> bool:
        """Whether the value has neither an anchor nor a tag; reports them."""
        if event.anchor is not None:
            self.report(
                place, f"YAML takes {_short(f'&{event.anchor}')} for an anchor and cuts it off: {QUOTE_OR_BLOCK}"
            )
        if event.tag is not None:
            tag = _short(event.tag.replace("tag:yaml.org,2002:", "!!"))
            self.report(place, f"{tag} is a YAML tag, and tags aren't used here: {QUOTE_OR_BLOCK}")
        return event.anchor is None and event.tag is None

    def items(self, events: Iterator[yaml.Event], path: Steps) -> list[Value]:
        items: list[Value] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self.value(event, events, (*path, len(items))))
        return items

    def mapping(self, events: Iterator[yaml.Event], path: Steps) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            place = _start(event)
            key = self.key(event, events, path)
            below = (*path, key)
            if key in found:
                first = self.keys[below]
                self.report(place, f"`{key}` stands here a second time, first in line {first.line}: keep one of them")
                self.value(next(events), events, (*below, key))
                continue
            self.keys[below] = place
            found[key] = self.value(next(events), events, below)
        return found

    def key(self, event: yaml.Event, events: Iterator[yaml.Event], path: Steps) -> str:
        place = _start(event)
        if not isinstance(event, yaml.ScalarEvent):
            self.value(event, events, (*path, "?"))
            self.report(place, "a key must be a word: put a text that begins with a bracket in quotes")
            return "?"
        if self.refuse_properties(event, place) and event.implicit[0]:
            if event.value == "<<":
                self.report(place, "merge keys (<<) aren't used here: write the keys out")
            elif (misread := misreading(event.value)) is not None:
                self.report(place, f"YAML reads the key {event.value} as {misread}: put it in quotes")
        key = visible(event.value)
        if key != event.value:
            self.report(place, "the key holds a character that can't be seen: type it anew")
        return key

    # Text, numbers, true and false

    def scalar(self, event: yaml.ScalarEvent, path: Steps) -> Value:
        text = str(event.value)
        if event.style == ">":
            text = _FOLD.sub("", text)
        if event.style in (">", "|"):
            return text.rstrip("\n")
        if not event.implicit[0]:
            return text
        assert event.end_mark is not None
        end = Place(event.end_mark.line + 1, event.end_mark.column + 1)
        if end.line > self.values[path].line:
            text = _FOLD.sub("", text)
        if _WHOLE.fullmatch(text):
            return int(text)
        if text in ("true", "false"):
            return text == "true"
        misread = misreading(text)
        if misread is not None:
            self.report_misread(text, misread, path)
        elif _COMMENT.match(self.text, event.end_mark.index) and not self.comment_may_follow.intersection(path[-2:]):
            self.report(end, f'the text of `{name_of(path)}` ends here, at " #": {QUOTE_OR_BLOCK}')
        return text

    def report_misread(self, text: str, misread: str, path: Steps) -> None:
        name = name_of(path)
        place = self.values[path]
        if text:
            switch = "; a switch is written true or false" if misread in ("true", "false") else ""
            mend = f"put it in quotes if it is meant as text{switch}"
            self.report(place, f"`{name}` is {_short(text)}, which YAML reads as {misread}: {mend}")
        elif path in self.keys:
            self.values[path] = self.keys[path]
            self.report(self.keys[path], f"nothing stands after `{name}:`: write a text, or delete the key")
        else:
            self.report(place, f"an empty item in `{name}`: write a text, or delete the line")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _start(event: yaml.Event) -> Place:
    assert event.start_mark is not None  # every event of a parsed text has one
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)


def _place_at(text: str, index: int) -> Place:
    return Place(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))
