"""Each call to the store takes a bounded time, and its failure is nobody's but the log's."""

from __future__ import annotations

import asyncio

import pytest

from bot.changes import CountMiss, Know, SetLanguage
from bot.errors import StoreError
from bot.request import Request
from bot.state import bounded
from bot.state.bounded import Bounded
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Profile, Store
from tests.fakes import FailingStore, SilentStore
from tests.stores import ANA, CHANNEL, NOW

REQUEST = Request(ANA, CHANNEL, "define", today=NOW.date())


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "READ_SECONDS", 0.01)
    monkeypatch.setattr(bounded, "WRITE_SECONDS", 0.01)


@pytest.fixture(params=[FailingStore, SilentStore], ids=["failing", "silent"])
def away(request: pytest.FixtureRequest) -> Store:
    made: Store = request.param()
    return made


async def test_what_is_set_is_read_and_written() -> None:
    failed: list[str] = []
    store = MemoryStore()
    there = Bounded(store, failed.append)
    assert await there.save([SetLanguage("zh-Hans"), Know(("slo",)), CountMiss("goodput")], REQUEST, NOW)
    await there.close()
    assert await there.remembered(ANA, CHANNEL) == (Profile("zh-Hans", known=frozenset({"slo"})), Channel(), True)
    assert [miss.text for miss in await store.misses.top(5, 1)] == ["goodput"]
    assert failed == []


async def test_away_it_is_as_if_nobody_had_set_anything(away: Store, caplog: pytest.LogCaptureFixture) -> None:
    failed: list[str] = []
    there = Bounded(away, failed.append)
    for _ in range(3):
        assert await there.remembered(ANA, CHANNEL) == (Profile(), Channel(), False)
    assert len(failed) == 3
    assert len(caplog.records) == 1, "said once, not with every answer"


async def test_away_a_setting_is_not_saved_and_a_count_is_lost(away: Store) -> None:
    failed: list[str] = []
    there = Bounded(away, failed.append)
    assert not await there.save([SetLanguage("en")], REQUEST, NOW)
    assert await there.save([CountMiss("goodput")], REQUEST, NOW)
    await there.close()
    assert len(failed) == 2


async def test_what_can_be_done_without_is_none(away: Store) -> None:
    failed: list[str] = []
    assert await Bounded(away, failed.append).quietly(away.handled.reply_to(CHANNEL, "m1")) is None
    assert len(failed) == 1


async def test_back_again_is_said(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    there = Bounded(store, lambda _: None)
    store.away = True
    await there.remembered(ANA, CHANNEL)
    store.away = False
    assert (await there.remembered(ANA, CHANNEL))[2]
    assert [record.message.split(" (")[0] for record in caplog.records] == [
        "store: can't be reached",
        "store: back again",
    ]


async def test_whatever_goes_wrong_behind_an_answer_its_text_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise StoreError("goodput")

    there = Bounded(MemoryStore(), lambda _: None)
    there.behind(work())
    await there.close()
    assert "StoreError" in caplog.text
    assert "goodput" not in caplog.text
