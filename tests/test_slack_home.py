"""The App Home."""

from __future__ import annotations

from adapters.slack.workspace import READING
from bot.glossary.yaml_files import Loaded
from tests.fakes import FailingStore
from tests.slack_fake_state import SCOPES
from tests.slack_office import office


async def test_it_says_first_how_to_ask_in_threads(loaded: Loaded) -> None:
    async with office(loaded) as at:
        home = (await at.acme.open_home(at.lena)).home
        assert home is not None
        assert home.says.index("In threads") < home.says.index("Language")
        assert "LLM inference" in home.says


async def test_where_the_app_may_not_read_channels_nothing_speaks_of_commands_in_messages(loaded: Loaded) -> None:
    async with office(loaded, scopes=SCOPES - READING) as at:
        home = (await at.acme.open_home(at.lena)).home
        assert home is not None
        new = at.acme.channel("new", at.lena, bot=False)
        said = [
            home.says,
            (await at.acme.invite(new, at.lena)).says,
            (await at.acme.slash(at.lena, at.general, "jargonaut", "help")).says,
        ]
        for says in said:
            assert "mention" in says or "@jargonaut" in says
            assert "!" not in says


async def test_the_messages_tab_isnt_the_home(loaded: Loaded) -> None:
    async with office(loaded) as at:
        assert (await at.acme.open_home(at.lena, tab="messages")).home is None


async def test_its_pages_lead_back_and_changes_show_at_once(loaded: Loaded) -> None:
    async with office(loaded) as at:
        home = (await at.acme.open_home(at.lena)).home
        assert home is not None
        page = (await at.acme.press(at.lena, home, "Change")).home
        assert page is not None
        chosen = (await at.acme.press(at.lena, page, "中文")).home
        assert chosen is not None
        assert "以后用中文回答" in chosen.says
        assert "[我的设置]" not in chosen.says
        back = (await at.acme.press(at.lena, chosen, "‹ 首页")).home
        assert back is not None
        assert "中文" in back.says


async def test_a_change_made_elsewhere_shows_too(loaded: Loaded) -> None:
    async with office(loaded) as at:
        outcome = await at.acme.slash(at.lena, at.general, "jargonaut", "mute")
        assert outcome.home is not None
        assert "Allow notes" in outcome.home.says
        for command, text in (("jargonaut", ""), ("jargonaut", "privacy"), ("jargonaut", "known"), ("lang", "")):
            assert (await at.acme.slash(at.lena, at.general, command, text)).home is None
        panel = (await at.acme.slash(at.lena, at.general, "jargonaut")).one
        pressed = await at.acme.press(at.lena, panel, "Allow notes")
        assert pressed.home is not None
        assert "Turn notes off" in pressed.home.says


async def test_a_change_that_is_said_to_the_bot_shows_too(loaded: Loaded) -> None:
    async with office(loaded) as at:
        for text in ("lang zh", "!lang en", "LANG both"):
            assert (await at.acme.say(at.acme.dm(at.lena), at.lena, text)).home is not None
        for text in ("lang", "SLO", "thanks"):
            assert (await at.acme.say(at.acme.dm(at.lena), at.lena, text)).home is None


async def test_a_language_that_is_switched_to_on_a_card_shows_too(loaded: Loaded) -> None:
    async with office(loaded) as at:
        card = (await at.acme.slash(at.lena, at.general, "define", "SLO")).one
        outcome = await at.acme.press(at.lena, card, "中文")
        assert outcome.home is not None
        assert "术语表" in outcome.home.says


async def test_a_private_copy_in_another_language_changes_nothing_there(loaded: Loaded) -> None:
    async with office(loaded) as at:
        public = (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).one
        assert (await at.acme.press(at.lena, public, "中文")).home is None


async def test_a_card_there_is_shared_through_a_form(loaded: Loaded) -> None:
    async with office(loaded) as at:
        home = (await at.acme.open_home(at.lena)).home
        assert home is not None
        card = (await at.acme.press(at.lena, home, "A random term")).home
        assert card is not None
        form = (await at.acme.press(at.lena, card, "Share")).view
        outcome = await at.acme.submit_view(at.lena, form, {"Where to?": at.general.id})
        assert "Shared by Lena" in outcome.posted[0].says


async def test_with_the_database_away_there_is_a_home(loaded: Loaded) -> None:
    async with office(loaded, store=FailingStore()) as at:
        assert (await at.acme.open_home(at.lena)).home is not None
