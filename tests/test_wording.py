"""What a definition and a comparison say, and in which order; on concepts made for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.answer import Block, Button, Field, Heading, Note, Paragraph, Shown, Table
from bot.glossary.concept import (
    Chapter,
    Comparison,
    ComparisonSection,
    Concept,
    Label,
    Language,
    LanguageSection,
    OtherSide,
    Topic,
)
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.wording import Voice, authored, definition, heading, item, label, other_names, see_also, side_by_side
from tests.little import concept

TOPIC = Topic("things", {"en": "Things", "zh-Hans": "东西"})
CHAPTER = Chapter("c1", {"en": "All about it", "zh-Hans": "从头讲起"}, "https://handbook.test/1")

TTFT = concept("ttft", "TTFT", "first token latency", zh=("首字延迟", "首 Token 时延"), full="Time to first token")
KV = concept("kv", "KV cache", "key cache", "value cache", "cache of keys", "K/V cache", zh=("KV Cache", "键值缓存"))
ENGLISH = concept("english", "Fluffy", text="An English sentence.")


def voice(
    phrases: Phrases, shown: Shown = "en", *concepts: Concept, chrome: Language | None = None, **more: Any
) -> Voice:
    glossary = Glossary(concepts or (TTFT, KV, ENGLISH), topics=[TOPIC], **more)
    return Voice(glossary, phrases, shown, chrome or ("en" if shown == "both" else shown))


def notes(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Note)]


def paragraphs(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Paragraph)]


# -- Headings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("which", "shown", "text", "detail"),
    [
        (TTFT, "en", "TTFT · 首字延迟", "Time to first token"),
        (TTFT, "zh-Hans", "首字延迟 · TTFT", "Time to first token"),
        (TTFT, "both", "TTFT · 首字延迟", "Time to first token"),
        (KV, "en", "KV cache", ""),
        (KV, "zh-Hans", "KV Cache", ""),
        (ENGLISH, "zh-Hans", "Fluffy", ""),
    ],
)
def test_a_heading_has_the_readers_language_first_and_an_equal_label_once(
    which: Concept, shown: Shown, text: str, detail: str, phrases: Phrases
) -> None:
    assert heading(which, voice(phrases, shown)) == Heading(text, detail)


def test_a_full_form_that_is_a_label_already_is_not_repeated(phrases: Phrases) -> None:
    same = concept("same", "Time to first token", full="Time to first token")
    assert heading(same, voice(phrases)) == Heading("Time to first token", "")


def test_a_qualifier_tells_two_of_one_name_apart(phrases: Phrases) -> None:
    psi = concept("psi", "PSI", zh=("PSI",))
    sections: dict[Language, LanguageSection] = {
        "en": replace(psi.sections["en"], qualifier="drift metric"),
        "zh-Hans": replace(psi.sections["zh-Hans"], qualifier="漂移指标"),
    }
    psi = replace(psi, sections=sections)
    assert label(psi, "en") == "PSI (drift metric)"
    assert heading(psi, voice(phrases, "zh-Hans")).text == "PSI (漂移指标) · PSI (drift metric)"
    assert item(psi, voice(phrases)).label == "PSI (drift metric) · PSI (漂移指标)"


# -- Other names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", [label.text for label in KV.sections["en"].alt_labels])
def test_the_name_that_was_typed_comes_first(typed: str, phrases: Phrases) -> None:
    (found,) = [label for label in KV.labels() if label.text == typed]
    names = other_names(KV, voice(phrases), found)
    assert names[0] == typed
    assert len(names) == len(set(names)) == 3


def test_other_names_are_those_of_the_languages_that_are_shown(phrases: Phrases) -> None:
    assert other_names(TTFT, voice(phrases)) == ["first token latency"]
    assert other_names(TTFT, voice(phrases, "zh-Hans")) == ["首 Token 时延"]
    assert other_names(TTFT, voice(phrases, "both")) == ["first token latency", "首 Token 时延"]


@pytest.mark.parametrize(
    "unfit",
    [
        Label("hiden name", "en", "hidden"),
        Label("avoided name", "en", status="avoid"),
        Label("one part of it", "en", part=True),
        Label("TTFT", "en", "pref"),
        Label("Time-to-first token", "en"),
    ],
    ids=lambda label: label.text,
)
def test_what_is_no_other_name(unfit: Label, phrases: Phrases) -> None:
    section = replace(TTFT.sections["en"], alt_labels=(unfit,))
    changed = replace(TTFT, sections={"en": section})
    assert other_names(changed, voice(phrases), unfit) == []


# -- Definitions --------------------------------------------------------------------------------------------------


def test_a_definition_in_order(phrases: Phrases) -> None:
    full = replace(
        TTFT,
        note={"en": "Our target is 300 ms."},
        source="Handbook",
        contact="#serving",
        reviewed="2026-11",
        link="https://status.test",
        chapters=("c1",),
    )
    assert definition(full, voice(phrases, "en", full, chapters=[CHAPTER])) == [
        Heading("TTFT · 首字延迟", "Time to first token"),
        Paragraph("Something that exists."),
        Note("Our target is 300 ms."),
        Note("Also: first token latency · Things · Source: Handbook · Questions: #serving · Reviewed 2026-11"),
        Field("Read more", "All about it", "https://handbook.test/1"),
        Field("Link", "https://status.test", "https://status.test"),
    ]


def test_a_chapter_without_an_address_is_not_shown(phrases: Phrases) -> None:
    with_chapter = replace(TTFT, chapters=("c1",))
    there = voice(phrases, "zh-Hans", with_chapter, chapters=[replace(CHAPTER, url=None)])
    assert not [block for block in definition(with_chapter, there) if isinstance(block, Field)]


@pytest.mark.parametrize(
    ("shown", "chrome", "said"),
    [
        ("en", "en", []),
        ("zh-Hans", "zh-Hans", ["暂时只有英文释义。"]),
        ("both", "en", ["暂时只有英文释义。"]),
        ("both", "zh-Hans", ["暂时只有英文释义。"]),
    ],
)
def test_a_language_that_is_not_written_yet_is_said_in_that_language(
    shown: Shown, chrome: Language, said: list[str], phrases: Phrases
) -> None:
    there = voice(phrases, shown, chrome=chrome)
    blocks = definition(ENGLISH, there)
    assert paragraphs(blocks) == ["An English sentence."]
    assert notes(blocks)[: len(said)] == said
    assert len(notes(blocks)) == len(said) + 1
    compared = side_by_side([ENGLISH, TTFT], there)
    assert [note for note in notes(compared) if "暂时" in note] == said
    assert paragraphs(compared).count("An English sentence.") == 1


def test_chinese_only(phrases: Phrases) -> None:
    chinese = concept("chinese", zh=("毛绒",), text="一句话。")
    assert notes(definition(chinese, voice(phrases, "en", chinese)))[0] == "Only in Chinese so far."
    assert notes(definition(chinese, voice(phrases, "zh-Hans", chinese))) == ["东西"]


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("en", "“令牌” is avoided for this; use 词元. 台湾用语。"),
        ("zh-Hans", "这里不建议用“令牌”，请用“词元”。 台湾用语。"),
    ],
)
def test_a_word_to_avoid_is_answered_with_the_one_to_use(shown: Shown, said: str, phrases: Phrases) -> None:
    avoided = Label("令牌", "zh-Hans", status="avoid", note="台湾用语。")
    token = concept("token", "Token", zh=("词元",))
    section = replace(token.sections["zh-Hans"], alt_labels=(avoided,))
    token = replace(token, sections={**token.sections, "zh-Hans": section})
    blocks = definition(token, voice(phrases, shown, token), typed=avoided)
    assert said in notes(blocks)
    assert not any("令牌" in note for note in notes(blocks) if note != said)
    assert not any("令牌" in note for note in notes(definition(token, voice(phrases, shown, token))))


def test_both_languages_of_a_definition(phrases: Phrases) -> None:
    zh = replace(TTFT.sections["zh-Hans"], definition="中文的一句话。")
    both = replace(TTFT, sections={**TTFT.sections, "zh-Hans": zh})
    texts = ["Something that exists.", "中文的一句话。"]
    assert paragraphs(definition(both, voice(phrases, "both"))) == texts
    assert paragraphs(definition(both, voice(phrases, "both", chrome="zh-Hans"))) == texts[::-1]
    assert paragraphs(definition(both, voice(phrases, "zh-Hans"))) == texts[1:]


# -- See also -----------------------------------------------------------------------------------------------------


def test_see_also_is_one_menu_of_at_most_eight(phrases: Phrases) -> None:
    others = [concept(f"other-{number}", f"Other {number}") for number in range(12)]
    many = replace(KV, related=tuple(other.id for other in others))
    (menu,) = see_also(many, voice(phrases, "en", many, *others))
    assert [option.label for option in menu.options] == [f"Other {number}" for number in range(8)]
    assert see_also(KV, voice(phrases)) == []


# -- Comparisons --------------------------------------------------------------------------------------------------

ONE, TWO = concept("one", "One", zh=("甲",)), concept("two", "Two", zh=("乙",))
ENTRY = Comparison(
    "one-vs-two",
    ("one", "two"),
    {
        "en": ComparisonSection("The gist.", ("when one", "when two"), (("size", ("small", "big")),)),
        "zh-Hans": ComparisonSection("要点。", ("选甲", "选乙"), (("大小", ("小", "大")),)),
    },
)


def test_the_decision_comes_first_and_the_rows_last(phrases: Phrases) -> None:
    assert authored(ENTRY, ["one", "two"], voice(phrases, "en", ONE, TWO)) == [
        Heading("One vs. Two"),
        Paragraph("The gist."),
        Field("One", "when one"),
        Field("Two", "when two"),
        Table(("Aspect", "One", "Two"), (("size", "small", "big"),)),
    ]


def test_sides_stand_in_the_order_asked_for(phrases: Phrases) -> None:
    assert authored(ENTRY, ["two", "one"], voice(phrases, "zh-Hans", ONE, TWO)) == [
        Heading("乙 vs 甲"),
        Paragraph("要点。"),
        Field("乙", "选乙"),
        Field("甲", "选甲"),
        Table(("方面", "乙", "甲"), (("大小", "大", "小"),)),
    ]


def test_both_languages_share_one_table(phrases: Phrases) -> None:
    blocks = authored(ENTRY, ["one", "two"], voice(phrases, "both", ONE, TWO))
    assert paragraphs(blocks) == ["The gist.", "要点。"]
    assert [block.name for block in blocks if isinstance(block, Field)] == ["One", "Two", "甲", "乙"]
    assert [block for block in blocks if isinstance(block, Table)] == [
        Table(("Aspect", "One", "Two"), (("size", "small", "big"),))
    ]


@pytest.mark.parametrize("shown", ["zh-Hans", "both"])
def test_a_comparison_in_one_language_only(shown: Shown, phrases: Phrases) -> None:
    english = replace(ENTRY, sections={"en": ENTRY.sections["en"]})
    blocks = authored(english, ["one", "two"], voice(phrases, shown, ONE, TWO))
    assert paragraphs(blocks) == ["The gist."]
    assert notes(blocks) == ["暂时只有英文释义。"]


def test_a_side_that_is_no_concept_has_its_own_name(phrases: Phrases) -> None:
    memory = OtherSide({"en": ("Memory", "RAM"), "zh-Hans": ("显存", "内存")}, {"en": "a line", "zh-Hans": "一行"})
    entry = replace(ENTRY, sides=("one", memory))
    there = voice(phrases, "zh-Hans", ONE, TWO)
    assert authored(entry, [memory, "one"], there)[0] == Heading("显存 vs 甲")
    assert authored(entry, ["one", memory], there)[-1] == Table(("方面", "甲", "显存"), (("大小", "小", "大"),))


def test_side_by_side_says_what_can_be_said(phrases: Phrases) -> None:
    common = concept("common", "Common", zh=("共同",))
    one = replace(ONE, related=("common", "two"), topic="others")
    two = replace(TWO, related=("common",))
    glossary = Glossary([one, two, common], topics=[TOPIC, Topic("others", {"en": "Others", "zh-Hans": "其他"})])
    assert side_by_side([one, two], Voice(glossary, phrases, "en", "en")) == [
        Heading("One vs. Two"),
        Note("Nobody has written a comparison of these yet, so here they are side by side."),
        Field("One", "what one is"),
        Paragraph("Something that exists."),
        Field("Two", "what two is"),
        Paragraph("Something that exists."),
        Table(("Aspect", "One", "Two"), (("Topic", "Others", "Things"),)),
        Note("Both lead to: Common"),
    ]


def test_a_long_list_is_cut_to_what_a_button_holds(phrases: Phrases) -> None:
    ids = [f"concept-{number}" for number in range(30)]
    button = Button("x", voice(phrases).press("search", ids, page=999))
    assert len(button.request) <= 100
