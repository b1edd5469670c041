"""Rich text: words with a style instead of markup, so that nothing in them is taken for any."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.slack.elements import Json
from adapters.slack.lines import colon
from adapters.slack.mrkdwn import is_link
from bot.answer import Field, Item


def paragraph(*spans: Json) -> Json:
    """A block of running text."""
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(spans)}]}


def words(text: str, *, bold: bool = False) -> Json:
    return {"type": "text", "text": text, "style": {"bold": True}} if bold else {"type": "text", "text": text}


def bullets(fields: Sequence[Field]) -> Json:
    """A block with a list: a line for each field; a lone one needs no bullet."""
    if len(fields) == 1:
        return paragraph(*_line(fields[0]))
    entries = [{"type": "rich_text_section", "elements": _line(field)} for field in fields]
    return {"type": "rich_text", "elements": [{"type": "rich_text_list", "style": "bullet", "elements": entries}]}


def add_line(block: Json, item: Item) -> None:
    """Adds label and summary to what `paragraph` made, on a line of their own."""
    spans = block["elements"][0]["elements"]
    if spans:
        spans.append(words("\n"))
    spans += _line(Field(item.label, item.summary))


def _line(field: Field) -> list[Json]:
    name, value, url = field.name, field.value, field.link
    if url is not None and is_link(url):
        shown = value or url
        return [words(name, bold=True), words(colon(name, shown)), {"type": "link", "url": url, "text": shown}]
    return [words(name, bold=True), words(colon(name, value) + value)] if value else [words(name, bold=True)]
