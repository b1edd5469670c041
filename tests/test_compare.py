"""`vs`: two or three sides, and what is asked for where one is missing, unknown or ambiguous."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from bot.answer import Heading, Kind, Note, Table
from bot.glossary.glossary import Glossary
from tests.desks import Desk, button, buttons, labels, option, said
from tests.little import concept
from tests.texts import any_text

COMPARED: dict[str, tuple[str, tuple[str, ...], str | None]] = {
    "authored": ("slo sla", ("slo", "sla"), "slo-vs-sla"),
    "turned": ("SLA vs. SLO", ("sla", "slo"), "slo-vs-sla"),
    "chinese": ("数据漂移和概念漂移", ("data-drift", "concept-drift"), "data-drift-vs-concept-drift"),
    "no separator": ("data drift concept drift", ("data-drift", "concept-drift"), "data-drift-vs-concept-drift"),
    "quoted": ("“SLO”与「SLA」", ("slo", "sla"), "slo-vs-sla"),
    "question": ("what is the difference between slo and sla", ("slo", "sla"), "slo-vs-sla"),
    "nobody wrote it": ("slo kv-cache", ("slo", "kv-cache"), None),
    "three": ("p99, qps, ttft", ("p99", "qps", "ttft"), None),
    "typo": ("speculativ decoding vs continous batching", ("speculative-decoding", "continuous-batching"), None),
}


@pytest.mark.parametrize(("text", "concepts", "entry"), COMPARED.values(), ids=COMPARED)
@pytest.mark.parametrize("how", ["slash", "bang"])
def test_sides_are_compared_in_the_order_typed(
    text: str, concepts: tuple[str, ...], entry: str | None, how: str, desk: Desk
) -> None:
    answer = getattr(desk, how)("vs", text).answer
    assert (answer.kind, answer.concepts, answer.comparison) == ("comparison", concepts, entry)


def test_columns_follow_the_order_typed(desk: Desk) -> None:
    tables = [
        next(block for block in desk.slash("vs", text).answer.blocks if isinstance(block, Table))
        for text in ("slo sla", "sla slo")
    ]
    assert [table.columns[1:] for table in tables] == [("SLO", "SLA"), ("SLA", "SLO")]
    assert [row[1:] for row in tables[0].rows] == [row[:0:-1] for row in tables[1].rows]


@pytest.mark.parametrize(("text", "title"), [("kv cache vs memory", "KV cache"), ("显存和 kv cache", "显存")])
def test_a_side_that_is_no_concept_counts_beside_its_other_side(text: str, title: str, desk: Desk) -> None:
    answer = desk.slash("vs", text).answer
    assert (answer.kind, answer.concepts, answer.comparison) == ("comparison", ("kv-cache",), "kv-cache-and-memory")
    assert isinstance(answer.blocks[0], Heading)
    assert answer.blocks[0].text.startswith(title)


def test_a_side_that_is_no_concept_is_unknown_elsewhere(desk: Desk) -> None:
    assert desk.slash("vs", "slo vs memory").answer.kind == "unknown"


def test_both_slips_are_said_to_the_asker_alone(desk: Desk) -> None:
    text = "speculativ decoding vs continous batching"
    private, public = desk.slash("vs", text).answer, desk.bang("vs", text).answer
    assert [block.text for block in private.blocks[:2] if isinstance(block, Note)] == [
        "Showing Speculative decoding for “speculativ decoding”.",
        "Showing Continuous batching for “continous batching”.",
    ]
    assert [block.text for block in public.blocks[:2] if isinstance(block, Note)] == [
        "Showing Speculative decoding.",
        "Showing Continuous batching.",
    ]


def test_a_third_can_be_added_and_a_fourth_not(desk: Desk) -> None:
    two = desk.slash("vs", "slo sla").answer
    three = desk.press(button(two, "Add SLI")).answer
    assert (three.kind, three.concepts) == ("comparison", ("slo", "sla", "sli"))
    assert not [label for label in labels(three) if label.startswith("Add ")]


@pytest.mark.parametrize(
    ("text", "fault", "key"),
    [
        ("", "missing", "usage.vs"),
        (" \u200b", "missing", "usage.vs"),
        ("vs", "missing", "usage.vs"),
        ("zzqx", "missing", "usage.vs"),
        ("slo sla sli qps", "usage", "usage.vs.many"),
        ("slo, sla, sli, qps, ttft", "usage", "usage.vs.many"),
        ("x" * 301, "usage", "too_long"),
    ],
    ids=["empty", "invisible", "separator", "unknown", "four", "five", "long"],
)
@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_usage(text: str, fault: str, key: str, language: Any, desk: Desk) -> None:
    answer = desk.at(language=language).slash("vs", text).answer
    assert (answer.kind, answer.error, answer.language) == ("error", fault, language)
    assert said(answer) == desk.phrases.say(key, language)


@pytest.mark.parametrize("text", ["slo", "slo vs", "vs SLO", "服务等级目标 和"])
def test_a_missing_side_is_asked_for_with_buttons_that_complete_it(text: str, desk: Desk) -> None:
    answer = desk.at(language="en").slash("vs", text).answer
    assert (answer.kind, answer.error, answer.concepts) == ("error", "missing", ("slo",))
    assert said(answer) == "Compare SLO with what?"
    assert 1 <= len(buttons(answer)) <= 4
    confusable = desk.glossary.concepts["slo"].confusable_with
    for number, choice in enumerate(buttons(answer)):
        compared = desk.press(choice).answer
        assert (compared.kind, compared.concepts[0]) == ("comparison", "slo")
        assert number >= len(confusable) or compared.concepts[1] == confusable[number]


SAME: dict[str, tuple[str, str]] = {
    "twice": ("slo vs slo", "Both sides are SLO."),
    "two names": ("slo vs service level objective", "SLO and Service level objective are names of one thing: SLO."),
    "languages": ("canary deployment vs 灰度发布", "one thing"),
    "plural": ("SLOs vs SLO", "Both sides are SLO."),
    "among three": ("slo sla slo", "Both sides are SLO."),
}


@pytest.mark.parametrize(("text", "sentence"), SAME.values(), ids=SAME)
def test_the_same_twice(text: str, sentence: str, desk: Desk) -> None:
    answer = desk.at(language="en").slash("vs", text).answer
    assert (answer.kind, answer.error, len(answer.concepts)) == ("error", "same", 1)
    assert sentence in said(answer)
    shown = [desk.press(choice).answer for choice in buttons(answer)[:2]]
    assert (shown[-1].kind if "sla" in text else shown[0].kind) == "definition"
    if "sla" in text:  # what is left can still be compared
        assert (shown[0].kind, shown[0].concepts) == ("comparison", ("slo", "sla"))


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("prefill vs decode", "prefill-decode"),
        ("top-k 和 top-p", "sampling-parameters"),
        ("预填充 解码", "prefill-decode"),
    ],
)
def test_two_parts_of_one_entry_get_that_entry(text: str, concept: str, desk: Desk) -> None:
    answer = desk.slash("vs", text).answer
    assert (answer.kind, answer.concepts) == ("definition", (concept,))


# -- Ambiguous sides ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "first"), [("drift vs slo", True), ("slo vs drift", False)])
def test_an_ambiguous_side_is_chosen_in_its_place(text: str, first: bool, desk: Desk) -> None:
    answer = desk.slash("vs", text).answer
    assert answer.kind == "choice"
    assert said(answer).startswith("“drift” can mean ")
    compared = desk.press(option(answer, "data-drift")).answer
    assert compared.kind == "comparison"
    assert compared.concepts == (("data-drift", "slo") if first else ("slo", "data-drift"))


def test_two_ambiguous_sides_are_chosen_one_after_the_other(desk: Desk) -> None:
    first = desk.slash("vs", "drift vs parallelism").answer
    second = desk.press(option(first, "concept-drift")).answer
    assert second.kind == "choice"
    assert said(second).startswith("Compare Concept drift with which one?")
    compared = desk.press(option(second, second.concepts[-1])).answer
    assert (compared.kind, compared.concepts) == ("comparison", ("concept-drift", second.concepts[-1]))


def test_a_certain_third_side_is_kept_meanwhile(desk: Desk) -> None:
    first = desk.slash("vs", "drift vs slo vs parallelism").answer
    second = desk.press(option(first, "concept-drift")).answer
    compared = desk.press(option(second, second.concepts[0])).answer
    assert compared.concepts == ("concept-drift", "slo", second.concepts[0])


@pytest.mark.parametrize("text", ["drift vs data drift", "data drift vs drift"])
def test_what_is_on_the_other_side_is_no_option(text: str, desk: Desk) -> None:
    answer = desk.slash("vs", text).answer
    assert answer.kind == "choice"
    assert "data-drift" not in answer.concepts
    for other in answer.concepts:
        compared = desk.press(option(answer, other)).answer
        assert (compared.kind, set(compared.concepts)) == ("comparison", {"data-drift", other})


@pytest.mark.parametrize("text", ["drift vs data drift", "concept drift vs drift"])
def test_the_only_option_that_is_left_is_compared_at_once(text: str, desk: Desk) -> None:
    two = Glossary([concept("data-drift", "Data drift"), concept("concept-drift", "Concept drift")])
    assert desk.at(glossary=two).slash("define", "drift").answer.kind == "choice"
    answer = desk.at(glossary=two).slash("vs", text).answer
    assert (answer.kind, answer.concepts) == ("comparison", ("concept-drift", "data-drift"))


def test_the_asker_settles_a_public_comparison(desk: Desk) -> None:
    question = desk.bang("vs", "drift vs parallelism").answer
    assert "“drift”" not in said(question)
    second = desk.press(option(question, "concept-drift"), public=True).answer
    assert (second.kind, second.where) == ("choice", "replace")
    compared = desk.press(option(second, second.concepts[0]), public=True).answer
    assert (compared.kind, compared.where) == ("comparison", "replace")
    assert "Share" not in labels(compared)


# -- Unknown sides ------------------------------------------------------------------------------------------------


def test_an_unknown_side_is_completed_with_buttons(desk: Desk) -> None:
    answer = desk.slash("vs", "slo vs SLX").answer
    assert (answer.kind, answer.unknown) == ("unknown", ("SLX",))
    assert said(answer).startswith("“SLX” isn't in the glossary.")
    compared = desk.press(button(answer, "SLO vs. SLA")).answer
    assert (compared.kind, compared.concepts) == ("comparison", ("slo", "sla"))
    assert desk.press(button(answer, "SLO")).answer.concepts == ("slo",)


def test_two_unknown_sides_are_both_named(desk: Desk) -> None:
    answer = desk.slash("vs", "zzqx vs qqzx").answer
    assert (answer.kind, answer.unknown) == ("unknown", ("zzqx", "qqzx"))
    assert said(answer).startswith("“zzqx”, “qqzx” aren't in the glossary.")


KINDS: tuple[Kind, ...] = ("comparison", "definition", "choice", "unknown", "error")


@given(any_text)
def test_any_text_gets_an_answer(desk: Desk, text: str) -> None:
    for reply in (desk.slash("vs", text), desk.at(whispers=False).bang("vs", text)):
        assert reply.answer.kind in KINDS
        assert reply.answer.blocks
        assert all(button.request.isascii() and len(button.request) <= 100 for button in buttons(reply.answer))
