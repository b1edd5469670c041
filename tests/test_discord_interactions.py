"""Slash commands, the menu of a message, autocomplete: one response each, for the right eyes."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.interactions import MAX_CHOICE, choice_name
from bot.completion import Suggestion
from bot.glossary.glossary import Glossary
from tests.discord_bench import Bench
from tests.discord_fake_world import MANAGE_CHANNELS

pytest_plugins = ("tests.discord_fixtures",)


# -- Choices


@pytest.mark.parametrize(
    ("title", "summary", "name"),
    [
        ("SLO", "a target", "SLO: a target"),
        ("量化", "用更少的位数存", "量化：用更少的位数存"),
        ("SLO", "", "SLO"),
    ],
)
def test_a_choice_says_what_it_is_about(title: str, summary: str, name: str) -> None:
    assert choice_name(Suggestion("id", title, title, summary)) == name


@given(st.text(min_size=1, max_size=200), st.text(max_size=200))
def test_a_choice_always_fits(title: str, summary: str) -> None:
    assert 1 <= len(choice_name(Suggestion("id", title, title, summary))) <= MAX_CHOICE


def test_a_choice_is_cut_at_a_word() -> None:
    assert choice_name(Suggestion("id", "x", "x", "word " * 40)).endswith("word…")


async def test_autocomplete_answers_in_any_spelling(bench: Bench, glossary: Glossary) -> None:
    glossary.warm()
    await bench.start()
    for typed, name in (
        ("conti", "Continuous batching"),
        ("量化", "量化"),
        ("lianghua", "量化"),
        ("quantisation", "Quanti"),
    ):
        found = await bench.discord.autocomplete(bench.lena, bench.talk, "define", "term", typed)
        assert name in found.names[0]
    assert 0 < len((await bench.discord.autocomplete(bench.lena, bench.talk, "define", "term", "")).names) <= 25
    assert (await bench.discord.autocomplete(bench.lena, bench.talk, "vs", "second", "\0\n@everyone")).names == []


async def test_autocomplete_speaks_the_language_of_the_app(bench: Bench) -> None:
    mei = bench.discord.join(bench.ops, bench.discord.user("Mei", locale="zh-TW"))
    await bench.start()
    found = await bench.discord.autocomplete(mei, bench.talk, "vs", "first", "continuous b")
    assert found.names[0].startswith("连续批处理 · Continuous batching：")
    found = await bench.discord.autocomplete(bench.lena, bench.talk, "vs", "first", "continuous b")
    assert found.names[0].startswith("Continuous batching · 连续批处理: ")


# -- Commands


async def test_an_answer_is_private_until_it_is_shared(bench: Bench) -> None:
    await bench.start()
    asked = await bench.slash("define", term="slo")
    assert asked.message.seen_by is bench.lena
    shared = await bench.press(asked.message, "Share")
    assert shared.message.seen_by is None
    assert "Shared by Lena" in bench.shown(shared.message)


async def test_share_posts_at_once_and_a_miss_stays_private(bench: Bench) -> None:
    await bench.start()
    assert (await bench.slash("define", term="slo", share=True)).message.seen_by is None
    assert (await bench.slash("define", term="qwertz", share=True)).message.seen_by is bench.lena


async def test_a_shared_answer_counts_as_given(bench: Bench) -> None:
    await bench.start()
    shared = (await bench.slash("define", term="slo", share=True)).message
    assert shared.url in bench.shown(await bench.ask("!define slo", by=bench.max))


async def test_the_menu_of_a_message_explains_it_to_one_person_in_their_language(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "我们的 TTFT 变差了")
    opened = await bench.discord.context_menu(bench.lena, said, "Explain jargon")
    assert opened.message.seen_by is bench.lena
    assert "until an answer starts" in bench.shown(opened.message)


async def test_the_menu_of_a_message_without_text_finds_no_terms(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "auto off")
    said.content = ""
    opened = await bench.discord.context_menu(bench.lena, said, "Explain jargon")
    assert opened.message.seen_by is bench.lena


async def test_an_answer_that_discord_refuses_is_apologized_for(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    await bench.start()
    route = "POST /interactions/{interaction}/{token}/callback"
    bench.discord.failing[route] = 400
    asked = await bench.slash("define", term="slo")
    assert "ref" in bench.shown(asked.message)
    assert "slo" not in caplog.text.lower().replace("slow", "")


# -- Another channel


async def test_another_channel_is_set_and_told_there(bench: Bench) -> None:
    other = bench.discord.channel(bench.ops, "other")
    await bench.start()
    asked = await bench.discord.slash(bench.lena, bench.talk, "autoexplain", mode="all", channel=other)
    assert "#other" in bench.shown(asked.message)
    assert asked.message.seen_by is bench.lena
    await bench.discord.until(lambda: bench.discord.said(other))
    assert "switched on" in bench.shown(bench.discord.said(other)[0])
    assert bench.discord.said(bench.talk) == []


async def test_who_manages_this_channel_does_not_set_another(bench: Bench) -> None:
    other = bench.discord.channel(bench.ops, "other")
    bench.talk.overwrites[bench.max.id] = (MANAGE_CHANNELS, 0)
    await bench.start()
    await bench.discord.slash(bench.max, bench.talk, "autoexplain", mode="all", channel=other)
    await bench.discord.settled()
    assert bench.discord.said(other) == []


async def test_the_state_of_another_channel_has_no_buttons_that_would_set_this_one(bench: Bench) -> None:
    other = bench.discord.channel(bench.ops, "other")
    await bench.start()
    asked = await bench.discord.slash(bench.lena, bench.talk, "autoexplain", channel=other)
    assert "#other" in bench.shown(asked.message)
    assert bench.discord.buttons(asked.message) == []


async def test_the_channel_that_one_is_in_may_be_named(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.slash(bench.lena, bench.talk, "autoexplain", mode="threads", channel=bench.talk)
    assert asked.message.seen_by is None


async def test_many_people_at_once_all_get_their_answer(bench: Bench) -> None:
    await bench.start()
    asked = await asyncio.gather(*(bench.slash("define", term="slo") for _ in range(20)))
    assert all("SLO" in bench.shown(each.message) for each in asked)
