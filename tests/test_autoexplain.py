"""`autoexplain`: what is shown, what can be set, by whom, and what the channel is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.answer import Answer, Field, Note, Shown
from bot.changes import NeverHere, Release, SetChannel, SwitchOff
from bot.glossary.concept import Language
from bot.manners import Preview
from bot.request import decode
from bot.state.ports import Channel, Figures
from tests.desks import Desk, button, buttons, labels, menus, said

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def there(desk: Desk) -> Desk:
    """Lena, who may change what holds for the channel."""
    return desk.at(may_set=True, name="Lena", now=NOW)


def fields(answer: Answer) -> dict[str, str]:
    return {block.name: block.value for block in answer.blocks if isinstance(block, Field)}


# -- Setting ------------------------------------------------------------------------------------------------------

OFF = Channel(set_by="Lena", set_at=NOW)

SETS: dict[str, Channel] = {
    **dict.fromkeys(("off", "OFF", "关闭"), OFF),
    **dict.fromkeys(("threads", "thread", "on", "开启"), replace(OFF, mode="threads")),
    **dict.fromkeys(("all", "everywhere", "所有", "ａｌｌ"), replace(OFF, mode="all")),
    "zh": replace(OFF, language="zh-Hans"),
    "中文": replace(OFF, language="zh-Hans"),
    "both": replace(OFF, language="both"),
    "threads zh": replace(OFF, mode="threads", language="zh-Hans"),
    "en all": replace(OFF, mode="all", language="en"),
    "all zh advanced": replace(OFF, mode="all", language="zh-Hans", advanced=True),
    "高级": replace(OFF, advanced=True),
}


@pytest.mark.parametrize(("text", "channel"), SETS.items())
def test_words_set_it(text: str, channel: Channel, there: Desk) -> None:
    assert there.slash("autoexplain", text).changes == (SetChannel(channel),)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        pytest.param("off", {"mode": "off"}, id="mode"),
        pytest.param("auto", {"language": None}, id="language"),
        pytest.param("everything", {"advanced": False}, id="level"),
    ],
)
def test_what_is_not_named_stays(text: str, after: dict[str, object], there: Desk) -> None:
    before = Channel("all", "zh-Hans", True, never=frozenset({"slo"}), resting=frozenset({"psi"}))
    (change,) = there.at(channel=before).slash("autoexplain", text).changes
    assert change == SetChannel(replace(before, set_by="Lena", set_at=NOW, **after))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["nonsense", "off please", "threads slo", "?", "mode threads"])
def test_anything_else_is_no_setting(text: str, there: Desk) -> None:
    reply = there.slash("autoexplain", text)
    if text == "?":
        assert reply.answer.kind == "setting"
    else:
        assert (reply.answer.kind, reply.answer.error) == ("error", "usage")
        assert labels(reply.answer) == ["In threads", "Everywhere"]
    assert reply.changes == ()


# -- Who may, and who is told ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["auto-off", "auto-threads", "auto-all", "auto-level", "auto-release", "auto-never"])
def test_buttons_ask_again_whether_somebody_may(action: str, desk: Desk) -> None:
    reply = desk.press(f"j1:{action}:e:52Uvgs3")
    assert reply.changes == ()
    assert (reply.answer.kind, reply.answer.where) == ("setting", "replace")
    assert said(reply.answer) == "Only those who may change this channel's settings can change that."


def test_typing_asks_too(desk: Desk) -> None:
    for reply in (desk.slash("autoexplain", "all"), desk.bang("autoexplain", "all")):
        assert reply.changes == ()
        assert reply.answer.where == "private"
        assert said(reply.answer).startswith("Only those who may")


@pytest.mark.parametrize(
    ("own", "channel", "text", "shown", "told"),
    [
        pytest.param("en", None, "threads", "en", "Lena switched on jargon notes for threads", id="en"),
        pytest.param("zh-Hans", None, "threads", "en", "Lena switched on", id="never-the-setters-own"),
        pytest.param("en", "zh-Hans", "threads", "zh-Hans", "Lena 已为本频道的", id="the-channels"),
        pytest.param("en", None, "threads zh", "zh-Hans", "Lena 已为本频道的", id="the-channels-new-one"),
        pytest.param("en", None, "开启", "zh-Hans", "Lena 已为本频道的", id="typed-in-chinese"),
        pytest.param("zh-Hans", "both", "all", "both", "Lena switched on", id="both"),
        pytest.param("zh-Hans", "en", "all", "en", "Lena switched on jargon notes for all messages", id="all"),
        pytest.param("en", "en", "advanced", "en", "Lena changed how jargon is explained", id="something-else"),
        pytest.param("en", None, "zh", "zh-Hans", "Lena 修改了", id="something-else-zh"),
    ],
)  # fmt: skip
def test_the_channel_is_told_in_its_language(
    own: Language, channel: Shown | None, text: str, shown: Shown, told: str, there: Desk
) -> None:
    answer = there.at(language=own, channel=Channel(language=channel)).slash("autoexplain", text).answer
    assert (answer.kind, answer.where, answer.language) == ("setting", "public", shown)
    assert said(answer).startswith(told)
    assert answer.chrome == ("zh-Hans" if "Lena 已" in told or "Lena 修改" in told else "en")


def test_switching_off_is_told_too(there: Desk) -> None:
    answer = there.at(channel=Channel("all")).slash("autoexplain", "off").answer
    assert (answer.where, said(answer)) == (
        "public",
        "Lena switched off jargon notes in this channel. Change: /autoexplain",
    )


@pytest.mark.parametrize("mode", ["threads", "all"])
def test_that_messages_are_read_is_said(mode: str, there: Desk) -> None:
    told = said(there.slash("autoexplain", mode).answer)
    assert "I read messages here to find terms and store none of their text" in told


@pytest.mark.parametrize("text", ["threads", "off"])
def test_what_can_not_be_saved_is_not_announced(text: str, there: Desk) -> None:
    unsaved = there.slash("autoexplain", text).unsaved
    assert unsaved is not None
    assert (unsaved.where, said(unsaved)) == ("private", there.phrases.say("store_away", "en"))


# -- Alone --------------------------------------------------------------------------------------------------------


def test_alone_it_shows_what_holds(there: Desk) -> None:
    reply = there.slash("autoexplain")
    assert (reply.answer.kind, reply.answer.where, reply.changes) == ("setting", "private", ())
    assert fields(reply.answer) == {"Where": "nowhere", "Language": "Automatic", "Terms": "all"}
    assert labels(reply.answer) == ["In threads", "Everywhere", "Language", "Specialists' terms only"]


def test_all_of_it(there: Desk) -> None:
    channel = Channel(
        "threads", "both", True, "Li Wei", NOW, frozenset({"slo", "gone-since"}), frozenset({"psi", "ks"})
    )
    preview = Preview(50, 2, ("ttft", "psi"))
    answer = there.at(channel=channel, figures=Figures(12, 5, 1), preview=preview).slash("autoexplain").answer
    assert fields(answer) == {
        "Where": "in threads",
        "Language": "Both",
        "Terms": "those of specialists only",
        "Set by": "Li Wei · 2026-11-30",
        "Last 30 days": "12 notes, 5 opened, 1 marked wrong",
        "Resting": "ks, psi",
        "Never here": "SLO",
    }
    assert isinstance(answer.blocks[-1], Note)
    assert answer.blocks[-1].text.startswith("In the last 50 messages: 2 notes – TTFT, PSI")
    assert [option.label for option in menus(answer)[0].options][:2] == ["SLO (explain again)", "TTFT"]
    assert {"Everywhere", "Turn off", "All terms", "Explain the resting ones again"} <= set(labels(answer))


def test_a_preview_of_nothing_says_so(there: Desk) -> None:
    answer = there.at(preview=Preview(50, 0, ())).slash("autoexplain").answer
    assert said(answer).endswith("In the last 50 messages there would have been no note.")


def test_whoever_may_not_set_it_may_look(desk: Desk) -> None:
    channel = Channel("all", resting=frozenset({"psi"}), never=frozenset({"slo"}))
    answer = desk.at(channel=channel).slash("autoexplain").answer
    assert fields(answer)["Resting"] == "psi"
    assert {decode(entry.request).action for entry in buttons(answer)} <= {"auto-off", "auto-threads"}


def test_typed_for_all_the_state_is_private(there: Desk) -> None:
    assert there.bang("autoexplain").answer.where == "private"


# -- Buttons ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "after"),
    [
        ("In threads", Channel("threads", advanced=True)),
        ("Turn off", Channel("off", advanced=True)),
        ("All terms", Channel("all", advanced=False)),
    ],
)
def test_buttons_set_it_and_tell(label: str, after: Channel, there: Desk) -> None:
    there = there.at(channel=Channel("all", advanced=True))
    reply = there.press(button(there.slash("autoexplain").answer, label))
    assert reply.changes == (SetChannel(replace(after, set_by="Lena", set_at=NOW)),)
    assert reply.answer.where == "public"


def test_a_release_is_of_all_that_rest(there: Desk) -> None:
    there = there.at(channel=Channel("all", resting=frozenset({"psi", "ks"})))
    reply = there.press(button(there.slash("autoexplain").answer, "Explain the resting ones again"))
    assert reply.changes == (Release("ks"), Release("psi"))
    assert "Resting" not in fields(reply.answer)
    assert reply.answer.where == "replace"


def test_never_and_back(there: Desk) -> None:
    there = there.at(channel=Channel("all"), preview=Preview(50, 1, ("ttft",)))
    reply = there.press(button(there.slash("autoexplain").answer, "TTFT"))
    assert reply.changes == (NeverHere("ttft", True),)
    assert fields(reply.answer)["Never here"] == "TTFT"
    there = there.at(channel=Channel("all", never=frozenset({"ttft"})))
    reply = there.press(button(reply.answer, "TTFT (explain again)"))
    assert reply.changes == (NeverHere("ttft", False),)
    assert "Never here" not in fields(reply.answer)


@pytest.mark.parametrize(("short", "language"), [("en", "en"), ("zh", "zh-Hans"), ("both", "both"), ("auto", None)])
def test_the_language_of_a_channel_is_a_button_away(short: str, language: str | None, there: Desk) -> None:
    before = "en" if short != "en" else "both"
    desk = there.at(channel=Channel("threads", language=before))
    chosen = next(button for button in buttons(desk.slash("autoexplain").answer) if button.label == "Language")
    offered = buttons(desk.press(chosen).answer)
    reply = desk.press(next(button for button in offered if f":auto-{short}:" in button.request))
    assert reply.answer.where == "public"
    assert [change.channel.language for change in reply.changes if isinstance(change, SetChannel)] == [language]


def test_who_may_not_set_it_gets_no_buttons_for_it(there: Desk) -> None:
    assert labels(there.at(may_set=False).slash("autoexplain").answer) == []


def test_what_many_know_is_told_and_can_be_stopped_here(there: Desk) -> None:
    desk = there.at(many_know=("ttft", "slo", "gone-since"), channel=Channel("all", never=frozenset({"slo"})))
    answer = desk.slash("autoexplain").answer
    assert fields(answer)["Many here know"] == "TTFT"
    stop = next(option for option in menus(answer)[0].options if option.label == "TTFT")
    assert desk.press(stop).changes == (NeverHere("ttft", True),)


# -- Several channels ---------------------------------------------------------------------------------------------

LISTED = (("C1", Channel("all")), ("C2", Channel("threads", "zh-Hans", advanced=True)), ("C3", Channel("all", "both")))


def test_the_channels_with_notes_are_listed_by_name(there: Desk) -> None:
    several = there.at(listed=LISTED, channel_names={"C1": "ops", "C2": "推理", "C9": "gone"})
    answer = several.slash("autoexplain").answer
    assert fields(answer)["Notes are on in"] == "#ops, #推理", "C3 is none that the reader may see"
    assert "Off everywhere" in labels(answer)


@pytest.mark.parametrize(
    ("listed", "may_set"), [(LISTED[:1], True), (LISTED, False), ((), True)], ids=["one channel", "may not", "none"]
)
def test_off_everywhere_is_offered_where_it_makes_sense(
    listed: tuple[tuple[str, Channel], ...], may_set: bool, there: Desk
) -> None:
    names = {channel: channel for channel, _ in listed}
    answer = there.at(listed=listed, channel_names=names, may_set=may_set).slash("autoexplain").answer
    assert "Off everywhere" not in labels(answer)
    assert ("Notes are on in" in fields(answer)) == bool(listed)


def test_off_everywhere_tells_every_channel_in_its_language(there: Desk) -> None:
    reply = there.at(listed=LISTED).press("j1:auto-off-all:e:")
    (change,) = reply.changes
    assert change == SwitchOff(
        tuple((name, replace(channel, mode="off", set_by="Lena", set_at=NOW)) for name, channel in LISTED)
    )
    assert said(reply.answer).startswith("Notes are off now; it was 3 channels.")
    assert reply.answer.where == "replace"
    told = {post.channel: said(post.answer) for post in reply.answer.elsewhere}
    assert told["C1"].startswith("Lena switched off jargon notes")
    assert told["C2"].startswith("Lena 已关闭本频道的术语提示")
    assert told["C3"].startswith("Lena switched off")


@pytest.mark.parametrize("listed", [LISTED, ()], ids=["some", "none"])
def test_nobody_else_switches_them_off(listed: tuple[tuple[str, Channel], ...], there: Desk) -> None:
    reply = there.at(listed=listed, may_set=False).press("j1:auto-off-all:e:")
    assert (reply.changes, reply.answer.elsewhere) == ((), ())
    assert said(reply.answer).startswith("Only those who may change")


def test_where_they_are_off_already_nothing_is_changed(there: Desk) -> None:
    reply = there.press("j1:auto-off-all:e:")
    assert (reply.changes, reply.answer.elsewhere) == ((), ())


def test_in_a_direct_conversation_there_is_nothing_to_set(there: Desk) -> None:
    for text in ("", "all", "off"):
        reply = there.at(direct=True).slash("autoexplain", text)
        assert (reply.changes, reply.answer.kind, said(reply.answer)) == (
            (),
            "error",
            "Notes that nobody asked for are for channels. Here, just ask me.",
        )
