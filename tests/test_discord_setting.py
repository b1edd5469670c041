"""`/autoexplain` on Discord: who sets what, who is told, and where it can't work."""

from __future__ import annotations

import pytest

from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Place
from bot.state.ports import Mode
from tests.discord_bench import Bench
from tests.discord_fake_world import FORUM, MANAGE_CHANNELS, SEND_MESSAGES, VIEW_CHANNEL, Channel

pytest_plugins = ("tests.discord_fixtures",)


async def mode_of(bench: Bench, channel: Channel) -> Mode:
    return (await bench.store.channels.get(Place("discord", str(bench.ops.id), str(channel.id)))).mode


@pytest.mark.parametrize(("mode", "where"), [("all", "all messages"), ("threads", "threads")])
async def test_switching_notes_on_is_announced_with_who_did_it(bench: Bench, mode: str, where: str) -> None:
    await bench.start()
    asked = await bench.slash("autoexplain", mode=mode)
    assert await mode_of(bench, bench.talk) == mode
    said = [bench.shown(message) for message in bench.discord.said(bench.talk)]
    assert len(said) == 1
    assert "Lena" in said[0]
    assert where in said[0]
    assert asked.done


async def test_the_buttons_of_the_page_set_it_too_and_check_the_right_again(bench: Bench) -> None:
    await bench.start()
    page = (await bench.slash("autoexplain")).message
    await bench.press(page, "Everywhere")
    await bench.discord.settled()
    assert await mode_of(bench, bench.talk) == "all"
    bench.discord.command_allowed.add((bench.ops, bench.max, "autoexplain"))
    for label in ("Turn off", "In threads"):  # Discord let Max see the command; a button asks for Manage Channels
        theirs = (await bench.slash("autoexplain", by=bench.max)).message
        refused = await bench.press(theirs, label, by=bench.max)
        assert "Only those who may" in bench.shown(refused.message)
    await bench.discord.settled()
    assert await mode_of(bench, bench.talk) == "all"


async def test_a_language_and_a_level_are_set_with_it(bench: Bench) -> None:
    await bench.start()
    await bench.slash("autoexplain", mode="all", language="zh", level="advanced")
    channel = await bench.store.channels.get(Place("discord", str(bench.ops.id), str(bench.talk.id)))
    assert (channel.mode, channel.language, channel.advanced) == ("all", "zh-Hans", True)
    assert "Lena" in bench.shown(bench.discord.said()[0])


async def test_in_a_thread_it_is_about_the_channel(bench: Bench) -> None:
    thread = bench.discord.thread(bench.talk, "thread")
    await bench.start()
    await bench.slash("autoexplain", at=thread, mode="all")
    assert await mode_of(bench, bench.talk) == "all"


async def test_another_channel_is_set_from_here_and_told_there(bench: Bench) -> None:
    other = bench.discord.channel(bench.ops, "other")
    await bench.start()
    asked = await bench.slash("autoexplain", mode="all", channel=other)
    await bench.discord.settled()
    assert all(message.ephemeral for message in asked.messages)
    assert await mode_of(bench, other) == "all"
    assert await mode_of(bench, bench.talk) == "off"
    assert "Lena" in bench.shown(bench.discord.said(other)[0])
    assert bench.discord.said(bench.talk) == []


async def test_another_channel_needs_the_right_there(bench: Bench) -> None:
    managers = bench.discord.role(bench.ops, "managers")
    manager = bench.discord.join(bench.ops, bench.discord.user("Manager"), managers)
    here = bench.discord.channel(bench.ops, "here", overwrites={managers: (MANAGE_CHANNELS, 0)})
    await bench.start()
    asked = await bench.slash("autoexplain", by=manager, at=here, mode="all", channel=bench.talk)
    assert asked.message.ephemeral
    assert await mode_of(bench, bench.talk) == "off"
    assert bench.discord.said() == []


