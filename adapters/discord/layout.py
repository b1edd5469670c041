"""Answer -> a message of Discord's components: a card with texts, buttons beside what they belong to, and small print.

Everything is escaped here, once. What Discord would refuse is never made: more components or characters than a message
may have, an empty text, the same id twice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, takewhile
from typing import Any, Final, assert_never

from discord import ui

from adapters.discord.fitting import chunks, fitting, in_room
from adapters.discord.limits import MAX_COMPONENTS, MAX_OPTIONS, MAX_ROW, length
from adapters.discord.markdown import clean, one_line
from adapters.discord.parts import Entry, Line, Part, Row, Rule, Run, Select, Text
from bot.answer import Answer, Block, Button, Field, Heading, Item, Menu, Note, Paragraph, Table

_OFTEN_ASKED: Final = frozenset({"definition", "comparison", "choice"})
_REMEMBERED: Final = 500
"""Messages that are kept in memory, some 10 kB each: popular ones are asked for again and again."""

_SMALL: Final = "-# "
_LISTED: Final = "- "

_LONG_HEADING: Final = 45
"""Characters of a heading that gets smaller letters, so that it takes one or two lines of a phone."""

NOTE_LINES: Final = 3
"""Of a note that nobody asked for, at most; core explains no more terms at once."""

_HAN: Final = "[\u3400-\u9fff]"

_ACCENTS: Final = (0x5865F2, 0xF47B67, 0x3BA55D, 0xFAA61A, 0xEB459E, 0x1ABC9C, 0x9B59B6, 0x00A8FC, 0xC27C0E, 0xE74C3C)
"""Colours that can be told apart on Discord's light ground and on its dark one."""


class Message(ui.LayoutView):
    """A message as it's sent. discord.py takes nothing but its components, and keeps nothing of it.

    It would keep a view that isn't finished for ever, to wait for presses; those reach `DynamicItem`s.
    """

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._components = components

    def to_components(self) -> list[dict[str, Any]]:
        return self._components

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True


_ready: Final[dict[int, tuple[Answer, Message]]] = {}
"""By the identity of the answer, which no other one has while it's kept: the bot gives the same one again."""


def view_of(answer: Answer) -> Message:
    """The whole answer. Its buttons work for as long as the message exists.

    The id of a button is its request. The id of a menu is `parts.MENU_ID`; the values of its options are requests. Of
    two buttons with the same request the second is left out. Silence gives a message without components, which can't
    be sent.
    """
    ready = _ready.get(id(answer))
    if ready is not None:
        return ready[1]
    message = Message(components_of(answer))
    if answer.kind in _OFTEN_ASKED and answer.where != "public":  # those are made anew each time, for their asker
        _ready[id(answer)] = answer, message
        while len(_ready) > _REMEMBERED:
            del _ready[next(iter(_ready))]
    return message


def components_of(answer: Answer) -> list[dict[str, Any]]:
    """The components."""
    card = _is_card(answer)
    writer = _Writer(answer)
    parts = [*(writer.card() if card else writer.lines()), *writer.controls()]
    parts, room = in_room(fitting(parts, MAX_COMPONENTS - card))
    items = [item for part in parts for item in part.items(room)]
    if card and items:
        container: ui.Container[Any] = ui.Container(*items, accent_colour=accent(answer.topic))
        items = [container]
    return [item.to_component_dict() for item in items]


def accent(topic: str) -> int | None:
    """The colour of a topic, the same after restarts and on all replicas; None: there's no topic."""
    return _ACCENTS[hashlib.sha256(topic.encode()).digest()[0] % len(_ACCENTS)] if topic else None


