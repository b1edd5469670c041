"""The parts of a message: what each shows, and what it takes of the limits."""

from __future__ import annotations

import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.limits import length
from adapters.discord.parts import Entry, Line, Part, Row, Rule, Run, Select, Text
from bot.answer import Button
from tests.discord_fake_components import walk
from tests.texts import any_text

SHOW = Button("Show", "j1:define:e:AAAAAAA")
BACK = Button("Back", "j1:glossary")


def text(*lines: str) -> Text:
    return Text(tuple(Line((Run(line),)) for line in lines))


RUNS = {
    "plain": (Run("a*b"), r"a\*b"),
    "bold": (Run("a*b", bold=True), r"**a\*b**"),
    "a link": (Run("a", link="https://example.org"), "[a](https://example.org)"),
    "no address": (Run("a*b", link="javascript:x"), r"a\*b"),
    "nothing": (Run("", bold=True), ""),
    "nothing to press": (Run("", link="https://example.org"), ""),
}


@pytest.mark.parametrize(("run", "shown"), RUNS.values(), ids=RUNS)
def test_a_run_shows(run: Run, shown: str) -> None:
    assert run.shown(100) == shown


@given(any_text, st.integers(0, 30))
def test_a_run_has_room_for_its_backslashes_too(typed: str, room: int) -> None:
    assert length(Run(typed).shown(room)) <= room


def test_a_line_without_words_has_no_mark() -> None:
    assert Line((Run(""), Run("")), "-# ").shown(10) == ""
    assert Line((Run("a", bold=True), Run(": "), Run("b")), "-# ").shown(10) == "-# **a**: b"


def test_lines_without_words_are_left_out() -> None:
    assert text("a", "", "b").shown(10) == "a\nb"
    assert text("", "").items(10) == []


def test_beside_a_button_something_always_stands() -> None:
    (section,) = Entry(text(""), SHOW).items(10)
    assert isinstance(section, ui.Section)
    assert section.to_component_dict()["components"][0]["content"] == "…"


PARTS: dict[str, Part] = {
    "text": text("a", "b"),
    "entry": Entry(text("a"), SHOW),
    "rule": Rule(),
    "row": Row((SHOW, BACK)),
    "select": Select("See also", (SHOW, BACK), 3),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_part_takes_as_many_components_as_it_says(part: Part) -> None:
    made = [item.to_component_dict() for item in part.items(100)]
    assert part.components == len(list(walk(made)))


def test_menus_of_a_message_have_ids_of_their_own() -> None:
    (row,) = PARTS["select"].items(10)
    (select,) = row.to_component_dict()["components"]
    assert select["custom_id"] == "menu:3"
    assert [(option["label"], option["value"]) for option in select["options"]] == [
        ("Show", SHOW.request),
        ("Back", BACK.request),
    ]


def test_more_lines_stand_under_the_others() -> None:
    assert text("a").with_more(text("b", "c")) == text("a", "b", "c")
    assert Entry(text("a"), SHOW).with_more(text("b")) == Entry(text("a", "b"), SHOW)
