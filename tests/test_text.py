"""The plain renderer: what goes into a pipe. What both renderers have in common is held in test_renderers."""

from __future__ import annotations

import pytest
from hypothesis import given

from adapters.terminal.text import buttons_of, render, safe
from bot.answer import Answer, Button, Field, Heading, Item, Menu, Note, Paragraph, Table, silence
from tests.terminals import acted_on
from tests.texts import any_text

SAMPLE = Answer(
    "comparison",
    "en",
    blocks=(
        Heading("SLO vs. SLA", "two agreements"),
        Paragraph("One is yours, one is theirs."),
        Field("SLO", "a target"),
        Field("Read more", "Chapter 4", "https://example.org/4"),
        Table(("Aspect", "SLO", "SLA"), (("who", "the team", "the customer"), ("breach", "work", "money"))),
        Item("Error budget", "what may fail", Button("Show", "j1:define::AAAAAAA")),
        Item("SLI", ""),
        Note("Small print."),
    ),
    buttons=(
        Button("中文", "j1:vs:z!:AAAAAAA"),
        Menu("See also", (Button("P99", "j1:define::BBBBBBB"), Button("SRE", "j1:define::CCCCCCC"))),
        Button("Share", "j1:share::AAAAAAA"),
    ),
)

NUMBERED = """\
SLO vs. SLA
two agreements
One is yours, one is theirs.
• SLO: a target
• Read more: Chapter 4 <https://example.org/4>
Aspect | SLO      | SLA
who    | the team | the customer
breach | work     | money
[1] Error budget: what may fail
• SLI
Small print.
[2] 中文  See also: [3] P99  [4] SRE  [5] Share"""


def test_the_whole_look() -> None:
    assert render(SAMPLE) == NUMBERED


def test_without_numbers_there_are_no_buttons() -> None:
    lines = NUMBERED.replace("[1] ", "• ").splitlines()[:-1]
    assert render(SAMPLE, numbered=False).splitlines() == lines


def test_buttons_are_in_the_order_of_their_numbers() -> None:
    assert [button.label for button in buttons_of(SAMPLE)] == ["Show", "中文", "P99", "SRE", "Share"]


def test_items_alone_have_no_row_of_buttons() -> None:
    answer = Answer("choice", "en", blocks=(Item("A", "first", Button("Show", "j1:define::AAAAAAA")),))
    assert render(answer) == "[1] A: first"


def test_silence_is_empty() -> None:
    assert render(silence()) == ""
    assert buttons_of(silence()) == []


@pytest.mark.parametrize(
    ("field", "line"),
    [
        pytest.param(
            Field("Link", "https://example.org", "https://example.org"), "• Link: https://example.org", id="once"
        ),
        pytest.param(Field("Link", "here", "https://example.org"), "• Link: here <https://example.org>", id="both"),
        pytest.param(Field("Link", "here"), "• Link: here", id="none"),
    ],
)
def test_a_link_stands_behind_what_it_is_for(field: Field, line: str) -> None:
    assert render(Answer("definition", "en", blocks=(field,))) == line


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("\x1b[31mred\x1b[0m", "[31mred[0m", id="colour"),
        pytest.param("\x1b]8;;https://x\x07click\x1b]8;;\x07", "]8;;https://xclick]8;;", id="hyperlink"),
        pytest.param("\x9b2Jgone", "2Jgone", id="one-byte-escape"),
        pytest.param("a\rb\bc\x7fd", "abcd", id="back-over-the-line"),
        pytest.param("bell\x07 nul\x00", "bell nul", id="bell"),
        pytest.param("\u202egnp.exe\u202c \u2066x\u2069 \u061cy\u200f", "gnp.exe x y", id="direction"),
        pytest.param("K\u200bV\ufeff c\u2060ache", "KV cache", id="invisible"),
        pytest.param("half \ud83d of it", "half  of it", id="surrogate"),
        pytest.param("tag\U000e0041\U000e007f", "tag", id="tags"),
        pytest.param("line\u2028break\u2029s", "linebreaks", id="separators"),
        pytest.param("a\nb\tc", "a\nb\tc", id="line-and-tab-stay"),
        pytest.param("量化 “Ω” é e\u0301 😀 ﬁ […] <b> %s", "量化 “Ω” é e\u0301 😀 ﬁ […] <b> %s", id="words-stay"),
    ],
)
def test_safe(text: str, left: str) -> None:
    assert safe(text) == left


@given(any_text)
def test_safe_text_can_be_printed_and_stays_as_it_is(text: str) -> None:
    once = safe(text)
    assert safe(once) == once
    assert acted_on(once) == []
