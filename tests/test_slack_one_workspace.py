"""One workspace with a bot token: what is wrong with it is said with what to do."""

from __future__ import annotations

import aiohttp
import pytest
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.one_workspace import authorized, named, refused
from bot.errors import ConnectError
from tests.slack_clients import LOGGER
from tests.slack_fake import SlackFake
from tests.slack_fake_state import READS, SCOPES


async def test_a_good_token_says_who_the_bot_is() -> None:
    async with SlackFake() as slack, aiohttp.ClientSession() as session:
        acme = slack.workspace("Acme")
        assert acme.installation is not None
        client = AsyncWebClient(acme.installation.token, base_url=slack.api_url, session=session, logger=LOGGER)
        installed = await authorized(client)
        assert (installed.team_id, installed.bot_user_id, installed.url) == (acme.id, acme.bot, acme.url)
        assert installed.bot_token == acme.installation.token


@pytest.mark.parametrize(
    ("token", "words"),
    [
        pytest.param("xoxb-wrong", "Slack says invalid_auth", id="wrong"),
        pytest.param("", "Slack says", id="empty"),
    ],
)
async def test_a_wrong_token_is_a_line_that_says_what_to_do(token: str, words: str) -> None:
    async with SlackFake() as slack, aiohttp.ClientSession() as session:
        slack.expect("")
        slack.workspace("Acme")
        client = AsyncWebClient(token, base_url=slack.api_url, session=session, logger=LOGGER)
        with pytest.raises(ConnectError, match=words) as caught:
            await authorized(client)
        assert "\n" not in str(caught.value)
        assert token not in str(caught.value) or not token


async def test_a_missing_scope_is_named() -> None:
    async with SlackFake() as slack, aiohttp.ClientSession() as session:
        acme = slack.workspace("Acme", scopes=SCOPES - {"chat:write"})
        assert acme.installation is not None
        client = AsyncWebClient(acme.installation.token, base_url=slack.api_url, session=session, logger=LOGGER)
        with pytest.raises(ConnectError, match="chat:write"):
            await authorized(client)


async def test_slack_out_of_reach_is_said() -> None:
    async with aiohttp.ClientSession() as session:
        client = AsyncWebClient("xoxb-1", base_url="http://127.0.0.1:9/api/", session=session, retry_handlers=[])
        with pytest.raises(ConnectError, match="SLACK_API_URL"):
            await authorized(client)


@pytest.mark.parametrize(
    ("scopes", "on"),
    [
        pytest.param(SCOPES, "on: everything", id="reads"),
        pytest.param(SCOPES - {"groups:history"}, "everything but what needs groups:history", id="reads-some"),
        pytest.param(SCOPES - (READS - {"im:history"}), "off: ! commands, unasked notes", id="does-not-read"),
    ],
)
def test_the_line_says_what_is_on_and_what_isnt(scopes: frozenset[str], on: str) -> None:
    installed = AuthorizeResult(
        enterprise_id=None, team_id="T1", team="Acme", user="jargonaut", bot_scopes=sorted(scopes)
    )
    assert named(installed).startswith("Acme, as @")
    assert on in named(installed)


def test_a_token_that_was_taken_away_is_said_with_what_to_do() -> None:
    assert refused("token_revoked").startswith("SLACK_BOT_TOKEN: Slack says token_revoked.")
