"""Whole files are in `test_strict_yaml.py`; here is what takes no file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.glossary.yaml_advice import advice, misreading, noticed_late


@pytest.mark.parametrize(
    ("said", "sign", "words"),
    [
        ("while scanning for the next token found character that cannot start any token", "@", "@ begins a text"),
        ("while scanning for the next token found character '`' that cannot start any token", "`", "` begins a text"),
        ("found character '\\t' that cannot start any token", "\t", "use spaces"),
        ("mapping values are not allowed in this context", "", 'looks like a new key: put the whole text in quotes'),
        ("mapping values are not allowed here", "", 'looks like a new key'),
        ("exceeded maximum nesting depth", "", "nested"),
        ("words of a later version", "", "put the whole text in quotes, or write it under the key as a block (>-)"),
    ],
)  # fmt: skip
def test_advice(said: str, sign: str, words: str) -> None:
    assert words in advice(said, sign)


@pytest.mark.parametrize(
    ("said", "late"),
    [
        ("while scanning a quoted scalar found unexpected end of stream", True),
        ("mapping values are not allowed", False),
    ],
)
def test_noticed_late(said: str, late: bool) -> None:
    assert noticed_late(said) is late


@pytest.mark.parametrize(
    "text", ["Norway", "NOT", "yes!", "nullable", "1.0.1", "16:9:x", "2:4 sparsity", "v1", "INT8", "推理"]
)
def test_text_that_stays_as_it_is(text: str) -> None:
    assert misreading(text) is None


@given(st.text(st.sampled_from("0123456789+-._:eEox~ tTZnulyseofaNOY=<"), max_size=30))
@settings(deadline=None)
def test_any_text(text: str) -> None:
    assert misreading(text) is None or misreading(text)
