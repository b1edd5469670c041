"""Answer -> Rich renderables, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from adapters.terminal.text import buttons_of, safe
from bot.answer import Answer, Block, Button, Field, Heading, Item, Menu, Note, Paragraph, Table


def render(answer: Answer) -> RenderableType:
    """The whole answer with numbered buttons."""
    numbers = iter(range(1, len(buttons_of(answer)) + 1))
    parts = [_block(block, numbers) for block in answer.blocks]
    parts += [_buttons(entry, numbers) for entry in _rows(answer)]
    return Padding(Group(*parts), (0, 0, 1, 2))


def _block(block: Block, numbers: Iterator[int]) -> RenderableType:
    match block:
        case Heading(text, detail):
            heading = Text(safe(text), style="bold cyan")
            return heading.append(f"\n{safe(detail)}", style="default not bold") if detail else heading
        case Paragraph(text):
            return Text(safe(text))
        case Note(text):
            return Text(safe(text), style="dim")
        case Field(name, value, link):
            line = Text("• ").append(safe(name), style="bold").append(f"  {safe(value)}")
            return line.append(f" {safe(link)}", style="dim") if link and link != value else line
        case Item(label, summary, button):
            line = _number(numbers) if button is not None else Text("• ")
            line.append(safe(label), style="bold")
            return line.append(f"  {safe(summary)}") if summary else line
        case Table():
            return _table(block)
        case _:
            assert_never(block)


def _rows(answer: Answer) -> list[tuple[Button, ...] | Menu]:
    """The plain buttons in one row, every menu in a row of its own, in the order of their numbers."""
    rows: list[tuple[Button, ...] | Menu] = []
    for entry in answer.buttons:
        if isinstance(entry, Button) and rows and isinstance(rows[-1], tuple):
            rows[-1] = (*rows[-1], entry)
        else:
            rows.append((entry,) if isinstance(entry, Button) else entry)
    return rows


def _buttons(row: tuple[Button, ...] | Menu, numbers: Iterator[int]) -> Text:
    line = Text(f"{safe(row.label)}  " if isinstance(row, Menu) else "", style="dim")
    for button in row.options if isinstance(row, Menu) else row:
        line.append_text(_number(numbers)).append(f"{safe(button.label)}   ", style="default not dim")
    return line


def _number(numbers: Iterator[int]) -> Text:
    return Text(f"[{next(numbers)}] ", style="not dim green")


def _table(table: Table) -> RichTable:
    grid = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for number, column in enumerate(table.columns):
        grid.add_column(Text(safe(column)), overflow="fold", style="dim" if number == 0 else "")
    for row in table.rows:
        grid.add_row(*(Text(safe(cell)) for cell in row))
    return grid
