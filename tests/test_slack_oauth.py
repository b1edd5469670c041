"""Installing in a browser: the real server and bolt's flow, a database, and the fake of Slack."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp, AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.http import HttpServer
from adapters.slack.oauth import Installable, installable
from bot.errors import SettingsError
from bot.phrases import Phrases
from bot.settings import Settings
from bot.state.database import Database
from bot.state.memory import MemoryStore
from tests.slack_browser import Browser
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_installed import KEY, OTHER_KEY, installation
from tests.stores import opened_database

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")  # slack_sdk makes one

SCOPES = ("chat:write", "commands")


def settings(slack: SlackFake, **values: Any) -> Settings:
    made: dict[str, Any] = {
        "slack_client_id": slack.client_id,
        "slack_client_secret": slack.client_secret,
        "slack_signing_secret": slack.signing_secret,
        "slack_api_url": slack.api_url,
        "token_key": KEY,
    }
    return Settings(_env_file=None, **made | values)


@dataclass
class House:
    """Everything that runs."""

    slack: SlackFake
    oauth: Installable
    store: Database
    browser: Browser
    file: Path
    mentions: list[tuple[str, str | None]]

    async def token(self, workspace: Workspace) -> str | None:
        bot = await self.oauth.authorize.find(workspace.enterprise, workspace.id)
        return bot.bot_token if bot else None


@asynccontextmanager
async def running(slack: SlackFake, phrases: Phrases, folder: Path, **values: Any) -> AsyncIterator[House]:
    async with opened_database("sqlite", folder) as store, aiohttp.ClientSession() as session:
        made = settings(slack, **values)
        oauth = installable(made, store.engine, store, phrases, SCOPES)
        await oauth.check()
        app = AsyncApp(
            client=AsyncWebClient(base_url=slack.api_url),
            authorize=oauth.authorize,
            oauth_flow=oauth.flow,
            request_verification_enabled=False,
            process_before_response=True,
        )
        mentions: list[tuple[str, str | None]] = []

        @app.event("app_mention")
        async def mentioned(event: dict[str, Any], client: AsyncWebClient) -> None:
            mentions.append((event["text"], client.token))

        @app.event("message")
        async def said() -> None: ...

        @app.event("app_uninstalled")
        async def uninstalled(context: AsyncBoltContext, body: dict[str, Any]) -> None:
            await oauth.removal.heard(context, body)

        server = HttpServer(app, slack.signing_secret, "127.0.0.1", 0)
        await server.start()
        host, port = server.address
        slack.http.url = f"http://{host}:{port}/slack/events"
        browser = Browser(session, f"http://{host}:{port}")
        yield House(slack, oauth, store, browser, folder / "state.sqlite", mentions)
        await server.stop()
        await oauth.close()


@pytest.fixture
async def slack() -> AsyncIterator[SlackFake]:
    async with SlackFake() as made:
        yield made


@pytest.fixture
async def house(slack: SlackFake, phrases: Phrases, tmp_path: Path) -> AsyncIterator[House]:
    async with running(slack, phrases, tmp_path) as made:
        yield made


async def test_the_first_page_leads_to_slack_with_what_the_bot_asks_for(house: House) -> None:
    status, _, location = await house.browser.get("/slack/install")
    assert status == 302
    assert location.startswith("https://slack.com/oauth/v2/authorize?")
    asked = parse_qs(urlsplit(location).query, keep_blank_values=True)
    assert asked["client_id"] == [house.slack.client_id]
    assert asked["scope"] == [",".join(SCOPES)]
    assert asked["user_scope"] == [""]
    assert house.browser.cookie.endswith(asked["state"][0])
    assert house.slack.client_secret not in location


async def test_a_workspace_installs_and_the_bot_answers_there(house: House, phrases: Phrases) -> None:
    slack = house.slack
    acme = slack.workspace("Acme", installed=False)
    lena = acme.person("Lena")
    status, page = await house.browser.install(slack.code_for(acme))
    assert status == 200
    assert phrases.say("slack.oauth.installed", "en") in page
    assert acme.installation is not None
    assert await house.token(acme) == acme.installation.token
    general = acme.channel("general", lena)
    await acme.say(general, lena, f"{acme.at} SLO")
    assert house.mentions == [(f"{acme.at} SLO", acme.installation.token)]
    assert slack.called("oauth.v2.access")[0].args["code"]


async def test_two_workspaces_each_have_their_own_token(house: House) -> None:
    one, other = (house.slack.workspace(name, installed=False) for name in ("One", "Other"))
    for workspace in (one, other):
        await house.browser.install(house.slack.code_for(workspace))
    assert one.installation is not None
    assert other.installation is not None
    assert (await house.token(one), await house.token(other)) == (one.installation.token, other.installation.token)


async def test_an_organisation_installs_for_all_of_its_workspaces(house: House, phrases: Phrases) -> None:
    teams = [house.slack.workspace(name, enterprise="E1", installed=False) for name in ("One", "Two")]
    status, page = await house.browser.install(house.slack.code_for(*teams, for_org=True))
    assert status == 200
    assert "team=E1" in page
    assert teams[0].installation is not None
    for team in teams:
        lena = team.person("Lena")
        await team.say(team.channel("general", lena), lena, f"{team.at} SLO")
    assert [token for _, token in house.mentions] == [teams[0].installation.token] * 2


async def test_a_rotating_token_is_kept_with_what_renews_it(house: House) -> None:
    acme = house.slack.workspace("Acme", installed=False)
    await house.browser.install(house.slack.code_for(acme, rotating=True))
    found = await house.oauth.authorize._installations.async_find_installation(enterprise_id=None, team_id=acme.id)
    assert found is not None
    assert acme.installation is not None
    assert (found.bot_token, found.bot_refresh_token) == (acme.installation.token, acme.installation.refresh_token)
    assert found.bot_token_expires_at is not None


async def test_installing_again_replaces_the_token_at_once(house: House) -> None:
    acme = house.slack.workspace("Acme", installed=False)
    for _ in range(2):
        await house.browser.install(house.slack.code_for(acme))
        assert acme.installation is not None
        assert await house.token(acme) == acme.installation.token


async def test_tokens_are_encrypted_in_the_file_and_never_logged(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "adapters")
    acme = house.slack.workspace("Acme", installed=False)
    code = house.slack.code_for(acme, rotating=True)
    await house.browser.install(code)
    assert acme.installation is not None
    with closing(sqlite3.connect(house.file)) as connection:
        content = str(
            [connection.execute(f"SELECT * FROM slack_{name}").fetchall() for name in ("bots", "installations")]
        )
    for secret in (acme.installation.token, str(acme.installation.refresh_token), code, house.slack.client_secret):
        assert secret not in content + caplog.text


async def test_the_bot_is_removed_and_nothing_is_left(house: House) -> None:
    acme = house.slack.workspace("Acme", installed=False)
    await house.browser.install(house.slack.code_for(acme))
    assert acme.installation is not None
    acme.installation.state = "token_revoked"
    body = {
        **{"type": "event_callback", "team_id": acme.id, "event_id": "Ev1", "event_time": 4_000_000_000},
        "event": {"type": "app_uninstalled"},
    }
    await house.slack.http.post(json.dumps(body))
    assert await house.token(acme) is None


# -- When it doesn't work -----------------------------------------------------------------------------------------


async def test_who_cancels_at_slack_is_told_that_nothing_happened(house: House, phrases: Phrases) -> None:
    state = await house.browser.begin()
    status, page, _ = await house.browser.get("/slack/oauth_redirect", error="access_denied", state=state)
    assert status == 200
    assert phrases.say("slack.oauth.cancelled", "zh-Hans") in page


async def test_another_browser_cannot_finish_what_this_one_began(house: House) -> None:
    state = await house.browser.begin()
    house.browser.cookie = ""
    status, _, _ = await house.browser.get("/slack/oauth_redirect", code="c", state=state)
    assert status == 400
    assert house.slack.called("oauth.v2.access") == []


async def test_a_state_counts_once(house: House) -> None:
    acme = house.slack.workspace("Acme", installed=False)
    state = await house.browser.begin()
    cookie = house.browser.cookie
    code = house.slack.code_for(acme)
    assert (await house.browser.get("/slack/oauth_redirect", code=code, state=state))[0] == 200
    house.browser.cookie = cookie
    assert (await house.browser.get("/slack/oauth_redirect", code=code, state=state))[0] == 401
    assert len(house.slack.called("oauth.v2.access")) == 1


@pytest.mark.parametrize("query", [{}, {"code": "c"}, {"state": "s"}, {"error": "<b>"}, {"code": "c", "state": "s"}])
async def test_a_redirect_that_is_none_is_a_polite_page(
    house: House, query: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    status, page, _ = await house.browser.get("/slack/oauth_redirect", **query)
    assert status in (200, 400, 401)
    assert "Start again" in page
    assert "<b>" not in page
    assert [record for record in caplog.records if record.exc_info] == []


async def test_a_code_that_slack_does_not_take_is_said_in_the_log_by_slacks_word(
    house: House, phrases: Phrases, caplog: pytest.LogCaptureFixture
) -> None:
    house.slack.expect("invalid_code", "oauth.v2.access")
    status, page = await house.browser.install("secret-code")
    assert status == 401
    assert phrases.say("slack.oauth.failed", "en") in page
    assert "Slack gives no token: invalid_code" in caplog.text
    assert "secret-code" not in caplog.text + page


@pytest.mark.parametrize("method", ["oauth.v2.access", "auth.test"])
async def test_slack_failing_is_a_page_and_no_traceback(
    house: House, caplog: pytest.LogCaptureFixture, method: str
) -> None:
    acme = house.slack.workspace("Acme", installed=False)
    house.slack.fail(method, "internal_error")
    status, page = await house.browser.install(house.slack.code_for(acme))
    assert status == 401
    assert "Start again" in page
    assert await house.token(acme) is None
    assert [record for record in caplog.records if record.exc_info] == []


async def test_slack_out_of_reach_is_a_page_and_no_traceback(
    house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.oauth.flow.client, "base_url", "http://127.0.0.1:9/api/")
    status, page = await house.browser.install("c")
    assert status == 401
    assert "Start again" in page
    assert "can't be had: ClientConnectorError" in caplog.text


@pytest.mark.parametrize("table", ["slack_oauth_states", "slack_installations"])
async def test_a_failing_database_is_a_page_and_no_traceback(
    house: House, phrases: Phrases, caplog: pytest.LogCaptureFixture, table: str
) -> None:
    acme = house.slack.workspace("Acme", installed=False)
    with closing(sqlite3.connect(house.file)) as connection, connection:
        connection.execute(f"DROP TABLE {table}")
    if table == "slack_oauth_states":
        status, page, _ = await house.browser.get("/slack/install")
    else:
        status, page = await house.browser.install(house.slack.code_for(acme))
    assert status == 503
    assert phrases.say("slack.oauth.away", "en") in page
    assert "an installation failed: the database failed: OperationalError" in caplog.text
    assert [record for record in caplog.records if record.exc_info] == []


async def test_a_look_at_the_pages_headers_begins_nothing(house: House) -> None:
    async with aiohttp.ClientSession() as session, session.head(house.browser.url + "/slack/install") as answer:
        assert answer.status == 405


# -- At the start -------------------------------------------------------------------------------------------------


def test_many_workspaces_need_a_database(slack: SlackFake, phrases: Phrases) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        installable(settings(slack), None, MemoryStore(), phrases, SCOPES)


async def test_a_key_that_is_none_is_refused(slack: SlackFake, phrases: Phrases, tmp_path: Path) -> None:
    async with opened_database("sqlite-in-memory", tmp_path) as store:
        with pytest.raises(SettingsError, match="TOKEN_KEY"):
            installable(settings(slack, token_key="hunter2"), store.engine, store, phrases, SCOPES)


async def test_a_key_that_does_not_fit_is_refused_at_the_start(
    slack: SlackFake, phrases: Phrases, tmp_path: Path
) -> None:
    async with opened_database("sqlite-in-memory", tmp_path) as store:
        oauth = installable(settings(slack), store.engine, store, phrases, SCOPES)
        await oauth.authorize._installations.async_save(installation("T1"))
        await oauth.check()
        wrong = installable(settings(slack, token_key=OTHER_KEY), store.engine, store, phrases, SCOPES)
        with pytest.raises(SettingsError, match="TOKEN_KEY"):
            await wrong.check()


async def test_a_database_that_is_away_at_the_start_is_said_and_no_error(
    slack: SlackFake, phrases: Phrases, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened_database("sqlite-in-memory", tmp_path) as store:
        away = MemoryStore()
        away.away = True
        await installable(settings(slack), store.engine, away, phrases, SCOPES).check()
    assert "can't look up where the bot is installed: the store is away" in caplog.text
