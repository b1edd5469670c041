"""What the bot hears where, and who may do what."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.slack import conversations as module
from adapters.slack.conversations import Conversations
from adapters.slack.people import People
from adapters.slack.tasks import Tasks
from bot.request import Person
from tests.slack_clients import workspace_in
from tests.slack_fake import SlackFake
from tests.slack_fake_state import READS, SCOPES


def conversations(**how: Any) -> Conversations:
    return Conversations(People(Tasks()), **{"admins_only": False, **how})


@pytest.mark.parametrize(
    ("kind", "member", "scopes", "hears"),
    [
        pytest.param("channel", True, SCOPES, "all", id="member"),
        pytest.param("group", True, SCOPES, "all", id="private-member"),
        pytest.param("mpim", True, SCOPES, "all", id="several-people"),
        pytest.param("im", True, SCOPES, "all", id="direct"),
        pytest.param("channel", False, SCOPES, "not-member", id="not-a-member"),
        pytest.param("channel", True, SCOPES - READS, "not-allowed", id="no-history"),
        pytest.param("group", True, SCOPES - {"groups:history"}, "not-allowed", id="no-private-history"),
        pytest.param("channel", True, SCOPES - {"groups:history"}, "all", id="history-of-the-other-kind"),
    ],
)
async def test_what_the_bot_hears(kind: Any, member: bool, scopes: frozenset[str], hears: str) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace(scopes=scopes)
        channel = acme.channel("c", acme.person("Lena"), bot=member, kind=kind)
        async with workspace_in(acme) as workspace:
            assert await conversations().hears(workspace, channel.id) == hears


@pytest.mark.parametrize(
    ("error", "hears"),
    [
        ("channel_not_found", "not-member"),
        ("not_in_channel", "not-member"),
        ("missing_scope", "not-allowed"),
        ("no_permission", "not-allowed"),
        ("internal_error", "all"),
        ("fatal_error", "all"),
    ],
)
async def test_why_slack_doesnt_say(error: str, hears: str) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        slack.fail("conversations.info", error)
        async with workspace_in(acme) as workspace:
            assert await conversations().hears(workspace, channel.id) == hears


@pytest.mark.parametrize(
    ("admins_only", "may"),
    [
        pytest.param(False, {"Lena": True, "Ada": True, "Gus": False, "Max": False}, id="full-members"),
        pytest.param(True, {"Lena": False, "Ada": True, "Gus": False, "Max": False}, id="admins-only"),
    ],
)
async def test_who_may_set_a_channels_notes(admins_only: bool, may: dict[str, bool]) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        people = (
            acme.person("Lena"),
            acme.person("Ada", admin=True),
            acme.person("Gus", guest=True),
            acme.stranger("Max"),
        )
        asked = conversations(admins_only=admins_only)
        async with workspace_in(acme) as workspace:
            found = {p.name: await asked.may_set(workspace, Person("slack", p.team, p.id)) for p in people}
        assert found == may


async def test_admins_may_remove_what_others_said() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena, ada = acme.person("Lena"), acme.person("Ada", admin=True)
        async with workspace_in(acme) as workspace:
            assert not await conversations().may_remove(workspace, Person("slack", acme.id, lena.id))
            assert await conversations().may_remove(workspace, Person("slack", acme.id, ada.id))


async def test_the_bots_own_conversation_is_told_from_one_between_two_people() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena, li = acme.person("Lena"), acme.person("Li")
        theirs = acme.channel("directmessage", lena, li, bot=False, kind="im")
        channel = acme.channel("c", lena)
        slack.expect("channel_not_found")
        asked = conversations()
        async with workspace_in(acme) as workspace:
            for _ in range(2):
                assert await asked.is_direct(workspace, acme.dm(lena).id)
                assert not await asked.is_direct(workspace, theirs.id)
                assert not await asked.is_direct(workspace, channel.id)
        assert len(slack.called("conversations.info")) == 2


async def test_where_somebody_talks_to_the_bot_slack_isnt_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 1)
    async with SlackFake() as slack:
        acme = slack.workspace()
        first, second = acme.dm(acme.person("A")), acme.dm(acme.person("B"))
        asked = conversations()
        async with workspace_in(acme) as workspace:
            asked.remember_direct(workspace, first.id)
            assert await asked.is_direct(workspace, first.id)
            assert slack.called("conversations.info") == []
            asked.remember_direct(workspace, second.id)
            assert await asked.is_direct(workspace, first.id)
            assert len(slack.called("conversations.info")) == 1
