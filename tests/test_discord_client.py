"""Discord's events: which of them mean anything."""

from __future__ import annotations

import logging

import pytest

from bot.request import Person, Place
from bot.state.ports import Channel
from tests.discord_bench import Bench

pytest_plugins = ("tests.discord_fixtures",)

SAID = "PagedAttention and speculative decoding helped"


async def mode(bench: Bench) -> str:
    return (await bench.store.channels.get(Place("discord", str(bench.ops.id), str(bench.talk.id)))).mode


async def test_bots_and_relays_get_neither_answers_nor_notes(bench: Bench) -> None:
    other = bench.discord.join(bench.ops, bench.discord.user("Other", bot=True))
    await bench.notes("all")
    await bench.start()
    for text in ("!define slo", SAID, f"<@{bench.discord.me_user.id}> slo"):
        await bench.unanswered(text, by=other)
        await bench.unanswered(text, by=bench.max, webhook=True)


async def test_a_server_that_removed_the_bot_is_forgotten(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    await bench.discord.throw_out(bench.ops)
    await bench.discord.settled()
    assert await mode(bench) == "off"


async def test_an_outage_of_a_server_forgets_nothing(bench: Bench) -> None:
    await bench.notes("all")
    await bench.start()
    gone = {"id": str(bench.ops.id), "unavailable": True}
    await bench.discord.gateway.dispatch("GUILD_DELETE", bench.ops.id, 1, lambda _: gone)
    await bench.discord.settled()
    assert await mode(bench) == "all"


async def test_many_messages_deleted_at_once_take_their_answers_along(bench: Bench) -> None:
    await bench.start()
    asked = [await bench.discord.say(bench.talk, bench.lena, f"!define {term}") for term in ("slo", "sla")]
    answers = [await bench.discord.reply_to(each) for each in asked]
    deleted = {
        "ids": [str(each.id) for each in asked],
        "channel_id": str(bench.talk.id),
        "guild_id": str(bench.ops.id),
    }
    await bench.discord.gateway.dispatch("MESSAGE_DELETE_BULK", bench.ops.id, 1 << 9, lambda _: deleted)
    await bench.discord.until(lambda: all(answer.deleted for answer in answers))


async def test_a_server_that_invites_the_bot_while_it_runs_is_served(bench: Bench) -> None:
    await bench.start()
    far = bench.discord.guild("Far", bench.max, installed=False)
    there = bench.discord.channel(far, "there")
    await bench.discord.invite(far)
    assert "SLO" in bench.shown(await bench.ask("!define slo", by=bench.max, at=there))


async def test_an_error_in_an_event_is_logged_without_its_words(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    platform = await bench.start()
    client = platform._client
    assert client is not None
    with caplog.at_level(logging.ERROR):
        try:
            raise ValueError(SAID)
        except ValueError:
            await client.on_error("on_message")
    assert "ValueError in on_message" in caplog.text
    assert SAID not in caplog.text.replace("raise ValueError(SAID)", "")


async def test_what_a_channel_has_set_holds_after_a_restart(bench: Bench) -> None:
    place = Place("discord", str(bench.ops.id), str(bench.talk.id))
    await bench.store.channels.set(place, Channel(mode="all", language="zh-Hans"), Person("discord", "", "1"))
    await bench.start()
    await bench.restart()
    assert "给刚接触的同学" in bench.shown(await bench.ask(SAID))
