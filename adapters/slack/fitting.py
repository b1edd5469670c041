"""Blocks -> blocks that Slack takes: cleaned, none empty, none too long. A long text is split, so nothing is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, assert_never

from adapters.slack.mrkdwn import clean, cut, pieces
from bot.answer import Block, Field, Heading, Item, Note, Paragraph, Table

MAX_HEADER: Final = 150
MAX_NAME: Final = 300
"""Characters of the bold part of a line; what is longer is said in full below it."""
MAX_PART: Final = 1500
"""Characters of what stands beside a name: with it in one field of a section, which takes 2,000."""
MAX_TEXT: Final = 2900
"""Characters of one text; a section takes 3,000."""
NOTHING: Final = "–"
"""Stands in an empty cell, which Slack refuses."""


def fit(blocks: Iterable[Block]) -> list[Block]:
    """`blocks` with the same words, within the limits above."""
    return list(chain.from_iterable(map(_fit, blocks)))


def shortened(blocks: Iterable[Block], most: int, ending: Block) -> list[Block]:
    """As many of the blocks as have `most` characters together; with `ending` where some had to be left out."""
    kept: list[Block] = []
    size = 0
    for block in blocks:
        size += _size(block)
        if size > most:
            return [*kept, ending]
        kept.append(block)
    return kept


def _size(block: Block) -> int:
    match block:
        case Paragraph(text) | Note(text):
            return len(text)
        case Heading(name, text) | Field(name, text) | Item(name, text):
            return len(name) + len(text)
        case Table(columns, rows):
            return sum(map(len, chain(columns, *rows)))
        case _:
            assert_never(block)


def _fit(block: Block) -> Iterator[Block]:
    match block:
        case Heading(text, detail):
            yield from _heading(clean(text), clean(detail))
        case Paragraph(text):
            yield from map(Paragraph, pieces(clean(text), MAX_TEXT))
        case Note(text):
            yield from map(Note, pieces(clean(text), MAX_TEXT))
        case Field(name, value, link):
            name, (value, *rest) = clean(name), pieces(clean(value), MAX_PART) or [""]
            if name or value:
                yield Field(cut(name or value, MAX_NAME), value if name else "", link)
            yield from map(Paragraph, (*_whole(name or value, MAX_NAME), *rest))
        case Item(label, summary, button):
            label, (summary, *rest) = clean(label), pieces(clean(summary), MAX_PART) or [""]
            if label or summary or button is not None:
                name = label or summary or NOTHING
                yield Item(cut(name, MAX_NAME), summary if label else "", button)
            yield from map(Paragraph, (*_whole(label or summary, MAX_NAME), *rest))
        case Table(columns, rows):
            if columns:
                yield Table(_cells(columns), tuple(map(_cells, rows)))
        case _:
            assert_never(block)


def _heading(text: str, detail: str) -> Iterator[Block]:
    if text:
        short, *rest = pieces(detail, MAX_TEXT) or [""]
        yield Heading(cut(text, MAX_HEADER), short)
        yield from map(Paragraph, (*_whole(text, MAX_HEADER), *rest))
    else:
        yield from map(Paragraph, pieces(detail, MAX_TEXT))


def _whole(text: str, most: int) -> list[str]:
    """What was cut, in full."""
    return pieces(text, MAX_TEXT) if len(text) > most else []


def _cells(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(clean(cell) or NOTHING for cell in row)
