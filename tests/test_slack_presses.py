"""Buttons and menus: whose screen changes, and where."""

from __future__ import annotations

import pytest

from adapters.slack.presses import Spot, spot_of, value_of
from bot.glossary.yaml_files import Loaded
from tests.slack_office import office

JARGON = "our KV cache is full and speculative decoding got slow"


@pytest.mark.parametrize(
    ("action", "value"),
    [
        ({"type": "button", "value": "j1:lang"}, "j1:lang"),
        ({"type": "overflow", "selected_option": {"value": "j1:note-mute"}}, "j1:note-mute"),
        ({"type": "button"}, ""),
        ({"type": "static_select", "selected_option": None}, ""),
    ],
)
def test_the_request_is_the_buttons_or_what_was_chosen(action: dict[str, object], value: str) -> None:
    assert value_of(action) == value


def test_a_button_knows_its_message_and_the_thread_that_it_stands_in() -> None:
    container = {"type": "message", "message_ts": "2.0", "channel_id": "C1", "is_ephemeral": True, "thread_ts": "1.0"}
    private = {"container": container, "channel": {"id": "C1"}, "response_url": "https://x"}
    assert spot_of(private) == Spot("C1", "2.0", "1.0", True, "https://x")
    opened = {"container": {"message_ts": "1.0", "channel_id": "C1"}, "message": {"ts": "1.0", "thread_ts": "1.0"}}
    assert spot_of(opened) == Spot("C1", "1.0", None, False, "")


async def test_a_private_message_changes_in_place_and_the_language_is_kept(loaded: Loaded) -> None:
    async with office(loaded) as at:
        shown = (await at.acme.slash(at.lena, at.general, "define", "SLO")).one
        outcome = await at.acme.press(at.lena, shown, "中文")
        assert outcome.changed == [shown]
        assert "以后用中文回答" in shown.says
        assert at.slack.called("chat.update") == []


async def test_sharing_works_where_the_bot_is_no_member_and_names_who_shared(loaded: Loaded) -> None:
    async with office(loaded) as at:
        shown = (await at.acme.slash(at.lena, at.elsewhere, "define", "SLO")).one
        outcome = await at.acme.press(at.lena, shown, "Share")
        (card,) = outcome.posted
        assert "Shared by Lena" in card.says
        assert "[Share]" not in card.says
        assert not shown.gone
        copy = await at.acme.press(at.li, card, "中文")
        assert copy.whispered[0].reader == at.li.id
        assert card.says == outcome.says


async def test_whoever_shares_where_slack_takes_nothing_is_told(loaded: Loaded) -> None:
    async with office(loaded) as at:
        shown = (await at.acme.slash(at.lena, at.elsewhere, "define", "SLO")).one
        at.slack.fail("response_url", "restricted_action")
        told = (await at.acme.press(at.lena, shown, "Share")).one
        assert getattr(told, "reader", "") == at.lena.id
        assert told.says == "Slack doesn't let me post there."


async def test_a_press_on_a_public_answer_in_a_thread_is_answered_privately_in_that_thread(loaded: Loaded) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        before = outcome.says
        copy = await at.acme.press(at.li, outcome.one, "Compare with SLA")
        (shown,) = copy.whispered
        assert (shown.reader, shown.thread_ts) == (at.li.id, outcome.said.ts)
        assert outcome.one.says == before
        shared = await at.acme.press(at.li, shown, "Share" if "[Share]" in shown.says else "发到频道")
        assert shared.posted[0].thread_ts == outcome.said.ts


async def test_a_choice_is_settled_in_public_by_whoever_asked(loaded: Loaded) -> None:
    async with office(loaded) as at:
        choice = (await at.acme.say(at.general, at.lena, f"{at.acme.at} drift")).one
        assert "Which one?" in choice.says
        other = await at.acme.press(at.li, choice, "Show")
        assert other.whispered
        mine = await at.acme.press(at.lena, choice, "Show")
        assert mine.changed == [choice]
        assert "Which one?" not in choice.says


async def test_what_was_shared_where_the_bot_is_no_member_changes_through_the_press(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.fail("chat.update", "channel_not_found")
        choice = (await at.acme.say(at.general, at.lena, f"{at.acme.at} drift")).one
        outcome = await at.acme.press(at.lena, choice, "Show")
        assert outcome.changed == [choice]


async def test_in_a_direct_message_the_answer_changes_in_place(loaded: Loaded) -> None:
    async with office(loaded) as at:
        shown = (await at.acme.say(at.acme.dm(at.lena), at.lena, "slo vs sla")).one
        outcome = await at.acme.press(at.lena, shown, "SLO")
        assert outcome.changed == [shown]
        assert "Service level objective" in shown.says


async def test_a_card_that_two_people_share_between_them_is_not_the_bots_conversation(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.expect("channel_not_found")
        theirs = at.acme.channel("directmessage", at.lena, at.li, bot=False, kind="im")
        shown = (await at.acme.slash(at.lena, theirs, "define", "SLO")).one
        card = (await at.acme.press(at.lena, shown, "Share")).posted[0]
        outcome = await at.acme.press(at.li, card, "Compare with SLA")
        assert outcome.whispered[0].reader == at.li.id


async def test_a_notes_menu_removes_it_for_its_author_and_for_admins_only(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        note = (await at.acme.say(at.general, at.lena, JARGON)).one
        refused = await at.acme.press(at.gus, note, "Remove this note")
        assert refused.whispered
        assert not note.gone
        await at.acme.press(at.lena, note, "Remove this note")
        assert note.gone
        second = (await at.acme.say(at.general, at.lena, "and the TTFT of our prefix caching")).one
        await at.acme.press(at.ada, second, "Remove this note")
        assert second.gone


async def test_wrong_meaning_takes_the_term_out_of_the_note(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        note = (await at.acme.say(at.general, at.lena, JARGON)).one
        assert "KV cache" in note.says
        assert "Speculative decoding" in note.says
        outcome = await at.acme.press(at.lena, note, "Wrong meaning: KV cache")
        assert outcome.whispered[0].reader == at.lena.id
        assert "KV cache" not in note.says
        assert "Speculative decoding" in note.says


async def test_the_channel_is_told_and_the_private_page_shows_what_holds_now(loaded: Loaded) -> None:
    async with office(loaded) as at:
        page = (await at.acme.slash(at.lena, at.general, "autoexplain")).one
        outcome = await at.acme.press(at.lena, page, "In threads")
        assert "Lena switched on jargon notes" in outcome.posted[0].says
        assert "in threads" in page.says
        assert "Set by: Lena" in page.says


async def test_buttons_of_other_versions_and_of_terms_that_are_gone_are_answered(loaded: Loaded) -> None:
    async with office(loaded) as at:
        shown = (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).one
        for value, words in (("j9:magic", "I don't know that button"), ("j1:define::AAAAAAA", "no longer")):
            button = shown.blocks[-1]["elements"][0]
            button["value"] = value
            outcome = await at.acme.press(at.lena, shown, button["text"]["text"])
            assert words in outcome.whispered[0].says


async def test_what_is_set_from_a_note_in_a_thread_is_told_in_the_channel(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        note = (await at.acme.say(at.general, at.lena, JARGON)).one
        page = (await at.acme.press(at.lena, note, "Notes in this channel…")).one
        assert page.thread_ts == note.thread_ts
        told = (await at.acme.press(at.lena, page, "Turn off")).posted[0]
        assert told.thread_ts is None
        assert "Lena switched off jargon notes" in told.says
