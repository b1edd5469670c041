"""Turns: one message after the other, different messages side by side."""

from __future__ import annotations

import asyncio
import gc

from adapters.slack.turns import Turns


async def test_what_is_about_one_message_comes_in_the_order_it_was_asked_for() -> None:
    turns, done = Turns(), []
    first_may_end = asyncio.Event()

    async def work(name: str, wait: asyncio.Event | None = None) -> None:
        async with turns.of("C1", "1.1"):
            if wait is not None:
                await wait.wait()
            done.append(name)

    tasks = [asyncio.create_task(work("first", first_may_end))]
    tasks += [asyncio.create_task(work(name)) for name in ("second", "third")]
    for _ in range(5):
        await asyncio.sleep(0)
    assert done == []
    first_may_end.set()
    await asyncio.gather(*tasks)
    assert done == ["first", "second", "third"]


async def test_other_messages_dont_wait() -> None:
    turns = Turns()
    async with turns.of("C1", "1.1"), asyncio.timeout(5), turns.of("C1", "1.2"), turns.of("C2", "1.1"):
        pass


async def test_nothing_is_kept_of_messages_that_are_done() -> None:
    turns = Turns()
    async with turns.of("C1", "1.1"):
        assert turns.of("C1", "1.1").locked()
    gc.collect()
    assert not turns.of("C1", "1.1").locked()
    gc.collect()
    assert len(turns._locks) == 0
