"""Where the bot is installed, over real databases: SQLite, and PostgreSQL where there's one."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from sqlalchemy import Inspector, MetaData, create_engine, inspect, select, text, update

from adapters.slack.installations import SECRETS, Installations, States
from adapters.slack.token_key import MARK, read_keys
from bot.errors import SettingsError, StoreError
from bot.state import tables
from bot.state.database import Database
from tests.slack_installed import CLIENT, DATABASES, KEY, OTHER_KEY, installation
from tests.stores import opened_database

LONG = "xoxe.xoxb-1-" + "MS0yLTEyMzQ1Njc4OTAtMTIzNDU2Nzg5MC0" * 5
"""As long as rotating tokens are."""


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path) as opened:
        yield opened


def stored(database: Database, key: str = KEY, client: str = CLIENT) -> Installations:
    return Installations(database.engine, client, read_keys(key))


async def token(kept: Installations, enterprise: str | None, team: str | None, org_wide: bool = False) -> str | None:
    bot = await kept.async_find_bot(enterprise_id=enterprise, team_id=team, is_enterprise_install=org_wide)
    return bot.bot_token if bot else None


# -- The tables ---------------------------------------------------------------------------------------------------


def described(inspector: Inspector, table: str) -> dict[str, Any]:
    """Everything about a table that a database knows, but for its constraints' names."""
    columns = {
        column["name"]: (str(column["type"]), column["nullable"], column["default"])
        for column in inspector.get_columns(table)
    }
    indexes = {index["name"]: index["column_names"] for index in inspector.get_indexes(table)}
    return {"columns": columns, "indexes": indexes, "key": inspector.get_pk_constraint(table)["constrained_columns"]}


async def test_the_migrated_tables_are_those_of_slack_sdk_but_hold_longer_tokens(tmp_path: Path) -> None:
    async with opened_database("sqlite", tmp_path):
        pass
    theirs = MetaData()
    AsyncSQLAlchemyInstallationStore.build_bots_table(theirs, "slack_bots")
    AsyncSQLAlchemyInstallationStore.build_installations_table(theirs, "slack_installations")
    AsyncSQLAlchemyOAuthStateStore.build_oauth_states_table(theirs, "slack_oauth_states")
    for table in theirs.tables.values():
        for name in SECRETS:
            if name in table.c:
                table.c[name].type = tables.Text()
    made = create_engine(f"sqlite:///{tmp_path / 'theirs.sqlite'}")
    theirs.create_all(made)
    migrated = create_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")
    try:
        for name in theirs.tables:
            assert described(inspect(migrated), name) == described(inspect(made), name)
    finally:
        made.dispose()
        migrated.dispose()


# -- Kept and found -----------------------------------------------------------------------------------------------


async def test_an_installation_is_found_as_it_was_kept(database: Database) -> None:
    kept = stored(database)
    made = installation("T1", bot_token=LONG, bot_refresh_token=LONG[::-1], bot_token_expires_at=1_900_000_000)
    await kept.async_save(made)
    bot = await kept.async_find_bot(enterprise_id=None, team_id="T1")
    found = await kept.async_find_installation(enterprise_id=None, team_id="T1")
    assert bot is not None
    assert found is not None
    for read in (bot, found):
        assert (read.bot_token, read.bot_refresh_token, read.bot_token_expires_at) == (LONG, LONG[::-1], 1_900_000_000)
        assert (read.bot_id, read.bot_user_id, list(read.bot_scopes or ())) == (
            *("B1", "U0BOT"),
            ["chat:write", "commands"],
        )
        assert read.installed_at == pytest.approx(made.installed_at, abs=0.001)


FOUND = [
    (None, "T1", False, "xoxb-T1"),
    ("E1", "T1", False, "xoxb-T1"),  # the workspace joined an organisation since
    ("E1", "T2", False, "xoxb-T2"),
    (None, "T2", False, "xoxb-T2"),  # a view that was opened elsewhere names another organisation, or none
    ("E9", "T2", False, "xoxb-T2"),
    ("E1", "T2", True, "xoxb-E1"),  # it has both, and Slack says which one it means
    ("E1", "T3", True, "xoxb-E1"),
    ("E1", "T3", False, "xoxb-E1"),
    ("E1", None, True, "xoxb-E1"),
    ("E1", None, False, "xoxb-E1"),
    ("E1", "T1", True, "xoxb-E1"),
    ("E2", "T4", True, "xoxb-T4"),  # Slack says organisation, but there's only the workspace's own
    ("E2", "T5", True, None),
    (None, "T3", False, None),
    (None, None, False, None),
    ("", "", False, None),
]


async def test_an_organisations_installation_is_found_from_each_of_its_teams(database: Database) -> None:
    kept = stored(database)
    for made in (installation("T1"), installation("T2", "E1"), installation(None, "E1"), installation("T4", "E2")):
        await kept.async_save(made)
    assert [(*asked, await token(kept, *asked)) for *asked, _ in FOUND] == FOUND


async def test_the_newest_installation_counts(database: Database) -> None:
    kept = stored(database)
    await kept.async_save(installation("T1", bot_token="xoxb-new", ago=10))
    await kept.async_save(installation("T1", bot_token="xoxb-old", ago=20))
    assert await token(kept, None, "T1") == "xoxb-new"


async def test_another_app_in_the_same_database_is_not_found(database: Database) -> None:
    await stored(database, client="another").async_save(installation("T1"))
    assert await token(stored(database), None, "T1") is None
    assert not await stored(database).is_in("E1")


