"""What has gone wrong in other Slack bots: asked in a thread, between mentions, where the bot isn't, or too slowly.

Letters and numbers are those of the collected cases; each test holds a whole kind, not only its example.
"""

from __future__ import annotations

import logging
from typing import Any, Final

import pytest

from bot.commands.names import COMMANDS
from bot.glossary.yaml_files import Loaded
from tests.fakes import SilentStore
from tests.slack_office import Office, office

# -- S12: Slack has no commands in threads


async def test_in_threads_mentions_and_typed_commands_are_answered_in_the_thread(loaded: Loaded) -> None:
    async with office(loaded) as at:
        opener = (await at.acme.say(at.general, at.li, "morning")).said
        asking = ("{bot} SLO", "!define SLO", "！查 SLO", "、查 SLO", "／define SLO", "!vs slo sla", "{bot} slo vs sla")
        for text in asking:
            answer = await at.acme.say(at.general, at.lena, text.format(bot=at.acme.at), thread=opener)
            assert answer.one.thread_ts == opener.ts, text
            assert "Service level" in answer.says or "SLA" in answer.says, text


async def test_in_threads_commands_of_other_bots_and_plain_talk_get_no_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        opener = (await at.acme.say(at.general, at.li, f"{at.acme.at} SLO")).said
        for text in (
            "!nice work",
            "!help",
            "!deploy slo",
            "define SLO",
            "what about the SLA?",
            "/define SLO",
            "？查 SLO",
        ):
            assert (await at.acme.say(at.general, at.lena, text, thread=opener)).nothing, text


