"""Every answer as a message of Discord: within its limits, in its look, with all words, and without anything done."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, Final, get_args

import pytest
from discord.http import handle_message_parameters
from hypothesis import given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from adapters.discord import layout
from adapters.discord.layout import NOTE_LINES, accent, view_of
from adapters.terminal import text as terminal
from bot.answer import Answer, Block, Button, Field, Heading, Item, Menu, Note, Paragraph, Table, silence
from bot.glossary.concept import code
from bot.request import MAX_CODES, Press, decode, encode
from tests.desks import Desk
from tests.discord_answers import (
    SHOWN,
    at,
    comparisons,
    contents,
    definitions,
    digest,
    message_of,
    notes,
    pages,
    picture,
)
from tests.discord_fake_components import walk
from tests.test_discord_markdown import TRICKS, active, as_shown
from tests.texts import any_text


@pytest.fixture(params=SHOWN)
def reader(request: pytest.FixtureRequest, desk: Desk) -> Desk:
    return at(desk, request.param)


# -- Every answer fits --------------------------------------------------------------------------------------------


def checked(answer: Answer) -> list[dict[str, Any]]:
    """The message, all of whose buttons can be read again, and in which nothing was cut."""
    components = message_of(answer)
    for component in walk(components):
        requests = [option["value"] for option in component.get("options", ())]
        if component["type"] == 2:
            requests.append(component["custom_id"])
        for request in requests:
            decode(request)
    assert [text for text in contents(components) if text.endswith("…") and "……" not in text] == []
    return components


def words(markdown: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"\]\(([^)]*)\)", r"] \1", as_shown(markdown)))


def missing(answer: Answer, components: list[dict[str, Any]]) -> set[str]:
    """Words that the terminal shows and this message doesn't. The column of aspects needs no name on a phone."""
    shown = {word for text in contents(components) for word in words(text)}
    named = {word for block in answer.blocks if isinstance(block, Table) for word in words(block.columns[0])}
    return set(words(terminal.render(answer, numbered=False))) - shown - named


def test_every_definition(reader: Desk) -> None:
    for answer in definitions(reader):
        components = checked(answer)
        assert missing(answer, components) == set()
        assert components[0]["accent_color"] == accent(answer.topic)


def test_every_authored_comparison(reader: Desk) -> None:
    for answer in comparisons(reader):
        assert missing(answer, checked(answer)) == set()


def test_pairs_and_triples_that_nobody_wrote_about(reader: Desk) -> None:
    concepts = list(reader.glossary.concepts)
    for sides in [*list(combinations(concepts, 2))[::37], *list(combinations(concepts, 3))[::997]]:
        both, language = reader.profile.language == "both", reader.profile.language
        press = Press("vs", tuple(map(code, sides)), language="en" if language == "both" else language, both=both)
        answer = reader.press(encode(press)).answer
        assert missing(answer, checked(answer)) == set()


def test_the_longest_ids_of_all_pairs(desk: Desk) -> None:
    """D02: codes have one length, so that no pair is longer than another."""
    for action in ("vs", "share-vs", "side"):
        press = Press(action, ("-_-_-_-",) * MAX_CODES, page=99, language="zh-Hans", both=True, asker="abcde")
        message_of(Answer("list", "en", buttons=(Button("x", encode(press)),)))
    requests = {
        component["custom_id"]
        for answer in comparisons(at(desk, "both"))
        for component in walk(message_of(answer))
        if component["type"] == 2
    }
    assert max(map(len, requests)) <= 100


def test_every_page_and_what_its_buttons_lead_to(reader: Desk) -> None:
    for name, answer in pages(reader):
        if answer.kind == "silence":
            continue
        components = checked(answer)
        assert missing(answer, components) == set(), name


# -- How it looks -------------------------------------------------------------------------------------------------

DEFINITION: Final = """\
## SLO
-# 服务等级目标 · Service level objective
*
---
-# 别名：服务水平目标、服务级别目标、服务质量目标 · 监控与运维
[English] [发到频道] [对比：SLA] [对比：SLI]
[相关术语 ▾ 告警 / P99 / 灰度发布]"""

