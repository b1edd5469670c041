"""What a command wants remembered: values, which `Bot` carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bot.answer import Shown


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """None: automatic."""

    language: Shown | None


@dataclass(frozen=True, slots=True)
class SetMuted:
    muted: bool


@dataclass(frozen=True, slots=True)
class Know:
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unknow:
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forget:
    """Everything that is kept about the person."""


@dataclass(frozen=True, slots=True)
class CountMiss:
    """Folded, filtered text of a look-up without an answer. The only change that may be lost without a word."""

    text: str


Change: TypeAlias = SetLanguage | SetMuted | Know | Unknow | Forget | CountMiss
