"""The channel of the glossary's owners hears once what there is to hear."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from adapters import reporting as module
from adapters.reporting import HOUR, Reporting
from adapters.terminal.text import render
from bot.answer import Answer
from bot.errors import Problem
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.state.counters import Asked
from bot.state.memory import MemoryStore
from bot.wording import Voice

MONDAY = datetime(2026, 11, 30, HOUR, 0, tzinfo=UTC)
SLO = Asked("slack", "T1", "C1", "slo", "en", "definition")
PROBLEMS = [Problem("/srv/glossary/glossary/things.yaml", 3, 5, "`level` is missing")]


class Channel:
    def __init__(self) -> None:
        self.posts: list[str] = []
        self.fails = False

    async def post(self, answer: Answer) -> None:
        if self.fails:
            raise RuntimeError("hunter2")
        self.posts.append(render(answer))


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
def replicas(store: MemoryStore, channel: Channel, glossary: Glossary, phrases: Phrases) -> list[Reporting]:
    voice = Voice(glossary, phrases, "en", "en")
    return [Reporting(store, lambda: voice, channel.post) for _ in range(3)]


async def test_on_mondays_one_of_the_replicas_posts_once(replicas: list[Reporting], channel: Channel) -> None:
    for minutes in range(0, 900, 10):
        for replica in replicas:
            await replica.look(MONDAY + timedelta(minutes=minutes))
    assert len(channel.posts) == 1
    for replica in replicas:
        await replica.look(MONDAY + timedelta(days=7))
    assert len(channel.posts) == 2


@pytest.mark.parametrize(
    "now",
    [
        MONDAY - timedelta(seconds=1),
        *(MONDAY + timedelta(days=days) for days in range(1, 7)),
        MONDAY + timedelta(hours=24),
    ],
    ids=str,
)
async def test_at_other_times_it_is_quiet(replicas: list[Reporting], channel: Channel, now: datetime) -> None:
    await replicas[0].look(now)
    assert channel.posts == []


async def test_it_tells_of_the_week_that_has_ended(
    replicas: list[Reporting], store: MemoryStore, channel: Channel
) -> None:
    for back, times in ((1, 2), (7, 3), (8, 100)):
        await store.counters.add({SLO: times}, MONDAY.date() - timedelta(days=back))
    await replicas[0].look(MONDAY)
    assert channel.posts[0].splitlines()[:2] == [
        "The last 7 days",
        "5 terms explained · 0 look-ups without an answer",
    ]


async def test_after_a_restart_it_is_not_posted_again(
    replicas: list[Reporting], channel: Channel, store: MemoryStore, glossary: Glossary, phrases: Phrases
) -> None:
    await replicas[0].look(MONDAY)
    voice = Voice(glossary, phrases, "en", "en")
    await Reporting(store, lambda: voice, channel.post).look(MONDAY + timedelta(hours=1))
    assert len(channel.posts) == 1


async def test_what_could_not_be_posted_is_tried_by_another(
    replicas: list[Reporting], channel: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    channel.fails = True
    await replicas[0].look(MONDAY)
    assert "RuntimeError while posting" in caplog.text
    assert "hunter2" not in caplog.text
    channel.fails = False
    await replicas[1].look(MONDAY + timedelta(minutes=1))
    await replicas[0].look(MONDAY + timedelta(minutes=10))
    assert len(channel.posts) == 1


async def test_with_the_store_away_it_waits(replicas: list[Reporting], channel: Channel, store: MemoryStore) -> None:
    store.away = True
    await replicas[0].look(MONDAY)
    assert channel.posts == []
    store.away = False
    await replicas[0].look(MONDAY + timedelta(minutes=10))
    assert len(channel.posts) == 1


async def test_a_faulty_file_is_told_at_once_and_once(replicas: list[Reporting], channel: Channel) -> None:
    for replica in replicas:
        await replica.reject(PROBLEMS, MONDAY)
    assert channel.posts == [
        "A change of the glossary isn't used\n"
        "Until this is put right, I answer from what was there before.\n"
        "/srv/glossary/glossary/things.yaml:3:5: error: `level` is missing"
    ]
    for replica in replicas:
        await replica.reject(PROBLEMS, MONDAY + timedelta(seconds=30))  # another fault
    assert len(channel.posts) == 2
    for replica in reversed(replicas):
        await replica.reject(PROBLEMS, MONDAY + timedelta(minutes=5))
    assert len(channel.posts) == 3


async def test_many_faults_are_not_all_told(replicas: list[Reporting], channel: Channel) -> None:
    await replicas[0].reject(PROBLEMS * 25, MONDAY)
    assert channel.posts[0].count("is missing") == 10
    assert channel.posts[0].endswith("15 more; `jargonaut check` lists all of them.")


async def test_with_the_store_away_a_faulty_file_is_told_all_the_same(
    replicas: list[Reporting], channel: Channel, store: MemoryStore
) -> None:
    store.away = True
    await replicas[0].reject(PROBLEMS, MONDAY)
    assert len(channel.posts) == 1


async def test_it_looks_at_the_clock_by_itself(replicas: list[Reporting], monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[datetime] = []
    twice = asyncio.Event()

    async def look(now: datetime) -> None:
        looks.append(now)
        if len(looks) == 2:
            twice.set()

    monkeypatch.setattr(module, "EVERY", 0)
    monkeypatch.setattr(replicas[0], "look", look)
    running = asyncio.create_task(replicas[0].run())
    await twice.wait()
    running.cancel()
    assert looks[0].utcoffset() == timedelta(0)
