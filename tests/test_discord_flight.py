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
