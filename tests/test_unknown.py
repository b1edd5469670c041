"""What isn't in the glossary: said plainly, and counted only where rule 10 of the design allows it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answer import Note
from bot.changes import CountMiss
from bot.commands import Reply, run
from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary
from bot.request import Request
from tests.desks import ANA, CHANNEL, Desk, button, buttons, said
from tests.little import concept
from tests.texts import any_text


def test_unknown_is_said_plainly(desk: Desk) -> None:
    answer = desk.slash("define", "what is zzqx?").answer
    assert (answer.kind, answer.unknown, answer.where) == ("unknown", ("zzqx",), "private")
    first, second = said(answer).splitlines()
    assert first == "“zzqx” isn't in the glossary."
    assert second == "Counted for the glossary's owners, without your name."


def test_in_chinese_too(desk: Desk) -> None:
    answer = desk.at(language="zh-Hans").slash("define", "what is zzqx?").answer
    assert answer.unknown == ("zzqx",)
    names = desk.phrases.say("quoted", "zh-Hans", text="zzqx")
    assert said(answer).splitlines()[0] == desk.phrases.say("unknown", "zh-Hans", names=names, count=1)


def test_what_is_near_is_offered_and_clearly_no_answer(desk: Desk) -> None:
    answer = desk.slash("define", "SLX").answer
    assert (answer.kind, set(answer.concepts)) == ("unknown", {"slo", "sla", "sli"})
    assert said(answer).endswith("Close:")
    for near, choice in zip(answer.concepts, buttons(answer), strict=False):
        assert desk.glossary.concepts[near].sections["en"].definition not in said(answer)
        assert desk.press(choice).answer.concepts == (near,)


def test_definitions_that_have_the_word_can_be_searched(desk: Desk) -> None:
    mentioning = [concept(f"c{number}", f"Label {number}", text="One of zzqx.") for number in range(12)]
    there = desk.at(glossary=Glossary([*mentioning, concept("other", "Other")]))
    answer = there.slash("define", "zzqx").answer
    assert (answer.kind, answer.concepts) == ("unknown", ())
    found = there.press(button(answer, "Search definitions")).answer
    assert (found.kind, found.where) == ("list", "replace")
    assert "These are the first 9; there are more." in said(found)


def test_nothing_is_close_to_nothing(desk: Desk) -> None:
    answer = desk.slash("define", "zzqx").answer
    assert (answer.concepts, answer.buttons) == ((), ())
    assert "Close:" not in said(answer)


@pytest.mark.parametrize("how", ["bang", "mention"])
def test_where_the_platform_can_whisper_a_miss_is_nobody_elses(how: str, desk: Desk) -> None:
    there = desk.at(language="zh-Hans")
    answer = (there.mention("zzqx") if how == "mention" else there.bang("define", "zzqx")).answer
    assert (answer.kind, answer.where, answer.language) == ("unknown", "private", "zh-Hans")
    assert "“zzqx”" in said(answer)


@pytest.mark.parametrize(("text", "language"), [("zzqx", "en"), ("zzqx 是什么", "zh-Hans")])
def test_where_it_can_not_the_line_is_neutral(text: str, language: Any, desk: Desk) -> None:
    answer = desk.at(whispers=False).bang("define", text).answer
    assert (answer.kind, answer.where) == ("unknown", "public")
    assert said(answer).splitlines()[0] == desk.phrases.say("unknown.public", language)
    assert "zzqx" not in said(answer)


# -- Counting -----------------------------------------------------------------------------------------------------


def counted(reply: Reply) -> list[str]:
    """What is counted; the answer says so where it's anything, and only there."""
    texts = [change.text for change in reply.changes if isinstance(change, CountMiss)]
    notes = [block for block in reply.answer.blocks if isinstance(block, Note)]
    assert bool(texts) == bool(notes and reply.answer.kind == "unknown")
    return texts


WHO: dict[str, tuple[str, str, dict[str, Any], bool]] = {
    "slash": ("define", "zzqx", {"by": "slash"}, True),
    "text": ("define", "zzqx", {"by": "text", "public": True}, True),
    "vs": ("vs", "slo vs zzqx", {"by": "slash"}, True),
    "mention": ("mention", "zzqx", {"by": "mention", "public": True}, False),
    "mention of a command": ("mention", "define zzqx", {"by": "mention", "public": True}, False),
    "direct message": ("mention", "zzqx", {"by": "mention", "public": True, "direct": True}, False),
    "slash in a direct conversation": ("define", "zzqx", {"by": "slash", "direct": True}, False),
    "the word of the bot": ("jargonaut", "zzqx", {"by": "slash"}, False),
    "a search": ("glossary", "search zzqx", {"by": "slash"}, False),
    "a message": ("message", "zzqx", {"by": "text", "public": True}, False),
}


@pytest.mark.parametrize(("action", "text", "how", "counts"), WHO.values(), ids=WHO)
def test_only_typed_look_ups_are_counted(action: str, text: str, how: dict[str, Any], counts: bool, desk: Desk) -> None:
    reply = run(desk.situation(Request(ANA, CHANNEL, action, text, **how)))
    assert counted(reply) == (["zzqx"] if counts else [])


@pytest.mark.parametrize("setting", ["keep_misses", "reachable"])
def test_nothing_is_counted_where_that_is_off_or_impossible(setting: str, desk: Desk) -> None:
    assert counted(desk.at(**{setting: False}).slash("define", "zzqx")) == []


TEXTS: dict[str, tuple[str, list[str]]] = {
    "folded": ("Ｚzqx-Qq", ["zzqx qq"]),
    "of a question": ("what is zzqx?", ["zzqx"]),
    "40 characters": ("z" * 40, ["z" * 40]),
    "41 characters": ("z" * 41, []),
    "five words": ("zq zq2 zq3 zq4 zq5", ["zq zq2 zq3 zq4 zq5"]),
    "six words": ("zq zq2 zq3 zq4 zq5 zq6", []),
    "mail address": ("zz@qx.test", []),
    "full-width mail address": ("zz＠qx.test", []),
    "web address": ("http://zzqx", []),
    "web address without scheme": ("www.zzqx.test", []),
    "path": ("zzqx.io/private", []),
    "five digits": ("zzqx 12345", ["zzqx 12345"]),
    "six digits": ("zzqx 123456", []),
    "full-width digits": ("zzqx １２３４５６", []),
    "phone number": ("zzqx 138-0013", []),
    "number of a machine": ("10.20.30.40", []),
    "dots": ("zzqx.cpp", ["zzqx.cpp"]),
    "slash": ("zz/qx", ["zz/qx"]),
}


@pytest.mark.parametrize(("text", "kept"), TEXTS.values(), ids=TEXTS)
def test_what_is_kept_of_it(text: str, kept: list[str], desk: Desk) -> None:
    reply = desk.slash("define", text)
    assert reply.answer.kind == "unknown"
    assert counted(reply) == kept


def test_of_a_comparison_each_unknown_side_is_counted(desk: Desk) -> None:
    assert counted(desk.slash("vs", "zzqx vs slo vs qqzx")) == ["zzqx", "qqzx"]


@given(st.one_of(any_text, any_text.map("zzqx {}".format)))
def test_whatever_is_kept_is_short_folded_and_nobodys_address(desk: Desk, text: str) -> None:
    for action in ("define", "vs"):
        for kept in counted(desk.slash(action, text)):
            assert kept == fold(kept)
            assert 0 < len(kept) <= 40
            assert len(kept.split()) <= 5
            assert "@" not in kept
            assert "://" not in kept
