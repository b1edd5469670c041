"""A private answer, posted for all: what was on the screen, and who shared it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer import Note
from bot.glossary.concept import code
from bot.state.ports import Channel
from tests.desks import BO, Desk, button, buttons, labels, said
from tests.inspection import faults

SHARE = {"en": "Share", "zh-Hans": "发到频道", "both": "Share"}
FOOTER = {"en": "Shared by Li Wei", "zh-Hans": "由 Li Wei 分享", "both": "Shared by Li Wei"}


@pytest.mark.parametrize("language", SHARE)
@pytest.mark.parametrize(("action", "text"), [("define", "slo"), ("vs", "slo sla"), ("vs", "kv cache vs memory")])
def test_what_was_on_the_screen_is_posted_with_a_footer(action: str, text: str, language: Any, desk: Desk) -> None:
    ana = desk.at(language=language, name="Li Wei")
    screen = ana.slash(action, text).answer
    reply = ana.press(button(screen, SHARE[language]))
    assert reply.changes == ()
    shared = reply.answer
    assert (shared.where, shared.kind, shared.language) == ("public", screen.kind, language)
    assert shared.blocks == (*screen.blocks, Note(FOOTER[language]))
    assert faults(shared, desk.glossary, desk.phrases, public=True) == []


def test_the_screen_counts_not_what_was_chosen_since(desk: Desk) -> None:
    screen = desk.at(language="en").slash("define", "slo").answer
    later = desk.at(language="zh-Hans", channel=Channel(language="zh-Hans"))
    shared = later.press(button(screen, "Share")).answer
    assert (shared.language, shared.blocks) == ("en", screen.blocks)


def test_both_languages_that_nobody_chose_are_shared_both(desk: Desk) -> None:
    ana = desk.at(locale="en")
    screen = ana.slash("define", "连续批处理").answer
    assert screen.language == "both"
    shared = ana.press(button(screen, "发到频道")).answer
    assert (shared.language, shared.chrome, shared.where) == ("both", "zh-Hans", "public")


def test_a_chinese_answer_to_somebody_with_an_english_platform_is_shared_in_chinese(desk: Desk) -> None:
    ana = desk.at(locale="en")
    screen = ana.slash("define", "连续批处理是什么").answer
    assert ana.press(button(screen, "发到频道")).answer.language == "zh-Hans"


def test_a_correction_is_the_askers_own(desk: Desk) -> None:
    screen = desk.slash("define", "speculativ decoding").answer
    shared = desk.press(button(screen, "Share")).answer
    assert "speculativ decoding" not in said(shared)
    assert "Not what I meant" not in labels(shared)


def test_what_is_shared_changes_nobodys_language(desk: Desk) -> None:
    reply = desk.press(f"j1:share:z!:{code('slo')}")
    assert (reply.answer.where, reply.answer.language, reply.changes) == ("public", "zh-Hans", ())
    assert desk.phrases.say("language.saved", "zh-Hans") not in said(reply.answer)


def test_without_a_name_there_is_no_footer(desk: Desk) -> None:
    screen = desk.slash("define", "slo").answer
    assert desk.press(button(screen, "Share")).answer.blocks == screen.blocks


def test_what_is_shared_answers_its_readers_privately(desk: Desk) -> None:
    ana = desk.at(name="Li Wei")
    shared = ana.press(button(ana.slash("define", "slo").answer, "Share")).answer
    for reader in (ana, desk.at(person=BO)):
        for pressed in buttons(shared):
            assert reader.press(pressed, public=True).answer.where == "private"
