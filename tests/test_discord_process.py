"""`jargonaut run` with a token, as a process of its own: it starts, answers, is stopped, killed, or turned away."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord_fake import FakeDiscord
from tests.discord_fake_world import Channel, User
from tests.processes import COMMAND, Jargonaut

STARTED = 40.0
"""Seconds for a process to import everything and connect, on a busy machine."""


class Place:
    """A server with one person in it."""

    def __init__(self, discord: FakeDiscord, home: Path) -> None:
        self.discord = discord
        self.lena: User = discord.user("Lena")
        self.talk: Channel = discord.channel(discord.guild("Ops", self.lena), "talk")
        self.jargonaut = Jargonaut(home)

    async def run(self, **variables: str) -> asyncio.subprocess.Process:
        told = {
            "DISCORD_TOKEN": self.discord.token,
            "DISCORD_API_URL": self.discord.api_url,
            "OPS_PORT": "0",
        } | variables
        return await asyncio.create_subprocess_exec(
            *COMMAND,
            "run",
            env=self.jargonaut.environment(**told),
            cwd=self.jargonaut.home,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def started(self) -> asyncio.subprocess.Process:
        before = len(self.discord.gateway.identifies)
        process = await self.run()
        await self.discord.until(
            lambda: len(self.discord.gateway.identifies) > before and self.discord.commands,
            "the start",
            seconds=STARTED,
        )
        return process


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with FakeDiscord() as discord:
        yield Place(discord, tmp_path)


async def test_it_answers_until_it_is_told_to_stop_and_finishes_what_it_began(place: Place) -> None:
    process = await place.started()
    asked = await place.discord.say(place.talk, place.lena, "!define slo")
    assert "SLO" in place.discord.shown(await place.discord.reply_to(asked))
    route = "GET /channels/{channel}/messages"
    held = place.discord.held[route] = asyncio.Event()
    thread = await place.discord.open_thread(place.talk, place.lena, "a thread")
    await place.discord.say(thread, place.lena, "the KV cache is full")
    last = await place.discord.say(thread, place.lena, "!explain")
    await place.discord.until(lambda: place.discord.calls[-1].route == route, "the answer in the making")
    process.send_signal(signal.SIGTERM)
    held.set()
    _, err = await asyncio.wait_for(process.communicate(), STARTED)
    assert process.returncode == 0, err.decode()
    assert "KV cache" in place.discord.shown(place.discord.replies(last)[0])
    assert b"Traceback" not in err


async def test_a_process_that_was_killed_is_followed_by_one_that_remembers(place: Place) -> None:
    first = await place.started()
    asked = await place.discord.say(place.talk, place.lena, "!define slo")
    answer = await place.discord.reply_to(asked)
    await place.discord.slash(place.lena, place.talk, "lang", language="zh")
    first.kill()
    await first.communicate()
    second = await place.started()
    assert len(place.discord.command_writes) == 1
    shown = place.discord.shown((await place.discord.slash(place.lena, place.talk, "define", term="slo")).message)
    assert "团队" in shown
    await place.discord.delete(asked)
    await place.discord.until(lambda: answer.deleted, "the answer's end")
    second.terminate()
    await asyncio.wait_for(second.communicate(), STARTED)


async def test_a_wrong_token_ends_it_with_one_line_and_exit_code_1(place: Place) -> None:
    place.discord.expect(401)
    process = await place.run(DISCORD_TOKEN="wrong.token.here")
    out, err = await asyncio.wait_for(process.communicate(), STARTED)
    assert process.returncode == 1
    told = err.decode().splitlines()[-1]
    assert "DISCORD_TOKEN" in told
    assert b"Traceback" not in err
    assert b"wrong.token.here" not in out + err
