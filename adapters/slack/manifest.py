"""The app manifest: what a workspace's admin pastes so that Slack knows the bot's commands, scopes and events."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

from adapters.slack.names import EVENTS_PATH, GLOBAL_SHORTCUT, MESSAGE_SHORTCUT, REDIRECT_PATH, REMOVALS
from bot.commands.names import COMMANDS
from bot.phrases import Phrases
from bot.settings import COMMAND_PREFIX

_SCOPES: Final = {
    "app_mentions:read": "questions that mention the bot",
    "channels:read": "whether the bot is in a public channel, and who invited it",
    "chat:write": "answers",
    "commands": "slash commands and shortcuts",
    "groups:read": "whether the bot is in a private channel, and who invited it",
    "im:history": "questions in direct messages to the bot",
    "im:read": "whether a direct message is one to the bot",
    "mpim:read": "whether the bot is in a group message",
    "users:read": "a person's language and name; whether they are an admin or a guest",
}
"""Scope -> what it's needed for."""

_READING: Final = {
    "channels:history": "! commands, unasked notes and digests of threads in public channels the bot is in",
    "groups:history": "! commands, unasked notes and digests of threads in private channels the bot is in",
    "mpim:history": "! commands, unasked notes and digests of threads in group messages the bot is in",
}
"""With these the app reads messages that aren't said to it."""

_EVENTS: Final = ("app_home_opened", "app_mention", "member_joined_channel", "message.im")
_READING_EVENTS: Final = ("message.channels", "message.groups", "message.mpim")
_MANY_EVENTS: Final = ("team_access_revoked",)


def manifest(
    phrases: Phrases, *, prefix: str = "", http_url: str | None = None, read_messages: bool = False, many: bool = False
) -> dict[str, Any]:
    """The manifest as Slack's API takes it.

    `prefix`: before the commands' names. `http_url`: where the bot can be reached from the internet; None: Socket Mode.
    `read_messages`: the app also gets messages that aren't said to it. `many`: workspaces install the app themselves.
    Raises ValueError for a prefix or an address that Slack wouldn't take, and for `many` without an address.
    """
    if not re.fullmatch(COMMAND_PREFIX, prefix):
        raise ValueError("a prefix has at most 12 small letters, digits, hyphens and underscores, like jn-")
    address = _address(http_url)
    if many and address is None:
        raise ValueError("workspaces install the app themselves at an address: give one with --http")
    requests = f"{address}{EVENTS_PATH}" if address else None
    return {
        "_metadata": {"major_version": 2, "minor_version": 1},
        "display_information": {
            "name": "Jargonaut",
            "description": _both(phrases, "slack.manifest.about"),
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "jargonaut", "always_online": True},
            "shortcuts": _shortcuts(phrases),
            "slash_commands": _commands(phrases, prefix, requests),
        },
        "oauth_config": {
            **({"redirect_urls": [f"{address}{REDIRECT_PATH}"]} if many else {}),
            "scopes": {"bot": list(scopes(read_messages))},
        },
        "settings": {
            "event_subscriptions": {
                **({"request_url": requests} if requests else {}),
                "bot_events": sorted(
                    (
                        *_EVENTS,
                        *REMOVALS,
                        *(_READING_EVENTS if read_messages else ()),
                        *(_MANY_EVENTS if many else ()),
                    )
                ),
            },
            "interactivity": {
                "is_enabled": True,
                **({"request_url": requests, "message_menu_options_url": requests} if requests else {}),
            },
            "org_deploy_enabled": many,
            "socket_mode_enabled": requests is None,
            "token_rotation_enabled": many,
        },
    }


def scopes(read_messages: bool) -> tuple[str, ...]:
    """What the bot asks a workspace for, as in `manifest`."""
    return tuple(sorted({**_SCOPES, **(_READING if read_messages else {})}))


def printed(
    phrases: Phrases, *, prefix: str = "", http_url: str | None = None, read_messages: bool = False, many: bool = False
) -> str:
    """The manifest as YAML to paste, with a comment that says what each scope is for. Raises as `manifest` does."""
    wanted = manifest(phrases, prefix=prefix, http_url=http_url, read_messages=read_messages, many=many)
    reasons = {f"- {scope}": reason for scope, reason in {**_SCOPES, **_READING}.items()}
    lines = yaml.safe_dump(wanted, allow_unicode=True, sort_keys=False, width=1000).splitlines()
    noted = [f"{line}  # {reasons[line.strip()]}" if line.strip() in reasons else line for line in lines]
    return "\n".join(("# api.slack.com/apps > Create New App > From a manifest > paste this as YAML", *noted, ""))


def _address(http_url: str | None) -> str | None:
    if http_url is None:
        return None
    address = http_url.strip().rstrip("/").removesuffix(EVENTS_PATH)
    if not address.startswith("https://") or len(address) > 3000 or any(character.isspace() for character in address):
        raise ValueError("Slack calls only addresses like https://bot.example.com")
    return address


def _commands(phrases: Phrases, prefix: str, requests: str | None) -> list[dict[str, Any]]:
    """In Chinese, too: Slack shows everybody the same description."""
    return [
        {
            "command": f"/{prefix}{command.name}",
            **({"url": requests} if requests else {}),
            "description": _capital(_both(phrases, f"help.{command.name}")),
            "usage_hint": command.arguments,
            "should_escape": False,
        }
        for command in COMMANDS
    ]


def _shortcuts(phrases: Phrases) -> list[dict[str, str]]:
    return [
        {
            "name": _both(phrases, "slack.shortcut.explain", " "),
            "type": "message",
            "callback_id": MESSAGE_SHORTCUT,
            "description": _both(phrases, "slack.shortcut.explain.about"),
        },
        {
            "name": _both(phrases, "slack.shortcut.define", " "),
            "type": "global",
            "callback_id": GLOBAL_SHORTCUT,
            "description": _both(phrases, "slack.shortcut.define.about"),
        },
    ]


def _both(phrases: Phrases, key: str, between: str = " · ") -> str:
    return f"{phrases.say(key, 'en')}{between}{phrases.say(key, 'zh-Hans')}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
