"""What the answers to look-ups have in common: Share, the switch of language, and the way back."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer import Answer, Note
from bot.changes import SetLanguage
from bot.commands.showing import quote
from bot.glossary.concept import Language
from bot.glossary.glossary import Glossary
from bot.state.ports import Channel
from tests.desks import Desk, button, buttons, labels, menus, option, said
from tests.little import concept

LOOKED_UP = [("define", "slo"), ("vs", "slo sla"), ("vs", "slo kv cache"), ("vs", "kv cache vs memory")]


# -- Share --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "text"), LOOKED_UP)
@pytest.mark.parametrize(
    ("language", "channel", "label"),
    [
        ("en", None, "Share"),
        ("en", "en", "Share"),
        ("en", "zh-Hans", "Share in English"),
        ("zh-Hans", None, "发到频道"),
        ("zh-Hans", "zh-Hans", "发到频道"),
        ("both", "both", "Share"),
    ],
)
def test_share_names_the_language_where_the_channel_has_another(
    action: str, text: str, language: Any, channel: Any, label: str, desk: Desk
) -> None:
    there = desk.at(language=language, channel=Channel(language=channel))
    assert button(there.slash(action, text).answer, label)


@pytest.mark.parametrize(("action", "text"), LOOKED_UP)
def test_there_is_nothing_to_share_where_all_see_it_or_nobody_is(action: str, text: str, desk: Desk) -> None:
    assert "Share" not in labels(desk.bang(action, text).answer)
    assert "Share" not in labels(desk.at(direct=True).slash(action, text).answer)


# -- The switch of language ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "text"), LOOKED_UP)
@pytest.mark.parametrize(
    ("language", "label", "to", "saved", "unsaved"),
    [
        ("en", "中文", "zh-Hans", "以后用中文回答。", "已切换为中文，但暂时无法保存这个选择。"),
        (
            *("zh-Hans", "English", "en"),
            *("From now on in English.", "Here it is in English. I can't save that just now."),
        ),
    ],
)
def test_on_a_private_message_it_switches_in_place_and_saves(
    action: str, text: str, language: Any, label: str, to: Language, saved: str, unsaved: str, desk: Desk
) -> None:
    before = desk.at(language=language).slash(action, text).answer
    reply = desk.at(language=language).press(button(before, label))
    assert reply.changes == (SetLanguage(to),)
    assert reply.unsaved is not None
    for answer, sentence in ((reply.answer, saved), (reply.unsaved, unsaved)):
        assert (answer.kind, answer.concepts, answer.comparison) == (before.kind, before.concepts, before.comparison)
        assert (answer.language, answer.where) == (to, "replace")
        assert answer.blocks[-1] == Note(sentence)
        back = {"en": "中文", "zh-Hans": "English"}[to]
        assert button(answer, back)


@pytest.mark.parametrize(("action", "text"), LOOKED_UP)
@pytest.mark.parametrize(("channel", "label", "to"), [("en", "中文", "zh-Hans"), ("zh-Hans", "English", "en")])
def test_on_a_public_message_it_gives_a_copy_saves_nothing_and_offers_always(
    action: str, text: str, channel: Any, label: str, to: Language, desk: Desk
) -> None:
    there = desk.at(channel=Channel(language=channel))
    before = there.bang(action, text).answer
    reply = there.press(button(before, label), public=True)
    assert reply.changes == ()
    assert (reply.answer.where, reply.answer.language, reply.answer.concepts) == ("private", to, before.concepts)
    assert desk.phrases.say("language.saved", to) not in said(reply.answer)
    saving = there.press(button(reply.answer, desk.phrases.say(f"always.{to}", to)))
    assert saving.changes == (SetLanguage(to),)
    assert saving.answer.where == "replace"


def test_who_sees_both_has_no_switch(desk: Desk) -> None:
    answer = desk.at(language="both").slash("define", "slo").answer
    assert not {"English", "中文", "English only", "只看中文"} & set(labels(answer))


# -- Compare ------------------------------------------------------------------------------------------------------


def test_at_most_two_comparisons_are_offered(desk: Desk) -> None:
    others = [concept(f"other-{number}", f"Other {number}") for number in range(4)]
    many = concept("many", "Many", confusable_with=[other.id for other in others])
    answer = desk.at(glossary=Glossary([many, *others])).slash("define", "many").answer
    offered = [label for label in labels(answer) if label.startswith("Compare with")]
    assert offered == ["Compare with Other 0", "Compare with Other 1"]


# -- The way back -------------------------------------------------------------------------------------------------


def same(one: Answer, other: Answer) -> bool:
    return (one.kind, set(one.concepts), one.comparison) == (other.kind, set(other.concepts), other.comparison)


@pytest.mark.parametrize("language", ["en", "zh-Hans", "both"])
def test_from_a_choice_and_back(language: Any, desk: Desk) -> None:
    reader = desk.at(language=language)
    choice = reader.slash("define", "drift").answer
    for which in choice.concepts:
        shown = reader.press(option(choice, which)).answer
        back = reader.press(buttons(shown)[-1]).answer
        assert back.concepts == choice.concepts, "in the same order"
        assert same(back, choice)


def test_from_a_choice_of_two_and_back(desk: Desk) -> None:
    two = desk.at(glossary=Glossary([concept("data-drift", "Data drift"), concept("concept-drift", "Concept drift")]))
    choice = two.slash("define", "drift").answer
    for which in choice.concepts:
        shown = two.press(option(choice, which)).answer
        assert two.press(button(shown, "‹ Back")).answer.concepts == choice.concepts


def test_from_every_page_of_a_topic_and_back(desk: Desk) -> None:
    topic = desk.glossary.topics["serving-and-architecture"]
    page = desk.slash("glossary", topic.name["en"]).answer
    pages = 0
    while True:
        pages += 1
        for which in page.concepts:
            shown = desk.press(option(page, which)).answer
            assert same(desk.press(button(shown, f"‹ {topic.name['en']}")).answer, page)
        if "Next ›" not in labels(page):
            break
        page = desk.press(button(page, "Next ›")).answer
    assert pages > 1


def test_from_every_page_of_a_search_and_back(desk: Desk) -> None:
    page = desk.slash("glossary", "search model").answer
    while True:
        for which in page.concepts:
            shown = desk.press(option(page, which)).answer
            back = desk.press(button(shown, "‹ Back")).answer
            assert (back.kind, back.concepts) == ("list", page.concepts)
        if "Next ›" not in labels(page):
            break
        page = desk.press(button(page, "Next ›")).answer
    assert "‹ Previous" in labels(page)


def test_along_see_also_and_all_the_way_back(desk: Desk) -> None:
    """Each step has a way back to the one before, to the list that it began with."""
    topic = desk.slash("glossary", "LLM inference").answer
    trail = [desk.press(option(topic, topic.concepts[0])).answer]
    for _ in range(4):
        (menu,) = menus(trail[-1])
        trail.append(desk.press(menu.options[-1]).answer)
    answer = trail.pop()
    while trail:
        before = trail.pop()
        name = desk.glossary.concepts[before.concepts[0]].sections["en"].pref_label.text
        answer = desk.press(button(answer, f"‹ {name}")).answer
        assert same(answer, before)
    assert same(desk.press(button(answer, "‹ LLM inference")).answer, topic)


@pytest.mark.parametrize("text", ["slo sla", "slo kv cache", "fp16 bf16 int8", "kv cache vs memory"])
def test_from_a_side_back_to_the_comparison(text: str, desk: Desk) -> None:
    comparison = desk.slash("vs", text).answer
    for side in comparison.concepts:
        name = desk.glossary.concepts[side].sections["en"].pref_label.text
        shown = desk.press(button(comparison, name)).answer
        assert shown.concepts == (side,)
        back = desk.press(buttons(shown)[-1]).answer
        assert (back.kind, back.concepts) == ("comparison", comparison.concepts)


def test_from_a_definition_to_a_comparison_and_back(desk: Desk) -> None:
    definition = desk.slash("define", "slo").answer
    compared = desk.press(button(definition, "Compare with SLA")).answer
    assert same(desk.press(button(compared, "SLO")).answer, definition)


def test_from_a_random_term_to_the_glossary(desk: Desk) -> None:
    topics = desk.slash("glossary").answer
    shown = desk.press(button(topics, "A random term")).answer
    assert same(desk.press(button(shown, "All topics")).answer, topics)


def test_the_way_back_survives_a_switch_of_language(desk: Desk) -> None:
    choice = desk.slash("define", "drift").answer
    shown = desk.press(option(choice, "data-drift")).answer
    switched = desk.press(button(shown, "中文")).answer
    assert switched.language == "zh-Hans"
    assert same(desk.press(button(switched, desk.phrases.say("back", "zh-Hans"))).answer, choice)


# -- Quotes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "quoted"),
    [("slo", "slo"), ("x" * 60, "x" * 60), ("x" * 61, "x" * 59 + "…"), ("量" * 100, "量" * 59 + "…")],
)
def test_only_the_beginning_of_a_long_text_is_quoted(typed: str, quoted: str) -> None:
    assert quote(typed) == quoted
