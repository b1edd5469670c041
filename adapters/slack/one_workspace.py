"""One workspace: its bot token is a setting."""

from __future__ import annotations

from typing import Final

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.faults import FAULTS, code_of
from adapters.slack.workspace import READING
from bot.errors import ConnectError

NEEDED: Final = frozenset({"chat:write", "commands"})
"""Scopes without which the bot can't answer."""


async def authorized(client: AsyncWebClient) -> AuthorizeResult:
    """Whose the client's token is. ConnectError: Slack doesn't take it, or it may not do what a bot does."""
    try:
        response = await client.auth_test()
    except FAULTS as error:
        code = code_of(error)
        if code == type(error).__name__:
            raise ConnectError(f"SLACK_API_URL: {client.base_url} can't be reached ({code})") from None
        raise ConnectError(refused(code)) from None
    if not response.get("bot_id"):
        raise ConnectError("SLACK_BOT_TOKEN: this is a person's token; it has to be the bot's (xoxb-…)")
    scopes = {scope.strip() for scope in response.headers.get("x-oauth-scopes", "").split(",") if scope.strip()}
    if scopes and (missing := sorted(NEEDED - scopes)):
        raise ConnectError(
            f"SLACK_BOT_TOKEN: the app lacks the scope {', '.join(missing)}: paste the manifest that "
            "`jargonaut slack manifest` prints, and install the app again"
        )
    return AuthorizeResult.from_auth_test_response(
        bot_token=client.token, bot_scopes=sorted(scopes) or None, auth_test_response=response
    )


def refused(code: str) -> str:
    """What to do about a bot token that Slack answers with the error `code`."""
    return (
        f"SLACK_BOT_TOKEN: Slack says {code}. Copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions; if the "
        "app was removed, install it to the workspace again"
    )


def named(installed: AuthorizeResult) -> str:
    """Workspace and bot, and what is on there and what isn't."""
    line = f"{installed.team or installed.team_id}, as @{installed.user or 'jargonaut'}"
    missing = () if installed.bot_scopes is None else sorted(READING - set(installed.bot_scopes))
    if not missing:
        return f"{line}; on: everything"
    if len(missing) < len(READING):
        return f"{line}; on: everything but what needs {', '.join(missing)}"
    return (
        f"{line}; on: commands, mentions, direct messages, shortcuts, Home; off: ! commands, unasked notes and "
        "digests of threads (for these: jargonaut slack manifest --read-messages)"
    )
