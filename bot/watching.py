"""Who wants to know what the bot did: for logs and metrics. Nothing of it is what somebody typed, or who it was."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from bot.answer import Answer
from bot.request import Request

Noticed: TypeAlias = Literal["silent", "note", "dropped", "failed"]
"""A message that wasn't said to the bot got no note; a note, which isn't posted yet; wasn't looked at, because too many
were at that moment; or something went wrong."""


class Watch(Protocol):
    """Is told what happened. May not block, and may not raise."""

    def answered(self, request: Request, answer: Answer, seconds: float, reference: str) -> None:
        """`reference`: what the person sees where something failed; each request has its own."""
        ...

    def noticed(self, platform: str, what: Noticed) -> None: ...

    def store_failed(self, error: str) -> None:
        """A call to the store failed; `error` is the kind of failure, without any value."""
        ...


class Nobody:
    """Implements `Watch`, and isn't interested."""

    def answered(self, request: Request, answer: Answer, seconds: float, reference: str) -> None: ...

    def noticed(self, platform: str, what: Noticed) -> None: ...

    def store_failed(self, error: str) -> None: ...
