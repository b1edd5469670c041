"""Slash commands, autocomplete, Share, and the menu of a message, as people use them, through the real client."""

from __future__ import annotations

import asyncio

import pytest

from bot.commands.names import COMMANDS
from bot.request import Person
from tests.discord_bench import Bench
from tests.discord_fake_replies import SAYS, SAYS_LATER, UPDATES
from tests.discord_fake_world import MANAGE_CHANNELS, SEND_MESSAGES, VIEW_CHANNEL

pytest_plugins = ("tests.discord_fixtures",)

ALONE = [command.name for command in COMMANDS if command.name not in ("define", "vs")]


# -- Where they work


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
async def test_every_command_alone_gets_one_private_answer(bench: Bench, name: str, locale: str) -> None:
    bench.lena.locale = locale
    await bench.start()
    asked = await bench.slash(name)
    assert asked.message.ephemeral
    assert bench.discord.said() == []


async def test_commands_work_where_the_bot_may_do_nothing(bench: Bench) -> None:
    shut = bench.discord.channel(
        bench.ops, "shut", overwrites={bench.discord.me_user: (0, VIEW_CHANNEL | SEND_MESSAGES)}
    )
    await bench.start()
    asked = await bench.slash("define", at=shut, term="slo")
    assert "SLO" in bench.shown(asked.message)
    shared = await bench.press(asked.message, "Share")
    assert not shared.message.ephemeral


async def test_explain_alone_says_why_it_can_not_read_a_channel(bench: Bench) -> None:
    shut = bench.discord.channel(bench.ops, "shut", overwrites={bench.discord.me_user: (0, VIEW_CHANNEL)})
    await bench.start()
    asked = await bench.slash("explain", at=shut)
    assert asked.message.ephemeral
    assert "invite" in bench.shown(asked.message).lower() or "can't read" in bench.shown(asked.message).lower()


async def test_a_person_who_installed_the_app_uses_it_where_the_bot_is_not(bench: Bench) -> None:
    guest = bench.discord.user("Guest", installed=True)
    talk = bench.discord.channel(bench.discord.guild("Theirs", guest, installed=False), "talk")
    await bench.start()
    for name, options in (("define", {"term": "slo"}), ("vs", {"first": "slo", "second": "sla"}), ("glossary", {})):
        assert (await bench.slash(name, by=guest, at=talk, **options)).message.ephemeral
    shared = await bench.slash("define", by=guest, at=talk, term="slo", share=True)
    assert not shared.message.ephemeral
    said = await bench.discord.say(talk, guest, "the KV cache is full")
    menu = await bench.discord.context_menu(guest, said, "Explain jargon")
    assert "KV cache" in bench.shown(menu.message)


async def test_a_direct_message_has_nothing_to_share_and_answers_stay(bench: Bench) -> None:
    dm = bench.discord.dm(bench.lena)
    await bench.start()
    asked = await bench.slash("define", at=dm, term="slo")
    assert not asked.message.ephemeral
    assert "Share" not in bench.discord.buttons(asked.message)
    pressed = await bench.press(asked.message, "中文")
    assert pressed.response == UPDATES
    assert "团队" in bench.shown(asked.message)


# -- What they take


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({"first": "slo", "second": "sla"}, "SLO vs. SLA"),
        ({"first": "slo vs sla"}, "SLO vs. SLA"),
        ({"first": "SLO", "second": "sla", "third": "sli"}, "SLO"),
        ({"first": "“slo”", "second": '"sla"'}, "SLO vs. SLA"),
        ({"first": "prefill and decode", "second": "kv cache"}, "KV cache"),
    ],
)
async def test_vs_takes_two_options_three_or_one_whole_question(
    bench: Bench, options: dict[str, str], title: str
) -> None:
    await bench.start()
    assert title in bench.shown((await bench.slash("vs", **options)).message)


async def test_a_language_asked_for_holds_for_one_answer(bench: Bench) -> None:
    await bench.start()
    assert "团队" in bench.shown((await bench.slash("define", term="slo", language="zh")).message)
    assert "团队" not in bench.shown((await bench.slash("define", term="slo")).message)


async def test_a_saved_language_holds_until_it_is_automatic_again(bench: Bench) -> None:
    await bench.start()
    await bench.slash("lang", language="zh")
    assert "团队" in bench.shown((await bench.slash("define", term="slo")).message)
    assert "团队" not in bench.shown((await bench.slash("define", by=bench.max, term="slo")).message)
    await bench.slash("lang", language="auto")
    assert "团队" not in bench.shown((await bench.slash("define", term="slo")).message)


