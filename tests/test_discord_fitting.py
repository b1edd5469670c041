"""What gives way first where a message has no room for all."""

from __future__ import annotations

import pytest

from adapters.discord.fitting import LEAST_ROOM, chunks, components, fitting, in_room
from adapters.discord.limits import MAX_CHARACTERS, length
from adapters.discord.parts import Entry, Line, Part, Row, Rule, Run, Select, Text
from bot.answer import Button


def text(*lines: str) -> Text:
    return Text(tuple(Line((Run(line),)) for line in lines))


def button(name: str) -> Button:
    return Button(name, f"j1:{name}")


A, B, C = text("a"), text("b"), text("c")
ENTRIES = (Entry(text("Alpha", "one"), button("show")), Entry(text("Beta"), button("open")))
ROWS = (Row((button("x"), button("y"))), Row((button("z"),)))
MENU = Select("More", (button("m"),))

STEPS: dict[str, tuple[int, list[Part], list[Part]]] = {
    "nothing": (4, [A, Rule(), B, C], [A, Rule(), B, C]),
    "rules": (3, [A, Rule(), B, C], [A, B, C]),
    "texts stand closer": (1, [A, Rule(), B, C], [text("a", "b", "c")]),
    "buttons beside texts": (
        5,
        [A, *ENTRIES, MENU],
        [
            text("a", "Alpha", "one", "Beta"),
            Select("show", (Button("Alpha", "j1:show"), Button("Beta", "j1:open"))),
            Select("More", (button("m"),), 1),
        ],
    ),
    "what comes last": (4, [A, ROWS[0], MENU], [A, ROWS[0]]),
}


@pytest.mark.parametrize(("most", "parts", "left"), STEPS.values(), ids=STEPS)
def test_what_gives_way(most: int, parts: list[Part], left: list[Part]) -> None:
    fitted = fitting(parts, most)
    assert components(fitted) <= most
    assert fitted == left


def test_rows_after_the_first_become_a_menu() -> None:
    rows = [Row(tuple(button(f"{row}-{n}") for n in range(5))) for row in range(8)]
    first, menu, rest = fitting(rows, 12)
    assert first == rows[0]
    assert isinstance(menu, Select)
    assert isinstance(rest, Select)
    assert [each for row in rows[1:] for each in row.buttons] == [*menu.options, *rest.options]
    assert (menu.number, rest.number, len(menu.options)) == (0, 1, 25)


def test_an_entry_without_words_is_called_like_its_button() -> None:
    _, menu = fitting([Entry(text(""), button("show")), ENTRIES[0]], 5)
    assert menu == Select("show", (button("show"), Button("Alpha", "j1:show")))


# -- Characters


def test_all_have_room_where_they_fit() -> None:
    parts = [text("x" * 1999, "y" * 2000), *ROWS]
    assert in_room(parts) == (parts, MAX_CHARACTERS)


def test_the_longest_give_way_first() -> None:
    parts = [text("x" * 3000, "short"), Entry(text("y" * 3000), button("show"))]
    left, room = in_room(parts)
    assert left == parts
    assert 1990 < room < 2000
    assert parts[0].shown(room).endswith("…\nshort")
    assert sum(length(part.shown(room)) for part in parts) <= MAX_CHARACTERS


def test_long_lists_lose_their_last_lines() -> None:
    parts = [text("title"), text(*("x" * 100 for _ in range(200))), text("small print")]
    (first, longest, last), room = in_room(parts)
    assert (first, last) == (parts[0], parts[2])
    assert isinstance(longest, Text)
    assert longest.lines[:-1] == parts[1].lines[: len(longest.lines) - 1]
    assert longest.lines[-1].shown(10) == "…"
    assert LEAST_ROOM <= room < LEAST_ROOM + 2
    assert length(longest.shown(room)) > MAX_CHARACTERS - 100


def test_links_too_long_for_all_leave_the_last_parts_out() -> None:
    address = "https://example.org/" + "x" * 480
    linked = [Text((Line((Run(f"link {number}", link=address),)),)) for number in range(12)]
    left, _ = in_room([*linked, *ROWS])
    assert left == [*linked[:7], *ROWS]


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (5, [5]), (6, [5, 1]), (11, [5, 5, 1])])
def test_chunks(count: int, sizes: list[int]) -> None:
    assert [len(chunk) for chunk in chunks(range(count), 5)] == sizes
