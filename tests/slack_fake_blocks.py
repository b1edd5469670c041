"""Block Kit as Slack's reference documents it: what Slack would refuse, and what people read.

`faults(blocks, surface)` lists everything that's wrong, each with a JSON pointer, as `invalid_blocks` does. It's a bit
stricter than Slack, which lets two blocks of a message share an action id: a handler couldn't tell them apart.
`words(blocks)` is what stands on the screen, and `pressable(blocks)` what can be pressed there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]
Surface: TypeAlias = Literal["message", "modal", "home"]

MOST_BLOCKS: Final[dict[Surface, int]] = {"message": 50, "modal": 100, "home": 100}
MOST_TEXT: Final = 13_000
"""Characters of all blocks of a message together; undocumented, `msg_blocks_too_long` comes a bit above it."""
MOST_TABLE_TEXT: Final = 10_000
"""Characters of all cells of a message's tables."""

_ID: Final = 255
_OPTIONS: Final = "options"
_GROUPS: Final = "option_groups"


class _Check:
    """Collects faults while it walks down."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.faults: list[str] = []
        self.action_ids: list[str] = []
        self.block_ids: list[str] = []

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"[ERROR] {what} [json-pointer:{where}]")

    def keys(self, it: Json, where: str, needed: str, allowed: str = "") -> bool:
        known = {"type", *needed.split(), *allowed.split()}
        for key in sorted(set(it) - known):
            self.fault(f"{where}/{key}", f"unknown field: {key}")
        missing = [key for key in needed.split() if it.get(key) is None]
        for key in missing:
            self.fault(where, f"missing required field: {key}")
        for key, value in it.items():
            if value is None:
                self.fault(f"{where}/{key}", "null isn't allowed")
        return not missing

    def string(self, value: object, where: str, most: int) -> None:
        if not isinstance(value, str):
            self.fault(where, "must be a string")
        elif not value.strip():
            self.fault(where, "must be more than 0 characters")
        elif len(value) > most:
            self.fault(where, f"must be less than {most + 1} characters")

    def text(self, it: object, where: str, most: int, *, plain: bool = True) -> None:
        """A text object; `plain`: only plain_text will do."""
        if not isinstance(it, dict):
            self.fault(where, "must be an object")
            return
        kinds = ("plain_text",) if plain else ("plain_text", "mrkdwn")
        if it.get("type") not in kinds:
            self.fault(f"{where}/type", f"must be one of {kinds}")
        self.keys(it, where, "text", "emoji" if it.get("type") == "plain_text" else "verbatim")
        self.string(it.get("text"), f"{where}/text", most)

    def many(self, it: object, where: str, most: int, check: Callable[[Json, str], None]) -> None:
        if not isinstance(it, list) or not 1 <= len(it) <= most:
            self.fault(where, f"must have 1 to {most} items")
            return
        for place, one in enumerate(it):
            if isinstance(one, dict):
                check(one, f"{where}/{place}")
            else:
                self.fault(f"{where}/{place}", "must be an object")

    # -- Elements -------------------------------------------------------------------------------------------------

    def element(self, it: object, where: str, kinds: frozenset[str]) -> None:
        if not isinstance(it, dict):
            self.fault(where, "must be an object")
            return
        kind = it.get("type")
        if kind not in kinds:
            self.fault(f"{where}/type", f"unsupported type: {kind}")
            return
        if kind not in ("image", "mrkdwn", "plain_text"):
            self.action_ids.append(it.get("action_id", ""))
            self.string(it.get("action_id"), f"{where}/action_id", _ID)
        if "confirm" in it:
            self.confirm(it["confirm"], f"{where}/confirm")
        if "placeholder" in it:
            self.text(it["placeholder"], f"{where}/placeholder", 150)
        getattr(self, f"_{kind}")(it, where)

    def _button(self, it: Json, where: str) -> None:
        self.keys(it, where, "text action_id", "value url style confirm accessibility_label")
        self.text(it.get("text"), f"{where}/text", 75)
        for key, most in (("value", 2000), ("url", 3000), ("accessibility_label", 75)):
            if key in it:
                self.string(it[key], f"{where}/{key}", most)
        if it.get("style", "primary") not in ("primary", "danger"):
            self.fault(f"{where}/style", "must be primary or danger")

    def _overflow(self, it: Json, where: str) -> None:
        self.keys(it, where, "action_id options", "confirm")
        self.many(it.get("options"), f"{where}/{_OPTIONS}", 5, self.option)

    def _static_select(self, it: Json, where: str) -> None:
        self.keys(it, where, "action_id", "placeholder options option_groups initial_option confirm focus_on_load")
        self._options(it, where)

    def _radio_buttons(self, it: Json, where: str) -> None:
        self.keys(it, where, "action_id options", "initial_option confirm focus_on_load")
        self.many(it.get("options"), f"{where}/{_OPTIONS}", 10, self.wordy_option)

    def _checkboxes(self, it: Json, where: str) -> None:
        self.keys(it, where, "action_id options", "initial_options confirm focus_on_load")
        self.many(it.get("options"), f"{where}/{_OPTIONS}", 10, self.wordy_option)

    def _external_select(self, it: Json, where: str) -> None:
        self.keys(it, where, "action_id", "placeholder initial_option min_query_length confirm focus_on_load")

    def _conversations_select(self, it: Json, where: str) -> None:
        more = "initial_conversation default_to_current_conversation response_url_enabled filter"
        self.keys(it, where, "action_id", f"placeholder confirm focus_on_load {more}")
        if "response_url_enabled" in it and self.surface != "modal":
            self.fault(f"{where}/response_url_enabled", "only in modals")
        if "filter" in it:
            self.keys(it["filter"], f"{where}/filter", "", "include exclude_external_shared_channels exclude_bot_users")

    def _channels_select(self, it: Json, where: str) -> None:
        self.keys(it, where, "action_id", "placeholder confirm focus_on_load initial_channel response_url_enabled")

    def _plain_text_input(self, it: Json, where: str) -> None:
        more = "initial_value multiline min_length max_length dispatch_action_config focus_on_load placeholder"
        self.keys(it, where, "action_id", more)
        if not 1 <= it.get("max_length", 3000) <= 3000:
            self.fault(f"{where}/max_length", "must be 1 to 3000")

    def _image(self, it: Json, where: str) -> None:
        self.keys(it, where, "alt_text image_url")

    def _mrkdwn(self, it: Json, where: str) -> None:
        self.text(it, where, 3000, plain=False)

    _plain_text = _mrkdwn

    def _options(self, it: Json, where: str) -> None:
        if ("options" in it) == ("option_groups" in it):
            self.fault(where, "needs options or option_groups, and not both")
        if "options" in it:
            self.many(it["options"], f"{where}/{_OPTIONS}", 100, self.option)
        if "option_groups" in it:
            self.many(it[_GROUPS], f"{where}/{_GROUPS}", 100, self.option_group)
        if "initial_option" in it and it["initial_option"] not in list(_options_of(it)):
            self.fault(f"{where}/initial_option", "must exactly match one of the options")

    def option(self, it: Json, where: str) -> None:
        self.keys(it, where, "text value", "description url")
        self.text(it.get("text"), f"{where}/text", 75)
        self.string(it.get("value"), f"{where}/value", 150)
        if "description" in it:
            self.text(it["description"], f"{where}/description", 75)

    def wordy_option(self, it: Json, where: str) -> None:
        """Of radio buttons and checkboxes: they take mrkdwn."""
        self.keys(it, where, "text value", "description")
        self.text(it.get("text"), f"{where}/text", 75, plain=False)
        self.string(it.get("value"), f"{where}/value", 150)
        if "description" in it:
            self.text(it["description"], f"{where}/description", 75, plain=False)

    def option_group(self, it: Json, where: str) -> None:
        self.keys(it, where, "label options")
        self.text(it.get("label"), f"{where}/label", 75)
        self.many(it.get("options"), f"{where}/{_OPTIONS}", 100, self.option)

    def confirm(self, it: Json, where: str) -> None:
        self.keys(it, where, "title text confirm deny", "style")
        for key, most in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
            self.text(it.get(key), f"{where}/{key}", most)

    # -- Blocks ---------------------------------------------------------------------------------------------------

    def block(self, it: Json, where: str) -> None:
        kind = str(it.get("type"))
        if kind not in _SURFACES.get(self.surface, ()):
            self.fault(f"{where}/type", f"unsupported type on this surface: {kind}")
            return
        if "block_id" in it:
            self.string(it["block_id"], f"{where}/block_id", _ID)
            self.block_ids.append(it["block_id"])
        getattr(self, f"_{kind}_block")({key: value for key, value in it.items() if key != "block_id"}, where)

    def _header_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "text")
        self.text(it.get("text"), f"{where}/text", 150)

    def _section_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "", "text fields accessory expand")
        if "text" not in it and "fields" not in it:
            self.fault(where, "needs text or fields")
        if "text" in it:
            self.text(it["text"], f"{where}/text", 3000, plain=False)
        if "fields" in it:
            self.many(it["fields"], f"{where}/fields", 10, lambda one, at: self.text(one, at, 2000, plain=False))
        if "accessory" in it:
            self.element(it["accessory"], f"{where}/accessory", _PRESSED | {"image"})

    def _divider_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "")

    def _context_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "elements")
        small = frozenset({"image", "mrkdwn", "plain_text"})
        self.many(it.get("elements"), f"{where}/elements", 10, lambda one, at: self.element(one, at, small))

    def _actions_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "elements")
        self.many(it.get("elements"), f"{where}/elements", 25, lambda one, at: self.element(one, at, _PRESSED))

    def _input_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "label element", "hint optional dispatch_action")
        self.text(it.get("label"), f"{where}/label", 2000)
        if "hint" in it:
            self.text(it["hint"], f"{where}/hint", 2000)
        inputs = (_PRESSED - {"button", "overflow"}) | {"plain_text_input"}
        self.element(it.get("element"), f"{where}/element", inputs)

    def _rich_text_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "elements")
        self.many(it.get("elements"), f"{where}/elements", 1000, self._rich)

    def _rich(self, it: Json, where: str) -> None:
        if it.get("type") == "text":
            self.keys(it, where, "text", "style")
            if not it.get("text"):
                self.fault(f"{where}/text", "must be more than 0 characters")
        elif it.get("type") == "link":
            self.keys(it, where, "url", "text style unsafe")
        elif it.get("type") in ("rich_text_section", "rich_text_quote", "rich_text_preformatted", "rich_text_list"):
            self.keys(it, where, "elements", "style indent offset border")
            self.many(it.get("elements"), f"{where}/elements", 1000, self._rich)
        else:
            self.fault(f"{where}/type", f"unsupported type: {it.get('type')}")

    def _table_block(self, it: Json, where: str) -> None:
        self.keys(it, where, "rows", "column_settings")
        rows, columns = it.get("rows"), it.get("column_settings", [])
        if not isinstance(rows, list) or not 1 <= len(rows) <= 100:
            self.fault(f"{where}/rows", "must have 1 to 100 items")
            return
        if len({len(row) for row in rows}) != 1:
            self.fault(f"{where}/rows", "rows must have the same number of cells")
        for place, row in enumerate(rows):
            self.many(row, f"{where}/rows/{place}", 20, self._cell)
        if len(columns) > 20:
            self.fault(f"{where}/column_settings", "must have at most 20 items")
        for place, column in enumerate(columns):
            self.keys(column, f"{where}/column_settings/{place}", "", "align is_wrapped")
            if column.get("align", "left") not in ("left", "center", "right"):
                self.fault(f"{where}/column_settings/{place}/align", "must be left, center or right")

    def _cell(self, it: Json, where: str) -> None:
        if it.get("type") == "raw_text":
            self.keys(it, where, "text")
            self.string(it.get("text"), f"{where}/text", MOST_TABLE_TEXT)
        elif it.get("type") == "rich_text":
            self._rich_text_block(it, where)
        else:
            self.fault(f"{where}/type", f"unsupported type: {it.get('type')}")


_PRESSED: Final = frozenset(
    (
        *("button", "overflow", "static_select", "external_select", "conversations_select", "channels_select"),
        *("radio_buttons", "checkboxes"),
    )
)
_EVERYWHERE: Final = frozenset("header section divider context actions rich_text".split())
_SURFACES: Final[dict[Surface, frozenset[str]]] = {
    "message": _EVERYWHERE | {"table"},
    "modal": _EVERYWHERE | {"input"},
    "home": _EVERYWHERE | {"input"},
}


def faults(blocks: object, surface: Surface = "message") -> list[str]:
    """What Slack would refuse the blocks for; an empty list is no fault, as no blocks are none."""
    check = _Check(surface)
    if not isinstance(blocks, list):
        return ["[ERROR] must be an array [json-pointer:/blocks]"]
    if len(blocks) > MOST_BLOCKS[surface]:
        check.fault("/blocks", f"no more than {MOST_BLOCKS[surface]} items allowed")
    if blocks:
        check.many(blocks, "/blocks", 10_000, check.block)
    tables = [block for block in blocks if isinstance(block, dict) and block.get("type") == "table"]
    if len(tables) > 1:
        check.fault("/blocks", "only_one_table_allowed")
    if sum(len(text) for table in tables for text in _strings(table.get("rows"))) > MOST_TABLE_TEXT:
        check.fault("/blocks", f"cells must have less than {MOST_TABLE_TEXT} characters together")
    for kind, ids in (("action_id", check.action_ids), ("block_id", check.block_ids)):
        for one, count in Counter(ids).items():
            if count > 1:
                check.fault("/blocks", f"{kind} {one} already exists")
    return check.faults


def size(blocks: object) -> int:
    """Characters of all texts in the blocks."""
    return sum(map(len, _strings(blocks)))


def _strings(it: object) -> Iterator[str]:
    if isinstance(it, dict):
        for key, value in it.items():
            if key == "text" and isinstance(value, str):
                yield value
            else:
                yield from _strings(value)
    elif isinstance(it, list):
        for one in it:
            yield from _strings(one)


def _options_of(it: Json) -> Iterator[Json]:
    yield from it.get("options", ())
    for group in it.get("option_groups", ()):
        yield from group["options"]


# -- What people see -----------------------------------------------------------------------------------------------


def words(blocks: list[Json]) -> str:
    """What stands on the screen, line by line: `[button]`, `[menu ▾ option | option]`, `cell | cell`."""
    return "\n".join(line for block in blocks for line in _lines(block))


def _lines(block: Json) -> Iterator[str]:
    kind = block["type"]
    if kind == "header":
        yield block["text"]["text"]
    elif kind == "section":
        if "text" in block:
            yield block["text"]["text"]
        yield from (one["text"] for one in block.get("fields", ()))
        if "accessory" in block:
            yield _shown(block["accessory"])
    elif kind in ("actions", "context"):
        yield " ".join(map(_shown, block["elements"]))
    elif kind == "input":
        yield f"{block['label']['text']}: {_shown(block['element'])}"
    elif kind == "table":
        yield from (" | ".join("".join(_strings(cell)) for cell in row) for row in block["rows"])
    elif kind == "rich_text":
        yield from (line for part in block["elements"] for line in _rich_lines(part))
    else:
        yield "---"


def _rich_lines(part: Json) -> Iterator[str]:
    is_list = part["type"] == "rich_text_list"
    for entry in part["elements"] if is_list else [part]:
        yield ("• " if is_list else "") + "".join(_strings(entry))


def _shown(element: Json) -> str:
    if element["type"] in ("mrkdwn", "plain_text"):
        return str(element["text"])
    if element["type"] == "button":
        return f"[{element['text']['text']}]"
    name = element.get("placeholder", {}).get("text", "⋯" if element["type"] == "overflow" else element["type"])
    options = " | ".join(option["text"]["text"] for option in _options_of(element))
    return f"[{name} ▾ {options}]" if options else f"[{name} ▾]"


def pressable(blocks: list[Json]) -> Iterator[tuple[str, Json, Json, Json | None]]:
    """Label, block, element and (in a menu) option of everything that can be pressed, in the order of the screen."""
    for block in blocks:
        found = [*block.get("elements", ()), block.get("accessory"), block.get("element")]
        for element in found:
            if not isinstance(element, dict) or "action_id" not in element:
                continue
            if element["type"] == "button":
                yield element["text"]["text"], block, element, None
            for option in _options_of(element):
                yield option["text"]["text"], block, element, option