@pytest.mark.parametrize("options", [{"topic": "llm-inference"}, {"search": "latency"}, {"search": "random"}])
async def test_glossary_opens_a_topic_or_searches(bench: Bench, options: dict[str, str]) -> None:
    await bench.start()
    known = {c["value"] for o in bench.discord.commands[3]["options"] for c in o.get("choices", [])}
    if "topic" in options and options["topic"] not in known:
        options = {"topic": sorted(known)[0]}
    shown = (await bench.slash("glossary", **options)).message
    assert "[Show]" in bench.shown(shown)


async def test_explain_reads_as_many_messages_as_it_is_told(bench: Bench) -> None:
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "the KV cache is full")
    await bench.discord.say(bench.talk, bench.max, "and TTFT is bad")
    assert "KV cache" not in bench.shown((await bench.slash("explain", last=1)).message)
    assert "KV cache" in bench.shown((await bench.slash("explain", last=2)).message)


async def test_explain_in_a_thread_reads_the_whole_thread_and_nothing_else(bench: Bench) -> None:
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "PSI of the channel")
    thread = await bench.discord.open_thread(bench.talk, bench.max, "a thread")
    await bench.discord.say(thread, bench.max, "the KV cache is full")
    for number in range(120):
        await bench.discord.say(thread, bench.max, f"nothing to see, {number}")
    shown = bench.shown((await bench.slash("explain", at=thread)).message)
    assert "KV cache" in shown
    assert "PSI" not in shown
    assert "121 messages" in shown


async def test_a_digest_links_to_messages_and_turns_its_pages_in_place(bench: Bench) -> None:
    await bench.start()
    text = "TTFT, KV cache, continuous batching, PSI, SLO, SLA, quantization, canary release, P99"
    said = await bench.discord.say(bench.talk, bench.max, text)
    digest = (await bench.slash("explain")).message
    assert said.url in bench.shown(digest)
    assert bench.max.name not in bench.shown(digest)
    first = bench.shown(digest)
    for label in ("Next ›", "‹ Back"):
        if label in bench.discord.buttons(digest):
            pressed = await bench.press(digest, label)
            assert pressed.response == UPDATES or pressed.message is digest
    assert "Next ›" in first


# -- Autocomplete


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("kv", "KV cache"),
        ("KV C", "KV cache"),
        ("batching", "Continuous batching"),
        ("量化", "量化"),
        ("lianghua", "量化"),
        ("quantisation", "Quantization"),
        ("ttf", "TTFT"),
    ],
)
async def test_what_is_typed_is_completed_in_any_spelling(bench: Bench, typed: str, found: str) -> None:
    await bench.start()
    completed = await bench.discord.autocomplete(bench.lena, bench.talk, "define", "term", typed)
    assert any(found in name for name in completed.names)


@pytest.mark.parametrize("typed", ["", "zzzz", "x" * 100, "🚀", "@everyone", "   ", "slo vs "])
async def test_whatever_is_typed_gets_choices_that_discord_takes(bench: Bench, typed: str) -> None:
    await bench.start()
    for name, option in (("define", "term"), ("vs", "first"), ("vs", "second"), ("vs", "third")):
        others = {"first": "slo"} if option in ("second", "third") else {}
        completed = await bench.discord.autocomplete(bench.lena, bench.talk, name, option, typed, **others)
        assert len(completed.names) <= 25


async def test_a_completion_that_is_chosen_is_found(bench: Bench) -> None:
    await bench.start()
    completed = await bench.discord.autocomplete(bench.lena, bench.talk, "define", "term", "kv")
    assert completed.choices is not None
    for choice in completed.choices:
        shown = bench.shown((await bench.slash("define", term=choice["value"])).message)
        assert shown.startswith("#")


# -- Share


async def test_share_posts_a_card_for_all_that_pings_nobody(bench: Bench) -> None:
    await bench.start()
    asked = await bench.slash("define", by=bench.max, term="slo")
    assert asked.message.ephemeral
    shared = await bench.press(asked.message, "Share", by=bench.max)
    card = shared.message
    assert shared.response == SAYS
    assert not card.ephemeral
    assert card.pings == ()
    assert "Shared by Max" in bench.shown(card)
    assert "Share" not in bench.discord.buttons(card)


async def test_share_true_posts_at_once(bench: Bench) -> None:
    await bench.start()
    assert not (await bench.slash("define", term="slo", share=True)).message.ephemeral
    assert not (await bench.slash("vs", first="slo", second="sla", share=True)).message.ephemeral


@pytest.mark.parametrize("term", ["goodputy", "drift", "@everyone", "speculativ decoding"])
async def test_share_true_tells_others_nothing_that_is_no_answer(bench: Bench, term: str) -> None:
    """A miss, a choice that quotes, a typo that quotes: all see at most an answer without what was typed."""
    await bench.start()
    asked = await bench.slash("define", term=term, share=True)
    for message in asked.messages:
        assert message.ephemeral or f"“{term}”" not in bench.shown(message)


