"""Work that events cause: its errors are logged without what people wrote, and its end is waited for."""

from __future__ import annotations

import asyncio
import logging

import pytest

from adapters.discord.flight import InFlight

WRITTEN = "what somebody wrote"


async def test_an_error_is_logged_by_type_and_place_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError(WRITTEN)

    with caplog.at_level(logging.DEBUG):
        await InFlight().run(fail(), "a question")
    assert "ValueError while handling a question" in caplog.text
    assert WRITTEN not in caplog.text


async def test_the_end_waits_for_what_was_begun_and_takes_nothing_new() -> None:
    flight, done, go = InFlight(), [], asyncio.Event()

    async def work(name: str) -> None:
        await go.wait()
        done.append(name)

    begun = asyncio.create_task(flight.run(work("begun"), "work"))
    await asyncio.sleep(0)
    ending = asyncio.create_task(flight.finish(5))
    await asyncio.sleep(0)
    await flight.run(work("new"), "work")
    go.set()
    await ending
    await begun
    assert done == ["begun"]


async def test_the_end_does_not_wait_for_ever() -> None:
    flight = InFlight()
    begun = asyncio.create_task(flight.run(asyncio.Event().wait(), "work"))
    await asyncio.sleep(0)
    await asyncio.wait_for(flight.finish(0.01), 5)
    assert not begun.done()
    begun.cancel()


async def test_the_end_of_nothing_comes_at_once() -> None:
    await asyncio.wait_for(InFlight().finish(60), 5)


async def test_work_about_one_message_is_done_in_order_and_about_others_meanwhile() -> None:
    flight, done, go = InFlight(), [], asyncio.Event()

    async def work(name: str, wait: bool = False) -> None:
        if wait:
            await go.wait()
        done.append(name)

    tasks = [
        asyncio.create_task(flight.run(work("the answer", wait=True), "work", message=1)),
        asyncio.create_task(flight.run(work("the edit"), "work", message=1)),
        asyncio.create_task(flight.run(work("the deletion"), "work", message=1)),
        asyncio.create_task(flight.run(work("another"), "work", message=2)),
    ]
    await tasks[3]
    assert done == ["another"]
    go.set()
    await asyncio.gather(*tasks)
    assert done == ["another", "the answer", "the edit", "the deletion"]


async def test_work_that_is_cancelled_before_its_turn_is_left_out_without_a_complaint() -> None:
    flight = InFlight()
    begun = asyncio.create_task(flight.run(asyncio.Event().wait(), "work", message=1))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(flight.run(asyncio.sleep(0), "work", message=1))
    await asyncio.sleep(0)
    for task in (waiting, begun):
        task.cancel()
    assert [type(error) for error in await asyncio.gather(waiting, begun, return_exceptions=True)] == [
        asyncio.CancelledError
    ] * 2
