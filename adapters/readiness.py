"""Whether requests may be sent to this process."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from adapters.operations.health import Readiness
from adapters.running import Platform

GRACE_SECONDS: Final = 60.0
"""So long a platform may be gone before that counts: Slack ends each of its connections every few hours."""


class Watchman:
    """Looks at the platforms, the data and the database each time that it's asked."""

    def __init__(
        self,
        platforms: Sequence[Platform],
        database: Callable[[], Awaitable[bool]],
        data: Callable[[], Mapping[str, Any]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`database`: whether it answers; `data`: what there is to say about the glossary. `clock`: in seconds."""
        self._platforms = platforms
        self._database = database
        self._data = data
        self._clock = clock
        self._gone_since: dict[str, float] = {}
        self._met: set[str] = set()

    async def look(self) -> Readiness:
        """A database that is away makes nobody unready: what people look up is answered without it."""
        here = {platform.name: self._is_here(platform) for platform in self._platforms}
        return Readiness(
            all(here.values()),
            {
                "platforms": {platform.name: platform.connected for platform in self._platforms},
                "database": "ok" if await self._database() else "away",
                "data": dict(self._data()),
            },
        )

    def _is_here(self, platform: Platform) -> bool:
        now = self._clock()
        if platform.connected:
            self._met.add(platform.name)
            self._gone_since.pop(platform.name, None)
            return True
        gone_since = self._gone_since.setdefault(platform.name, now)
        return platform.name in self._met and now - gone_since < GRACE_SECONDS
