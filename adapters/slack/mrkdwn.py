"""Text on its way out: nothing in it that Slack acts on, and nothing longer than Slack takes."""

from __future__ import annotations

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
"""Controls, changes of direction, half characters: what nobody sees, and what makes a text look empty."""

_MARKUP: Final = re.compile(r"[*_~`]|:[\w+'-]+:|^(?:&gt;|>)", re.MULTILINE)
"""What mrkdwn makes something else of. It has no escape for these."""

_SENTENCE_END: Final = re.compile(r"[.!?…][\"')\]’”]*(?=\s)|[。！？；][”’）」』]*|\n")
_WORD_END: Final = re.compile(r"\s")


def clean(text: str) -> str:
    """`text` without invisible characters and space around it; may be empty."""
    return (text if text.isprintable() else _INVISIBLE.sub("", text)).strip()


def escape(text: str) -> str:
    """`text` in mrkdwn, or in a message's top-level text: no mention, no link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def has_markup(text: str) -> bool:
    """Whether mrkdwn would show `text` as something else: bold, code, an emoji, a quote."""
    return _MARKUP.search(text) is not None


def link(url: str, text: str) -> str:
    """A link in mrkdwn."""
    return f"<{escape(url).replace('|', '%7C')}|{escape(text)}>"


def is_link(url: str | None) -> bool:
    """Whether an address may be linked to: the web, without spaces, and not longer than Slack takes."""
    return url is not None and re.fullmatch(r"https?://[^\s<>]{1,2900}", url) is not None


def cut(text: str, most: int) -> str:
    """`text` in at most `most` characters; what is cut ends with a sentence where it can, and always with "…"."""
    if len(text) <= most:
        return text
    end = _last_end(_SENTENCE_END, text, most - 2) or _last_end(_WORD_END, text, most)
    if end * 2 < most:  # a very long sentence or word
        end = most - 1
    kept = text[:end].rstrip()
    return f"{kept} …" if kept[-1:] in ".!?" else f"{kept}…"


def pieces(text: str, most: int) -> list[str]:
    """All of `text` in pieces of at most `most` characters, which end with sentences where they can."""
    found = []
    while len(text) > most:
        end = _last_end(_SENTENCE_END, text, most) or _last_end(_WORD_END, text, most) or most
        found.append(text[:end].strip())
        text = text[end:].strip()
    return [piece for piece in (*found, text) if piece]


def first_sentence(text: str) -> str:
    match = _SENTENCE_END.search(text)
    return text[: match.end()].strip() if match else text


def _last_end(ends: re.Pattern[str], text: str, most: int) -> int:
    """Where the last sentence or word within the first `most` characters ends; 0: none does."""
    return max((match.end() for match in ends.finditer(text, 0, most)), default=0)
