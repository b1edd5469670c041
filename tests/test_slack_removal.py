"""What goes when the bot was removed, and what stays when it wasn't: over real databases, with Slack's payloads."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError
from slack_bolt.async_app import AsyncBoltRequest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import authorization
from adapters.slack.faults import REFUSED
from adapters.slack.removal import Installed, Removal
from bot.errors import StoreError
from bot.request import Person, Place
from bot.state.database import Database
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Store
from tests.slack_fake import SlackFake
from tests.slack_installed import DATABASES, Replica, installation, of, replica
from tests.stores import NOW, opened_database

UNINSTALLED: dict[str, Any] = {"type": "app_uninstalled"}
REVOKED: dict[str, Any] = {"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": ["U0BOT"]}}
A_PERSONS: dict[str, Any] = {"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": []}}


@pytest.fixture(autouse=True)
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look may take longer where many tests run at once."""
    monkeypatch.setattr(authorization, "PATIENCE_SECONDS", 30.0)


@pytest.fixture
async def slack() -> AsyncIterator[SlackFake]:
    async with SlackFake() as running:
        yield running


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path) as opened:
        yield opened


@pytest.fixture
async def one(slack: SlackFake, database: Database) -> AsyncIterator[Replica]:
    async with replica(database, slack.api_url) as made:
        yield made


def removal(one: Replica, store: Store) -> Removal:
    return Removal(store, Installed(one.installations, one.authorization, one.authorization._client))


async def tell(
    removal: Removal, event: dict[str, Any], team: str | None, enterprise: str | None = None, *, ago: float = 0
) -> None:
    """As Slack tells it; `ago`: seconds since it happened."""
    body = {
        "type": "event_callback",
        "team_id": team,
        "enterprise_id": enterprise,
        "event": event,
        "event_time": int(time.time() - ago) + 1,
    }
    await removal.heard(AsyncBoltRequest(body=json.dumps(body)).context, body)


async def use(store: Store, tenant: str, home: str) -> None:
    """Somebody of `home` sets a language, and notes for a channel of `tenant`."""
    person = Person("slack", home, "U1")
    await store.people.set_language(person, "zh-Hans")
    channel = Channel(mode="all", set_by="Lena", set_at=NOW)
    await store.channels.set(Place("slack", tenant, f"C-{tenant}"), channel, person)


async def left(store: Store, tenant: str, home: str) -> tuple[bool, bool]:
    """Whether the channel's settings are still there, and the person's."""
    channel = await store.channels.get(Place("slack", tenant, f"C-{tenant}"))
    person = await store.people.get(Person("slack", home, "U1"))
    return channel.mode == "all", person.language is not None


@pytest.mark.parametrize("event", [UNINSTALLED, REVOKED], ids=["uninstalled", "token revoked"])
async def test_a_workspace_that_removed_the_bot_leaves_nothing_and_others_stay(
    slack: SlackFake, database: Database, one: Replica, event: dict[str, Any]
) -> None:
    acme, other = slack.workspace("Acme"), slack.workspace("Other")
    for workspace in (acme, other):
        await one.installations.async_save(of(workspace, ago=60))
        await use(database, workspace.id, workspace.id)
        assert await one.token(workspace.id)
    assert acme.installation is not None
    acme.installation.state = "token_revoked"
    if event is REVOKED:
        slack.expect("token_revoked", "auth.test")
    await tell(removal(one, database), event, acme.id)
    assert await one.token(acme.id) is None
    assert await one.installations.async_find_installation(enterprise_id=None, team_id=acme.id) is None
    assert await left(database, acme.id, acme.id) == (False, False)
    assert await one.token(other.id)
    assert await left(database, other.id, other.id) == (True, True)


async def test_both_events_of_one_uninstall_in_either_order_and_twice(
    slack: SlackFake, database: Database, one: Replica
) -> None:
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme, ago=60))
    for event in (UNINSTALLED, REVOKED, REVOKED, UNINSTALLED):
        await tell(removal(one, database), event, acme.id)
    assert await one.token(acme.id) is None


async def test_a_persons_token_is_none_of_the_bots(database: Database, one: Replica) -> None:
    await one.installations.async_save(installation("T1", ago=60))
    await use(database, "T1", "T1")
    for event in (A_PERSONS, {"type": "tokens_revoked"}, {"type": "tokens_revoked", "tokens": {"oauth": ["U1"]}}):
        await tell(removal(one, database), event, "T1")
    found = await one.installations.async_find_bot(enterprise_id=None, team_id="T1")
    assert found is not None
    assert await left(database, "T1", "T1") == (True, True)


async def test_a_token_that_was_renewed_since_is_not_what_was_revoked(
    slack: SlackFake, database: Database, one: Replica
) -> None:
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme, ago=60))
    await use(database, acme.id, acme.id)
    await tell(removal(one, database), REVOKED, acme.id)
    assert await one.token(acme.id)
    assert await left(database, acme.id, acme.id) == (True, True)


