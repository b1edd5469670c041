"""A comparison's rows: as Slack's own table, or as fields where it takes none."""

from __future__ import annotations

from typing import Final

from adapters.slack.elements import Json, batches, plain
from adapters.slack.fitting import MAX_PART, MAX_TEXT
from adapters.slack.lines import named, section
from adapters.slack.mrkdwn import pieces
from adapters.slack.rich_text import paragraph, words
from bot.answer import Table

MAX_ROWS: Final = 100
MAX_COLUMNS: Final = 20
MAX_CHARACTERS: Final = 10_000
"""Of all cells together."""
MAX_FIELDS: Final = 10


def fits(table: Table) -> bool:
    """Whether Slack takes the rows as a table; it takes only one in a message."""
    rows = (table.columns, *table.rows)
    size = sum(len(cell) for row in rows for cell in row)
    return len(rows) <= MAX_ROWS and len(table.columns) <= MAX_COLUMNS and size <= MAX_CHARACTERS


def native(table: Table) -> Json:
    """A table that wraps its cells, so that it reads on a phone. What names a column or a row is bold."""
    head = [_cell(name, bold=True) for name in table.columns]
    rows = [[_cell(cell, bold=place == 0) for place, cell in enumerate(row)] for row in table.rows]
    return {"type": "table", "rows": [head, *rows], "column_settings": [{"is_wrapped": True} for _ in table.columns]}


def as_fields(table: Table) -> list[Json]:
    """Each row below its name, with every cell below its column's."""
    return [block for row in table.rows for block in _row(table.columns[1:], *row)]


def _row(columns: tuple[str, ...], name: str, *cells: str) -> list[Json]:
    pairs = list(zip(columns, cells, strict=True))
    if len(max(name, *columns, *cells, key=len)) > MAX_PART:
        texts = [name, *(f"{column}\n{cell}" for column, cell in pairs)]
        return [section(plain(piece)) for text in texts for piece in pieces(text, MAX_TEXT)]
    first, *more = list(batches([named(column, cell) for column, cell in pairs], MAX_FIELDS)) or [[]]
    head = {**section(named(name)), **({"fields": first} if first else {})}
    return [head, *({"type": "section", "fields": some} for some in more)]


def _cell(text: str, *, bold: bool) -> Json:
    if bold:
        return paragraph(words(text, bold=True))
    return {"type": "raw_text", "text": text}