COMPARISON: Final = """\
## SLO vs. SLA
*
- **SLO**: for steering your own work – *
- **SLA**: when somebody outside *
---
**Audience**
- SLO: your own team
- SLA: customers
**Kind**
- SLO: internal goal
- SLA: external contract
*
[中文] [Share] [SLO] [SLA] [Add SLI]"""

CHOICE: Final = """\
“drift” can mean three things here. Which one?
**Data drift · 数据漂移**
the inputs change and no longer look like the training data   [Show]
**Concept drift · 概念漂移**
the rules change: the same input now has a different right answer   [Show]
**Model drift · 模型漂移**
the outcome: predictions get worse over time, whatever the cause   [Show]"""

NOTE: Final = """\
New to these terms? **TTFT (time to first token)**: how long until an answer starts to appear
**KV cache (key-value cache)**: attention data of earlier tokens, kept so that it isn't computed again
**Continuous batching · 连续批处理**: a finished request gives up its place at once, and a waiting one moves in
[TTFT] [KV cache] [Continuous batching] [中文] [⋯]"""

DIGEST: Final = """\
### Jargon in the last messages · 6 terms · 1 you know
**TTFT**
how long until an answer starts to appear
-# First used: [in this message](https://discord.com/channels/*)   [Show]
*
---
-# I read the last 4 of 2140 messages.
[Show the one I know] [I know all of these] [中文]"""

PUBLIC: Final = """\
I don't have that one.
[🗑]"""


def looks_like(seen: str, pattern: str) -> None:
    """`*` stands for anything."""
    assert re.fullmatch(".*?".join(map(re.escape, pattern.split("*"))), seen.replace("**", "//"), re.DOTALL), seen


@pytest.mark.parametrize("name", ["DEFINITION", "COMPARISON", "CHOICE", "NOTE", "DIGEST", "PUBLIC"])
def test_pictures(name: str, desk: Desk) -> None:
    english = desk.at(language="en")
    answers = {
        "DEFINITION": lambda: desk.at(language="zh-Hans").slash("define", "slo").answer,
        "COMPARISON": lambda: english.slash("vs", "slo sla").answer,
        "CHOICE": lambda: english.slash("define", "drift").answer,
        "NOTE": lambda: [answer for _, answer in notes(english)][-1],
        "DIGEST": lambda: digest(at(desk, "en")),
        "PUBLIC": lambda: desk.at(whispers=False, deletable=True).bang("define", "zzqx").answer,
    }
    looks_like(picture(answers[name]()), globals()[name].replace("**", "//"))


def test_a_card_has_a_frame_and_a_line_or_two_have_none(desk: Desk) -> None:
    def kinds(answer: Answer) -> list[int]:
        return [component["type"] for component in message_of(answer)]

    english = desk.at(language="en")
    assert kinds(english.slash("define", "slo").answer) == [17]
    assert kinds(english.slash("define", "drift").answer) == [17]
    assert kinds(english.slash("vs", "slo").answer) == [10, 1]
    assert [kinds(answer) for _, answer in notes(english)] == [[10, 1]] * 3


def test_a_note_is_small(reader: Desk) -> None:
    """Three lines and a row of buttons at most, with all its words."""
    for count, (_, answer) in enumerate(notes(reader), 1):
        text, row = message_of(answer)
        lines = text["content"].splitlines()
        assert len(lines) == min(count + 1, NOTE_LINES)
        assert lines[0].startswith("-# ") == (count < NOTE_LINES)
        assert row["components"][-1]["label"] == "⋯"
        assert missing(answer, [text, row]) == set()


def test_the_title_of_a_note_stands_before_its_first_term(desk: Desk) -> None:
    (*_, three) = notes(desk.at(language="zh-Hans"))
    assert picture(three[1]).startswith("给刚接触的同学：**TTFT（首 Token 延迟）**：")


def test_what_is_seldom_needed_is_one_button() -> None:
    options = (Button("Remove", "j1:note-remove::"), Button("Wrong", "j1:note-wrong::"))
    menu = Menu("⋯", options, overflow="j1:note-more:e:AAAAAAA")
    (row,) = message_of(Answer("explanation", "en", buttons=(menu,)))
    (button,) = row["components"]
    assert (button["label"], button["custom_id"]) == ("⋯", "j1:note-more:e:AAAAAAA")


