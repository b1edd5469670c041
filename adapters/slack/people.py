"""What Slack says about people: locale, name, guest or admin. Asked in the background, kept in memory for a day."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from adapters.slack.faults import FAULTS
from adapters.slack.tasks import Tasks
from adapters.slack.workspace import Workspace
from bot.glossary.concept import Language
from bot.request import Person

KEPT_SECONDS: Final = 24 * 60 * 60
AGAIN_SECONDS: Final = 10 * 60
"""After a failure Slack isn't asked about the same person for so long."""

REMEMBERED: Final = 20_000
"""People that a process remembers at most; the ones it hasn't met for longest go first."""


@dataclass(frozen=True, slots=True)
class Known:
    """The defaults are those of somebody whom Slack says nothing about."""

    locale: Language | None = None
    name: str = ""
    full_member: bool = False
    """Of this workspace: no guest, nobody of another company."""
    admin: bool = False


class People:
    """One per process. Everything is kept per workspace: somebody may be admin in one and guest in another."""

    def __init__(self, tasks: Tasks, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: seconds."""
        self._tasks = tasks
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], tuple[Known, float]] = OrderedDict()
        self._asking: set[tuple[str, str]] = set()

    def known(self, person: Person, workspace: Workspace) -> Known | None:
        """What is known by now; None: nothing yet. It's asked for behind, for the next time."""
        key = (workspace.tenant, person.id)
        kept = self._kept(key)
        if kept is None and key not in self._asking:
            self._asking.add(key)
            self._tasks.start(self._ask(person, workspace))
        return kept

    async def learn(self, person: Person, workspace: Workspace) -> Known:
        """The same for somebody who can wait. Where Slack doesn't say, the defaults, which allow nothing."""
        kept = self._kept((workspace.tenant, person.id))
        if kept is None:
            await self._ask(person, workspace)
            kept = self._kept((workspace.tenant, person.id))
        return kept or Known()

    def _kept(self, key: tuple[str, str]) -> Known | None:
        kept, until = self._known.get(key, (None, 0.0))
        if kept is None or self._clock() >= until:
            return None
        self._known.move_to_end(key)
        return kept

    async def _ask(self, person: Person, workspace: Workspace) -> None:
        key = (workspace.tenant, person.id)
        try:
            response = await workspace.unhurried.users_info(user=person.id, include_locale=True)
            known, kept_for = _read(response.get("user") or {}, person, workspace), KEPT_SECONDS
        except FAULTS:
            known, kept_for = Known(), AGAIN_SECONDS
        finally:
            self._asking.discard(key)
        self._known[key] = (known, self._clock() + kept_for)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def language_of(locale: str) -> Language | None:
    """Of a locale like zh-CN; None: it isn't one of ours."""
    short = locale[:2].lower()
    return "zh-Hans" if short == "zh" else "en" if short == "en" else None


def _read(user: Mapping[str, Any], person: Person, workspace: Workspace) -> Known:
    profile = user.get("profile") or {}
    organisation = (user.get("enterprise_user") or {}).get("enterprise_id")
    ours = user.get("team_id") == workspace.tenant or (organisation is not None and organisation == person.home)
    outside = any(user.get(flag) for flag in ("deleted", "is_restricted", "is_ultra_restricted", "is_stranger"))
    member = ours and not outside
    return Known(
        locale=language_of(user.get("locale") or ""),
        name=profile.get("display_name") or profile.get("real_name") or user.get("real_name") or user.get("name") or "",
        full_member=member and not user.get("is_bot"),
        admin=member and any(user.get(flag) for flag in ("is_admin", "is_owner", "is_primary_owner")),
    )
