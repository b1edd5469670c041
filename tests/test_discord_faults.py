"""Connections that don't come about, break, or are ended by Discord: what the platform does, and what it tells."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.errors import ConnectError
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from tests.discord_bench import Bench
from tests.discord_fake_gateway import MESSAGE_CONTENT

pytest_plugins = ("tests.discord_fixtures",)


async def refused(bench: Bench, **settings: str) -> str:
    """The one line that the start ends with."""
    platform = bench.platform(**settings)
    with pytest.raises(ConnectError) as caught:
        await platform.start()
    line = str(caught.value)
    assert "\n" not in line
    assert bench.discord.token not in line
    assert not platform.connected
    return line


async def works(bench: Bench) -> None:
    assert "SLO" in bench.shown(await bench.ask("!define slo", by=bench.max))


# -- What doesn't come about


async def test_a_wrong_token_ends_the_start_with_what_to_do(bench: Bench) -> None:
    bench.discord.expect(401)
    assert "DISCORD_TOKEN" in await refused(bench, discord_token="not.the.token")


@pytest.mark.parametrize(
    ("code", "named"), [(4004, "DISCORD_TOKEN"), (4014, "Message Content Intent"), (4010, "SHARDS")]
)
async def test_a_gateway_that_refuses_ends_the_start_with_what_to_do(bench: Bench, code: int, named: str) -> None:
    bench.discord.gateway.close_next = [code]
    assert named in await refused(bench)


async def test_an_intent_that_is_off_in_spite_of_its_flag_ends_the_start(bench: Bench) -> None:
    bench.discord.message_content = False  # and the flags still say that it's on
    bench.discord.expect(4014)
    assert "Message Content Intent" in await refused(bench)


async def test_too_few_shards_end_the_start(bench: Bench) -> None:
    bench.discord.needed_shards = 4
    bench.discord.expect(4011)
    assert "DISCORD_SHARDS" in await refused(bench, discord_shards="0-1/2")


async def test_an_api_that_is_not_there_ends_the_start(bench: Bench) -> None:
    await bench.discord.stop_listening()
    line = await refused(bench)
    assert "DISCORD_API_URL" in line
    assert "127.0.0.1" in line


async def test_a_gateway_that_can_not_be_reached_ends_the_start(bench: Bench) -> None:
    bench.discord.gateway.refuse = [503] * 50
    await refused(bench)


async def test_a_first_connection_that_fails_for_a_passing_reason_is_tried_again(bench: Bench) -> None:
    bench.discord.gateway.refuse = [503, 502]
    bench.discord.failing["GET /gateway/bot"] = [503]
    await bench.start()
    await works(bench)


async def test_a_first_session_that_breaks_is_begun_again(bench: Bench) -> None:
    bench.discord.gateway.close_next = [4000]
    await asyncio.wait_for(bench.start(), 10)
    await works(bench)


async def test_without_the_flag_the_intent_is_not_asked_for(glossary: Glossary, phrases: Phrases) -> None:
    async with Bench(glossary, phrases, message_content=False) as bench:
        await bench.start()
        assert not bench.discord.gateway.identifies[0]["intents"] & MESSAGE_CONTENT


@pytest.mark.parametrize("route", ["GET /users/@me", "GET /gateway/bot", "GET /applications/{application}/commands"])
async def test_a_stop_while_it_starts_ends_the_start_and_leaves_nothing_open(bench: Bench, route: str) -> None:
    bench.discord.held[route] = held = asyncio.Event()
    platform = bench.platform()
    starting = asyncio.create_task(platform.start())
    await bench.discord.until(lambda: any(call.route == route for call in bench.discord.calls), "the start on its way")
    starting.cancel()
    await platform.stop()
    held.set()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await bench.discord.until(lambda: not bench.discord.gateway.online(), "the end of all connections")
    assert not platform.connected


# -- What breaks later


async def test_a_dropped_connection_is_resumed_and_nothing_is_missed(bench: Bench) -> None:
    platform = await bench.start()
    assert platform.connected
    bench.discord.gateway.drop()
    assert "SLO" in bench.shown(await bench.ask("!define slo", by=bench.max))
    assert len(bench.discord.gateway.resumes) == 1
    assert len(bench.discord.gateway.identifies) == 1
    assert platform.connected


async def test_op_7_is_followed_at_the_address_that_discord_gave(bench: Bench) -> None:
    await bench.start()
    await bench.discord.gateway.ask_to_reconnect()
    await bench.discord.until(lambda: bench.discord.gateway.resumes, "a resume")
    await works(bench)
    assert bench.discord.gateway.addresses == ["/gateway/", "/resume/"]


async def test_after_an_invalid_session_the_set_api_is_asked_for_its_gateway_again(bench: Bench) -> None:
    await bench.start(discord_shards="0/1")
    await bench.discord.gateway.invalidate(resumable=False)
    await bench.discord.until(lambda: len(bench.discord.gateway.identifies) == 2, "a second identify")
    await works(bench)
    assert bench.discord.gateway.addresses == ["/gateway/", "/gateway/"]
    assert [call.route for call in bench.discord.calls].count("GET /gateway/bot") == 2


async def test_an_answer_that_was_sent_before_a_break_is_not_sent_again_after_it(bench: Bench) -> None:
    """What Discord replays is the same message, and it's taken care of."""
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.max, "!define slo")
    await bench.discord.reply_to(asked)
    await bench.discord.tell("MESSAGE_CREATE", asked)
    await bench.discord.settled()
    assert len(bench.discord.replies(asked)) == bench.discord.tries(asked) == 1


