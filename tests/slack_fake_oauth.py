"""The Web API's methods that tokens come from: `oauth.v2.access` with rotation, `apps.connections.open`."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from tests.slack_fake_api import Caller, Refused, method
from tests.slack_fake_state import APP, Installation, Json

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake

TOKEN_SECONDS = 12 * 60 * 60


@method("apps.connections.open", kind="app")
def connections_open(caller: Caller) -> Json:
    return {"url": caller.slack.socket.ticket()}


@method(
    "oauth.v2.access",
    allowed="client_id client_secret code redirect_uri grant_type refresh_token",
    kind="none",
)
def access(caller: Caller) -> Json:
    slack, args = caller.slack, caller.args
    _check_client(caller)
    if args.get("grant_type", "authorization_code") == "refresh_token":
        return _refreshed(slack, str(args.get("refresh_token")))
    if args.get("grant_type", "authorization_code") != "authorization_code":
        raise Refused("invalid_grant_type")
    installation = slack.codes.pop(str(args.get("code")), None)
    if installation is None:
        raise Refused("invalid_code")
    if installation not in slack.installations:
        slack.installations.append(installation)
    return _response(slack, installation)


def _check_client(caller: Caller) -> None:
    """Client id and secret come as arguments, or in the way of HTTP's basic authentication."""
    name, secret = caller.args.get("client_id"), caller.args.get("client_secret")
    scheme, _, encoded = caller.authorization.partition(" ")
    if scheme == "Basic":
        name, _, secret = base64.b64decode(encoded).decode().partition(":")
    if name != caller.slack.client_id:
        raise Refused("invalid_client_id")
    if secret != caller.slack.client_secret:
        raise Refused("bad_client_secret")


def _refreshed(slack: SlackFake, refresh_token: str) -> Json:
    """A refresh token can be used once; the access token of before lives on until its time is over."""
    for installation in slack.installations:
        if refresh_token == installation.refresh_token:
            installation.used_refresh_tokens.add(refresh_token)
            slack.old_tokens[installation.token] = (installation, installation.expires_at or 0)
            rotate(slack, installation)
            return _response(slack, installation)
    raise Refused("invalid_refresh_token")


def rotate(slack: SlackFake, installation: Installation) -> None:
    """A new pair of tokens."""
    installation.token = f"xoxe.xoxb-1-{slack.ids.new('t')}"
    installation.refresh_token = f"xoxe-1-{slack.ids.new('r')}"
    installation.expires_at = slack.clock.now() + TOKEN_SECONDS


def _response(slack: SlackFake, installation: Installation) -> Json:
    team = slack.workspaces[installation.teams[0]]
    owner = {"id": installation.enterprise, "name": "Org"} if installation.enterprise else None
    rotating = {}
    if installation.refresh_token and installation.expires_at is not None:
        left = int(installation.expires_at - slack.clock.now())
        rotating = {"refresh_token": installation.refresh_token, "expires_in": left}
    return {
        **{
            "app_id": APP,
            "authed_user": {"id": next(iter(team.users), "U0ADMIN")},
            "scope": ",".join(sorted(installation.scopes)),
        },
        **{"token_type": "bot", "access_token": installation.token, "bot_user_id": installation.user, **rotating},
        **{"team": None if installation.for_org else {"id": team.id, "name": team.name}, "enterprise": owner},
        **{"is_enterprise_install": installation.for_org},
    }
