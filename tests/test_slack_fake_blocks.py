"""The judge of Block Kit: every limit that Slack documents, one step beyond it and just within."""

from __future__ import annotations

from typing import Any

import pytest

from tests.slack_fake_blocks import MOST_TABLE_TEXT, faults, words


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def option(text: str = "o", value: str = "v") -> dict[str, Any]:
    return {"text": plain(text), "value": value}


def button(**other: Any) -> dict[str, Any]:
    return {"type": "button", "action_id": "a", "text": plain("b"), "value": "v", **other}


def menu(**other: Any) -> dict[str, Any]:
    return {"type": "static_select", "action_id": "a", "placeholder": plain("p"), "options": [option()], **other}


def actions(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "actions", "elements": list(elements)}


def section(**parts: Any) -> dict[str, Any]:
    return {"type": "section", **parts}


def mrkdwn(text: str) -> dict[str, Any]:
    return {"type": "mrkdwn", "text": text}


def cell(text: str = "c") -> dict[str, Any]:
    return {"type": "raw_text", "text": text}


def table(rows: int = 1, cells: int = 1, **other: Any) -> dict[str, Any]:
    return {"type": "table", "rows": [[cell()] * cells] * rows, **other}


def several(count: int) -> list[dict[str, Any]]:
    return [button(action_id=f"a{number}") for number in range(count)]


LIMITS = {
    "header": lambda n: [{"type": "header", "text": plain("x" * n)}],
    "text of a section": lambda n: [section(text=mrkdwn("x" * n))],
    "field of a section": lambda n: [section(fields=[mrkdwn("x" * n)])],
    "fields of a section": lambda n: [section(fields=[mrkdwn("x")] * n)],
    "label of a button": lambda n: [actions(button(text=plain("x" * n)))],
    "value of a button": lambda n: [actions(button(value="x" * n))],
    "address of a button": lambda n: [actions(button(url="x" * n))],
    "action id": lambda n: [actions(button(action_id="x" * n))],
    "block id": lambda n: [{"type": "divider", "block_id": "x" * n}],
    "elements of actions": lambda n: [actions(*several(n))],
    "options of an overflow menu": lambda n: [
        actions({"type": "overflow", "action_id": "a", "options": [option()] * n})
    ],
    "options of a menu": lambda n: [actions(menu(options=[option()] * n))],
    "placeholder of a menu": lambda n: [actions(menu(placeholder=plain("x" * n)))],
    "label of an option": lambda n: [actions(menu(options=[option("x" * n)]))],
    "value of an option": lambda n: [actions(menu(options=[option(value="x" * n)]))],
    "elements of a context": lambda n: [{"type": "context", "elements": [mrkdwn("x")] * n}],
    "blocks of a message": lambda n: [{"type": "divider"}] * n,
    "rows of a table": lambda n: [table(rows=n)],
    "cells of a row": lambda n: [table(cells=n)],
    "columns that are set": lambda n: [table(column_settings=[{"is_wrapped": True}] * n)],
    "characters of a table": lambda n: [{"type": "table", "rows": [[cell("x" * n)]]}],
}
MOST = {
    **{"header": 150, "text of a section": 3000, "field of a section": 2000, "fields of a section": 10},
    **{"label of a button": 75, "value of a button": 2000, "address of a button": 3000, "action id": 255},
    **{"block id": 255, "elements of actions": 25, "options of an overflow menu": 5, "options of a menu": 100},
    **{"placeholder of a menu": 150, "label of an option": 75, "value of an option": 150},
    **{"elements of a context": 10, "blocks of a message": 50, "rows of a table": 100, "cells of a row": 20},
    **{"columns that are set": 20, "characters of a table": MOST_TABLE_TEXT},
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_can_be_reached_and_not_passed(limit: str) -> None:
    make, most = LIMITS[limit], MOST[limit]
    assert faults(make(most)) == []
    assert faults(make(most + 1)) != []


@pytest.mark.parametrize(
    ("blocks", "says"),
    [
        pytest.param([section(text=mrkdwn(""))], "more than 0", id="empty text"),
        pytest.param([section(text=mrkdwn(" \n"))], "more than 0", id="nothing but spaces"),
        pytest.param([{"type": "header", "text": mrkdwn("x")}], "plain_text", id="header in mrkdwn"),
        pytest.param([actions()], "1 to 25", id="no elements"),
        pytest.param([section()], "text or fields", id="empty section"),
        pytest.param([{"type": "header", "text": plain("x"), "level": 9}], "unknown field", id="unknown field"),
        pytest.param([section(text=plain("x") | {"verbatim": True})], "unknown field", id="field of another text"),
        pytest.param([actions(button(), button())], "already exists", id="action id twice in a block"),
        pytest.param([actions(button()), actions(button())], "already exists", id="action id twice in a message"),
        pytest.param([{"type": "divider", "block_id": "b"}] * 2, "already exists", id="block id twice"),
        pytest.param([actions(menu(options=[]))], "1 to 100", id="no options"),
        pytest.param([actions(menu(initial_option=option("other")))], "match", id="initial option"),
        pytest.param([actions(button(style="loud"))], "primary or danger", id="style"),
        pytest.param([actions({"type": "plain_text_input", "action_id": "a"})], "unsupported", id="input in actions"),
        pytest.param([{"type": "input", "label": plain("x"), "element": menu()}], "surface", id="input in a message"),
        pytest.param([{"type": "table", "rows": [[cell("")]]}], "more than 0", id="empty cell"),
        pytest.param([{"type": "table", "rows": [[cell()], [cell(), cell()]]}], "same number", id="ragged table"),
        pytest.param([table(), table()], "only_one_table", id="two tables"),
        pytest.param([table(column_settings=[{"width": 3}])], "unknown field", id="column setting"),
        pytest.param([{"type": "context", "elements": [button()]}], "unsupported", id="button in a context"),
        pytest.param([section(text=mrkdwn("x"), accessory=None)], "null isn't allowed", id="null"),
    ],
)
def test_blocks_that_slack_refuses(blocks: list[dict[str, Any]], says: str) -> None:
    assert any(says in fault for fault in faults(blocks)), faults(blocks)


@pytest.mark.parametrize("surface", ["modal", "home"])
def test_modals_and_homes_take_twice_as_many_blocks_and_no_table(surface: Any) -> None:
    assert faults([{"type": "divider"}] * 100, surface) == []
    assert faults([{"type": "divider"}] * 101, surface) != []
    assert faults([table()], surface) != []


def test_the_screen_is_read_line_by_line() -> None:
    shown = words(
        [
            {"type": "header", "text": plain("SLO")},
            section(text=mrkdwn("a target"), accessory=button()),
            {"type": "table", "rows": [[cell("a"), cell("b")]]},
            actions(button(), menu(options=[option("x"), option("y")])),
        ]
    )
    assert shown == "SLO\na target\n[b]\na | b\n[b] [p ▾ x | y]"
