"""`jargonaut`: what somebody may set for themselves, see of what is kept, and delete."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer import Field, Item
from bot.changes import Forget, SetMuted, Unknow
from bot.commands import Reply
from bot.glossary.concept import LANGUAGES, Language
from bot.request import decode
from bot.state.ports import Channel, Profile
from tests.desks import Desk, button, buttons, labels, said
from tests.inspection import faults


def fields(reply: Reply) -> list[tuple[str, str]]:
    return [(block.name, block.value) for block in reply.answer.blocks if isinstance(block, Field)]


@pytest.mark.parametrize("text", ["", "settings", "Settings", "设置", " 設定 "])
def test_the_panel_shows_what_is_set(text: str, desk: Desk) -> None:
    nobody = desk.slash("jargonaut", text)
    assert (nobody.answer.kind, nobody.changes) == ("setting", ())
    somebody = desk.at(profile=Profile("both", True, frozenset({"slo"}))).slash("jargonaut", text)
    for reply, language, known, notes in ((nobody, "auto", 0, "on"), (somebody, "both", 1, "off")):
        chrome = reply.answer.chrome
        assert fields(reply) == [
            (desk.phrases.say("panel.language", chrome), desk.phrases.say(f"language.{language}", chrome)),
            (desk.phrases.say("panel.known", chrome), desk.phrases.say("terms", chrome, count=known)),
            (desk.phrases.say("panel.notes", chrome), desk.phrases.say(f"panel.notes.{notes}", chrome)),
        ]


@pytest.mark.parametrize("text", ["设置", "已懂", "静音", "隐私", "忘记我", "帮助"])
def test_a_chinese_word_is_answered_in_chinese(text: str, desk: Desk) -> None:
    assert desk.slash("jargonaut", text).answer.language == "zh-Hans"


@pytest.mark.parametrize("language", ["en", "zh-Hans", "both"])
def test_each_of_its_buttons_leads_to_a_page_with_a_way_back(language: Any, desk: Desk) -> None:
    there = desk.at(language=language)
    panel = there.slash("jargonaut").answer
    assert len(buttons(panel)) == 5
    for pressed in buttons(panel):
        page = there.press(pressed).answer
        assert page.kind in ("setting", "help")
        back = button(page, there.phrases.say("panel.title", page.chrome))
        assert there.press(back).answer.blocks == panel.blocks


@pytest.mark.parametrize("text", ["", "known", "mute", "privacy", "forget", "help"])
def test_all_of_it_is_private_wherever_it_is_typed(text: str, desk: Desk) -> None:
    assert desk.bang("jargonaut", text).answer.where == "private"


# -- Notes under my messages --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "muted"), [("mute", True), ("静音", True), ("unmute", False), ("取消静音", False), ("取消靜音", False)]
)
def test_notes_can_be_switched_off_and_on(text: str, muted: bool, desk: Desk) -> None:
    reply = desk.slash("jargonaut", text)
    assert reply.changes == (SetMuted(muted),)
    undo = button(reply.answer, desk.phrases.say("undo", reply.answer.chrome))
    assert desk.press(undo).changes == (SetMuted(not muted),)


@pytest.mark.parametrize(("muted", "label"), [(False, "Turn notes off"), (True, "Allow notes")])
def test_the_panel_offers_the_other(muted: bool, label: str, desk: Desk) -> None:
    there = desk.at(profile=Profile(muted=muted))
    assert there.press(button(there.slash("jargonaut").answer, label)).changes == (SetMuted(not muted),)


# -- What I know --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["known", "已懂"])
def test_who_knows_nothing_is_told_so(text: str, desk: Desk) -> None:
    answer = desk.slash("jargonaut", text).answer
    assert said(answer) == desk.phrases.say("known.none", answer.chrome)


def test_what_is_known_comes_in_pages(desk: Desk) -> None:
    known = sorted(desk.glossary.concepts)[:20]
    there = desk.at(profile=Profile(known=frozenset({*known, "gone-from-the-glossary"})))
    page, seen = there.slash("jargonaut", "known").answer, list[str]()
    while True:
        seen += [block.label for block in page.blocks if isinstance(block, Item)]
        if "Next ›" not in labels(page):
            break
        page = there.press(button(page, "Next ›")).answer
    assert len(seen) == len(set(seen)) == 20
    assert "‹ Previous" in labels(page)
    assert "20 terms" in said(page)


def test_one_can_be_explained_again(desk: Desk) -> None:
    there = desk.at(profile=Profile(known=frozenset({"slo", "ttft"})))
    page = there.slash("jargonaut", "known").answer
    names = [block.label for block in page.blocks if isinstance(block, Item)]
    first = page.blocks[1]
    assert isinstance(first, Item)
    assert first.button
    reply = there.press(first.button)
    assert reply.changes == (Unknow(("slo",)),)
    assert [block.label for block in reply.answer.blocks if isinstance(block, Item)] == names[1:]
    assert said(reply.answer).startswith("SLO")


def test_the_last_of_a_page_leads_to_the_page_before(desk: Desk) -> None:
    known = frozenset(sorted(desk.glossary.concepts)[:9])
    there = desk.at(profile=Profile(known=known))
    second = there.press(button(there.slash("jargonaut", "known").answer, "Next ›")).answer
    (item,) = [block for block in second.blocks if isinstance(block, Item)]
    assert item.button
    after = there.press(item.button).answer
    assert len([block for block in after.blocks if isinstance(block, Item)]) == 8


# -- My data ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["privacy", "隐私", "我的数据"])
def test_what_is_kept_is_said(text: str, desk: Desk) -> None:
    answer = desk.slash("jargonaut", text).answer
    for key in ("privacy.kept", "privacy.not_kept", "privacy.misses"):
        assert desk.phrases.say(key, answer.chrome) in said(answer)


@pytest.mark.parametrize(
    ("keep", "reachable", "counts"), [(True, True, True), (True, False, True), (False, True, False)]
)
def test_look_ups_are_mentioned_where_they_are_counted(keep: bool, reachable: bool, counts: bool, desk: Desk) -> None:
    """Whether the store can be reached this very moment makes no difference to what it keeps."""
    answer = desk.at(keep_misses=keep, reachable=reachable).slash("jargonaut", "privacy").answer
    assert (desk.phrases.say("privacy.misses", "en") in said(answer)) == counts


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_deleting_asks_once_more(language: Any, desk: Desk) -> None:
    there = desk.at(language=language)
    data = there.slash("jargonaut", "privacy").answer
    sure = there.press(button(data, desk.phrases.say("privacy.delete", language)))
    assert sure.changes == ()
    done = there.press(button(sure.answer, desk.phrases.say("forget.yes", language)))
    assert done.changes == (Forget(),)
    assert said(done.answer) == desk.phrases.say("forget.done", language)
    kept = there.press(button(sure.answer, desk.phrases.say("forget.no", language)))
    assert kept.changes == ()


@pytest.mark.parametrize("text", ["forget", "忘记我", "删除我的数据", "刪除我的數據"])
def test_typing_it_deletes_nothing_yet(text: str, desk: Desk) -> None:
    assert desk.slash("jargonaut", text).changes == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("slo", "definition"),
        ("slo vs sla", "comparison"),
        ("what is mute inference", "unknown"),
        ("forget gate", "unknown"),
        ("known issues", "unknown"),
        ("thanks", "silence"),
        ("help", "help"),
        ("帮助", "help"),
    ],
)
def test_any_other_text_is_as_if_mentioned(text: str, kind: str, desk: Desk) -> None:
    reply = desk.slash("jargonaut", text)
    assert (reply.answer.kind, reply.answer.where, reply.changes) == (kind, "private", ())


# -- Where nobody can be answered alone ---------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("action", "text", "saves"),
    [
        *(("jargonaut", word, False) for word in ("", "known", "privacy")),
        *(("lang", "", False), ("jargonaut", "mute", True), ("lang", "zh", True)),
    ],
)
def test_settings_typed_for_all_open_for_each(
    action: str, text: str, saves: bool, language: Language, desk: Desk
) -> None:
    mine = Profile("en", muted=True, known=frozenset({"slo"}))
    there = desk.at(profile=mine, whispers=False, deletable=True, channel=Channel(language=language))
    reply = there.bang(action, text)
    answer = reply.answer
    assert answer.where == "public"
    assert len(answer.blocks) == 1
    assert bool(reply.changes) == saves
    assert faults(answer, desk.glossary, desk.phrases, public=True) == []
    assert [decode(button.request).action for button in buttons(answer)] == ["panel", "delete"]
    opened = there.press(buttons(answer)[0], public=True).answer
    assert (opened.where, opened.kind) == ("private", "setting")


def test_help_is_for_all(desk: Desk) -> None:
    assert desk.at(whispers=False).bang("jargonaut", "help").answer.kind == "help"


def test_the_settings_of_a_channel_open_for_each_as_well(desk: Desk) -> None:
    there = desk.at(whispers=False)
    (button,) = buttons(there.bang("autoexplain").answer)
    assert decode(button.request).action == "note-channel"
    assert there.press(button, public=True).answer.where == "private"
