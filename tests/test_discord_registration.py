"""Commands are written when they changed, once, whoever and however many start."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Any

import discord
import pytest

from adapters.discord.commands import Payload, payloads
from adapters.discord.gateway import OFFICIAL, use_api
from adapters.discord.registration import LEASE, LEASED, register, same
from bot.errors import StoreError
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.state.memory import MemoryStore
from tests.discord_fake import FakeDiscord

PUT = "PUT /applications/{application}/commands"
GET = "GET /applications/{application}/commands"


@pytest.fixture
def commands(phrases: Phrases, glossary: Glossary) -> list[Payload]:
    return payloads(phrases, tuple(glossary.topics.values()))


@pytest.fixture
async def fake() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord() as fake:
        use_api(fake.api_url)
        yield fake
    use_api(OFFICIAL)


class Replica:
    """One process that starts: it logs in and registers."""

    def __init__(self, client: discord.Client) -> None:
        self.client = client

    async def start(self, leases: Any, commands: list[Payload]) -> bool:
        return await register(self.client.http, self.client.application_id, leases, commands)


@pytest.fixture
async def replicas(fake: FakeDiscord) -> AsyncIterator[list[Replica]]:
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(discord.Client(intents=discord.Intents(guilds=True))) for _ in range(3)
        ]
        for client in clients:
            await client.login(fake.token)
        yield [Replica(client) for client in clients]


async def test_a_first_start_writes_them_all(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload]
) -> None:
    assert await replicas[0].start(MemoryStore().leases, commands)
    assert fake.command_writes == [commands]
    assert [command["name"] for command in fake.commands] == [command["name"] for command in commands]


async def test_a_second_start_writes_nothing(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload]
) -> None:
    """D15. All that Discord adds to a command, or leaves out of it, is no change."""
    leases = MemoryStore().leases
    await replicas[0].start(leases, commands)
    for replica in replicas:
        assert not await replica.start(leases, commands)
    assert len(fake.command_writes) == 1


async def test_three_replicas_that_start_together_write_once(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload]
) -> None:
    """D15."""
    leases = MemoryStore().leases
    written = await asyncio.gather(*(replica.start(leases, commands) for replica in replicas))
    assert sorted(written) == [False, False, True]
    assert len(fake.command_writes) == 1


async def test_one_that_waited_for_the_lease_looks_again(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload]
) -> None:
    """It saw the old commands, and gets the lease when another replica has written and given it back."""
    first, second, _ = replicas
    leases = MemoryStore().leases

    class Slow:
        async def acquire(self, name: str, holder: str, until: datetime, now: datetime) -> bool:
            assert await first.start(leases, commands)
            return await leases.acquire(name, holder, until, now)

        async def release(self, name: str, holder: str) -> None:
            await leases.release(name, holder)

    assert not await second.start(Slow(), commands)
    assert len(fake.command_writes) == 1


async def test_changed_commands_are_written_again(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload]
) -> None:
    leases = MemoryStore().leases
    await replicas[0].start(leases, commands)
    assert await replicas[1].start(leases, commands[1:])
    assert [command["name"] for command in fake.commands] == [command["name"] for command in commands[1:]]


async def test_the_lease_is_given_back(fake: FakeDiscord, replicas: list[Replica], commands: list[Payload]) -> None:
    store = MemoryStore()
    await replicas[0].start(store.leases, commands)
    now = datetime.fromisoformat("2026-11-30T12:00:00+00:00")
    assert await store.leases.acquire(LEASE, "somebody else", now + LEASED, now)


async def test_the_lease_is_given_back_after_a_refusal(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload], caplog: pytest.LogCaptureFixture
) -> None:
    """Discord says where the fault is, and that's logged: these are our own texts."""
    fake.expect(50035)
    store = MemoryStore()
    bad = copy.deepcopy(commands)
    bad[0]["description_localizations"]["zh"] = "x"
    assert not await replicas[0].start(store.leases, bad)
    assert "status 400, code 50035" in caplog.text
    assert "description_localizations.zh" in caplog.text
    assert await replicas[1].start(store.leases, commands)


