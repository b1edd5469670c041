"""What the bot may hear where, and who may do what there: asked when it's needed, in a task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.slack.people import People
from adapters.slack.workspace import Workspace
from bot.request import Hears, Person

REMEMBERED: Final = 10_000
"""Direct conversations that a process remembers."""

NOT_ALLOWED: Final = frozenset({"missing_scope", "no_permission", "not_allowed_token_type", "access_denied"})
"""Slack's errors where the app lacks a scope."""

NOT_MEMBER: Final = frozenset({"channel_not_found", "not_in_channel", "method_not_supported_for_channel_type"})
"""Slack's errors where the bot doesn't see the conversation."""


class Conversations:
    """One per process."""

    def __init__(self, people: People, *, admins_only: bool) -> None:
        """`admins_only`: a channel's notes are for the workspace's admins to set."""
        self._people = people
        self._admins_only = admins_only
        self._direct: dict[tuple[str, str], bool] = {}

    async def hears(self, workspace: Workspace, channel: str) -> Hears:
        """Whether the bot gets what is said there. Slack out of reach: it's taken to, and will be told otherwise."""
        try:
            response = await workspace.client.conversations_info(channel=channel)
        except SlackApiError as error:
            return refusal(error)
        except (aiohttp.ClientError, TimeoutError):
            return "all"
        info: Mapping[str, Any] = response.get("channel") or {}
        if not workspace.may(_history_scope(info)):
            return "not-allowed"
        return "all" if info.get("is_member") or info.get("is_im") else "not-member"

    async def may_set(self, workspace: Workspace, person: Person) -> bool:
        """Who may set a channel's notes: full members, no guests and nobody of another company; or admins only."""
        known = await self._people.learn(person, workspace)
        return known.admin if self._admins_only else known.full_member

    async def name(self, workspace: Workspace, person: Person) -> str:
        """What people call this person; empty: Slack doesn't say."""
        return (await self._people.learn(person, workspace)).name

    async def may_remove(self, workspace: Workspace, person: Person) -> bool:
        """Who may delete other people's messages: the workspace's admins."""
        return (await self._people.learn(person, workspace)).admin

    async def is_direct(self, workspace: Workspace, channel: str) -> bool:
        """Whether it's the conversation of one person with the bot; of a `D…` channel that isn't certain.

        People share cards in conversations between two of them, too: there the bot isn't let in.
        """
        if not channel.startswith("D"):
            return False
        key = (workspace.tenant, channel)
        if key not in self._direct:
            try:
                await workspace.client.conversations_info(channel=channel)
            except SlackApiError as error:
                self.remember_direct(workspace, channel, refusal(error) != "not-member")
            except (aiohttp.ClientError, TimeoutError):
                return True
            else:
                self.remember_direct(workspace, channel)
        return self._direct[key]

    def known_direct(self, workspace: Workspace, channel: str) -> bool:
        """The same for somebody who can't wait: only what is known already."""
        return self._direct.get((workspace.tenant, channel), False)

    def remember_direct(self, workspace: Workspace, channel: str, direct: bool = True) -> None:
        """Something was said to the bot there, so it's its own."""
        self._direct[workspace.tenant, channel] = direct
        while len(self._direct) > REMEMBERED:
            del self._direct[next(iter(self._direct))]


def refusal(error: SlackApiError) -> Hears:
    """Why Slack doesn't let the bot look into a conversation; `all`: it isn't that, but a fault of the moment."""
    code = error.response.get("error")
    return "not-allowed" if code in NOT_ALLOWED else "not-member" if code in NOT_MEMBER else "all"


def _history_scope(info: Mapping[str, Any]) -> str:
    if info.get("is_im"):
        return "im:history"
    if info.get("is_mpim"):
        return "mpim:history"
    return "groups:history" if info.get("is_private") or info.get("is_group") else "channels:history"
