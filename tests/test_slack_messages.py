"""Questions in channels, threads and direct messages; notes that nobody asked for."""

from __future__ import annotations

import asyncio

import pytest

from bot.glossary.yaml_files import Loaded
from bot.state.memory import MemoryStore
from tests.fakes import FailingStore
from tests.slack_fake_state import READS, SCOPES, Message
from tests.slack_office import Office, office

JARGON = "our KV cache is full and speculative decoding got slow"


async def notes_on(at: Office, mode: str = "all") -> None:
    await at.acme.slash(at.ada, at.general, "autoexplain", mode)


async def test_a_mention_is_answered_once_in_its_thread_for_all_to_see(loaded: Loaded) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} what is TTFT?")
        assert len(outcome.envelopes) == 2  # message and app_mention
        assert outcome.one.thread_ts == outcome.said.ts
        assert outcome.posted
        inside = await at.acme.say(at.general, at.li, f"{at.acme.at} SLO", thread=outcome.said)
        assert inside.one.thread_ts == outcome.said.ts


async def test_without_the_scopes_to_read_messages_mentions_and_direct_messages_work(loaded: Loaded) -> None:
    async with office(loaded, scopes=SCOPES - (READS - {"im:history"})) as at:
        assert "TTFT" in (await at.acme.say(at.general, at.lena, f"{at.acme.at} TTFT")).says
        assert "TTFT" in (await at.acme.say(at.acme.dm(at.lena), at.lena, "TTFT")).says
        outcome = await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        assert "--read-messages" in outcome.says


async def test_an_event_that_comes_again_is_answered_once_and_one_that_only_comes_again_is_answered(
    loaded: Loaded,
) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        at.slack.calls.clear()
        for envelope in outcome.envelopes:
            await at.slack.redeliver(envelope, settle=True)
        assert at.slack.called("chat.postMessage") == []
        other = Message(at.slack.clock.ts(), at.general.id, at.lena.id, f"{at.acme.at} SLA", [])
        at.general.messages[other.ts] = other
        assert at.acme.event({**other.json(), "type": "app_mention"}, at.general, attempt=1)
        await at.slack.settled()
        assert len(at.slack.called("chat.postMessage")) == 1


async def test_what_isnt_known_is_said_privately_where_it_was_asked(loaded: Loaded) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} flurbel")
        (shown,) = outcome.whispered
        assert (shown.reader, shown.thread_ts, outcome.posted) == (at.lena.id, None, [])
        inside = await at.acme.say(at.general, at.lena, f"{at.acme.at} flurbel", thread=outcome.said)
        assert inside.whispered[0].thread_ts == outcome.said.ts


async def test_typed_commands_are_answered_and_other_bots_commands_are_not(loaded: Loaded) -> None:
    async with office(loaded) as at:
        assert "SLO vs. SLA" in (await at.acme.say(at.general, at.lena, "!vs slo sla")).says
        assert "量化" in (await at.acme.say(at.general, at.li, "！查 量化")).says
        for text in ("!nice work", "!help", "!deploy SLO", "thanks"):
            assert (await at.acme.say(at.general, at.lena, text)).nothing


async def test_in_a_direct_message_all_is_in_the_open(loaded: Loaded) -> None:
    async with office(loaded) as at:
        here = at.acme.dm(at.lena)
        answer = (await at.acme.say(here, at.lena, "slo vs sla")).one
        assert answer.thread_ts is None
        assert "[Share]" not in answer.says
        miss = await at.acme.say(here, at.lena, "flurbel")
        assert miss.posted
        assert not miss.whispered


async def test_bots_and_the_bot_itself_get_no_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await notes_on(at)
        for subtype in ("bot_message", None):
            assert (await at.acme.say_as_app(at.general, f"{at.acme.at} SLO, {JARGON}", subtype=subtype)).nothing


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast", "me_message"])
async def test_ordinary_messages_get_notes_whatever_slack_calls_them(subtype: str, loaded: Loaded) -> None:
    async with office(loaded) as at:
        await notes_on(at)
        outcome = await at.acme.say(at.general, at.lena, JARGON, subtype=subtype)
        assert "New to this term" in outcome.says or "New to these terms" in outcome.says
        assert outcome.one.thread_ts == outcome.said.ts


