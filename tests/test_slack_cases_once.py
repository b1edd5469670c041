"""What has gone wrong in other Slack bots: answered twice, not at all, or when nobody asked.

Letters and numbers are those of the collected cases; each test holds a whole kind, not only its example.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from adapters.slack import socket_mode
from bot.glossary.yaml_files import Loaded
from tests.slack_fake_outcome import Outcome
from tests.slack_fake_state import Message
from tests.slack_office import Office, office
from tests.slack_replicas import replica, shared

JARGON: Final = "our KV cache is full and speculative decoding got slow"

Asking = Callable[[Office], Awaitable[Outcome]]


async def in_a_thread(at: Office) -> Outcome:
    opener = (await at.acme.say(at.general, at.li, "morning")).said
    return await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", thread=opener)


ASKING: Final[dict[str, Asking]] = {
    "a mention": lambda at: at.acme.say(at.general, at.lena, f"{at.acme.at} define SLO"),
    "a mention in Chinese": lambda at: at.acme.say(at.general, at.li, f"{at.acme.at} 什么是量化感知训练"),
    "a mention in a thread": in_a_thread,
    "a typed command": lambda at: at.acme.say(at.general, at.lena, "!define SLO"),
    "a direct message": lambda at: at.acme.say(at.acme.dm(at.lena), at.lena, "SLO"),
}


def replies(at: Office) -> int:
    return len(at.slack.called("chat.postMessage"))


# -- S01: Slack delivers an event again


@pytest.mark.parametrize("asking", ASKING)
async def test_an_event_that_comes_again_is_answered_once(loaded: Loaded, asking: str) -> None:
    async with office(loaded) as at:
        asked = await ASKING[asking](at)
        assert len(asked.posted) == 1
        for reason in ("timeout", "http_timeout", "http_error"):
            for envelope in asked.envelopes:
                await at.slack.redeliver(envelope, reason=reason, settle=True)
        assert replies(at) == 1


async def test_an_event_that_comes_again_while_it_is_being_answered_is_answered_once(loaded: Loaded) -> None:
    async with office(loaded) as at:
        hold = at.slack.hold("chat.postMessage")
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", settle=False)
        await hold.arrived.wait()
        again = [await at.slack.redeliver(envelope) for envelope in asked.envelopes]
        await at.slack.until(lambda: all(envelope.acked.is_set() for envelope in again))
        hold.release()
        await at.slack.settled()
        assert replies(at) == 1


async def test_an_event_whose_first_delivery_was_lost_is_answered(loaded: Loaded) -> None:
    async with office(loaded) as at:
        lost = Message(at.slack.clock.ts(), at.general.id, at.lena.id, f"{at.acme.at} SLO")
        at.general.messages[lost.ts] = lost
        outcome = Outcome(at.slack)
        at.acme.event({**lost.json(), "type": "app_mention"}, at.general, attempt=1, reason="http_timeout")
        await outcome.settled()
        assert (outcome.one.thread_ts, replies(at)) == (lost.ts, 1)


async def test_over_http_a_retry_is_known_by_its_message_and_not_by_its_header(loaded: Loaded) -> None:
    async with office(loaded, http=True) as at:
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        for envelope in asked.envelopes:
            await at.slack.redeliver(envelope, reason="http_timeout", settle=True)
        lost = Message(at.slack.clock.ts(), at.general.id, at.lena.id, f"{at.acme.at} SLA")
        at.general.messages[lost.ts] = lost
        at.acme.event({**lost.json(), "type": "app_mention"}, at.general, attempt=1, reason="http_timeout")
        await at.slack.settled()
        assert replies(at) == 2


# -- S04, S26: messages that Slack changes by itself


async def unfurled(at: Office, message: Message) -> Outcome:
    return await at.acme.touch(
        message, attachments=[{"fallback": "a page about TTFT", "from_url": "https://a.example"}]
    )


async def got_replies(at: Office, message: Message) -> Outcome:
    return await at.acme.touch(message, reply_count=1, reply_users=[at.li.id], latest_reply="9.9")


async def language_found(at: Office, message: Message) -> Outcome:
    return await at.acme.touch(message, language={"locale": "zh", "is_reliable": True})


async def edited_in_name_only(at: Office, message: Message) -> Outcome:
    return await at.acme.edit(message, message.text)


TOUCHES: Final = {it.__name__: it for it in (unfurled, got_replies, language_found, edited_in_name_only)}


@pytest.mark.parametrize("touch", TOUCHES)
async def test_what_slack_changes_by_itself_changes_nothing(
    loaded: Loaded, touch: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        for text in (f"{at.acme.at} define SLO", f"{at.acme.at} 什么是量化感知训练", "!vs slo sla", JARGON):
            said = await at.acme.say(at.general, at.lena, text)
            assert len(said.posted) == 1, text
            assert (await TOUCHES[touch](at, said.said)).nothing, text
            assert (await TOUCHES[touch](at, said.one)).nothing, text
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_change_of_our_own_answer_without_any_text_is_no_fault(
    loaded: Loaded, caplog: pytest.LogCaptureFixture
) -> None:
    async with office(loaded) as at:
        answer = (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).one
        bare = {key: value for key, value in answer.json().items() if key != "text"}
        outcome = Outcome(at.slack)
        changed = {"type": "message", "subtype": "message_changed", "ts": at.slack.clock.ts(), "hidden": True}
        at.acme.event({**changed, "message": bare, "channel_type": "channel", "event_ts": "9.9"}, at.general)
        assert (await outcome.settled()).nothing
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_message_that_slack_changes_while_it_is_being_answered_is_answered_once(loaded: Loaded) -> None:
    async with office(loaded) as at:
        hold = at.slack.hold("chat.postMessage")
        asked = await at.acme.say(at.general, at.li, f"{at.acme.at} 什么是量化感知训练", settle=False)
        await hold.arrived.wait()
        touched = await at.acme.touch(asked.said, settle=False, language={"locale": "zh"})
        await at.slack.until(lambda: all(envelope.acked.is_set() for envelope in touched.envelopes))
        hold.release()
        await at.slack.settled()
        assert replies(at) == 1


async def test_an_edited_question_edits_its_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} define SLI")
        edited = await at.acme.edit(asked.said, f"{at.acme.at} define SLO")
        assert edited.one is asked.one
        assert edited.one.says.startswith("SLO\nService level objective")
        assert replies(at) == 1


# -- S07: each payload goes to one of several processes


@asynccontextmanager
async def two_processes(loaded: Loaded, folder: Path) -> AsyncIterator[Office]:
    """`socket.route` says which of them gets what comes; they share a database and nothing else."""
    async with (
        shared(folder) as one,
        shared(folder) as other,
        office(loaded, store=one) as at,
        replica(at.slack, at.acme, loaded, other),
    ):
        yield at


async def test_what_one_process_was_told_all_of_them_know(loaded: Loaded, tmp_path: Path) -> None:
    async with two_processes(loaded, tmp_path) as at:
        for first, second in ((0, 1), (1, 0)):
            at.slack.socket.route = first
            await at.acme.slash(at.lena, at.general, "lang", "zh" if first == 0 else "en")
            at.slack.socket.route = second
            answer = await at.acme.slash(at.lena, at.general, "define", "SLO")
            assert answer.says.splitlines()[1].startswith("服务等级目标") == (first == 0)


@pytest.mark.parametrize("asking", ASKING)
async def test_an_event_that_comes_again_to_another_process_is_answered_once(
    loaded: Loaded, tmp_path: Path, asking: str
) -> None:
    async with two_processes(loaded, tmp_path) as at:
        at.slack.socket.route = 0
        asked = await ASKING[asking](at)
        for envelope in asked.envelopes:
            await at.slack.redeliver(envelope, to=1, settle=True)
        assert replies(at) == 1


async def test_a_mention_whose_two_events_reach_two_processes_is_answered_once(loaded: Loaded, tmp_path: Path) -> None:
    async with two_processes(loaded, tmp_path) as at:
        for _ in range(5):
            before = replies(at)
            await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
            assert replies(at) == before + 1


async def test_a_term_is_explained_once_by_all_processes_together(loaded: Loaded, tmp_path: Path) -> None:
    async with two_processes(loaded, tmp_path) as at:
        at.slack.socket.route = 0
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        assert len((await at.acme.say(at.general, at.lena, JARGON)).posted) == 1
        at.slack.socket.route = 1
        assert (await at.acme.say(at.general, at.li, JARGON)).nothing


async def test_a_question_edited_at_another_process_edits_its_answer(loaded: Loaded, tmp_path: Path) -> None:
    async with two_processes(loaded, tmp_path) as at:
        at.slack.socket.route = 0
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} define SLI")
        at.slack.socket.route = 1
        assert (await at.acme.edit(asked.said, f"{at.acme.at} define SLO")).one is asked.one


# -- S08: the connection ends every few hours, and sometimes breaks


async def refreshed(at: Office) -> None:
    await at.slack.socket.connections[0].disconnect("refresh_requested")


async def warned_and_closed(at: Office) -> None:
    connection = at.slack.socket.connections[0]
    await connection.disconnect("warning")
    await connection.close()


async def closed(at: Office) -> None:
    await at.slack.socket.connections[0].close()


async def broken(at: Office) -> None:
    at.slack.socket.connections[0].drop()


ENDS: Final = {it.__name__: it for it in (refreshed, warned_and_closed, closed, broken)}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken connection is noticed sooner than usual."""
    monkeypatch.setattr(socket_mode, "PING_SECONDS", 0.2)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("end", ENDS)
