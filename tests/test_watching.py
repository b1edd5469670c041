"""What the bot tells whoever watches it, and what not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from bot import listener
from bot.answer import Answer
from bot.bot import Bot, fixed
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Message, Person, Request
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Profile
from bot.watching import Nobody, Noticed, Watch
from tests.desks import BO
from tests.fakes import BrokenStore
from tests.stores import ANA, CHANNEL, NOW


@dataclass
class Seen:
    """Keeps what it was told."""

    answers: list[tuple[str, str, str]] = field(default_factory=list)
    noticed_: list[Noticed] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def answered(self, request: Request, answer: Answer, seconds: float, reference: str) -> None:
        assert seconds >= 0
        self.answers.append((request.action, answer.kind, reference))

    def noticed(self, platform: str, what: Noticed) -> None:
        self.noticed_.append(what)

    def store_failed(self, error: str) -> None:
        self.failures.append(error)


if TYPE_CHECKING:
    _watches: list[type[Watch]] = [Seen, Nobody]


def asked(action: str, text: str = "") -> Request:
    return Request(ANA, CHANNEL, action, text, today=NOW.date(), now=NOW)


async def test_every_request_is_told_once_with_a_number_of_its_own(glossary: Glossary, phrases: Phrases) -> None:
    seen = Seen()
    bot = Bot(fixed(glossary), phrases, MemoryStore(), watch=seen)
    for action, text in (("define", "slo"), ("define", "zzqx"), ("mention", "thanks")):
        await bot.answer(asked(action, text))
    await bot.explain(asked("explain"), [], of="thr", total=0)
    kinds = [(action, kind) for action, kind, _ in seen.answers]
    assert kinds == [
        ("define", "definition"),
        ("define", "unknown"),
        ("mention", "silence"),
        ("explain", "explanation"),
    ]
    assert len({reference for *_, reference in seen.answers}) == 4


async def test_the_number_of_a_failure_is_the_one_that_the_person_sees(glossary: Glossary, phrases: Phrases) -> None:
    seen = Seen()
    bot = Bot(fixed(glossary), phrases, BrokenStore("zzqx"), watch=seen)
    answer = await bot.answer(asked("define", "slo"))
    ((_, kind, reference),) = seen.answers
    assert kind == "error"
    assert reference in str(answer.blocks)


async def test_a_store_that_is_away_is_told(glossary: Glossary, phrases: Phrases) -> None:
    seen, store = Seen(), MemoryStore()
    store.away = True
    bot = Bot(fixed(glossary), phrases, store, watch=seen)
    assert (await bot.answer(asked("define", "slo"))).kind == "definition"
    await bot.close()
    assert seen.failures
    assert set(seen.failures) == {"StoreError"}


async def test_who_asks_for_too_much_is_told_so_from_memory(glossary: Glossary, phrases: Phrases) -> None:
    seen = Seen()
    bot = Bot(fixed(glossary), phrases, MemoryStore(), watch=seen, per_minute=2)
    for _ in range(4):
        await bot.answer(asked("define", "slo"))
    assert [kind for _, kind, _ in seen.answers] == ["definition", "definition", "error", "error"]
    other = Request(BO, CHANNEL, "define", "slo", today=NOW.date(), now=NOW)
    assert (await bot.answer(other)).kind == "definition"


async def test_a_flood_of_messages_is_cut_and_commands_are_answered(
    glossary: Glossary, phrases: Phrases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "MAX_AT_ONCE", 3)
    seen, store = Seen(), MemoryStore()
    await store.channels.set(CHANNEL, Channel("all"), BO)
    bot = Bot(fixed(glossary), phrases, store, watch=seen)
    messages = [Message(f"m{number}", CHANNEL, ANA, "TTFT got worse", NOW) for number in range(10)]
    gate, profile_of = asyncio.Event(), store.people.get

    async def slow(person: Person) -> Profile:
        if person == ANA:
            await gate.wait()
        return await profile_of(person)

    monkeypatch.setattr(store.people, "get", slow)
    answers = asyncio.gather(*(bot.notice(message, NOW) for message in messages))
    await asyncio.sleep(0)  # all of them begin
    other = Request(BO, CHANNEL, "define", "slo", today=NOW.date(), now=NOW)
    assert (await bot.answer(other)).kind == "definition"
    assert seen.noticed_ == ["dropped"] * 7
    gate.set()
    await answers
    assert sorted(seen.noticed_[7:]) == ["note", "silent", "silent"]
    assert (await bot.notice(messages[0], NOW)).kind == "silence", "later ones are looked at again"
    assert seen.noticed_[10:] == ["silent"]
