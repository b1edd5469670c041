"""Tokens that expire: one replica renews them, all use the new one. Over real databases, against the fake of Slack."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from slack_sdk.oauth.installation_store.models.bot import Bot

from adapters.slack import authorization, rotation
from adapters.slack.rotation import counts, is_due
from bot.errors import StoreError
from bot.state.database import Database, open_database
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_installed import Replica, installation, of, prepared, replica
from tests.stores import SHARED, opened_database, url_of

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")  # slack_sdk makes one

HOUR = 60 * 60
MINUTES = 60
REFRESH = "oauth.v2.access"


@pytest.fixture(autouse=True)
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look may take longer where many tests run at once."""
    monkeypatch.setattr(authorization, "PATIENCE_SECONDS", 30.0)


@pytest.fixture
async def slack() -> AsyncIterator[SlackFake]:
    async with SlackFake() as running:
        yield running


class Replicas:
    """Several processes over one database, each with an engine of its own."""

    def __init__(self, slack: SlackFake, url: str, stack: AsyncExitStack) -> None:
        self.slack = slack
        self._url = url
        self._stack = stack

    async def one(self, **values: Any) -> tuple[Replica, Database]:
        database = await open_database(self._url, call_seconds=60)
        self._stack.push_async_callback(database.close)
        await database.ready()
        return await self._stack.enter_async_context(replica(database, self.slack.api_url, **values)), database

    async def two(self) -> tuple[Replica, Replica]:
        return (await self.one())[0], (await self.one())[0]


@pytest.fixture(params=SHARED)
async def replicas(request: pytest.FixtureRequest, tmp_path: Path, slack: SlackFake) -> AsyncIterator[Replicas]:
    await prepared(tmp_path)
    async with opened_database(request.param, tmp_path), AsyncExitStack() as stack:
        yield Replicas(slack, url_of(request.param, tmp_path), stack)


async def renewed(one: Replica, workspace: Workspace) -> Bot | None:
    bot = await one.installations.async_find_bot(enterprise_id=workspace.enterprise, team_id=workspace.id)
    assert bot is not None
    return await one.rotation.renewed(bot)


def new_token(workspace: Workspace) -> str:
    assert workspace.installation is not None
    return workspace.installation.token


# -- Two replicas -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("expires_in", [5 * MINUTES, 0, -HOUR], ids=["soon", "now", "long ago"])
async def test_two_replicas_refresh_once_and_both_use_the_new_token(replicas: Replicas, expires_in: float) -> None:
    slack = replicas.slack
    acme = slack.workspace("Acme")
    old = new_token(acme)
    one, other = await replicas.two()
    await one.installations.async_save(of(acme, expires_in=expires_in))
    tokens = await asyncio.gather(one.token(acme.id), other.token(acme.id), one.token(acme.id), other.token(acme.id))
    assert set(tokens) == {new_token(acme)}
    assert new_token(acme) != old
    assert len(slack.called(REFRESH)) == 1
    assert await other.token(acme.id) == new_token(acme)


async def test_who_comes_while_another_replica_refreshes_waits_for_its_token(replicas: Replicas) -> None:
    slack = replicas.slack
    acme = slack.workspace("Acme")
    one, other = await replicas.two()
    await one.installations.async_save(of(acme, expires_in=-1))
    hold = slack.hold(REFRESH)
    first = asyncio.create_task(renewed(one, acme))
    await hold.arrived.wait()
    second = asyncio.create_task(renewed(other, acme))
    await asyncio.sleep(3 * rotation.POLL_SECONDS)
    assert not second.done()
    hold.release()
    assert [bot.bot_token for bot in await asyncio.gather(first, second) if bot] == [new_token(acme)] * 2
    assert len(slack.called(REFRESH)) == 1


async def test_a_replica_that_died_while_it_refreshed_does_not_block_the_others_for_good(replicas: Replicas) -> None:
    acme = replicas.slack.workspace("Acme")
    one, database = await replicas.one()
    await one.installations.async_save(of(acme, expires_in=-1))
    now = datetime.now(UTC)
    lease = rotation._name(of(acme).to_bot())
    assert await database.leases.acquire(lease, "who died", now + timedelta(seconds=0.5), now)
    bot = await renewed(one, acme)
    assert bot is not None
    assert bot.bot_token == new_token(acme)
    assert await database.leases.acquire(lease, "anybody", now + timedelta(seconds=60), datetime.now(UTC))


