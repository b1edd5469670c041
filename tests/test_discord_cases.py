"""What has gone wrong in other bots on Discord, each as its whole kind, through the real client.

The letters and numbers are those of the collected cases, where a line names embeds, our form is components v2.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import decode
from bot.state.database import open_database
from tests.discord_bench import Bench
from tests.discord_fake_components import BUTTON, SELECT, walk
from tests.discord_fake_world import (
    SUPPRESS_EMBEDS,
    Message,
)
from tests.fakes import FailingStore, SilentStore
from tests.little import concept

pytest_plugins = ("tests.discord_fixtures",)


def requests_on(message: Message) -> list[str]:
    """The strings of all buttons and options of a message."""
    return buttons_of(message) + [
        o["value"] for c in walk(message.components) if c["type"] == SELECT for o in c["options"]
    ]


def buttons_of(message: Message) -> list[str]:
    return [c["custom_id"] for c in walk(message.components) if c["type"] == BUTTON and "custom_id" in c]


# -- D02: custom ids


AWKWARD = Glossary(
    [
        concept("kv_cache", "KV_cache", zh=["键值缓存" * 15], confusable_with=["int8-w8a8"]),
        concept("int8-w8a8", "INT8-W8A8 " + "activation " * 10, confusable_with=["a:b"]),
        concept("a:b", "A:B", related=[f"other-{number}" for number in range(26)]),
        *[concept(f"other-{number}", f"Other {number} " + "long " * 20) for number in range(26)],
    ]
)


@pytest.mark.parametrize("term", ["KV_cache", ("INT8-W8A8 " + "activation " * 10).strip(), "A:B"], ids=["_", "-", ":"])
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_d02_ids_and_labels_of_any_length_and_letters_fit_and_work(
    phrases: Phrases, term: str, language: str
) -> None:
    async with Bench(AWKWARD, phrases) as bench:
        await bench.start()
        shown = (await bench.slash("define", term=term, language=language)).message
        strings = requests_on(shown)
        assert strings
        for string in strings:
            assert decode(string).action
            again = (await bench.slash("define", term=term, language=language)).message
            act = bench.press if string in buttons_of(again) else bench.choose
            pressed = await act(again, string)
            assert "no longer" not in bench.shown(pressed.message)


# -- D03: the budget of a message


BIG = Glossary(
    [
        concept("one", "One", *[f"One alias {number} " + "x" * 60 for number in range(26)], text="Long words. " * 340),
        concept("two", "Two", zh=["二"], text="*_~`|>#[](x) " * 310),
        concept("three", "Three", zh=["三"], text="很长的句子。" * 670),
        concept("four", "Four", text="🚀" * 4000),
    ]
)


@pytest.mark.parametrize("asked", ["One", "Two", "Three", "Four", "二", "三"])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
async def test_d03_texts_beyond_discords_budget_are_cut_not_lost(asked: str, locale: str, phrases: Phrases) -> None:
    async with Bench(BIG, phrases) as bench:
        bench.lena.locale = locale
        await bench.start()
        assert "…" in bench.shown((await bench.slash("define", term=asked)).message)
        assert "…" in bench.shown(await bench.ask(f"!define {asked}"))


# -- D05: one answer per interaction, with the visibility that was promised


async def test_d05_a_late_answer_is_as_private_as_its_deferral(bench: Bench) -> None:
    held = bench.discord.held["GET /channels/{channel}/messages"] = asyncio.Event()
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "what about the KV cache?")
    asked = await bench.discord.slash(bench.lena, bench.talk, "explain", wait=False)
    await bench.discord.until(lambda: asked.response is not None, "a deferral")
    assert asked.original is not None
    assert asked.original.ephemeral
    held.set()
    await bench.discord.until(lambda: asked.done)
    assert asked.message.ephemeral
    assert "KV cache" in bench.shown(asked.message)


async def test_d05_an_error_after_the_deferral_is_private_and_the_only_answer(bench: Bench) -> None:
    bench.discord.failing["GET /channels/{channel}/messages"] = 403
    await bench.start()
    asked = await bench.slash("explain")
    assert asked.message.ephemeral
    assert bench.discord.said() == []


async def test_d05_two_presses_at_once_get_one_answer_each(bench: Bench) -> None:
    await bench.start()
    shown = await bench.ask("!define slo")
    presses = [
        await bench.discord.press(user, shown, "中文", wait=False) for user in (bench.lena, bench.max, bench.lena)
    ]
    for press in presses:
        await bench.discord.until(lambda press=press: press.done)
        assert len(press.messages) == 1
        assert press.message.ephemeral


# -- D06: nothing blocks the loop


async def test_d06_a_store_that_never_answers_delays_no_definition(glossary: Glossary, phrases: Phrases) -> None:
    async with Bench(glossary, phrases) as bench:
        bench.store = SilentStore()
        await bench.start()
        asked = await bench.slash("define", term="slo")
        assert "SLO" in bench.shown(asked.message)


async def test_d06_with_the_store_away_everything_but_memory_works(glossary: Glossary, phrases: Phrases) -> None:
    async with Bench(glossary, phrases) as bench:
        bench.store = FailingStore()
        await bench.start()
        card = await bench.ask("!define slo")
        assert "团队" in bench.shown((await bench.press(card, "中文", by=bench.max)).message)
        private = (await bench.slash("define", term="slo")).message
        await bench.press(private, "中文")
        assert "团队" in bench.shown(private)
        assert "暂时无法保存" in bench.shown(private)
        await bench.unanswered("the KV cache is full", by=bench.max)
        await bench.press(card, "🗑")
        await bench.discord.until(lambda: card.deleted)


async def test_d06_a_locked_database_delays_no_definition(tmp_path: Path, glossary: Glossary, phrases: Phrases) -> None:
    import sqlite3

    file = tmp_path / "state.sqlite"
    async with Bench(glossary, phrases) as bench:
        bench.store = await open_database(f"sqlite:///{file}")
        await bench.start()
        lock = sqlite3.connect(file, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
        try:
            asked = await bench.slash("define", term="slo")
        finally:
            lock.execute("ROLLBACK")
            lock.close()
        assert "SLO" in bench.shown(asked.message)


# -- D07: without the message content intent


async def test_d07_without_content_mentions_dms_and_commands_work_and_the_log_says_what_does_not(
    glossary: Glossary, phrases: Phrases
) -> None:
    async with Bench(glossary, phrases, message_content=False) as bench:
        line = await bench.platform().start()
        assert "!" in line
        assert "note" in line
        await bench.unanswered("!define slo")
        assert "SLO" in bench.shown(await bench.ask(f"{bench.discord.me_user.mention} slo"))
        assert "SLO" in bench.shown(await bench.ask("slo", at=bench.discord.dm(bench.lena)))
        assert "SLO" in bench.shown((await bench.slash("define", term="slo")).message)
        said = bench.shown((await bench.slash("autoexplain", mode="all")).message)
        assert "intent" in said.lower() or "content" in said.lower()


# -- D10: a command is no text to explain


async def test_d10_a_command_gets_an_answer_and_no_note(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.max, "!define slo")
    await bench.discord.settled()
    assert len(bench.discord.replies(asked)) == 1
    talked = await bench.discord.say(bench.talk, bench.max, "our KV cache was full because of continuous batching")
    note = await bench.discord.reply_to(talked)
    await bench.discord.settled()
    assert bench.discord.replies(talked) == [note]


# -- D11: bots and relays


async def test_d11_bots_relays_and_the_bot_itself_get_no_answer(bench: Bench) -> None:
    await bench.notes("all")
    other = bench.discord.join(bench.ops, bench.discord.user("Other", bot=True))
    me = bench.discord.me_user
    await bench.start()
    for text in ("!define slo", f"{me.mention} slo", "the KV cache is full"):
        await bench.unanswered(text, by=other)
        await bench.unanswered(text, by=bench.max, webhook=True)
        await bench.unanswered(text, by=me)


# -- D12: previews and edits


async def test_d12_a_preview_is_no_edit_and_an_edit_no_second_answer(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.max, "!define sli https://example.org/")
    await bench.discord.settled()
    before = [(message.id, message.versions) for message in bench.discord.said()]
    await bench.discord.unfurl(asked)
    await bench.discord.settled()
    assert [(message.id, message.versions) for message in bench.discord.said()] == before

    asked = await bench.discord.say(bench.talk, bench.max, "!define throughput")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.edit(asked, "!define slo")
    await bench.discord.until(lambda: "SLO" in bench.shown(answer))
    await bench.discord.settled()
    assert bench.discord.replies(asked) == [answer]


async def test_d12_answers_bring_no_previews_of_their_links(bench: Bench) -> None:
    """Components v2 never do; a message with content would need the flag."""
    await bench.start()
    answer = await bench.ask("!define slo")
    assert answer.content == "" or answer.flags & SUPPRESS_EMBEDS


# -- D13: nothing pings


@pytest.mark.parametrize(
    "text",
    [
        *(
            "!define @everyone",
            "!define @here",
            "!define <@&111111111111111111>",
            "!vs @here SLO",
            "!vs @here @everyone",
        ),
        *("!define x` <@everyone> `x", "!explain @everyone SLO", "!define {max}", "!glossary {max}", "!lang @everyone"),
        *("!define `@everyone`", "!define \\@everyone", "!define <#1> <@&2> <@3>", "{me} @everyone slo", "{me} {max}"),
    ],
)
async def test_d13_no_answer_pings_or_repeats_a_mention(bench: Bench, text: str) -> None:
    await bench.start()
    written = text.format(max=bench.max.mention, me=bench.discord.me_user.mention)
    asked = await bench.discord.say(bench.talk, bench.lena, written)
    await bench.discord.settled()
    for answer in bench.discord.said():
        assert answer.pings == ()
        assert "@everyone" not in bench.shown(answer)
        assert "<@" not in bench.shown(answer)
    sent = [call.body for call in bench.discord.calls if call.route == "POST /channels/{channel}/messages"]
    assert all(body["allowed_mentions"]["parse"] == [] for body in sent)
    assert asked.deleted is False


@pytest.mark.parametrize("term", ["@everyone", "<@&111111111111111111>", "x` <@everyone> `x", "@here " * 300])
async def test_d13_what_a_private_answer_repeats_is_short_and_no_mention(bench: Bench, term: str) -> None:
    await bench.start()
    shown = bench.shown((await bench.slash("define", term=term)).message)
    assert len(shown) < 400
    assert "@everyone" not in shown.replace("@\u200beveryone", "")
    assert "<@" not in shown.replace("\\<", "")
