"""Days in a workspace: what people do with the bot from beginning to end, and what they see of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from adapters.slack import platform as slack_platform
from bot.glossary.yaml_files import Loaded
from tests.slack_fake_outcome import Outcome
from tests.slack_fake_state import Message
from tests.slack_office import Office, office
from tests.slack_replicas import replica, shared

JARGON: Final = "our KV cache is full and speculative decoding got slow"


# -- Bots -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("subtype", [None, "bot_message"])
async def test_no_bot_gets_an_answer_or_a_note(loaded: Loaded, subtype: str | None) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        opener = (await at.acme.say(at.general, at.lena, "morning")).said
        for text in (f"{at.acme.at} SLO", "!define SLO", JARGON):
            for thread in (None, opener):
                assert (await at.acme.say_as_app(at.general, text, thread=thread, subtype=subtype)).nothing, text


async def test_the_bots_own_messages_get_none(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        for text in (f"{at.acme.at} KV cache", "!vs slo sla", JARGON):
            assert len((await at.acme.say(at.general, at.lena, text)).changes) == 1
        own = Message(at.slack.clock.ts(), at.general.id, at.acme.bot, f"{at.acme.at} {JARGON}")  # without its bot_id
        outcome = Outcome(at.slack)
        at.acme.tell(at.general, own)
        assert (await outcome.settled()).nothing


# -- Stopping while answering ---------------------------------------------------------------------------------------


async def test_an_answer_in_flight_is_finished_and_what_comes_after_goes_to_another_process(
    loaded: Loaded, tmp_path: Path
) -> None:
    async with (
        shared(tmp_path) as one,
        shared(tmp_path) as other,
        office(loaded, store=one) as at,
        replica(at.slack, at.acme, loaded, other),
    ):
        at.slack.socket.route = 0
        hold = at.slack.hold("chat.postMessage")
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", settle=False)
        await hold.arrived.wait()
        stopping = asyncio.create_task(at.platform.stop())
        await at.slack.until(lambda: not at.platform.connected)
        late = await at.acme.say(at.general, at.li, f"{at.acme.at} SLA", settle=False)
        hold.release()
        await stopping
        at.slack.socket.route = None
        await at.slack.settled()
        assert [message.thread_ts for message in asked.posted] == [asked.said.ts, late.said.ts]
        assert all(envelope.given_up and not envelope.acked.is_set() for envelope in late.envelopes)
        assert len(at.slack.called("chat.postMessage")) == 2


async def test_an_answer_that_slack_never_takes_doesnt_hold_up_the_end(
    loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slack_platform, "STOP_SECONDS", 0.1)
    async with office(loaded) as at:
        hold = at.slack.hold("chat.postMessage")
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", settle=False)
        await hold.arrived.wait()
        await at.slack.until(lambda: all(envelope.acked.is_set() for envelope in asked.envelopes))
        await at.platform.stop()
        await at.platform.stop()
        hold.release()


# -- Questions, edited and deleted ----------------------------------------------------------------------------------


async def test_a_deleted_question_takes_its_answer_along(loaded: Loaded) -> None:
    async with office(loaded) as at:
        direct = at.acme.dm(at.lena)
        for channel, text in ((at.general, f"{at.acme.at} SLO"), (at.general, "!vs slo sla"), (direct, "SLO")):
            asked = await at.acme.say(channel, at.lena, text)
            assert (await at.acme.delete(asked.said)).deleted == [asked.one]
            assert asked.one not in at.acme.sees(at.lena, channel)


async def test_an_edit_that_makes_a_question_unanswerable_takes_the_answer_back(loaded: Loaded) -> None:
    async with office(loaded) as at:
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        edited = await at.acme.edit(asked.said, f"{at.acme.at} flurbel")
        assert edited.deleted == [asked.one]
        (told,) = edited.whispered
        assert told.reader == at.lena.id
        assert "isn't in the glossary" in told.says
        assert (await at.acme.edit(asked.said, f"{at.acme.at} SLA")).one.thread_ts == asked.said.ts


async def test_an_edit_after_two_minutes_changes_nothing(loaded: Loaded) -> None:
    async with office(loaded) as at:
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLI")
        at.slack.clock.pass_by(121)
        assert (await at.acme.edit(asked.said, f"{at.acme.at} SLO")).nothing


async def test_an_edit_makes_no_question_of_a_message_that_was_none(loaded: Loaded) -> None:
    async with office(loaded) as at:
        said = (await at.acme.say(at.general, at.lena, "morning")).said
        assert (await at.acme.edit(said, f"{at.acme.at} SLO")).nothing


# -- Private copies, shares, old buttons ----------------------------------------------------------------------------


async def test_another_language_is_a_private_copy_in_the_thread_and_saves_nothing(loaded: Loaded) -> None:
    async with office(loaded) as at:
        opener = (await at.acme.say(at.general, at.li, "morning")).said
        answer = (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", thread=opener)).one
        copy = await at.acme.press(at.li, answer, "中文")
        (shown,) = copy.whispered
        assert (shown.reader, shown.thread_ts, copy.changed) == (at.li.id, opener.ts, [])
        assert "团队给自己的服务定的质量目标" in shown.says
        assert any("中文" in label for label in shown.buttons)
        assert "Service level objective" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says
        again = await at.acme.press(at.li, shown, "English")
        assert again.one is shown
        assert shown.thread_ts == opener.ts


async def test_where_the_bot_is_no_member_the_private_copy_comes_all_the_same(
    loaded: Loaded, caplog: pytest.LogCaptureFixture
) -> None:
    async with office(loaded) as at:
        card = (await at.acme.slash(at.lena, at.elsewhere, "define", "SLO")).one
        public = (await at.acme.press(at.lena, card, "Share")).one
        public.thread_ts = (await at.acme.say(at.elsewhere, at.li, "morning")).said.ts
        at.slack.expect("channel_not_found", "chat.postEphemeral")
        replied = await at.acme.press(at.li, public, "中文")
        assert [copy.reader for copy in replied.whispered] == [at.li.id]
    assert caplog.records == []


async def test_a_private_card_in_a_thread_is_shared_in_that_thread(loaded: Loaded) -> None:
    async with office(loaded) as at:
        opener = (await at.acme.say(at.general, at.li, "morning")).said
        answer = (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", thread=opener)).one
        copy = (await at.acme.press(at.lena, answer, "Compare with SLA")).one
        shared_card = await at.acme.press(at.lena, copy, "Share")
        assert [message.thread_ts for message in shared_card.posted] == [opener.ts]
        assert "Shared by Lena" in shared_card.posted[0].says


async def test_old_buttons_work_after_a_restart_and_at_any_process(loaded: Loaded, tmp_path: Path) -> None:
    async with shared(tmp_path) as one, shared(tmp_path) as other, office(loaded, store=one) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        card = (await at.acme.slash(at.lena, at.general, "define", "SLO")).one
        public = (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLA")).one
        choice = (await at.acme.say(at.general, at.lena, f"{at.acme.at} drift")).one
        note = (await at.acme.say(at.general, at.li, JARGON)).one
        welcome = (await at.acme.invite(at.acme.channel("new", at.lena, bot=False), at.lena)).one
        async with replica(at.slack, at.acme, loaded, other):
            at.slack.socket.route = 1
            assert (await at.acme.press(at.lena, card, "Compare with SLA")).one is card
            (copy,) = (await at.acme.press(at.li, public, "中文")).whispered
            assert copy.says.startswith("SLA")
            assert (await at.acme.press(at.lena, choice, "Show", nth=1)).one is choice
            assert choice.says.startswith("Concept drift")
            assert (await at.acme.press(at.li, note, "Remove this note")).deleted == [note]
            assert (await at.acme.press(at.lena, welcome, "In threads")).posted


async def test_a_digest_leads_to_its_terms_and_back(loaded: Loaded) -> None:
    async with office(loaded) as at:
        opener = (await at.acme.say(at.general, at.li, "the TTFT is up, is the KV cache full?")).said
        await at.acme.say(at.general, at.lena, "our SLO is 500 ms", thread=opener)
        (digest,) = (await at.acme.say(at.general, at.lena, f"{at.acme.at} explain", thread=opener)).whispered
        window = (await at.acme.shortcut(at.lena, "explain_jargon", opener)).view
        for place in (digest, window):
            before = place.says.splitlines()[:4]
            await at.acme.press(at.lena, place, "Show")
            assert "Time to first token" in place.says
            await at.acme.press(at.lena, place, "‹ Back")
            assert place.says.splitlines()[:4] == before


# -- Notes ----------------------------------------------------------------------------------------------------------


async def noted(at: Office, text: str = JARGON) -> tuple[Message, Message]:
    """A message and the note under it."""
    outcome = await at.acme.say(at.general, at.lena, text)
    return outcome.said, outcome.one


async def test_a_channel_gets_notes_from_invitation_to_the_end(loaded: Loaded) -> None:
    async with office(loaded) as at:
        new = at.acme.channel("new", at.lena, at.li, bot=False)
        assert "/invite @jargonaut" in (await at.acme.slash(at.lena, new, "autoexplain", "all")).says
        welcome = (await at.acme.invite(new, at.lena)).one
        assert getattr(welcome, "reader", "") == at.lena.id
        on = await at.acme.press(at.lena, welcome, "Everywhere")
        (told,) = on.posted
        assert told.says.startswith("Lena switched on jargon notes for all messages in this channel.")
        note = await at.acme.say(new, at.li, JARGON)
        assert note.one.thread_ts == note.said.ts
        assert (await at.acme.say(new, at.lena, JARGON)).nothing
        page = (await at.acme.slash(at.lena, new, "autoexplain")).one
        off = await at.acme.press(at.lena, page, "Turn off")
        assert off.posted
        assert (await at.acme.say(new, at.lena, "and the TTFT?")).nothing


@pytest.mark.parametrize("typed", [("autoexplain", "all"), ("autoexplain", ""), ("jargonaut", "autoexplain all")])
async def test_a_command_in_a_conversation_with_the_bot_sets_no_notes_there(
    typed: tuple[str, str], loaded: Loaded
) -> None:
    async with office(loaded) as at:
        told = (await at.acme.slash(at.lena, at.acme.dm(at.lena), *typed)).one
        assert getattr(told, "reader", "") == at.lena.id
        assert "are for channels" in told.says


async def test_a_command_between_two_people_sets_no_notes_there(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.expect("channel_not_found", "conversations.info")
        between = at.acme.channel("two", at.lena, at.li, bot=False, kind="im")
        told = (await at.acme.slash(at.lena, between, "autoexplain", "all")).one
        assert "are for channels" in told.says


async def test_a_note_follows_its_message(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        said, note = await noted(at)
        edited = await at.acme.edit(said, "our KV cache is full")
        assert edited.one is note
        assert "KV cache" in note.says
        assert "Speculative" not in note.says
        assert (await at.acme.edit(said, "our KV cache is quite full, and the TTFT?")).nothing
        assert (await at.acme.delete(said)).deleted == [note]


async def test_who_may_do_what_with_a_note(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        _, note = await noted(at)
        refused = await at.acme.press(at.gus, note, "Remove this note")
        assert (refused.whispered[0].reader, refused.deleted) == (at.gus.id, [])
        known = (await at.acme.press(at.li, note, "I know these")).whispered[0]
        assert known.reader == at.li.id
        assert (known.thread_ts, note.gone) == (note.thread_ts, False)
        undone = await at.acme.press(at.li, known, known.buttons[0])
        assert undone.one is known
        muted = (await at.acme.press(at.lena, note, "Not under my messages")).whispered[0]
        assert muted.reader == at.lena.id
        assert (await at.acme.say(at.general, at.lena, "and what about the TTFT?")).nothing
        assert (await at.acme.press(at.ada, note, "Remove this note")).deleted == [note]


async def test_a_note_that_slack_wont_take_is_forgotten_and_comes_with_the_next_message(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        at.slack.fail("chat.postMessage", "restricted_action")
        assert (await at.acme.say(at.general, at.lena, JARGON)).nothing
        assert (await at.acme.say(at.general, at.li, JARGON)).posted
