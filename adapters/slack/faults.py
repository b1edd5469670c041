"""What a call of Slack's Web API may raise, and what it means."""

from __future__ import annotations

from typing import Final

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

FAULTS: Final = (SlackClientError, aiohttp.ClientError, OSError)
"""Slack refuses, or it can't be reached in time (`TimeoutError` is an `OSError`). Anything else is a bug."""

REFUSED: Final = frozenset({"invalid_auth", "account_inactive", "token_revoked", "token_expired", "not_authed"})
"""Codes that say that the token is of no use any more."""


def code_of(error: Exception) -> str:
    """Slack's code, like `not_in_channel`; where it wasn't Slack that answered, or nobody did, the error's type."""
    if isinstance(error, SlackApiError) and isinstance(error.response, AsyncSlackResponse):
        data = error.response.data
        if isinstance(data, dict) and data.get("error"):
            return str(data["error"])
    return type(error).__name__
