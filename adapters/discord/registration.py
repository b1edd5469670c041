"""Registering the application commands: only where they changed, and only by one of all replicas.

Discord counts new commands per day, and stops who registers on every start.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord
from discord.http import HTTPClient, Route

from adapters.discord.commands import Payload
from bot.errors import StoreError
from bot.state.ports import Leases

_log: Final = logging.getLogger(__name__)

LEASE: Final = "discord-commands"
LEASED: Final = timedelta(minutes=2)
"""More than Discord lets a refused write wait, and than clocks differ."""

STORE_SECONDS: Final = 2.0
"""What a start waits for the store at most."""

_COMMAND: Final = (
    *("type", "name", "name_localizations", "description", "description_localizations", "options"),
    *("default_member_permissions", "contexts", "integration_types", "nsfw"),
)
_OPTION: Final = (
    *("type", "name", "name_localizations", "description", "description_localizations", "required", "choices"),
    *("channel_types", "min_value", "max_value", "min_length", "max_length", "autocomplete"),
)
_CHOICE: Final = ("name", "name_localizations", "value")
_INSIDE: Final = {"options": _OPTION, "choices": _CHOICE}
_SETS: Final = frozenset({"contexts", "integration_types", "channel_types"})


async def register(http: HTTPClient, application_id: int | None, leases: Leases, commands: Sequence[Payload]) -> bool:
    """Registers the commands, in place of all that are; True: they were written. Once per start, not per connection.

    Never raises for what Discord or the store says: the bot works without, and the log says what is wrong. With the
    store away it writes all the same: people without commands are worse off than Discord with the same ones twice.
    """
    assert application_id is not None, "only a client that logged in knows its application"
    holder, now = secrets.token_hex(8), datetime.now(UTC)
    try:
        if same(await _registered(http, application_id), commands):
            return False
        if not await _acquired(leases, holder, now):
            return False
        try:
            # Whoever had the lease before may have written meanwhile.
            if same(await _registered(http, application_id), commands):
                return False
            await http.bulk_upsert_global_commands(application_id, list(commands))
        finally:
            await _released(leases, holder)
    except discord.HTTPException as error:
        _log.error("commands: not registered (status %s, code %s)%s", error.status, error.code, _faults(error))
        return False
    return True


def same(registered: Sequence[Mapping[str, Any]], commands: Sequence[Mapping[str, Any]]) -> bool:
    """Whether Discord has these commands and no others. What it adds by itself doesn't count, nor does their order."""

    def known(payloads: Sequence[Mapping[str, Any]]) -> dict[tuple[int, str], dict[str, Any]]:
        return {(each.get("type", 1), each["name"]): _normal(each, _COMMAND) for each in payloads}

    return known(registered) == known(commands)


def _normal(payload: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """The keys that can be registered, without those that say nothing; what is a set to Discord, in order."""
    normal: dict[str, Any] = {}
    for key in keys:
        value = payload.get(key)
        if key in _INSIDE:
            value = [_normal(each, _INSIDE[key]) for each in value or ()]
        elif key in _SETS:
            value = sorted(value or ())
        if key == "value" or value not in (None, False, "", [], {}):
            normal[key] = value
    return normal


async def _registered(http: HTTPClient, application_id: int) -> list[dict[str, Any]]:
    """discord.py has a call for it, but can't ask for the localizations."""
    route = Route("GET", "/applications/{application_id}/commands", application_id=application_id)
    commands: list[dict[str, Any]] = await http.request(route, params={"with_localizations": "true"})
    return commands


async def _acquired(leases: Leases, holder: str, now: datetime) -> bool:
    try:
        async with asyncio.timeout(STORE_SECONDS):
            return await leases.acquire(LEASE, holder, now + LEASED, now)
    except (StoreError, TimeoutError) as error:
        _log.warning("commands: registered without a lease, the store can't be reached (%s)", type(error).__name__)
        return True


async def _released(leases: Leases, holder: str) -> None:
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await leases.release(LEASE, holder)
    except (StoreError, TimeoutError):
        _log.debug("commands: the lease ends by itself")


def _faults(error: discord.HTTPException) -> str:
    """Where in the commands Discord sees faults; they hold nothing but our own texts."""
    lines = str(error.text).splitlines()
    return f": {'; '.join(lines)}" if error.code == 50035 and lines else ""
