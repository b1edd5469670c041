"""Replies that were given before: as good as new ones, and nobody else's."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot import memo as memo_module
from bot.commands import Situation, run
from bot.completion import complete
from bot.glossary.concept import LANGUAGES, code
from bot.glossary.glossary import Glossary
from bot.memo import MAX_TEXT, Completions, Memo, key_of
from bot.request import Place, Press
from bot.state.ports import Channel, Figures, Note, Profile
from tests.desks import BO, Desk

LOOK_UPS = {
    "a definition": ("define", "slo"),
    "a Chinese label": ("define", "连续批处理"),
    "a question": ("define", "what is a KV cache?"),
    "a typo": ("define", "speculativ decoding"),
    "a choice": ("define", "drift"),
    "several": ("define", "TTFT, TPOT"),
    "unknown": ("define", "zzqx"),
    "nothing": ("define", ""),
    "a comparison": ("vs", "slo sla"),
    "an ambiguous side": ("vs", "drift vs slo"),
    "the same": ("vs", "slo slo"),
}

BESIDE: dict[str, dict[str, Any]] = {
    "somebody else": {"person": BO, "name": "Bo"},
    "another time": {"now": datetime(2026, 12, 1, tzinfo=UTC), "today": datetime(2026, 12, 1, tzinfo=UTC).date()},
    "another place": {"place": Place("slack", "T9", "C9", "1.1")},
    "by chance": {"chance": 0.7},
    "rights": {"may_set": True, "may_remove": True, "deletable": True},
    "what is heard": {"hears": "not-member", "last": 50, "channel_names": {"C1": "ops"}, "link": "https://x.org"},
    "on a message": {"on": "m1"},
}


def situation(desk: Desk, action: str, text: str, **how: Any) -> Situation:
    return desk.situation(desk.request(action, text=text, **how))


@pytest.mark.parametrize("look_up", LOOK_UPS.values(), ids=LOOK_UPS)
@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_what_is_not_in_the_key_does_not_count(look_up: tuple[str, str], beside: dict[str, Any], desk: Desk) -> None:
    first = situation(desk, *look_up)
    other = replace(
        first,
        request=replace(first.request, **beside),
        profile=Profile(muted=True, known=frozenset({"slo", "drift"})),
        channel=Channel("all", advanced=True, never=frozenset({"slo"}), resting=frozenset({"psi"})),
        note=Note("m1", "0a1b2", (("slo", "slo"),)),
        figures=Figures(1, 2, 3),
        votes=2,
    )
    assert key_of(first) == key_of(other)
    if run(first).answer.kind in ("definition", "comparison", "choice", "list"):
        assert run(first) == run(other)
    memo = Memo()
    memo.run(first)
    assert memo.run(other) == run(other)


DIFFERENT: dict[str, dict[str, Any]] = {
    "text": {"text": "sla"},
    "command": {"action": "vs"},
    "how": {"by": "shortcut"},
    "in a direct conversation": {"direct": True},
    "locale": {"locale": "zh-Hans"},
    "asked for": {"language": "zh-Hans"},
    "word": {"word": "定义"},
    "platform": {"place": Place("discord", "T1", "C1")},
}


@pytest.mark.parametrize("different", DIFFERENT.values(), ids=DIFFERENT)
def test_what_counts_is_in_the_key(different: dict[str, Any], desk: Desk) -> None:
    first = situation(desk, "define", "slo")
    other = replace(first, request=replace(first.request, **different))
    memo = Memo()
    assert memo.run(first) == run(first)
    assert memo.run(other) == run(other)
    assert memo.run(first) == run(first)


@pytest.mark.parametrize("language", [*LANGUAGES, "both"])
def test_each_language_has_its_own(language: str, desk: Desk) -> None:
    memo = Memo()
    memo.run(situation(desk, "define", "slo"))
    for there in (desk.at(language=language), desk.at(channel=Channel(language=language))):  # type: ignore[arg-type]
        asked = situation(there, "define", "slo")
        assert memo.run(asked) == run(asked)


def test_asked_again_nothing_is_made_again(desk: Desk) -> None:
    memo = Memo()
    assert memo.run(situation(desk, "define", "slo")) is memo.run(situation(desk, "define", "slo"))
    assert memo.run(situation(desk, "define", "zzqx")) is not memo.run(situation(desk, "define", "zzqx"))


@pytest.mark.parametrize(
    ("action", "text", "how"),
    [
        ("define", "slo", {"public": True, "by": "text"}),
        ("glossary", "random", {}),
        ("lang", "zh", {}),
        ("define", "x" * (MAX_TEXT + 1), {}),
        ("share", "", {"press": Press("share"), "by": "button"}),
    ],
    ids=["public", "by chance", "a setting", "long", "shared"],
)
def test_nothing_else_is_remembered(action: str, text: str, how: dict[str, Any], desk: Desk) -> None:
    assert key_of(situation(desk, action, text, **how)) is None


def test_another_glossary_knows_nothing_of_it(desk: Desk) -> None:
    memo = Memo()
    memo.run(situation(desk, "define", "slo"))
    empty = replace(situation(desk, "define", "slo"), glossary=Glossary(()))
    assert memo.run(empty).answer.kind == "unknown"


def test_the_oldest_goes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo_module, "REMEMBERED", 2)
    memo = Memo()
    slo, sla, ttft = (memo.run(situation(desk, "define", text)) for text in ("slo", "sla", "ttft"))
    assert memo.run(situation(desk, "define", "ttft")) is ttft
    assert memo.run(situation(desk, "define", "sla")) is sla
    assert memo.run(situation(desk, "define", "slo")) is not slo


@pytest.mark.parametrize("action", ["define", "vs"])
def test_a_button_under_a_message_for_all_gives_each_reader_the_same_copy(action: str, desk: Desk) -> None:
    codes = (code("slo"), code("sla")) if action == "vs" else (code("slo"),)
    under = {"press": Press(action, codes, language="en"), "by": "button"}
    memo = Memo()
    copy = situation(desk, action, "", public=True, on="m1", **under)
    others = replace(copy, request=replace(copy.request, person=BO, on="m2", deletable=True))
    assert memo.run(copy) is memo.run(others)
    assert memo.run(others) == run(others)
    own = replace(copy, request=replace(copy.request, public=False))
    assert memo.run(own) == run(own) != run(copy)


def test_what_people_begin_with_is_completed_once(glossary: Glossary) -> None:
    completions = Completions()
    first = completions.complete("sl", glossary, 25, None)
    assert first == complete("sl", glossary)
    assert completions.complete("sl", glossary, 25, None) is first
    assert completions.complete("sl", glossary, 2, None) == first[:2]
    assert completions.complete("sl", glossary, 25, "zh-Hans") == complete("sl", glossary, language="zh-Hans") != first
    assert completions.complete("sl", Glossary(()), 25, None) == ()
