"""What a note and a digest say, and behind which buttons the rest is; on concepts made for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.answer import Block, Button, Field, Heading, Item, Menu, Paragraph, Shown
from bot.glossary.concept import Concept, Language
from bot.glossary.glossary import Glossary
from bot.note_wording import DIGEST_PAGE, Used, digest, more, named, note
from bot.phrases import Phrases
from bot.request import decode
from bot.wording import Voice
from tests.little import concept

TTFT = concept("ttft", "TTFT", zh=("首字延迟",), full="Time to first token")
BATCHING = concept("batching", "Continuous batching", zh=("连续批处理",))
MOE = concept("moe", "MoE", full="Mixture of Experts")
MANY = [concept(f"c{number}", f"Thing {number}") for number in range(12)]


def voice(phrases: Phrases, shown: Shown = "en", chrome: Language | None = None) -> Voice:
    glossary = Glossary([TTFT, BATCHING, MOE, *MANY])
    return Voice(glossary, phrases, shown, chrome or ("en" if shown == "both" else shown))


def actions(buttons: Sequence[Button | Menu]) -> list[str]:
    flat = [entry for button in buttons for entry in (button.options if isinstance(button, Menu) else (button,))]
    return [decode(entry.request).action for entry in flat]


# -- A note -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "shown", "text"),
    [
        pytest.param(TTFT, "en", "TTFT (time to first token)", id="full-form-in-running-text"),
        pytest.param(MOE, "en", "MoE (Mixture of Experts)", id="capitals-of-its-own-stay"),
        pytest.param(BATCHING, "en", "Continuous batching · 连续批处理", id="no-full-form"),
        pytest.param(BATCHING, "zh-Hans", "连续批处理 · Continuous batching", id="readers-language-first"),
        pytest.param(TTFT, "zh-Hans", "首字延迟 · TTFT", id="full-form-of-the-other-language"),
        pytest.param(TTFT, "both", "TTFT (time to first token)", id="both"),
    ],
)
def test_how_a_term_is_named(entry: Concept, shown: Shown, text: str, phrases: Phrases) -> None:
    assert named(entry, voice(phrases, shown)) == text


@pytest.mark.parametrize(
    ("shown", "one", "several"),
    [("en", "New to this term?", "New to these terms?"), ("zh-Hans", "给刚接触的同学：", "给刚接触的同学：")],
)
def test_it_speaks_to_readers(shown: Shown, one: str, several: str, phrases: Phrases) -> None:
    assert note([TTFT], voice(phrases, shown))[0][0] == Paragraph(one)
    assert note([TTFT, BATCHING], voice(phrases, shown))[0][0] == Paragraph(several)


def test_one_line_per_term_and_no_button_in_it(phrases: Phrases) -> None:
    blocks, _ = note([TTFT, BATCHING], voice(phrases))
    assert blocks[1:] == [
        Item("TTFT (time to first token)", "what ttft is"),
        Item("Continuous batching · 连续批处理", "what batching is"),
    ]


def test_buttons_of_a_note(phrases: Phrases) -> None:
    _, buttons = note([TTFT, BATCHING], voice(phrases))
    assert [button.label for button in buttons] == ["TTFT", "Continuous batching", "中文", "⋯"]
    assert actions(buttons[:3]) == ["define", "define", "note"]
    assert [decode(button.request).asker for button in buttons if isinstance(button, Button)] == ["", "", ""]


def test_no_language_button_where_both_are_shown(phrases: Phrases) -> None:
    _, buttons = note([TTFT], voice(phrases, "both"))
    assert actions(buttons)[:2] == ["define", "note-wrong"]


OFFERED: dict[Shown, str] = {
    "en": "Wrong meaning here, I know these, Not under my messages, Remove this note, Notes in this channel…",
    "zh-Hans": "意思不对, 这些我已经懂了, 不要出现在我的消息下, 删除这条说明, 本频道的术语提示……",
}


@pytest.mark.parametrize(("shown", "labels"), OFFERED.items())
def test_what_can_be_done_about_a_note(shown: Shown, labels: str, phrases: Phrases) -> None:
    menu = more(["ttft"], voice(phrases, shown))
    assert [option.label for option in menu.options] == labels.split(", ")
    assert actions([menu]) == ["note-wrong", "know", "note-mute", "note-remove", "note-channel"]


def test_of_several_terms_each_can_be_wrong(phrases: Phrases) -> None:
    menu = more(["ttft", "batching"], voice(phrases))
    assert [option.label for option in menu.options[:2]] == [
        "Wrong meaning: TTFT",
        "Wrong meaning: Continuous batching",
    ]
    glossary = voice(phrases).glossary
    codes = [[glossary.by_code(short) for short in decode(option.request).codes] for option in menu.options]
    assert codes[:3] == [[TTFT], [BATCHING], [TTFT, BATCHING]]


# -- A digest -----------------------------------------------------------------------------------------------------


def shown_on(page: int, phrases: Phrases) -> list[str]:
    blocks = digest([Used(entry) for entry in MANY], voice(phrases), title="All", known=0, page=page)
    return [block.label for block in blocks if isinstance(block, Item)]


@pytest.mark.parametrize(
    ("page", "numbers"),
    [(0, range(5)), (1, range(5, 10)), (2, range(10, 12)), (3, range(10, 12)), (999, range(10, 12))],
    ids=str,
)
def test_a_page_of_a_digest(page: int, numbers: range, phrases: Phrases) -> None:
    assert shown_on(page, phrases) == [f"Thing {number}" for number in numbers]
    assert DIGEST_PAGE == 5


@pytest.mark.parametrize(
    ("used", "known", "title"),
    [
        pytest.param(MANY[:3], 0, "All · 3 terms", id="several"),
        pytest.param(MANY[:1], 0, "All · 1 term", id="one"),
        pytest.param(MANY[:3], 2, "All · 5 terms · 2 you know", id="known"),
        pytest.param([], 0, "All · 0 terms", id="none"),
    ],
)
def test_the_heading_counts(used: list[Concept], known: int, title: str, phrases: Phrases) -> None:
    blocks = digest([Used(entry) for entry in used], voice(phrases), title="All", known=known)
    assert blocks[0] == Heading(title)


def test_a_term_has_its_summary_a_button_and_where_it_was_used(phrases: Phrases) -> None:
    blocks = digest([Used(TTFT, "https://chat.test/1"), Used(MOE)], voice(phrases), title="All", known=0)
    kinds: list[type[Block]] = [type(block) for block in blocks]
    assert kinds == [Heading, Item, Field, Item]
    assert blocks[2] == Field("First used", "in this message", "https://chat.test/1")
    button = blocks[1].button if isinstance(blocks[1], Item) else None
    assert button is not None
    assert (button.label, decode(button.request).action) == ("Show", "define")


@pytest.mark.parametrize(
    ("known", "sentence"), [(0, "I found no term of the glossary in it."), (2, "You know them all.")]
)
def test_nothing_to_show(known: int, sentence: str, phrases: Phrases) -> None:
    assert digest([], voice(phrases), title="All", known=known)[1:] == [Paragraph(sentence)]
