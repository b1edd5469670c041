"""Buttons and menus of Block Kit."""

from __future__ import annotations

from adapters.slack.elements import Elements, batches, plain
from bot.answer import Button, Menu
from tests.slack_shown import action_ids

SHOW = Button("Show", "j1:define::AAAAAAA")


def menu(options: int, overflow: str = "") -> Menu:
    return Menu(
        "See also", tuple(Button(f"Term {number}", f"j1:define:{number}") for number in range(options)), overflow
    )


def kinds(*entries: Button | Menu) -> list[list[str]]:
    return [[element["type"] for element in block["elements"]] for block in Elements().actions(entries)]


def test_a_button_carries_its_request_unread() -> None:
    assert Elements().button(SHOW) == {
        "type": "button",
        "action_id": "jn:0",
        "text": {"type": "plain_text", "text": "Show", "emoji": False},
        "value": "j1:define::AAAAAAA",
    }


def test_a_menu_is_a_select_with_its_label_in_it() -> None:
    [block] = Elements().actions([menu(2)])
    assert block["elements"] == [
        {
            "type": "static_select",
            "action_id": "jn:0",
            "placeholder": plain("See also"),
            "options": [{"text": plain(f"Term {number}"), "value": f"j1:define:{number}"} for number in range(2)],
        }
    ]


def test_what_is_seldom_needed_is_an_overflow_menu_if_it_is_short() -> None:
    assert kinds(menu(5, "j1:note-more"), menu(6, "j1:note-more"), menu(5)) == [
        ["overflow", "static_select", "static_select"]
    ]


def test_everything_has_an_id_of_its_own_even_the_same_twice() -> None:
    elements = Elements()
    elements.button(SHOW)
    assert action_ids(elements.actions([SHOW, SHOW, menu(2), menu(3, "j1:x")])) == ["jn:1", "jn:2", "jn:3", "jn:4"]


def test_long_rows_and_menus_are_split_in_order() -> None:
    assert list(map(len, kinds(*[SHOW] * 60))) == [25, 25, 10]
    [block] = Elements().actions([menu(250)])
    assert [len(element["options"]) for element in block["elements"]] == [100, 100, 50]
    assert block["elements"][2]["options"][0]["value"] == "j1:define:200"


def test_no_buttons_are_no_block() -> None:
    assert kinds() == []


def test_labels_are_cut_and_never_empty() -> None:
    assert Elements().button(Button("word " * 20, "j1:x"))["text"]["text"] == ("word " * 15).strip() + "…"
    assert Elements().button(Button("\u200b", "j1:x"))["text"]["text"] == "…"
    [block] = Elements().actions([Menu(" ", (Button("", "j1:x"),))])
    assert block["elements"][0]["placeholder"]["text"] == "…"
    assert block["elements"][0]["options"][0]["text"]["text"] == "…"


def test_batches_keep_the_order() -> None:
    assert list(batches([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
    assert list(batches([], 2)) == []
