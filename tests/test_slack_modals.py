"""Shortcuts, searching as one types, sharing from a modal."""

from __future__ import annotations

from adapters.slack.names import GLOBAL_SHORTCUT, MESSAGE_SHORTCUT
from bot.glossary.yaml_files import Loaded
from bot.request import Person
from tests.slack_fake_state import Message
from tests.slack_office import Office, office

JARGON = "our KV cache is full and speculative decoding got slow"


async def quietly(at: Office, text: str, thread: Message | None = None, where: str = "") -> Message:
    """A message that the app isn't told of."""
    channel = at.acme.channels[where] if where else at.general
    made = Message(at.slack.clock.ts(), channel.id, at.li.id, text, [], thread.ts if thread else None)
    channel.messages[made.ts] = made
    return made


async def test_the_message_shortcut_shows_a_loading_view_and_then_the_terms(loaded: Loaded) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.shortcut(at.lena, MESSAGE_SHORTCUT, await quietly(at, JARGON))
        assert [change.kind for change in outcome.changes] == ["opened", "updated"]
        assert "KV cache" in outcome.view.says
        assert "[Whole thread]" not in outcome.view.says


async def test_a_message_in_a_thread_offers_the_whole_thread(loaded: Loaded) -> None:
    async with office(loaded) as at:
        first = await quietly(at, JARGON)
        second = await quietly(at, "and the TTFT", first)
        outcome = await at.acme.shortcut(at.lena, MESSAGE_SHORTCUT, second)
        view = outcome.view
        for pressed in ("中文", "English", "Show", "‹ Back"):
            await at.acme.press(at.lena, view, pressed)
        whole = await at.acme.press(at.lena, view, "Whole thread")
        assert "Jargon in this thread" in whole.view.says
        assert "2 messages" in whole.view.says


async def test_a_thread_that_the_bot_may_not_read_is_said(loaded: Loaded) -> None:
    async with office(loaded) as at:
        at.slack.expect("channel_not_found")
        first = await quietly(at, JARGON, where=at.elsewhere.id)
        second = await quietly(at, "and the TTFT", first, where=at.elsewhere.id)
        outcome = await at.acme.shortcut(at.lena, MESSAGE_SHORTCUT, second)
        whole = await at.acme.press(at.lena, outcome.view, "Whole thread")
        assert "/invite @jargonaut" in whole.view.says


async def test_a_message_with_settings_words_is_only_a_message(loaded: Loaded) -> None:
    async with office(loaded) as at:
        for text in ("mute", "auto off", ""):
            outcome = await at.acme.shortcut(at.lena, MESSAGE_SHORTCUT, await quietly(at, text))
            assert outcome.views
        assert not (await at.store.people.get(Person("slack", at.acme.id, at.lena.id))).muted


async def test_searching_shows_the_card_in_the_same_modal_and_leads_on(loaded: Loaded) -> None:
    async with office(loaded) as at:
        form = (await at.acme.shortcut(at.lena, GLOBAL_SHORTCUT)).view
        options = await at.acme.suggest(at.lena, form, "量化")
        assert options
        outcome = await at.acme.choose(at.lena, form, options[0])
        assert outcome.view.id == form.id
        assert "Quantization" in outcome.view.says
        again = await at.acme.press(at.lena, outcome.view, "Look up another one")
        assert again.view.id == form.id
        assert await at.acme.suggest(at.lena, again.view, "zzzzzz") == []


async def test_what_is_found_is_described_in_the_readers_language(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.knows_everybody()
        for reader, about in ((at.lena, "the internal target"), (at.li, "内部目标")):
            form = (await at.acme.shortcut(reader, GLOBAL_SHORTCUT)).view
            (option, *_) = await at.acme.suggest(reader, form, "slo")
            assert option["description"]["text"].startswith(about)


async def test_sharing_from_a_modal_asks_where_and_works_without_membership(loaded: Loaded) -> None:
    async with office(loaded) as at:
        form = (await at.acme.shortcut(at.lena, GLOBAL_SHORTCUT)).view
        card = (await at.acme.choose(at.lena, form, (await at.acme.suggest(at.lena, form, "slo"))[0])).view
        asked = await at.acme.press(at.lena, card, "Share")
        outcome = await at.acme.submit_view(at.lena, asked.view, {"Where to?": at.elsewhere.id})
        (shared,) = outcome.posted
        assert shared.channel == at.elsewhere.id
        assert "Shared by Lena" in shared.says


async def test_whoever_shares_from_a_modal_where_slack_takes_nothing_is_told(loaded: Loaded) -> None:
    async with office(loaded) as at:
        form = (await at.acme.shortcut(at.lena, GLOBAL_SHORTCUT)).view
        card = (await at.acme.choose(at.lena, form, (await at.acme.suggest(at.lena, form, "slo"))[0])).view
        asked = await at.acme.press(at.lena, card, "Share")
        at.slack.fail("response_url", "restricted_action")
        (told,) = (await at.acme.submit_view(at.lena, asked.view, {"Where to?": at.elsewhere.id})).posted
        assert told.channel == at.acme.dm(at.lena).id
        assert told.says == "Slack doesn't let me post there."


async def test_the_search_button_opens_the_same_modal(loaded: Loaded) -> None:
    async with office(loaded) as at:
        usage = (await at.acme.slash(at.lena, at.general, "define")).one
        outcome = await at.acme.press(at.lena, usage, "Search…")
        assert "Which term?" in outcome.view.says


async def test_a_trigger_that_is_too_old_gets_the_typed_way_privately(loaded: Loaded) -> None:
    async with office(loaded, slack_command_prefix="jn-") as at:
        at.slack.fail("views.open", "expired_trigger_id", times=3)
        usage = (await at.acme.slash(at.lena, at.general, "jn-define")).one
        hint = await at.acme.press(at.lena, usage, "Search…")
        assert "/jn-define" in hint.whispered[0].says
        hint = await at.acme.shortcut(at.lena, MESSAGE_SHORTCUT, await quietly(at, JARGON))
        assert "/jn-explain" in hint.whispered[0].says
        hint = await at.acme.shortcut(at.lena, GLOBAL_SHORTCUT)
        assert hint.one.channel == at.acme.dm(at.lena).id


async def test_a_modal_speaks_the_readers_language_once_it_is_known(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.knows_everybody()
        outcome = await at.acme.shortcut(at.li, GLOBAL_SHORTCUT)
        assert "要查哪个术语？" in outcome.view.says
