"""One contract over all renderers of the terminal: nothing is lost, nothing is done, and the numbers are the same."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from io import StringIO
from typing import Final, TypeAlias, get_args

import pytest
from hypothesis import given
from hypothesis import settings as bounds
from rich.cells import cell_len
from rich.console import Console

from adapters.terminal import rich_text, text
from adapters.terminal.session import Line, Session
from bot.answer import Answer, Block, Button, Field, Heading, Item, Menu, Note, Paragraph, Table, silence
from bot.bot import Bot, fixed
from bot.glossary.concept import code
from bot.glossary.yaml_files import Loaded
from bot.request import Press, encode
from bot.state.memory import MemoryStore
from tests.terminals import acted_on
from tests.texts import any_text

Render: TypeAlias = Callable[[Answer], str]

NARROW: Final = 40
WIDE: Final = 2000
"""Columns: nothing wraps."""


def plain(answer: Answer) -> str:
    return text.render(answer)


def rich(answer: Answer, width: int = WIDE) -> str:
    out = StringIO()
    Console(file=out, width=width, color_system=None, highlight=False).print(rich_text.render(answer))
    return out.getvalue()


@pytest.fixture(params=[plain, rich], ids=["plain", "rich"])
def rendered(request: pytest.FixtureRequest) -> Render:
    render: Render = request.param
    return render


@pytest.fixture(scope="module")
def real(loaded: Loaded) -> list[Answer]:
    """All definitions and authored comparisons in both languages, and the lists and settings."""
    session = Session(Bot(fixed(loaded.glossary), loaded.phrases, MemoryStore()), "lena")
    glossary = loaded.glossary
    pressed = [
        Press("define", (code(concept),), language=tongue)
        for concept in glossary.concepts
        for tongue in ("en", "zh-Hans")
    ]
    pressed += [
        Press("vs", tuple(map(code, entry.concepts())), language=tongue)
        for entry in glossary.comparisons.values()
        for tongue in ("en", "zh-Hans")
    ]
    lines = [encode(press) for press in pressed]
    lines += [
        "/glossary",
        "/glossary search latency",
        "/help",
        "/jargonaut",
        "/lang",
        "/define drift",
        "/define nosuch",
        "/vs slo",
    ]

    async def ask() -> list[Answer]:
        return [await session.answer(Line(line, "lena")) for line in lines]

    return asyncio.run(ask())


SHOW: Final = Button("Show", "j1:define::AAAAAAA")
BLOCKS: Final[dict[str, tuple[Block, list[str]]]] = {
    "heading": (Heading("TTFT", "Time to first token"), ["TTFT", "Time to first token"]),
    "bare-heading": (Heading("SLO vs. SLA"), ["SLO vs. SLA"]),
    "paragraph": (Paragraph("从发出请求到第一个 token 的时间。"), ["从发出请求到第一个 token 的时间。"]),
    "field": (Field("Owner", "the team"), ["Owner", "the team"]),
    "link": (Field("Read more", "Chapter 4", "https://example.org"), ["Read more", "Chapter 4", "https://example.org"]),
    "table": (
        Table(("Aspect", "SLI", "SLA"), (("who", "team", "customer"), ("breach", "work", "money"))),
        ["Aspect", "SLI", "SLA", "who", "team", "customer", "breach", "work", "money"],
    ),
    "item": (Item("Data drift", "the inputs change", SHOW), ["[1]", "Data drift", "the inputs change"]),
    "item-without-button": (Item("Concept drift", "the rules change"), ["Concept drift", "the rules change"]),
    "item-without-summary": (Item("Error budget", "", SHOW), ["[1]", "Error budget"]),
    "note": (Note("Also: first token latency"), ["Also: first token latency"]),
}


def test_no_kind_of_block_is_forgotten() -> None:
    assert {type(block) for block, _ in BLOCKS.values()} == set(get_args(Block))


@pytest.mark.parametrize("name", BLOCKS)
def test_every_block_shows_all_its_words(rendered: Render, name: str) -> None:
    block, words = BLOCKS[name]
    shown = rendered(Answer("definition", "en", blocks=(block,)))
    assert [word for word in words if word not in shown] == []


def test_blocks_keep_their_order_and_buttons_come_last(rendered: Render) -> None:
    blocks = tuple(block for block, _ in BLOCKS.values())
    shown = rendered(Answer("definition", "en", blocks=blocks, buttons=(Button("Share", "j1:share"),)))
    words = [words[-1] for _, words in BLOCKS.values()]
    places = [shown.index(word) for word in [*words, "[3] Share"]]
    assert places == sorted(places)


def test_an_empty_line_of_an_item_or_heading_is_not_drawn(rendered: Render) -> None:
    shown = rendered(Answer("list", "en", blocks=(Heading("A"), Item("B", "", None), Note("C"))))
    assert [line.strip(" •") for line in shown.rstrip().splitlines()] == ["A", "B", "C"]


def test_silence_shows_nothing(rendered: Render) -> None:
    assert rendered(silence()).strip() == ""


# -- Numbers

MIXED = Answer(
    "list",
    "en",
    blocks=(
        Item("Alpha", "a", Button("Show", "j1:define::AAAAAAA")),
        Paragraph("between"),
        Item("Beta", "none to press"),
        Item("Gamma", "c", Button("Open", "j1:define::BBBBBBB")),
    ),
    buttons=(
        Button("Delta", "j1:lang"),
        Menu("See", (Button("Epsilon", "j1:help"), Button("Zeta", "j1:random"))),
        Button("Eta", "j1:share"),
        Button("Kappa", "j1:forget"),
        Menu("More", (Button("Theta", "j1:known"),)),
        Button("Iota", "j1:privacy"),
    ),
)
_NUMBERED: Final = re.compile(r"\[(\d+)\] (\w+)")


def test_numbers_are_those_of_the_buttons(rendered: Render) -> None:
    names = ["Alpha", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Kappa", "Theta", "Iota"]
    assert _NUMBERED.findall(rendered(MIXED)) == [(str(number), name) for number, name in enumerate(names, 1)]
    requests = "j1:define::AAAAAAA j1:define::BBBBBBB j1:lang j1:help j1:random j1:share j1:forget j1:known j1:privacy"
    assert [button.request for button in text.buttons_of(MIXED)] == requests.split()


def test_real_answers_are_numbered_alike(real: list[Answer]) -> None:
    for answer in real:
        numbers = [str(number) for number in range(1, len(text.buttons_of(answer)) + 1)]
        assert re.findall(r"\[(\d+)\]", plain(answer)) == numbers
        assert re.findall(r"\[(\d+)\]", rich(answer)) == numbers


# -- Nothing is lost


def letters(shown: str) -> Counter[str]:
    return Counter(character for character in shown if character.isalnum())


def test_the_same_words_survive_in_all(real: list[Answer]) -> None:
    for answer in real:
        assert Counter(re.findall(r"\w+", rich(answer))) == Counter(re.findall(r"\w+", plain(answer)))


def test_a_narrow_terminal_loses_nothing_and_is_not_overrun(real: list[Answer]) -> None:
    for answer in real:
        narrow = rich(answer, NARROW)
        assert letters(narrow) == letters(plain(answer))
        assert max(cell_len(line) for line in narrow.splitlines()) <= NARROW


# -- Nothing is done


def everywhere(typed: str) -> Answer:
    """An answer with the text in every place that shows one."""
    button = Button(typed, "j1:help")
    return Answer(
        "list",
        "en",
        blocks=(
            Heading(typed, typed),
            Paragraph(typed),
            Field(typed, typed, f"https://{typed}"),
            Table((typed, typed), ((typed, typed),)),
            Item(typed, typed, button),
            Note(typed),
        ),
        buttons=(button, Menu(typed, (button, button))),
    )


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("\x1b[2J\x1b[31mred", id="escape"),
        pytest.param("\x1b]0;title\x07\x1b]52;c;aGk=\x07", id="title-and-clipboard"),
        pytest.param("\x9b31m\x90q\x9c", id="one-byte-escapes"),
        pytest.param("safe\rfake\b\b\b\b\x0b\x0c", id="overwriting"),
        pytest.param("\u202eevil\u2066\u061c\u200f", id="direction"),
        pytest.param("\ud83d\u2028\u2029\x85", id="halves-and-line-ends"),
    ],
)
def test_nothing_gets_through_that_a_terminal_acts_on(rendered: Render, typed: str) -> None:
    assert acted_on(rendered(everywhere(typed))) == []


@given(any_text)
@bounds(max_examples=60)
def test_nothing_gets_through_whatever_it_is(typed: str) -> None:
    for render in (plain, rich):
        assert acted_on(render(everywhere(typed))) == []


@pytest.mark.parametrize(
    "typed",
    [
        "[bold red]x[/bold red]",
        "[link=https://x]y[/link]",
        "[/]",
        ":smile:",
        "*b* _i_ `c`",
        "<b>&amp;",
        "%s {0} ${HOME}",
        r"\[x]",
    ],
)
def test_nothing_is_taken_for_markup(rendered: Render, typed: str) -> None:
    shown = rendered(everywhere(typed))
    assert shown.count(typed) == text.render(everywhere("@")).count("@")


# -- Tables

ROWS: Final = (
    ("ascii", "plain", "=1="),
    ("方面", "首个 token 的时间", "=2="),
    ("全角（）", "ＡＷＱ，。", "=3="),
    ("kana かな", "“quotes” … ·", "=4="),
    ("accent e\u0301", "cafe\u0301", "=5="),
)


def test_wide_characters_line_up(rendered: Render) -> None:
    shown = rendered(Answer("comparison", "zh-Hans", blocks=(Table(("方面", "SLO", "=0="), ROWS),)))
    lines = [line for line in shown.splitlines() if "=" in line]
    assert [re.findall(r"=\d=", line) for line in lines] == [[f"={number}="] for number in range(6)]
    assert len({cell_len(line[: line.index("=")]) for line in lines}) == 1
