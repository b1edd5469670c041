"""The workspace of a payload."""

from __future__ import annotations

from typing import Any

import pytest
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.workspace import RATE_LIMIT_RETRIES, Workspace, retry_handlers, workspace_of
from tests.slack_clients import workspace_in
from tests.slack_fake import SlackFake


def context(team: str | None = "T1", **authorized: Any) -> AsyncBoltContext:
    made = AsyncBoltContext({"client": AsyncWebClient("xoxb-1", team_id=team), "enterprise_id": "E1"})
    if team:
        made["team_id"] = team
    made.set_authorize_result(AuthorizeResult(enterprise_id="E1", team_id=None, **authorized))
    return made


def test_it_knows_its_bot_its_address_and_its_scopes() -> None:
    found = workspace_of(context(bot_user_id="UBOT", url="https://acme.slack.com", bot_scopes="chat:write,commands"))
    assert (found.tenant, found.bot_user, found.url) == ("T1", "UBOT", "https://acme.slack.com/")
    assert found.may("commands")
    assert not found.may("channels:history")


def test_what_isnt_known_is_empty_and_unknown_scopes_are_taken_to_be_there() -> None:
    found = workspace_of(context())
    assert (found.bot_user, found.url, found.scopes) == ("", "", None)
    assert found.may("channels:history")


def test_where_an_organisation_installed_the_app_a_payload_without_a_team_is_the_organisations() -> None:
    assert workspace_of(context(team=None)).tenant == "E1"


def test_no_argument_is_sent_that_methods_dont_take() -> None:
    assert workspace_of(context()).client.default_params == {}


async def test_what_somebody_waits_for_is_tried_again_and_nothing_else() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        async with workspace_in(acme) as workspace:
            slack.fail("auth.test", "ratelimited", times=RATE_LIMIT_RETRIES, retry_after=0)
            assert (await workspace.client.auth_test())["ok"]
            slack.fail("auth.test", "ratelimited", retry_after=0)
            with pytest.raises(SlackApiError, match="ratelimited"):
                await workspace.unhurried.auth_test()
            assert workspace.unhurried.session is workspace.client.session
    assert len(slack.called("auth.test")) == RATE_LIMIT_RETRIES + 2


def test_each_client_gets_handlers_of_its_own() -> None:
    assert retry_handlers()[0] is not retry_handlers()[0]
    assert Workspace(AsyncWebClient(), "T1", "U1").scopes is None
