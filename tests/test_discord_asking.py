"""What a request needs from Discord before it's answered: permissions, channels, a preview."""

from __future__ import annotations

import asyncio

import pytest

from tests.discord_bench import Bench
from tests.discord_fake_world import MANAGE_CHANNELS, VIEW_CHANNEL

pytest_plugins = ("tests.discord_fixtures",)

HISTORY = "GET /channels/{channel}/messages"


async def test_the_state_of_notes_has_a_preview_of_the_last_messages(bench: Bench) -> None:
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "PagedAttention helped")
    assert "PagedAttention" in bench.shown((await bench.slash("autoexplain")).message)


async def test_a_preview_that_takes_long_is_left_out(bench: Bench) -> None:
    await bench.start()
    bench.discord.held[HISTORY] = asyncio.Event()
    panel = await bench.slash("autoexplain")
    assert "In the last" not in bench.shown(panel.message)
    bench.discord.held[HISTORY].set()


async def test_setting_notes_reads_no_messages(bench: Bench) -> None:
    await bench.start()
    await bench.slash("autoexplain", mode="all")
    assert not any(call.route == HISTORY for call in bench.discord.calls)


async def test_notes_are_not_switched_on_where_nothing_is_heard(bench: Bench) -> None:
    bench.talk.overwrites[bench.discord.me_user.id] = (0, VIEW_CHANNEL)
    await bench.start()
    refused = await bench.slash("autoexplain", mode="all")
    assert refused.message.seen_by is bench.lena
    assert "View Channel" in bench.shown(refused.message)


async def test_notes_are_not_switched_on_without_message_content(bench: Bench) -> None:
    bench.discord.flags, bench.discord.message_content = 0, False
    await bench.start()
    refused = await bench.slash("autoexplain", mode="all")
    assert refused.message.seen_by is bench.lena


@pytest.mark.parametrize(("everywhere", "off"), [(False, False), (True, True)])
async def test_who_manages_one_channel_does_not_switch_all_of_them_off(
    bench: Bench, everywhere: bool, off: bool
) -> None:
    other = bench.discord.channel(bench.ops, "other")
    if everywhere:
        bench.ops.members[bench.max.id].roles.append(bench.discord.role(bench.ops, "mods", MANAGE_CHANNELS))
    else:
        bench.talk.overwrites[bench.max.id] = (MANAGE_CHANNELS, 0)
    await bench.notes("all")
    await bench.notes("all", other)
    await bench.start()
    panel = await bench.slash("autoexplain", by=bench.max)
    await bench.press(panel.message, "Off everywhere", by=bench.max)
    await bench.discord.settled()
    assert bool(bench.discord.said(other)) == off


async def test_a_button_of_the_settings_needs_manage_channels(bench: Bench) -> None:
    bench.discord.command_allowed.add((bench.ops, bench.max, "autoexplain"))
    await bench.start()
    panel = await bench.slash("autoexplain", by=bench.max)
    refused = await bench.press(panel.message, "Everywhere", by=bench.max)
    assert "switched on" not in bench.shown(refused.message)
    allowed = await bench.slash("autoexplain", by=bench.max, mode="all")
    assert "switched on" in bench.shown(allowed.message)