# -- The menu of a message


async def test_the_menu_explains_a_message_privately(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "the KV cache is full, so TTFT explodes")
    for user, name in ((bench.lena, "Explain jargon"), (bench.max, "Explain jargon")):
        menu = await bench.discord.context_menu(user, said, name)
        assert menu.message.ephemeral
        assert "KV cache" in bench.shown(menu.message)
        assert "TTFT" in bench.shown(menu.message)


async def test_the_menu_reads_alerts_cards_and_forwarded_messages(bench: Bench) -> None:
    await bench.start()
    alert = await bench.discord.say(bench.talk, bench.max, "", webhook=True)
    alert.embeds = [{"title": "TTFT is high", "description": "PSI 0.3", "fields": [{"name": "SLO", "value": "missed"}]}]
    card = await bench.discord.say(bench.talk, bench.max, "", webhook=True)
    card.components = [{"type": 17, "id": 1, "components": [{"type": 10, "id": 2, "content": "the KV cache is full"}]}]
    forwarded = await bench.discord.say(bench.talk, bench.max, "")
    forwarded.forwards = "continuous batching stalls"
    for message, terms in (
        (alert, ("TTFT", "PSI", "SLO")),
        (card, ("KV cache",)),
        (forwarded, ("Continuous batching",)),
    ):
        shown = bench.shown((await bench.discord.context_menu(bench.lena, message, "Explain jargon")).message)
        assert all(term in shown for term in terms)


async def test_the_menu_has_a_chinese_name_for_who_reads_chinese(bench: Bench) -> None:
    bench.lena.locale = "zh-CN"
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "the KV cache is full")
    assert (await bench.discord.context_menu(bench.lena, said, "解释术语")).message.ephemeral


@pytest.mark.parametrize("text", ["good morning", "", "mute", "auto off", "🚀", "!define slo", "known"])
async def test_the_menu_takes_any_message_as_a_text(bench: Bench, text: str) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, text)
    menu = await bench.discord.context_menu(bench.lena, said, "Explain jargon")
    shown = bench.shown(menu.message)
    assert "no " in shown.lower() or "SLO" in shown
    assert not (await bench.store.people.get(Person("discord", "", str(bench.lena.id)))).muted


# -- Who may, and how long it may take


async def test_autoexplain_is_offered_to_who_manages_the_channel_or_was_allowed_to(bench: Bench) -> None:
    mods = bench.discord.role(bench.ops, "mods", MANAGE_CHANNELS)
    mod = bench.discord.join(bench.ops, bench.discord.user("Mod"), mods)
    await bench.start()
    with pytest.raises(AssertionError, match="may not use"):
        await bench.slash("autoexplain", by=bench.max)
    assert (await bench.slash("autoexplain", by=mod)).message.ephemeral
    bench.discord.command_allowed.add((bench.ops, bench.max, "autoexplain"))
    allowed = await bench.slash("autoexplain", by=bench.max, mode="all")
    assert "switched on" in bench.shown(allowed.message)


async def test_a_digest_that_takes_longer_than_discord_waits_is_deferred(bench: Bench) -> None:
    held = bench.discord.held["GET /channels/{channel}/messages"] = asyncio.Event()
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "the KV cache is full")
    asked = await bench.discord.slash(bench.lena, bench.talk, "explain", wait=False)
    await bench.discord.until(lambda: asked.response == SAYS_LATER, "a deferral")
    bench.discord.clock.advance(60)
    held.set()
    await bench.discord.until(lambda: asked.done)
    assert "KV cache" in bench.shown(asked.message)


async def test_an_answer_that_discord_refuses_is_said_once_and_kept_private(bench: Bench) -> None:
    await bench.start()
    bench.discord.failing["POST /interactions/{interaction}/{token}/callback"] = 400
    asked = await bench.slash("define", term="slo")
    assert asked.message.ephemeral
    assert "ref" in bench.shown(asked.message)


async def test_an_interaction_that_came_too_late_is_let_go(bench: Bench) -> None:
    await bench.start()
    bench.discord.expect(10062)
    bench.discord.held["POST /interactions/{interaction}/{token}/callback"] = held = asyncio.Event()
    asked = await bench.discord.slash(bench.lena, bench.talk, "define", term="slo", wait=False)
    bench.discord.clock.advance(4)
    held.set()
    await bench.discord.settled()
    assert asked.response is None
    assert "SLO" in bench.shown((await bench.slash("define", term="slo")).message)
