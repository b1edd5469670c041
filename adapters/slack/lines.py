"""A name in bold and what belongs to it, as mrkdwn: for sections, which take no rich text."""

from __future__ import annotations

import re
from typing import Final

from adapters.slack.elements import Json, plain
from adapters.slack.mrkdwn import escape, has_markup, is_link, link
from bot.answer import Field

_HAN: Final = re.compile("[\u3400-\u9fff]")
_LATIN: Final = re.compile("[A-Za-z]")
_MAX_FIELD: Final = 2000
"""Characters of one field of a section, entities included."""
_MAX_SECTION: Final = 3000


def section(text: Json) -> Json:
    return {"type": "section", "text": text}


def named(name: str, value: str = "") -> Json:
    """A text object of a name above its value, so that bold and Chinese never touch.

    What mrkdwn would take for markup is shown as it is, without bold.
    """
    text = f"*{escape(name)}*\n{escape(value)}" if value else f"*{escape(name)}*"
    if has_markup(name) or has_markup(value) or "\n" in name or len(text) > _MAX_FIELD:
        return plain(f"{name}\n{value}" if value else name)
    return _mrkdwn(text)


def linked(field: Field) -> Json:
    """A text object of a field, with its link where the address is one."""
    if field.link is None or not is_link(field.link) or has_markup(field.name) or "\n" in field.name:
        return named(field.name, field.value)
    text = f"*{escape(field.name)}*\n{link(field.link, field.value or field.link)}"
    return _mrkdwn(text) if len(text) <= _MAX_FIELD else named(field.name, field.value)


def with_link(item: Json, field: Field) -> bool:
    """Adds a link as one more line to an item's section; False: it can't be."""
    if field.link is None or not is_link(field.link) or has_markup(field.name) or item["text"]["type"] != "mrkdwn":
        return False
    text = f"{item['text']['text']}\n{escape(field.name)}{colon(field.name, '<')}"
    text += link(field.link, field.value or field.link)
    if len(text) > _MAX_SECTION:
        return False
    item["text"] = _mrkdwn(text)
    return True


def colon(name: str, value: str) -> str:
    """What stands between a name and its value: a wide colon in Chinese, whichever letters a word of it has.

    "批处理 · Batching" names a term in either language; what follows it decides.
    """
    either = " · " in name and _LATIN.search(name)
    chinese = _HAN.match(value) or len(_HAN.findall(value)) > len(_LATIN.findall(value))
    wide = chinese or name.endswith("）") or (_HAN.match(name[-1:]) and not either)
    return "：" if wide else ": "


def _mrkdwn(text: str) -> Json:
    """`verbatim`: no address and no name in it becomes a link."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}
