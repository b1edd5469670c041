"""Answer -> plain text, for pipes and scripts. One line per thing; buttons are numbered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, assert_never

from bot.answer import Answer, Block, Button, Field, Heading, Item, Menu, Note, Paragraph, Table

_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def safe(text: str) -> str:
    """`text` with nothing in it that a terminal acts on: no escapes, no changes of direction, no half characters."""
    return _UNPRINTABLE.sub("", text)


def buttons_of(answer: Answer) -> list[Button]:
    """All buttons in the order in which they're numbered: those of items, then the answer's own, menus unfolded."""
    items = [block.button for block in answer.blocks if isinstance(block, Item) and block.button is not None]
    own = [button for entry in answer.buttons for button in (entry.options if isinstance(entry, Menu) else (entry,))]
    return [*items, *own]


def render(answer: Answer, *, numbered: bool = True) -> str:
    """The whole answer; empty for silence."""
    numbers = iter(range(1, len(buttons_of(answer)) + 1))
    lines = [line for block in answer.blocks for line in _block(block, numbers if numbered else None)]
    if numbered and answer.buttons:
        lines.append("  ".join(_entry(entry, numbers) for entry in answer.buttons))
    return safe("\n".join(lines))


def _block(block: Block, numbers: Iterator[int] | None) -> list[str]:
    match block:
        case Heading(text, detail):
            return [text, detail] if detail else [text]
        case Paragraph(text) | Note(text):
            return [text]
        case Field(name, value, link):
            return [f"• {_named(name, value)}" + (f" <{link}>" if link and link != value else "")]
        case Table():
            return _table(block)
        case Item(label, summary, button):
            number = f"[{next(numbers)}] " if button is not None and numbers is not None else "• "
            return [f"{number}{_named(label, summary)}" if summary else f"{number}{label}"]
        case _:
            assert_never(block)


def _entry(entry: Button | Menu, numbers: Iterator[int]) -> str:
    if isinstance(entry, Menu):
        return _named(entry.label, "  ".join(_entry(option, numbers) for option in entry.options))
    return f"[{next(numbers)}] {entry.label}"


def _named(name: str, value: str) -> str:
    """A name and its value; between Chinese and Chinese, or a button, with a colon as wide as a character."""
    wide = ("\u4e00" <= name[-1:] <= "\u9fff" or name.endswith("）")) and (
        value.startswith("[") or value[:1].isdigit() or not value[:1].isascii()
    )
    return f"{name}：{value}" if wide else f"{name}: {value}"


def _table(table: Table) -> list[str]:
    rows = (table.columns, *table.rows)
    widths = [max(_width(row[column]) for row in rows) for column in range(len(table.columns))]
    return [" | ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Columns that a terminal uses: two for a Chinese character, none for an accent of its own."""
    base = (character for character in text if not unicodedata.combining(character))
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in base)
