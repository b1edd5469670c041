"""`explain`: a digest of a text or of messages, for whoever asks; and what somebody says they know."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.answer import Answer, Field, Heading, Item, Note
from bot.changes import Know, KnownHere, SetLanguage, Unknow
from bot.commands import run
from bot.commands.explain import MAX_PUBLIC, MAX_TERMS, explain_messages, needed
from bot.glossary.concept import LANGUAGES, Language
from bot.request import Message, Place, Press, Request, decode
from bot.state.ports import Profile
from tests.desks import BO, CHANNEL, Desk, button, buttons, labels, said

SEVEN = "TTFT, TPOT, SLO, SLA, FP16, INT8 and KV cache"
IDS = ("ttft", "tpot", "slo", "sla", "fp16", "int8", "kv-cache")
TWELVE = f"{SEVEN}, then BF16, P99, quantization, AWQ and GPTQ"


def knows(*concepts: str) -> Profile:
    return Profile(language="en", known=frozenset(concepts))


def items(answer: Answer) -> list[str]:
    return [block.label for block in answer.blocks if isinstance(block, Item)]


def actions(answer: Answer) -> list[str]:
    return [decode(entry.request).action for entry in buttons(answer)]


# -- Of a text ----------------------------------------------------------------------------------------------------


def test_terms_in_order_of_first_use(desk: Desk) -> None:
    answer = desk.slash("explain", "The SLO: continuous batching made TTFT worse, so the SLO slips").answer
    assert (answer.kind, answer.where) == ("explanation", "private")
    assert answer.concepts == ("slo", "continuous-batching", "ttft")
    assert answer.blocks[0] == Heading("Jargon in this text · 3 terms")


def test_what_only_the_asker_sees_is_in_their_language_from_the_heading_on(desk: Desk) -> None:
    answer = desk.at(language="zh-Hans").mention("how is our TTFT, and the KV cache today").answer
    assert answer.where == "private"
    assert answer.blocks[0] == Heading("这段文字里的术语 · 2 个术语")


def test_unclear_senses_count_too(desk: Desk) -> None:
    """Somebody asked; `explain: false` is about what nobody asked for."""
    assert desk.slash("explain", "inference is slow").answer.concepts == ("inference",)


@pytest.mark.parametrize("text", ["", "  ", "?", "\u200b"])
def test_alone_it_says_how(text: str, desk: Desk) -> None:
    answer = desk.slash("explain", text).answer
    assert (answer.kind, answer.error, answer.where) == ("error", "usage", "private")
    assert "/explain" in said(answer)


def test_nothing_found(desk: Desk) -> None:
    answer = desk.slash("explain", "lunch at noon").answer
    assert (answer.kind, answer.concepts, labels(answer)) == ("explanation", (), [])
    assert said(answer).splitlines() == ["Jargon in this text · 0 terms", "I found no term of the glossary in it."]


def test_a_chinese_text_is_explained_in_chinese(desk: Desk) -> None:
    answer = desk.slash("explain", "开了连续批处理之后 TTFT 变差了").answer
    assert (answer.language, answer.concepts) == ("zh-Hans", ("continuous-batching", "ttft"))


def test_the_text_is_not_repeated(desk: Desk) -> None:
    assert "secret" not in said(desk.slash("explain", "secret TTFT").answer)


@pytest.mark.parametrize("text", ["auto", "auto off", "AUTO threads", "auto nonsense"])
def test_who_guesses_the_settings_gets_there(text: str, desk: Desk) -> None:
    there = desk.at(may_set=True)
    assert there.slash("explain", text).answer == there.slash("autoexplain", text[4:]).answer


def test_auto_in_a_sentence_is_a_text(desk: Desk) -> None:
    assert desk.slash("explain", "auto scaling and TTFT").answer.kind == "explanation"


# -- Who sees it --------------------------------------------------------------------------------------------------


def test_typed_for_all_it_is_still_for_the_asker(desk: Desk) -> None:
    assert desk.bang("explain", SEVEN).answer.where == "private"


def test_where_nobody_can_be_whispered_to_it_is_short(desk: Desk) -> None:
    answer = desk.at(whispers=False).bang("explain", SEVEN).answer
    assert (answer.where, answer.concepts) == ("public", IDS[:MAX_PUBLIC])
    assert answer.blocks[-1] == Note("There are more; /explain shows all, privately.")
    assert set(actions(answer)) == {"define"}


def test_what_somebody_knows_is_nobody_elses_business(desk: Desk) -> None:
    there = desk.at(whispers=False, profile=knows("ttft"))
    answer = there.bang("explain", "TTFT and SLO").answer
    assert answer == desk.at(whispers=False).bang("explain", "TTFT and SLO").answer
    assert answer.concepts == ("ttft", "slo")


# -- Buttons of a digest ------------------------------------------------------------------------------------------


def test_pages(desk: Desk) -> None:
    first = desk.slash("explain", SEVEN).answer
    second = desk.press(button(first, "Next ›")).answer
    assert (len(items(first)), len(items(second))) == (5, 2)
    assert (second.concepts, second.where) == (IDS, "replace")
    assert "Next ›" not in labels(second)
    back = desk.press(button(second, "‹ Previous")).answer
    assert items(back) == items(first)


def test_more_terms_than_fit_into_a_button(desk: Desk) -> None:
    first = desk.slash("explain", TWELVE).answer
    assert len(first.concepts) == 12
    assert f"{MAX_TERMS} of these 12 terms" in said(first)
    second = desk.press(button(first, "Next ›")).answer
    assert second.concepts == first.concepts[:MAX_TERMS]
    assert "Next ›" not in labels(second)


def test_the_other_language_is_shown_and_saved(desk: Desk) -> None:
    first = desk.slash("explain", SEVEN).answer
    second = desk.press(button(first, "Next ›")).answer
    reply = desk.press(button(second, "中文"))
    assert (reply.answer.language, reply.answer.concepts) == ("zh-Hans", IDS)
    assert len(items(reply.answer)) == 2, "the same page"
    assert reply.changes == (SetLanguage("zh-Hans"),)
    assert said(reply.answer).endswith("以后用中文回答。")


def test_known_ones_are_folded(desk: Desk) -> None:
    there = desk.at(profile=knows("slo", "ttft"))
    answer = there.slash("explain", "TTFT, TPOT and SLO").answer
    assert answer.concepts == ("tpot",)
    assert answer.blocks[0] == Heading("Jargon in this text · 3 terms · 2 you know")
    unfolded = there.press(button(answer, "Show the 2 I know")).answer
    assert unfolded.concepts == ("ttft", "slo")
    assert actions(unfolded) == ["dug-known", "dug-known", "digest-known"]


def test_many_known_ones_have_pages(desk: Desk) -> None:
    there = desk.at(profile=knows(*IDS))
    answer = there.slash("explain", SEVEN).answer
    assert "You know them all." in said(answer)
    first = there.press(button(answer, "Show the 7 I know")).answer
    second = there.press(button(first, "Next ›")).answer
    assert (len(items(first)), len(items(second))) == (5, 2)
    assert items(there.press(button(second, "‹ Previous")).answer) == items(first)


def test_a_page_keeps_what_is_folded_folded(desk: Desk) -> None:
    there = desk.at(profile=knows("slo"))
    first = there.slash("explain", SEVEN).answer
    second = there.press(button(first, "Next ›")).answer
    assert second.concepts == first.concepts == tuple(i for i in IDS if i != "slo")


# -- Of messages --------------------------------------------------------------------------------------------------


def message(number: int, text: str) -> Message:
    sent = datetime(2026, 11, 30, 12, number, tzinfo=UTC)
    return Message(f"m{number}", CHANNEL, BO, text, sent, link=f"https://chat.test/{number}")


SAID = [message(1, "TTFT is bad"), message(2, "lunch?"), message(3, "SLO, and TTFT again")]


def test_a_digest_of_messages_links_the_first_use(desk: Desk) -> None:
    situation = desk.situation(desk.request("explain"))
    answer = explain_messages(situation, SAID, of="thr", total=3).answer
    assert answer.concepts == ("ttft", "slo")
    links = [block.link for block in answer.blocks if isinstance(block, Field)]
    assert links == ["https://chat.test/1", "https://chat.test/3"]
    assert said(answer).startswith("Jargon in this thread · 2 terms\n")
    assert said(answer).endswith("3 messages read")
    assert BO.id not in said(answer)


@pytest.mark.parametrize(
    ("of", "total", "title", "note"),
    [
        pytest.param("thr", 3, "Jargon in this thread", "3 messages read", id="thread"),
        pytest.param("thr", 2140, "Jargon in this thread", "I read the last 3 of 2140 messages.", id="long"),
        pytest.param("50", 3, "Jargon in the last messages", "3 messages read", id="channel"),
    ],
)
def test_how_much_was_read_is_said(of: str, total: int, title: str, note: str, desk: Desk) -> None:
    answer = explain_messages(desk.situation(desk.request("explain")), SAID, of=of, total=total).answer
    assert said(answer).startswith(title)
    assert answer.blocks[-1] == Note(note)


def test_its_buttons_name_the_messages_and_no_terms(desk: Desk) -> None:
    """More terms than fit into a button can be paged through: the adapter fetches the messages again."""
    situation = desk.situation(desk.request("explain"))
    answer = explain_messages(situation, [message(1, TWELVE)], of="50", total=1).answer
    assert "of these" not in said(answer)
    press = decode(button(answer, "Next ›").request)
    assert (press.action, press.page, press.codes) == ("digest-50", 1, ())
    for page, count in ((1, 5), (2, 2)):
        again = desk.request("digest-50", press=decode(f"j1:digest-50.{page}:e:"), by="button")
        shown = explain_messages(desk.situation(again), [message(1, TWELVE)], of="50", total=1).answer
        assert len(items(shown)) == count
        assert ("Next ›" in labels(shown)) == (page == 1)


# -- "I know these" -----------------------------------------------------------------------------------------------


def test_knowing_says_what_changes_and_can_be_undone(desk: Desk) -> None:
    answer = desk.slash("explain", "TTFT and SLO").answer
    known = desk.press(button(answer, "I know all of these"))
    assert known.changes == (Know(("ttft", "slo")),)
    assert said(known.answer) == (
        "TTFT, SLO: no longer explained under your messages, and folded in your digests."
        " Others still see notes about them."
    )
    undone = desk.press(button(known.answer, "Undo"))
    assert undone.changes == (Unknow(("ttft", "slo")), KnownHere(("ttft", "slo"), False))
    assert desk.press(button(undone.answer, "Undo")).changes == known.changes


@pytest.mark.parametrize("action", ["digest", "digest-known", "know", "unknow-all"])
def test_what_is_gone_is_said(action: str, desk: Desk) -> None:
    answer = desk.press(f"j1:{action}:e:AAAAAAA").answer
    assert (answer.kind, answer.where) == ("error", "private")
    assert said(answer) == desk.phrases.say("gone", "en")


# -- Which messages are asked about -------------------------------------------------------------------------------

IN_THREAD = Place("slack", "T1", "C1", "100.1")


@pytest.mark.parametrize(
    ("request_", "needs"),
    [
        (Request(BO, IN_THREAD, "explain"), "thread"),
        (Request(BO, IN_THREAD, "explain", " ？ "), "thread"),
        (Request(BO, IN_THREAD, "explain", "TTFT"), None),
        (Request(BO, IN_THREAD, "explain", last=20), 20),
        (Request(BO, CHANNEL, "explain", last=50), 50),
        (Request(BO, CHANNEL, "explain", "TTFT", last=50), None),
        (Request(BO, CHANNEL, "explain"), None),
        (Request(BO, IN_THREAD, "mention", "explain"), "thread"),
        (Request(BO, IN_THREAD, "mention", "解释"), "thread"),
        (Request(BO, IN_THREAD, "mention", "explain TTFT"), None),
        (Request(BO, IN_THREAD, "mention", "define"), None),
        (Request(BO, IN_THREAD, "mention", ""), None),
        (Request(BO, CHANNEL, "mention", "explain"), None),
        (Request(BO, IN_THREAD, "define"), None),
        (Request(BO, CHANNEL, "digest-thr", press=Press("digest-thr", page=1)), "thread"),
        (Request(BO, CHANNEL, "digest-50", press=Press("digest-50")), 50),
        (Request(BO, CHANNEL, "digest", press=Press("digest", ("AAAAAAA",))), None),
        (Request(BO, CHANNEL, "digest-x", press=Press("digest-x")), None),
        (Request(BO, IN_THREAD, "define", press=Press("define", ("AAAAAAA",))), None),
    ],
    ids=lambda value: value.action + value.text if isinstance(value, Request) else str(value),
)
def test_a_request_says_which_messages_it_needs(request_: Request, needs: object) -> None:
    assert needed(request_) == needs


# -- From the menu of a message -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["mute", "known", "auto off", "explain auto threads"])
def test_a_message_is_never_a_setting(text: str, desk: Desk) -> None:
    reply = run(desk.situation(desk.request("explain", text=text, by="shortcut")))
    assert (reply.changes, reply.answer.kind) == ((), "explanation")


def test_a_message_without_text_has_no_terms(desk: Desk) -> None:
    reply = run(desk.situation(desk.request("explain", by="shortcut")))
    assert desk.phrases.say("digest.nothing", "en") in said(reply.answer)


@pytest.mark.parametrize(("place", "offered"), [(IN_THREAD, True), (CHANNEL, False)], ids=["thread", "channel"])
def test_the_whole_thread_is_one_press_away(place: Place, offered: bool, desk: Desk) -> None:
    request = replace(desk.request("explain", text="TTFT", by="shortcut"), place=place)
    found = actions(run(desk.situation(request)).answer)
    assert ("digest-thr" in found) == offered


# -- A term and back ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_opened_from_a_digest_leads_back_to_its_page(language: Language, desk: Desk) -> None:
    there = desk.at(language=language)
    first = there.slash("explain", SEVEN).answer
    second = there.press(button(first, there.phrases.say("next", language))).answer
    card = there.press(buttons(second)[0]).answer
    assert (card.kind, card.where, card.concepts) == ("definition", "replace", IDS[5:6])
    back = button(card, there.phrases.say("back", language))
    assert there.press(back).answer.blocks == second.blocks
    switched = desk.press(button(card, "English" if language == "zh-Hans" else "中文")).answer
    assert [decode(entry.request).action for entry in buttons(switched)].count("digest") == 1, "the way is kept"


@pytest.mark.parametrize(("of", "needs"), [("thr", "thread"), ("50", 50), ("200", 200)])
def test_of_messages_it_leads_to_reading_them_again(of: str, needs: object, desk: Desk) -> None:
    said_ = [Message(f"m{n}", CHANNEL, BO, text, datetime(2026, 11, 30, tzinfo=UTC)) for n, text in enumerate(IDS)]
    situation = desk.situation(desk.request("explain"))
    digest = explain_messages(situation, said_, of=of, total=len(said_)).answer
    card = desk.press(buttons(digest)[0]).answer
    assert card.kind == "definition"
    back = decode(button(card, "‹ Back").request)
    assert needed(Request(BO, CHANNEL, back.action, press=back)) == needs
    assert back.codes == ()


def test_from_what_one_knows_it_leads_there(desk: Desk) -> None:
    there = desk.at(profile=knows("slo", "ttft"))
    known = there.press(button(there.slash("explain", "TTFT, TPOT and SLO").answer, "Show the 2 I know")).answer
    card = there.press(buttons(known)[0]).answer
    assert there.press(button(card, "‹ Back")).answer == known


def test_for_all_it_is_a_private_copy_without_a_way_back(desk: Desk) -> None:
    public = desk.at(whispers=False).bang("explain", "TTFT, TPOT and SLO").answer
    card = desk.press(buttons(public)[0], public=True).answer
    assert (card.kind, card.where) == ("definition", "private")
    assert "‹ Back" not in labels(card)
