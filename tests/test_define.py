"""`define`: a label or a question in, a definition, a choice, a list or a hint out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from bot.answer import Item, Kind, Paragraph
from bot.commands import run
from bot.glossary.questions import MAX_QUESTION
from bot.request import Request
from tests.desks import ANA, CHANNEL, Desk, button, buttons, labels, option, said
from tests.texts import any_text

KINDS: dict[str, tuple[str, Kind, tuple[str, ...]]] = {
    "label": ("SLO", "definition", ("slo",)),
    "question": ("what does TTFT stand for?", "definition", ("ttft",)),
    "chinese question": ("什么是连续批处理？", "definition", ("continuous-batching",)),
    "typo": ("speculativ decoding", "definition", ("speculative-decoding",)),
    "comparison": ("slo vs sla", "comparison", ("slo", "sla")),
    "difference": ("difference between SLO and SLA", "comparison", ("slo", "sla")),
    "chinese difference": ("SLO 和 SLA 的区别", "comparison", ("slo", "sla")),
    "two labels": ("TTFT and TPOT", "list", ("ttft", "tpot")),
    "two chinese labels": ("量化、剪枝", "list", ("quantization", "pruning")),
    "code": ("SLX", "unknown", ("sla", "sli", "slo")),
    "nothing": ("zzqx", "unknown", ()),
}


@pytest.mark.parametrize(("text", "kind", "concepts"), KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("how", ["slash", "bang"])
def test_what_is_understood(text: str, kind: Kind, concepts: tuple[str, ...], how: str, desk: Desk) -> None:
    """Whoever is in a hurry is understood: `define` takes whatever a mention takes."""
    answer = getattr(desk, how)("define", text).answer
    assert answer.kind == kind
    assert sorted(answer.concepts) == sorted(concepts) if kind == "unknown" else answer.concepts == concepts


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("text", ["", "  ", "\u200b\ufeff", "\u3000", "\u0000"], ids=ascii)
def test_nothing_typed_gets_the_usage(text: str, language: Any, desk: Desk) -> None:
    answer = desk.at(language=language).slash("define", text).answer
    assert (answer.kind, answer.error) == ("error", "usage")
    example = {"en": "/define continuous batching", "zh-Hans": "/define 连续批处理"}[language]
    assert example in said(answer)
    assert len(answer.buttons) == 2


@pytest.mark.parametrize(
    "text", ["a" * (MAX_QUESTION + 1), "SLO " * 10_000, "量" * 40_000], ids=["letters", "labels", "han"]
)
def test_what_is_too_long_is_said_to_be(text: str, desk: Desk) -> None:
    answer = desk.slash("define", text).answer
    assert (answer.kind, answer.error) == ("error", "usage")
    assert said(answer) == desk.phrases.say("too_long", answer.chrome)


# -- A bare Chinese label -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["连续批处理", "連續批次處理", " 量化？", "首字延迟"])
def test_a_bare_chinese_label_from_an_english_platform_gets_both_languages(text: str, desk: Desk) -> None:
    answer = desk.at(locale="en").slash("define", text).answer
    assert (answer.kind, answer.language) == ("definition", "both")
    assert len([block for block in answer.blocks if isinstance(block, Paragraph)]) == 2
    for label, language in (("English only", "en"), ("只看中文", "zh-Hans")):
        pressed = desk.at(locale="en").press(button(answer, label)).answer
        assert (pressed.kind, pressed.language, pressed.concepts) == ("definition", language, answer.concepts)


ONE_LANGUAGE: dict[str, tuple[dict[str, Any], str, str]] = {
    "unknown platform": ({}, "连续批处理", "zh-Hans"),
    "chinese platform": ({"locale": "zh-Hans"}, "连续批处理", "zh-Hans"),
    "chose english": ({"locale": "en", "language": "en"}, "连续批处理", "en"),
    "chose chinese": ({"locale": "en", "language": "zh-Hans"}, "连续批处理", "zh-Hans"),
    "a question": ({"locale": "en"}, "连续批处理是什么", "zh-Hans"),
    "a latin label": ({"locale": "en"}, "continuous batching", "en"),
    "a slip": ({"locale": "en"}, "联续批处理", "zh-Hans"),
}


@pytest.mark.parametrize(("settings", "text", "language"), ONE_LANGUAGE.values(), ids=ONE_LANGUAGE)
def test_otherwise_it_is_one_language(settings: dict[str, Any], text: str, language: str, desk: Desk) -> None:
    answer = desk.at(**settings).slash("define", text).answer
    assert (answer.kind, answer.language, answer.concepts) == ("definition", language, ("continuous-batching",))
    assert "English only" not in labels(answer)


def test_who_asks_with_a_chinese_command_reads_chinese(desk: Desk) -> None:
    request = Request(ANA, CHANNEL, "define", "连续批处理", "查", locale="en")
    assert run(desk.situation(request)).answer.language == "zh-Hans"


def test_for_all_a_bare_chinese_label_is_a_chinese_question(desk: Desk) -> None:
    assert desk.at(locale="en").bang("define", "连续批处理").answer.language == "zh-Hans"


# -- A typo -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "label"), [("en", "Speculative decoding"), ("zh-Hans", "投机解码")])
def test_a_typo_is_said(language: Any, label: str, desk: Desk) -> None:
    answer = desk.at(language=language).slash("define", "speculativ decoding").answer
    note = desk.phrases.say("showing.for", language, label=label, typed="speculativ decoding")
    assert "“speculativ decoding”" in note
    assert said(answer).startswith(note + "\n")
    not_meant = button(answer, desk.phrases.say("not_meant", language))
    other = desk.at(language=language).press(not_meant).answer
    assert other.kind == "unknown"
    assert "speculative-decoding" not in other.concepts


def test_for_all_a_typo_is_said_without_repeating_it(desk: Desk) -> None:
    answer = desk.bang("define", "speculativ decoding").answer
    assert said(answer).startswith("Showing Speculative decoding.\n")
    assert "speculativ decoding" not in said(answer)


def test_what_is_spelt_right_is_not_corrected(desk: Desk) -> None:
    for concept in desk.glossary.concepts.values():
        for label in concept.labels():
            answer = desk.slash("define", label.text).answer
            assert answer.kind in ("definition", "choice"), label.text
            assert concept.id in answer.concepts, label.text
            assert "Not what I meant" not in labels(answer), label.text


# -- A choice -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh-Hans", "both"])
def test_a_choice_has_one_line_per_meaning(language: Any, desk: Desk) -> None:
    answer = desk.at(language=language).slash("define", "drift").answer
    assert answer.kind == "choice"
    assert {"data-drift", "concept-drift", "model-drift"} <= set(answer.concepts)
    number = desk.phrases.say(f"number.{len(answer.concepts)}", answer.chrome)
    question = desk.phrases.say("choice.typed", answer.chrome, typed="drift", count=number)
    assert said(answer).splitlines()[0] == question
    items = [block for block in answer.blocks if isinstance(block, Item)]
    assert len(items) == len(answer.concepts)
    for item, concept in zip(items, answer.concepts, strict=True):
        sections = desk.glossary.concepts[concept].sections
        assert all(section.pref_label.text in item.label for section in sections.values())
        shown = ["en", "zh-Hans"] if language == "both" else [language]
        assert [section.summary in item.summary for tag, section in sections.items()] == [
            tag in shown for tag in sections
        ]


def test_a_choice_for_all_does_not_repeat_what_was_typed(desk: Desk) -> None:
    answer = desk.bang("define", "dRiFt").answer
    assert (answer.kind, answer.where) == ("choice", "public")
    assert "dRiFt" not in said(answer)
    assert said(answer).startswith("That can mean ")


def test_the_asker_settles_a_public_choice_and_can_go_back(desk: Desk) -> None:
    question = desk.bang("define", "drift").answer
    settled = desk.press(option(question, "concept-drift"), public=True).answer
    assert (settled.kind, settled.where, settled.concepts) == ("definition", "replace", ("concept-drift",))
    again = desk.press(button(settled, "‹ Back"), public=True).answer
    assert (again.kind, again.where, again.concepts) == ("choice", "replace", question.concepts)


# -- Several at once ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "count", "compare"),
    [("TTFT, TPOT", 2, True), ("TTFT, TPOT, QPS", 3, True), ("TTFT, TPOT, QPS, SLO", 4, False)],
)
def test_several_labels_get_their_summaries(text: str, count: int, compare: bool, desk: Desk) -> None:
    answer = desk.slash("define", text).answer
    assert (answer.kind, len(answer.concepts)) == ("list", count)
    for concept in answer.concepts:
        assert desk.glossary.concepts[concept].sections["en"].summary in said(answer)
        assert desk.press(option(answer, concept)).answer.concepts == (concept,)
    assert ("Compare" in labels(answer)) == compare
    if compare:
        compared = desk.press(button(answer, "Compare")).answer
        assert (compared.kind, compared.concepts) == ("comparison", answer.concepts)


# -- Any text -----------------------------------------------------------------------------------------------------


@given(any_text)
def test_any_text_gets_an_answer(desk: Desk, text: str) -> None:
    for reply in (desk.slash("define", text), desk.at(whispers=False).bang("define", text)):
        assert reply.answer.kind in ("definition", "comparison", "choice", "list", "unknown", "error")
        assert reply.answer.blocks
        assert all(button.request.isascii() and len(button.request) <= 100 for button in buttons(reply.answer))
