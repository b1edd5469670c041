"""The real AsyncApp, without a network: what it acknowledges, and what it writes down."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp, AsyncBoltContext, AsyncBoltRequest
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.app import handlers, listen
from adapters.slack.sending import Sender
from adapters.slack.tasks import Tasks
from bot.bot import Bot, fixed
from bot.glossary.yaml_files import Loaded
from bot.settings import Settings
from bot.state.memory import MemoryStore

COMMAND = {
    "command": "/define",
    "text": "SLO",
    "team_id": "T1",
    "user_id": "U1",
    "channel_id": "C1",
    "response_url": "http://127.0.0.1:9/hook",
}


class App:
    """Slack is out of reach here: whatever would be sent fails, and only acknowledgements count."""

    def __init__(self, app: AsyncApp, tasks: Tasks) -> None:
        self.app = app
        self.tasks = tasks
        self.removed: list[dict[str, Any]] = []
        self.fault: Exception | None = None

    async def takes(self, body: dict[str, Any]) -> tuple[int, Any]:
        response = await self.app.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=body))
        return response.status, json.loads(response.body) if response.body else None


@pytest.fixture
async def app(loaded: Loaded) -> AsyncIterator[App]:
    async with aiohttp.ClientSession() as session:
        client = AsyncWebClient(base_url="http://127.0.0.1:9/api/", session=session, retry_handlers=[])

        async def authorize() -> AuthorizeResult:
            return AuthorizeResult(enterprise_id=None, team_id="T1", bot_user_id="UBOT", bot_token="xoxb-1")

        made = AsyncApp(
            client=client,
            authorize=authorize,
            process_before_response=True,
            request_verification_enabled=False,
            raise_error_for_unhandled_request=True,
        )
        tasks = Tasks()
        store = MemoryStore()
        bot = Bot(fixed(loaded.glossary), loaded.phrases, store)
        sender = Sender(session, logging.getLogger("tests.slack.sdk"))
        at = App(made, tasks)

        async def removed(_context: AsyncBoltContext, body: dict[str, Any]) -> None:
            if at.fault is not None:
                raise at.fault
            at.removed.append(body["event"])

        listen(made, handlers(bot, loaded.phrases, Settings(_env_file=None), sender, tasks), removed)
        yield at
        await tasks.finish(5)
        await bot.close()


def event(**said: Any) -> dict[str, Any]:
    return {"type": "event_callback", "team_id": "T1", "event": said}


async def test_a_commands_answer_is_its_acknowledgement(app: App) -> None:
    status, answer = await app.takes(COMMAND)
    assert status == 200
    assert answer["response_type"] == "ephemeral"
    assert answer["text"].startswith("SLO")
    assert answer["blocks"]


async def test_what_needs_more_time_is_acknowledged_empty(app: App) -> None:
    assert await app.takes({**COMMAND, "command": "/vs", "text": "slo sla"}) == (200, None)
    assert await app.takes({**COMMAND, "command": "/autoexplain", "text": ""}) == (200, None)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(event(type="reaction_added", user="U1", item={"channel": "C1"}), id="unknown-event"),
        pytest.param(event(type="message", subtype="brand_new", channel="C1", ts="1.1"), id="unknown-subtype"),
        pytest.param(event(type="message", channel="C1", ts="1.1"), id="message-by-nobody"),
        pytest.param(event(type="message", subtype="message_changed", channel="C1", ts="1.1"), id="changed-nothing"),
        pytest.param(event(type="message", subtype="message_deleted", channel="C1", ts="1.1"), id="deleted-nothing"),
        pytest.param({"type": "shortcut", "callback_id": "other", "user": {"id": "U1"}}, id="unknown-shortcut"),
        pytest.param({"type": "view_closed", "view": {"callback_id": "x"}, "user": {"id": "U1"}}, id="view-closed"),
        pytest.param(
            {"type": "block_actions", "actions": [{"action_id": "old", "value": "x"}], "user": {"id": "U1"}},
            id="unknown-action",
        ),
    ],
)
async def test_what_nobody_listens_for_is_acknowledged_and_not_written_down(
    body: dict[str, Any], app: App, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        status, _ = await app.takes({"team": {"id": "T1"}, **body})
    assert status == 200
    assert caplog.messages == []


async def test_options_come_in_the_acknowledgement(app: App) -> None:
    body = {
        **{"type": "block_suggestion", "action_id": "search", "block_id": "b", "value": "kv"},
        **{"user": {"id": "U1", "team_id": "T1"}, "team": {"id": "T1"}},
    }
    status, answer = await app.takes(body)
    assert status == 200
    assert answer["options"][0]["text"]["text"].startswith("KV cache")


async def test_the_apps_removal_is_told_before_its_acknowledged(app: App) -> None:
    assert (await app.takes(event(type="app_uninstalled")))[0] == 200
    assert app.removed == [{"type": "app_uninstalled"}]


async def test_a_removal_that_fails_isnt_acknowledged_and_the_log_quotes_nobody(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    words = "my secret sentence"
    app.fault = ValueError(words)
    status, _ = await app.takes(event(type="app_uninstalled"))
    assert status == 500
    assert "ValueError" in caplog.text
    assert words not in caplog.text
