"""Notes that nobody asked for, on Discord: where they come, how quietly, and what people do with them."""

from __future__ import annotations

import asyncio

import pytest

from bot.request import Person
from tests.discord_bench import Bench
from tests.discord_fake_world import FORUM, MANAGE_CHANNELS, MANAGE_MESSAGES, SEND_MESSAGES, Channel, Message

pytest_plugins = ("tests.discord_fixtures",)

JARGON = "the KV cache is full because of continuous batching"


async def noted(bench: Bench, text: str = JARGON, at: Channel | None = None) -> Message:
    """The note under a message of Max's."""
    return await bench.discord.reply_to(await bench.discord.say(at or bench.talk, bench.max, text))


# -- Where and how


async def test_a_note_is_a_quiet_reply_of_three_lines_and_opens_no_thread(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await noted(bench, "TTFT, KV cache, PSI, SLO and continuous batching")
    assert note.silent
    assert note.pings == ()
    shown = bench.shown(note)
    assert "Max" not in shown
    assert len([line for line in shown.splitlines() if line.startswith("**")]) <= 3
    assert bench.discord.buttons(note)[-1] == "⋯"
    assert not any("threads" in call.route for call in bench.discord.calls)


async def test_threads_mode_is_for_threads_and_forum_posts_of_the_channel(bench: Bench) -> None:
    forum = bench.discord.channel(bench.ops, "forum", type=FORUM)
    await bench.notes("threads")
    await bench.notes("threads", forum)
    await bench.start()
    await bench.unanswered(JARGON, by=bench.max)
    thread = await bench.discord.open_thread(bench.talk, bench.max, "a thread")
    assert (await noted(bench, at=thread)).channel is thread
    _, post = await bench.discord.forum_post(forum, bench.max, "Slow", JARGON)
    assert (await bench.discord.reply_to(post)).silent


async def test_off_is_the_default(bench: Bench) -> None:
    await bench.start()
    await bench.unanswered(JARGON, by=bench.max)


async def test_a_term_is_explained_once_per_channel(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    await noted(bench)
    await bench.unanswered(JARGON, by=bench.lena)


@pytest.mark.parametrize(
    "text", ["?define KV cache", "$KV cache", "/KV cache", "{me} KV cache", "`KV cache`", "good morning"]
)
async def test_commands_to_bots_and_code_get_no_note(bench: Bench, text: str) -> None:
    await bench.notes("all")
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, text.format(me=bench.discord.me_user.mention))
    await bench.discord.settled()
    assert not any(reply.silent for reply in bench.discord.replies(said))


async def test_an_old_message_gets_no_note(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    await bench.unanswered(JARGON, by=bench.max, ago=130)


async def test_where_it_can_not_be_posted_nothing_counts_as_explained(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    bench.discord.failing["POST /channels/{channel}/messages"] = 403
    await bench.unanswered(JARGON, by=bench.max)
    assert "KV cache" in bench.shown(await noted(bench))


async def test_without_the_right_to_write_there_is_no_note(bench: Bench) -> None:
    shut = bench.discord.channel(bench.ops, "shut", overwrites={bench.discord.me_user: (0, SEND_MESSAGES)})
    await bench.notes("all", shut)
    await bench.start()
    await bench.unanswered(JARGON, by=bench.max, at=shut)


# -- Edits and deletions


async def test_an_edit_by_its_author_shortens_or_removes_the_note_and_a_preview_does_not(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await noted(bench)
    assert note.reply_to is not None
    await bench.discord.unfurl(note.reply_to)
    await bench.discord.settled()
    assert note.versions == 1
    await bench.discord.edit(note.reply_to, "the KV cache is full")
    await bench.discord.until(lambda: "Continuous batching" not in bench.shown(note))
    assert "KV cache" in bench.shown(note)
    await bench.discord.edit(note.reply_to, "never mind; TTFT is what I meant")
    await bench.discord.until(lambda: note.deleted)
    await bench.discord.settled()
    assert bench.discord.said() == []


async def test_a_deleted_message_takes_its_note_with_it(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await noted(bench)
    assert note.reply_to is not None
    await bench.discord.settled()
    await bench.discord.delete(note.reply_to)
    await bench.discord.until(lambda: note.deleted)


async def test_a_message_deleted_before_its_note_is_out_keeps_none(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    route = "POST /channels/{channel}/messages"
    held = bench.discord.held[route] = asyncio.Event()
    said = await bench.discord.say(bench.talk, bench.max, JARGON)
    await bench.discord.until(lambda: bench.discord.calls[-1].route == route, "the note on its way")
    await bench.discord.delete(said)
    held.set()
    await bench.discord.settled()
    assert bench.discord.said() == []


# -- What people do with a note


async def test_a_term_opens_privately_and_the_note_stays_for_all(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await noted(bench)
    before = bench.shown(note)
    opened = await bench.press(note, "KV cache", by=bench.lena)
    assert opened.message.ephemeral
    assert "KV cache" in bench.shown(opened.message)
    assert bench.shown(note) == before


async def test_the_language_button_of_a_note_gives_a_private_copy(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await noted(bench)
    copy = await bench.press(note, "中文", by=bench.lena)
    assert copy.message.ephemeral
    assert "批处理" in bench.shown(copy.message)


async def test_the_page_behind_the_dots_is_private_and_offers_what_there_is_to_do(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    page = (await bench.press(await noted(bench, "the KV cache is full"), "⋯", by=bench.max)).message
    assert page.ephemeral
    assert bench.discord.buttons(page)[:3] == ["Wrong meaning here", "I know these", "Not under my messages"]


@pytest.mark.parametrize("restarted", [False, True])
async def test_the_author_removes_the_note_from_the_page_behind_the_dots(bench: Bench, restarted: bool) -> None:
    await bench.notes("all")
    await bench.start()
    note = await noted(bench)
    page = (await bench.press(note, "⋯", by=bench.max)).message
    if restarted:
        await bench.restart()
    await bench.press(page, "Remove this note", by=bench.max)
    await bench.discord.until(lambda: note.deleted)


async def test_who_manages_messages_removes_a_note_and_others_get_a_private_no(bench: Bench) -> None:
    mods = bench.discord.role(bench.ops, "mods", MANAGE_MESSAGES)
    mod = bench.discord.join(bench.ops, bench.discord.user("Mod"), mods)
    ana = bench.discord.join(bench.ops, bench.discord.user("Ana"))
    await bench.notes("all")
    await bench.start()
    note = await noted(bench)
    page = (await bench.press(note, "⋯", by=ana)).message
    refused = await bench.press(page, "Remove this note", by=ana)
    assert all(message.ephemeral for message in refused.messages)
    assert not note.deleted
    page = (await bench.press(note, "⋯", by=mod)).message
    await bench.press(page, "Remove this note", by=mod)
    await bench.discord.until(lambda: note.deleted)


async def test_wrong_meaning_by_the_author_takes_the_term_out_at_once(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    note = await noted(bench, "the KV cache is full")
    page = (await bench.press(note, "⋯", by=bench.max)).message
    await bench.press(page, "Wrong meaning here", by=bench.max)
    await bench.discord.until(lambda: note.deleted, "the note's end")


async def test_wrong_meaning_by_others_takes_two(bench: Bench) -> None:
    ana = bench.discord.join(bench.ops, bench.discord.user("Ana"))
    await bench.notes("all")
    await bench.start()
    note = await noted(bench, "the KV cache is full")
    await bench.press((await bench.press(note, "⋯", by=bench.lena)).message, "Wrong meaning here", by=bench.lena)
    await bench.discord.settled()
    assert not note.deleted
    await bench.press((await bench.press(note, "⋯", by=ana)).message, "Wrong meaning here", by=ana)
    await bench.discord.until(lambda: note.deleted, "the note's end")


async def test_not_under_my_messages_holds_everywhere_for_this_person(bench: Bench) -> None:
    other = bench.discord.channel(bench.ops, "other")
    await bench.notes("all")
    await bench.notes("all", other)
    await bench.start()
    page = (await bench.press(await noted(bench), "⋯", by=bench.max)).message
    await bench.press(page, "Not under my messages", by=bench.max)
    await bench.discord.settled()
    assert (await bench.store.people.get(Person("discord", "", str(bench.max.id)))).muted
    await bench.unanswered(JARGON, by=bench.max, at=other)


async def test_i_know_these_says_what_it_does_and_is_undone(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    page = (await bench.press(await noted(bench), "⋯", by=bench.max)).message
    pressed = await bench.press(page, "I know these", by=bench.max)
    person = Person("discord", "", str(bench.max.id))
    assert len((await bench.store.people.get(person)).known) == 2
    await bench.press(pressed.message, "Undo", by=bench.max)
    assert not (await bench.store.people.get(person)).known


async def test_notes_in_this_channel_leads_who_may_to_its_settings(bench: Bench) -> None:
    managers = bench.discord.role(bench.ops, "managers", MANAGE_CHANNELS)
    manager = bench.discord.join(bench.ops, bench.discord.user("Manager"), managers)
    await bench.notes("all")
    await bench.start()
    note = await noted(bench)
    page = (await bench.press(note, "⋯", by=manager)).message
    settings = await bench.press(page, "Notes in this channel…", by=manager)
    assert "everywhere" in bench.shown(settings.message)
    assert settings.message.ephemeral
    off = await bench.press(settings.message, "Turn off", by=manager)
    assert off.done
    await bench.discord.until(
        lambda: any("off" in bench.shown(said) for said in bench.discord.said()), "the announcement"
    )
    await bench.unanswered("TTFT is bad", by=bench.max)
