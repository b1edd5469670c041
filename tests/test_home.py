"""The page that is a person's own."""

from __future__ import annotations

import pytest

from bot.answer import Item
from bot.glossary.concept import LANGUAGES
from bot.request import decode
from bot.state.ports import Profile
from tests.desks import Desk, buttons, said, texts
from tests.inspection import faults


def item(desk: Desk, action: str) -> Item:
    """The line whose button asks for an action."""
    blocks = desk.slash("home").answer.blocks
    (found,) = (b for b in blocks if isinstance(b, Item) and b.button and decode(b.button.request).action == action)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_to_ask_in_threads_comes_first(desk: Desk, language: str) -> None:
    answer = desk.at(language=language).slash("home").answer
    lines = [text for text in texts(answer) if "@jargonaut" in text]
    assert lines
    assert list(texts(answer)).index(lines[0]) == 1
    assert answer.where == "private"
    assert faults(answer, desk.glossary, desk.phrases) == []


def test_it_says_what_is_set_and_leads_to_all_of_it(desk: Desk) -> None:
    mine = desk.at(profile=Profile("zh-Hans", muted=True, known=frozenset({"slo", "sla"})))
    assert item(mine, "lang").summary == "中文"
    assert item(mine, "unmute").summary == "关闭"
    assert item(mine, "known").summary == "2 个术语"
    actions = [decode(button.request).action for button in buttons(mine.slash("home").answer)]
    assert {"privacy", "topic", "random", "help"} <= set(actions)
    assert item(desk, "mute").summary == "allowed"


def test_every_topic_is_there(desk: Desk) -> None:
    shown = said(desk.slash("home").answer)
    assert [topic.id for topic in desk.glossary.topics.values() if topic.name["en"] not in shown] == []
