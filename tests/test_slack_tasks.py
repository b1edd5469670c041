"""Work behind an acknowledgement: it's held on to, waited for, cut off in time, and its faults quote nobody."""

from __future__ import annotations

import asyncio
import logging

import pytest

from adapters.slack.tasks import Tasks


async def test_the_end_waits_for_what_was_started_and_for_what_that_starts() -> None:
    tasks, done = Tasks(), []

    async def second() -> None:
        await asyncio.sleep(0)
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0)
        tasks.start(second())
        done.append("first")

    tasks.start(first())
    await tasks.finish(5)
    assert done == ["first", "second"]


async def test_what_takes_too_long_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    tasks, cut = Tasks(), asyncio.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cut.set()

    tasks.start(endless())
    await asyncio.sleep(0)
    await tasks.finish(0.01)
    assert cut.is_set()
    assert "1 answers were cut off" in caplog.text


async def test_a_task_that_somebody_else_started_is_waited_for_too() -> None:
    tasks, done = Tasks(), []

    async def work() -> None:
        await asyncio.sleep(0)
        done.append("work")

    tasks.watch(asyncio.create_task(work()))
    await tasks.finish(5)
    assert done == ["work"]


async def test_a_fault_is_logged_by_type_and_place_without_what_it_quotes(caplog: pytest.LogCaptureFixture) -> None:
    tasks, words = Tasks(), "my secret sentence"

    async def fails() -> None:
        raise ValueError(words)

    with caplog.at_level(logging.ERROR):
        tasks.start(fails())
        await tasks.finish(5)
    assert "ValueError" in caplog.text
    assert "in fails" in caplog.text
    assert "secret" not in caplog.text
