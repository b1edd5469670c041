"""What stands on a Slack screen, read back from blocks: every word once, without markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from bot.answer import Answer, Button, Field, Heading, Item, Menu, Note, Paragraph, Table
from tests.slack_fake_blocks import words

LINK: Final = re.compile(r"<(https?://[^|<>]+)\|([^<>]*)>")


def text_objects(it: object) -> Iterator[dict[str, Any]]:
    """Everything with words in it: text objects, spans of rich text, cells."""
    if isinstance(it, dict):
        if isinstance(it.get("text"), str):
            yield it
        for value in it.values():
            yield from text_objects(value)
    elif isinstance(it, list):
        for one in it:
            yield from text_objects(one)


def mrkdwn(blocks: object) -> list[str]:
    """The texts in which Slack looks for markup."""
    return [it["text"] for it in text_objects(blocks) if it["type"] == "mrkdwn"]


def links(blocks: object) -> list[str]:
    """The addresses that can be followed."""
    in_text = [match[1].replace("&amp;", "&") for text in mrkdwn(blocks) for match in LINK.finditer(text)]
    return [*in_text, *(it["url"] for it in text_objects(blocks) if it["type"] == "link")]


def read(blocks: object) -> str:
    """All words; of a link its text, and its address where that is another one."""
    return "\n".join(_shown(it) for it in text_objects(blocks))


def _shown(it: dict[str, Any]) -> str:
    text = str(it["text"])
    if it["type"] == "link":
        return text if text == it["url"] else f"{text} {it['url']}"
    if it["type"] != "mrkdwn":
        return text
    text = LINK.sub(lambda match: match[2] if match[1] == match[2] else f"{match[2]} {match[1]}", text)
    text = re.sub(r"^\*(.*)\*$", r"\1", text, flags=re.MULTILINE)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def screen(blocks: list[dict[str, Any]]) -> str:
    """What stands on the screen, line by line; a list with its bullets."""
    return "\n".join(line for block in blocks for line in _lines(block))


def _lines(block: dict[str, Any]) -> Iterator[str]:
    if block["type"] != "rich_text":
        yield words([block])
        return
    for part in block["elements"]:
        entries = part["elements"] if part["type"] == "rich_text_list" else [part]
        bullet = "• " if part["type"] == "rich_text_list" else ""
        yield from (bullet + "".join(span["text"] for span in entry["elements"]) for entry in entries)


def action_ids(blocks: list[dict[str, Any]]) -> list[str]:
    elements = [element for block in blocks for element in block.get("elements", ())]
    elements += [block["accessory"] for block in blocks if "accessory" in block]
    return [element["action_id"] for element in elements if "action_id" in element]


def everywhere(typed: str, link: str | None = None) -> Answer:
    """An answer with the text in every place that shows one."""
    button = Button(typed, "j1:help")
    return Answer(
        "list",
        "en",
        blocks=(
            Heading(typed, typed),
            Paragraph(typed),
            Item(typed, typed),
            Field(typed, typed),
            Field(typed, typed, link or f"https://{typed}"),
            Table((typed, typed), ((typed, typed),)),
            Item(typed, typed, button),
            Field(typed, typed, link),
            Note(typed),
        ),
        buttons=(button, Menu(typed, (button, button)), Menu(typed, (button,), overflow="j1:note-more")),
    )
