"""What Discord delivers becomes what the bot is asked."""

from __future__ import annotations

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.requests import Options, command_text, locale, place, where
from bot.glossary.concept import Language
from bot.request import Place
from tests.discord_bench import Bench

pytest_plugins = ("tests.discord_fixtures",)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("define", {"term": "slo", "language": "zh", "share": True}, "slo"),
        ("vs", {"first": "slo vs sla"}, "slo vs sla"),
        ("vs", {"first": "batch inference", "second": "KV cache"}, "“batch inference” “KV cache”"),
        ("vs", {"first": "“slo”", "second": "sla", "third": '"sli"'}, "“slo” “sla” “sli”"),
        ("explain", {"text": "our TTFT"}, "our TTFT"),
        ("explain", {"last": 20}, ""),
        ("glossary", {}, ""),
        ("glossary", {"topic": "llm-inference"}, "llm-inference"),
        ("glossary", {"search": "latency"}, "search latency"),
        ("glossary", {"topic": "llm-inference", "search": "random"}, "search random"),
        ("lang", {"language": "zh"}, "zh"),
        ("autoexplain", {}, ""),
        ("autoexplain", {"level": "advanced", "mode": "threads", "language": "both"}, "threads both advanced"),
        ("jargonaut", {}, ""),
    ],
)
def test_options_become_one_typed_line(name: str, options: Options, text: str) -> None:
    assert command_text(name, options) == text


@pytest.mark.parametrize(
    ("value", "language"),
    [("zh-CN", "zh-Hans"), ("zh-TW", "zh-Hans"), ("en-US", "en"), ("en-GB", "en"), ("de", None), ("ja", None)],
)
def test_the_locale_of_discord(value: str, language: Language | None) -> None:
    assert locale(discord.Locale(value)) == language


def test_a_direct_message_has_no_tenant() -> None:
    assert place(discord.Object(5), None) == Place("discord", "", "5")
    assert place(discord.Object(5), 7) == Place("discord", "7", "5")
    assert where(Place("discord", "7", "5")) == 5
    assert where(Place("discord", "7", "5", "6")) == 6


async def test_a_thread_and_a_post_of_a_forum_belong_to_their_channel(bench: Bench) -> None:
    forum = bench.discord.channel(bench.ops, "forum", type=15)
    await bench.notes("threads", forum)
    await bench.start()
    post, _ = await bench.discord.forum_post(forum, bench.lena, "a title", "PagedAttention helped")
    await bench.discord.until(lambda: bench.discord.said(post), "a note")
    settings = await bench.slash("autoexplain", at=post)
    assert "in threads" in bench.shown(settings.message)


@pytest.mark.parametrize(
    ("options", "shows", "hides"),
    [
        ({"term": "slo", "language": "zh"}, "团队", "team sets"),
        ({"term": "slo", "language": "en"}, "team sets", "团队给"),
    ],
)
async def test_a_language_holds_for_one_answer(bench: Bench, options: Options, shows: str, hides: str) -> None:
    await bench.start()
    shown = bench.shown((await bench.slash("define", **options)).message)
    assert shows in shown
    assert hides not in shown
    assert "team sets" in bench.shown((await bench.slash("define", term="slo")).message)


async def test_a_command_of_an_earlier_version_is_answered_politely(bench: Bench) -> None:
    await bench.start()
    next(each for each in bench.discord.commands if each["name"] == "jargonaut")["name"] = "glossaire"
    asked = await bench.slash("glossaire")
    assert asked.message.seen_by is bench.lena
    assert "ref" not in bench.shown(asked.message)


async def test_a_button_of_a_later_version_is_a_polite_private_answer(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!define slo")
    for component in answer.components[0]["components"]:
        for button in component.get("components", ()):
            if button.get("label") == "中文":
                button["custom_id"] = "j1:some-later-thing-with-a-long-name:?"
    pressed = await bench.press(answer, "中文")
    assert pressed.message.seen_by is bench.lena
    assert "button" in bench.shown(pressed.message).lower()


@given(st.lists(st.text(max_size=30), min_size=2, max_size=3))
def test_sides_of_any_letters_stay_sides(sides: list[str]) -> None:
    names = dict(zip(("first", "second", "third"), sides, strict=False))
    text = command_text("vs", names)
    given_sides = [side for side in sides if side]
    if len(given_sides) > 1:
        assert text.count("“") - sum(side.strip('“”"').count("“") for side in given_sides) == len(given_sides)
