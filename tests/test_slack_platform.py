"""The platform as the composition root sees it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adapters.slack.platform import SlackPlatform
from bot.answer import Answer, Paragraph
from bot.bot import Bot, fixed
from bot.errors import ConnectError, SettingsError
from bot.glossary.yaml_files import Loaded
from bot.settings import Settings
from bot.state.memory import MemoryStore
from tests.slack_fake import SlackFake
from tests.slack_office import office


def platform(loaded: Loaded, slack: SlackFake, **settings: Any) -> SlackPlatform:
    store = MemoryStore()
    bot = Bot(fixed(loaded.glossary), loaded.phrases, store)
    made = Settings(_env_file=None, slack_api_url=slack.api_url, http_port=0, **settings)  # type: ignore[arg-type]
    return SlackPlatform(bot, loaded.phrases, store, made, None)


async def test_it_connects_says_so_in_one_line_and_stops_twice(loaded: Loaded) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace("Acme")
        assert acme.installation is not None
        at = platform(loaded, slack, slack_bot_token=acme.installation.token, slack_app_token=slack.app_token)
        assert not at.connected
        line = await at.start()
        assert line == "Acme, as @jargonaut; on: everything; Socket Mode"
        assert at.connected
        waiting = asyncio.create_task(at.wait())
        await at.stop()
        await at.stop()
        await waiting
        assert not at.connected


async def test_stopping_before_the_start_is_no_error(loaded: Loaded) -> None:
    async with SlackFake() as slack:
        await platform(loaded, slack).stop()


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        pytest.param(
            {"slack_bot_token": "xoxb-no", "slack_app_token": "xapp-1-fake"}, ConnectError, "SLACK_BOT", id="bot"
        ),
        pytest.param({"slack_app_token": "xapp-no"}, ConnectError, "SLACK_APP_TOKEN", id="app"),
        pytest.param({}, SettingsError, "SLACK_SIGNING_SECRET", id="no-secret"),
        pytest.param(
            {"slack_client_id": "1.2", "slack_client_secret": "x", "slack_signing_secret": "x"},
            SettingsError,
            "DATABASE_URL",
            id="no-database",
        ),
    ],
)
async def test_what_is_wrong_at_the_start_is_one_line(
    settings: dict[str, str], error: type[Exception], words: str, loaded: Loaded, caplog: pytest.LogCaptureFixture
) -> None:
    async with SlackFake() as slack:
        slack.violated("test", "placeholder")
        slack.expect("")  # Slack minds a wrong token
        acme = slack.workspace("Acme")
        assert acme.installation is not None
        at = platform(loaded, slack, **{"slack_bot_token": acme.installation.token, **settings})
        with pytest.raises(error, match=words) as caught:
            await at.start()
        assert "\n" not in str(caught.value)
        assert caplog.records == []
        assert not at.connected


async def test_over_http_it_answers_too(loaded: Loaded) -> None:
    async with office(loaded, http=True) as at:
        assert at.platform.connected
        assert at.platform.reconnects == 0
        assert "SLO" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says
        assert "SLO vs. SLA" in (await at.acme.say(at.general, at.lena, f"{at.acme.at} slo vs sla")).says


async def test_what_is_being_answered_is_finished_at_the_end(loaded: Loaded, caplog: pytest.LogCaptureFixture) -> None:
    async with office(loaded) as at:
        at.slack.allow("never acknowledged")  # its own post comes back as an event
        hold = at.slack.hold("chat.postMessage")
        outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", settle=False)
        await asyncio.wait_for(hold.arrived.wait(), 10)
        await at.slack.until(lambda: all(envelope.acked.is_set() for envelope in outcome.envelopes))
        stopping = asyncio.create_task(at.platform.stop())
        await asyncio.sleep(0)
        hold.release()
        await stopping
        assert len(outcome.posted) == 1
        assert "cut off" not in caplog.text


async def test_something_that_nobody_asked_for_is_posted_or_it_says_why_not(loaded: Loaded) -> None:
    async with office(loaded) as at:
        report = Answer("list", "en", "public", (Paragraph("2 look-ups without an answer."),))
        await at.platform.post(at.general.id, report)
        (message,) = at.acme.sees(at.lena, at.general)
        assert message.says == "2 look-ups without an answer."
        at.slack.expect("channel_not_found")
        with pytest.raises(ConnectError, match="is the bot a member there"):
            await at.platform.post(at.elsewhere.id, report)
        assert len(at.slack.called("chat.postMessage")) == 2


async def test_before_the_start_nothing_can_be_posted(loaded: Loaded) -> None:
    async with SlackFake() as slack:
        with pytest.raises(ConnectError, match="SLACK_BOT_TOKEN"):
            await platform(loaded, slack).post("C1", Answer("list", "en"))


async def test_an_app_that_is_removed_ends_the_platform_and_what_was_kept_goes(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.lena, at.general, "lang", "zh")
        waiting = asyncio.create_task(at.platform.wait())
        await at.acme.uninstall()
        with pytest.raises(ConnectError, match="SLACK_BOT_TOKEN"):
            await asyncio.wait_for(waiting, 10)


async def test_a_bot_token_that_was_taken_away_ends_the_platform(loaded: Loaded) -> None:
    async with office(loaded) as at:
        waiting = asyncio.create_task(at.platform.wait())
        at.slack.fail("chat.postMessage", "token_revoked")
        await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")
        with pytest.raises(ConnectError, match="token_revoked"):
            await asyncio.wait_for(waiting, 10)
