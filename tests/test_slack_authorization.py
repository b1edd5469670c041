"""With which token the bot acts: kept for a minute, looked for behind, and never waited for too long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from slack_bolt.async_app import AsyncBoltContext

from adapters.slack import authorization
from adapters.slack.authorization import Authorization
from adapters.slack.rotation import counts
from bot.errors import StoreError
from bot.state.database import Database
from tests.slack_fake import SlackFake
from tests.slack_installed import OTHER_KEY, Replica, installation, of, replica
from tests.stores import opened_database

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")  # slack_sdk makes one


@pytest.fixture
async def slack() -> AsyncIterator[SlackFake]:
    async with SlackFake() as running:
        yield running


@pytest.fixture
def made_up(slack: SlackFake) -> None:
    """For installations that the fake doesn't know: Slack doesn't take their tokens."""
    slack.fail("auth.test", "invalid_auth", times=100)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database("sqlite-in-memory", tmp_path) as opened:
        yield opened


@pytest.fixture
async def one(slack: SlackFake, database: Database) -> AsyncIterator[Replica]:
    """Looks again each time."""
    async with replica(database, slack.api_url, fresh_seconds=0) as made:
        yield made


@pytest.fixture
async def patient(slack: SlackFake, database: Database) -> AsyncIterator[Replica]:
    """Looks again after a minute."""
    async with replica(database, slack.api_url) as made:
        yield made


async def ask(
    authorize: Authorization, team: str | None, enterprise: str | None = None, *, org_wide: bool = False
) -> Any:
    """As bolt asks."""
    context = AsyncBoltContext({"is_enterprise_install": org_wide})
    return await authorize(context=context, enterprise_id=enterprise, team_id=team, user_id="U1")


class Counted:
    """The look-ups of a replica, which a test can hold up or let fail."""

    def __init__(self, one: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
        self._find = one.installations.async_find_bot
        self.count = 0
        self.error: Exception | None = None
        self.go_on = asyncio.Event()
        self.go_on.set()
        monkeypatch.setattr(one.installations, "async_find_bot", self)

    async def __call__(self, **asked: Any) -> Any:
        self.count += 1
        await self.go_on.wait()
        if self.error:
            raise self.error
        return await self._find(**asked)


async def settled(one: Replica) -> None:
    """What goes on behind has come to its end."""
    while tasks := [*one.authorization._looking.values(), *one.authorization._asking.values()]:
        await asyncio.wait(tasks)
        await asyncio.sleep(0)


async def test_bolt_gets_what_was_installed(slack: SlackFake, patient: Replica) -> None:
    acme = slack.workspace("Acme")
    await patient.installations.async_save(of(acme))
    result = await ask(patient.authorization, acme.id)
    assert acme.installation is not None
    assert (result.team_id, result.bot_token, result.bot_user_id, result.bot_id) == (
        *(acme.id, acme.installation.token),
        *(acme.installation.user, acme.installation.bot),
    )
    assert result.bot_scopes == ["chat:write", "commands"]
    assert await ask(patient.authorization, "T-unknown") is None
    assert await ask(patient.authorization, None) is None


async def test_slack_is_asked_for_the_address_once_and_nobody_waits(slack: SlackFake, one: Replica) -> None:
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme))
    hold = slack.hold("auth.test")
    assert (await ask(one.authorization, acme.id)).url is None
    await hold.arrived.wait()
    assert (await ask(one.authorization, acme.id)).url is None
    hold.release()
    await settled(one)
    for _ in range(5):
        assert (await ask(one.authorization, acme.id)).url == acme.url
    assert len(slack.called("auth.test")) == 1


async def test_an_organisations_teams_share_its_installation(slack: SlackFake, patient: Replica) -> None:
    first, second = (slack.workspace(name, enterprise="E1", installed=False) for name in ("One", "Two"))
    slack.install(first, second, for_org=True)
    await patient.installations.async_save(of(first))
    for team in (first.id, second.id, None):
        result = await ask(patient.authorization, team, "E1", org_wide=True)
        assert (result.enterprise_id, result.team_id, result.bot_token) == ("E1", team, of(first).bot_token)


@pytest.mark.usefixtures("made_up")
async def test_the_database_is_asked_once_a_minute(patient: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    await patient.installations.async_save(installation("T1"))
    looks = Counted(patient, monkeypatch)
    for _ in range(50):
        assert await patient.token("T1") == "xoxb-T1"
    assert looks.count == 1


@pytest.mark.usefixtures("made_up")
async def test_a_hundred_requests_at_once_are_one_look(patient: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    await patient.installations.async_save(installation("T1"))
    looks = Counted(patient, monkeypatch)
    assert await asyncio.gather(*(patient.token("T1") for _ in range(100))) == ["xoxb-T1"] * 100
    assert looks.count == 1


@pytest.mark.usefixtures("made_up")
async def test_what_is_known_serves_while_it_is_looked_for_again(one: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    await one.installations.async_save(installation("T1", bot_token="xoxb-first", ago=10))
    assert await one.token("T1") == "xoxb-first"
    await settled(one)
    await one.installations.async_save(installation("T1", bot_token="xoxb-second"))
    looks = Counted(one, monkeypatch)
    looks.go_on.clear()
    assert [await one.token("T1") for _ in range(3)] == ["xoxb-first"] * 3
    looks.go_on.set()
    await settled(one)
    assert await one.token("T1") == "xoxb-second"


@pytest.mark.usefixtures("made_up")
async def test_an_uninstall_is_noticed_by_the_next_look(one: Replica) -> None:
    await one.installations.async_save(installation("T1"))
    await one.token("T1")
    await settled(one)
    await one.installations.remove(None, "T1")
    await one.token("T1")
    await settled(one)
    assert await one.token("T1") is None


@pytest.mark.usefixtures("made_up")
async def test_what_is_forgotten_is_looked_for_at_once(patient: Replica) -> None:
    for made in (installation("T1"), installation("T2", "E1"), installation(None, "E1")):
        await patient.installations.async_save(made)
    asked = [("T1", None, False), ("T2", "E1", False), ("T3", "E1", True), (None, "E1", True)]
    for each in asked:
        assert await patient.token(*each)
    for gone in ((None, "T1"), ("E1", "T2"), ("E1", None)):
        await patient.installations.remove(*gone)
        patient.authorization.forget(*gone)
    assert [await patient.token(*each) for each in asked] == [None] * 4


# -- Away, slow, unreadable ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("made_up")
async def test_with_the_database_away_what_is_known_goes_on_counting(
    one: Replica, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await one.installations.async_save(installation("T1"))
    await one.token("T1")
    await settled(one)
    looks = Counted(one, monkeypatch)
    looks.error = StoreError("the database failed: OperationalError")
    for _ in range(3):
        assert await one.token("T1") == "xoxb-T1"
        await settled(one)
    assert looks.count == 3
    assert await one.token("T2") is None
    errors = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert errors == ["can't look up where the bot is installed: the database failed: OperationalError"]
    looks.error = None
    await one.installations.async_save(installation("T2"))
    assert await one.token("T2") == "xoxb-T2"
    looks.error = StoreError("away again")
    await one.token("T2")
    await settled(one)
    assert "away again" in caplog.text


@pytest.mark.usefixtures("made_up")
async def test_a_slow_database_is_not_waited_for_beyond_slacks_three_seconds(
    one: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert authorization.PATIENCE_SECONDS < 3
    monkeypatch.setattr(authorization, "PATIENCE_SECONDS", 0.02)
    await one.installations.async_save(installation("T1"))
    looks = Counted(one, monkeypatch)
    looks.go_on.clear()
    assert await one.token("T1") is None
    assert looks.count == 1
    looks.go_on.set()
    await settled(one)
    assert await one.token("T1") == "xoxb-T1"


async def test_a_slow_refresh_does_not_hold_up_a_request_while_the_token_counts(
    slack: SlackFake, one: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authorization, "PATIENCE_SECONDS", 0.2)
    acme = slack.workspace("Acme")
    old = of(acme, expires_in=300)
    await one.installations.async_save(old)
    hold = slack.hold("oauth.v2.access")
    assert await one.token(acme.id) == old.bot_token
    await hold.arrived.wait()
    assert await one.token(acme.id) == old.bot_token
    hold.release()
    await settled(one)
    assert await one.token(acme.id) == of(acme).bot_token != old.bot_token


async def test_an_expired_token_is_never_given_out(
    slack: SlackFake, one: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authorization, "PATIENCE_SECONDS", 0.05)
    acme = slack.workspace("Acme")
    old = of(acme, expires_in=2)
    await one.installations.async_save(old)
    hold = slack.hold("oauth.v2.access")
    assert await one.token(acme.id) == old.bot_token
    await slack.until(lambda: not counts(old.to_bot()))
    assert await one.token(acme.id) is None
    hold.release()
    await settled(one)
    assert await one.token(acme.id) == of(acme).bot_token != old.bot_token


async def test_a_token_that_slack_does_not_take_is_said_once(
    slack: SlackFake, one: Replica, caplog: pytest.LogCaptureFixture
) -> None:
    slack.fail("auth.test", "token_revoked")
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme, bot_token="xoxb-revoked", ago=5))
    for _ in range(3):
        await one.token(acme.id)
        await settled(one)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
        f"Slack doesn't take the token of workspace {acme.id}: token_revoked"
    ]
    assert len(slack.called("auth.test")) == 1
    await one.installations.async_save(of(acme))  # installed again, with another token
    for _ in range(2):
        await one.token(acme.id)
        await settled(one)
    assert (await ask(one.authorization, acme.id)).url == acme.url


async def test_slack_out_of_reach_is_asked_again_later(
    slack: SlackFake, one: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme))
    client = one.authorization._client
    monkeypatch.setattr(client, "base_url", "http://127.0.0.1:9/api/")
    monkeypatch.setattr(client, "retry_handlers", [])
    assert (await ask(one.authorization, acme.id)).url is None
    await settled(one)
    monkeypatch.undo()
    await one.token(acme.id)
    await settled(one)
    assert (await ask(one.authorization, acme.id)).url == acme.url


@pytest.mark.usefixtures("made_up")
async def test_a_key_that_does_not_fit_is_said_once(
    slack: SlackFake, database: Database, patient: Replica, caplog: pytest.LogCaptureFixture
) -> None:
    await patient.installations.async_save(installation("T1"))
    async with replica(database, slack.api_url, key=OTHER_KEY) as wrong:
        assert [await wrong.token("T1") for _ in range(3)] == [None] * 3
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "TOKEN_KEY" in record.getMessage()
    assert record.exc_info is None


@pytest.mark.usefixtures("made_up")
async def test_memory_is_bounded(patient: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authorization, "MOST", 3)
    for team in ("T1", "T2", "T3", "T4"):
        await patient.installations.async_save(installation(team))
        assert await patient.token(team)
    assert [key[1] for key in patient.authorization._known] == ["T2", "T3", "T4"]


async def test_closing_waits_for_a_token_that_is_being_renewed_and_for_nothing_else(
    slack: SlackFake, database: Database
) -> None:
    acme, idle = slack.workspace("Acme"), slack.workspace("Idle")
    async with replica(database, slack.api_url) as closing:
        await closing.installations.async_save(of(acme, expires_in=300))
        await closing.installations.async_save(of(idle))
        refresh, asking = slack.hold("oauth.v2.access"), slack.hold("auth.test")
        await closing.token(idle.id)
        await asking.arrived.wait()
        waiting = asyncio.create_task(closing.token(acme.id))
        await refresh.arrived.wait()
        ended = asyncio.create_task(closing.authorization.close())
        await asyncio.wait({waiting})
        assert not ended.done()
        refresh.release()
        await ended
        asking.release()
    kept = await closing.installations.async_find_bot(enterprise_id=None, team_id=acme.id)
    assert kept is not None
    assert kept.bot_token == of(acme).bot_token
