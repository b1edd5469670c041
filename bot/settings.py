"""Settings, read once from the environment and `.env`. Every name is described in `.env.example`."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Final

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadableError

from bot.errors import SettingsError
from bot.glossary.concept import Language
from bot.state.ports import Limits

COMMAND_PREFIX: Final = r"^[a-z0-9_-]{0,12}$"
"""What may stand before the names of slash commands: Slack takes them in lower case, with 32 characters at most."""


class Settings(BaseSettings):
    """Field names in capitals are the names of the variables."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True)

    database_url: str = ""
    """SQLAlchemy form; empty: a SQLite file in the user's state directory."""
    database_pool: int = Field(default=4, ge=1, le=50)
    """Connections of this process to PostgreSQL."""
    keep_misses: bool = True
    """Count look-ups without an answer, for the owners of the glossary."""
    report_channel: str = Field(default="", pattern=r"^([CG][A-Z0-9]+|\d+)?$")
    """Slack's or Discord's id of the channel that gets a report every Monday, and hears of files with faults."""
    report_language: Language = "en"
    jargonaut_data: tuple[Path, ...] = ()
    """Directories laid over the shipped data, in this order; `--data` adds to them."""
    notes_per_message: int = Field(default=3, ge=1, le=3)
    """Terms that one unasked note explains; a note has three lines at most."""
    notes_per_thread: int = Field(default=3, ge=0)
    notes_per_hour: int = Field(default=6, ge=0)
    """Of one channel."""
    notes_again_after_days: int = Field(default=7, ge=1, le=90)
    """Then a term may be explained again in a channel; what was explained is remembered for 90 days."""
    slack_bot_token: SecretStr = SecretStr("")
    slack_app_token: SecretStr = SecretStr("")
    """With the bot token: Socket Mode."""
    slack_signing_secret: SecretStr = SecretStr("")
    """With the bot token, or with client id and secret: HTTP."""
    slack_client_id: str = ""
    slack_client_secret: SecretStr = SecretStr("")
    """With the client id: many workspaces, installed at /slack/install."""
    slack_read_messages: bool = False
    """Ask workspaces at /slack/install for the scopes with which the bot reads the messages of its channels."""
    slack_api_url: str = "https://slack.com/api/"
    """Of Slack's Web API; GovSlack and proxies have another one."""
    slack_command_prefix: str = Field(default="", pattern=COMMAND_PREFIX)
    """Before the names of slash commands, for workspaces where another app owns /define."""
    http_host: str = "127.0.0.1"
    http_port: int = Field(default=3000, ge=0, le=65535)
    """Where Slack's requests arrive."""
    token_key: SecretStr = SecretStr("")
    """Encrypts Slack's tokens in the database: Fernet keys, the newest first, separated by commas."""
    autoexplain_admins_only: bool = False
    """On Slack, only a workspace's admins may set a channel's notes."""
    discord_token: SecretStr = SecretStr("")
    discord_api_url: str = "https://discord.com/api/v10"
    """Of Discord's REST API; proxies have another one, and then name the gateway, too."""
    discord_shards: str = ""
    """This process's share of the shards, `0-3/16`; empty: all of them, as many as Discord advises."""
    discord_prefix: str = Field(default="!", pattern=r"^\S{1,5}$")
    """Of commands in messages."""
    requests_per_minute: int = Field(default=30, ge=0)
    """Of one person, that are answered; 0: all."""
    ops_host: str = "127.0.0.1"
    """Where health and metrics are; empty: nowhere."""
    ops_port: int = Field(default=8081, ge=0, le=65535)
    log_level: str = ""
    """Empty: INFO for `run`, WARNING at the terminal."""

    @field_validator("discord_shards")
    @classmethod
    def _shards(cls, value: str) -> str:
        if not re.fullmatch(r"(\d+(-\d+)?/\d+)?", value):
            raise ValueError("write the first and the last shard, counted from 0, and how many there are, as in 0-3/16")
        return value

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        if value.upper() not in ("", "DEBUG", "INFO", "WARNING", "ERROR"):
            raise ValueError("use DEBUG, INFO, WARNING or ERROR")
        return value.upper()


def limits(settings: Settings) -> Limits:
    """How much is explained unasked."""
    return Limits(
        per_message=settings.notes_per_message,
        per_thread=settings.notes_per_thread,
        per_hour=settings.notes_per_hour,
        again_after=timedelta(days=settings.notes_again_after_days),
    )


def read_settings() -> Settings:
    """The settings, or SettingsError that names the variable at fault; never its value, which may be a secret."""
    try:
        return Settings()
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, e['loc'])).upper()}: {e['msg'].removeprefix('Value error, ')}"
            for e in error.errors(include_input=False)
        )
        raise SettingsError(faults) from None
    except UnreadableError:  # of the settings, only this one is a list
        raise SettingsError('JARGONAUT_DATA: must be a JSON list of directories, like ["/srv/glossary"]') from None
    except (OSError, UnicodeError):
        raise SettingsError("the file .env in this folder can't be read; it has to be UTF-8 text") from None
