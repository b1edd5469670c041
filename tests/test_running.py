"""Staying connected: starts, ends and stops of platforms, in every order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from adapters import running
from adapters.running import LOST, STOPPED, Platform, keep_running
from bot.errors import ConnectError


@dataclass
class Acted:
    """A platform that does as the test says: what it waits for, and what it was asked for."""

    name: str = "slack"
    connected: bool = False
    reconnects: int = 0
    refusal: Exception | None = None
    lets_in: asyncio.Event = field(default_factory=asyncio.Event)
    shuts_out: asyncio.Event = field(default_factory=asyncio.Event)
    why: Exception | None = field(default_factory=lambda: ConnectError("the token was revoked: make a new one"))
    hangs: bool = False
    stops: int = 0

    async def start(self) -> str:
        await self.lets_in.wait()
        if self.refusal:
            raise self.refusal
        self.connected = True
        return "connected to Acme as jargonaut"

    async def wait(self) -> None:
        await self.shuts_out.wait()
        if self.why:
            raise self.why

    async def stop(self) -> None:
        self.stops += 1
        self.connected = False
        if self.hangs:
            await asyncio.Event().wait()


if TYPE_CHECKING:
    _acted: type[Platform] = Acted


def platform(name: str = "slack", *, ready: bool = True, **how: object) -> Acted:
    made = Acted(name, **how)  # type: ignore[arg-type]
    if ready:
        made.lets_in.set()
    return made


def told(lines: asyncio.Queue[str]) -> Callable[[int, str], None]:
    """Keeps the lines, of which what has gone wrong is an error."""

    def tell(level: int, line: str) -> None:
        assert level == (logging.INFO if "connected to" in line else logging.ERROR)
        lines.put_nowait(line)

    return tell


async def test_it_stays_until_it_is_told_to_stop() -> None:
    stop, lines = asyncio.Event(), asyncio.Queue[str]()
    slack, discord = platform(), platform("discord")
    going = asyncio.create_task(keep_running([slack, discord], stop, told(lines)))
    assert await lines.get() == "slack: connected to Acme as jargonaut"
    assert await lines.get() == "discord: connected to Acme as jargonaut"
    assert not going.done()
    stop.set()
    assert await going == STOPPED
    assert (slack.stops, discord.stops) == (1, 1)


async def test_one_that_refuses_at_the_start_ends_it_all() -> None:
    slack = platform(refusal=ConnectError("SLACK_BOT_TOKEN is wrong"))
    discord = platform("discord", ready=False)
    with pytest.raises(ConnectError, match="SLACK_BOT_TOKEN"):
        await keep_running([slack, discord], asyncio.Event(), lambda *_: None)
    assert (slack.stops, discord.stops) == (1, 1)


@pytest.mark.parametrize("waits", [0, 1], ids=["the first", "the second"])
async def test_a_refusal_is_not_kept_waiting_by_one_that_still_connects(waits: int) -> None:
    platforms = [platform(ready=False), platform("discord", ready=False)]
    refusing = platforms[1 - waits]
    refusing.refusal = ConnectError("a wrong token")
    refusing.lets_in.set()
    with pytest.raises(ConnectError, match="a wrong token"):
        await keep_running(platforms, asyncio.Event(), lambda *_: None)
    assert [each.stops for each in platforms] == [1, 1]


@pytest.mark.parametrize("first", [0, 1], ids=["the first", "the second"])
async def test_one_that_shuts_us_out_later_leaves_the_other_going(first: int) -> None:
    stop, lines = asyncio.Event(), asyncio.Queue[str]()
    platforms = [platform(), platform("discord")]
    going = asyncio.create_task(keep_running(platforms, stop, told(lines)))
    assert [await lines.get(), await lines.get()]
    platforms[first].shuts_out.set()
    assert await lines.get() == f"{platforms[first].name}: the token was revoked: make a new one"
    assert not going.done()
    platforms[1 - first].shuts_out.set()
    assert await going == LOST
    assert [each.stops for each in platforms] == [1, 1]


@pytest.mark.parametrize(
    ("why", "said"),
    [(None, "the connection ended"), (ValueError("xoxb-secret"), "the connection ended (ValueError)")],
    ids=["nothing", "a bug"],
)
async def test_an_end_without_a_reason_shows_no_insides(why: Exception | None, said: str) -> None:
    lines = asyncio.Queue[str]()
    slack = platform(why=why)
    slack.shuts_out.set()
    assert await keep_running([slack], asyncio.Event(), told(lines)) == LOST
    assert [await lines.get(), await lines.get()][1] == f"slack: {said}"


async def test_told_to_stop_while_connecting() -> None:
    stop = asyncio.Event()
    slack = platform(ready=False)
    going = asyncio.create_task(keep_running([slack], stop, lambda *_: None))
    await asyncio.sleep(0)
    stop.set()
    assert await going == STOPPED
    assert slack.stops == 1


async def test_one_that_hangs_while_closing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "STOP_SECONDS", 0.01)
    stop = asyncio.Event()
    stop.set()
    slack, discord = platform(hangs=True), platform("discord")
    assert await keep_running([slack, discord], stop, lambda *_: None) == STOPPED
    assert discord.stops == 1


async def test_a_bug_while_closing_is_logged_without_its_text(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    slack = platform()

    async def stop_badly() -> None:
        raise ValueError("xoxb-secret")

    monkeypatch.setattr(slack, "stop", stop_badly)
    stop = asyncio.Event()
    stop.set()
    assert await keep_running([slack], stop, lambda *_: None) == STOPPED
    assert "ValueError" in caplog.text
    assert "secret" not in caplog.text
