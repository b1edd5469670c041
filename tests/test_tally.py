"""What is asked is counted: which answers, where, and what happens while the store is away."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from bot.answer import Answer
from bot.request import Person, Place, Press, Request
from bot.state import tally as tally_module
from bot.state.counters import Asked
from bot.state.memory import MemoryStore
from bot.state.ports import KEPT
from bot.state.tally import MOST, Tally
from bot.watching import Nobody, Noticed

DAY = date(2026, 11, 30)
ANA = Person("slack", "T1", "U-secret")
HERE = Place("slack", "T1", "C1", "100.1")


class Watching(Nobody):
    def __init__(self) -> None:
        self.told: list[object] = []

    def answered(self, request: Request, answer: Answer, seconds: float, reference: str) -> None:
        self.told.append((request.action, answer.kind, seconds, reference))

    def noticed(self, platform: str, what: Noticed) -> None:
        self.told.append((platform, what))

    def store_failed(self, error: str) -> None:
        self.told.append(error)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def watching() -> Watching:
    return Watching()


@pytest.fixture
def tally(store: MemoryStore, watching: Watching) -> Tally:
    return Tally(store.counters, watching)


def tell(tally: Tally, answer: Answer, action: str = "define", day: date = DAY, **how: Any) -> None:
    tally.answered(Request(ANA, HERE, action, "what was typed", today=day, **how), answer, 0.1, "ABCD")


SLO = Answer("definition", "en", concepts=("slo",))


async def test_nothing_is_written_with_the_answer(tally: Tally, store: MemoryStore) -> None:
    tell(tally, SLO)
    assert await store.counters.asked(DAY) == {}
    await tally.write()
    assert await store.counters.asked(DAY) == {Asked("slack", "T1", "C1", "slo", "en", "definition"): 1}
    await tally.write()
    assert sum((await store.counters.asked(DAY)).values()) == 1


@pytest.mark.parametrize(
    ("answer", "counted"),
    [
        pytest.param(SLO, [("slo", "definition")], id="definition"),
        pytest.param(
            Answer("comparison", "en", concepts=("slo", "sla")),
            [("sla", "comparison"), ("slo", "comparison")],
            id="comparison",
        ),
        pytest.param(Answer("explanation", "en", concepts=("ttft",)), [("ttft", "explanation")], id="digest"),
        pytest.param(Answer("explanation", "en"), [], id="digest-of-nothing"),
        pytest.param(Answer("unknown", "en", unknown=("goodput",)), [("", "unknown")], id="unknown"),
        pytest.param(Answer("unknown", "en", concepts=("slo",)), [("", "unknown")], id="unknown-with-suggestions"),
        pytest.param(Answer("choice", "en", concepts=("psi", "psi-linux")), [], id="choice"),
        pytest.param(Answer("list", "en", concepts=("slo",)), [], id="list"),
        pytest.param(Answer("setting", "en"), [], id="setting"),
        pytest.param(Answer("error", "en"), [], id="error"),
        pytest.param(Answer("silence", "en"), [], id="silence"),
    ],
)
async def test_which_answers_count(tally: Tally, store: MemoryStore, answer: Answer, counted: list[Any]) -> None:
    tell(tally, answer)
    await tally.write()
    assert sorted((a.concept, a.outcome) for a in await store.counters.asked(DAY)) == counted


@pytest.mark.parametrize(("action", "counts"), [("choose", True), ("define", False), ("found", True), ("side", False)])
async def test_a_button_counts_where_it_says_what_was_meant(
    tally: Tally, store: MemoryStore, action: str, counts: bool
) -> None:
    tell(tally, SLO, action, by="button", press=Press(action))
    await tally.write()
    assert bool(await store.counters.asked(DAY)) is counts


async def test_a_private_conversation_is_counted_without_its_channel(tally: Tally, store: MemoryStore) -> None:
    tell(tally, SLO, direct=True)
    await tally.write()
    assert [asked.channel for asked in await store.counters.asked(DAY)] == [""]


async def test_nothing_of_who_asked_or_what_was_typed_is_kept(tally: Tally, store: MemoryStore) -> None:
    tell(tally, SLO)
    tell(tally, Answer("unknown", "en", unknown=("what was typed",)))
    await tally.write()
    kept = repr(await store.counters.asked(DAY))
    assert "secret" not in kept
    assert "typed" not in kept


async def test_counts_wait_while_the_store_is_away(tally: Tally, store: MemoryStore, watching: Watching) -> None:
    tell(tally, SLO)
    tell(tally, SLO, day=DAY + timedelta(days=1))
    store.away = True
    await tally.write()
    tell(tally, SLO)
    await tally.write()
    assert "StoreError" in watching.told
    store.away = False
    await tally.write()
    assert sum((await store.counters.asked(DAY)).values()) == 3
    assert sum((await store.counters.asked(DAY + timedelta(days=1))).values()) == 1


async def test_there_is_an_end_to_what_waits(
    tally: Tally, store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(MOST + 5):
        tell(tally, Answer("definition", "en", concepts=(f"c{number}",)))
    tell(tally, Answer("definition", "en", concepts=("c0",)))
    await tally.write()
    counts = await store.counters.asked(DAY)
    assert (len(counts), sum(counts.values())) == (MOST, MOST + 1)
    assert "5 counts of what is asked were lost" in caplog.text


async def test_old_counts_end_when_a_day_begins(tally: Tally, store: MemoryStore) -> None:
    tell(tally, SLO)
    await tally.write()
    tell(tally, SLO, day=DAY + KEPT + timedelta(days=1))
    await tally.write()
    assert sum((await store.counters.asked(date.min)).values()) == 1


async def test_the_other_watch_hears_everything(tally: Tally, watching: Watching) -> None:
    tell(tally, SLO)
    tally.noticed("slack", "note")
    tally.store_failed("StoreError")
    assert watching.told == [("define", "definition", 0.1, "ABCD"), ("slack", "note"), "StoreError"]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tally_module, "WRITE_EVERY", 0)
    return


@pytest.mark.usefixtures("at_once")
async def test_it_writes_by_itself_and_the_last_write_waits_for_the_one_under_way(store: MemoryStore) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    written: list[int] = []

    class Slow:
        async def add(self, counts: Any, day: date) -> None:
            begun.set()
            await go_on.wait()
            written.append(sum(counts.values()))

        def __getattr__(self, name: str) -> Any:
            return getattr(store.counters, name)

    tally = Tally(Slow(), Nobody())
    tell(tally, SLO)
    running = asyncio.create_task(tally.run())
    await begun.wait()
    running.cancel()
    tell(tally, SLO)
    tell(tally, SLO)
    last = asyncio.create_task(tally.write())
    await asyncio.sleep(0)
    assert written == []
    go_on.set()
    await last
    assert written == [1, 2]
