"""Several processes on one PostgreSQL: each message is answered once, also where one of them is killed."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

import bot
from bot.state.database import open_database
from tests.replica import AT_ONCE, HERE
from tests.servers import SERVER, database_named, random_name

if not SERVER:
    pytest.skip("TEST_DATABASE_URL isn't set: no replicas were tested", allow_module_level=True)

ROOT = Path(str(bot.__file__)).parents[1]


@pytest.fixture
def url() -> Iterator[str]:
    with database_named(random_name()) as url:
        yield url


Start = Callable[[], Awaitable[Process]]


@pytest.fixture
async def started(url: str) -> AsyncIterator[Start]:
    """Starts a replica that is ready."""
    processes: list[Process] = []

    async def start() -> Process:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.replica", url), cwd=ROOT, stdin=PIPE, stdout=PIPE
        )
        processes.append(process)
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        return process

    yield start
    for process in processes:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def ids(output: bytes) -> list[str]:
    return [line.split()[1] for line in output.decode().splitlines() if line.startswith("answered ")]


async def test_two_replicas_that_get_every_message_answer_each_once(started: Start, url: str) -> None:
    messages = [f"m{number}" for number in range(1000)]
    delivered = "".join(f"{message}\n" for message in messages).encode()
    replicas = [await started(), await started()]
    outputs = [output for output, _ in await asyncio.gather(*(replica.communicate(delivered) for replica in replicas))]
    assert all(output.endswith(b"done\n") for output in outputs)
    answered = [ids(output) for output in outputs]
    assert all(answered)  # both had something to do
    assert sorted(answered[0] + answered[1]) == sorted(messages)
    database = await open_database(url, call_seconds=60)
    assert await database.handled.reply_to(HERE, "m999") == "reply to m999"
    await database.close()


async def test_what_a_killed_replica_answered_is_not_answered_again(started: Start) -> None:
    """A message that was claimed but not answered stays without an answer: at most what it was busy with."""
    messages = [f"m{number}" for number in range(400)]
    delivered = "".join(f"{message}\n" for message in messages).encode()
    first = await started()
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write(delivered)
    seen = [await first.stdout.readline() for _ in range(100)]
    first.kill()
    rest, _ = await first.communicate()
    second = await started()
    output, _ = await second.communicate(delivered)
    counted = Counter(ids(b"".join(seen) + rest) + ids(output))
    assert set(counted.values()) == {1}
    missing = set(messages) - set(counted)
    assert len(missing) <= AT_ONCE
    assert ids(output)
