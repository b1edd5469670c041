"""The memory's notes answer every call as the database's do, whatever was called before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.request import short_hash
from bot.state.database import open_database
from bot.state.memory import MemoryStore
from bot.state.ports import Limits, Note
from tests.stores import ANA, BO, CHANNEL, NOW, OTHER_CHANNEL, OTHER_PLATFORM, OTHER_THREAD, THREAD

PLACES = st.sampled_from(
    [CHANNEL, THREAD, THREAD, OTHER_THREAD, OTHER_CHANNEL, replace(OTHER_PLATFORM, thread="100.1")]
)
MESSAGES = st.sampled_from(["m1", "m2", "m3"])
REPLIES = st.sampled_from(["", "r1", "r2"])
CONCEPTS = st.sampled_from(["slo", "sla", "psi", "drift"])
LABELS = st.sampled_from(["slo", "psi", "漂移"])
VOTERS = st.sampled_from([short_hash(ANA), short_hash(BO), "other"])
TIMES = st.sampled_from(
    [timedelta(0), timedelta(hours=1), timedelta(days=7), timedelta(days=30), timedelta(days=90)]
).flatmap(
    lambda wait: st.sampled_from([NOW + wait - timedelta.resolution, NOW + wait, NOW + wait + timedelta.resolution])
)
NOTES = st.builds(Note, MESSAGES, VOTERS, st.lists(st.tuples(CONCEPTS, LABELS), max_size=4).map(tuple))
LIMITS = st.builds(Limits, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))

STEPS = st.one_of(
    st.tuples(st.just("notes.claim"), PLACES, NOTES, LIMITS, TIMES),
    st.tuples(st.just("notes.claim"), PLACES, NOTES, st.just(Limits(3, 9, 9)), TIMES),
    st.tuples(st.just("notes.saw"), PLACES, st.lists(CONCEPTS, max_size=2), TIMES),
    st.tuples(st.just("notes.posted"), PLACES, MESSAGES, REPLIES),
    st.tuples(st.just("notes.withdraw"), PLACES, MESSAGES),
    st.tuples(st.just("notes.keep_only"), PLACES, MESSAGES, st.lists(CONCEPTS, max_size=3)),
    st.tuples(st.just("notes.opened"), PLACES, MESSAGES, TIMES),
    st.tuples(st.just("notes.mark_wrong"), PLACES, MESSAGES, CONCEPTS, VOTERS, TIMES),
    st.tuples(st.just("notes.settle_wrong"), PLACES, LABELS, CONCEPTS, TIMES),
    st.tuples(st.just("notes.figures"), PLACES, TIMES),
    st.tuples(st.just("notes.prune"), TIMES),
    st.tuples(st.just("channels.release"), PLACES, LABELS),
    st.tuples(st.just("people.forget"), st.sampled_from([ANA, BO])),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, min_size=5, max_size=30))
def test_memory_and_database_answer_the_same(steps: list[tuple[Any, ...]]) -> None:
    async def scenario() -> None:
        memory, database = MemoryStore(), await open_database("sqlite://")
        for name, *arguments in steps:
            port, method = name.split(".")
            answers = [await getattr(getattr(store, port), method)(*arguments) for store in (memory, database)]
            assert answers[0] == answers[1], (name, arguments)
        for place in (CHANNEL, OTHER_CHANNEL, OTHER_PLATFORM):
            for message in ("m1", "m2", "m3"):
                found = [await store.notes.find(place, message=message) for store in (memory, database)]
                assert found[0] == found[1]
        await database.close()

    asyncio.run(scenario())
