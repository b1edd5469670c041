"""The app manifest: what Slack takes, and that the bot listens for all it registers."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
import yaml
from jsonschema import Draft7Validator

from adapters.slack.manifest import manifest, printed
from adapters.slack.names import GLOBAL_SHORTCUT, MESSAGE_SHORTCUT
from bot.commands.names import COMMANDS
from bot.phrases import Phrases

URL: Final = "https://bot.example.com"
FORMS: Final[dict[str, dict[str, Any]]] = {
    "Socket Mode": {},
    "HTTP": {"http_url": URL},
    "reading messages": {"read_messages": True},
    "with a prefix": {"prefix": "jargon-bot-1"},
    "many workspaces": {"http_url": URL, "many": True, "read_messages": True},
}


def text(most: int, pattern: str = "") -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": most, "pattern": pattern}


def some(items: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "maxItems": most, "uniqueItems": True, "items": items}


def form(needed: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": needed.split(), "properties": properties, "additionalProperties": False}


ADDRESS: Final = text(3000, "^https://")
FLAG: Final = {"type": "boolean"}
SCHEMA: Final = form(
    "display_information features oauth_config settings",
    _metadata=form("major_version", major_version={"const": 2}, minor_version={"type": "integer"}),
    display_information=form("name description", name=text(35), description=text(140)),
    features=form(
        "app_home bot_user shortcuts slash_commands",
        app_home=form("", home_tab_enabled=FLAG, messages_tab_enabled=FLAG, messages_tab_read_only_enabled=FLAG),
        bot_user=form("display_name", display_name=text(80, "^[a-z0-9._-]+$"), always_online=FLAG),
        shortcuts=some(
            form(
                "name type callback_id description",
                name=text(24),
                type={"enum": ["message", "global"]},
                callback_id=text(255),
                description=text(150),
            ),
            10,
        ),
        slash_commands=some(
            form(
                "command description",
                command=text(32, "^/[a-z0-9_-]+$"),
                url=ADDRESS,
                description=text(2000),
                usage_hint=text(1000),
                should_escape=FLAG,
            ),
            50,
        ),
    ),
    oauth_config=form("scopes", redirect_urls=some(ADDRESS, 1000), scopes=form("bot", bot=some(text(50), 255))),
    settings=form(
        "event_subscriptions interactivity",
        event_subscriptions=form("bot_events", request_url=ADDRESS, bot_events=some(text(50), 100)),
        interactivity=form("is_enabled", is_enabled=FLAG, request_url=ADDRESS, message_menu_options_url=ADDRESS),
        org_deploy_enabled=FLAG,
        socket_mode_enabled=FLAG,
        token_rotation_enabled=FLAG,
    ),
)
"""The limits that Slack documents for manifests, and nothing but the fields that this one uses."""

NEEDS: Final = {
    "app_mention": "app_mentions:read",
    "member_joined_channel": "channels:read",
    "message.im": "im:history",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.mpim": "mpim:history",
}
"""Event -> the scope without which Slack doesn't deliver it."""


@pytest.fixture(params=FORMS.values(), ids=list(FORMS))
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    asked: dict[str, Any] = request.param
    return asked


def test_slack_takes_it(options: dict[str, Any], phrases: Phrases) -> None:
    found = list(Draft7Validator(SCHEMA).iter_errors(manifest(phrases, **options)))
    assert [f"{list(error.path)}: {error.message}" for error in found] == []


def test_what_is_printed_is_the_same(options: dict[str, Any], phrases: Phrases) -> None:
    assert yaml.safe_load(printed(phrases, **options)) == manifest(phrases, **options)


def test_every_scope_has_its_reason_beside_it(options: dict[str, Any], phrases: Phrases) -> None:
    shown = printed(phrases, **options)
    for scope in manifest(phrases, **options)["oauth_config"]["scopes"]["bot"]:
        assert re.search(rf"^ *- {scope}  # \S+", shown, re.MULTILINE), scope
    assert shown.count("  # ") == len(manifest(phrases, **options)["oauth_config"]["scopes"]["bot"])


def test_every_event_has_its_scope(options: dict[str, Any], phrases: Phrases) -> None:
    whole = manifest(phrases, **options)
    scopes = set(whole["oauth_config"]["scopes"]["bot"])
    events = whole["settings"]["event_subscriptions"]["bot_events"]
    assert {NEEDS[event] for event in events if event in NEEDS} <= scopes
    assert {"app_home_opened", "app_mention", "app_uninstalled", "tokens_revoked"} <= set(events)


