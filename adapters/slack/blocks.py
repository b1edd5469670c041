"""Answer -> Block Kit.

What is said goes out as rich text or plain text, in which Slack takes nothing for markup, mentions or links. Only where
bold has to stand in a section it is mrkdwn, escaped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias, assert_never

from adapters.slack.elements import Elements, Json, batches, plain
from adapters.slack.fitting import fit, shortened
from adapters.slack.lines import linked, named, section, with_link
from adapters.slack.notification import notification
from adapters.slack.rich_text import add_line, bullets, paragraph, words
from adapters.slack.tables import MAX_FIELDS, as_fields, fits, native
from bot.answer import Answer, Block, Button, Field, Heading, Item, Note, Paragraph, Table

Surface: TypeAlias = Literal["message", "modal", "home"]

MAX_BLOCKS: Final[dict[Surface, int]] = {"message": 50, "modal": 100, "home": 100}
MAX_CHARACTERS: Final = 12_000
"""Of all blocks of a message. Slack documents no limit, and answers `msg_blocks_too_long` somewhat above it."""

REMEMBERED: Final = 500
"""Cards that a process keeps rendered: the same terms are asked for again and again."""

OFTEN_ASKED: Final = frozenset({"definition", "comparison", "choice"})
"""The kinds of answers that are kept."""

_MORE: Final = "…"
"""Says that something had to be left out."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is sent: `text` is read in notifications and by screen readers, `blocks` stand on the screen."""

    text: str
    blocks: list[Json]


def render(answer: Answer, *, fields: bool = False, surface: Surface = "message") -> Rendered:
    """The whole answer; without blocks for silence. Not to be changed: the next who asks may get the same.

    `fields`: without table and rich text, for a message that Slack refused. Modals and the Home tab never get them.
    """
    simple = fields or surface != "message"
    return (_remembered if answer.kind in OFTEN_ASKED else _render)(answer, simple, surface)


def _render(answer: Answer, simple: bool, surface: Surface) -> Rendered:
    shown = fit(answer.blocks)
    if surface == "message":
        shown = shortened(shown, MAX_CHARACTERS, Note(_MORE))
    screen = _Screen(fields=simple)
    for block in shown:
        screen.add(block)
    return Rendered(notification(shown), _within(screen.done(), screen.elements.actions(answer.buttons), surface))


_remembered = lru_cache(maxsize=REMEMBERED)(_render)


def _within(body: list[Json], actions: list[Json], surface: Surface) -> list[Json]:
    """As many blocks as the surface takes; rather fewer lines than fewer buttons."""
    most = MAX_BLOCKS[surface]
    room = max(0, most - len(actions))
    if len(body) > room:
        body = [*body[: max(0, room - 1)], _small(_MORE)][:room]
    return [*body, *actions[:most]]


class _Screen:
    """The blocks so far, and what the next one may join."""

    def __init__(self, *, fields: bool) -> None:
        self.elements = Elements()
        self._simple = fields
        self._blocks: list[Json] = []
        self._fields: list[Field] = []
        """Fields that follow each other become one block."""
        self._text: Json | None = None
        """The paragraph or line that a line may follow in the same block."""
        self._item: Json | None = None
        """The section with a button that a link may be added to."""

    def add(self, block: Block) -> None:
        if not isinstance(block, Field):
            self._flush()
        text, item, self._text, self._item = self._text, self._item, None, None
        match block:
            case Heading(title, detail):
                self._put({"type": "header", "text": plain(title)})
                if detail:
                    self._put(_small(detail))
            case Paragraph(said):
                if self._simple:
                    self._put(section(plain(said)))
                else:
                    self._text = self._put(paragraph(words(said)))
            case Field():
                if item is None or not with_link(item, block):
                    self._fields.append(block)
            case Item(label, summary, Button() as button):
                self._item = self._put(section(named(label, summary)))
                self._item["accessory"] = self.elements.button(button)
            case Item(label, summary):
                if self._simple:
                    self._put(section(named(label, summary)))
                else:
                    self._text = text or self._put(paragraph())
                    add_line(self._text, block)
            case Note(said):
                self._put(_small(said))
            case Table():
                self._table(block)
            case _:
                assert_never(block)

    def done(self) -> list[Json]:
        self._flush()
        return self._blocks

    def _table(self, table: Table) -> None:
        has_one = any(block["type"] == "table" for block in self._blocks)
        if self._simple or has_one or not fits(table):
            self._blocks += as_fields(table)
        else:
            self._put(native(table))

    def _flush(self) -> None:
        if self._fields and self._simple:
            texts = list(map(linked, self._fields))
            self._blocks += [{"type": "section", "fields": some} for some in batches(texts, MAX_FIELDS)]
        elif self._fields:
            self._put(bullets(self._fields))
        self._fields = []

    def _put(self, block: Json) -> Json:
        self._blocks.append(block)
        return block


def _small(text: str) -> Json:
    return {"type": "context", "elements": [plain(text)]}