async def test_the_new_pair_of_tokens_is_kept_for_the_next_refresh(replicas: Replicas) -> None:
    slack = replicas.slack
    acme = slack.workspace("Acme")
    one, other = await replicas.two()
    await one.installations.async_save(of(acme, expires_in=-1))
    await renewed(one, acme)
    found = await other.installations.async_find_installation(enterprise_id=None, team_id=acme.id)
    assert found is not None
    assert acme.installation is not None
    assert (found.bot_token, found.bot_refresh_token) == (new_token(acme), acme.installation.refresh_token)
    assert found.bot_token_expires_at == pytest.approx(time.time() + 12 * HOUR, abs=60)
    found.bot_token_expires_at = int(time.time())
    await other.installations.async_save(found)
    first = new_token(acme)
    await renewed(other, acme)
    assert new_token(acme) != first
    assert len(slack.called(REFRESH)) == 2


async def test_an_organisations_token_is_refreshed_once_for_all_of_its_teams(replicas: Replicas) -> None:
    slack = replicas.slack
    teams = [slack.workspace(name, enterprise="E1", installed=False) for name in ("One", "Two", "Three")]
    slack.install(*teams, for_org=True)
    one, other = await replicas.two()
    await one.installations.async_save(of(teams[0], expires_in=-1))
    tokens = await asyncio.gather(
        *(each.token(team.id, "E1", org_wide) for each in (one, other) for team in teams for org_wide in (True, False))
    )
    assert set(tokens) == {new_token(teams[0])}
    assert len(slack.called(REFRESH)) == 1


