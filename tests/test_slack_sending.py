"""Sending: everything goes out once, quietly, and no error reaches whoever sends."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from adapters.slack import sending as module
from adapters.slack.faults import REFUSED
from adapters.slack.sending import message
from bot.answer import Answer, Heading, Paragraph, Post, Table, Update
from tests.slack_clients import sender_of, workspace_in
from tests.slack_fake import SlackFake
from tests.slack_fake_state import ResponseUrl

ANSWER = Answer("definition", "en", "public", (Heading("SLO"), Paragraph("A target.")))
TABLE = Answer("comparison", "en", "public", (Heading("A vs. B"), Table(("Aspect", "A", "B"), (("Kind", "x", "y"),))))


async def test_a_post_is_quiet_has_a_text_and_tells_its_id() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena = acme.person("Lena")
        channel = acme.channel("c", lena)
        async with workspace_in(acme) as workspace:
            ts = await sender_of(workspace).post(workspace, channel.id, ANSWER)
        assert ts in channel.messages
        (call,) = slack.called("chat.postMessage")
        assert (call.args["unfurl_links"], call.args["unfurl_media"]) in (
            (False, False),
            ("0", "0"),
            ("false", "false"),
        )
        assert call.args["text"]
        assert "reply_broadcast" not in call.args


@pytest.mark.parametrize("way", ["post", "whisper", "update", "respond"])
async def test_what_slack_cant_read_goes_out_once_more_without_the_table(way: str) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena = acme.person("Lena")
        channel = acme.channel("c", lena)
        async with workspace_in(acme) as workspace:
            sender = sender_of(workspace)
            ts = await sender.post(workspace, channel.id, ANSWER) or ""
            slack.calls.clear()
            if way == "post":
                slack.fail("chat.postMessage", "invalid_blocks")
                assert await sender.post(workspace, channel.id, TABLE)
            elif way == "whisper":
                slack.fail("chat.postEphemeral", "invalid_blocks")
                assert await sender.whisper(workspace, channel.id, lena.id, TABLE)
            elif way == "update":
                slack.fail("chat.update", "invalid_blocks")
                assert await sender.update(workspace.client, channel.id, ts, TABLE)
            else:
                slack.fail("response_url", "invalid_blocks")
                url = slack.response_url(ResponseUrl(acme.id, channel.id, lena.id, slack.clock.now()))
                assert await sender.respond(url, TABLE)
        kinds = [[block["type"] for block in blocks_of(call.args)] for call in slack.calls]
        assert len(kinds) == 2
        assert "table" in kinds[0]
        assert "table" not in kinds[1]


def blocks_of(args: dict[str, Any]) -> list[dict[str, Any]]:
    blocks = args["blocks"]
    return json.loads(blocks) if isinstance(blocks, str) else blocks


@pytest.mark.parametrize("error", ["not_in_channel", "channel_not_found", "is_archived"])
async def test_an_error_of_a_channel_is_logged_once_and_not_tried_again(
    error: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        slack.fail("chat.postMessage", error, times=3)
        async with workspace_in(acme) as workspace:
            sender = sender_of(workspace)
            with caplog.at_level(logging.WARNING):
                for _ in range(3):
                    assert await sender.post(workspace, channel.id, ANSWER) is None
        assert len(slack.called("chat.postMessage")) == 3
        assert [r.getMessage() for r in caplog.records if r.name == module.__name__] == [
            f"Slack: {error} ({channel.id}); said once"
        ]


async def test_an_answer_waits_as_long_as_slack_says_and_a_note_doesnt_wait() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        async with workspace_in(acme) as workspace:
            sender = sender_of(workspace)
            slack.fail("chat.postMessage", "ratelimited", times=2, retry_after=0)
            assert await sender.post(workspace, channel.id, ANSWER)
            slack.fail("chat.postMessage", "ratelimited", retry_after=0)
            assert await sender.post(workspace, channel.id, ANSWER, asked=False) is None
        assert len(channel.messages) == 1


@pytest.mark.parametrize("error", sorted(REFUSED))
async def test_a_token_that_is_no_longer_taken_is_told(error: str) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        slack.fail("chat.postMessage", error)
        refused: list[str] = []
        async with workspace_in(acme) as workspace:
            await sender_of(workspace, refused).post(workspace, channel.id, ANSWER)
        assert refused == [error]


async def test_slack_out_of_reach_is_no_exception() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        async with workspace_in(acme) as workspace:
            workspace.client.base_url = "http://127.0.0.1:9/api/"
            sender = sender_of(workspace)
            assert await sender.post(workspace, "C1", ANSWER) is None
            assert not await sender.respond("http://127.0.0.1:9/hook", ANSWER)
            assert await sender.view(workspace.client.views_open(trigger_id="t", view={})) is None


async def test_a_response_url_that_is_used_up_is_no_exception(caplog: pytest.LogCaptureFixture) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena = acme.person("Lena")
        channel = acme.channel("c", lena)
        url = slack.response_url(ResponseUrl(acme.id, channel.id, lena.id, slack.clock.now()))
        slack.fail("response_url", "used_url")
        async with workspace_in(acme) as workspace:
            assert not await sender_of(workspace).respond(url, ANSWER)
    assert url not in caplog.text


async def test_besides_an_answer_other_messages_change_and_other_channels_hear_of_it() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena = acme.person("Lena")
        here, there = acme.channel("here", lena), acme.channel("there", lena)
        async with workspace_in(acme) as workspace:
            sender = sender_of(workspace)
            first = await sender.post(workspace, here.id, ANSWER) or ""
            second = await sender.post(workspace, here.id, ANSWER) or ""
            await sender.besides(workspace, here.id, Answer("silence", "en", update=Update(first, TABLE)))
            await sender.besides(workspace, here.id, Answer("silence", "en", update=Update(second, None)))
            await sender.besides(workspace, here.id, Answer("silence", "en", elsewhere=(Post(there.id, ANSWER),)))
            await sender.besides(workspace, here.id, ANSWER)
        assert "A vs. B" in here.messages[first].says
        assert here.messages[second].gone
        assert len(there.messages) == 1


async def test_deleting_what_is_gone_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        slack.fail("chat.delete", "message_not_found")
        async with workspace_in(acme) as workspace:
            await sender_of(workspace).delete(workspace.client, channel.id, "1.1")
    assert caplog.messages == []


def test_a_message_has_a_text_and_blocks() -> None:
    made = message(ANSWER)
    assert made["text"].startswith("SLO")
    assert made["blocks"]
