"""Plain text -> Discord's markdown that shows exactly this text: nothing formats, links or pings.

`discord.utils.escape_markdown` leaves headings, lists, small print, masked links, mentions and timestamps alone.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from urllib.parse import quote, urlsplit

_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls, half characters, what is invisible or turns the text around; the joiner of emoji may stay."""

_SPECIAL: Final = re.compile(r"[\\`*_~|<\[\]]|@(?!everyone|here)|:(?=//)|\.(?=gg/|com/invite/)")
"""Emphasis, code, spoilers, links with and without a label, and everything that Discord writes in angle brackets."""

_PING: Final = re.compile(r"@(?=everyone|here)")
"""A backslash before it would show the same, but Discord looks for these words behind it, too."""

_LINE_START: Final = re.compile(r"^([ \t]*)(?:(>|[-+#](?=[\s#]|$))|(\d+)\.(?=\s|$))", re.MULTILINE)
"""Headings, small print, lists, quotations."""

_NOT_IN_A_LINK: Final = re.compile(r"[\s()<>\"\\^`{|}]|@(?=everyone|here)")

MAX_ADDRESS: Final = 512
"""Characters of an address that is linked: as many as Discord lets a link button have."""


def clean(text: str) -> str:
    """`text` without what can't be seen; empty where nothing else is left."""
    text = _UNPRINTABLE.sub("", text).strip()
    return text if any(unicodedata.category(character)[0] in "LNPS" for character in text) else ""


def one_line(text: str) -> str:
    """`text`, clean, with every run of spaces and line ends as one space."""
    return " ".join(clean(text).split())


def escape(text: str) -> str:
    """The markdown that shows `text`."""
    text = _PING.sub("@\u200b", _SPECIAL.sub(r"\\\g<0>", text))
    return _LINE_START.sub(lambda match: match[1] + (f"\\{match[2]}" if match[2] else f"{match[3]}\\."), text)


def link(text: str, address: str) -> str:
    """The markdown of a link, or of the text alone where the address is none that people should follow."""
    if not is_address(address):
        return escape(text)
    address = _NOT_IN_A_LINK.sub(lambda match: quote(match[0]), clean(address))
    if text == address:
        return f"<{address}>"
    return f"[{escape(text.replace('[', '(').replace(']', ')'))}]({address})"


def is_address(address: str) -> bool:
    """Whether it can be opened in a browser, and is short enough to link."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    named = bool(parts.netloc) and "@" not in parts.netloc  # "https://bank.example@evil.example" leads elsewhere
    return parts.scheme in ("http", "https") and named and len(address) <= MAX_ADDRESS