def test_topics_have_colours_of_their_own(desk: Desk) -> None:
    colours = [accent(topic) for topic in desk.glossary.topics]
    assert len(set(colours)) == len(colours)
    assert all(colour is not None and 0 <= colour <= 0xFFFFFF for colour in colours)
    assert accent("llm-inference") == 0xFAA61A, "it's the same for ever"
    assert accent("") is None


COLONS: Final = {
    "English": ("en", "SLO", "the internal target", ": "),
    "English with Chinese": ("en", "Data drift · 数据漂移", "the inputs change and don't look the same", ": "),
    "Chinese": ("zh-Hans", "SLO", "内部目标", "："),
    "Chinese, mostly Latin": ("zh-Hans", "KV Cache", "量化、PagedAttention", "："),
    "Chinese name": ("zh-Hans", "语言", "English", "："),
    "English in a Chinese answer": ("zh-Hans", "SLO", "the internal target", ": "),
    "Chinese in an English answer": ("en", "SLO", "内部目标：服务应该做到多好", "："),
}


@pytest.mark.parametrize(("chrome", "name", "value", "colon"), COLONS.values(), ids=COLONS)
def test_colons_are_as_wide_as_the_words(chrome: Any, name: str, value: str, colon: str) -> None:
    answer = Answer("setting", chrome, blocks=(Field(name, value),), chrome=chrome)
    assert picture(answer) == f"**{name}**{colon}{value}"


def test_a_long_heading_is_smaller() -> None:
    assert picture(Answer("help", "en", blocks=(Heading("x" * 45),))).startswith("## ")
    assert picture(Answer("help", "en", blocks=(Heading("x" * 46),))).startswith("### ")


def test_a_second_heading_is_smaller() -> None:
    shown = picture(Answer("list", "en", blocks=(Note("a"), Heading("b"), Heading("c"))))
    assert shown == "-# a\n## b\n### c"


def test_the_small_print_stands_last_under_a_rule() -> None:
    link = Field("Read more", "Chapter 4", "https://example.org/4")
    blocks = (Heading("A"), Paragraph("b"), link, Note("c"), link, Note("d"))
    shown = picture(Answer("definition", "en", blocks=blocks))
    more = "Read more: [Chapter 4](https://example.org/4)"
    assert shown == f"## A\nb\n{more.replace('Read more', '**Read more**')}\n---\n-# c\n-# {more}\n-# d"


# -- Limits -------------------------------------------------------------------------------------------------------


def button(number: int, label: str = "Show") -> Button:
    return Button(label, f"j1:define.{number}:e:AAAAAAA")


def test_labels_are_cut_by_characters() -> None:
    """D02, D03."""
    long = "Compare with " + "对比" * 40
    menu = Menu("See also " * 30, (Button("option " * 20, "j1:help"),))
    shown = message_of(Answer("list", "en", buttons=(Button(long, "j1:vs"), menu)))
    labels = [component["label"] for component in walk(shown) if component["type"] == 2]
    assert labels == [long[:78] + "…"]
    select = shown[1]["components"][0]
    assert len(select["placeholder"]) <= 150
    assert select["options"][0]["label"] == ("option " * 14).strip() + "…"


@pytest.mark.parametrize("count", [1, 25, 26, 51])
def test_more_options_than_a_menu_takes_are_two_menus(count: int) -> None:
    """D02: 26 see-also buttons."""
    options = tuple(button(number) for number in range(count))
    shown = message_of(Answer("list", "en", blocks=(Heading("A"),), buttons=(Menu("See also", options),)))
    menus = [component for component in walk(shown) if component["type"] == 3]
    assert [option["value"] for menu in menus for option in menu["options"]] == [each.request for each in options]
    assert len({menu["custom_id"] for menu in menus}) == len(menus)


