"""Discord as the composition root sees it: it starts, runs and stops."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.answer import Answer, Paragraph
from bot.errors import ConnectError
from tests.discord_bench import Bench
from tests.discord_fake_world import SEND_MESSAGES

pytest_plugins = ("tests.discord_fixtures",)

CALLBACK = "POST /interactions/{interaction}/{token}/callback"


async def test_the_first_line_says_where_as_whom_and_what_is_on(bench: Bench) -> None:
    line = await bench.platform().start()
    assert line.startswith("jargonaut on 1 server, 1 shard; ")
    assert "registered" in line
    assert "\n" not in line


async def test_without_message_content_the_first_line_says_what_is_off(bench: Bench) -> None:
    bench.discord.flags, bench.discord.message_content = 0, False
    assert "! commands and jargon notes are off" in await bench.platform().start()


async def test_a_platform_is_stopped_before_and_after_it_ran(bench: Bench) -> None:
    platform = bench.platform()
    await platform.stop()
    await platform.start()
    assert platform.connected
    await platform.stop()
    await platform.stop()
    assert not platform.connected
    await platform.wait()


async def test_a_start_is_stopped_halfway(bench: Bench) -> None:
    held = bench.discord.held["GET /users/@me"] = asyncio.Event()
    platform = bench.platform()
    starting = asyncio.create_task(platform.start())
    await bench.discord.until(lambda: bench.discord.calls or True)
    starting.cancel()
    held.set()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await platform.stop()


async def test_waiting_ends_when_the_token_is_revoked(bench: Bench) -> None:
    platform = await bench.start()
    waiting = asyncio.create_task(platform.wait())
    await bench.discord.gateway.close(4004)
    with pytest.raises(ConnectError, match="DISCORD_TOKEN"):
        await asyncio.wait_for(waiting, 5)
    assert not platform.connected


async def test_a_lost_connection_comes_back_and_is_counted(bench: Bench) -> None:
    platform = await bench.start()
    assert platform.reconnects == 0
    bench.discord.gateway.drop()
    await bench.discord.until(lambda: platform.reconnects == 1 and platform.connected, "a new connection")
    assert "SLO" in bench.shown(await bench.ask("!define slo"))


async def test_an_answer_in_flight_is_finished(bench: Bench) -> None:
    platform = await bench.start()
    held = bench.discord.held["POST /channels/{channel}/messages"] = asyncio.Event()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo")
    await bench.discord.until(lambda: any("/messages" in call.route for call in bench.discord.calls))
    stopping = asyncio.create_task(platform.stop())
    ended, _ = await asyncio.wait({stopping}, timeout=0.3)
    assert not ended, "the answer isn't waited for"
    held.set()
    await stopping
    assert len(bench.discord.replies(asked)) == 1


async def test_the_log_has_nothing_that_people_wrote_not_even_in_detail(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await bench.start()
        await bench.ask("!define slo zebra", by=bench.max)
        await bench.slash("define", term="zebra")
    assert "zebra" not in caplog.text
    assert bench.discord.token not in caplog.text


async def test_a_report_is_posted_or_it_is_said_why_not(bench: Bench) -> None:
    closed = bench.discord.channel(bench.ops, "closed", overwrites={bench.discord.me_user: (0, SEND_MESSAGES)})
    platform = bench.platform()
    report = Answer("list", "en", "public", (Paragraph("42 questions"),))
    with pytest.raises(ConnectError, match="isn't connected"):
        await platform.post(str(bench.talk.id), report)
    await platform.start()
    await platform.post(str(bench.talk.id), report)
    assert [bench.shown(message) for message in bench.discord.said(bench.talk)] == ["42 questions"]
    bench.discord.expect(10003)
    for channel, why in ((str(closed.id), "may not write"), ("5", "10003"), ("talk", "ValueError")):
        with pytest.raises(ConnectError, match=why):
            await platform.post(channel, report)


async def test_shards_of_one_process_serve_their_servers(bench: Bench) -> None:
    platform = await bench.start(discord_shards="0-1/2")
    await bench.discord.online(2)
    assert platform.connected
    assert "SLO" in bench.shown(await bench.ask("!define slo"))
