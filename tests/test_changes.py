"""What a command wants remembered really arrives in the store, for this person only."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest

from bot import commands
from bot.answer import silence
from bot.bot import Bot, fixed
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
from bot.commands import Reply
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Request
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Limits, Miss, Profile
from tests.desks import ANA, BO, CHANNEL
from tests.stores import NOW, OTHER_CHANNEL, note

BEFORE = Profile("en", False, frozenset({"slo"}))
DAY = date(2026, 11, 30)

AFTER: dict[Change, Profile] = {
    SetLanguage("both"): Profile("both", False, frozenset({"slo"})),
    SetLanguage(None): Profile(None, False, frozenset({"slo"})),
    SetMuted(True): Profile("en", True, frozenset({"slo"})),
    Know(("sla", "kv-cache")): Profile("en", False, frozenset({"slo", "sla", "kv-cache"})),
    Unknow(("slo",)): Profile("en"),
    Forget(): Profile(),
    CountMiss("goodput"): BEFORE,
    CountOpened("m1"): BEFORE,
    KnownHere(("slo",), True): BEFORE,
    SetChannel(Channel("all", "both", True, "Ana", NOW)): BEFORE,
    SwitchOff((("C1", Channel("off", "both", True, "Ana", NOW)),)): BEFORE,
    NeverHere("slo", True): BEFORE,
    Release("psi"): BEFORE,
    SettleWrong("psi", "psi"): BEFORE,
    KeepOnly("m1", ("slo",)): BEFORE,
}
"""What is remembered of the person afterwards; what of the channel, is in the tests below."""

CHANNEL_AFTER: dict[type, Channel] = {
    SetChannel: Channel("all", "both", True, "Ana", NOW, frozenset(), frozenset({"psi"})),
    SwitchOff: Channel("off", "both", True, "Ana", NOW, frozenset(), frozenset({"psi"})),
    NeverHere: Channel("all", never=frozenset({"slo"}), resting=frozenset({"psi"})),
    Release: Channel("all"),
}


def test_every_change_is_in_the_table() -> None:
    assert {type(change) for change in AFTER} == set(get_args(Change))


@pytest.mark.parametrize(("change", "after"), AFTER.items(), ids=map(str, AFTER))
async def test_a_change_is_carried_out(
    change: Change, after: Profile, phrases: Phrases, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    for person in (ANA, BO):
        await store.people.set_language(person, "en")
        await store.people.know(person, ["slo"])
    await store.channels.set(CHANNEL, Channel("all"), BO)
    await store.channels.rest(CHANNEL, "psi")
    await store.channels.set(OTHER_CHANNEL, Channel("all"), BO)
    await store.notes.claim(CHANNEL, note("m1", "slo", "sla"), Limits(), NOW)
    monkeypatch.setitem(commands.ACTIONS, "define", lambda s: Reply(silence(), (change,)))
    bot = Bot(fixed(Glossary(())), phrases, store)
    await bot.answer(Request(ANA, CHANNEL, "define", today=DAY, now=NOW))
    await bot.close()
    assert await store.people.get(ANA) == after
    assert await store.people.get(BO) == BEFORE
    missed = (Miss("goodput", 1, DAY),) if isinstance(change, CountMiss) else ()
    assert await store.misses.top(10, at_least=1) == missed
    resting = Channel("all", resting=frozenset({"psi"}))
    assert await store.channels.get(CHANNEL) == CHANNEL_AFTER.get(type(change), resting)
    assert await store.channels.get(OTHER_CHANNEL) == Channel("all")
    kept = await store.notes.find(CHANNEL, message="m1")
    assert kept is not None
    assert len(kept.terms) == (1 if isinstance(change, KeepOnly) else 2)
    figures = await store.notes.figures(CHANNEL, NOW)
    assert figures.opened == isinstance(change, CountOpened)
    assert figures.wrong == isinstance(change, SettleWrong)
