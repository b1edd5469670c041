"""Indexes that are made off the loop, and no longer than their glossary is in use."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

import pytest

from bot import indexes as indexes_module
from bot.glossary.glossary import Glossary
from bot.indexes import GLOSSARIES, Indexes
from tests.terms import LITTLE


def little() -> Glossary:
    return Glossary(LITTLE)


async def test_a_detector_is_made_once() -> None:
    indexes, glossary = Indexes(), little()
    assert indexes.made(glossary) is None
    detector = indexes.detector(glossary)
    assert indexes.detector(glossary) is indexes.made(glossary) is detector
    await indexes.warm(little())
    assert indexes.detector(glossary) is detector


async def test_what_was_warmed_is_there() -> None:
    indexes, glossary = Indexes(), little()
    await indexes.warm(glossary)
    made = indexes.made(glossary)
    assert made is not None
    assert indexes.detector(glossary) is made
    assert not indexes.pending


async def test_a_glossary_that_is_no_longer_in_use_is_let_go() -> None:
    indexes = Indexes()
    kept = []
    for _ in range(GLOSSARIES + 2):
        glossary = little()
        await indexes.prepare(glossary)
        kept.append(weakref.ref(glossary))
        del glossary
    gc.collect()
    assert [ref() is not None for ref in kept] == [False, False, *([True] * GLOSSARIES)]


@pytest.mark.parametrize(("seconds", "waited"), [(10.0, True), (0.01, False)], ids=["in time", "not for ever"])
async def test_ready_waits_for_what_is_being_made(
    seconds: float, waited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes_module, "WARM_SECONDS", seconds)
    indexes, glossary, made = Indexes(), little(), threading.Event()
    monkeypatch.setattr(glossary, "warm", lambda: made.wait(10))
    warming = asyncio.create_task(indexes.warm(glossary))
    await asyncio.sleep(0)
    assert indexes.pending
    ready = asyncio.create_task(indexes.ready())
    await asyncio.wait({ready}, timeout=0.2)
    assert ready.done() != waited
    made.set()
    await asyncio.gather(ready, warming)
    assert indexes.made(glossary) is not None


async def test_one_that_is_only_prepared_keeps_nobody_waiting() -> None:
    indexes = Indexes()
    preparing = asyncio.create_task(indexes.prepare(little()))
    await asyncio.sleep(0)
    assert not indexes.pending
    await preparing