@pytest.mark.parametrize("subtype", ["channel_topic", "channel_join", "pinned_item", "reminder_add"])
async def test_what_slack_writes_by_itself_gets_none(subtype: str, loaded: Loaded) -> None:
    async with office(loaded) as at:
        await notes_on(at)
        assert (await at.acme.say(at.general, at.lena, JARGON, subtype=subtype)).nothing


async def test_late_messages_get_no_note_and_late_questions_their_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await notes_on(at)
        assert (await at.acme.say(at.general, at.lena, JARGON, ago=360)).nothing
        assert "SLO" in (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", ago=360)).says


async def test_a_note_reads_nothing_but_the_event(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await notes_on(at)
        at.slack.calls.clear()
        await at.acme.say(at.general, at.lena, JARGON)
        assert [call.method for call in at.slack.calls] == ["chat.postMessage"]


async def test_a_note_that_slack_doesnt_take_isnt_tried_again_and_doesnt_count(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await notes_on(at)
        at.slack.fail("chat.postMessage", "ratelimited", retry_after=30)
        assert (await at.acme.say(at.general, at.lena, JARGON)).nothing
        assert (await at.acme.say(at.general, at.lena, JARGON)).posted


async def test_an_answer_waits_until_slack_takes_it_and_notes_meanwhile_are_dropped(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await notes_on(at)
        at.slack.fail("chat.postMessage", "ratelimited", times=2, retry_after=0)
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        assert len(outcome.posted) == 1


async def test_claims_come_before_anything_slow(loaded: Loaded) -> None:
    async with office(loaded) as at:
        hold = at.slack.hold("chat.postMessage")
        outcome = await at.acme.say(at.general, at.li, f"{at.acme.at} 什么是量化感知训练", settle=False)
        await asyncio.wait_for(hold.arrived.wait(), 10)
        await at.acme.touch(outcome.said, settle=False, language={"locale": "zh"})
        for envelope in outcome.envelopes:
            await at.slack.redeliver(envelope)
        hold.release()
        await outcome.settled()
        assert len(outcome.posted) == 1


async def test_with_the_database_away_questions_are_answered_once_and_notes_stay_away(loaded: Loaded) -> None:
    async with office(loaded, store=FailingStore()) as at:
        assert len((await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).posted) == 1
        assert (await at.acme.say(at.general, at.lena, JARGON)).nothing


async def test_explain_alone_in_a_thread_reads_the_thread_for_whoever_asks(loaded: Loaded) -> None:
    async with office(loaded) as at:
        first = (await at.acme.say(at.general, at.li, JARGON)).said
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} explain", thread=first)
        (shown,) = outcome.whispered
        assert shown.thread_ts == first.ts
        assert "Jargon in this thread" in shown.says
        assert "KV cache" in shown.says


async def test_a_typed_setting_is_told_in_the_channel_by_name(loaded: Loaded) -> None:
    async with office(loaded) as at:
        first = (await at.acme.say(at.general, at.li, "good morning")).said
        outcome = await at.acme.say(at.general, at.lena, "!autoexplain threads", thread=first)
        (told,) = outcome.posted
        assert told.thread_ts is None
        assert told.says.startswith("Lena switched on")


async def test_with_the_store_away_a_mention_has_one_answer_whichever_of_its_events_comes_first(loaded: Loaded) -> None:
    """It comes as a message, too, perhaps to another replica: then only that one is answered from memory."""
    store = MemoryStore()
    async with office(loaded, store=store) as at:
        await at.acme.say(at.general, at.lena, "good morning")
        store.away = True
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        assert len(outcome.envelopes) == 2
        assert "SLO" in outcome.one.says
        at.slack.calls.clear()
        other = Message(at.slack.clock.ts(), at.general.id, at.lena.id, f"{at.acme.at} SLA", [])
        at.general.messages[other.ts] = other
        assert at.acme.event({**other.json(), "type": "app_mention"}, at.general, attempt=1)
        await at.slack.settled()
        assert at.slack.called("chat.postMessage") == []


async def test_where_no_messages_arrive_a_mention_is_answered_with_the_store_away(loaded: Loaded) -> None:
    store = MemoryStore()
    async with office(loaded, store=store, scopes=SCOPES - (READS - {"im:history"})) as at:
        store.away = True
        assert "SLO" in (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).one.says