def test_every_command_is_registered_with_its_prefix(phrases: Phrases) -> None:
    for prefix in ("", "jn-"):
        found = manifest(phrases, prefix=prefix)["features"]["slash_commands"]
        assert [entry["command"] for entry in found] == [f"/{prefix}{command.name}" for command in COMMANDS]
        assert [entry["usage_hint"] for entry in found] == [command.arguments for command in COMMANDS]


def test_descriptions_are_in_both_languages(phrases: Phrases) -> None:
    features = manifest(phrases)["features"]
    for entry in (*features["slash_commands"], *features["shortcuts"]):
        english, chinese = entry["description"].split(" · ")
        assert re.match("[A-Z]", english)
        assert re.search("[\u4e00-\u9fff]", chinese)


def test_shortcuts_are_those_that_are_listened_for(phrases: Phrases) -> None:
    found = manifest(phrases)["features"]["shortcuts"]
    assert [(one["name"], one["type"], one["callback_id"]) for one in found] == [
        ("Explain jargon 解释术语", "message", MESSAGE_SHORTCUT),
        ("Define… 查术语", "global", GLOBAL_SHORTCUT),
    ]


def test_messages_are_read_only_when_asked_for(phrases: Phrases) -> None:
    scopes = {
        flag: set(manifest(phrases, read_messages=flag)["oauth_config"]["scopes"]["bot"]) for flag in (False, True)
    }
    assert scopes[True] - scopes[False] == {"channels:history", "groups:history", "mpim:history"}
    assert {scope for scope in scopes[False] if scope.endswith(":history")} == {"im:history"}
    events = manifest(phrases)["settings"]["event_subscriptions"]["bot_events"]
    assert [event for event in events if event.startswith("message.")] == ["message.im"]


def test_socket_mode_names_no_address(phrases: Phrases) -> None:
    assert "https://" not in str(manifest(phrases, read_messages=True))
    assert manifest(phrases)["settings"]["socket_mode_enabled"] is True


@pytest.mark.parametrize("url", [URL, f"{URL}/", f" {URL}/slack/events", f"{URL}/slack/events/"])
def test_http_sends_everything_to_one_address(url: str, phrases: Phrases) -> None:
    whole = manifest(phrases, http_url=url)
    assert set(re.findall(r"https?://[^']+", str(whole))) == {f"{URL}/slack/events"}
    settings = whole["settings"]
    assert settings["socket_mode_enabled"] is False
    assert settings["token_rotation_enabled"] is False
    assert settings["interactivity"]["message_menu_options_url"] == f"{URL}/slack/events"
    assert all(entry["url"] == f"{URL}/slack/events" for entry in whole["features"]["slash_commands"])


def test_many_workspaces_get_a_page_to_return_to_and_tokens_that_rotate(phrases: Phrases) -> None:
    whole = manifest(phrases, http_url=URL, many=True)
    assert whole["oauth_config"]["redirect_urls"] == [f"{URL}/slack/oauth_redirect"]
    assert whole["settings"]["token_rotation_enabled"] is True
    assert whole["settings"]["org_deploy_enabled"] is True
    assert "team_access_revoked" in whole["settings"]["event_subscriptions"]["bot_events"]


@pytest.mark.parametrize(
    "url", ["", "bot.example.com", "http://bot.example.com", "https://a b", f"https://{'x' * 3000}"]
)
def test_an_address_that_slack_would_not_call_is_refused(url: str, phrases: Phrases) -> None:
    with pytest.raises(ValueError, match=re.escape(URL)):
        manifest(phrases, http_url=url)


@pytest.mark.parametrize("prefix", ["Jn-", "jn /", "/jn-", "术语", "x" * 13, "jn-\n"])
def test_a_prefix_that_slack_would_not_take_is_refused(prefix: str, phrases: Phrases) -> None:
    with pytest.raises(ValueError, match="prefix"):
        manifest(phrases, prefix=prefix)


def test_many_workspaces_need_an_address(phrases: Phrases) -> None:
    with pytest.raises(ValueError, match="--http"):
        printed(phrases, many=True)