@pytest.mark.parametrize("count", [5, 6, 25, 26])
def test_buttons_stand_in_rows_of_five(count: int) -> None:
    shown = message_of(Answer("list", "en", buttons=tuple(button(number) for number in range(count))))
    rows = [row["components"] for row in shown]
    assert [len(row) for row in rows] == [5] * (count // 5) + [count % 5] * (count % 5 > 0)


@pytest.mark.parametrize("count", [3, 12, 13, 30, 60, 200])
def test_more_entries_than_fit_move_their_buttons_into_menus(count: int) -> None:
    items = tuple(Item(f"Term {number}", "what it is", button(number)) for number in range(count))
    shown = message_of(Answer("list", "en", blocks=(Heading("A"), *items), buttons=(Button("Back", "j1:glossary"),)))
    sections = [component for component in walk(shown) if component["type"] == 9]
    options = [option for menu in walk(shown) for option in menu.get("options", ())]
    assert (len(sections) or len(options)) == count
    if options:
        assert options[2] == {"label": "Term 2", "value": button(2).request, "default": False}
    assert all(f"Term {number}" in "\n".join(contents(shown)) for number in range(min(count, 100)))
    assert any(component.get("label") == "Back" for component in walk(shown))


def test_the_same_request_is_one_button() -> None:
    twice = Item("Data drift", "the inputs change", button(1))
    buttons = (button(1), button(2), button(2, "Again"), Menu("More", (button(2), button(2, "x"), button(3))))
    shown = message_of(Answer("list", "en", blocks=(Heading("A"), twice, twice), buttons=buttons))
    assert [component["custom_id"] for component in walk(shown) if component["type"] == 2] == [
        button(1).request,
        button(2).request,
    ]
    assert contents(shown)[2] == "**Data drift**: the inputs change"
    (menu,) = (component for component in walk(shown) if component["type"] == 3)
    assert [(option["label"], option["value"]) for option in menu["options"]] == [
        ("Show", button(2).request),
        ("Show", button(3).request),
    ]


SENTENCE: Final = {"English": "This is one sentence of it. ", "Chinese": "这是其中的一句话。", "emoji": "😀 is one! "}


@pytest.mark.parametrize("sentence", SENTENCE.values(), ids=SENTENCE)
def test_long_texts_are_cut_at_a_sentence_and_short_ones_stay(sentence: str) -> None:
    """D03: two definitions of 4,000 characters."""
    long = (sentence * 500)[:4000].strip()
    blocks: tuple[Block, ...] = (Heading("SLO vs. SLA", "both"),)
    for name in ("SLO", "SLA"):
        blocks += (Field(name, "what it is, in short"), Paragraph(long))
    blocks += (Note("Also: other names"),)
    texts = contents(message_of(Answer("comparison", "en", blocks=blocks, buttons=(button(1),))))
    assert texts[0] == "## SLO vs. SLA\n-# both"
    assert texts[1] == "**SLO**: what it is, in short"
    assert texts[5] == "-# Also: other names"
    for cut in (texts[2], texts[4]):
        assert len(cut.encode("utf-16-le")) // 2 > 1800
        assert cut.endswith(sentence.strip() + ("…" if "。" in sentence else " …"))


def test_a_field_of_a_thousand_characters_and_an_empty_one() -> None:
    """D03."""
    fields = tuple(Field(f"Name {number}", "x" * 1025) for number in range(26))
    texts = contents(message_of(Answer("setting", "en", blocks=(Heading("A"), *fields, Field("Empty", "")))))
    assert all(f"**Name {number}**: x" in texts[1] for number in range(26))
    assert texts[1].splitlines()[-1] == "- **Empty**"


def test_so_many_lines_that_their_marks_alone_are_too_much() -> None:
    fields = tuple(Field(f"Name {number}", "value") for number in range(1000))
    message_of(Answer("setting", "en", blocks=(Heading("A"), *fields)))


def test_silence_is_no_message() -> None:
    assert view_of(silence()).to_components() == []


# -- Nothing is done ----------------------------------------------------------------------------------------------

BLOCKS: Final = {Heading, Paragraph, Field, Table, Item, Note}


def everywhere(typed: str) -> Answer:
    """An answer with the text in every place that shows one."""
    blocks = (
        Note(typed),
        Heading(typed, typed),
        Paragraph(typed),
        Field(typed, typed, f"https://{typed}"),
        Table((typed, typed, typed), ((typed, typed, typed),)),
        Item(typed, typed, button(1, typed)),
        Item(typed, typed),
        Field(typed, typed),
        Note(typed),
    )
    return Answer("list", "en", blocks=blocks, buttons=(button(2, typed), Menu(typed, (button(3, typed),))))


def assert_nobody_is_called(text: str) -> None:
    """Discord looks for mentions behind backslashes, too."""
    assert re.findall(r"<@[!&]?\d|@everyone|@here|(?<!\\)<(?!https?://)", text) == []


def test_no_kind_of_block_is_forgotten() -> None:
    assert set(get_args(Block)) == BLOCKS == {type(block) for block in everywhere("x").blocks}


@pytest.mark.parametrize("typed", TRICKS.values(), ids=TRICKS)
def test_nothing_is_taken_for_markup(typed: str) -> None:
    """D13: nothing pings, nothing links, nothing formats."""
    for text in contents(message_of(everywhere(typed))):
        assert_nobody_is_called(text)
    paragraph = Answer("error", "en", blocks=(Paragraph(typed),))
    (shown,) = contents(message_of(paragraph))
    assert active(shown) == []
    assert as_shown(shown) == typed


@given(any_text)
@bounds(max_examples=150)
def test_whatever_it_is(typed: str) -> None:
    for text in contents(message_of(everywhere(typed))):
        assert_nobody_is_called(text)


block = st.one_of(
    st.builds(Heading, any_text, any_text),
    st.builds(Paragraph, st.builds(lambda text, times: text * times, any_text, st.integers(1, 200))),
    st.builds(Field, any_text, any_text, st.sampled_from([None, "https://example.org/x"])),
    st.builds(
        lambda texts: Table(tuple(texts[:3]), (tuple(texts[3:6]), tuple(texts[6:9]))),
        st.lists(any_text, min_size=9, max_size=9),
    ),
    st.builds(lambda text, n: Item(text, text, button(n, text)), any_text, st.integers(1, 99)),
    st.builds(Item, any_text, any_text),
    st.builds(Note, any_text),
)
entry = st.one_of(
    st.builds(lambda n, text: button(n, text), st.integers(1, 99), any_text),
    st.builds(
        lambda text, count: Menu(text, tuple(button(n, text) for n in range(count))), any_text, st.integers(1, 60)
    ),
)


@given(st.lists(block, max_size=60).map(tuple), st.lists(entry, max_size=40).map(tuple))
@bounds(max_examples=60)
def test_any_answer_fits(blocks: tuple[Block, ...], buttons: tuple[Button | Menu, ...]) -> None:
    answer = Answer("list", "en", blocks=blocks, buttons=(*buttons, Button("There", "j1:help")))
    message_of(answer)


# -- discord.py ---------------------------------------------------------------------------------------------------


async def test_discord_py_keeps_nothing_of_it(desk: Desk) -> None:
    """It would keep every view that isn't finished, for ever."""
    view = view_of(desk.slash("define", "slo").answer)
    assert view.timeout is None
    assert view.is_finished()


def test_discord_py_reads_it_as_it_was_made(desk: Desk) -> None:
    """As it does with the message that a pressed button stands on."""
    answer = desk.slash("define", "drift").answer
    made = view_of(answer)
    assert made.has_components_v2()
    with handle_message_parameters(view=made) as sent:
        assert sent.payload is not None
        assert (sent.payload["components"], sent.payload["flags"]) == (made.to_components(), 1 << 15)


def test_the_same_answer_is_made_once(desk: Desk) -> None:
    asked, other = (desk.slash("define", "drift").answer for _ in range(2))
    assert view_of(asked) is view_of(asked)
    assert view_of(other) is not view_of(asked)
    assert view_of(other).to_components() == view_of(asked).to_components()


def test_what_is_somebodys_own_is_not_kept(desk: Desk) -> None:
    for answer in (desk.slash("jargonaut").answer, desk.bang("define", "slo").answer):
        assert view_of(answer) is not view_of(answer)


def test_the_messages_that_are_kept_are_few(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "_REMEMBERED", 2)
    answers = [desk.slash("define", label).answer for label in ("slo", "sla", "ttft")]
    first, *_ = [view_of(answer) for answer in answers]
    assert view_of(answers[0]) is not first
    assert len(layout._ready) == 2
