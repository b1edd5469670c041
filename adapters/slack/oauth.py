"""Many workspaces: each installs the bot itself, at /slack/install.

oauth = installable(settings, engine, store, phrases, scopes)
app = AsyncApp(authorize=oauth.authorize, oauth_flow=oauth.flow, …)
await oauth.check()
await oauth.removal.heard(context, body)
await oauth.close()
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import ClientError
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions, AsyncFailureArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.oauth.installation_store.models.installation import Installation
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.slack.authorization import Authorization
from adapters.slack.installations import STATE_SECONDS, Installations, States
from adapters.slack.names import INSTALL_PATH, REDIRECT_PATH
from adapters.slack.pages import Pages, home_of
from adapters.slack.removal import Installed, Removal
from adapters.slack.rotation import Rotation
from adapters.slack.token_key import read_keys
from bot.errors import SettingsError, StoreError
from bot.phrases import Phrases
from bot.settings import Settings
from bot.state.ports import Leases, Store

REQUEST_SECONDS: Final = 10
"""So long one request to Slack may take, of those that exchange codes and tokens."""

_log = logging.getLogger(__name__)

_silent = logging.getLogger(f"{__name__}.bolt")
_silent.disabled = True  # bolt's flow logs codes and queries


@dataclass(frozen=True, slots=True)
class Installable:
    """What many workspaces need, put together once."""

    flow: AsyncOAuthFlow
    authorize: Authorization
    removal: Removal
    _installations: Installations
    _leases: Leases

    async def check(self) -> None:
        """Raises `SettingsError` if TOKEN_KEY doesn't fit what's in the database; encrypts what isn't yet.

        A database that is away is no error.
        """
        try:
            await self._leases.release("slack", "")  # whose it isn't; but a write waits until there are tables
            await self._installations.check_keys()
            if count := await self._installations.encrypt_again():
                _log.info("encrypted %d tokens with the newest TOKEN_KEY", count)
        except StoreError as error:
            _log.error("can't look up where the bot is installed: %s", error)

    async def close(self) -> None:
        """Finishes what was begun."""
        await self.authorize.close()


def installable(
    settings: Settings, engine: AsyncEngine | None, store: Store, phrases: Phrases, scopes: Sequence[str]
) -> Installable:
    """`scopes`: what workspaces are asked for. Raises `SettingsError` without a database, and for a bad TOKEN_KEY."""
    if engine is None:
        raise SettingsError(
            "DATABASE_URL: must be a database that can be written, to keep where Slack's app is installed"
        )
    client_id, secret = settings.slack_client_id, settings.slack_client_secret.get_secret_value()
    client = Exchanges(
        base_url=settings.slack_api_url.rstrip("/") + "/",
        timeout=REQUEST_SECONDS,
        logger=_silent,
        retry_handlers=[],  # codes and refresh tokens count once, and what failed on its way may have arrived
    )
    installations = Installations(engine, client_id, read_keys(settings.token_key.get_secret_value()))
    authorize = Authorization(installations, Rotation(installations, store.leases, client, client_id, secret), client)
    home = home_of(settings.slack_api_url)
    pages = Pages(phrases, home)
    asked = AsyncOAuthSettings(
        client_id=client_id,
        client_secret=secret,
        scopes=scopes,
        user_scopes=[],
        authorization_url=f"{home}/oauth/v2/authorize",
        install_path=INSTALL_PATH,
        install_page_rendering_enabled=False,
        redirect_uri_path=REDIRECT_PATH,
        callback_options=AsyncCallbackOptions(pages.installed, pages.failed),
        installation_store=installations,
        state_store=States(engine),
        state_expiration_seconds=STATE_SECONDS,
        logger=_silent,
    )
    return Installable(
        Flow(asked, client, authorize),
        authorize,
        Removal(store, Installed(installations, authorize, client)),
        installations,
        store.leases,
    )


class Exchanges(AsyncWebClient):
    """Says in the log why Slack gives no token; bolt's flow only knows that there is none."""

    async def oauth_v2_access(self, **arguments: Any) -> AsyncSlackResponse:
        try:
            return await super().oauth_v2_access(**arguments)
        except SlackApiError as error:
            _log.warning("Slack gives no token: %s", error.response.get("error"))
            raise


class Flow(AsyncOAuthFlow):
    """bolt's flow, which leaves failures of database and network to the server."""

    def __init__(self, settings: AsyncOAuthSettings, client: AsyncWebClient, authorize: Authorization) -> None:
        super().__init__(client=client, logger=_silent, settings=settings)
        self._authorize = authorize

    async def handle_installation(self, request: AsyncBoltRequest) -> BoltResponse:
        try:
            return await super().handle_installation(request)
        except StoreError as error:
            return await self._away(request, error)

    async def handle_callback(self, request: AsyncBoltRequest) -> BoltResponse:
        try:
            return await super().handle_callback(request)
        except StoreError as error:
            return await self._away(request, error)

    async def run_installation(self, code: str) -> Installation | None:
        try:
            return await super().run_installation(code)
        except (ClientError, TimeoutError, OSError, KeyError) as error:  # KeyError: Slack's answer lacks something
            _log.warning("Slack's answer to an installation's code can't be had: %s", type(error).__name__)
            return None

    async def store_installation(self, request: AsyncBoltRequest, installation: Installation) -> None:
        await super().store_installation(request, installation)
        self._authorize.forget(installation.enterprise_id, installation.team_id)
        _log.info("installed in %s", installation.team_id or installation.enterprise_id)

    async def _away(self, request: AsyncBoltRequest, error: StoreError) -> BoltResponse:
        _log.error("an installation failed: %s", error)
        return await self.failure_handler(
            AsyncFailureArgs(
                request=request,
                reason="storage_error",
                error=BoltError(),
                suggested_status_code=503,
                settings=self.settings,
                default=self.default_callback_options,
            )
        )