@pytest.mark.parametrize("route", [GET, PUT])
async def test_a_failure_at_discord_stops_nobody(
    route: str,
    fake: FakeDiscord,
    replicas: list[Replica],
    commands: list[Payload],
    caplog: pytest.LogCaptureFixture,
) -> None:
    fake.failing[route] = 403
    assert not await replicas[0].start(MemoryStore().leases, commands)
    assert "not registered (status 403" in caplog.text


async def test_with_the_store_away_they_are_written_all_the_same(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload], caplog: pytest.LogCaptureFixture
) -> None:
    class Away:
        async def acquire(self, name: str, holder: str, until: datetime, now: datetime) -> bool:
            raise StoreError

        async def release(self, name: str, holder: str) -> None:
            raise StoreError

    with caplog.at_level(logging.WARNING):
        assert await replicas[0].start(Away(), commands)
    assert len(fake.command_writes) == 1
    assert "StoreError" in caplog.text


async def test_it_asks_for_the_localizations(
    fake: FakeDiscord, replicas: list[Replica], commands: list[Payload]
) -> None:
    """Without them every start would see a change; a changed translation would be none."""
    leases = MemoryStore().leases
    await replicas[0].start(leases, commands)
    translated = copy.deepcopy(commands)
    translated[0]["options"][0]["description_localizations"]["zh-TW"] = "別的"
    assert await replicas[0].start(leases, translated)
    assert fake.commands[0]["options"][0]["description_localizations"]["zh-TW"] == "別的"


# -- What counts as a change --------------------------------------------------------------------------------------

Change = Callable[[list[Any]], object]

NO_CHANGES: dict[str, Change] = {
    "ids and versions": lambda c: c[0].update(id="1", application_id="2", version="3", dm_permission=True),
    "what Discord may add one day": lambda c: c[0].update(handler=None, popularity=7),
    "nothing said": lambda c: c[0].update(name_localizations=None, nsfw=False, default_member_permissions=None),
    "order of commands": lambda c: c.reverse(),
    "order of places": lambda c: c[0]["contexts"].reverse(),
    "order of kinds of channels": lambda c: c[5]["options"][3]["channel_types"].reverse(),
    "not required": lambda c: c[0]["options"][1].update(required=False, autocomplete=False),
    "an empty list of options": lambda c: c[6].pop("options"),
}
CHANGES: dict[str, Change] = {
    "a description": lambda c: c[0].update(description="x"),
    "a localization": lambda c: c[0]["description_localizations"].update({"zh-TW": "x"}),
    "a localization that's gone": lambda c: c[0]["description_localizations"].pop("zh-TW"),
    "an option": lambda c: c[0]["options"].pop(),
    "order of options": lambda c: c[0]["options"].reverse(),
    "required": lambda c: c[0]["options"][0].update(required=False),
    "a choice": lambda c: c[3]["options"][0]["choices"].pop(),
    "the name of a choice": lambda c: c[3]["options"][0]["choices"][0].update(name="x"),
    "a limit": lambda c: c[2]["options"][1].update(max_value=10),
    "permissions": lambda c: c[5].update(default_member_permissions="8"),
    "places": lambda c: c[0]["contexts"].pop(),
    "who installs": lambda c: c[0]["integration_types"].pop(),
    "a command": lambda c: c.pop(),
    "one more": lambda c: c.append({"name": "else", "description": "x"}),
    "the kind": lambda c: c[-1].update(type=2),
}


@pytest.mark.parametrize("change", NO_CHANGES.values(), ids=NO_CHANGES)
def test_no_change(change: Change, commands: list[Payload]) -> None:
    there = copy.deepcopy(commands)
    change(there)
    assert same(there, commands)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change(change: Change, commands: list[Payload]) -> None:
    there = copy.deepcopy(commands)
    change(there)
    assert not same(there, commands)
