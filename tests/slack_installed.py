"""Installations for tests: of a workspace that the fake of Slack has, or made up."""

from __future__ import annotations

import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from slack_sdk.oauth.installation_store.models.installation import Installation
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.authorization import Authorization
from adapters.slack.installations import Installations
from adapters.slack.rotation import Rotation
from adapters.slack.token_key import read_keys
from bot.state.database import Database
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.stores import SHARED

CLIENT = SlackFake.client_id
KEY, OTHER_KEY = (urlsafe_b64encode(letter * 32).decode() for letter in (b"k", b"o"))
"""For TOKEN_KEY."""


DATABASES = ["sqlite-in-memory", *(kind for kind in SHARED if kind != "sqlite")]
"""Each kind once, the quick way: what a file adds is for tests of several processes."""


def installation(team: str | None = "T1", enterprise: str | None = None, **values: Any) -> Installation:
    """`ago`: seconds since it was made. A team of None: the organisation's own."""
    made: dict[str, Any] = {
        "app_id": "A1",
        "bot_token": f"xoxb-{team or enterprise}",
        "bot_id": "B1",
        "bot_user_id": "U0BOT",
        "bot_scopes": "chat:write,commands",
        "user_id": "U1",
        "is_enterprise_install": team is None,
        "installed_at": time.time() - values.pop("ago", 0),
    }
    return Installation(team_id=team, enterprise_id=enterprise, **made | values)


@dataclass
class Replica:
    """One of the processes that share a database."""

    installations: Installations
    rotation: Rotation
    authorization: Authorization

    async def token(self, team: str | None, enterprise: str | None = None, org_wide: bool = False) -> str | None:
        bot = await self.authorization.find(enterprise, team, org_wide)
        return bot.bot_token if bot else None


@asynccontextmanager
async def replica(
    database: Database, api_url: str, *, key: str = KEY, fresh_seconds: float = 60.0
) -> AsyncIterator[Replica]:
    client = AsyncWebClient(base_url=api_url)
    installations = Installations(database.engine, CLIENT, read_keys(key))
    rotation = Rotation(installations, database.leases, client, CLIENT, SlackFake.client_secret)
    authorization = Authorization(installations, rotation, client, fresh_seconds)
    yield Replica(installations, rotation, authorization)
    await authorization.close()


def of(workspace: Workspace, **values: Any) -> Installation:
    """What our database has about the app in a workspace of the fake; `expires_in`: seconds that its token has left."""
    made = workspace.installation
    assert made is not None
    if "expires_in" in values:
        made.refresh_token = made.refresh_token or f"xoxe-1-{workspace.id}"
        made.expires_at = time.time() + values["expires_in"]
        values["bot_token_expires_at"] = int(time.time() + values.pop("expires_in"))
        values["bot_refresh_token"] = made.refresh_token
    known = {"bot_token": made.token, "bot_id": made.bot, "bot_user_id": made.user}
    team = None if made.for_org else workspace.id
    return installation(team, workspace.enterprise, **known | values)