async def test_the_bot_connects_again_and_late_events_are_questions_or_nothing(
    loaded: Loaded, end: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        first = at.slack.socket.connections[0]
        await ENDS[end](at)
        await at.slack.until(lambda: at.slack.socket.connections and at.slack.socket.connections[0] is not first, 20)
        await at.slack.until(lambda: len(at.slack.socket.connections) == 1, 20)
        await at.slack.until(lambda: at.platform.connected and at.platform.reconnects == 1)
        late = await at.acme.say(at.general, at.lena, JARGON, ago=360)
        assert late.nothing
        question = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", ago=360)
        assert question.one.thread_ts == question.said.ts
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.usefixtures("impatient")
async def test_a_question_that_was_on_its_way_when_the_connection_broke_is_answered_once(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.socket.connections[0].drop()
        await at.slack.until(lambda: not at.slack.socket.connections)
        asked: Any = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", settle=False)
        await at.slack.until(lambda: at.slack.socket.connections, 20)
        await asked.settled()
        assert len(asked.posted) == 1


@pytest.mark.usefixtures("impatient")
async def test_while_there_is_no_connection_the_bot_isnt_ready(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.fail("apps.connections.open", "internal_error", times=2)
        at.slack.socket.connections[0].drop()
        await at.slack.until(lambda: not at.platform.connected)
        await at.slack.until(lambda: at.platform.connected, 20)
        assert (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).posted
