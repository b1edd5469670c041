"""Replies to look-ups that were given before: popular terms are asked for again and again, and nothing changes.

A command is a pure function of its `Situation`. What of it counts for a private look-up is small enough to be a key.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Generic, TypeVar
from weakref import WeakKeyDictionary

from bot.commands import Reply, Situation, run
from bot.completion import Suggestion, complete
from bot.glossary.concept import Language
from bot.glossary.glossary import Glossary
from bot.request import Request
from bot.state.ports import Channel, Profile

Value = TypeVar("Value")

REMEMBERED: Final = 2_000
"""Replies per glossary; about 5 kB each."""

MAX_TEXT: Final = 60

_LOOK_UPS: Final = frozenset({"define", "vs"})
_KEPT: Final = frozenset({"definition", "comparison", "choice"})


class Memo:
    """Runs commands, and remembers what private look-ups found. Whatever isn't in the glossary isn't remembered."""

    def __init__(self) -> None:
        self._replies = _Latest[Reply]()

    def find(self, request: Request, profile: Profile, channel: Channel, glossary: Glossary) -> Reply | None:
        """What `run` would give in such a situation, if it did before: the way of most look-ups."""
        key = _key(request, profile, channel)
        return self._replies.get(glossary, key) if key is not None else None

    def run(self, s: Situation) -> Reply:
        """As `commands.run`."""
        key = key_of(s)
        if key is None:
            return run(s)
        reply = self._replies.get(s.glossary, key)
        if reply is None:
            reply = run(s)
            if reply.answer.kind in _KEPT and not reply.changes:
                self._replies.keep(s.glossary, key, reply)
        return reply


class Completions:
    """Completes, and remembers what was found: people begin with the same letters."""

    def __init__(self) -> None:
        self._found = _Latest[tuple[Suggestion, ...]]()

    def complete(
        self, prefix: str, glossary: Glossary, limit: int, language: Language | None
    ) -> tuple[Suggestion, ...]:
        """As `completion.complete`."""
        key = prefix, limit, language
        found = self._found.get(glossary, key)
        if found is None:
            found = complete(prefix, glossary, limit=limit, language=language)
            if found and len(prefix) <= MAX_TEXT:
                self._found.keep(glossary, key, found)
        return found


class _Latest(Generic[Value]):
    """What was found in a glossary, the latest last; it goes with the glossary."""

    def __init__(self) -> None:
        self._of: WeakKeyDictionary[Glossary, dict[Hashable, Value]] = WeakKeyDictionary()

    def get(self, glossary: Glossary, key: Hashable) -> Value | None:
        values = self._of.get(glossary)
        value = values.pop(key, None) if values is not None else None
        if values is not None and value is not None:
            values[key] = value  # now the latest
        return value

    def keep(self, glossary: Glossary, key: Hashable, value: Value) -> None:
        values = self._of.get(glossary)
        if values is None:
            values = self._of[glossary] = {}
        if len(values) >= REMEMBERED:
            del values[next(iter(values))]
        values[key] = value


def key_of(s: Situation) -> Hashable | None:
    """What of a situation counts for a private look-up; None: it's none, or it's too long to be asked twice."""
    return _key(s.request, s.profile, s.channel)


def _key(request: Request, profile: Profile, channel: Channel) -> Hashable | None:
    if request.action not in _LOOK_UPS or len(request.text) > MAX_TEXT:
        return None
    if request.public and request.press is None:  # pressed, it's a private copy
        return None
    return (
        request.action,
        request.text,
        request.word,
        request.press,
        request.by,
        request.public,
        request.direct,
        request.whispers,
        request.locale,
        request.language,
        request.place.platform,
        profile.language,
        channel.language,
    )
