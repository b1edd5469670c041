"""Which installation a request comes from, read from payloads as Slack's documentation shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from slack_bolt.async_app import AsyncBoltRequest

from adapters.slack.tenant import installed_in, tenant_of

ORG = {"enterprise_id": "E1", "is_enterprise_install": True}

CASES: dict[str, tuple[dict[str, Any], tuple[str | None, str | None], str]] = {
    "an event": ({"type": "event_callback", "team_id": "T1", "event": {}}, (None, "T1"), "T1"),
    "an event in a team of an organisation": (
        {"type": "event_callback", "team_id": "T1", "enterprise_id": "E1", "event": {}},
        ("E1", "T1"),
        "T1",
    ),
    "an event under an organisation's installation": (
        {"type": "event_callback", "team_id": "T1", "authorizations": [{**ORG, "team_id": "T1"}], "event": {}},
        ("E1", None),
        "E1",
    ),
    "a shared channel of two companies": (
        {
            "type": "event_callback",
            "team_id": "T9",
            "authorizations": [{"enterprise_id": None, "team_id": "T1", "is_enterprise_install": False}],
            "event": {},
        },
        (None, "T1"),
        "T1",
    ),
    "a command": ({"command": "/define", "team_id": "T1", "is_enterprise_install": "false"}, (None, "T1"), "T1"),
    "a command under an organisation's installation": (
        {"command": "/define", "team_id": "T1", "enterprise_id": "E1", "is_enterprise_install": "true"},
        ("E1", None),
        "E1",
    ),
    "a press": (
        {"type": "block_actions", "team": {"id": "T1"}, "enterprise": None, "is_enterprise_install": False},
        (None, "T1"),
        "T1",
    ),
    "a press without a team": (
        {"type": "view_submission", "team": None, "enterprise": {"id": "E1"}, "is_enterprise_install": True},
        ("E1", None),
        "E1",
    ),
    "an organisation that uninstalls, and names itself as the team": (
        {"type": "event_callback", "team_id": "E1", "enterprise_id": "E1", "event": {"type": "app_uninstalled"}},
        ("E1", None),
        "E1",
    ),
    "an organisation that uninstalls, and names no team": (
        {"type": "event_callback", "team_id": None, "enterprise_id": "E1", "event": {"type": "app_uninstalled"}},
        ("E1", None),
        "E1",
    ),
    "a flag without an organisation": (
        {"command": "/define", "team_id": "T1", "is_enterprise_install": "true"},
        (None, "T1"),
        "T1",
    ),
    "nothing": ({"type": "event_callback"}, (None, None), ""),
}


@pytest.mark.parametrize(("payload", "installed", "tenant"), CASES.values(), ids=CASES.keys())
def test_whose_request_it_is(payload: dict[str, Any], installed: tuple[str | None, str | None], tenant: str) -> None:
    context = AsyncBoltRequest(body=json.dumps(payload)).context
    assert installed_in(context) == installed
    assert tenant_of(context) == tenant
