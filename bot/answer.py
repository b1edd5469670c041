"""What an adapter gets back: plain text in a closed set of blocks, and where it goes.

No markup, no mentions, no emoji codes: renderers escape, and know the platform's limits. A renderer ends its `match`
over `Block` with `assert_never`, so that a new kind can't be forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.glossary.concept import Language

Shown: TypeAlias = Literal["en", "zh-Hans", "both"]

Kind: TypeAlias = Literal[
    "definition", "comparison", "choice", "unknown", "list", "help", "setting", "error", "explanation", "silence"
]

Where: TypeAlias = Literal["private", "public", "replace"]
"""`replace`: in the place of the message whose button was pressed."""

Fault: TypeAlias = Literal["same", "missing", "usage", "busy"]


@dataclass(frozen=True, slots=True)
class Button:
    """`request` goes back to the bot unread; at most 100 ASCII characters."""

    label: str
    request: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Buttons behind one label: a select menu where the platform has one. Never empty."""

    label: str
    options: tuple[Button, ...]
    overflow: str = ""
    """Not empty: what is seldom needed, an overflow menu where the platform has one. Where it has none, one button
    with this request opens the options as a private page."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of what follows; `detail` (may be empty) stands under it."""

    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A name and what belongs to it, on a line of its own."""

    name: str
    value: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of as many cells as there are columns; the first cell of a row names it. No cell is empty."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One of several things to look at or to choose from."""

    label: str
    summary: str
    button: Button | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Small print."""

    text: str


Block: TypeAlias = Heading | Paragraph | Field | Table | Item | Note


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A term found in a message, at `text[start:end]`, places in code points."""

    concept: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Update:
    """Another message of ours that changes: `reply` is its id on the platform."""

    reply: str
    answer: Answer | None
    """What it says from now on; None: it's deleted."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message for another channel of the same tenant than the one that was asked in."""

    channel: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Answer:
    """One message to send. `silence` has no blocks and is not sent."""

    kind: Kind
    language: Shown
    where: Where = "private"
    blocks: tuple[Block, ...] = ()
    buttons: tuple[Button | Menu, ...] = ()
    concepts: tuple[str, ...] = ()
    """Ids of what the answer is about; of a choice the options, of an unknown word the suggestions."""
    topic: str = ""
    """Id of the topic of the first concept; empty: it's about none."""
    comparison: str | None = None
    error: Fault | None = None
    unknown: tuple[str, ...] = ()
    """What wasn't found, as typed. For scripts: a renderer must not show it."""
    chrome: Language = "en"
    """The language of the bot's own words in the blocks, where `language` is both."""
    mentions: tuple[Mentioned, ...] = ()
    """Of a message that wasn't said to the bot: all explainable terms in it, before budgets and memory."""
    update: Update | None = None
    """What happens to another message of ours besides this answer: a note, or the message that a button stands on."""
    elsewhere: tuple[Post, ...] = ()
    """What is said in other channels besides this answer."""


def silence(language: Shown = "en") -> Answer:
    """The answer to what needs none."""
    return Answer("silence", language)
