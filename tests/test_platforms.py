"""Which platforms the settings ask for."""

from __future__ import annotations

from typing import Final

import pytest

from adapters.platforms import NOTHING_CONFIGURED, names, phrases_of
from bot.errors import SettingsError
from bot.phrases import Phrases
from bot.settings import Settings

BOT: Final = {"slack_bot_token": "xoxb-1"}
APP: Final = {"slack_app_token": "xapp-1"}
SIGNED: Final = {"slack_signing_secret": "s"}
CLIENT: Final = {"slack_client_id": "1.2", "slack_client_secret": "c"}
DISCORD: Final = {"discord_token": "d"}


def settings(*given: dict[str, str]) -> Settings:
    return Settings(_env_file=None, **{name: value for part in given for name, value in part.items()})


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((), []),
        ((BOT, APP), ["slack"]),
        ((BOT, SIGNED), ["slack"]),
        ((BOT, APP, SIGNED), ["slack"]),
        ((CLIENT, SIGNED), ["slack"]),
        ((CLIENT, APP), ["slack"]),
        ((DISCORD,), ["discord"]),
        ((BOT, APP, DISCORD), ["slack", "discord"]),
    ],
    ids=["nothing", "sockets", "http", "all of it", "many workspaces", "over sockets", "discord", "both"],
)
def test_what_is_complete_is_connected_to(given: tuple[dict[str, str], ...], wanted: list[str]) -> None:
    assert names(settings(*given)) == wanted


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ((BOT,), "SLACK_APP_TOKEN"),
        ((APP,), "SLACK_BOT_TOKEN"),
        ((SIGNED,), "SLACK_BOT_TOKEN"),
        ((CLIENT,), "SLACK_SIGNING_SECRET"),
        (({"slack_client_id": "1.2"}, SIGNED, DISCORD), "SLACK_"),
    ],
    ids=["only the bot's token", "only the app's", "only the secret", "no secret", "half a client"],
)
def test_half_of_it_is_a_slip(given: tuple[dict[str, str], ...], missing: str) -> None:
    with pytest.raises(SettingsError, match=missing) as caught:
        names(settings(*given))
    assert not any(value in str(caught.value) for part in given for value in part.values() if len(value) > 2)


def test_where_nothing_is_configured_every_way_is_named() -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "SLACK_CLIENT_ID", "DISCORD_TOKEN"):
        assert name in NOTHING_CONFIGURED
    assert "api.slack.com/apps" in NOTHING_CONFIGURED
    assert "discord.com/developers" in NOTHING_CONFIGURED


def test_sentences_name_commands_as_each_platform_has_them(phrases: Phrases) -> None:
    named = phrases_of(settings({"slack_command_prefix": "jn-", "discord_prefix": "?"}), phrases)
    assert "/jn-define" in named["slack"].say("usage.define", "en")
    assert "/define" in named["discord"].say("usage.define", "en")
    assert "?define" in named["discord"].say("welcome.ask", "en")
    plain = phrases_of(settings(), phrases)
    assert plain["slack"] is plain["discord"] is phrases