async def test_help_says_how_to_ask_in_threads(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.knows_everybody()
        helped = (await at.acme.slash(at.lena, at.general, "jargonaut", "help")).says
        assert "! and a mention answer for everyone to see, and work in threads, too" in helped
        first = (await at.acme.open_home(at.li)).home
        assert first is not None
        assert "在频道和消息列里：@ 我提问" in first.says.splitlines()[1]


# -- S13: where the mention stands

NAMED: Final = (
    *("hey {bot}, what is SLO?", "{max} {bot} SLO", "SLO {bot}", "{bot}SLO", "{bot} SLO {max}", "{bot} SLO"),
    *(
        "{bot}: SLO",
        "{bot}，SLO",
        "{bot}：SLO",
        "{bot}\nSLO",
        "{bot} {bot} SLO",
        "SLO，{bot}",
        "{bot} *SLO*",
        "{bot} `SLO`",
    ),
    *("{bot}什么是SLO", "什么是 SLO {bot}", "{bot} what does SLO mean {max}?", "{bot} “SLO”", "{bot}\u00a0SLO"),
)
UNSAID: Final = ("`{bot}` SLO", "```\n{bot} SLO\n```", "&gt; {bot} SLO", "&gt;&gt;&gt; {bot} SLO\nSLO", "``` {bot} SLO")


async def test_only_the_bots_own_mention_is_taken_out(loaded: Loaded) -> None:
    async with office(loaded) as at:
        for form in NAMED:
            for bot in (at.acme.at, f"<@{at.acme.bot}|jargonaut>"):
                text = form.format(bot=bot, max=f"<@{at.gus.id}>")
                answer = await at.acme.say(at.general, at.lena, text)
                assert answer.says.startswith("SLO\n"), text
                assert at.gus.id not in str(answer.one.json()), text


async def test_a_mention_in_code_or_in_a_quote_is_talk_about_the_bot(loaded: Loaded) -> None:
    async with office(loaded) as at:
        for form in UNSAID:
            text = form.format(bot=at.acme.at)
            assert (await at.acme.say(at.general, at.lena, text)).nothing, text


async def test_a_mention_alone_is_asked_for_help(loaded: Loaded) -> None:
    async with office(loaded) as at:
        for text in (at.acme.at, f"{at.acme.at}?", f" {at.acme.at} ", f"{at.acme.at} help", f"{at.acme.at} 帮助"):
            (told,) = (await at.acme.say(at.general, at.lena, text)).whispered
            assert told.reader == at.lena.id, text
            assert "what is" in told.says or "什么是" in told.says, text


async def test_thanks_and_small_talk_get_no_answer(loaded: Loaded) -> None:
    async with office(loaded) as at:
        for text in ("thanks!", "谢谢", "ok", "hi", "{bot} thanks", "{bot} 谢谢", "{bot} :+1:", "{bot} 👍"):
            assert (await at.acme.say(at.general, at.lena, text.format(bot=at.acme.at))).nothing, text


# -- S19: commands work where the bot isn't

ELSEWHERE: Final[dict[str, dict[str, Any]]] = {
    "a public channel": {"kind": "channel"},
    "a private channel": {"kind": "group"},
    "a conversation of two": {"kind": "im"},
    "a conversation of several": {"kind": "mpim"},
}


@pytest.mark.parametrize("place", ELSEWHERE)
async def test_commands_answer_where_the_bot_is_no_member(loaded: Loaded, place: str) -> None:
    async with office(loaded) as at:
        there = at.acme.channel("there", at.lena, at.li, bot=False, **ELSEWHERE[place])
        at.slack.allow("channel_not_found", "conversations.info")
        for command in COMMANDS:
            for text in ("", command.example.partition(" ")[2]):
                answer = await at.acme.slash(at.lena, there, command.name, text)
                assert answer.whispered, (command.name, text)
                assert not answer.posted, (command.name, text)
        card = (await at.acme.slash(at.lena, there, "define", "SLO")).one
        shared = await at.acme.press(at.lena, card, "发到频道")  # the example of /lang made it Chinese
        assert shared.one.says.startswith("SLO\n")
        assert "Lena" in shared.says.splitlines()[-2]
        assert at.slack.called("chat.postMessage") == []


@pytest.mark.parametrize("error", ["not_in_channel", "channel_not_found", "is_archived", "restricted_action"])
async def test_where_slack_lets_the_bot_post_nothing_it_says_so_once_and_goes_on(
    loaded: Loaded, error: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        for text in (f"{at.acme.at} SLO", "!define SLO", "our KV cache is full"):
            at.slack.fail("chat.postMessage", error)
            calls = len(at.slack.called("chat.postMessage"))
            assert (await at.acme.say(at.general, at.lena, text)).nothing
            assert len(at.slack.called("chat.postMessage")) == calls + 1, "tried again"
        assert (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).posted
    warned = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert [error in line for line in warned] == [True]
    assert at.general.id in warned[0]
    assert "SLO" not in warned[0]


# -- S21: a trigger lives three seconds


async def message_shortcut(at: Office, **how: Any) -> Any:
    said = at.general.messages[min(at.general.messages)]
    return await at.acme.shortcut(at.lena, "explain_jargon", said, **how)


async def global_shortcut(at: Office, **how: Any) -> Any:
    return await at.acme.shortcut(at.lena, "define", **how)


async def search_button(at: Office, **how: Any) -> Any:
    usage = (await at.acme.slash(at.lena, at.general, "define")).one
    return await at.acme.press(at.lena, usage, "Search…", **how)


OPENING: Final = {it.__name__: it for it in (message_shortcut, global_shortcut, search_button)}


@pytest.mark.parametrize("opening", OPENING)
async def test_the_window_opens_before_anything_slow(loaded: Loaded, opening: str) -> None:
    async with office(loaded, store=SilentStore()) as at:
        await at.acme.say(at.general, at.lena, "TTFT got worse since we have a KV cache", settle=False)
        at.slack.calls.clear()
        opened = await OPENING[opening](at)
        methods = [call.method for call in at.slack.calls if call.method.startswith("views.")]
        assert methods[0] == "views.open"
        assert opened.view.open
        assert ("TTFT" if opening == "message_shortcut" else "Which term?") in opened.view.says


@pytest.mark.parametrize("error", ["expired_trigger_id", "invalid_trigger_id", "exchanged_trigger_id"])
@pytest.mark.parametrize("opening", OPENING)
async def test_whoever_gets_no_window_is_told_privately_what_to_type(loaded: Loaded, opening: str, error: str) -> None:
    async with office(loaded) as at:
        await at.acme.say(at.general, at.lena, "TTFT got worse since we have a KV cache")
        at.slack.fail("views.open", error)
        told = (await OPENING[opening](at)).one
        assert ("/explain" if opening == "message_shortcut" else "/define") in told.says
        assert getattr(told, "reader", "") == at.lena.id or told.channel == at.acme.dm(at.lena).id


async def test_no_acknowledgement_waits_for_a_database_that_says_nothing(loaded: Loaded) -> None:
    """A late one would be a violation."""
    async with office(loaded, store=SilentStore()) as at:
        card = await at.acme.slash(at.lena, at.general, "define", "SLO", settle=False)
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", settle=False)
        await at.slack.settled()
        (shown,) = [it for it in card.whispered if it.says.startswith("SLO")]
        assert (await at.acme.press(at.lena, shown, "Compare with SLA")).one is shown
        assert len(asked.posted) == 1
