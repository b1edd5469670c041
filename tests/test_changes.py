"""What a command wants remembered really arrives in the store, for this person only."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest

from bot import commands
from bot.answer import silence
from bot.bot import Bot, fixed
from bot.changes import Change, CountMiss, Forget, Know, SetLanguage, SetMuted, Unknow
from bot.commands import Reply
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Request
from bot.state.memory import MemoryStore
from bot.state.ports import Miss, Profile
from tests.desks import ANA, BO, CHANNEL

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
    monkeypatch.setitem(commands.ACTIONS, "define", lambda s: Reply(silence(), (change,)))
    bot = Bot(fixed(Glossary(())), phrases, store)
    await bot.answer(Request(ANA, CHANNEL, "define", today=DAY))
    await bot.close()
    assert await store.people.get(ANA) == after
    assert await store.people.get(BO) == BEFORE
    missed = (Miss("goodput", 1, DAY),) if isinstance(change, CountMiss) else ()
    assert await store.misses.top(10, at_least=1) == missed
