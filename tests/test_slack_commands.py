"""Slash commands: who sees the answer, which way it goes, and what it's called."""

from __future__ import annotations

from typing import Any

import pytest

from bot.glossary.yaml_files import Loaded
from tests.fakes import FailingStore
from tests.slack_office import office


async def test_the_answer_travels_inside_the_acknowledgement_and_only_the_asker_sees_it(loaded: Loaded) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.slash(at.lena, at.general, "define", "continuous batching")
        (shown,) = outcome.whispered
        assert shown.reader == at.lena.id
        assert "Continuous batching" in shown.says
        assert "[Share]" in shown.says
        assert {call.method for call in at.slack.calls} <= {"auth.test", "apps.connections.open", "users.info"}


async def test_a_table_goes_through_the_response_url_since_an_acknowledgement_hears_of_no_error(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.fail("response_url", "invalid_blocks")
        outcome = await at.acme.slash(at.lena, at.general, "vs", "slo sla")
        assert "SLO vs. SLA" in outcome.says
        assert len(at.slack.called("response_url")) == 2


@pytest.mark.parametrize("kind", ["channel", "group", "im"])
async def test_commands_work_where_the_bot_is_no_member(kind: Any, loaded: Loaded) -> None:
    async with office(loaded) as at:
        where = at.acme.channel("w", at.lena, at.li, bot=False, kind=kind)
        for command, text in (("define", "SLO"), ("vs", "slo sla")):
            outcome = await at.acme.slash(at.lena, where, command, text)
            assert "SLO" in outcome.says
        assert at.slack.called("chat.postMessage") == []


@pytest.mark.parametrize(
    ("command", "text", "shown"),
    [
        ("define", "", "Which term?"),
        ("vs", "", "Which two?"),
        ("explain", "", "/explain"),
        ("glossary", "", "Glossary"),
        ("lang", "", "Automatic."),
        ("autoexplain", "", "Jargon notes in this channel"),
        ("jargonaut", "", "My settings"),
        ("define", "a &lt;b&gt; SLO", "SLO"),
        ("define", "<https://x.example/slo|SLO>", "SLO"),
        ("nonsense", "", "I don't know that command"),
    ],
)
async def test_every_word_alone_shows_its_state_or_its_usage(
    command: str, text: str, shown: str, loaded: Loaded
) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.slash(at.lena, at.general, command, text)
        assert shown in outcome.says
        searches = command in ("define", "vs", "explain", "glossary") and not text
        assert ("[Search…]" in outcome.says) is searches


NASTY = (
    "<!channel> <!here> <@U1> <#C1|general> <!subteam^S1>",
    "&lt;!channel&gt;",
    "*bold* _it_ ~no~ `code` ```fence",
    "https://evil.example/slo <https://evil.example|SLO>",
    "x" * 3_000,
    "量" * 3_000,
    "\u202eOLS \u200b\ufeff",
    "SLO\n\n\nSLA | SLI, and 'quotes' \"too\"",
    "🧨" * 200,
)


async def test_whatever_is_typed_the_answer_is_one_that_slack_takes_and_pings_nobody(loaded: Loaded) -> None:
    async with office(loaded) as at:
        for command in ("define", "vs", "explain", "glossary", "lang", "jargonaut"):
            for text in NASTY:
                await at.acme.slash(at.lena, at.general, command, text)


async def test_thanks_gets_no_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        assert (await at.acme.slash(at.lena, at.general, "jargonaut", "thanks")).nothing


async def test_commands_may_have_a_prefix(loaded: Loaded) -> None:
    async with office(loaded, slack_command_prefix="jn-") as at:
        assert "TTFT" in (await at.acme.slash(at.lena, at.general, "jn-define", "ttft")).says


async def test_notes_are_switched_on_for_all_to_see_by_a_full_member_and_by_nobody_else(loaded: Loaded) -> None:
    async with office(loaded) as at:
        refused = await at.acme.slash(at.gus, at.general, "autoexplain", "all")
        assert refused.whispered
        assert not refused.posted
        outcome = await at.acme.slash(at.lena, at.general, "autoexplain", "threads")
        (told,) = outcome.posted
        assert told.says.startswith("Lena switched on jargon notes for threads")


async def test_admins_only_means_admins_only(loaded: Loaded) -> None:
    async with office(loaded, autoexplain_admins_only=True) as at:
        assert not (await at.acme.slash(at.lena, at.general, "autoexplain", "all")).posted
        assert (await at.acme.slash(at.ada, at.general, "autoexplain", "all")).posted


async def test_where_the_bot_isnt_a_member_it_says_privately_how_to_invite_it(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.expect("channel_not_found")
        outcome = await at.acme.slash(at.lena, at.elsewhere, "autoexplain", "all")
        assert "/invite @jargonaut" in outcome.says
        assert outcome.whispered


async def test_a_choice_of_language_is_kept_and_the_home_follows(loaded: Loaded) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.slash(at.lena, at.general, "lang", "zh")
        assert "以后用中文回答" in outcome.whispered[0].says
        assert outcome.home is not None
        assert "术语表" in outcome.home.says
        assert "服务等级目标" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says.splitlines()[1]


async def test_with_the_database_away_commands_still_answer(loaded: Loaded) -> None:
    async with office(loaded, store=FailingStore()) as at:
        assert "SLO" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says


async def test_in_the_conversation_with_the_bot_theres_nothing_to_share(loaded: Loaded) -> None:
    async with office(loaded) as at:
        here = at.acme.dm(at.lena)
        await at.acme.say(here, at.lena, "SLO")
        assert "[Share]" not in (await at.acme.slash(at.lena, here, "define", "SLO")).says
