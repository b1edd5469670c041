"""`glossary`: topics, their concepts in pages, search in both languages, and one at random."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer import Heading, Item
from bot.glossary.glossary import Glossary
from tests.desks import Desk, button, labels, option, said
from tests.little import concept


def items(answer: Any) -> list[Item]:
    return [block for block in answer.blocks if isinstance(block, Item)]


@pytest.mark.parametrize(
    ("language", "title", "size"),
    [("en", "Glossary", "{} terms in English and Chinese"), ("zh-Hans", "术语表", "共 {} 个术语，中英双语")],
)
def test_alone_it_shows_all_topics(language: Any, title: str, size: str, desk: Desk) -> None:
    answer = desk.at(language=language).slash("glossary").answer
    assert (answer.kind, answer.where) == ("list", "private")
    assert answer.blocks[0] == Heading(title, size.format(len(desk.glossary.concepts)))
    names = [topic.name[language] for topic in desk.glossary.topics.values()]
    assert [item.label for item in items(answer)] == names


def test_every_concept_is_found_by_its_topic(desk: Desk) -> None:
    found: list[str] = []
    for item in items(desk.slash("glossary").answer):
        assert item.button
        page = desk.press(item.button).answer
        found += page.concepts
        while "Next ›" in labels(page):
            page = desk.press(button(page, "Next ›")).answer
            found += page.concepts
    assert sorted(found) == sorted(desk.glossary.concepts)


@pytest.mark.parametrize(
    "text", ["llm-inference", "LLM Inference", "llm inference?", "LLM 推理", "ＬＬＭ 推理", "“LLM inference”"]
)
def test_a_topic_by_its_id_or_either_name(text: str, desk: Desk) -> None:
    answer = desk.slash("glossary", text).answer
    assert answer.kind == "list"
    assert {desk.glossary.concepts[concept].topic for concept in answer.concepts} == {"llm-inference"}


def test_pages_say_where_one_is(desk: Desk) -> None:
    first = desk.slash("glossary", "serving-and-architecture").answer
    assert isinstance(first.blocks[0], Heading)
    assert "page 1 of" in first.blocks[0].detail
    assert len(items(first)) == 6
    assert "‹ Previous" not in labels(first)
    second = desk.press(button(first, "Next ›")).answer
    assert "page 2 of" in said(second)
    assert not set(first.concepts) & set(second.concepts)
    assert desk.press(button(second, "‹ Previous")).answer.blocks == first.blocks
    assert desk.press(button(second, "All topics")).answer.blocks == desk.slash("glossary").answer.blocks


def test_a_page_that_is_no_longer_there_is_the_last_one(desk: Desk) -> None:
    few = desk.at(glossary=Glossary([concept("a", "A")], topics=[desk.glossary.topics["llm-inference"]]))
    last = desk.press(button(desk.slash("glossary", "llm-inference").answer, "Next ›").request.replace(".1", ".99"))
    assert last.answer.concepts
    assert "Next ›" not in labels(last.answer)
    assert few.press(button(desk.slash("glossary", "llm-inference").answer, "Next ›")).answer.concepts == ()


# -- Search -------------------------------------------------------------------------------------------------------

SEARCHES = [
    *("search quantization", "Find quantization", "quantization error", "search: 量化", "quantization"),
    *("搜索 量化", "查找：量化", "搜索量化", "搜尋 量化"),
]


@pytest.mark.parametrize("text", SEARCHES)
def test_search_finds_labels_and_definitions(text: str, desk: Desk) -> None:
    answer = desk.slash("glossary", text).answer
    assert answer.kind == "list"
    for found in answer.concepts:
        words = " ".join(
            f"{section.summary} {section.definition} {[label.text for label in section.labels()]}"
            for section in desk.glossary.concepts[found].sections.values()
        )
        assert "quantiz" in words.lower() or "量化" in words


@pytest.mark.parametrize(("language", "heading"), [("en", "Found for “latency”"), ("zh-Hans", "“latency”的搜索结果")])
def test_the_words_stand_over_what_they_found(language: Any, heading: str, desk: Desk) -> None:
    answer = desk.at(language=language).slash("glossary", "search latency").answer
    assert isinstance(answer.blocks[0], Heading)
    assert answer.blocks[0].text == heading


def test_for_all_they_are_not_repeated(desk: Desk) -> None:
    answer = desk.bang("glossary", "search laTENcy").answer
    assert (answer.kind, answer.where) == ("list", "public")
    assert said(answer).startswith("Found in labels and definitions")
    assert "laTENcy" not in said(answer)


def test_what_does_not_fit_is_said(desk: Desk) -> None:
    first = desk.slash("glossary", "search model").answer
    assert "These are the first 9; there are more." in said(first)
    second = desk.press(button(first, "Next ›")).answer
    assert len({*first.concepts, *second.concepts}) == 9
    assert "there are more" in said(second)
    assert "Next ›" not in labels(second)
    assert desk.press(button(second, "‹ Previous")).answer.concepts == first.concepts


@pytest.mark.parametrize("text", ["search", "search  ", "搜索", "search ?", "find"])
def test_a_search_for_nothing_gets_the_usage(text: str, desk: Desk) -> None:
    answer = desk.slash("glossary", text).answer
    assert (answer.kind, answer.error) == ("error", "usage")
    assert "/glossary search " in said(answer)


@pytest.mark.parametrize(
    ("how", "whispers", "sentence"),
    [
        ("slash", True, "Nothing in the glossary mentions “zzqx”."),
        ("bang", True, "Nothing in the glossary mentions “zzqx”."),
        ("bang", False, "Nothing in the glossary mentions that."),
    ],
)
def test_nothing_found(how: str, whispers: bool, sentence: str, desk: Desk) -> None:
    answer = getattr(desk.at(whispers=whispers), how)("glossary", "search zzqx").answer
    assert (answer.kind, answer.unknown, said(answer)) == ("unknown", ("zzqx",), sentence)
    assert (answer.where == "public") == (not whispers)
    assert labels(answer) == ["Browse the glossary"]


# -- Random -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["random", "Random", "随机", "隨機", "surprise me"])
def test_at_random_by_either_word(text: str, desk: Desk) -> None:
    assert desk.slash("glossary", text).answer.kind == "definition"


def test_chance_reaches_every_concept_and_nothing_else(desk: Desk) -> None:
    size = len(desk.glossary.concepts)
    shown = [
        desk.at(chance=(number + 0.5) / size).slash("glossary", "random").answer.concepts[0] for number in range(size)
    ]
    assert shown == list(desk.glossary.concepts)
    assert desk.at(chance=0.9999999).slash("glossary", "random").answer.concepts == (shown[-1],)


def test_an_empty_glossary_has_nothing_at_random(desk: Desk) -> None:
    empty = desk.at(glossary=Glossary(()))
    assert empty.slash("glossary", "random").answer.kind == "error"
    assert empty.slash("glossary").answer.kind == "list"


def test_every_line_leads_to_its_concept(desk: Desk) -> None:
    answer = desk.slash("glossary", "fundamentals").answer
    for which in answer.concepts:
        assert desk.press(option(answer, which)).answer.concepts == (which,)
