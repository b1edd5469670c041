"""The real platform for workspaces that install the app themselves: a browser, a database, and the fake of Slack."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.slack.platform import SlackPlatform
from bot.bot import Bot, fixed
from bot.errors import SettingsError
from bot.glossary.yaml_files import Loaded
from bot.request import Person, Place
from bot.settings import Settings
from bot.state.database import Database
from tests.slack_browser import Browser
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_fake_state import Channel, Installation, User
from tests.slack_installed import KEY, OTHER_KEY
from tests.stores import opened_database

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")  # slack_sdk makes one


@dataclass
class Team:
    """A workspace with one person and one channel."""

    workspace: Workspace
    lena: User
    general: Channel

    @property
    def installation(self) -> Installation:
        assert self.workspace.installation is not None
        return self.workspace.installation


@dataclass
class Town:
    """Where the platform runs for everybody."""

    slack: SlackFake
    platform: SlackPlatform
    store: Database
    browser: Browser
    file: Path
    line: str

    def team(self, name: str, *, enterprise: str | None = None) -> Team:
        """One that hasn't installed the app."""
        workspace = self.slack.workspace(name, enterprise=enterprise, installed=False)
        lena = workspace.person("Lena")
        return Team(workspace, lena, workspace.channel("general", lena, bot=False))

    async def install(self, *teams: Team, **how: bool) -> None:
        code = self.slack.code_for(*(team.workspace for team in teams), **how)
        assert (await self.browser.install(code))[0] == 200
        for team in teams:
            team.general.members.add(team.workspace.bot)

    async def language(self, team: Team) -> str | None:
        home = team.workspace.enterprise or team.workspace.id
        return (await self.store.people.get(Person("slack", home, team.lena.id))).language


def settings(slack: SlackFake, over_sockets: bool = False, **values: Any) -> Settings:
    way = {"slack_app_token": slack.app_token} if over_sockets else {"slack_signing_secret": slack.signing_secret}
    made: dict[str, Any] = {
        "slack_client_id": slack.client_id,
        "slack_client_secret": slack.client_secret,
        "slack_api_url": slack.api_url,
        "http_port": 0,
        "token_key": KEY,
    }
    return Settings(_env_file=None, **made | way | values)


@asynccontextmanager
async def town(loaded: Loaded, folder: Path, *, over_sockets: bool = False, **values: Any) -> AsyncIterator[Town]:
    async with (
        SlackFake() as slack,
        opened_database("sqlite", folder) as store,
        aiohttp.ClientSession() as session,
    ):
        bot = Bot(fixed(loaded.glossary), loaded.phrases, store)
        made = settings(slack, over_sockets, **values)
        platform = SlackPlatform(bot, loaded.phrases, store, made, store.engine)
        try:
            line = await platform.start()
            host, port = platform.address
            if over_sockets:
                await slack.connected()
            else:
                slack.http.url = f"http://{host}:{port}/slack/events"
            slack.at_rest()
            browser = Browser(session, f"http://{host}:{port}")
            yield Town(slack, platform, store, browser, folder / "state.sqlite", line)
        finally:
            await platform.stop()
            await bot.close()


async def defines(team: Team) -> str:
    """What Lena sees when she asks for SLO with a command."""
    return (await team.workspace.slash(team.lena, team.general, "define", "SLO")).one.says


@pytest.mark.parametrize("over_sockets", [False, True], ids=["over HTTP", "over Socket Mode"])
async def test_two_workspaces_install_and_each_is_answered_with_its_own_token(
    loaded: Loaded, tmp_path: Path, over_sockets: bool
) -> None:
    async with town(loaded, tmp_path, over_sockets=over_sockets) as at:
        assert "/slack/install" in at.line
        assert at.platform.connected
        teams = [at.team("Acme"), at.team("Globex")]
        for team in teams:
            await at.install(team)
        for team in teams:
            assert "Service level objective" in await defines(team)
            outcome = await team.workspace.say(team.general, team.lena, f"{team.workspace.at} SLO")
            assert "Service level objective" in outcome.one.says
        posted = at.slack.called("chat.postMessage")
        assert [call.team for call in posted] == [team.workspace.id for team in teams]


async def test_what_one_workspace_sets_is_not_seen_in_the_other(loaded: Loaded, tmp_path: Path) -> None:
    async with town(loaded, tmp_path) as at:
        acme, globex = at.team("Acme"), at.team("Globex")
        for team in (acme, globex):
            await at.install(team)
        globex.lena.id = acme.lena.id  # Slack promises unique ids only within a workspace
        globex.workspace.users[acme.lena.id] = globex.lena
        globex.general.members.add(acme.lena.id)
        await acme.workspace.slash(acme.lena, acme.general, "lang", "zh")
        assert "服务等级目标" in (await defines(acme)).splitlines()[1]
        assert (await at.language(acme), await at.language(globex)) == ("zh-Hans", None)
        await acme.workspace.slash(acme.lena, acme.general, "autoexplain", "all")
        modes = [
            (await at.store.channels.get(Place("slack", team.workspace.id, team.general.id))).mode
            for team in (acme, globex)
        ]
        assert modes == ["all", "off"]


