"""Bodies and rate limits of the fake: a bucket per route and channel (or server, or webhook).

https://docs.discord.com/developers/topics/rate-limits
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.discord_fake_forms import Refused

if TYPE_CHECKING:
    from tests.discord_fake import FakeDiscord


async def body_of(request: web.Request) -> Any:
    """What was sent; an empty object for nothing."""
    text = await request.text()
    if not text:
        return {}
    if request.content_type != "application/json":
        raise Refused(501, 0, f"The fake takes no {request.content_type}")
    try:
        return json.loads(text)
    except ValueError:
        raise Refused(400, 50109, "The request body contains invalid JSON.") from None


def answered(data: Any, *, headers: dict[str, str], status: int = 200) -> web.Response:
    """JSON with Discord's content type, which has no charset; discord.py insists on it."""
    body = json.dumps(data).encode()
    return web.Response(body=body, status=status, headers={**headers, "Content-Type": "application/json"})


class RateLimits:
    """Generous, unless a test sets `limits` or `limited_next` of the fake."""

    def __init__(self, fake: FakeDiscord) -> None:
        self._fake = fake
        self._used: dict[tuple[str, str], tuple[float, int]] = defaultdict(lambda: (0.0, 0))

    def refusal(self, route: str, request: web.Request, headers: dict[str, str]) -> web.Response | None:
        """429, or None after the headers have been added."""
        fake = self._fake
        if (wait := fake.limited_next.pop(route, None)) is not None:
            scope = {"global": wait < 0, "retry_after": abs(wait), "message": "You are being rate limited.", "code": 0}
            headers |= {"Retry-After": str(abs(wait)), "X-RateLimit-Scope": "user"}
            headers |= {"X-RateLimit-Global": "true"} if wait < 0 else {}
            fake.limited.append(route)
            return answered(scope, status=429, headers=headers)
        count, seconds = fake.limits.get(route, (1000, 1.0))
        major = next(
            (request.match_info[key] for key in ("channel", "guild", "token") if key in request.match_info), ""
        )
        now = fake.clock.now()
        until, used = self._used[route, major]
        if now >= until:
            until, used = now + seconds, 0
        remaining = max(0, count - used - 1)
        self._used[route, major] = (until, used + 1)
        headers |= {
            **{"X-RateLimit-Limit": str(count), "X-RateLimit-Remaining": str(remaining)},
            **{"X-RateLimit-Reset": f"{until:.3f}", "X-RateLimit-Reset-After": f"{until - now:.3f}"},
            "X-RateLimit-Bucket": f"{hash(route) & 0xFFFFFFFFFFFF:012x}",
        }
        if used < count:
            return None
        fake.limited.append(route)
        body = {"message": "You are being rate limited.", "retry_after": round(until - now, 3), "global": False}
        headers |= {"Retry-After": str(round(until - now, 3)), "X-RateLimit-Scope": "user"}
        return answered(body, status=429, headers=headers)


class Failing(dict[str, Any]):
    """Route -> the status that it fails with next, or a list of them."""

    def pop(self, route: str, default: Any = None) -> Any:  # type: ignore[override]
        status = super().get(route, default)
        if isinstance(status, list) and len(status) > 1:
            return status.pop(0)
        super().pop(route, None)
        return status[0] if isinstance(status, list) else status