# -- When Slack doesn't --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", sorted(rotation.FOR_GOOD))
async def test_a_workspace_that_has_to_reinstall_is_said_once_and_others_go_on(
    replicas: Replicas, caplog: pytest.LogCaptureFixture, code: str
) -> None:
    slack = replicas.slack
    acme, other = slack.workspace("Acme"), slack.workspace("Other")
    one, _ = await replicas.one(fresh_seconds=0)
    await one.installations.async_save(of(acme, expires_in=-1))
    await one.installations.async_save(of(other, expires_in=-1))
    slack.fail(REFRESH, code)
    assert [await one.token(acme.id) for _ in range(3)] == [None] * 3
    assert await one.token(other.id) == new_token(other)
    assert len(slack.called(REFRESH)) == 2
    (record,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.levelno == logging.ERROR
    assert record.getMessage() == (
        f"Slack renews the token of workspace {acme.id} no more ({code}): reinstall at /slack/install"
    )
    for secret in ("xox", "Acme", SlackFake.client_secret):
        assert secret not in caplog.text


async def test_after_a_new_installation_it_goes_on(replicas: Replicas) -> None:
    slack = replicas.slack
    acme = slack.workspace("Acme")
    one, _ = await replicas.one()
    await one.installations.async_save(of(acme, expires_in=-1, ago=10))
    slack.fail(REFRESH, "invalid_refresh_token")
    assert await one.token(acme.id) is None
    assert acme.installation is not None
    acme.installation.refresh_token = "xoxe-1-new"
    await one.installations.async_save(of(acme, expires_in=HOUR))
    assert await one.token(acme.id) == new_token(acme)
    assert len(slack.called(REFRESH)) == 2


async def test_a_refresh_token_that_was_spent_elsewhere_is_read_again(replicas: Replicas) -> None:
    """A replica without leases, of an older version, was quicker."""
    slack = replicas.slack
    acme = slack.workspace("Acme")
    one, _ = await replicas.one()
    await one.installations.async_save(of(acme, expires_in=-1, ago=5))
    hold = slack.hold(REFRESH)
    slack.expect("invalid_refresh_token")
    refreshing = asyncio.create_task(renewed(one, acme))
    await hold.arrived.wait()
    assert acme.installation is not None
    acme.installation.refresh_token = "xoxe-1-of-the-other"
    await one.installations.async_save(
        of(acme, expires_in=12 * HOUR, bot_token="xoxb-of-the-other", bot_refresh_token="xoxe-1-of-the-other")
    )
    hold.release()
    bot = await refreshing
    assert bot is not None
    assert bot.bot_token == "xoxb-of-the-other"


@pytest.mark.parametrize(
    ("expires_in", "kept"), [(MINUTES, True), (-1, False)], ids=["its token still counts", "it expired"]
)
async def test_a_failure_of_the_moment_is_not_tried_again_at_once(
    replicas: Replicas, caplog: pytest.LogCaptureFixture, expires_in: int, kept: bool
) -> None:
    slack = replicas.slack
    acme = slack.workspace("Acme")
    one, _ = await replicas.one()
    await one.installations.async_save(of(acme, expires_in=expires_in))
    slack.fail(REFRESH, "internal_error")
    for _ in range(3):
        bot = await renewed(one, acme)
        assert (bot.bot_token if bot else None) == (new_token(acme) if kept else None)
    assert len(slack.called(REFRESH)) == 1
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "internal_error" in caplog.text


async def test_after_a_rest_it_is_tried_again(replicas: Replicas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotation, "REST_SECONDS", 0)
    slack = replicas.slack
    acme = slack.workspace("Acme")
    one, _ = await replicas.one()
    await one.installations.async_save(of(acme, expires_in=-1))
    slack.fail(REFRESH, "ratelimited", retry_after=1)
    assert await renewed(one, acme) is None
    bot = await renewed(one, acme)
    assert bot is not None
    assert bot.bot_token == new_token(acme)


async def test_slack_out_of_reach_is_a_failure_of_the_moment(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with (
        opened_database("sqlite-in-memory", tmp_path) as database,
        replica(database, "http://127.0.0.1:9/api/") as one,
    ):
        made = installation("T1", bot_refresh_token="xoxe-1-a", bot_token_expires_at=int(time.time()) + 60)
        await one.installations.async_save(made)
        assert await one.token("T1") == "xoxb-T1"
    (record,) = [record for record in caplog.records if record.name == rotation.__name__]
    assert "couldn't be renewed" in record.getMessage()


# -- When the database doesn't -------------------------------------------------------------------------------------


class Forgetful:
    """Fails to save so often; then it works."""

    def __init__(self, one: Replica, times: int) -> None:
        self._save = one.installations.async_save
        self.times = times

    async def __call__(self, made: Any) -> None:
        if self.times:
            self.times -= 1
            raise StoreError("away")
        await self._save(made)


async def test_a_new_token_is_saved_as_soon_as_the_database_is_back(
    replicas: Replicas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotation, "SAVE_WAITS", (0.01, 0.01))
    acme = replicas.slack.workspace("Acme")
    one, other = await replicas.two()
    await one.installations.async_save(of(acme, expires_in=-1))
    monkeypatch.setattr(one.installations, "async_save", Forgetful(one, 2))
    await renewed(one, acme)
    assert await other.token(acme.id) == new_token(acme)


async def test_a_new_token_that_cannot_be_saved_is_used_and_said(
    replicas: Replicas, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rotation, "SAVE_WAITS", (0.01,))
    acme = replicas.slack.workspace("Acme")
    one, _ = await replicas.one()
    await one.installations.async_save(of(acme, expires_in=-1))
    monkeypatch.setattr(one.installations, "async_save", Forgetful(one, 9))
    bot = await renewed(one, acme)
    assert bot is not None
    assert bot.bot_token == new_token(acme)
    assert f"the new token of workspace {acme.id} couldn't be saved: away" in caplog.text


async def test_a_refresh_goes_on_when_nobody_waits_for_it_any_more(replicas: Replicas) -> None:
    slack = replicas.slack
    acme = slack.workspace("Acme")
    one, other = await replicas.two()
    await one.installations.async_save(of(acme, expires_in=-1))
    hold = slack.hold(REFRESH)
    waiting = asyncio.create_task(renewed(one, acme))
    await hold.arrived.wait()
    waiting.cancel()
    hold.release()
    await one.rotation.close()
    assert await other.token(acme.id) == new_token(acme)
    assert len(slack.called(REFRESH)) == 1


async def test_an_installation_that_is_gone_is_not_refreshed(replicas: Replicas) -> None:
    acme = replicas.slack.workspace("Acme")
    one, _ = await replicas.one()
    assert await one.rotation.renewed(of(acme, expires_in=-1).to_bot()) is None
    assert replicas.slack.called(REFRESH) == []


# -- When ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expires_in", "refresh_token", "due", "usable"),
    [
        (None, None, False, True),  # a token that never expires
        (12 * HOUR, "xoxe-1", False, True),
        (3 * HOUR, "xoxe-1", False, True),
        (HOUR, "xoxe-1", True, True),
        (-1, "xoxe-1", True, False),
        (-1, None, False, False),
    ],
)
def test_when_a_token_is_due_and_when_it_counts(
    expires_in: int | None, refresh_token: str | None, due: bool, usable: bool
) -> None:
    at = None if expires_in is None else int(time.time() + expires_in)
    bot = installation("T1", bot_refresh_token=refresh_token, bot_token_expires_at=at).to_bot()
    assert (is_due(bot), counts(bot)) == (due, usable)
