"""Blocks within Slack's limits, with all their words."""

from __future__ import annotations

from typing import get_args

import pytest

from adapters.slack.fitting import MAX_HEADER, MAX_NAME, MAX_PART, MAX_TEXT, fit, shortened
from bot.answer import Block, Button, Field, Heading, Item, Note, Paragraph, Table

BUTTON = Button("Show", "j1:help")
LONG = "A sentence of ten words that says hardly anything else. " * 60

FITTED: dict[str, tuple[Block, list[Block]]] = {
    "heading": (Heading(" TTFT ", "Time\u200b to first token"), [Heading("TTFT", "Time to first token")]),
    "heading without a title": (Heading("", "detail"), [Paragraph("detail")]),
    "empty heading": (Heading(" "), []),
    "paragraph": (Paragraph("a\nb"), [Paragraph("a\nb")]),
    "empty paragraph": (Paragraph("\u200b"), []),
    "note": (Note(" x "), [Note("x")]),
    "field": (Field("n", "v", "https://x"), [Field("n", "v", "https://x")]),
    "field without a name": (Field(" ", "v"), [Field("v", "")]),
    "field without a value": (Field("n", ""), [Field("n", "")]),
    "empty field": (Field("", " "), []),
    "item": (Item("l", "s", BUTTON), [Item("l", "s", BUTTON)]),
    "item without a label": (Item("", "s"), [Item("s", "")]),
    "item with a button only": (Item("", "", BUTTON), [Item("–", "", BUTTON)]),
    "empty item": (Item("", ""), []),
    "table": (Table(("a", " "), (("", "b"),)), [Table(("a", "–"), (("–", "b"),))]),
    "table of nothing": (Table((), ()), []),
}


@pytest.mark.parametrize(("block", "fitted"), FITTED.values(), ids=FITTED)
def test_blocks_are_cleaned_and_none_is_empty(block: Block, fitted: list[Block]) -> None:
    assert fit([block]) == fitted


def test_every_kind_is_fitted() -> None:
    assert {type(block) for block, _ in FITTED.values()} == set(get_args(Block))


def said(blocks: list[Block]) -> str:
    texts = [
        text for block in blocks for text in (getattr(block, name) for name in block.__slots__) if isinstance(text, str)
    ]
    return " ".join(texts)


@pytest.mark.parametrize(
    "block",
    [Paragraph(LONG), Note(LONG), Heading("h", LONG), Field("n", LONG), Item("l", LONG)],
    ids=lambda block: type(block).__name__,
)
def test_a_long_text_is_split_and_nothing_is_lost(block: Block) -> None:
    fitted = fit([block])
    assert len(fitted) > 1
    assert said(fitted).split() == said([block]).split()
    for one in fitted:
        most = MAX_PART if isinstance(one, Field | Item) else MAX_TEXT
        assert len(said([one])) <= most + 2


@pytest.mark.parametrize(
    ("block", "most"),
    [
        (Heading(LONG), MAX_HEADER),
        (Field(LONG, "v"), MAX_NAME),
        (Item(LONG, "s"), MAX_NAME),
        (Field("", LONG), MAX_NAME),
    ],
)
def test_a_long_name_is_cut_and_stands_below_in_full(block: Block, most: int) -> None:
    first, *rest = fit([block])
    name = said([first]).split("…")[0]
    assert len(name) < most
    assert LONG.startswith(name.strip())
    assert LONG.strip() in said(rest)


def test_what_is_too_much_together_ends_with_a_sign() -> None:
    blocks: list[Block] = [
        Heading("h", "dd"),
        Paragraph("abc"),
        Field("n", "v"),
        Table(("a", "b"), (("c", "d"),)),
        Note("x"),
    ]
    sign = Note("…")
    assert shortened(blocks, 13, sign) == blocks
    assert shortened(blocks, 12, sign) == [*blocks[:4], sign]
    assert shortened(blocks, 11, sign) == [*blocks[:3], sign]
    assert shortened(blocks, 0, sign) == [sign]