def _is_card(answer: Answer) -> bool:
    """Whether it stands in a frame. A line or two, like a note that nobody asked for, is an ordinary message."""
    return any(
        isinstance(block, Heading | Table) or (isinstance(block, Item) and block.button is not None)
        for block in answer.blocks
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """From blocks and buttons to parts. `taken` are the ids that the message has already."""

    answer: Answer
    taken: set[str] = field(default_factory=set)

    def lines(self) -> Iterator[Part]:
        """An ordinary message."""
        lines = [line for block in self.answer.blocks for line in self._part(block).lines]
        yield Text(_note(*lines) if self.answer.kind == "explanation" and len(lines) > 1 else tuple(lines))

    def card(self) -> Iterator[Part]:
        """Texts and entries, each with the lines that belong to it, and under a rule the small print."""
        body, footer = _footer(self.answer.blocks)
        last: Text | Entry | None = None
        for number, block in enumerate(body):
            before = body[number - 1] if number else None
            first = not any(isinstance(earlier, Heading) for earlier in body[:number])
            part = self._part(block, first=first, listed=_is_listed(body, number))
            if last is not None and isinstance(part, Text) and _belongs(block, before):
                if isinstance(last, Entry) and isinstance(block, Field):
                    part = Text((self._small(block),))
                last = last.with_more(part)
                continue
            if last is not None:
                yield last
            if isinstance(block, Table):
                yield Rule()
            last = part
        if last is not None:
            yield last
        if footer:
            yield Rule()
            yield Text(tuple(self._small(block) for block in footer))

    def controls(self) -> Iterator[Part]:
        """The buttons in rows, then the menus, each over the whole width."""
        menus: list[Menu] = []
        buttons: list[Button] = []
        for entry in self.answer.buttons:
            if isinstance(entry, Menu) and not entry.overflow:
                menus.append(entry)
                continue
            button = Button(entry.label, entry.overflow) if isinstance(entry, Menu) else entry
            if self._takes(button):
                buttons.append(button)
        for row in chunks(buttons, MAX_ROW):
            yield Row(row)
        for menu in menus:
            once = {option.request: option for option in reversed(menu.options)}
            for options in chunks([*reversed(once.values())], MAX_OPTIONS):
                yield Select(menu.label, options)

    def _takes(self, button: Button) -> bool:
        """Whether the button's id is free; it no longer is then."""
        free = button.request not in self.taken
        self.taken.add(button.request)
        return free

    def _part(self, block: Block, *, first: bool = False, listed: bool = False) -> Text | Entry:
        """`first`: no heading stands above it; `listed`: it's one of several fields."""
        match block:
            case Heading(text, detail):
                mark = "## " if first and length(text) <= _LONG_HEADING else "### "
                return Text((_line(text, mark), _line(detail, _SMALL)))
            case Paragraph(text):
                return Text((Line((Run(clean(text)),)),))
            case Note():
                return Text((self._small(block),))
            case Field(name, value, link):
                return Text((self._pair(name, value, link, mark=_LISTED if listed else ""),))
            case Table():
                return self._table(block)
            case Item(label, summary, button):
                if button is None or not self._takes(button):
                    return Text((self._pair(label, summary),))
                return Entry(Text((Line((Run(one_line(label), bold=True),)), _line(summary))), button)
            case _:
                assert_never(block)

    def _small(self, block: Note | Field) -> Line:
        if isinstance(block, Field):
            return self._pair(block.name, block.value, block.link, mark=_SMALL, bold=False)
        return _line(block.text, _SMALL)

    def _table(self, table: Table) -> Text:
        """Each row under its bold aspect, a line per cell: columns side by side don't fit on a phone."""
        colon = self._colon(" ".join(cell for row in table.rows for cell in row))
        lines: list[Line] = []
        for aspect, *cells in table.rows:
            lines.append(Line((Run(one_line(aspect), bold=True),)))
            for name, cell in zip(table.columns[1:], cells, strict=True):
                lines.append(_line(f"{name}{colon}{cell}", _LISTED))
        return Text(tuple(lines))

    def _pair(self, name: str, value: str, link: str | None = None, *, mark: str = "", bold: bool = True) -> Line:
        """A name and what belongs to it."""
        name, value = one_line(name), one_line(value)
        between = self._colon(f"{name} {value}") if name and value else ""
        return Line((Run(name, bold=bold), Run(between), Run(value, link=link)), mark)

    def _colon(self, text: str) -> str:
        """Between Chinese words the colon is as wide as they are; English with a few of them in it keeps its own."""
        han = len(re.findall(_HAN, text))
        enough = 1 if self.answer.chrome == "zh-Hans" else max(1, len(re.findall("[A-Za-z]", text)) // 2)
        return "：" if han >= enough else ": "


def _note(title: Line, *terms: Line) -> tuple[Line, ...]:
    """What nobody asked for: its title is small, so that the terms stand out, and takes no line that they need."""
    text = one_line(title.runs[0].text)
    if len(terms) < NOTE_LINES:
        return (_line(text, _SMALL), *terms)
    first = Run(text if text.endswith("：") else f"{text} ")
    return (replace(terms[0], runs=(first, *terms[0].runs)), *terms[1:])


def _line(text: str, mark: str = "") -> Line:
    return Line((Run(one_line(text)),), mark)


def _footer(blocks: Sequence[Block]) -> tuple[Sequence[Block], list[Note | Field]]:
    """The body, and the small print that ends it: notes, and links that come after one."""
    ending = list(takewhile(lambda block: isinstance(block, Note) or _is_link(block), reversed(blocks)))[::-1]
    small = [block for block in dropwhile(_is_link, ending) if isinstance(block, Note | Field)]
    return blocks[: len(blocks) - len(small)], small


def _is_link(block: Block) -> bool:
    return isinstance(block, Field) and block.link is not None


def _is_listed(blocks: Sequence[Block], number: int) -> bool:
    """Whether a field stands among other fields."""
    around = (*blocks[max(0, number - 1) : number], *blocks[number + 1 : number + 2])
    return any(isinstance(block, Field) for block in around)


def _belongs(block: Block, before: Block | None) -> bool:
    """Whether a block stands close under the one before it."""
    if isinstance(block, Note):
        return True
    if isinstance(before, Item) and before.button is not None:
        return _is_link(block)
    return isinstance(block, Field | Item) and type(block) is type(before)
