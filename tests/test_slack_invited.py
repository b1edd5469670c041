"""The bot is invited to a channel."""

from __future__ import annotations

from bot.glossary.yaml_files import Loaded
from tests.slack_fake_state import READS, SCOPES
from tests.slack_office import office


async def test_whoever_invited_the_bot_is_told_privately_how_to_ask(loaded: Loaded) -> None:
    async with office(loaded) as at:
        channel = at.acme.channel("new", at.lena, at.li, bot=False)
        outcome = await at.acme.invite(channel, at.lena)
        (shown,) = outcome.whispered
        assert (shown.reader, outcome.posted) == (at.lena.id, [])
        assert "Explain jargon unasked?" in shown.says
        told = await at.acme.press(at.lena, shown, "In threads")
        assert "Lena switched on jargon notes" in told.posted[0].says


async def test_it_is_said_once_however_often_slack_tells(loaded: Loaded) -> None:
    async with office(loaded) as at:
        channel = at.acme.channel("new", at.lena, bot=False)
        await at.acme.invite(channel, at.lena)
        envelope = at.slack.envelopes[-1]
        await at.slack.redeliver(envelope, settle=True)
        assert len(at.slack.called("chat.postEphemeral")) == 1


async def test_an_app_that_may_not_read_messages_offers_no_notes(loaded: Loaded) -> None:
    async with office(loaded, scopes=SCOPES - (READS - {"im:history"})) as at:
        channel = at.acme.channel("new", at.lena, bot=False)
        outcome = await at.acme.invite(channel, at.lena)
        assert "@jargonaut" in outcome.says
        assert "unasked" not in outcome.says


async def test_other_peoples_joining_and_an_invitation_by_nobody_are_no_business_of_the_bots(loaded: Loaded) -> None:
    async with office(loaded) as at:
        assert (await at.acme.join(at.general, at.gus)).nothing
        channel = at.acme.channel("new", at.lena, bot=False)
        assert (await at.acme.invite(channel, None)).nothing