async def test_a_token_that_is_revoked_later_ends_the_run_with_one_line(bench: Bench) -> None:
    platform = await bench.start()
    await bench.discord.gateway.close(4004)
    with pytest.raises(ConnectError, match="DISCORD_TOKEN"):
        await asyncio.wait_for(platform.wait(), 5)
    assert not platform.connected


# -- Shards


async def test_a_process_takes_its_share_of_the_shards_of_a_given_count(bench: Bench) -> None:
    """Two of four: only the servers that lie there are answered."""
    here = bench.discord.channel(bench.discord.guild("Here", bench.lena, shard=1, shards=4), "here")
    elsewhere = bench.discord.channel(bench.discord.guild("Elsewhere", bench.lena, shard=3, shards=4), "elsewhere")
    await bench.start(discord_shards="0-1/4")
    assert [identify["shard"] for identify in bench.discord.gateway.identifies] == [[0, 4], [1, 4]]
    assert set(bench.discord.gateway.addresses) == {"/gateway/"}
    await bench.ask("!define slo", at=here)
    await bench.unanswered("!define slo", at=elsewhere)


async def test_without_a_share_all_shards_that_discord_advises_are_opened_and_answer(bench: Bench) -> None:
    bench.discord.advised_shards = 3
    channels = [
        bench.discord.channel(bench.discord.guild(f"Server {shard}", bench.lena, shard=shard, shards=3), "talk")
        for shard in range(3)
    ]
    platform = await bench.start()
    assert [identify["shard"] for identify in bench.discord.gateway.identifies] == [[0, 3], [1, 3], [2, 3]]
    for place in (*channels, bench.discord.dm(bench.lena)):
        assert "SLO" in bench.shown(await bench.ask("!define slo", at=place))
    await bench.discord.gateway.invalidate(resumable=False)
    await bench.discord.until(lambda: len(bench.discord.gateway.identifies) == 6, "new sessions")
    await bench.discord.online(3)
    for place in channels:
        assert "SLA" in bench.shown(await bench.ask("!define sla", at=place))
    assert platform.connected


@pytest.mark.parametrize("share", ["3-1/4", "0-4/4", "4/4", "0/0"])
async def test_a_share_that_makes_no_sense_is_told_before_anything_is_sent(bench: Bench, share: str) -> None:
    with pytest.raises(Exception, match="DISCORD_SHARDS"):
        await bench.platform(discord_shards=share).start()
    assert bench.discord.calls == []


# -- What the log gets


async def test_nothing_that_people_write_reaches_the_log_whatever_breaks(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await bench.start()
        bench.discord.failing["POST /channels/{channel}/messages"] = 403
        asked = await bench.discord.say(bench.talk, bench.max, "!define confidential-word")
        await bench.discord.settled()
        bench.discord.gateway.drop()
        await bench.discord.until(lambda: bench.discord.gateway.resumes, "a resume")
    assert asked.content
    ours = [record for record in caplog.records if not record.name.startswith(("asyncio", "aiohttp"))]
    logged = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in ours)
    assert "confidential-word" not in logged
    assert bench.discord.token not in logged
    assert "Max" not in logged
