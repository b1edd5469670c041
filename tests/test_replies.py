"""What becomes of a public answer: its asker deletes it, or asks for the same again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.answer import Field, Update
from bot.commands import Reply, run
from bot.glossary.concept import LANGUAGES
from bot.request import decode
from bot.state.ports import Channel
from tests.desks import BO, Desk, buttons, said
from tests.inspection import faults


def delete_button(reply: Reply) -> str | None:
    found = [b.request for b in buttons(reply.answer) if decode(b.request).action == "delete"]
    assert len(found) <= 1
    return found[0] if found else None


def pressed(desk: Desk, button: str, on: str = "m7") -> Reply:
    request = desk.request("delete", press=decode(button), by="button", public=True)
    return run(desk.situation(replace(request, on=on)))


ASKED = {
    "a definition": ("define", "slo"),
    "a comparison": ("vs", "slo sla"),
    "a choice": ("define", "drift"),
    "a miss": ("define", "zzqx"),
    "usage": ("define", ""),
    "a digest": ("explain", "TTFT and TPOT"),
    "a list": ("glossary", ""),
}


@pytest.mark.parametrize(("action", "text"), ASKED.values(), ids=ASKED)
def test_where_the_platform_wants_it_whoever_asked_can_delete(desk: Desk, action: str, text: str) -> None:
    there = desk.at(deletable=True, whispers=False)
    reply = there.bang(action, text)
    assert faults(reply.answer, desk.glossary, desk.phrases, public=True) == []
    button = delete_button(reply)
    assert button
    done = pressed(there, button)
    assert (done.answer.kind, done.answer.update) == ("silence", Update("m7", None))


def test_so_can_those_who_may_delete_anything_and_nobody_else(desk: Desk) -> None:
    button = delete_button(desk.at(deletable=True).bang("define", "slo"))
    assert button
    other = pressed(desk.at(person=BO), button)
    assert (other.answer.where, other.answer.update) == ("private", None)
    assert "asked" in said(other.answer)
    assert pressed(desk.at(person=BO, may_remove=True), button).answer.update == Update("m7", None)


def test_private_answers_and_other_platforms_have_no_such_button(desk: Desk) -> None:
    assert delete_button(desk.at(deletable=True).slash("define", "slo")) is None
    assert delete_button(desk.at(deletable=True).bang("lang")) is None
    assert delete_button(desk.bang("define", "slo")) is None
    assert delete_button(desk.at(deletable=True, may_set=True).slash("autoexplain", "all")) is None


def test_what_replaces_a_public_choice_can_be_deleted_by_the_same_person(desk: Desk) -> None:
    there = desk.at(deletable=True, whispers=False)
    choice = there.bang("define", "drift").answer
    chosen = there.press(buttons(choice)[0], public=True)
    assert chosen.answer.where == "replace"
    button = delete_button(chosen)
    assert button
    assert pressed(there, button).answer.update == Update("m7", None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_again_is_one_line_with_a_link(desk: Desk, language: str) -> None:
    there = desk.at(channel=Channel(language=language))
    request = replace(there.request("asked-before", by="text", public=True), link="https://example.org/1")
    answer = run(there.situation(request)).answer
    (line,) = answer.blocks
    assert isinstance(line, Field)
    assert (line.link, answer.where, buttons(answer)) == ("https://example.org/1", "public", [])
    assert faults(answer, desk.glossary, desk.phrases, public=True) == []
