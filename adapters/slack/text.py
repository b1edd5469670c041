"""Slack's wire form of a message -> what the person typed.

Slack sends mentions, channels and links as `<…>`, escapes `&`, `<` and `>`, and marks bold, italic and struck words.
Every expression is linear in the text: what is repeated stops at the character that the next piece begins with.
"""

from __future__ import annotations

import re
from typing import Final

_BLANK: Final = r"[ \t\u00a0]*+"

_TOKEN: Final = re.compile(rf"<([^<>|\n]++)(?:\|([^<>]*+))?+>({_BLANK})")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]{0,20}:", re.IGNORECASE)
_ENTITY: Final = re.compile("&(amp|lt|gt);")
_ENTITIES: Final = {"amp": "&", "lt": "<", "gt": ">"}

_CODE: Final = r"```.*?(?:```|\Z)|`[^`\n]++`"
"""A fence that isn't closed is code to the end."""

_QUOTED: Final = r"^[ \t]*+(?:&gt;|>){3}.*\Z|^[ \t]*+(?:&gt;|>)[^\n]*+"
"""Three marks quote everything that follows, one its line."""

_EMOJI: Final = r"[\w+'-]{1,80}+:"
"""The rest of `:+1:` behind its first colon."""

_MENTION: Final = re.compile(
    rf"(?P<apart>{_CODE}|{_QUOTED})|<@(?P<user>[A-Z0-9]++)(?:\|[^<>]*+)?+>(?:{_BLANK}(?:[,，：]|:(?!{_EMOJI})))?{_BLANK}",
    re.DOTALL | re.MULTILINE,
)
"""A user's mention outside of code and quotes, with the colon or comma by which people address somebody."""

_MARKED: Final = tuple(
    re.compile(
        rf"(?P<code>{_CODE})|(?<![A-Za-z0-9{mark}])[{mark}](?=\S)(?P<marked>[^{mark}`\n]++)(?<=\S)[{mark}](?![A-Za-z0-9{mark}])",
        re.DOTALL,
    )
    for mark in "*_~"
)


def plain(text: str) -> str:
    """`text` as it was typed. Mentions of people and groups are left out: they say who, never what."""
    if "<" in text:
        text = _TOKEN.sub(_typed, text)
    for mark, marked in zip("*_~", _MARKED, strict=True):
        if mark in text:
            text = marked.sub(lambda match: match["code"] or match["marked"], text)
    return _ENTITY.sub(lambda match: _ENTITIES[match[1]], text) if "&" in text else text


def asked(text: str, bot_user: str) -> str | None:
    """What is said to the bot in a message that mentions it, empty for a mention alone; None: it isn't mentioned.

    `bot_user` is the bot's user id. A mention in code or in a quote is talk about the bot, not to it.
    """
    mentioned = False

    def without(match: re.Match[str]) -> str:
        nonlocal mentioned
        if match["user"] != bot_user:
            return match[0]
        mentioned = True
        return _gap(match)

    rest = _MENTION.sub(without, text)
    return plain(rest).strip() if mentioned else None


def _typed(match: re.Match[str]) -> str:
    target, label, blank = match.groups()
    if target.startswith("!date^"):
        return (label or "") + blank
    if target[0] in "@!":
        return _gap(match)
    if target[0] == "#":
        return f"#{label}{blank}" if label else _gap(match)
    if _ADDRESS.match(target):
        return (label or target.removeprefix("mailto:").removeprefix("tel:")) + blank
    return match[0]


def _gap(match: re.Match[str]) -> str:
    """Keeps apart what stood on both sides of something left out."""
    return "" if match.start() == 0 or match.string[match.start() - 1].isspace() else " "
