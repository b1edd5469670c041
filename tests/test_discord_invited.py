"""Everything works with exactly the permissions of the invite link, and nothing breaks whatever people write."""

from __future__ import annotations

import pytest

from adapters.discord.invite import PERMISSIONS
from tests.discord_bench import Bench
from tests.discord_fake_world import FORUM, USE_APPLICATION_COMMANDS, USUAL

pytest_plugins = ("tests.discord_fixtures",)


@pytest.fixture
def invited(bench: Bench) -> Bench:
    """On a server where everybody else's permissions come from a role, and the bot's from its invitation alone."""
    people = bench.discord.role(bench.ops, "people", USUAL)
    bench.ops.members[bench.max.id].roles.append(people)
    bench.ops.everyone.permissions = USE_APPLICATION_COMMANDS
    (own,) = bench.ops.members[bench.discord.me_user.id].roles
    own.permissions = PERMISSIONS.value
    return bench


async def test_questions_and_their_answers_need_no_more(invited: Bench) -> None:
    await invited.start()
    asked = await invited.discord.say(invited.talk, invited.max, "!define slo")
    answer = await invited.discord.reply_to(asked)
    await invited.discord.edit(asked, "!define sla")
    await invited.discord.until(lambda: "SLA" in invited.shown(answer))
    await invited.press(answer, "🗑", by=invited.max)
    await invited.discord.until(lambda: answer.deleted)
    thread = await invited.discord.open_thread(invited.talk, invited.max, "a thread")
    await invited.ask("!define slo", at=thread, by=invited.max)
    assert "SLO" in invited.shown((await invited.slash("explain", at=thread, by=invited.max)).message)


async def test_notes_need_no_more(invited: Bench) -> None:
    forum = invited.discord.channel(invited.ops, "forum", type=FORUM)
    await invited.start()
    await invited.slash("autoexplain", mode="all")
    await invited.slash("autoexplain", mode="all", channel=forum)
    said = await invited.discord.say(invited.talk, invited.max, "the KV cache is full")
    note = await invited.discord.reply_to(said)
    await invited.discord.forum_post(forum, invited.max, "Slow", "TTFT is bad")
    page = (await invited.press(note, "⋯", by=invited.max)).message
    await invited.press(page, "Remove this note", by=invited.max)
    await invited.discord.until(lambda: note.deleted)


async def test_asking_too_fast_needs_no_more(invited: Bench) -> None:
    invited.per_minute = 2
    await invited.start()
    asked = [
        await invited.discord.say(invited.talk, invited.max, f"!define {term}") for term in ("slo", "sla", "sli", "p99")
    ]
    await invited.discord.settled()
    assert len(invited.discord.said()) <= 3
    assert any(message.reactions for message in asked)
    assert (await invited.slash("define", by=invited.max, term="slo")).message.ephemeral


HOSTILE = {
    "backticks": "`" * 300,
    "a code block": "```\n@everyone\n",
    "headings": "# # # ## -# big",
    "a masked link": "[slo](https://example.org/) <https://example.org/>",
    "mentions": "<@1> <@&2> <#3> </define:4> <t:5:R> <id:customize> @here @everyone",
    "an emoji": "<:name:123456789012345678> :slo: 🧑‍🧑‍🧒",
    "spoilers": "||slo|| ||" * 30,
    "right to left": "\u202eols\u202c \u2066slo\u2069 شارة",
    "no width": "s\u200bl\u200bo \ufeff\u2060",
    "controls": "slo\x00\x07\x1b[31m",
    "accents": "e" + "\u0301" * 500,
    "lines": "slo\n" * 200,
    "one long word": "x" * 1900,
    "a quote": "> slo\n>>> sla",
    "vs of nothing": "vs vs vs",
    "format fields": "{term} %s {0} ${HOME} {{}}",
    "a lone surrogate's neighbour": "\U0001f9d1 \ud7ff \ue000",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_whatever_is_written_discord_takes_every_answer_and_nobody_is_pinged(bench: Bench, text: str) -> None:
    """Refusals fail by themselves."""
    await bench.notes("all")
    await bench.start()
    mention = bench.discord.me_user.mention
    for typed in (f"!define {text}", f"{mention} {text}", f"!vs slo / {text}", f"!glossary search {text}", text):
        await bench.discord.say(bench.talk, bench.max, typed)
    await bench.discord.say(bench.discord.dm(bench.lena), bench.lena, text)
    said = await bench.discord.say(bench.talk, bench.max, f"KV cache {text}")
    answers = [
        (await bench.slash("define", term=text)).message,
        (await bench.slash("vs", first="slo", second=text)).message,
        (await bench.slash("explain", text=text)).message,
        (await bench.slash("glossary", search=text)).message,
        (await bench.slash("explain")).message,
        (await bench.discord.context_menu(bench.lena, said, "Explain jargon")).message,
    ]
    await bench.discord.autocomplete(bench.lena, bench.talk, "define", "term", text[:100])
    await bench.discord.settled()
    for message in (*bench.discord.said(), *answers):
        assert message.pings == ()
        assert "(ref" not in bench.shown(message)
