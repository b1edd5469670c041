"""What people type to the bot in channels, threads and direct messages, and take back, through the real client."""

from __future__ import annotations

import asyncio

import pytest

from tests.discord_bench import Bench
from tests.discord_fake_world import (
    FORUM,
    IS_COMPONENTS_V2,
    MANAGE_MESSAGES,
    NEWS,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    VOICE,
)

pytest_plugins = ("tests.discord_fixtures",)

POST = "POST /channels/{channel}/messages"


# -- What is answered


@pytest.mark.parametrize(
    "text",
    [
        *("!define slo", "!DEFINE SLO", "！定义 slo", "、查 slo", "!define “slo”", "!define 'slo'", "!define «slo»"),
        *("!define what is an slo?", "{me} slo", "{me} what is an SLO?", "slo是什么 {me}", "!查 SLO", "!define  slo  "),
    ],
)
async def test_a_question_is_answered_as_a_reply_without_a_ping(bench: Bench, text: str) -> None:
    await bench.start()
    answer = await bench.ask(text.format(me=bench.discord.me_user.mention), by=bench.max)
    assert "SLO" in bench.shown(answer)
    assert answer.pings == ()
    assert answer.flags & IS_COMPONENTS_V2


@pytest.mark.parametrize(
    "text",
    [
        *("!help", "!play slo", "!", "!!define slo", "! define slo", "hello !define slo", "!definitely", "/define slo"),
        *("?define slo", "@everyone slo", "slo", "what is an slo?", "`!define slo`", "> {me} slo", "`{me}` slo"),
        *("{me} thanks", "{me} 谢谢", "{me} ok", "{me} this is a long sentence about the weather of today"),
    ],
)
async def test_what_is_said_to_others_or_to_nobody_gets_no_answer(bench: Bench, text: str) -> None:
    await bench.start()
    await bench.unanswered(text.format(me=bench.discord.me_user.mention), by=bench.max)


async def test_another_prefix_leaves_the_usual_one_to_other_bots(bench: Bench) -> None:
    await bench.start(discord_prefix="jar!")
    await bench.unanswered("!define slo")
    assert "SLO" in bench.shown(await bench.ask("jar!define slo"))
    assert "SLO" in bench.shown(await bench.ask("JAR!vs slo sla"))


async def test_a_direct_message_needs_no_prefix(bench: Bench) -> None:
    dm = bench.discord.dm(bench.max)
    await bench.start()
    for text in ("slo", "what is an SLO?", "!define slo", "slo vs sla", "help"):
        answer = await bench.ask(text, by=bench.max, at=dm)
        assert "🗑" not in bench.discord.buttons(answer)
    assert "团队" in bench.shown(await bench.ask("什么是 SLO", by=bench.max, at=dm))


async def test_threads_and_forum_posts_are_answered_where_they_are(bench: Bench) -> None:
    forum = bench.discord.channel(bench.ops, "forum", type=FORUM)
    await bench.start()
    thread = await bench.discord.open_thread(bench.talk, bench.max, "a thread")
    assert (await bench.ask("!define slo", at=thread, by=bench.max)).channel is thread
    post, _ = await bench.discord.forum_post(forum, bench.max, "Help", "the answer is slow")
    assert (await bench.ask("!define slo", at=post, by=bench.max)).channel is post


async def test_a_mention_with_explain_alone_in_a_thread_reads_the_thread(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "the KV cache is full")
    thread = await bench.discord.open_thread(bench.talk, bench.max, "a thread", on=said)
    await bench.discord.say(thread, bench.max, "and the TTFT is bad")
    for text in (f"{bench.discord.me_user.mention} explain", "!explain"):
        shown = bench.shown(await bench.ask(text, at=thread))
        assert "TTFT" in shown
        assert "KV cache" in shown


async def test_a_command_in_a_reply_answers_the_message_replied_to(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "what is TTFT even")
    asked = await bench.discord.say(bench.talk, bench.lena, "!define ttft", reply_to=said)
    answer = await bench.discord.reply_to(said)
    assert answer.pings == ()
    await bench.discord.settled()
    assert bench.discord.replies(asked) == []
    assert "🗑" in bench.discord.buttons(answer)


