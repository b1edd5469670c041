"""Carries out what a command wants remembered."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.changes import (
    Change,
    CountMiss,
    CountOpened,
    Forget,
    KeepOnly,
    Know,
    KnownHere,
    NeverHere,
    Release,
    SetChannel,
    SetLanguage,
    SetMuted,
    SettleWrong,
    SwitchOff,
    Unknow,
)
from bot.request import Request, short_hash
from bot.state.ports import Store

RESTS_AFTER = 3
"""So many threads of a channel in which a label was marked wrong, and it rests in the whole channel."""

MAY_BE_LOST = (CountMiss, CountOpened, KnownHere)
"""Counts: nobody waits for them, and losing one is said to nobody."""


async def remember(change: Change, request: Request, store: Store, now: datetime) -> None:
    """Carries out one change. StoreError: it wasn't."""
    people, person, place = store.people, request.person, request.place
    match change:
        case SetLanguage(language):
            await people.set_language(person, language)
        case SetMuted(muted):
            await people.set_muted(person, muted)
        case Know(concepts):
            await people.know(person, concepts)
        case Unknow(concepts):
            await people.unknow(person, concepts)
        case Forget():
            await people.forget(person)
        case CountMiss(text):
            await store.misses.count(text, request.today)
        case SetChannel(channel):
            await store.channels.set(place, channel, person)
        case SwitchOff(channels):
            for name, off in channels:
                await store.channels.set(replace(place, channel=name, thread=None), off, person)
        case NeverHere(concept, never):
            await store.channels.set_never(place, concept, never)
        case Release(label):
            await store.channels.release(place, label)
        case SettleWrong(concept, label):
            if await store.notes.settle_wrong(place, label, concept, now) >= RESTS_AFTER:
                await store.channels.rest(place, label)
        case KeepOnly(message, concepts):
            await store.notes.keep_only(place, message, concepts)
        case KnownHere(concepts, known):
            reader = short_hash(person)
            if known:
                await store.notes.knows(place, concepts, reader, now)
            else:
                await store.notes.unlearns(place, concepts, reader)
        case CountOpened(message):
            await store.notes.opened(place, message, now)
