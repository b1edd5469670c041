"""Where an answer goes: rule 3 of the design as a table."""

from __future__ import annotations

import pytest

from bot.answer import Where
from bot.commands.answering import place_of, pressed_concepts
from bot.glossary.concept import code
from bot.request import Press, Request, encode, short_hash
from tests.desks import ANA, BO, CHANNEL, Desk, said

MINE, OTHERS = short_hash(ANA), short_hash(BO)
ANYWHERE = ("define", "vs", "glossary", "topic", "search", "random", "side", "found", "not", "lang", "panel", "help")
SETTLING = ("option", "option-vs", "pick", "choose")


@pytest.mark.parametrize("public", [False, True])
def test_what_is_typed_is_as_public_as_it_was_asked(public: bool, desk: Desk) -> None:
    request = Request(ANA, CHANNEL, "define", "slo", by="text", public=public)
    assert place_of(desk.situation(request)) == ("public" if public else "private")


def place(desk: Desk, press: Press, *, public: bool) -> Where:
    return place_of(desk.situation(Request(ANA, CHANNEL, press.action, press=press, by="button", public=public)))


@pytest.mark.parametrize("action", [*ANYWHERE, *SETTLING])
def test_a_button_on_a_private_message_replaces_it(action: str, desk: Desk) -> None:
    assert place(desk, Press(action), public=False) == "replace"


@pytest.mark.parametrize("action", ANYWHERE)
@pytest.mark.parametrize("asker", ["", MINE, OTHERS], ids=["nobody", "mine", "other"])
def test_a_button_on_a_public_message_answers_privately(action: str, asker: str, desk: Desk) -> None:
    assert place(desk, Press(action, asker=asker), public=True) == "private"


@pytest.mark.parametrize("action", SETTLING)
def test_a_choice_replaces_a_public_question_if_the_asker_makes_it(action: str, desk: Desk) -> None:
    assert place(desk, Press(action, asker=MINE), public=True) == "replace"
    assert place(desk, Press(action, asker=OTHERS), public=True) == "private"
    assert place(desk, Press(action), public=True) == "private"
    switching = Press(action, language="en", switch=True, asker=MINE)
    assert place(desk, switching, public=True) == "private"


def test_what_is_shared_is_public(desk: Desk) -> None:
    assert place(desk, Press("share"), public=False) == "public"


@pytest.mark.parametrize("action", ["define", "option", "found", "side", "vs", "share", "share-vs", "choose", "pick"])
@pytest.mark.parametrize("public", [False, True])
def test_a_concept_that_is_gone(action: str, public: bool, desk: Desk) -> None:
    """Polite, and private even if it was to be shared; a private message that is still right isn't taken away."""
    press = Press(action, (code("no-longer-there"),), 1, "zh-Hans", asker=MINE if public else "")
    answer = desk.press(encode(press), public=public).answer
    assert (answer.kind, answer.where, answer.language) == ("error", "private", "zh-Hans")
    assert said(answer) == "该词条已从术语表移除。"


@pytest.mark.parametrize("action", ["vs", "share-vs", "option-vs"])
def test_a_comparison_needs_all_its_sides(action: str, desk: Desk) -> None:
    answer = desk.press(encode(Press(action, (code("slo"), code("no-longer-there"))))).answer
    assert (answer.kind, said(answer)) == ("error", "That entry is no longer in the glossary.")


def test_a_list_goes_on_without_what_is_gone(desk: Desk) -> None:
    press = Press("choose", (code("slo"), code("no-longer-there"), code("sla")))
    answer = desk.press(encode(press)).answer
    assert (answer.kind, answer.concepts) == ("choice", ("slo", "sla"))
    request = Request(ANA, CHANNEL, "choose", press=press, by="button")
    assert pressed_concepts(desk.situation(request)) == ["slo", "sla"]


@pytest.mark.parametrize("string", ["j1:explain::", "j1:settings.2:z:"])
def test_a_button_of_a_later_version(string: str, desk: Desk) -> None:
    answer = desk.press(string).answer
    assert (answer.kind, answer.error) == ("error", "usage")
