"""Where the bot is installed: slack_sdk's stores, over the tables that our migrations make.

What they don't do is added here: tokens are encrypted, an organisation's installation is found from each of its
teams, what an uninstall leaves is removed, states that ran out are cleaned up, and nothing secret is logged.
Whatever SQLAlchemy raises comes out as `StoreError`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.oauth.installation_store.models.installation import Installation
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore, SQLAlchemyInstallationStore
from slack_sdk.oauth.sqlalchemy_utils import normalize_datetime_for_db
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from sqlalchemy import ColumnElement, Table, Text, and_, delete, or_, select, type_coerce, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.slack.token_key import MARK, Keys, Secret
from bot.errors import StoreError

SECRETS: Final = ("bot_token", "bot_refresh_token", "user_token", "user_refresh_token", "incoming_webhook_url")
"""The columns that are encrypted; in our tables they are longer than slack_sdk makes them."""

CALL_SECONDS: Final = 10.0
"""So long the database may take for one thing. SQLite gives up before that, if another process is writing."""

STATE_SECONDS: Final = 600
"""So long somebody may take to install, from /slack/install to Slack's redirect."""

_silent = logging.getLogger(f"{__name__}.slack_sdk")
_silent.disabled = True  # slack_sdk's stores log rows and states


class Installations(AsyncSQLAlchemyInstallationStore):
    """An AsyncInstallationStore. `enterprise_id` is an organisation of Enterprise Grid, `team_id` one workspace."""

    def __init__(self, engine: AsyncEngine, client_id: str, keys: Keys | None) -> None:
        """`engine` is the store's own; `keys` encrypt the tokens, None: they stay as they are."""
        super().__init__(client_id, engine.execution_options(writes=True), logger=_silent)
        self._reading = engine
        self._keys = keys
        for table in (self.bots, self.installations):
            for name in SECRETS:
                if name in table.c:
                    table.c[name].type = Secret(keys)

    async def async_save(self, installation: Installation) -> None:
        async with failures():
            await super().async_save(installation)

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        async with failures():
            return await super().async_find_installation(
                enterprise_id=enterprise_id,
                team_id=team_id,
                user_id=user_id,
                is_enterprise_install=is_enterprise_install,
            )

    async def async_find_bot(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        is_enterprise_install: bool | None = False,
    ) -> Bot | None:
        """The newest installation that reaches this team: the team's own, or its organisation's.

        Both may exist: `is_enterprise_install` says which one Slack means. A team is found whatever its organisation
        is said to be, because it may have joined one since, and views opened in another organisation name that one.
        """
        bots = self.bots.c
        reaches = self._reaches(self.bots, enterprise_id, team_id)
        if reaches is None:
            return None
        meant = bots.team_id.is_(None) if is_enterprise_install else bots.team_id.is_not(None)
        query = (
            select(self.bots)
            .where(bots.client_id == self.client_id, bots.bot_token.is_not(None), reaches)
            .order_by(meant.desc(), bots.installed_at.desc())
            .limit(1)
        )
        async with failures(), self._reading.connect() as connection:
            row = (await connection.execute(query)).mappings().first()
        return SQLAlchemyInstallationStore.build_bot_entity(row) if row is not None else None

    async def remove(self, enterprise_id: str | None, team_id: str | None) -> None:
        """Deletes all of a team's installations; without `team_id`, those of the organisation as a whole."""
        async with failures(), self.engine.begin() as connection:
            for table in (self.bots, self.installations):
                its = (
                    table.c.team_id == team_id
                    if team_id is not None
                    else and_(table.c.team_id.is_(None), table.c.enterprise_id == enterprise_id)
                )
                await connection.execute(delete(table).where(table.c.client_id == self.client_id, its))

    async def is_in(self, enterprise_id: str) -> bool:
        """Whether any installation is left in this organisation: its own, or one of its teams'."""
        bots = self.bots.c
        query = select(bots.id).where(bots.client_id == self.client_id, bots.enterprise_id == enterprise_id).limit(1)
        async with failures(), self._reading.connect() as connection:
            return (await connection.execute(query)).first() is not None

    async def check_keys(self) -> None:
        """Raises `SettingsError` if the newest token can't be decrypted, which a wrong TOKEN_KEY means."""
        query = select(self.bots).order_by(self.bots.c.installed_at.desc()).limit(1)
        async with failures(), self._reading.connect() as connection:
            (await connection.execute(query)).mappings().first()

    async def encrypt_again(self) -> int:
        """Encrypts with the newest key what isn't: how many values. After that, older keys are needed no more."""
        if (keys := self._keys) is None:
            return 0
        count = 0
        async with failures(), self.engine.begin() as connection:
            for column in (
                table.c[name] for table in (self.bots, self.installations) for name in SECRETS if name in table.c
            ):
                raw = type_coerce(column, Text)
                old = raw.is_not(None) if keys.several else raw.not_like(f"{MARK}%")
                for number, stored in (await connection.execute(select(column.table.c.id, raw).where(old))).all():
                    if not keys.is_newest(stored):
                        value = keys.decrypt(stored) if stored.startswith(MARK) else stored
                        as_it_was = (column.table.c.id == number, raw == stored)  # or it was renewed meanwhile
                        await connection.execute(update(column.table).where(*as_it_was).values({column: value}))
                        count += 1
        return count

    @staticmethod
    def _reaches(table: Table, enterprise_id: str | None, team_id: str | None) -> ColumnElement[bool] | None:
        its_own = [table.c.team_id == team_id] if team_id else []
        # Of an installation for all workspaces, Slack may name the organisation where a workspace belongs.
        whole = [
            and_(table.c.team_id.is_(None), table.c.enterprise_id == each) for each in (enterprise_id, team_id) if each
        ]
        return or_(*its_own, *whole) if its_own or whole else None


class States(AsyncSQLAlchemyOAuthStateStore):
    """slack_sdk's AsyncOAuthStateStore: what ties Slack's redirect to the browser that began an installation."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(STATE_SECONDS, engine.execution_options(writes=True), logger=_silent)

    async def async_issue(self, *args: object, **kwargs: object) -> str:
        """A new state. Those that ran out go: everybody can open the page that makes them."""
        async with failures():
            async with self.engine.begin() as connection:
                await connection.execute(delete(self.oauth_states).where(self.oauth_states.c.expire_at <= _now()))
            return await super().async_issue(*args, **kwargs)

    async def async_consume(self, state: str) -> bool:
        """Whether we gave out this state and it still holds. It's deleted in the same statement: it counts once."""
        states = self.oauth_states.c
        async with failures(), self.engine.begin() as connection:
            result = await connection.execute(
                delete(self.oauth_states).where(states.state == state, states.expire_at > _now())
            )
            return result.rowcount == 1


def _now() -> datetime | None:
    """As slack_sdk writes times: UTC that doesn't say so."""
    return normalize_datetime_for_db(datetime.fromtimestamp(time.time(), tz=UTC))


@asynccontextmanager
async def failures() -> AsyncIterator[None]:
    """What the database raises becomes `StoreError`, without the cause: a server's message may quote the values.

    So does one that doesn't answer: of a lost server, a driver may wait for ever.
    """
    try:
        async with asyncio.timeout(CALL_SECONDS):
            yield
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"the database failed: {type(error).__name__}") from None