async def test_an_event_that_comes_after_a_new_installation_removes_nothing(
    slack: SlackFake, database: Database, one: Replica
) -> None:
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme))
    await use(database, acme.id, acme.id)
    await tell(removal(one, database), UNINSTALLED, acme.id, ago=300)
    assert await one.token(acme.id)
    assert await left(database, acme.id, acme.id) == (True, True)


@pytest.mark.parametrize("code", sorted(REFUSED))
async def test_with_clocks_apart_slack_is_asked_whether_the_token_counts(
    slack: SlackFake, database: Database, one: Replica, code: str
) -> None:
    """This machine's clock is ahead, so the installation looks younger than the event."""
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme))
    slack.fail("auth.test", code)
    await tell(removal(one, database), UNINSTALLED, acme.id, ago=300)
    assert await one.installations.async_find_bot(enterprise_id=None, team_id=acme.id) is None


# -- Organisations ------------------------------------------------------------------------------------------------


async def test_an_organisations_people_stay_until_its_last_installation_goes(database: Database, one: Replica) -> None:
    for team in ("T1", "T2"):
        await one.installations.async_save(installation(team, "E1", ago=60))
        await use(database, team, "E1")
    await tell(removal(one, database), UNINSTALLED, "T1", "E1")
    assert await left(database, "T1", "E1") == (False, True)
    assert await left(database, "T2", "E1") == (True, True)
    await tell(removal(one, database), UNINSTALLED, "T2", "E1")
    assert await left(database, "T2", "E1") == (False, False)


@pytest.mark.parametrize("team", ["E1", None], ids=["it names itself", "it names no team"])
async def test_an_organisation_that_removed_the_bot_leaves_nothing_but_what_its_teams_installed(
    database: Database, one: Replica, team: str | None
) -> None:
    await one.installations.async_save(installation(None, "E1", ago=60))
    await one.installations.async_save(installation("T2", "E1", ago=60))
    await use(database, "E1", "E1")
    await use(database, "T2", "E1")
    await tell(removal(one, database), UNINSTALLED, team, "E1")
    bots = [await one.installations.async_find_bot(enterprise_id="E1", team_id=each) for each in ("T1", "T2")]
    assert [bot and bot.team_id for bot in bots] == [None, "T2"]
    assert await left(database, "T2", "E1") == (True, True)
    await tell(removal(one, database), UNINSTALLED, "T2", "E1")
    assert await left(database, "T2", "E1") == (False, False)
    assert await left(database, "E1", "E1") == (False, False)


async def test_a_team_that_leaves_does_not_take_its_organisations_installation_along(
    database: Database, one: Replica
) -> None:
    await one.installations.async_save(installation(None, "E1", ago=60))
    await use(database, "E1", "E1")
    await tell(removal(one, database), UNINSTALLED, "T1", "E1")
    assert await one.installations.async_find_bot(enterprise_id="E1", team_id="T1") is not None
    assert await left(database, "E1", "E1") == (True, True)


# -- Outages ------------------------------------------------------------------------------------------------------


async def test_while_slack_cannot_say_nothing_is_removed_and_the_event_comes_again(
    slack: SlackFake, database: Database, one: Replica
) -> None:
    acme = slack.workspace("Acme")
    await one.installations.async_save(of(acme, ago=60))
    await use(database, acme.id, acme.id)
    slack.fail("auth.test", "internal_error")
    with pytest.raises(SlackApiError):
        await tell(removal(one, database), REVOKED, acme.id)
    away = AsyncWebClient(base_url="http://127.0.0.1:9/api/", retry_handlers=[])
    unreachable = Removal(database, Installed(one.installations, one.authorization, away))
    with pytest.raises(ClientError):
        await tell(unreachable, REVOKED, acme.id)
    assert await one.token(acme.id)
    assert await left(database, acme.id, acme.id) == (True, True)


async def test_while_the_store_is_away_the_event_fails_and_the_next_delivery_does_it(
    slack: SlackFake, database: Database, one: Replica
) -> None:
    store = MemoryStore()
    await one.installations.async_save(installation("T1", ago=60))
    await use(store, "T1", "T1")
    store.away = True
    with pytest.raises(StoreError):
        await tell(removal(one, store), UNINSTALLED, "T1")
    store.away = False
    assert await left(store, "T1", "T1") == (True, True)
    await tell(removal(one, store), UNINSTALLED, "T1")
    assert await left(store, "T1", "T1") == (False, False)


# -- One workspace ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", [UNINSTALLED, REVOKED], ids=["uninstalled", "token revoked"])
async def test_with_the_token_as_a_setting_only_the_store_is_cleared(event: dict[str, Any]) -> None:
    store = MemoryStore()
    await use(store, "T1", "T1")
    await use(store, "T2", "E1")
    await tell(Removal(store), event, "T1")
    assert await left(store, "T1", "T1") == (False, False)
    assert await left(store, "T2", "E1") == (True, True)
    await tell(Removal(store), event, "T2", "E1")
    assert await left(store, "T2", "E1") == (False, False)
    await tell(Removal(store), A_PERSONS, "T1")
