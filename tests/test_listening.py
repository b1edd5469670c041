"""Where the bot can't read, and what it says when it's invited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.commands import run
from bot.glossary.concept import LANGUAGES
from bot.request import Place, decode
from bot.state.ports import Channel
from tests.desks import CHANNEL, Desk, buttons, labels, said
from tests.inspection import faults

REASONS = ("not-member", "not-allowed")
PLATFORMS = ("slack", "discord")


def asked(desk: Desk, platform: str, action: str, text: str = "") -> str:
    """What is said where the platform is another one."""
    request = desk.request(action, text=text)
    return said(run(desk.situation(replace(request, place=Place(platform, "T1", "C1")))).answer)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("hears", REASONS)
def test_each_reason_says_what_to_do_on_each_platform(desk: Desk, hears: str, platform: str, language: str) -> None:
    there = desk.at(hears=hears, language=language, may_set=True)
    says = asked(there, platform, "unreadable")
    remedy = {
        ("slack", "not-member"): "/invite @jargonaut",
        ("slack", "not-allowed"): "jargonaut slack manifest --read-messages",
        ("discord", "not-member"): "View Channel" if language == "en" else "查看频道",
        ("discord", "not-allowed"): "Message Content Intent",
    }[platform, hears]
    assert remedy in says
    assert "/explain" in says, "what works all the same"
    assert remedy in asked(there, platform, "autoexplain", "threads")
    assert "/explain" not in asked(there, platform, "autoexplain", "threads")
    assert remedy in asked(there, platform, "autoexplain")


@pytest.mark.parametrize("hears", REASONS)
def test_notes_go_on_only_where_messages_can_be_read(desk: Desk, hears: str) -> None:
    there = desk.at(hears=hears, may_set=True, name="Ana")
    for reply in (there.slash("autoexplain", "threads"), there.slash("autoexplain", "all zh"), there.bang("auto-all")):
        assert (reply.changes, reply.answer.where) == ((), "private")
        assert faults(reply.answer, desk.glossary, desk.phrases) == []
    on = there.at(channel=Channel("all"))
    assert on.slash("autoexplain", "off").changes != ()
    actions = [decode(button.request).action for button in buttons(on.slash("autoexplain").answer)]
    assert "auto-off" in actions
    assert {"auto-threads", "auto-all"}.isdisjoint(actions)


def test_who_may_not_set_is_told_that_first(desk: Desk) -> None:
    says = said(desk.at(hears="not-member").slash("autoexplain", "threads").answer)
    assert says == desk.phrases.say("auto.may_not", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_invites_is_asked_once(desk: Desk, language: str) -> None:
    answer = desk.at(language=language, may_set=True).slash("welcome").answer
    assert answer.where == "private"
    assert faults(answer, desk.glossary, desk.phrases) == []
    assert [decode(button.request).action for button in buttons(answer)] == ["auto-threads", "auto-all", "auto-no"]
    assert labels(answer) == (
        ["In threads", "Everywhere", "No"] if language == "en" else ["仅消息列", "所有消息", "不用"]
    )


def test_whoever_may_not_set_it_isnt_asked_whether_to_explain_unasked(desk: Desk) -> None:
    answer = desk.slash("welcome").answer
    assert said(answer) == "Ask me here with @jargonaut or !define."
    assert answer.buttons == ()


def test_where_nothing_can_be_read_nothing_is_offered(desk: Desk) -> None:
    answer = desk.at(hears="not-allowed", may_set=True).slash("welcome").answer
    assert said(answer) == "Ask me here with @jargonaut."
    assert buttons(answer) == []


def test_no_is_an_answer(desk: Desk) -> None:
    reply = desk.press("j1:auto-no:e:")
    assert (reply.changes, reply.answer.where) == ((), "replace")
    assert "/autoexplain" in said(reply.answer)


@pytest.mark.parametrize(("platform", "word"), [("slack", "消息列"), ("discord", "子区"), ("terminal", "讨论串")])
def test_threads_are_called_as_the_platform_calls_them(desk: Desk, platform: str, word: str) -> None:
    there = desk.at(
        may_set=True, name="李薇", channel=Channel(language="zh-Hans"), now=datetime(2026, 11, 30, tzinfo=UTC)
    )
    assert f"{word}开启术语提示" in asked(there, platform, "autoexplain", "threads")
    assert f"仅{word}" in asked(there.at(language="zh-Hans", channel=Channel("threads")), platform, "autoexplain")


def test_the_place_is_the_one_of_the_desk(desk: Desk) -> None:
    assert desk.request("help").place == CHANNEL
