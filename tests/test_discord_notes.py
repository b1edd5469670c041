"""Notes that nobody asked for, on Discord: small, silent, and gone with what they explain."""

from __future__ import annotations

import logging

import pytest

from tests.discord_bench import Bench
from tests.discord_fake_world import SEND_MESSAGES, SUPPRESS_NOTIFICATIONS

pytest_plugins = ("tests.discord_fixtures",)

SAID = "PagedAttention and speculative decoding helped"


async def test_a_note_is_a_silent_reply_without_a_ping_and_no_thread(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await bench.ask(SAID, by=bench.max)
    assert "PagedAttention" in bench.shown(note)
    assert note.flags & SUPPRESS_NOTIFICATIONS
    assert note.pings == ()
    assert not any("/threads" in call.route for call in bench.discord.calls)


async def test_a_channel_that_nobody_switched_on_gets_none(bench: Bench) -> None:
    await bench.start()
    await bench.unanswered(SAID)


async def test_threads_follow_their_channel(bench: Bench) -> None:
    thread = bench.discord.thread(bench.talk, "a thread")
    await bench.notes("threads")
    await bench.start()
    await bench.unanswered(SAID)
    assert "PagedAttention" in bench.shown(await bench.ask(SAID, at=thread))


async def test_a_command_gets_its_answer_and_no_note(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    await bench.ask("!define PagedAttention")
    await bench.unanswered("!play PagedAttention")
    assert len(bench.discord.said()) == 1


async def test_an_edit_takes_a_term_out_of_the_note_and_puts_none_in(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, SAID)
    note = await bench.discord.reply_to(said)
    await bench.discord.edit(said, "PagedAttention and quantization helped")
    await bench.discord.until(lambda: "Speculative" not in bench.shown(note))
    assert "Quantization" not in bench.shown(note)
    await bench.discord.edit(said, "nothing helped")
    await bench.discord.until(lambda: note.deleted)


async def test_a_deleted_message_takes_its_note_along(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, SAID)
    note = await bench.discord.reply_to(said)
    await bench.discord.delete(said)
    await bench.discord.until(lambda: note.deleted)


async def test_a_note_that_could_not_be_posted_does_not_count(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    quiet = bench.discord.channel(bench.ops, "quiet", overwrites={bench.discord.me_user: (0, SEND_MESSAGES)})
    await bench.notes("all", quiet)
    await bench.start()
    with caplog.at_level(logging.WARNING):
        await bench.unanswered(SAID, at=quiet)
        await bench.unanswered(SAID, at=quiet)
    assert len([record for record in caplog.records if "nothing can be sent" in record.getMessage()]) == 1
    quiet.overwrites.clear()
    await bench.discord._channel_event("CHANNEL_UPDATE", quiet)
    assert "PagedAttention" in bench.shown(await bench.ask(SAID, at=quiet))


async def test_the_pages_behind_a_note_act_on_the_note(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await bench.ask(SAID, by=bench.max)
    page = (await bench.press(note, "⋯", by=bench.max)).message
    assert page.seen_by is bench.max
    await bench.press(page, "Remove this note", by=bench.max)
    await bench.discord.until(lambda: note.deleted)


async def test_a_reader_who_may_not_remove_a_note_is_told_so(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    kim = bench.discord.join(bench.ops, bench.discord.user("Kim"))
    note = await bench.ask(SAID, by=bench.max)
    page = (await bench.press(note, "⋯", by=kim)).message
    assert "Remove this note" not in bench.discord.buttons(page) or await bench.press(page, "Remove this note", by=kim)
    assert not note.deleted
