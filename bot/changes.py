"""What a command wants remembered: values, which `Bot` carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bot.answer import Shown
from bot.state.ports import Channel


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


@dataclass(frozen=True, slots=True)
class SetChannel:
    """Mode, language and level of the request's channel, and who set them."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """(channel id, its settings from now on) of channels of the request's tenant where notes go off."""

    channels: tuple[tuple[str, Channel], ...]


@dataclass(frozen=True, slots=True)
class NeverHere:
    """A concept is never explained unasked in the request's channel, or may be again."""

    concept: str
    never: bool


@dataclass(frozen=True, slots=True)
class Release:
    """A label rests no longer in the request's channel."""

    label: str


@dataclass(frozen=True, slots=True)
class SettleWrong:
    """A label means something else in the request's thread, and is silent there from now on."""

    concept: str
    label: str


@dataclass(frozen=True, slots=True)
class KeepOnly:
    """The note under a message is cut to these concepts; none: it's gone."""

    message: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownHere:
    """A reader of the request's channel knows these concepts, or no longer. May be lost without a word."""

    concepts: tuple[str, ...]
    known: bool


@dataclass(frozen=True, slots=True)
class CountOpened:
    """Somebody pressed a button of the note under a message. May be lost without a word."""

    message: str


Change: TypeAlias = (
    SetChannel
    | SwitchOff
    | NeverHere
    | Release
    | SettleWrong
    | KeepOnly
    | CountOpened
    | KnownHere
    | SetLanguage
    | SetMuted
    | Know
    | Unknow
    | Forget
    | CountMiss
)
