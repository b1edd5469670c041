"""An edited question edits its answer, a deleted one takes it along; notes follow their messages."""

from __future__ import annotations

import asyncio

import pytest

from bot.glossary.yaml_files import Loaded
from tests.slack_office import office

JARGON = "our KV cache is full and speculative decoding got slow"


async def test_an_edited_question_edits_its_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        question = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLI")
        answer = question.one
        outcome = await at.acme.edit(question.said, f"{at.acme.at} SLO")
        assert outcome.changed == [answer]
        assert "Service level objective" in answer.says
        assert not outcome.posted


async def test_after_two_minutes_an_answer_stays(loaded: Loaded) -> None:
    async with office(loaded) as at:
        question = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLI")
        at.slack.clock.pass_by(121)
        assert (await at.acme.edit(question.said, f"{at.acme.at} SLO")).nothing


@pytest.mark.parametrize(
    ("text", "whispered"),
    [("{at} flurbel", True), ("{at} thanks", False), ("never mind", False)],
    ids=["unknown-now", "thanks", "no-question-now"],
)
async def test_what_is_no_longer_public_is_taken_back(text: str, whispered: bool, loaded: Loaded) -> None:
    async with office(loaded) as at:
        question = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        outcome = await at.acme.edit(question.said, text.format(at=at.acme.at))
        assert question.one.gone
        assert bool(outcome.whispered) is whispered
        assert not outcome.posted


async def test_an_edit_never_makes_an_answer_or_a_note(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        said = (await at.acme.say(at.general, at.lena, "good morning")).said
        assert (await at.acme.edit(said, f"{at.acme.at} SLO")).nothing
        assert (await at.acme.edit(said, JARGON)).nothing


async def test_what_slack_changes_by_itself_is_no_edit(loaded: Loaded, caplog: pytest.LogCaptureFixture) -> None:
    async with office(loaded) as at:
        question = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        assert (await at.acme.touch(question.said, attachments=[{"id": 1, "text": "an unfurled link"}])).nothing
        assert (await at.acme.touch(question.one, attachments=[{"id": 1}])).nothing
        before = question.said.json()
        question.said.text = f"{at.acme.at} SLA"  # no person did that, so there's no `edited`
        at.acme.tell_changed(at.general, question.said, before)
        await at.slack.settled()
        assert "Service level objective" in question.one.says
        assert not [record for record in caplog.records if record.name.startswith("adapters")]


async def test_a_deleted_question_takes_its_answer_along(loaded: Loaded) -> None:
    async with office(loaded) as at:
        top = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")  # a tombstone stays where the thread begins
        inside = await at.acme.say(at.general, at.lena, "!define SLA", thread=top.said)
        await at.acme.delete(inside.said)
        assert inside.one.gone
        await at.acme.delete(top.said)
        assert top.one.gone


async def test_a_note_shrinks_and_goes_with_its_message(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        said = await at.acme.say(at.general, at.lena, JARGON)
        note = said.one
        await at.acme.edit(said.said, "speculative decoding got slow")
        assert "KV cache" not in note.says
        assert "Speculative decoding" in note.says
        await at.acme.delete(said.said)
        assert note.gone


async def test_in_a_direct_message_an_edited_question_edits_its_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        here = at.acme.dm(at.lena)
        question = await at.acme.say(here, at.lena, "flurbel")
        outcome = await at.acme.edit(question.said, "SLO")
        assert outcome.changed == [question.one]
        assert "Service level objective" in question.one.says


async def test_an_edit_waits_for_the_answer_that_it_changes(loaded: Loaded) -> None:
    async with office(loaded) as at:
        hold = at.slack.hold("chat.postMessage")
        question = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLI", settle=False)
        await asyncio.wait_for(hold.arrived.wait(), 10)
        edit = await at.acme.edit(question.said, f"{at.acme.at} SLO", settle=False)
        await at.slack.until(lambda: all(envelope.acked.is_set() for envelope in edit.envelopes))
        hold.release()
        await question.settled()
        (answer,) = question.posted
        assert "Service level objective" in answer.says


async def test_an_edit_that_slack_tells_twice_is_dealt_with_once(loaded: Loaded) -> None:
    async with office(loaded) as at:
        question = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        outcome = await at.acme.edit(question.said, f"{at.acme.at} flurbel")
        await at.slack.redeliver(outcome.envelopes[0], settle=True)
        assert len(at.slack.called("chat.postEphemeral")) == 1
        assert len(at.slack.called("chat.delete")) == 1
