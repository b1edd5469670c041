"""Making parts fit into what one message of Discord may have: room is saved where it's missed least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, TypeVar

from adapters.discord.limits import MAX_CHARACTERS, MAX_OPTIONS, length
from adapters.discord.parts import Entry, Line, Part, Row, Rule, Run, Select, Text
from bot.answer import Button

T = TypeVar("T")

LEAST_ROOM: Final = 40
"""Characters that a run of words keeps in any case; rather, there are fewer lines."""

_LEFT_OUT: Final = Line((Run("…"),))

_MORE: Final = "⋯"
"""What a menu of buttons is called that found no room beside the others."""


def fitting(parts: Sequence[Part], most: int) -> list[Part]:
    """The parts with at most `most` components, and each menu with a number of its own.

    In this order, and only as far as it's needed: rules go, texts stand closer together, buttons beside texts move
    into a menu, other buttons too, and at last what comes last is left out.
    """
    fitted = list(parts)
    for save in (_without_rules, _closer, _in_menus, _in_one_row):
        if components(fitted) <= most:
            break
        fitted = save(fitted)
    while components(fitted) > most:
        fitted.pop()
    number = 0
    for place, part in enumerate(fitted):
        if isinstance(part, Select):
            fitted[place] = replace(part, number=number)
            number += 1
    return fitted


def components(parts: Sequence[Part]) -> int:
    return sum(part.components for part in parts)


def in_room(parts: Sequence[Part]) -> tuple[list[Part], int]:
    """The parts, and how many characters a run of words may have so that all texts fit together.

    The longest runs give way first. None gets fewer than `LEAST_ROOM`: rather, long lists lose their last lines.
    """
    if _characters(parts, MAX_CHARACTERS) <= MAX_CHARACTERS:
        return list(parts), MAX_CHARACTERS
    left = _fewer_lines(parts)
    enough, much = LEAST_ROOM, MAX_CHARACTERS
    while much - enough > 1:
        middle = (enough + much) // 2
        enough, much = (middle, much) if _characters(left, middle) <= MAX_CHARACTERS else (enough, middle)
    return left, enough


def _fewer_lines(parts: Sequence[Part]) -> list[Part]:
    """The parts whose texts fit together if no run of words is longer than `LEAST_ROOM`."""
    short = list(parts)
    over = _characters(short, LEAST_ROOM) - MAX_CHARACTERS
    texts = [(place, part) for place, part in enumerate(short) if isinstance(part, Text)]
    for place, text in sorted(texts, key=lambda each: -len(each[1].lines)):
        lines = list(text.lines)
        while over > 0 and len(lines) > 1:
            over -= length(lines.pop().shown(LEAST_ROOM)) + 1
        if len(lines) < len(text.lines):
            short[place] = Text((*lines, _LEFT_OUT))
            over += length(_LEFT_OUT.shown(LEAST_ROOM)) + 1
    while _characters(short, LEAST_ROOM) > MAX_CHARACTERS:
        short.pop(max(place for place, part in enumerate(short) if isinstance(part, Text | Entry)))
    return short


def _characters(parts: Sequence[Part], room: int) -> int:
    return sum(length(part.shown(room)) for part in parts if isinstance(part, Text | Entry))


def chunks(things: Sequence[T], size: int) -> Iterator[tuple[T, ...]]:
    remaining = iter(things)
    while chunk := tuple(islice(remaining, size)):
        yield chunk


def _without_rules(parts: Sequence[Part]) -> list[Part]:
    return [part for part in parts if not isinstance(part, Rule)]


def _closer(parts: Sequence[Part]) -> list[Part]:
    close: list[Part] = []
    for part in parts:
        if close and isinstance(part, Text) and isinstance(last := close[-1], Text):
            close[-1] = last.with_more(part)
        else:
            close.append(part)
    return close


def _in_menus(parts: Sequence[Part]) -> list[Part]:
    """Entries as plain texts, and under them the menu of what could be pressed beside each."""
    entries = [part for part in parts if isinstance(part, Entry)]
    if not entries:
        return list(parts)
    texts = _closer([part.text if isinstance(part, Entry) else part for part in parts])
    options = [Button(entry.text.title or entry.button.label, entry.button.request) for entry in entries]
    menus = [Select(entries[0].button.label, some) for some in chunks(options, MAX_OPTIONS)]
    end = next((place for place, part in enumerate(texts) if not isinstance(part, Text)), len(texts))
    return [*texts[:end], *menus, *texts[end:]]


def _in_one_row(parts: Sequence[Part]) -> list[Part]:
    """The first row of buttons, and all others in menus."""
    rows = [part for part in parts if isinstance(part, Row)]
    others = [button for row in rows[1:] for button in row.buttons]
    menus = [Select(_MORE, some) for some in chunks(others, MAX_OPTIONS)]
    return [*(part for part in parts if part not in rows[1:]), *menus]
