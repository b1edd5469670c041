"""Notes in a database, beyond the contract: several replicas, restarts, locks, what a failure leaves and says."""

from __future__ import annotations

import asyncio
import sqlite3
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from bot.errors import StoreError
from bot.request import Place, short_hash
from bot.state.database import Database, lock_key, open_database
from bot.state.ports import Channel, Figures, Limits, Note
from tests.stores import (
    ANA,
    CHANNEL,
    NOW,
    OTHER_CHANNEL,
    OTHER_PLATFORM,
    OTHER_THREAD,
    SHARED,
    THREAD,
    note,
    opened_database,
    url_of,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where `database` is."""
    return tmp_path / "state.sqlite"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database("sqlite", tmp_path) as database:
        yield database


@pytest.fixture(params=SHARED)
async def replicas(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[Database]]:
    """Two that share what they remember."""
    async with opened_database(request.param, tmp_path) as first:
        second = await open_database(url_of(request.param, tmp_path), call_seconds=60)
        await second.ready()
        yield [first, second]
        await second.close()


def execute(file: Path, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(statement).fetchall()


# -- Replicas -----------------------------------------------------------------------------------------------------

LAST_PLACE = {
    "per_hour": Limits(per_hour=3, per_thread=99),
    "per_thread": Limits(per_hour=99, per_thread=3),
}


@pytest.mark.parametrize("limits", LAST_PLACE.values(), ids=LAST_PLACE)
@pytest.mark.parametrize("attempt", range(5))
async def test_replicas_that_race_for_the_last_place(replicas: list[Database], limits: Limits, attempt: int) -> None:
    for message in ("m1", "m2"):
        await replicas[0].notes.claim(THREAD, note(message, f"of-{message}"), limits, NOW)
    claimed = await asyncio.gather(
        *(replica.notes.claim(THREAD, note(f"n{n}", f"c{n}"), limits, NOW) for n, replica in enumerate(replicas))
    )
    assert sum(one is not None for one in claimed) == 1
    found = [await replicas[0].notes.find(THREAD, message=f"n{n}") for n in range(2)]
    assert found == claimed


@pytest.mark.parametrize("attempt", range(5))
async def test_replicas_explain_a_concept_once(replicas: list[Database], attempt: int) -> None:
    claimed = await asyncio.gather(
        *(
            replicas[n % 2].notes.claim(place, note(f"m{n}", "slo", f"c{n}"), Limits(per_thread=99, per_hour=99), NOW)
            for n, place in enumerate([THREAD, OTHER_THREAD, CHANNEL, THREAD] * 3)
        )
    )
    assert sum("slo" in dict(one.terms) for one in claimed if one) == 1
    assert all(one and f"c{n}" in dict(one.terms) for n, one in enumerate(claimed))


async def test_replicas_claim_one_note_for_a_message(replicas: list[Database]) -> None:
    claimed = await asyncio.gather(
        *(replicas[n % 2].notes.claim(CHANNEL, note("m1", f"c{n}"), Limits(), NOW) for n in range(10))
    )
    assert sum(one is not None for one in claimed) == 1


async def test_replicas_take_care_of_a_message_once(replicas: list[Database]) -> None:
    claims = await asyncio.gather(*(replicas[n % 2].handled.claim(CHANNEL, "m1", NOW) for n in range(10)))
    assert sum(claims) == 1


async def test_replicas_count_every_voice(replicas: list[Database]) -> None:
    await replicas[0].notes.claim(THREAD, note("m1"), Limits(), NOW)
    counts = await asyncio.gather(
        *(replicas[n % 2].notes.mark_wrong(THREAD, "m1", "slo", f"v{n}", NOW) for n in range(10))
    )
    assert sorted(counts) == list(range(1, 11))
    counts = await asyncio.gather(*(replicas[n % 2].notes.settle_wrong(THREAD, "psi", "psi", NOW) for n in range(10)))
    assert sorted(counts) == list(range(1, 11))


def test_a_channel_has_one_lock_and_no_other_channel_has_it() -> None:
    keys = [lock_key(place) for place in (CHANNEL, THREAD, Place("slack", "T2", "C1"), OTHER_CHANNEL, OTHER_PLATFORM)]
    assert keys[:3] == [672371778147547468] * 3  # the same in every process, whatever its hash seed
    assert len(set(keys)) == 3
    assert all(-(2**63) <= lock_key(Place("slack", "T1", str(number))) < 2**63 for number in range(1000))
    assert any(lock_key(Place("slack", "T1", str(number))) < 0 for number in range(1000))


# -- Restarts and failures ----------------------------------------------------------------------------------------


async def remembered(database: Database) -> list[object]:
    return [
        await database.channels.get(CHANNEL),
        await database.channels.listed("slack", "T1"),
        await database.notes.find(THREAD, message="m1"),
        await database.notes.find(THREAD, reply="r1"),
        await database.notes.figures(THREAD, NOW),
        await database.handled.reply_to(THREAD, "h1"),
    ]


@pytest.mark.parametrize("kind", SHARED)
async def test_everything_is_there_after_a_restart(tmp_path: Path, kind: str) -> None:
    async with opened_database(kind, tmp_path) as database:
        nothing = await remembered(database)
        await database.channels.set(CHANNEL, Channel("all", "both", True, "Ana", NOW), ANA)
        await database.channels.set_never(CHANNEL, "sla", True)
        await database.channels.rest(CHANNEL, "drift")
        await database.notes.claim(THREAD, note("m1", "slo", "kv-cache"), Limits(), NOW)
        await database.notes.posted(THREAD, "m1", "r1")
        await database.notes.opened(THREAD, "m1", NOW)
        await database.notes.saw(THREAD, ["seen"], NOW)
        await database.notes.mark_wrong(THREAD, "m1", "slo", "ana00", NOW)
        await database.notes.settle_wrong(THREAD, "psi label", "psi", NOW)
        await database.handled.claim(THREAD, "h1", NOW)
        await database.handled.replied(THREAD, "h1", "hr1")
        before = await remembered(database)
    assert before != nothing
    database = await open_database(url_of(kind, tmp_path))
    assert await remembered(database) == before
    later = NOW + timedelta(days=30)
    assert await database.notes.claim(THREAD, note("m2", "slo", "seen", "psi"), Limits(), later) is None
    assert await database.notes.mark_wrong(THREAD, "m1", "slo", "bo000", later) == 2
    assert await database.notes.settle_wrong(OTHER_THREAD, "psi label", "psi", later) == 2
    assert not await database.handled.claim(THREAD, "h1", later)
    await database.close()


async def test_a_new_file_answers_reads_at_once(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # the migration can't even begin
        database = await open_database(f"sqlite:///{file}")
        assert await remembered(database) == [
            Channel(),
            (),
            None,
            None,
            Figures(),
            None,
        ]
    await database.close()


async def test_half_a_claim_is_no_claim(database: Database, file: Path) -> None:
    execute(file, "ALTER TABLE explained RENAME TO away")
    execute(file, "CREATE VIEW explained AS SELECT * FROM away")  # can be read, and not be written
    with pytest.raises(StoreError):
        await database.notes.claim(THREAD, note("m1"), Limits(), NOW)
    assert execute(file, "SELECT message FROM notes UNION ALL SELECT message FROM note_terms") == []


async def test_a_lock_that_stays_fails_in_time_and_claims_nothing(database: Database, file: Path) -> None:
    hurried = await open_database(f"sqlite:///{file}", call_seconds=0.3)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for call in (
            hurried.notes.claim(THREAD, note("m1"), Limits(), NOW),
            hurried.notes.keep_only(THREAD, "m1", []),
            hurried.notes.settle_wrong(THREAD, "slo", "slo", NOW),
            hurried.handled.claim(THREAD, "m1", NOW),
        ):
            with pytest.raises(StoreError, match=r"within 0\.3 s"):
                await call
        assert await database.notes.find(THREAD, message="m1") is None  # reads go on
    await hurried.close()
    assert await database.notes.claim(THREAD, note("m1"), Limits(), NOW) == note("m1")
    assert await database.notes.settle_wrong(THREAD, "slo", "slo", NOW) == 1
    assert await database.handled.claim(THREAD, "m1", NOW)


SECRET = Place("slack", "secret", "secret", "secret")
CALLS: dict[str, Callable[[Database], Awaitable[object]]] = {
    "claim": lambda it: it.notes.claim(SECRET, Note("secret", "secret", (("secret", "secret"),)), Limits(), NOW),
    "saw": lambda it: it.notes.saw(SECRET, ["secret"], NOW),
    "find": lambda it: it.notes.find(SECRET, message="secret"),
    "keep_only": lambda it: it.notes.keep_only(SECRET, "secret", ["secret"]),
    "mark_wrong": lambda it: it.notes.mark_wrong(SECRET, "secret", "secret", "secret", NOW),
    "settle_wrong": lambda it: it.notes.settle_wrong(SECRET, "secret", "secret", NOW),
    "rest": lambda it: it.channels.rest(SECRET, "secret"),
    "handled": lambda it: it.handled.claim(SECRET, "secret", NOW),
    "no UTF-8": lambda it: it.notes.saw(Place("slack", "", "secret\ud800"), ["secret"], NOW),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_errors_hold_nothing_of_what_was_said(
    database: Database, file: Path, call: Callable[[Database], Awaitable[object]]
) -> None:
    for table in ("note_terms", "notes", "explained", "wrong", "silenced", "handled"):
        execute(file, f"DROP TABLE {table}")
    with pytest.raises(StoreError) as caught:
        await call(database)
    # The code of the call itself stands in the traceback, and the word in it.
    assert "secret" not in "".join(traceback.format_exception_only(caught.value))
    assert str(caught.value).startswith("the database failed: ")
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)


# -- What stands in the file --------------------------------------------------------------------------------------


async def test_forget_leaves_nothing_of_the_person(database: Database, file: Path) -> None:
    hashed = short_hash(ANA)
    await database.notes.claim(THREAD, note("m1", author=hashed), Limits(), NOW)
    await database.notes.mark_wrong(THREAD, "m1", "slo", hashed, NOW)
    assert hashed in "\n".join(dump(file))
    await database.people.forget(ANA)
    assert hashed not in "\n".join(dump(file))


async def test_withdraw_leaves_no_row(database: Database, file: Path) -> None:
    await database.notes.claim(THREAD, note("m1"), Limits(), NOW)
    await database.notes.posted(THREAD, "m1", "r1")
    await database.notes.opened(THREAD, "m1", NOW)
    await database.notes.mark_wrong(THREAD, "m1", "slo", "ana00", NOW)
    assert len([line for line in dump(file) if "'m1'" in line]) == 5
    await database.notes.withdraw(THREAD, "m1")
    assert [line for line in dump(file) if "'m1'" in line] == []


async def test_prune_leaves_no_row(database: Database, file: Path) -> None:
    empty = dump(file)
    await database.notes.claim(THREAD, note("m1"), Limits(), NOW)
    await database.notes.saw(THREAD, ["sla"], NOW)
    await database.notes.opened(THREAD, "m1", NOW)
    await database.notes.mark_wrong(THREAD, "m1", "slo", "ana00", NOW)
    await database.notes.settle_wrong(THREAD, "psi", "psi", NOW)
    await database.handled.claim(THREAD, "m1", NOW)
    assert len(dump(file)) == len(empty) + 8
    await database.notes.prune(NOW + timedelta(days=91))
    await database.handled.prune(NOW + timedelta(days=91))
    assert dump(file) == empty


def dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [line for line in connection.iterdump() if line.startswith("INSERT")]


async def test_times_are_kept_in_utc(database: Database, file: Path) -> None:
    east = NOW.astimezone(timezone(timedelta(hours=8)))
    await database.notes.claim(THREAD, note("m1"), Limits(), east)
    assert execute(file, "SELECT at FROM notes") == [("2026-11-30 12:00:00.000000",)]


async def test_no_call_reads_a_whole_table(database: Database, file: Path) -> None:
    """Of those that grow. Only what runs once in a while may: `prune`, `forget`."""
    said: set[tuple[str, Any]] = set()

    @event.listens_for(database._engine.sync_engine, "before_cursor_execute")
    def listen(_c: object, _k: object, statement: str, parameters: Any, _x: object, many: bool) -> None:
        said.add((statement, tuple(parameters[0] if many else parameters)))

    await database.notes.claim(THREAD, note("m1", "slo", "sla"), Limits(), NOW)
    await database.notes.saw(THREAD, ["sla"], NOW)
    await database.notes.posted(THREAD, "m1", "r1")
    await database.notes.find(THREAD, message="m1")
    await database.notes.find(THREAD, reply="r1")
    await database.notes.opened(THREAD, "m1", NOW)
    await database.notes.mark_wrong(THREAD, "m1", "slo", "ana00", NOW)
    await database.notes.settle_wrong(THREAD, "psi", "psi", NOW)
    await database.notes.keep_only(THREAD, "m1", ["sla"])
    await database.notes.figures(THREAD, NOW)
    await database.notes.withdraw(THREAD, "m1")
    await database.channels.get(CHANNEL)
    await database.channels.listed("slack", "T1")
    await database.channels.release(CHANNEL, "psi")
    await database.handled.claim(CHANNEL, "m1", NOW)
    await database.handled.replied(CHANNEL, "m1", "r1")
    await database.handled.reply_to(CHANNEL, "m1")
    await database.handled.prune(NOW)
    tables = ("notes", "note_terms", "explained", "votes", "presses", "wrong", "channels", "silenced", "handled")
    with closing(sqlite3.connect(file)) as connection:
        plans = [
            (row[3], statement)
            for statement, parameters in said
            if statement.startswith(("SELECT", "UPDATE", "DELETE"))
            for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
    assert len(plans) > 20
    assert [plan for plan in plans if plan[0].split()[0] == "SCAN" and plan[0].split()[1] in tables] == []
