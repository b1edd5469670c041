"""When two labels count as the same: one fold for storage, query and scan.

NFKC, case, hyphen/underscore/space to one space, invisible characters out, Traditional to Simplified character by
character. Plurals and missing spaces are rules of look-up on top of it (`glossary.py`), not part of the fold.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from bot.glossary.traditional import SIMPLIFIED

HAN: Final = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters, as the inside of a regular expression's character class."""

_INVISIBLE: Final = re.compile(
    "[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f"  # controls but the white ones
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff"  # lone surrogates: no characters at all
    "\U000e0000-\U000e0fff]+"
)
_GAPS: Final = re.compile(r"[\s_\u001c-\u001f\-\u058a\u05be\u1806\u2010-\u2015\u2212\u2e3a\u2e3b\u30a0\ufe58]+")
_APOSTROPHES: Final = str.maketrans("\u2018\u2019\u02bc", "'''")
_ACUTE: Final = "\u00b4"
"""Typed for an apostrophe too, but NFKC would make a space and an accent of it."""
_INSIDE: Final = re.compile(r"[ /·•&'+.,:()]+")
_HAN: Final = re.compile(f"[{HAN}]")


def visible(text: str) -> str:
    """`text` without characters that can't be seen, such as zero-width spaces, soft hyphens and controls."""
    return _INVISIBLE.sub("", text)


def fold(text: str) -> str:
    """The form under which labels are compared. Folding twice changes nothing."""
    if text.isascii():
        return _GAPS.sub(" ", _INVISIBLE.sub("", text).lower()).strip()
    text = unicodedata.normalize("NFKC", visible(text).replace(_ACUTE, "'"))
    text = unicodedata.normalize("NFKC", text.casefold())
    text = visible(text).translate(SIMPLIFIED).translate(_APOSTROPHES)
    return _GAPS.sub(" ", text).strip()


def squash(folded: str) -> str:
    """A folded text without spaces and joiners inside: "a/b testing", "ab testing" and "abtesting" meet here.

    A leading dot stays: `.engine` is a file extension, "engine" a word.
    """
    dot = "." if folded.startswith(".") else ""
    return dot + _INSIDE.sub("", folded)


def has_han(text: str) -> bool:
    """Whether there is a Chinese character in `text`."""
    return _HAN.search(text) is not None
