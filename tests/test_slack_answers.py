"""What a request needs to know of Slack before it's answered."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.slack.answers import Answers
from adapters.slack.conversations import Conversations
from adapters.slack.people import People
from adapters.slack.requests import Origin, pressed, request
from adapters.slack.tasks import Tasks
from bot.bot import Bot, fixed
from bot.glossary.yaml_files import Loaded
from bot.request import Person, Place, Press, Request, encode
from bot.state.memory import MemoryStore
from tests.slack_clients import workspace_in
from tests.slack_fake import SlackFake

ORIGIN = Origin(Person("slack", "T1", "U1"), Place("slack", "T1", "C1"))


def answers(loaded: Loaded) -> Answers:
    bot = Bot(fixed(loaded.glossary), loaded.phrases, MemoryStore())
    return Answers(bot, Conversations(People(Tasks()), admins_only=False))


def slash(action: str, text: str = "", **how: Any) -> Request:
    return request(ORIGIN, action, None, text=text, by="slash", **how)


@pytest.mark.parametrize(
    ("asked", "at_once"),
    [
        pytest.param(slash("define", "SLO"), True, id="define"),
        pytest.param(slash("vs", "slo sla"), True, id="vs"),
        pytest.param(slash("explain", "TTFT got worse"), True, id="explain-text"),
        pytest.param(slash("explain"), True, id="explain-usage"),
        pytest.param(slash("lang", "zh"), True, id="lang"),
        pytest.param(slash("jargonaut"), True, id="panel"),
        pytest.param(slash("autoexplain"), False, id="autoexplain"),
        pytest.param(slash("autoexplain", "off"), False, id="autoexplain-off"),
        pytest.param(slash("explain", "auto off"), False, id="explain-auto"),
        pytest.param(slash("jargonaut", "autoexplain threads"), False, id="as-if-mentioned"),
        pytest.param(slash("define", "auto"), True, id="auto-as-a-term"),
        pytest.param(pressed(ORIGIN, encode(Press("auto-off")), None), False, id="button-off"),
        pytest.param(pressed(ORIGIN, encode(Press("note-remove")), None), False, id="button-remove"),
        pytest.param(pressed(ORIGIN, encode(Press("digest-thr")), None), False, id="button-thread"),
        pytest.param(pressed(ORIGIN, encode(Press("lang")), None), True, id="button-lang"),
    ],
)
def test_only_what_needs_nothing_of_slack_travels_in_an_acknowledgement(
    asked: Request, at_once: bool, loaded: Loaded
) -> None:
    assert answers(loaded).at_once(asked) is at_once


async def test_whose_notes_it_may_not_set_is_told_and_a_member_may(loaded: Loaded) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena, gus = acme.person("Lena"), acme.person("Gus", guest=True)
        channel = acme.channel("c", lena, gus)
        told = answers(loaded)
        async with workspace_in(acme) as workspace:
            where = []
            for user in (lena, gus):
                origin = Origin(Person("slack", acme.id, user.id), Place("slack", acme.id, channel.id))
                asked = request(origin, "autoexplain", None, text="threads", by="slash")
                where.append((await told.to(asked, workspace)).where)
        assert where == ["public", "private"]


async def test_a_thread_is_read_and_one_that_cant_be_is_told(loaded: Loaded) -> None:
    async with SlackFake() as slack:
        slack.expect("channel_not_found")
        acme = slack.workspace()
        lena = acme.person("Lena")
        open_, closed = acme.channel("open", lena), acme.channel("closed", lena, bot=False, kind="group")
        said = [(await acme.say(channel, lena, "our SLO", settle=False)).said for channel in (open_, closed)]
        for envelope in slack.envelopes:
            envelope.given_up = True
        texts = []
        async with workspace_in(acme) as workspace:
            for message in said:
                place = Place("slack", acme.id, message.channel, message.ts)
                asked = request(Origin(Person("slack", acme.id, lena.id), place), "mention", None, text="explain")
                texts.append(await answers(loaded).to(asked, workspace))
        assert [answer.kind for answer in texts] == ["explanation", "error"]
        assert texts[0].concepts == ("slo",)