async def test_a_forum_is_set_by_naming_it(bench: Bench) -> None:
    forum = bench.discord.channel(bench.ops, "forum", type=FORUM)
    await bench.start()
    await bench.slash("autoexplain", mode="threads", channel=forum)
    assert await mode_of(bench, forum) == "threads"
    _, post = await bench.discord.forum_post(forum, bench.max, "Slow", "the KV cache is full")
    assert (await bench.discord.reply_to(post)).silent


async def test_the_page_lists_channels_with_notes_and_switches_all_off(bench: Bench) -> None:
    one, two = bench.discord.channel(bench.ops, "one"), bench.discord.channel(bench.ops, "two")
    for channel in (one, two):
        await bench.notes("all", channel)
    await bench.start()
    page = (await bench.slash("autoexplain")).message
    assert "one" in bench.shown(page)
    assert "two" in bench.shown(page)
    await bench.press(page, "Off everywhere")
    await bench.discord.settled()
    for channel in (one, two):
        assert await mode_of(bench, channel) == "off"
        assert "Lena" in bench.shown(bench.discord.said(channel)[0])
    assert bench.discord.said(bench.talk) == []


async def test_channels_that_a_person_does_not_see_are_not_listed_to_them(bench: Bench) -> None:
    managers = bench.discord.role(bench.ops, "managers", MANAGE_CHANNELS)
    manager = bench.discord.join(bench.ops, bench.discord.user("Manager"), managers)
    hides = {bench.ops.everyone: (0, VIEW_CHANNEL), bench.discord.me_user: (VIEW_CHANNEL, 0)}
    hidden = bench.discord.channel(bench.ops, "hidden-one", overwrites=hides)
    await bench.notes("all", hidden)
    await bench.notes("all")
    await bench.start()
    assert "hidden-one" not in bench.shown((await bench.slash("autoexplain", by=manager)).message)
    assert "hidden-one" in bench.shown((await bench.slash("autoexplain", by=bench.lena)).message)


async def test_where_the_bot_can_not_read_nothing_is_switched_on_and_the_reason_is_told(bench: Bench) -> None:
    shut = bench.discord.channel(bench.ops, "shut", overwrites={bench.discord.me_user: (0, VIEW_CHANNEL)})
    await bench.start()
    asked = await bench.slash("autoexplain", at=shut, mode="all")
    assert asked.message.ephemeral
    assert await mode_of(bench, shut) == "off"


async def test_without_the_intent_nothing_is_switched_on_and_the_reason_is_told(
    glossary: Glossary, phrases: Phrases
) -> None:
    async with Bench(glossary, phrases, message_content=False) as bench:
        await bench.start()
        asked = await bench.slash("autoexplain", mode="all")
        assert asked.message.ephemeral
        assert await mode_of(bench, bench.talk) == "off"
        assert "ntent" in bench.shown(asked.message)


async def test_an_announcement_that_can_not_be_posted_is_no_error(bench: Bench) -> None:
    """The change is told by the answer itself here, which Discord posts for the bot."""
    mute = bench.discord.channel(bench.ops, "mute", overwrites={bench.discord.me_user: (0, SEND_MESSAGES)})
    await bench.start()
    asked = await bench.slash("autoexplain", mode="all", channel=mute)
    assert all(message.ephemeral for message in asked.messages)


async def test_typed_settings_need_the_right_and_are_refused_without_it(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!autoexplain all", by=bench.max)
    assert await mode_of(bench, bench.talk) == "off"
    assert "Max" not in bench.shown(answer)
    await bench.ask("!autoexplain all", by=bench.lena)
    assert await mode_of(bench, bench.talk) == "all"


async def test_an_outage_of_a_server_forgets_nothing(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    await bench.discord.outage(bench.ops)
    await bench.discord.back(bench.ops)
    await bench.discord.settled()
    assert await mode_of(bench, bench.talk) == "all"
    await bench.ask("the KV cache is full", by=bench.max)


async def test_a_server_that_removes_the_bot_is_forgotten(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    await bench.discord.throw_out(bench.ops)
    await bench.discord.settled()
    assert await mode_of(bench, bench.talk) == "off"
    await bench.discord.invite(bench.ops)
    await bench.discord.settled()
    await bench.ask("!define slo")
