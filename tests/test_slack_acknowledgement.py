"""Answers inside acknowledgements."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from slack_bolt.context.ack.async_ack import AsyncAck

from adapters.slack.acknowledgement import acknowledgement
from adapters.slack.blocks import render
from bot.answer import Answer, Heading, Paragraph

CARD = Answer("definition", "zh-Hans", blocks=(Heading("量化"), Paragraph("A “card” & <more>")))


@pytest.mark.parametrize("answer", [CARD, replace(CARD, kind="unknown"), replace(CARD, where="public")], ids=str)
async def test_slack_gets_the_rendered_answer(answer: Answer) -> None:
    for _ in range(2):
        response = await AsyncAck()(acknowledgement(answer))
        assert response.headers["content-type"] == ["application/json;charset=utf-8"]
        assert json.loads(response.body) == {
            "response_type": "in_channel" if answer.where == "public" else "ephemeral",
            "text": render(answer).text,
            "blocks": render(answer).blocks,
        }


def test_answers_that_differ_are_told_apart() -> None:
    assert acknowledgement(CARD) is acknowledgement(replace(CARD))
    others = [replace(CARD, where="public"), replace(CARD, blocks=CARD.blocks[:1]), replace(CARD, language="en")]
    assert [acknowledgement(other) == acknowledgement(CARD) for other in others] == [False, False, True]
