"""What a message is to the bot."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.hearing import Question, is_ordinary, question

BOT = "UBOT"


def said(text: str) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "text": text, "ts": "1.1"}


@pytest.mark.parametrize(
    ("message", "ordinary"),
    [
        pytest.param({"user": "U1"}, True, id="plain"),
        pytest.param({"user": "U1", "subtype": "file_share"}, True, id="file"),
        pytest.param({"user": "U1", "subtype": "thread_broadcast"}, True, id="thread-broadcast"),
        pytest.param({"user": "U1", "subtype": "me_message"}, True, id="me"),
        pytest.param({"user": "U1", "subtype": "channel_join"}, False, id="join"),
        pytest.param({"user": "U1", "subtype": "channel_topic"}, False, id="topic"),
        pytest.param({"user": "U1", "subtype": "brand_new_thing"}, False, id="unknown-subtype"),
        pytest.param({"subtype": "bot_message", "bot_id": "B1"}, False, id="bot-message"),
        pytest.param({"user": "U2", "bot_id": "B1"}, False, id="another-app-as-a-user"),
        pytest.param({"user": BOT}, False, id="the-bot-itself"),
        pytest.param({"user": "USLACKBOT"}, False, id="slackbot"),
        pytest.param({"user": "U1", "hidden": True}, False, id="hidden"),
        pytest.param({}, False, id="nobody"),
    ],
)
def test_only_what_a_person_wrote_is_ordinary(message: dict[str, Any], ordinary: bool) -> None:
    assert is_ordinary(message, BOT) is ordinary


@pytest.mark.parametrize(
    ("text", "direct", "asked"),
    [
        pytest.param("<@UBOT> what is SLO?", False, Question("mention", "what is SLO?", "mention"), id="mention"),
        pytest.param("hey <@UBOT|jn>, SLO", False, Question("mention", "hey SLO", "mention"), id="old-form"),
        pytest.param("<@UBOT>", False, Question("mention", "", "mention"), id="lone"),
        pytest.param("`<@UBOT>` SLO", False, None, id="in-code"),
        pytest.param("<@UBOT> !vs slo sla", False, Question("vs", "slo sla", "mention", "vs"), id="command-in-mention"),
        pytest.param("!define SLO", False, Question("define", "SLO", "text", "define"), id="command"),
        pytest.param("！定义 SLO", False, Question("define", "SLO", "text", "定义"), id="chinese-command"),
        pytest.param("、查量化", False, Question("define", "量化", "text", "查"), id="what-an-input-method-makes-of-/"),
        pytest.param("!nice work", False, None, id="nobodys-command"),
        pytest.param("!help", False, None, id="help-is-another-bots"),
        pytest.param("the SLO is fine", False, None, id="talk"),
        pytest.param("the SLO is fine", True, Question("mention", "the SLO is fine", "mention"), id="direct"),
        pytest.param("!vs slo sla", True, Question("vs", "slo sla", "text", "vs"), id="direct-command"),
        pytest.param("!nice", True, Question("mention", "!nice", "mention"), id="direct-no-command"),
        pytest.param("", True, None, id="direct-file-only"),
        pytest.param("a &lt; b", True, Question("mention", "a < b", "mention"), id="escapes-are-undone"),
    ],
)
def test_what_is_said_to_the_bot(text: str, direct: bool, asked: Question | None) -> None:
    assert question(said(text), BOT, direct=direct) == asked


@given(st.text(max_size=60), st.booleans())
def test_any_text_is_something_or_nothing(text: str, direct: bool) -> None:
    found = question(said(text), BOT, direct=direct)
    assert found is None or found.action == "mention" or found.word
