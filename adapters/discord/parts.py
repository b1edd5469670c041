"""The parts that a message is made of, and what each takes of Discord's limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from discord import ButtonStyle, SelectOption, ui

from adapters.discord import markdown
from adapters.discord.limits import (
    MAX_BUTTON_LABEL,
    MAX_OPTION_LABEL,
    MAX_PLACEHOLDER,
    cut,
    label,
    length,
)
from bot.answer import Button

Item: TypeAlias = ui.Item[Any]

_MOST_UNITS: Final = 2
"""UTF-16 units that one character takes at most, with the backslash before it."""

MENU_ID: Final = "menu:{number}"
"""A select menu's own id: nothing is read from it, only from the option that was chosen."""


@dataclass(frozen=True, slots=True)
class Run:
    """Some words of a line."""

    text: str
    bold: bool = False
    link: str | None = None

    def shown(self, room: int) -> str:
        """Its markdown, of at most `room` characters without the marks of bold and link."""
        text = self.text
        if len(text) * _MOST_UNITS > room:
            text = cut(text, room, _escaped_length)
        if self.link is not None and text:
            return markdown.link(text, self.link)
        return f"**{markdown.escape(text)}**" if self.bold and text else markdown.escape(text)


@dataclass(frozen=True, slots=True)
class Line:
    """`mark` makes it a heading, small print, or an entry of a list."""

    runs: tuple[Run, ...]
    mark: str = ""

    def shown(self, room: int) -> str:
        """Its markdown; empty, without the mark, where no run has words."""
        text = "".join(run.shown(room) for run in self.runs)
        return f"{self.mark}{text}" if text else ""


@dataclass(frozen=True, slots=True)
class Text:
    """Lines that stand together."""

    lines: tuple[Line, ...]

    @property
    def components(self) -> int:
        return 1

    def shown(self, room: int) -> str:
        return "\n".join(text for line in self.lines if (text := line.shown(room)))

    @property
    def title(self) -> str:
        """The first words."""
        return self.lines[0].runs[0].text

    def with_more(self, other: Text) -> Text:
        return replace(self, lines=(*self.lines, *other.lines))

    def items(self, room: int) -> list[Item]:
        shown = self.shown(room)
        return [ui.TextDisplay(shown)] if shown else []


@dataclass(frozen=True, slots=True)
class Entry:
    """Lines with the button that belongs to them at their side."""

    text: Text
    button: Button

    @property
    def components(self) -> int:
        return 3

    def shown(self, room: int) -> str:
        return self.text.shown(room) or _NO_TEXT

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.text.lines

    def with_more(self, other: Text) -> Entry:
        return replace(self, text=self.text.with_more(other))

    def items(self, room: int) -> list[Item]:
        return [ui.Section(ui.TextDisplay(self.shown(room)), accessory=_button(self.button))]


@dataclass(frozen=True, slots=True)
class Rule:
    """A thin line between the answer and what is said about it."""

    @property
    def components(self) -> int:
        return 1

    def items(self, room: int) -> list[Item]:
        return [ui.Separator()]


@dataclass(frozen=True, slots=True)
class Row:
    """Buttons side by side."""

    buttons: tuple[Button, ...]

    @property
    def components(self) -> int:
        return 1 + len(self.buttons)

    def items(self, room: int) -> list[Item]:
        return [ui.ActionRow(*(_button(button) for button in self.buttons))]


@dataclass(frozen=True, slots=True)
class Select:
    """Buttons behind one label. `number` tells the menus of a message apart."""

    label: str
    options: tuple[Button, ...]
    number: int = 0

    @property
    def components(self) -> int:
        return 2

    def items(self, room: int) -> list[Item]:
        options = [
            SelectOption(label=label(option.label, MAX_OPTION_LABEL), value=option.request) for option in self.options
        ]
        select: ui.Select[Any] = ui.Select(
            custom_id=MENU_ID.format(number=self.number),
            placeholder=label(self.label, MAX_PLACEHOLDER),
            options=options,
        )
        return [ui.ActionRow(select)]


Part: TypeAlias = Text | Entry | Rule | Row | Select

_NO_TEXT: Final = "…"
"""What stands beside a button that nothing is said about: Discord refuses an empty text."""


def _escaped_length(text: str) -> int:
    return length(markdown.escape(text))


def _button(button: Button) -> ui.Button[Any]:
    return ui.Button(style=ButtonStyle.secondary, label=label(button.label, MAX_BUTTON_LABEL), custom_id=button.request)
