"""The workspace that a payload comes from: its token, and what the app is and may do there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.tenant import tenant_of

RATE_LIMIT_RETRIES: Final = 2
"""So often a call that somebody waits for is made again when Slack says it's too much; each waits as Slack says."""


READING: Final = frozenset({"channels:history", "groups:history", "mpim:history"})
"""Scopes with one of which the bot hears what isn't said to it."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """`client` speaks with this workspace's token."""

    client: AsyncWebClient
    tenant: str
    """The team's id; where an organisation installed the app for all of its own, the organisation's."""
    bot_user: str
    url: str = ""
    """With a slash at the end; empty: unknown, and messages have no links."""
    scopes: frozenset[str] | None = None
    """What the app may do here; None: unknown."""

    @property
    def unhurried(self) -> AsyncWebClient:
        """A client for what nobody waits for: it doesn't try again when Slack says that it's too much."""
        client = self.client
        return AsyncWebClient(
            client.token,
            base_url=client.base_url,
            ssl=client.ssl,
            proxy=client.proxy,
            session=client.session,
            logger=client.logger,
            retry_handlers=[],
        )

    @property
    def reads_channels(self) -> bool:
        """Whether the app hears what isn't said to it in any channel; where its scopes are unknown, it's taken to."""
        return self.scopes is None or not READING.isdisjoint(self.scopes)

    def may(self, scope: str) -> bool:
        """Whether the app has a scope; where its scopes are unknown, it's taken to have it."""
        return self.scopes is None or scope in self.scopes


def retry_handlers() -> list[AsyncRetryHandler]:
    """Tries again what Slack refused for its rate. What failed on the way may have arrived: that isn't sent twice."""
    return [AsyncRateLimitErrorRetryHandler(max_retry_count=RATE_LIMIT_RETRIES)]


def workspace_of(context: AsyncBoltContext) -> Workspace:
    """Of a payload that bolt has authorized."""
    authorized = context.authorize_result
    assert authorized is not None
    url = authorized.url or ""
    scopes = authorized.bot_scopes
    client = context.client
    assert client is not None
    client.default_params.pop("team_id", None)  # bolt's, and no method that we call takes one
    return Workspace(
        client=client,
        tenant=tenant_of(context),
        bot_user=authorized.bot_user_id or "",
        url=url if not url or url.endswith("/") else f"{url}/",
        scopes=frozenset(scopes) if scopes is not None else None,
    )
