"""When jargon is explained unasked, and when not: one pure decision per message.

What needs the store in one transaction (once, budgets, a label silenced in this thread) is decided by `Notes.claim`;
all else is decided here, before anything is written. `docs/MANNERS.md` is made from the table of cases that tests this.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Final

from bot.glossary.detector import Detector, Mention
from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary
from bot.request import Message
from bot.state.ports import Channel, Limits, Profile

MAX_AGE: Final = timedelta(seconds=120)
"""Older messages get no note: redelivered after a gap, it would come when nobody reads there any more."""

SPELT_OUT: Final = 60
"""Characters within which two names of one concept spell each other out: "TTFT (time to first token)"."""

ADVANCED: Final = 3
"""The level of concepts that specialists talk about."""

_COMMAND: Final = re.compile(r"\s*(?:[!/?！／、？]|[$＄](?!\d))[^\s!/?$！／、？＄]")
"""A mark and a word. "$5" is money."""


class Silence(StrEnum):
    """Why a message gets no note."""

    OFF = "notes are off in this channel"
    NOT_A_THREAD = "notes are on in threads only, and this is none"
    NO_PERSON = "no person wrote it"
    COMMAND = "it's a command to a bot"
    TO_THE_BOT = "it's said to the bot itself"
    OLD = "it's older than 120 seconds"
    MUTED = "the author wants no notes under their messages"
    NO_TERM = "there is no term in it whose sense is clear"
    SPELT_OUT = "it spells its terms out itself"
    KNOWN = "the author knows these terms"
    RESTING = "these labels rest in this channel, or never count here"
    NOT_ADVANCED = "this channel wants specialists' terms only"
    SAID_BEFORE = "these were explained here, or the notes for now are used up"
    STORE_AWAY = "the store can't be reached"


@dataclass(frozen=True, slots=True)
class Preview:
    """What notes would have said about the last messages of a channel."""

    messages: int
    notes: int
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The terms that a note may explain, in the order in which they'd be kept. Empty: `silence` says why."""

    mentions: tuple[Mention, ...] = ()
    silence: Silence | None = None
    spelt_out: tuple[str, ...] = ()
    """Ids of concepts that the message explains by itself: its readers have seen them explained."""


_NO_TERM: Final = Candidates((), Silence.NO_TERM)
"""Most messages have none."""


def silent(message: Message, channel: Channel, profile: Profile, now: datetime) -> Silence | None:
    """Why a message gets no note whatever it says; None: its text decides. Cheap: nothing is looked for in the text."""
    if not message.from_person:
        return Silence.NO_PERSON
    if channel.mode == "off":
        return Silence.OFF
    if channel.mode == "threads" and message.place.thread is None:
        return Silence.NOT_A_THREAD
    if message.to_bot:
        return Silence.TO_THE_BOT
    if _COMMAND.match(message.text):
        return Silence.COMMAND
    if now - message.sent_at > MAX_AGE:
        return Silence.OLD
    return Silence.MUTED if profile.muted else None


def candidates(mentions: Sequence[Mention], channel: Channel, profile: Profile, glossary: Glossary) -> Candidates:
    """Which of a message's mentions may be explained: the highest level first, then in the order of the text."""
    if not mentions:
        return _NO_TERM
    spelt_out = tuple(sorted(_spelt_out(mentions)))
    rules: tuple[tuple[Silence, Callable[[Mention], bool]], ...] = (
        (Silence.NO_TERM, lambda mention: mention.explain),
        (Silence.SPELT_OUT, lambda mention: mention.concept not in spelt_out),
        (Silence.KNOWN, lambda mention: mention.concept not in profile.known),
        (Silence.RESTING, lambda mention: not _rests(mention, channel)),
        (Silence.NOT_ADVANCED, lambda mention: not channel.advanced or _level(mention, glossary) >= ADVANCED),
    )
    left = list(mentions)
    for reason, keeps in rules:
        left = [mention for mention in left if keeps(mention)]
        if not left:
            return Candidates((), reason, spelt_out)
    first = {mention.concept: mention for mention in reversed(left)}
    ordered = sorted(first.values(), key=lambda mention: (-_level(mention, glossary), mention.start))
    return Candidates(tuple(ordered), None, spelt_out)


def preview(messages: Sequence[Message], detector: Detector, glossary: Glossary) -> Preview:
    """What notes would have said about `messages`, had they been on, and nothing been explained before."""
    seen: dict[str, None] = {}
    notes = 0
    for message in messages:
        if silent(message, Channel(mode="all"), Profile(), message.sent_at) is not None:
            continue
        chosen = candidates(detector.mentions(message.text), Channel(mode="all"), Profile(), glossary).mentions
        new = [mention.concept for mention in chosen if mention.concept not in seen][: Limits().per_message]
        notes += bool(new)
        seen.update(dict.fromkeys(new))
    return Preview(len(messages), notes, tuple(seen))


def _level(mention: Mention, glossary: Glossary) -> int:
    return glossary.concepts[mention.concept].level


def _rests(mention: Mention, channel: Channel) -> bool:
    return mention.concept in channel.never or fold(mention.label.text) in channel.resting


def _spelt_out(mentions: Sequence[Mention]) -> set[str]:
    """Concepts that stand there under two names side by side: whoever reads one reads the other."""
    places: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        places[mention.concept].append(mention)
    return {
        concept
        for concept, found in places.items()
        for one, other in pairwise(found)
        if fold(one.label.text) != fold(other.label.text) and other.start - one.end <= SPELT_OUT
    }
