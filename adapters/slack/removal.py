"""What Slack tells when the bot was removed: everything about that workspace or organisation goes.

Only Slack's word counts. A database or a Slack that can't be reached removes nothing; `Removal.heard` raises then, and
Slack sends the event again, because it isn't acknowledged.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.authorization import Authorization
from adapters.slack.faults import REFUSED
from adapters.slack.installations import Installations
from adapters.slack.tenant import installed_in
from bot.state.ports import Store

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Installed:
    """Where installations are kept, if workspaces make them; `client` needs no token."""

    installations: Installations
    authorization: Authorization
    client: AsyncWebClient


class Removal:
    """Carries the events out."""

    def __init__(self, store: Store, installed: Installed | None = None) -> None:
        """`installed` None: the bot's token is a setting, so nothing is kept but what the store has."""
        self._store = store
        self._installed = installed

    async def heard(self, context: AsyncBoltContext, body: Mapping[str, Any]) -> None:
        """One of `REMOVALS`, to be called before it's acknowledged. Whatever this raises, Slack will send it again."""
        event = body["event"]
        if event["type"] == "tokens_revoked" and not event.get("tokens", {}).get("bot"):
            return  # a person's token; the bot has none of those
        enterprise_id, team_id = installed_in(context)
        if self._installed is not None:
            bot = await self._exactly(self._installed, enterprise_id, team_id)
            if bot is not None and await self._counts_again(self._installed, bot, body):
                return
            await self._installed.installations.remove(enterprise_id, team_id)
            self._installed.authorization.forget(enterprise_id, team_id)
        for tenant in {team_id, await self._left(enterprise_id)} - {None}:
            await self._store.forget_tenant("slack", str(tenant))
        _log.info("Slack's %s: what was kept of %s is deleted", event["type"], team_id or enterprise_id)

    async def _left(self, enterprise_id: str | None) -> str | None:
        """The organisation, if this was its last installation: then its people go, who are the same in all teams."""
        if enterprise_id and self._installed and await self._installed.installations.is_in(enterprise_id):
            return None
        return enterprise_id

    @staticmethod
    async def _exactly(installed: Installed, enterprise_id: str | None, team_id: str | None) -> Bot | None:
        bot = await installed.installations.async_find_bot(
            enterprise_id=enterprise_id, team_id=team_id, is_enterprise_install=team_id is None
        )
        return bot if bot is not None and bot.team_id == team_id else None

    @staticmethod
    async def _counts_again(installed: Installed, bot: Bot, body: Mapping[str, Any]) -> bool:
        """Whether there's an installation that the event isn't about.

        An event may come late, after the bot was installed again; and what was revoked may be a token that has been
        renewed since.
        """
        if body["event"]["type"] == "app_uninstalled" and bot.installed_at <= body.get("event_time", float("inf")):
            return False
        try:
            await installed.client.auth_test(token=bot.bot_token)
        except SlackApiError as error:
            if error.response.get("error") in REFUSED:
                return False
            raise
        return True
