"""Conversations for a digest: what the bot may read, and no more of it than is of use."""

from __future__ import annotations

import pytest

from tests.discord_bench import Bench
from tests.discord_fake_world import READ_MESSAGE_HISTORY, VIEW_CHANNEL

pytest_plugins = ("tests.discord_fixtures",)


async def test_explain_alone_reads_the_last_messages_of_people(bench: Bench) -> None:
    relay = bench.discord.user("Relay", bot=True)
    bench.discord.join(bench.ops, relay)
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "our TTFT is bad")
    await bench.discord.say(bench.talk, relay, "quantization")
    digest = await bench.slash("explain")
    assert digest.message.seen_by is bench.lena
    assert "TTFT" in bench.shown(digest.message)
    assert "Quantization" not in bench.shown(digest.message)
    assert f"/{said.id})" in bench.shown(digest.message)
    assert "1 message" in bench.shown(digest.message)


async def test_only_so_many_are_read_as_were_asked_for(bench: Bench) -> None:
    await bench.start()
    for text in ("quantization", "PagedAttention", "TTFT"):
        await bench.discord.say(bench.talk, bench.max, text)
    shown = bench.shown((await bench.slash("explain", last=2)).message)
    assert "PagedAttention" in shown
    assert "Quantization" not in shown


async def test_a_thread_is_read_whole_without_the_question_about_it(bench: Bench) -> None:
    thread = bench.discord.thread(bench.talk, "a thread")
    await bench.start()
    for number in range(120):
        await bench.discord.say(thread, bench.max, "quantization" if number == 0 else f"message {number}")
    assert "Quantization" in bench.shown((await bench.slash("explain", at=thread)).message)
    shown = bench.shown(await bench.ask("!explain", at=thread))
    assert "Quantization" in shown
    shown = bench.shown((await bench.slash("explain", at=thread, last=20)).message)
    assert "Quantization" not in shown


async def test_pages_of_a_digest_are_read_anew(bench: Bench) -> None:
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "quantization, PagedAttention, TTFT, KV cache, SLO, SLA, TPOT")
    digest = await bench.slash("explain")
    first = bench.shown(digest.message)
    await bench.press(digest.message, "Next ›")
    await bench.discord.until(lambda: bench.shown(digest.message) != first, "the second page")
    assert "‹" in bench.shown(digest.message)


@pytest.mark.parametrize(
    ("denied", "says"), [(VIEW_CHANNEL, "View Channel"), (READ_MESSAGE_HISTORY, "Read Message History")]
)
async def test_who_may_not_read_says_what_to_change(bench: Bench, denied: int, says: str) -> None:
    bench.talk.overwrites[bench.discord.me_user.id] = (0, denied)
    await bench.start()
    refused = await bench.slash("explain")
    assert refused.message.seen_by is bench.lena
    assert says in bench.shown(refused.message)


async def test_without_message_content_nothing_is_read(bench: Bench) -> None:
    bench.discord.flags, bench.discord.message_content = 0, False
    await bench.start()
    refused = await bench.slash("explain")
    assert "Message Content" in bench.shown(refused.message)
    assert not any(call.route.startswith("GET /channels") for call in bench.discord.calls)


async def test_a_private_server_of_others_cannot_be_read(bench: Bench) -> None:
    guest = bench.discord.user("Guest", installed=True)
    far = bench.discord.guild("Far", guest, installed=False)
    there = bench.discord.channel(far, "there")
    await bench.start()
    refused = await bench.slash("explain", by=guest, at=there)
    assert refused.message.seen_by is guest
    assert "View Channel" in bench.shown(refused.message)


async def test_the_message_that_a_thread_was_started_from_counts(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "quantization")
    thread = await bench.discord.open_thread(bench.talk, bench.max, "a thread", on=said)
    await bench.discord.say(thread, bench.max, "TTFT")
    assert "TTFT" in bench.shown((await bench.slash("explain", at=thread)).message)


async def test_discord_away_is_no_traceback(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    await bench.start()
    bench.discord.failing["GET /channels/{channel}/messages"] = [403]
    refused = await bench.slash("explain")
    assert refused.message.seen_by is bench.lena
    assert "Traceback" not in caplog.text
