"""What is said to the bot on Discord, and what isn't; answers that follow their questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.questions import mentioned
from tests.discord_bench import Bench

pytest_plugins = ("tests.discord_fixtures",)

NAMES = ("<@1>", "<@!1>", "<@&2>")


# -- Mentions


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<@1> slo", "slo"),
        ("<@!1>: slo", "slo"),
        ("<@&2>，什么是 SLO？", "什么是 SLO？"),
        ("hey <@1> slo", "hey slo"),
        ("slo <@1>", "slo"),
        ("<@1> <@1>", ""),
        ("<@1>", ""),
        ("<@3> slo", None),
        ("@everyone slo", None),
        ("`<@1>` slo", None),
        ("```\n<@1> slo\n```", None),
        ("> <@1> slo\nwhat?", None),
        ("> <@3> said\n<@1> slo", "> <@3> said\n slo"),
    ],
)
def test_only_a_typed_mention_of_the_bot_is_said_to_it(text: str, said: str | None) -> None:
    found = mentioned(text, NAMES)
    assert (found is None) == (said is None)
    assert (found or "").split() == (said or "").split()


@given(st.text(alphabet="<@1>!&2`> \nab，"))
def test_what_is_said_never_has_the_mention_that_was_found(text: str) -> None:
    said = mentioned(f"{text}\n<@1> slo", NAMES)
    if said is not None:
        assert said.endswith("slo")
        assert len(said) < len(text) + 10


# -- What is answered


@pytest.mark.parametrize(
    "text",
    [
        "!define slo",
        "！define slo",
        "、定义 slo",
        "!DEFINE SLO",
        "!define “slo”",
        "!查slo",
        "！定义 slo",
    ],
)
async def test_a_command_is_answered_under_it_without_a_ping(bench: Bench, text: str) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, text)
    answer = await bench.discord.reply_to(asked)
    assert "SLO" in bench.shown(answer)
    assert answer.pings == ()


@pytest.mark.parametrize(
    "text",
    [
        "!help",
        "!play music",
        "! define slo",
        "!!",
        "!",
        "/define slo",
        "hello slo",
        "@everyone slo",
        "define slo",
        "?define slo",
    ],
)
async def test_what_is_for_others_stays_unanswered(bench: Bench, text: str) -> None:
    await bench.start()
    await bench.unanswered(text)


@pytest.mark.parametrize("prefix", ["?", "j!"])
async def test_another_prefix_takes_the_place_of_the_exclamation_mark(bench: Bench, prefix: str) -> None:
    await bench.start(discord_prefix=prefix)
    assert "SLO" in bench.shown(await bench.ask(f"{prefix}define slo"))
    assert "SLA" in bench.shown(await bench.ask("、define sla"))
    await bench.unanswered("!define slo")


async def test_a_mention_is_answered_by_name_and_by_role(bench: Bench) -> None:
    await bench.start()
    role = next(role for role in bench.ops.roles.values() if role.bot is not None)
    me = bench.discord.me_user.id
    for mention, term in ((f"<@{me}>", "SLO"), (f"<@!{me}>", "SLA"), (f"<@&{role.id}>", "TTFT")):
        assert term in bench.shown(await bench.ask(f"{mention} what is {term.lower()}?"))


async def test_a_reply_to_the_bot_is_no_mention(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!define slo")
    await bench.unanswered("and what is an sla", reply_to=answer, ping=True)


async def test_small_talk_gets_no_answer(bench: Bench) -> None:
    await bench.start()
    await bench.unanswered(f"<@{bench.discord.me_user.id}> thanks")


async def test_a_direct_message_needs_no_prefix(bench: Bench) -> None:
    await bench.start()
    dm = bench.discord.dm(bench.lena)
    answer = await bench.ask("what is slo", at=dm)
    assert "SLO" in bench.shown(answer)
    assert "🗑" not in bench.discord.buttons(answer)
    assert "SLA" in bench.shown(await bench.ask("!define sla", at=dm))


async def test_a_question_in_reply_to_somebody_is_answered_under_what_they_said(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.max, "we missed the slo")
    await bench.discord.say(bench.talk, bench.lena, "!define slo", reply_to=said)
    answer = await bench.discord.reply_to(said)
    assert answer.pings == ()
    asked = await bench.discord.say(bench.talk, bench.max, "!define sla", reply_to=answer)
    assert "SLA" in bench.shown(await bench.discord.reply_to(asked))


async def test_the_same_question_again_gets_a_link_to_the_answer(bench: Bench) -> None:
    thread = bench.discord.thread(bench.talk, "a thread")
    await bench.start()
    first = await bench.ask("!define slo")
    again = await bench.ask("!define SLO", by=bench.max)
    assert first.url in bench.shown(again)
    assert "team sets" not in bench.shown(again)
    assert "team sets" in bench.shown(await bench.ask("!define slo", at=thread))
    await bench.discord.delete(first)
    await bench.discord.settled()
    assert "team sets" in bench.shown(await bench.ask("!define slo"))


async def test_whoever_asks_too_fast_is_asked_to_wait_by_a_sign(bench: Bench) -> None:
    bench.per_minute = 1
    await bench.start()
    await bench.ask("!define slo")
    asked = await bench.unanswered("!define sla")
    assert [reaction for reaction in asked.reactions if "⏳" in str(reaction)]


# -- Answers follow their questions


async def test_an_edit_within_two_minutes_edits_the_answer(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slp")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.edit(asked, "!define slo")
    await bench.discord.until(lambda: "team sets" in bench.shown(answer))
    assert len(bench.discord.said()) == 1


async def test_an_edit_in_too_much_of_a_hurry_leaves_the_answer(bench: Bench) -> None:
    bench.per_minute = 1
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.edit(asked, "!define sla")
    await bench.discord.settled()
    assert not answer.deleted


async def test_a_late_edit_changes_nothing(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo", ago=125)
    answer = await bench.discord.reply_to(asked)
    await bench.discord.edit(asked, "!define ttft")
    await bench.discord.settled()
    assert answer.versions == 1


async def test_an_edit_that_asks_nothing_any_more_deletes_the_answer(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.edit(asked, "never mind")
    await bench.discord.until(lambda: answer.deleted)


async def test_an_edit_never_makes_an_answer(bench: Bench) -> None:
    await bench.start()
    said = await bench.discord.say(bench.talk, bench.lena, "define slo")
    await bench.discord.settled()
    await bench.discord.edit(said, "!define slo")
    await bench.discord.settled()
    assert bench.discord.said() == []


async def test_the_preview_of_a_link_is_no_edit(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo https://example.org/")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.unfurl(asked)
    await bench.discord.settled()
    assert answer.versions == 1


async def test_what_becomes_of_a_message_that_was_edited_long_ago_is_no_edit(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo", ago=300)
    answer = await bench.discord.reply_to(asked)
    asked.edited = bench.discord.clock.now() - 200
    await bench.discord.unfurl(asked)
    await bench.discord.settled()
    assert answer.versions == 1


async def test_a_deleted_question_takes_its_answer_along(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.lena, "!define slo")
    answer = await bench.discord.reply_to(asked)
    await bench.discord.delete(asked)
    await bench.discord.until(lambda: answer.deleted)


async def test_the_asker_deletes_an_answer_and_others_do_not(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!define slo", by=bench.max)
    other = bench.discord.join(bench.ops, bench.discord.user("Kim"))
    refused = await bench.press(answer, "🗑", by=other)
    assert refused.message.seen_by is other
    assert not answer.deleted
    await bench.press(answer, "🗑", by=bench.max)
    await bench.discord.until(lambda: answer.deleted)


async def test_who_may_delete_messages_may_delete_answers(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!define slo", by=bench.max)
    await bench.press(answer, "🗑", by=bench.lena)
    await bench.discord.until(lambda: answer.deleted)
