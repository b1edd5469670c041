"""The SDK's log: no debug lines, no tokens, no traceback with somebody's words."""

from __future__ import annotations

import logging

import pytest

from adapters.slack.logs import sdk_logger


@pytest.mark.parametrize(
    ("line", "left"),
    [
        pytest.param("token xoxb-123-abcDEF failed", "token … failed", id="bot-token"),
        pytest.param("xoxe.xoxb-1-Mi0yLW failed", "… failed", id="rotated-token"),
        pytest.param("(xapp-1-A0-77-aa)", "(…)", id="app-token"),
        pytest.param(
            "url='wss://x/link/?ticket=1b2c-3&app_id=A'", "url='wss://x/link/?ticket=…&app_id=A'", id="ticket"
        ),
        pytest.param("POST https://hooks.slack.com/commands/T/1/x y", "POST … y", id="response-url"),
        pytest.param("The session seems to be stale", "The session seems to be stale", id="nothing"),
    ],
)
def test_secrets_are_taken_out(line: str, left: str, caplog: pytest.LogCaptureFixture) -> None:
    sdk_logger("test").warning(line)
    assert caplog.messages == [left]


def test_of_an_error_only_its_type_is_left(caplog: pytest.LogCaptureFixture) -> None:
    logger = sdk_logger("test")
    try:
        raise ConnectionError("xapp-1 said: my words")
    except ConnectionError as error:
        logger.exception("Failed to connect (error: %s); Retrying...", error)
    assert caplog.messages == ["Failed to connect (ConnectionError)"]
    assert "words" not in caplog.text


def test_debug_lines_are_never_written_since_they_hold_whole_messages(caplog: pytest.LogCaptureFixture) -> None:
    logger = sdk_logger("debug")
    with caplog.at_level(logging.DEBUG):
        logger.debug("Received message: everything that was said")
    assert caplog.messages == []
