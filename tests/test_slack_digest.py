"""Reading threads and channels, as far as Slack lets us."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters.slack import digest as module
from adapters.slack.digest import link_to, message_of, read_last, read_thread
from bot.request import Person, Place
from tests.slack_clients import workspace_in
from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_fake_state import READS, SCOPES, Channel, Message


def place(acme: Workspace, channel: Channel, thread: str | None = None) -> Place:
    return Place("slack", acme.id, channel.id, thread)


def fill(acme: Workspace, channel: Channel, count: int) -> Message:
    """A thread of that many messages of Lena's, without telling the app; its first message."""
    lena = next(iter(acme.users))
    first = Message(acme.slack.clock.ts(), channel.id, lena, "first", [])
    channel.messages[first.ts] = first
    for number in range(1, count):
        reply = Message(acme.slack.clock.ts(), channel.id, lena, f"number {number}", [], first.ts)
        channel.messages[reply.ts] = reply
    return first


async def test_a_thread_is_read_whole_and_in_order_over_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAGE", 3)
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        first = fill(acme, channel, 8)
        async with workspace_in(acme) as workspace:
            read = await read_thread(workspace, place(acme, channel, first.ts))
        assert [message.text for message in read.messages] == ["first", *(f"number {n}" for n in range(1, 8))]
        assert (read.total, read.hears) == (8, "all")
        assert read.messages[1].link == acme.link(channel, list(channel.messages.values())[1])


async def test_of_a_long_thread_the_last_messages_are_read_and_the_count_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PAGE", 3)
    monkeypatch.setattr(module, "MAX_READ", 4)
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        first = fill(acme, channel, 10)
        async with workspace_in(acme) as workspace:
            read = await read_thread(workspace, place(acme, channel, first.ts))
        assert [message.text for message in read.messages] == [f"number {n}" for n in range(6, 10)]
        assert read.total == 10


async def test_outside_of_the_marketplace_it_says_how_many_slack_let_it_read() -> None:
    async with SlackFake() as slack:
        slack.outside_marketplace = True
        slack.expect("ratelimited")
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        first = fill(acme, channel, 40)
        async with workspace_in(acme) as workspace:
            read = await read_thread(workspace, place(acme, channel, first.ts))
        assert (len(read.messages), read.total) == (15, 40)


@pytest.mark.parametrize(
    ("member", "scopes", "hears"),
    [(False, SCOPES, "not-member"), (True, SCOPES - READS, "not-allowed")],
)
async def test_what_may_not_be_read_is_told(member: bool, scopes: frozenset[str], hears: str) -> None:
    async with SlackFake() as slack:
        slack.expect("missing_scope" if member else "channel_not_found")
        acme = slack.workspace(scopes=scopes)
        channel = acme.channel("c", acme.person("Lena"), bot=member, kind="group")
        first = fill(acme, channel, 2)
        async with workspace_in(acme) as workspace:
            assert (await read_thread(workspace, place(acme, channel, first.ts))).hears == hears
            assert (await read_last(workspace, place(acme, channel), 5)).hears == hears


async def test_the_last_messages_of_a_channel_come_oldest_first_and_only_peoples() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena = acme.person("Lena")
        channel = acme.channel("c", lena)
        for text in ("one", "two", "three"):
            ts = slack.clock.ts()
            channel.messages[ts] = Message(ts, channel.id, lena.id, text, [])
        ts = slack.clock.ts()
        channel.messages[ts] = Message(ts, channel.id, "", "SLO!", [], None, "bot_message", "B1", "A1")
        async with workspace_in(acme) as workspace:
            read = await read_last(workspace, place(acme, channel, "9.9"), 3)
        assert [message.text for message in read.messages] == ["two", "three"]
        assert read.messages[0].place.thread is None


async def test_a_links_address_is_slacks_own_form_and_without_an_address_theres_none() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        async with workspace_in(acme) as workspace:
            assert link_to(workspace, "C1", "1.000200", None) == f"{acme.url}archives/C1/p1000200"
            inside = f"{acme.url}archives/C1/p1000200?thread_ts=1.000100&cid=C1"
            assert link_to(workspace, "C1", "1.000200", "1.000100") == inside


async def test_a_message_opens_a_thread_unless_it_stands_in_one() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        author = Person("slack", acme.id, "U1")
        async with workspace_in(acme) as workspace:
            top = message_of({"ts": "5.0", "text": "a &amp; b"}, place(acme, channel), author, workspace)
            inside = message_of({"ts": "6.0", "thread_ts": "5.0"}, place(acme, channel), author, workspace)
        assert (top.text, top.opens, top.place.thread, top.sent_at.timestamp()) == ("a & b", "5.0", None, 5.0)
        assert (inside.text, inside.opens, inside.place.thread) == ("", None, "5.0")


async def test_an_address_that_isnt_known_yet_is_asked_for() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        channel = acme.channel("c", acme.person("Lena"))
        first = fill(acme, channel, 2)
        async with workspace_in(acme) as workspace:
            unknown = replace(workspace, url="")
            read = await read_thread(unknown, place(acme, channel, first.ts))
            assert read.messages[0].link == acme.link(channel, first)
            slack.fail("auth.test", "internal_error")
            assert (await read_thread(unknown, place(acme, channel, first.ts))).messages[0].link is None
