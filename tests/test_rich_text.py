"""The renderer for people at a terminal. What both renderers have in common is held in test_renderers."""

from __future__ import annotations

import re
from io import StringIO

from rich.console import Console

from adapters.terminal.rich_text import render
from bot.answer import Answer, Button, Field, Heading, Item, Menu, Note, Paragraph, Table, silence

SAMPLE = Answer(
    "definition",
    "en",
    blocks=(
        Heading("SLO · 服务等级目标", "Service level objective"),
        Paragraph("A target that a team sets for its service, with a number and a period."),
        Field("Read more", "Chapter 4", "https://example.org/4"),
        Table(("Aspect", "SLO"), (("who", "the team"),)),
        Item("SLI", "what is measured", Button("Show", "j1:define::AAAAAAA")),
        Note("Monitoring"),
    ),
    buttons=(
        Button("中文", "j1:define:z!:AAAAAAA"),
        Button("Share", "j1:share::AAAAAAA"),
        Menu("See also", (Button("P99", "j1:define::BBBBBBB"), Button("SRE", "j1:define::CCCCCCC"))),
        Button("Back", "j1:glossary"),
    ),
)


def shown(answer: Answer, width: int = 50, *, colours: bool = False) -> str:
    out = StringIO()
    console = Console(
        file=out, width=width, force_terminal=colours, color_system="standard" if colours else None, highlight=False
    )
    console.print(render(answer))
    return out.getvalue()


def test_the_whole_look() -> None:
    lines = [line.rstrip() for line in shown(SAMPLE).splitlines()]
    assert lines == [
        "  SLO · 服务等级目标",
        "  Service level objective",
        "  A target that a team sets for its service, with",
        "  a number and a period.",
        "  • Read more  Chapter 4 https://example.org/4",
        "",
        "   Aspect   SLO",
        "   ─────────────────",
        "   who      the team",
        "",
        "  [1] SLI  what is measured",
        "  Monitoring",
        "  [2] 中文   [3] Share",
        "  See also  [4] P99   [5] SRE",
        "  [6] Back",
        "",
    ]


def test_colours_are_all_that_it_does_to_the_terminal() -> None:
    hostile = Paragraph("\x1b]8;;https://x\x07click\x1b]8;;\x07\x1b[2J")
    out = shown(Answer("definition", "en", blocks=(*SAMPLE.blocks, hostile), buttons=SAMPLE.buttons), colours=True)
    assert "\x1b[" in out
    assert "\x1b" not in re.sub(r"\x1b\[[\d;]*m", "", out)


def test_the_heading_stands_out() -> None:
    first, second = shown(SAMPLE, colours=True).splitlines()[:2]
    assert "\x1b[1;36m" in first
    assert "\x1b[1" not in second


def test_a_link_that_is_its_own_text_stands_once() -> None:
    field = Field("Link", "https://example.org", "https://example.org")
    assert shown(Answer("definition", "en", blocks=(field,))).count("example.org") == 1


def test_silence_is_empty() -> None:
    assert shown(silence()).strip() == ""