# -- Encrypted ----------------------------------------------------------------------------------------------------


async def everything(database: Database) -> str:
    async with database.engine.connect() as connection:
        rows = [
            tuple(row)
            for table in (tables.slack_bots, tables.slack_installations)
            for row in await connection.execute(select(table))
        ]
    return str(rows)


async def test_tokens_are_encrypted_in_the_database(database: Database) -> None:
    secrets = {name: f"{LONG}-{name}" for name in SECRETS}
    await stored(database).async_save(installation("T1", **secrets))
    text_of_it = await everything(database)
    assert text_of_it.count(MARK) == 7
    assert LONG not in text_of_it
    found = await stored(database).async_find_installation(enterprise_id=None, team_id="T1")
    assert found is not None
    assert {name: getattr(found, name) for name in SECRETS} == secrets


async def test_without_a_key_they_are_not_and_stay_readable_with_one(database: Database) -> None:
    await stored(database, key="").async_save(installation("T1"))
    assert "'xoxb-T1'" in await everything(database)
    assert await token(stored(database), None, "T1") == "xoxb-T1"
    await stored(database).check_keys()


@pytest.mark.parametrize(("key", "says"), [(OTHER_KEY, "another key"), ("", "isn't set")])
async def test_a_key_that_does_not_fit_is_one_clear_error(database: Database, key: str, says: str) -> None:
    await stored(database).async_save(installation("T1"))
    await stored(database).check_keys()
    with pytest.raises(SettingsError, match=f"TOKEN_KEY: .*{says}"):
        await stored(database, key=key).check_keys()
    with pytest.raises(SettingsError, match="TOKEN_KEY"):
        await token(stored(database, key=key), None, "T1")
    await stored(database, key=f"{OTHER_KEY},{KEY}").check_keys()


async def test_a_key_fits_an_empty_database(database: Database) -> None:
    await stored(database, key="").check_keys()
    await stored(database).check_keys()


# -- Removed ------------------------------------------------------------------------------------------------------


async def test_a_teams_installations_are_removed_and_no_others(database: Database) -> None:
    kept, another = stored(database), stored(database, client="another")
    for made in (
        installation("T1"),
        installation("T1", "E1", ago=5),
        installation("T2", "E1"),
        installation(None, "E1"),
    ):
        await kept.async_save(made)
    await another.async_save(installation("T1"))
    await kept.remove(None, "T1")
    assert await token(kept, None, "T1") is None
    assert await kept.async_find_installation(enterprise_id="E1", team_id="T1") is None
    assert await token(kept, "E1", "T2") == "xoxb-T2"
    assert await token(another, None, "T1") == "xoxb-T1"
    assert await kept.is_in("E1")


async def test_an_organisations_own_installation_is_removed_and_its_teams_stay(database: Database) -> None:
    kept = stored(database)
    for made in (installation("T2", "E1"), installation(None, "E1"), installation(None, "E2")):
        await kept.async_save(made)
    await kept.remove("E1", None)
    assert await token(kept, "E1", "T3") is None
    assert await token(kept, "E1", "T2", org_wide=True) == "xoxb-T2"
    assert await token(kept, "E2", None) == "xoxb-E2"
    assert await kept.is_in("E1")
    await kept.remove("E1", "T2")
    assert not await kept.is_in("E1")


# -- States -------------------------------------------------------------------------------------------------------


async def test_a_state_counts_once(database: Database) -> None:
    states = States(database.engine)
    state = await states.async_issue()
    assert not await states.async_consume("another")
    assert [await states.async_consume(state) for _ in range(2)] == [True, False]


async def test_of_two_replicas_one_gets_a_state(database: Database) -> None:
    states = [States(database.engine) for _ in range(2)]
    state = await states[0].async_issue()
    assert sorted(await asyncio.gather(*(each.async_consume(state) for each in states))) == [False, True]


async def test_states_that_ran_out_do_not_count_and_go(database: Database) -> None:
    states = States(database.engine)
    old = await states.async_issue()
    table = tables.slack_oauth_states
    async with database.engine.execution_options(writes=True).begin() as connection:
        await connection.execute(update(table).values(expire_at=text("CURRENT_TIMESTAMP")))
    assert not await states.async_consume(old)
    await states.async_issue()
    async with database.engine.connect() as connection:
        assert len((await connection.execute(select(table))).all()) == 1


# -- Away ---------------------------------------------------------------------------------------------------------


async def test_a_database_that_fails_is_a_store_error_without_values(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened_database("sqlite", tmp_path) as database:
        with closing(sqlite3.connect(tmp_path / "state.sqlite")) as connection, connection:
            for table in ("slack_bots", "slack_installations", "slack_oauth_states"):
                connection.execute(f"DROP TABLE {table}")
        kept, states = stored(database), States(database.engine)
        for call in (
            kept.async_save(installation("T1SECRET")),
            kept.async_find_bot(enterprise_id="E1", team_id="T1SECRET"),
            kept.async_find_installation(enterprise_id="E1", team_id="T1SECRET"),
            kept.remove("E1", "T1SECRET"),
            kept.is_in("E1"),
            kept.check_keys(),
            states.async_issue(),
            states.async_consume("T1SECRET"),
        ):
            with pytest.raises(StoreError) as caught:
                await call
            assert "SECRET" not in str(caught.value) + str(caught.value.__cause__)
    assert "SECRET" not in caplog.text
