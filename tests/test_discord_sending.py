"""What the bot sends: it pings nobody, is posted once, and a refusal is one line in the log."""

from __future__ import annotations

import logging

import pytest
from discord.ui import LayoutView

from adapters.discord import sending
from adapters.discord.layout import view_of
from bot.answer import Answer
from tests.discord_bench import Bench
from tests.discord_fake_world import SEND_MESSAGES

pytest_plugins = ("tests.discord_fixtures",)

POST = "POST /channels/{channel}/messages"
CALLBACK = "POST /interactions/{interaction}/{token}/callback"


@pytest.mark.parametrize(
    "text",
    [
        "!define @everyone",
        "!define <@&111111111111111111>",
        "!vs @here SLO",
        "!define x` <@everyone> `x",
        "!explain @everyone SLO",
    ],
)
async def test_nothing_pings_whatever_was_typed(bench: Bench, text: str) -> None:
    await bench.start()
    await bench.ask(text)
    for call in bench.discord.calls:
        if call.route == POST:
            assert call.body["allowed_mentions"] == {"parse": [], "replied_user": False}


async def test_nothing_private_pings(bench: Bench) -> None:
    await bench.start()
    await bench.slash("define", term="@everyone <@&1>")
    body = next(call.body for call in bench.discord.calls if call.route == CALLBACK)
    assert body["data"]["allowed_mentions"] == {"parse": []}


async def test_an_answer_has_the_enforced_nonce_of_its_question(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo")
    await bench.discord.reply_to(asked)
    body = next(call.body for call in bench.discord.calls if call.route == POST)
    assert (body["nonce"], body["enforce_nonce"]) == (str(asked.id), True)


async def test_where_nothing_may_be_written_the_log_says_so_once(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.talk.overwrites[bench.discord.me_user.id] = (0, SEND_MESSAGES)
    await bench.start()
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            await bench.unanswered("!define slo")
    lines = [record.getMessage() for record in caplog.records if str(bench.talk.id) in record.getMessage()]
    assert len(lines) == 1
    assert not any(call.route == POST for call in bench.discord.calls)


async def test_a_refusal_that_permissions_did_not_tell_is_said_once_too(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    await bench.start()
    bench.discord.failing[POST] = [403, 403]
    with caplog.at_level(logging.WARNING):
        await bench.unanswered("!define slo")
        await bench.unanswered("!define sla")
    assert len([record for record in caplog.records if "nothing can be sent" in record.getMessage()]) == 1
    assert "Traceback" not in caplog.text
    assert "SLO" in bench.shown(await bench.ask("!define slo"))


async def test_an_answer_that_is_gone_is_no_error_to_edit(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    await bench.start()
    bench.discord.expect(10008)
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.delete(answer)
    await bench.discord.edit(asked, "!define sla")
    await bench.discord.settled()
    assert caplog.text == ""


async def test_too_late_an_answer_is_one_line_in_the_log(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    await bench.start()
    bench.discord.expect(10062)
    asked = await bench.slash("define", term="slo", wait=False)
    bench.discord.clock.advance(4)
    await bench.discord.settled()
    if asked.response is None:
        assert "10062" in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_message_that_the_button_stands_on_is_deleted_where_the_bot_is_no_member(bench: Bench) -> None:
    guest = bench.discord.user("Guest", installed=True)
    far = bench.discord.guild("Far", guest, installed=False)
    there = bench.discord.channel(far, "there")
    await bench.start()
    shared = (await bench.slash("define", by=guest, at=there, term="slo", share=True)).message
    assert shared.seen_by is None
    private = await bench.press(shared, "中文", by=guest)
    assert private.message.seen_by is guest


async def test_announcements_in_other_channels_are_silent(bench: Bench) -> None:
    other = bench.discord.channel(bench.ops, "other")
    await bench.notes("all")
    await bench.notes("all", other)
    await bench.start()
    panel = await bench.slash("autoexplain")
    await bench.press(panel.message, "Off everywhere")
    await bench.discord.until(lambda: bench.discord.said(bench.talk) and bench.discord.said(other))
    assert bench.discord.said(other)[0].silent
    assert bench.discord.said(other)[0].pings == ()


async def test_a_conversation_that_is_asked_for_too_late_is_not_read(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    await bench.start()
    bench.discord.failing[CALLBACK] = [404]
    await bench.slash("explain", wait=False)
    await bench.discord.settled()
    assert not any(call.route.startswith("GET /channels") for call in bench.discord.calls)
    assert "Traceback" not in caplog.text


async def test_an_answer_that_cannot_be_laid_out_is_apologized_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    faults = [ValueError("what somebody typed")]

    def lay_out(answer: Answer) -> LayoutView:
        if faults:
            raise faults.pop()
        return view_of(answer)

    monkeypatch.setattr(sending, "view_of", lay_out)
    await bench.start()
    asked = await bench.slash("define", term="slo")
    assert "ref" in bench.shown(asked.message)
    assert asked.message.seen_by is bench.lena
    assert "ValueError" in caplog.text
    assert "what somebody typed" not in caplog.text