async def test_a_command_in_a_reply_to_a_message_of_discord_itself_is_answered_below(bench: Bench) -> None:
    """Nobody may reply to "Max joined the server" with Discord's API, though people can."""
    await bench.start()
    joined = await bench.discord.say(bench.talk, bench.max, "", kind=7)
    answer = await bench.ask("!define slo", reply_to=joined)
    assert "SLO" in bench.shown(answer)


@pytest.mark.parametrize("kind", [VOICE, NEWS], ids=["a voice channel", "an announcement channel"])
async def test_other_channels_with_messages_are_channels_too(bench: Bench, kind: int) -> None:
    channel = bench.discord.channel(bench.ops, "other", type=kind)
    await bench.notes("all", channel)
    await bench.start()
    assert "SLO" in bench.shown(await bench.ask("!define slo", at=channel))
    assert "KV cache" in bench.shown(await bench.ask("the KV cache is full", at=channel, by=bench.max))
    assert "KV cache" in bench.shown((await bench.slash("explain", at=channel)).message)


async def test_a_reply_to_the_bot_is_no_question_unless_it_says_so(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!define slo")
    await bench.unanswered("nice, what is an sla?", reply_to=answer, ping=True)
    assert "SLA" in bench.shown(await bench.ask("!define sla", reply_to=answer))


async def test_without_the_right_to_read_history_the_answer_is_no_reply_but_comes(bench: Bench) -> None:
    blind = bench.discord.channel(bench.ops, "blind", overwrites={bench.discord.me_user: (0, READ_MESSAGE_HISTORY)})
    await bench.start()
    await bench.discord.say(blind, bench.max, "!define slo")
    await bench.discord.until(lambda: bench.discord.said(blind), "an answer")
    assert "SLO" in bench.shown(bench.discord.said(blind)[0])


async def test_where_the_bot_may_not_write_it_says_so_once_in_the_log(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    shut = bench.discord.channel(bench.ops, "shut", overwrites={bench.discord.me_user: (0, SEND_MESSAGES)})
    await bench.start()
    for _ in range(3):
        await bench.unanswered("!define slo", at=shut)
    assert len(caplog.records) == 1


async def test_public_answers_do_not_repeat_what_was_typed(bench: Bench) -> None:
    await bench.start()
    assert "goodputy" not in bench.shown(await bench.ask("!define goodputy"))
    assert "speculativ " not in bench.shown(await bench.ask("!define speculativ decoding"))


# -- The same question again


async def test_the_same_question_within_a_minute_gets_a_line_with_a_link(bench: Bench) -> None:
    await bench.start()
    first = await bench.ask("!define slo", by=bench.lena)
    again = await bench.ask("!define slo", by=bench.max)
    assert first.url in bench.shown(again)
    assert len(bench.shown(again)) < 250
    elsewhere = bench.discord.channel(bench.ops, "elsewhere")
    await bench.discord.add_channel(bench.ops, "third")
    await bench.restart()
    assert "A quality target" in bench.shown(await bench.ask("!define slo", at=elsewhere))


async def test_an_answer_that_was_deleted_is_not_pointed_at(bench: Bench) -> None:
    await bench.start()
    first = await bench.ask("!define slo")
    await bench.press(first, "🗑")
    await bench.discord.until(lambda: first.deleted)
    await bench.discord.settled()
    assert "A quality target" in bench.shown(await bench.ask("!define slo", by=bench.max))


# -- 🗑


async def test_the_asker_and_who_manages_messages_delete_an_answer_and_nobody_else(bench: Bench) -> None:
    mods = bench.discord.role(bench.ops, "mods", MANAGE_MESSAGES)
    mod = bench.discord.join(bench.ops, bench.discord.user("Mod"), mods)
    ana = bench.discord.join(bench.ops, bench.discord.user("Ana"))
    await bench.start()
    answer = await bench.ask("!define slo", by=bench.max)
    refused = await bench.press(answer, "🗑", by=ana)
    assert refused.message.ephemeral
    assert not answer.deleted
    await bench.press(answer, "🗑", by=bench.max)
    await bench.discord.until(lambda: answer.deleted)
    other = await bench.ask("!define kv cache", by=bench.max)
    await bench.press(other, "🗑", by=mod)
    await bench.discord.until(lambda: other.deleted)
    assert bench.discord.said() == []


# -- Edits and deletions


async def test_an_edit_changes_the_answer_for_two_minutes(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.max, "!define throughput")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.edit(asked, "!define slo")
    await bench.discord.until(lambda: "SLO" in bench.shown(answer), "the changed answer")
    bench.discord.clock.advance(121)
    await bench.discord.edit(asked, "!define ttft")
    await bench.discord.settled()
    assert "SLO" in bench.shown(answer)
    assert bench.discord.said() == [answer]


async def test_an_edit_that_asks_nothing_any_more_takes_the_answer_back(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.max, "!define slo")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.edit(asked, "never mind")
    await bench.discord.until(lambda: answer.deleted)


async def test_an_edit_makes_no_answer_to_what_was_no_question(bench: Bench) -> None:
    await bench.start()
    asked = await bench.unanswered("hello", by=bench.max)
    await bench.discord.edit(asked, "!define slo")
    await bench.discord.settled()
    assert bench.discord.said() == []


async def test_a_deleted_question_takes_its_answer_with_it_also_after_a_restart(bench: Bench) -> None:
    await bench.start()
    for restart in (False, True):
        asked = await bench.discord.say(bench.talk, bench.max, f"!define {'sla' if restart else 'slo'}")
        answer = await bench.discord.reply_to(asked)
        await bench.discord.settled()
        if restart:
            await bench.restart()
        await bench.discord.delete(asked)
        await bench.discord.until(lambda answer=answer: answer.deleted, "the answer's end")


async def test_a_question_deleted_while_it_is_answered_leaves_nothing_behind(bench: Bench) -> None:
    await bench.start()
    held = bench.discord.held[POST] = asyncio.Event()
    asked = await bench.discord.say(bench.talk, bench.max, "!define slo")
    await bench.discord.until(lambda: bench.discord.calls[-1].route == POST, "the answer on its way")
    await bench.discord.delete(asked)
    held.set()
    await bench.discord.settled()
    assert bench.discord.said() == []


# -- Discord has too much


async def test_a_rate_limit_delays_answers_and_loses_none(bench: Bench) -> None:
    await bench.start()
    bench.discord.limits[POST] = (2, 0.3)
    asked = [
        await bench.discord.say(bench.talk, bench.max, f"!define {t}") for t in ("slo", "sla", "sli", "p99", "ttft")
    ]
    for question in asked:
        await bench.discord.reply_to(question)
    await bench.discord.settled()
    assert len(bench.discord.said()) == 5


@pytest.mark.parametrize("seconds", [0.2, -0.2], ids=["of the route", "global"])
async def test_a_429_is_waited_out(bench: Bench, seconds: float) -> None:
    await bench.start()
    bench.discord.limited_next[POST] = seconds
    await bench.ask("!define slo")
    assert bench.discord.limited == [POST]


async def test_a_server_error_of_discord_is_tried_again_and_answers_once(bench: Bench) -> None:
    await bench.start()
    bench.discord.failing[POST] = [502]
    asked = await bench.discord.say(bench.talk, bench.max, "!define slo")
    await bench.discord.reply_to(asked)
    await bench.discord.settled()
    assert len(bench.discord.replies(asked)) == 1
    bodies = [call.body for call in bench.discord.calls if call.route == POST]
    assert all(body["enforce_nonce"] and body["nonce"] == bodies[0]["nonce"] for body in bodies)


# -- The end


async def test_what_is_being_answered_when_the_process_is_stopped_is_answered(bench: Bench) -> None:
    platform = await bench.start()
    thread = await bench.discord.open_thread(bench.talk, bench.max, "a thread")
    await bench.discord.say(thread, bench.max, "the KV cache is full")
    route = "GET /channels/{channel}/messages"
    held = bench.discord.held[route] = asyncio.Event()
    asked = await bench.discord.say(thread, bench.max, "!explain")
    await bench.discord.until(lambda: bench.discord.calls[-1].route == route, "the answer in the making")
    stopping = asyncio.create_task(platform.stop())
    await asyncio.wait({stopping}, timeout=0.2)
    assert not stopping.done(), "it waits for nobody"
    later = await bench.discord.say(bench.talk, bench.max, "!define sla")
    held.set()
    await stopping
    assert "KV cache" in bench.shown(bench.discord.replies(asked)[0])
    assert bench.discord.replies(later) == []
    assert not platform.connected
    await platform.stop()
