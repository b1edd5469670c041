"""What YAML's complaints and misreadings mean, in words for people who only want to write a text."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

import yaml
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.resolver import Resolver

_RESOLVER: Final = Resolver()
_NEWER_NUMBER: Final = re.compile(r"[-+]?(0o[0-7]+|[0-9]+([eE][-+]?[0-9]+)?)")
"""Numbers of YAML 1.2, and what looks like one (08); PyYAML reads YAML 1.1 and takes these for text."""


QUOTE_OR_BLOCK: Final = "put the whole text in quotes, or write it under the key as a block (>-)"
_HINTS: Final = (
    ("mapping values are not allowed", f'": " in the middle of a text looks like a new key: {QUOTE_OR_BLOCK}'),
    ("sequence entries are not allowed", f'"- " here looks like a list: {QUOTE_OR_BLOCK}, or begin a new line'),
    ("mapping keys are not allowed", f'a text that begins with "? " needs quotes: {QUOTE_OR_BLOCK}'),
    ("unexpected end of stream", "a quotation mark is opened here and never closed"),
    ("nesting depth", "lists or keys are nested far too deep"),
    ("escape c", 'a backslash in "…" has a special meaning: write \\\\, or use single quotes'),
    ("while scanning a block scalar", "after > or | the text begins on the next line"),
    ("while scanning a directive", f"a line that begins with % needs quotes: {QUOTE_OR_BLOCK}"),
    ("tag", f"a text that begins with ! needs quotes: {QUOTE_OR_BLOCK}"),
    ("anchor", f"a text that begins with & needs quotes: {QUOTE_OR_BLOCK}"),
    ("alias", f"a text that begins with * needs quotes: {QUOTE_OR_BLOCK}"),
    ("while parsing a flow", "a [ or { is opened here and never closed, or a comma is missing between two items"),
    ("node content", f"a text can't begin with this sign: {QUOTE_OR_BLOCK}"),
    ("could not find expected ':'", "this line is neither `key: text` nor part of the text above: is it indented?"),
    ("while parsing a block", "this line doesn't fit to those above: compare its indentation, and quote whole texts"),
    ("document start", "this line doesn't fit to those above: compare its indentation with theirs"),
)

_NOTICED_LATE: Final = ("unexpected end of stream", "while parsing a flow", "could not find expected ':'")


def advice(said: str, sign: str) -> str:
    """What to do about a syntax error. `said`: PyYAML's words for it; `sign`: the character that it stopped at."""
    if "cannot start any token" in said:
        return "a tab can't stand here: use spaces" if sign == "\t" else f"{sign} begins a text: {QUOTE_OR_BLOCK}"
    return next((hint for words, hint in _HINTS if words in said), f"YAML can't read this: {QUOTE_OR_BLOCK}")


def noticed_late(said: str) -> bool:
    """Whether a syntax error was made where the construct begins, rather than where PyYAML stopped."""
    return any(words in said for words in _NOTICED_LATE)


def misreading(text: str) -> str | None:
    """What YAML reads an unquoted `text` as; None: as text, just as it stands."""
    if len(text) > 5 and text[0].isalpha():  # the longest word with a meaning of its own is `false`
        return None
    resolved: str = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    tag = resolved.rpartition(":")[2]
    if tag == "str":
        return "a number" if _NEWER_NUMBER.fullmatch(text) else None
    if tag == "null":
        return "nothing (null)"
    if tag == "bool":
        return "true" if text.lower() in ("yes", "on", "true") else "false"
    if tag not in ("int", "float", "timestamp") or len(text) > 40:
        return "a number" if tag in ("int", "float") else "something special"
    return _parsed(yaml.ScalarNode(f"tag:yaml.org,2002:{tag}", text))


def _parsed(node: yaml.ScalarNode) -> str:
    try:
        value = SafeConstructor().construct_object(node)
    except (ValueError, OverflowError, ConstructorError):  # the thirteenth month, for one
        return "a number or a date"
    return f"the date {value.isoformat()}" if isinstance(value, date) else f"the number {value}"