async def test_a_workspace_that_uninstalls_is_forgotten_and_the_other_goes_on(loaded: Loaded, tmp_path: Path) -> None:
    async with town(loaded, tmp_path) as at:
        acme, globex = at.team("Acme"), at.team("Globex")
        for team in (acme, globex):
            await at.install(team)
            await team.workspace.slash(team.lena, team.general, "lang", "zh")
            await team.workspace.slash(team.lena, team.general, "autoexplain", "all")
        at.slack.expect("account_inactive", "auth.test")
        await acme.workspace.uninstall()
        assert await at.language(acme) is None
        with closing(sqlite3.connect(at.file)) as connection:
            left = [
                connection.execute(f"SELECT {column} FROM {table}").fetchall()
                for table, column in (
                    ("slack_bots", "team_id"),
                    ("slack_installations", "team_id"),
                    ("channels", "tenant"),
                )
            ]
        assert left == [[(globex.workspace.id,)]] * 3
        assert await at.language(globex) == "zh-Hans"
        assert "SLO" in await defines(globex)
        assert at.platform.connected
        await at.install(acme)
        assert "Service level objective" in await defines(acme)


async def test_whoever_asks_where_the_app_is_gone_is_told_to_have_it_installed_again(
    loaded: Loaded, tmp_path: Path
) -> None:
    async with town(loaded, tmp_path) as at:
        acme = at.team("Acme")
        await at.install(acme)
        with closing(sqlite3.connect(at.file)) as connection, connection:
            connection.execute("DELETE FROM slack_bots")
        at.platform._oauth.authorize.forget(None, acme.workspace.id)  # type: ignore[union-attr]
        outcome = await acme.workspace.slash(acme.lena, acme.general, "define", "SLO")
        for language in ("en", "zh-Hans"):
            assert loaded.phrases.say("slack.not_installed", language) in outcome.one.says


async def test_an_organisation_installs_once_and_is_answered_in_each_of_its_workspaces(
    loaded: Loaded, tmp_path: Path
) -> None:
    async with town(loaded, tmp_path) as at:
        one, two = (at.team(name, enterprise="E1") for name in ("One", "Two"))
        await at.install(one, two, for_org=True)
        two.lena.id = one.lena.id  # within an organisation, a person is the same in all of its workspaces
        two.workspace.users[one.lena.id] = two.lena
        two.general.members.add(one.lena.id)
        for team in (one, two):
            assert "Service level objective" in await defines(team)
            outcome = await team.workspace.say(team.general, team.lena, f"{team.workspace.at} SLO")
            assert "Service level objective" in outcome.one.says
        await one.workspace.slash(one.lena, one.general, "lang", "zh")
        assert "服务等级目标" in (await defines(two)).splitlines()[1]
        await two.workspace.slash(two.lena, two.general, "autoexplain", "all")
        at.slack.expect("account_inactive", "auth.test")
        await one.workspace.uninstall()
        assert await at.language(two) is None
        assert (await at.store.channels.get(Place("slack", "E1", two.general.id))).mode == "off"


async def test_a_token_that_runs_out_is_renewed_while_people_ask(loaded: Loaded, tmp_path: Path) -> None:
    async with town(loaded, tmp_path) as at:
        acme = at.team("Acme")
        await at.install(acme, rotating=True)
        first = acme.installation.token
        soon = (datetime.now(UTC) + timedelta(minutes=5)).strftime("%Y-%m-%d %H:%M:%S.000000")
        with closing(sqlite3.connect(at.file)) as connection, connection:
            for table in ("slack_bots", "slack_installations"):
                connection.execute(f"UPDATE {table} SET bot_token_expires_at = ?", (soon,))
        at.platform._oauth.authorize.forget(None, acme.workspace.id)  # type: ignore[union-attr]
        assert "Service level objective" in await defines(acme)
        assert acme.installation.token != first
        await acme.workspace.say(acme.general, acme.lena, f"{acme.workspace.at} SLO")
        refreshes = [call for call in at.slack.called("oauth.v2.access") if call.args.get("refresh_token")]
        assert len(refreshes) == 1


async def test_without_a_signing_secret_nothing_over_http_counts_as_slacks(loaded: Loaded, tmp_path: Path) -> None:
    """With Socket Mode the server is there for the pages alone."""
    async with town(loaded, tmp_path, over_sockets=True) as at:
        acme = at.team("Acme")
        await at.install(acme)
        event = {"type": "event_callback", "team_id": acme.workspace.id, "event": {"type": "app_uninstalled"}}
        at.slack.http.url = f"{at.browser.url}/slack/events"
        for secret in ("", at.slack.signing_secret):
            assert (await at.slack.http.post(json.dumps(event), secret=secret))[0] == 401
        at.slack.http.url = ""
        assert "SLO" in await defines(acme)


async def test_a_key_that_does_not_fit_is_one_clear_error_at_the_start(loaded: Loaded, tmp_path: Path) -> None:
    async with town(loaded, tmp_path) as at:
        await at.install(at.team("Acme"))
        wrong = settings(at.slack, token_key=OTHER_KEY)
        another = SlackPlatform(at.platform._bot, loaded.phrases, at.store, wrong, at.store.engine)
        with pytest.raises(SettingsError, match=r"TOKEN_KEY: .*another key"):
            await another.start()


async def test_variables_that_bolt_reads_by_itself_change_nothing(
    loaded: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings often come from the environment, and some of their names are bolt's as well."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in {
        "SLACK_CLIENT_ID": "another",
        "SLACK_CLIENT_SECRET": "another",
        "SLACK_BOT_TOKEN": "xoxb-another",
        "SLACK_SIGNING_SECRET": "another",
        "SLACK_SCOPES": "admin",
        "SLACK_USER_SCOPES": "admin",
        "SLACK_INSTALL_PATH": "/another",
    }.items():
        monkeypatch.setenv(name, value)
    async with town(loaded, tmp_path) as at:
        acme = at.team("Acme")
        await at.install(acme)
        assert "Service level objective" in await defines(acme)
        _, _, location = await at.browser.get("/slack/install")
        assert "admin" not in location
        assert "another" not in location
