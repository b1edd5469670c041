"""What a notification and a screen reader say of an answer: its heading and its first sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adapters.slack.lines import colon
from adapters.slack.mrkdwn import cut, escape, first_sentence
from bot.answer import Block, Field, Heading, Item, Note, Paragraph

MAX_CHARACTERS: Final = 200
_WIDE_ENDS: Final = "。！？：；"
_ENDS: Final = f".!?…:{_WIDE_ENDS}"


def notification(blocks: Sequence[Block]) -> str:
    """One line without markup, escaped; empty where there are no words."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    said = _said(blocks, whole=not title)
    if title and said:
        between = " " if title[-1] in _ENDS else colon(title, said)
        said = f"{title}{between}{said}"
    return escape(cut(" ".join((said or title).split()), MAX_CHARACTERS))


def _said(blocks: Sequence[Block], *, whole: bool) -> str:
    """The first paragraph, or its first sentence; the names of a list; else whatever is there."""
    text = next((block.text for block in blocks if isinstance(block, Paragraph)), "")
    labels = " · ".join(block.label for block in blocks if isinstance(block, Item))
    if text or labels:
        said = text if whole else first_sentence(text)
        return said + ("" if said[-1:] in _WIDE_ENDS else " ") + labels
    for block in blocks:
        match block:
            case Heading(_, detail) if detail:
                return detail
            case Note(note):
                return note
            case Field(name, value):
                return f"{name}{colon(name, value)}{value}" if value else name
            case _:
                continue
    return ""
