"""Replies to look-ups that were given before: popular terms are asked for again and again, and nothing changes.

A command is a pure function of its `Situation`. What of it counts for a private look-up is small enough to be a key.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final
from weakref import WeakKeyDictionary

from bot.commands import Reply, Situation, run
from bot.glossary.glossary import Glossary

REMEMBERED: Final = 2_000
"""Replies per glossary; about 5 kB each."""

MAX_TEXT: Final = 60

_LOOK_UPS: Final = frozenset({"define", "vs"})
_KEPT: Final = frozenset({"definition", "comparison", "choice"})


class Memo:
    """Runs commands, and remembers what private look-ups found. Whatever isn't in the glossary isn't remembered."""

    def __init__(self) -> None:
        self._replies: WeakKeyDictionary[Glossary, dict[Hashable, Reply]] = WeakKeyDictionary()

    def run(self, s: Situation) -> Reply:
        """As `commands.run`."""
        key = key_of(s)
        if key is None:
            return run(s)
        replies = self._replies.get(s.glossary)
        if replies is None:
            replies = self._replies[s.glossary] = {}
        reply = replies.pop(key, None)
        if reply is None:
            reply = run(s)
            if reply.answer.kind not in _KEPT or reply.changes:
                return reply
            if len(replies) >= REMEMBERED:
                del replies[next(iter(replies))]
        replies[key] = reply  # now the latest
        return reply


def key_of(s: Situation) -> Hashable | None:
    """What of a situation counts for a private look-up; None: it's none, or it's too long to be asked twice."""
    request = s.request
    if request.action not in _LOOK_UPS or request.public or len(request.text) > MAX_TEXT:
        return None
    return (
        request.action,
        request.text,
        request.word,
        request.press,
        request.by,
        request.direct,
        request.whispers,
        request.locale,
        request.language,
        request.place.platform,
        s.profile.language,
        s.channel.language,
    )
