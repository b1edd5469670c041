"""What can be pressed: buttons and menus of Block Kit, each with an action id of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Final, TypeAlias, TypeVar

from adapters.slack.mrkdwn import clean, cut
from adapters.slack.names import PRESS
from bot.answer import Button, Menu

Json: TypeAlias = dict[str, Any]
T = TypeVar("T")

MAX_LABEL: Final = 75
MAX_PLACEHOLDER: Final = 150
MAX_OPTIONS: Final = 100
MAX_OVERFLOW: Final = 5
MAX_ELEMENTS: Final = 25


def batches(items: Sequence[T], most: int) -> Iterator[list[T]]:
    """`items` in order, at most `most` at a time."""
    return (list(items[start : start + most]) for start in range(0, len(items), most))


def plain(text: str) -> Json:
    """A text object in which nothing is markup, a mention, a link or an emoji's name."""
    return {"type": "plain_text", "text": text, "emoji": False}


class Elements:
    """Makes the elements of one message. Slack wants their ids unique, whatever is in them."""

    def __init__(self) -> None:
        self._ids = count()

    def button(self, button: Button) -> Json:
        return {
            "type": "button",
            "action_id": self._id(),
            "text": plain(_label(button.label, MAX_LABEL)),
            "value": button.request,
        }

    def actions(self, entries: Iterable[Button | Menu]) -> list[Json]:
        """Blocks of buttons and menus, in their order."""
        elements = [element for entry in entries for element in self._entry(entry)]
        return [{"type": "actions", "elements": row} for row in batches(elements, MAX_ELEMENTS)]

    def _entry(self, entry: Button | Menu) -> Iterator[Json]:
        if isinstance(entry, Button):
            yield self.button(entry)
        elif entry.overflow and len(entry.options) <= MAX_OVERFLOW:
            yield {"type": "overflow", "action_id": self._id(), "options": list(map(_option, entry.options))}
        else:
            for options in batches(entry.options, MAX_OPTIONS):
                yield {
                    "type": "static_select",
                    "action_id": self._id(),
                    "placeholder": plain(_label(entry.label, MAX_PLACEHOLDER)),
                    "options": list(map(_option, options)),
                }

    def _id(self) -> str:
        return f"{PRESS}{next(self._ids)}"


def _option(button: Button) -> Json:
    return {"text": plain(_label(button.label, MAX_LABEL)), "value": button.request}


def _label(text: str, most: int) -> str:
    return cut(clean(text), most) or "…"
