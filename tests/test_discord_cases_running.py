"""What has gone wrong in other bots on Discord where they run: registering, names, direct messages, threads, replicas.

The other cases stand in `test_discord_cases.py`.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.state.database import open_database
from tests.discord_bench import Bench
from tests.discord_fake_world import (
    PRIVATE_THREAD,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    VIEW_CHANNEL,
)

pytest_plugins = ("tests.discord_fixtures",)


# -- D15: registering


async def test_d15_commands_are_written_once_by_all_replicas_and_reconnects(tmp_path: Path, bench: Bench) -> None:
    platforms = [bench.platform() for _ in range(3)]
    await asyncio.gather(*(platform.start() for platform in platforms))
    assert len(bench.discord.command_writes) == 1
    for turn in range(3):
        await bench.discord.gateway.invalidate(resumable=True)
        await bench.discord.until(lambda turn=turn: len(bench.discord.gateway.resumes) >= 3 * (turn + 1), "resumes")
    await bench.discord.online(3)
    for platform in platforms:
        await platform.stop()
    await bench.start()
    assert len(bench.discord.command_writes) == 1


async def test_d15_changed_commands_are_written(bench: Bench) -> None:
    await bench.start()
    bench.discord.commands[0]["description"] = "Something older"
    await bench.restart()
    bench.discord.commands.pop()
    await bench.restart()
    assert len(bench.discord.command_writes) == 3


# -- D16: names and their localisations


async def test_d16_command_names_stay_english_and_the_rest_is_localised(bench: Bench) -> None:
    """That the names are ones that Discord takes, the fake has checked."""
    await bench.start()
    for command in bench.discord.commands:
        if command["type"] == 1:
            assert command["name"].isascii()
            assert not command["name_localizations"]
            assert {"zh-CN", "zh-TW"} <= command["description_localizations"].keys()
            assert all(option["name"].isascii() for option in command.get("options", []))
        else:
            assert {"zh-CN", "zh-TW"} <= command["name_localizations"].keys()


@pytest.mark.parametrize(
    ("locale", "chinese"), [("zh-CN", True), ("zh-TW", True), ("en-GB", False), ("de", False), ("ja", False)]
)
async def test_d16_the_language_of_discord_is_that_of_private_answers(bench: Bench, locale: str, chinese: bool) -> None:
    bench.lena.locale = locale
    await bench.start()
    shown = bench.shown((await bench.slash("define", term="slo")).message)
    assert ("团队" in shown) is chinese


# -- D17: direct messages


async def test_d17_everything_works_in_a_direct_message(bench: Bench) -> None:
    dm = bench.discord.dm(bench.lena)
    await bench.start()
    assert "SLO" in bench.shown((await bench.slash("define", at=dm, term="slo")).message)
    assert "中文" in bench.shown((await bench.slash("lang", at=dm, language="zh")).message)
    assert "团队" in bench.shown(await bench.ask("!define slo", at=dm))
    with pytest.raises(AssertionError, match="isn't offered"):
        await bench.slash("autoexplain", at=dm)


async def test_d17_everything_works_in_a_group_and_where_only_the_person_has_the_app(bench: Bench) -> None:
    guest = bench.discord.user("Guest", installed=True)
    theirs = bench.discord.guild("Theirs", guest, installed=False)
    await bench.start()
    for place in (bench.discord.group(guest, bench.max), bench.discord.channel(theirs, "talk")):
        asked = await bench.slash("define", by=guest, at=place, term="slo", language="en")
        assert asked.message.ephemeral
        pressed = await bench.press(asked.message, "中文", by=guest)
        assert "团队" in bench.shown(pressed.message)


# -- D18: threads


@pytest.mark.parametrize(
    ("denied", "answered"),
    [(SEND_MESSAGES, True), (SEND_MESSAGES_IN_THREADS, False), (VIEW_CHANNEL, False)],
    ids=["not in the channel", "not in threads", "not at all"],
)
async def test_d18_the_right_that_counts_in_a_thread_is_that_of_threads(
    bench: Bench, caplog: pytest.LogCaptureFixture, denied: int, answered: bool
) -> None:
    parent = bench.discord.channel(bench.ops, "parent", overwrites={bench.discord.me_user: (0, denied)})
    thread = bench.discord.thread(parent, "thread")
    await bench.start()
    with caplog.at_level(logging.WARNING):
        asked = await bench.discord.say(thread, bench.lena, "!define slo")
        await bench.discord.settled()
    assert len(bench.discord.replies(asked)) == answered
    assert len(caplog.records) == (0 if answered or denied == VIEW_CHANNEL else 1)
    assert (await bench.slash("define", at=thread, term="slo")).message.ephemeral


async def test_d18_a_private_thread_without_the_bot_gets_answers_to_commands(bench: Bench) -> None:
    thread = bench.discord.thread(bench.talk, "secret", private=True, people=(bench.lena,))
    assert thread.type == PRIVATE_THREAD
    await bench.start()
    asked = await bench.slash("define", at=thread, term="slo")
    assert "SLO" in bench.shown(asked.message)
    assert "SLO" in bench.shown((await bench.press(asked.message, "中文")).message)


async def test_d18_an_archived_thread_is_opened_by_a_question_and_a_locked_one_stays_as_it_is(bench: Bench) -> None:
    archived, locked = bench.discord.thread(bench.talk, "archived"), bench.discord.thread(bench.talk, "locked")
    await bench.start()
    await bench.discord.archive(archived)
    await bench.discord.archive(locked, locked=True)
    await bench.discord.settled()
    assert "SLO" in bench.shown(await bench.ask("!define slo", at=archived))
    await bench.unanswered("!define slo", at=locked)
    assert "SLO" in bench.shown((await bench.slash("define", at=locked, term="slo")).message)


# -- D19: two processes with one token


async def test_d19_two_processes_with_one_token_answer_once(
    tmp_path: Path, glossary: Glossary, phrases: Phrases
) -> None:
    async with Bench(glossary, phrases) as bench:
        bench.store = await open_database(f"sqlite:///{tmp_path / 'state.sqlite'}")
        other = await open_database(f"sqlite:///{tmp_path / 'state.sqlite'}")
        await bench.notes("all")
        try:
            await bench.start()
            await bench.platform(other).start()
            await bench.discord.online(2)
            for text in ("!define slo", "the KV cache is full again"):
                said = await bench.discord.say(bench.talk, bench.max, text)
                await bench.discord.reply_to(said)
                await bench.discord.settled()
                assert len(bench.discord.replies(said)) == bench.discord.tries(said) == 1
            bench.discord.expect(40060)  # Discord hands a command to both; the first one answers
            asked = await bench.slash("define", term="slo")
            await bench.discord.settled()
            assert len(asked.messages) == 1
            assert "(ref" not in bench.shown(asked.message)
        finally:
            await bench.stop()
            await other.close()
