"""Text that shows as it is: nothing formats, links or pings."""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.markdown import MAX_ADDRESS, clean, escape, is_address, link, one_line
from tests.texts import any_text

_ACTIVE: Final = re.compile(
    r"[`*_~|]|<(?=\S)|\[[^\]]*\]\(|@(?=everyone|here)|https?://|\bdiscord\.(?:gg|com/invite)/"
    r"|^[ \t]*(?:#{1,3}[ ]|-#[ ]|>|[-+][ ]|\d+\.[ ])",
    re.MULTILINE,
)
"""What does something in a message of Discord, where no backslash stands before it."""


def active(markdown: str) -> list[str]:
    """The places in which a text isn't just shown."""
    return _ACTIVE.findall(re.sub(r"\\[^0-9A-Za-z\s]", "\0", markdown))


def as_shown(markdown: str) -> str:
    """What people see of a text without formats. A backslash is hidden before all but ASCII letters and digits."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", markdown).replace("\u200b", "")


TRICKS: Final = {
    "bold": "**b** and __u__",
    "words with underscores": "kv_cache_size, __init__",
    "code": "`x` ```y```",
    "struck, hidden": "~~s~~ ||h||",
    "heading": "# one\n## two\n### three",
    "small print": "-# small",
    "list": "- a\n* b\n+ c\n  - d\n1. e",
    "quotation": "> a\n>>> b",
    "link with a label": "[here](https://example.org)",
    "link": "see https://example.org/a_b and http://x",
    "link without embed": "<https://example.org>",
    "invitation": "discord.gg/abc or discord.com/invite/abc",
    "mention": "<@123> <@!123> <@&123> <#123> </define:123> <id:browse>",
    "everybody": "@everyone @here",
    "in code": "x` <@everyone> @everyone `x",
    "emoji": "<:slo:123> <a:slo:123>",
    "time": "<t:1700000000:R>",
    "backslashes": "\\*a\\* \\\\ \\_ \\<@1>",
    "mail, phone": "<mail@example.org> <+4912345>",
}


@pytest.mark.parametrize("text", TRICKS.values(), ids=TRICKS)
def test_it_shows_as_it_is(text: str) -> None:
    assert as_shown(escape(text)) == text
    assert active(escape(text)) == []


@pytest.mark.parametrize("text", [text for name, text in TRICKS.items() if name != "backslashes"])
def test_it_would_not_without_escaping(text: str) -> None:
    """The looking finds something, or the test above couldn't fail."""
    assert active(text) != []


@pytest.mark.parametrize(
    "text", ["P99 > 500 ms", "C#, F#", "a - b + c", "A/B", "3.5 GB", "(x)", "SLO: 99.9%", "！@lena"]
)
def test_what_does_nothing_stays_readable(text: str) -> None:
    assert escape(text).replace("\\@", "@") == text


@given(any_text)
def test_whatever_it_is(text: str) -> None:
    text = clean(text)
    assert active(escape(text)) == []
    assert as_shown(escape(text)) == text


@given(st.text("\\`*_~|<>[]()@#:-+.1 \neveryonhgt/", max_size=40))
def test_whatever_signs_it_has(text: str) -> None:
    text = clean(text)
    assert active(escape(text)) == []
    assert as_shown(escape(text)) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\u202eb\u200bc\x00d\ud83de", "abcde"),
        ("  a \n b ", "a \n b"),
        ("\u200b\u200d \u3000", ""),
        ("\u0301\ufe0f", ""),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("😀", "😀"),
    ],
)
def test_what_cannot_be_seen_goes(text: str, left: str) -> None:
    assert clean(text) == left


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\n b\tc　d ") == "a b c d"


ADDRESSES: Final = {
    "https": ("https://example.org/a?b=1&c=%20#d", True),
    "http": ("http://example.org", True),
    "a script": ("javascript:alert(1)", False),
    "a file": ("file:///etc/hosts", False),
    "an app": ("discord://-/channels/1", False),
    "no host": ("https://", False),
    "no scheme": ("example.org", False),
    "another host": ("https://bank.example@evil.example", False),
    "an address with a name": ("https://example.org/@lena", True),
    "nonsense": ("https://[", False),
    "empty": ("", False),
    "endless": ("https://example.org/" + "x" * MAX_ADDRESS, False),
}


@pytest.mark.parametrize(("address", "good"), ADDRESSES.values(), ids=ADDRESSES)
def test_only_addresses_for_a_browser_are_linked(address: str, good: bool) -> None:
    assert is_address(address) == good
    assert link("text", address) == (f"[text]({address})" if good else "text")


def test_an_address_cannot_end_its_link() -> None:
    assert link("a", "https://example.org/x) **b** (y") == "[a](https://example.org/x%29%20**b**%20%28y)"


def test_an_address_pings_nobody() -> None:
    assert link("a", "https://example.org/@everyone/@here") == "[a](https://example.org/%40everyone/%40here)"


def test_a_label_cannot_end_its_link() -> None:
    assert (
        link("a](https://evil.example)", "https://example.org") == "[a)(https\\://evil.example)](https://example.org)"
    )


def test_an_address_that_is_its_own_label_stays_readable_and_has_no_preview() -> None:
    assert link("https://example.org/a_b", "https://example.org/a_b") == "<https://example.org/a_b>"
