"""Which platforms the settings ask for, and what is missing where none is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from bot.commands.names import COMMANDS
from bot.errors import SettingsError
from bot.phrases import Phrases
from bot.settings import Settings

if TYPE_CHECKING:
    from adapters.running import Platform
    from bot.bot import Bot
    from bot.state.database import Database
    from bot.state.ports import Store

NOTHING_CONFIGURED: Final = """\
No platform is configured. Set one of these in the environment or in .env, and start again:
  Slack, Socket Mode    SLACK_BOT_TOKEN (xoxb-…) and SLACK_APP_TOKEN (xapp-…)
  Slack, over HTTP      SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET
  many Slack workspaces SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET
                        All are on the pages of your app at api.slack.com/apps; `jargonaut slack manifest` makes one.
  Discord               DISCORD_TOKEN, on the page Bot of your app at discord.com/developers/applications
To try the bot with no account: jargonaut chat"""


def names(settings: Settings) -> list[str]:
    """The platforms to connect to.

    Raises `SettingsError` where only a part of what a platform needs is set: that is a slip, and not a choice.
    """
    return [
        *(["slack"] if _wants_slack(settings) else []),
        *(["discord"] if settings.discord_token.get_secret_value() else []),
    ]


def _wants_slack(settings: Settings) -> bool:
    given = {
        name
        for name in ("slack_bot_token", "slack_app_token", "slack_signing_secret", "slack_client_secret")
        if getattr(settings, name).get_secret_value()
    } | ({"slack_client_id"} if settings.slack_client_id else set())
    if not given:
        return False
    ways = (
        {"slack_bot_token", "slack_app_token"},
        {"slack_bot_token", "slack_signing_secret"},
        {"slack_client_id", "slack_client_secret", "slack_signing_secret"},
        {"slack_client_id", "slack_client_secret", "slack_app_token"},
    )
    if any(way <= given for way in ways):
        return True
    missing = min((way - given for way in ways), key=len)
    raise SettingsError(f"Slack needs {' and '.join(sorted(missing)).upper()}, too")


def phrases_of(settings: Settings, phrases: Phrases) -> dict[str, Phrases]:
    """The bot's sentences with the names that its commands have on each platform."""
    commands = [command.name for command in COMMANDS]
    return {
        "slack": phrases.calling(commands, slash=f"/{settings.slack_command_prefix}"),
        "discord": phrases.calling(commands, bang=settings.discord_prefix),
    }


def build(
    settings: Settings, bot: Bot, phrases: dict[str, Phrases], store: Store, database: Database
) -> list[Platform]:
    """The platforms that the settings ask for; only their SDKs are imported."""
    return list(_build(settings, bot, phrases, store, database))


def _build(
    settings: Settings, bot: Bot, phrases: dict[str, Phrases], store: Store, database: Database
) -> Iterator[Platform]:
    for name in names(settings):
        if name == "slack":
            from adapters.slack.platform import SlackPlatform

            yield SlackPlatform(bot, phrases[name], store, settings, database.engine)
        else:
            from adapters.discord.platform import DiscordPlatform

            yield DiscordPlatform(bot, phrases[name], store, settings)
