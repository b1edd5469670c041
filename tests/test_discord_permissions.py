"""What the bot may do where, as Discord's permissions say."""

from __future__ import annotations

import discord
import pytest

from adapters.discord.client import Client
from adapters.discord.permissions import hears, may_reply, may_speak, rights, visible_channels
from tests.discord_bench import Bench
from tests.discord_fake_world import (
    MANAGE_CHANNELS,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    VIEW_CHANNEL,
)

pytest_plugins = ("tests.discord_fixtures",)


async def client_of(bench: Bench) -> Client:
    """The client behind a platform that runs."""
    platform = await bench.start()
    client = platform._client
    assert client is not None
    await bench.discord.until(lambda: any(not guild.unavailable for guild in client.guilds), "the server")
    return client


@pytest.mark.parametrize(
    ("denied", "in_channel", "in_thread"),
    [
        (0, True, True),
        (SEND_MESSAGES, False, True),
        (SEND_MESSAGES_IN_THREADS, True, False),
        (VIEW_CHANNEL, False, False),
    ],
    ids=["nothing", "Send Messages", "Send Messages in Threads", "View Channel"],
)
async def test_threads_have_a_permission_of_their_own(
    bench: Bench, denied: int, in_channel: bool, in_thread: bool
) -> None:
    bench.talk.overwrites[bench.discord.me_user.id] = (0, denied)
    thread = bench.discord.thread(bench.talk, "a thread")
    client = await client_of(bench)
    assert may_speak(client.get_channel(bench.talk.id)) == in_channel
    assert may_speak(client.get_channel(thread.id)) == in_thread


async def test_a_locked_thread_is_closed_and_an_archived_one_is_not(bench: Bench) -> None:
    archived, locked = bench.discord.thread(bench.talk, "archived"), bench.discord.thread(bench.talk, "locked")
    client = await client_of(bench)
    kept = {thread.id: client.get_channel(thread.id) for thread in (archived, locked)}
    await bench.discord.archive(archived)
    await bench.discord.archive(locked, locked=True)
    await bench.discord.settled()
    assert may_speak(kept[archived.id])
    assert not may_speak(kept[locked.id])


async def test_of_a_thread_that_nothing_is_known_of_discord_decides(bench: Bench) -> None:
    client = await client_of(bench)
    assert may_speak(client.get_partial_messageable(5, guild_id=bench.ops.id))


async def test_a_private_thread_is_closed_to_whoever_is_not_in_it(bench: Bench) -> None:
    thread = bench.discord.thread(bench.talk, "secret", private=True, people=(bench.lena,))
    client = await client_of(bench)
    there = client.get_channel(thread.id)
    if there is not None:
        assert rights(there) == discord.Permissions.none()
    assert hears(there, reads=True) == "not-member"


async def test_replies_need_the_history(bench: Bench) -> None:
    bench.talk.overwrites[bench.discord.me_user.id] = (0, READ_MESSAGE_HISTORY)
    client = await client_of(bench)
    assert not may_reply(client.get_channel(bench.talk.id))
    said = await bench.discord.say(bench.talk, bench.lena, "!define slo")
    await bench.discord.until(lambda: bench.discord.said(bench.talk), "an answer")
    assert bench.discord.replies(said) == []


@pytest.mark.parametrize(("reads", "expected"), [(True, "all"), (False, "not-allowed")])
async def test_what_is_heard_depends_on_the_intent(bench: Bench, reads: bool, expected: str) -> None:
    hidden = bench.discord.channel(bench.ops, "hidden", overwrites={bench.discord.me_user: (0, VIEW_CHANNEL)})
    client = await client_of(bench)
    assert hears(client.get_channel(bench.talk.id), reads=reads) == expected
    assert hears(client.get_channel(hidden.id), reads=reads) == "not-member"
    assert hears(None, reads=reads) == "not-member"


async def test_a_member_sees_the_names_of_their_channels_only(bench: Bench) -> None:
    hidden = bench.discord.channel(bench.ops, "hidden", overwrites={bench.max: (0, VIEW_CHANNEL)})
    await bench.notes("all", hidden)
    await bench.notes("all")
    bench.talk.overwrites[bench.max.id] = (MANAGE_CHANNELS, 0)
    client = await client_of(bench)
    guild = client.get_guild(bench.ops.id)
    assert guild is not None
    assert set(visible_channels(guild, guild.me).values()) == {"talk", "hidden"}
    assert "#hidden" not in bench.shown((await bench.slash("autoexplain", by=bench.max)).message)
    assert "#hidden" in bench.shown((await bench.slash("autoexplain")).message)


@pytest.mark.parametrize(("allowed", "may"), [(0, False), (MANAGE_CHANNELS, True)])
async def test_typed_settings_need_manage_channels(bench: Bench, allowed: int, may: bool) -> None:
    bench.talk.overwrites[bench.max.id] = (allowed, 0)
    await bench.start()
    assert ("switched on" in bench.shown(await bench.ask("!autoexplain all", by=bench.max))) == may
