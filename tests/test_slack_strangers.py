"""Channels that several companies share, guests, and conversations that aren't channels."""

from __future__ import annotations

from typing import Any

import pytest

from bot.glossary.yaml_files import Loaded
from tests.slack_fake_state import User
from tests.slack_office import Office, office

JARGON = "our KV cache is full and speculative decoding got slow"


def stranger(at: Office) -> User:
    """Somebody of another company, in a channel that is shared with it."""
    max_ = at.acme.stranger("Max")
    at.general.members.add(max_.id)
    return max_


async def test_people_of_another_company_are_answered_and_get_notes(loaded: Loaded) -> None:
    async with office(loaded) as at:
        max_ = stranger(at)
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        asked = await at.acme.say(at.general, max_, f"{at.acme.at} SLO")
        assert asked.one.thread_ts == asked.said.ts
        (miss,) = (await at.acme.say(at.general, max_, f"{at.acme.at} flurbel")).whispered
        assert miss.reader == max_.id
        assert (await at.acme.say(at.general, max_, JARGON)).posted


async def test_what_they_choose_is_theirs_wherever_they_press(loaded: Loaded) -> None:
    async with office(loaded) as at:
        max_ = stranger(at)
        answer = (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).one
        (copy,) = (await at.acme.press(max_, answer, "中文")).whispered
        always = next(label for label in copy.buttons if "以后" in label or "Always" in label)
        await at.acme.press(max_, copy, always)
        (other,) = (await at.acme.press(max_, answer, "Compare with SLA")).whispered
        assert "对外合同" in other.says
        (hers,) = (await at.acme.press(at.lena, answer, "Compare with SLA")).whispered
        assert "external contract" in hers.says


@pytest.mark.parametrize("who", ["a stranger", "a guest"])
async def test_who_isnt_a_full_member_sets_nothing_for_the_channel(loaded: Loaded, who: str) -> None:
    async with office(loaded) as at:
        outsider = stranger(at) if who == "a stranger" else at.gus
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        note = (await at.acme.say(at.general, at.lena, JARGON)).one
        page = await at.acme.press(outsider, note, "Notes in this channel…")
        (shown,) = page.whispered
        assert shown.reader == outsider.id
        for label in ("Turn off", "In threads"):
            if label in shown.buttons:
                assert (await at.acme.press(outsider, shown, label)).posted == []
        assert (await at.acme.press(outsider, note, "Remove this note")).deleted == []
        assert (await at.acme.say(at.general, at.lena, "and the TTFT?")).posted, "still on"


@pytest.mark.parametrize(("kind", "name"), [("group", "a private channel"), ("mpim", "a group conversation")])
async def test_wherever_the_bot_is_a_member_it_answers_as_in_a_channel(loaded: Loaded, kind: Any, name: str) -> None:
    async with office(loaded) as at:
        there = at.acme.channel(name, at.lena, at.li, kind=kind)
        for text in (f"{at.acme.at} SLO", "!define SLO"):
            asked = await at.acme.say(there, at.lena, text)
            assert asked.one.thread_ts == asked.said.ts
        assert (await at.acme.say(there, at.lena, "the SLO is fine")).nothing
        assert (await at.acme.say(there, at.lena, "thanks")).nothing


async def test_in_a_direct_message_there_is_nothing_to_switch_on(loaded: Loaded) -> None:
    async with office(loaded) as at:
        direct = at.acme.dm(at.lena)
        for told in (
            await at.acme.slash(at.lena, direct, "autoexplain", "all"),
            await at.acme.say(direct, at.lena, "autoexplain all"),
        ):
            assert "switched on" not in told.says
            assert "channel" in told.says
        assert (await at.acme.say(direct, at.lena, JARGON)).posted, "answered as what it is: said to the bot"
