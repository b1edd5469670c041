"""The app's side of a workspace of the fake, for tests of the parts: its client, its scopes, one session."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.sending import Sender
from adapters.slack.workspace import Workspace, retry_handlers
from tests.slack_fake_people import Workspace as FakeWorkspace

LOGGER: Final = logging.getLogger("tests.slack.sdk")


@asynccontextmanager
async def workspace_in(acme: FakeWorkspace) -> AsyncIterator[Workspace]:
    """What a payload from this workspace would lead to."""
    me = acme.installation
    assert me is not None
    async with aiohttp.ClientSession() as session:
        client = AsyncWebClient(
            me.token,
            base_url=acme.slack.api_url,
            session=session,
            logger=LOGGER,
            retry_handlers=retry_handlers(),
        )
        yield Workspace(client, acme.id, me.user, acme.url, me.scopes)


def sender_of(workspace: Workspace, refused: list[str] | None = None) -> Sender:
    """Sends; `refused` takes down what Slack says about a token that it doesn't take any more."""
    session = workspace.client.session
    assert session is not None
    return Sender(session, LOGGER, (refused if refused is not None else []).append)
