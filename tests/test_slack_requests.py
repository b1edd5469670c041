"""Payloads -> who, where and what."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest
from slack_bolt.async_app import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.people import Known
from adapters.slack.requests import Origin, of_command, of_event, of_interaction, pressed, request, thread_of
from adapters.slack.workspace import Workspace
from bot.request import Person, Place, Press, encode

HERE = Workspace(AsyncWebClient(), "T1", "UBOT")
ORIGIN = Origin(Person("slack", "T1", "U1"), Place("slack", "T1", "C1"), "lena")


def event(user: str = "U1", **more: Any) -> dict[str, Any]:
    return {"type": "message", "channel": "C1", "user": user, "ts": "2.0", **more}


@pytest.mark.parametrize(
    ("around", "said", "home"),
    [
        pytest.param({}, {}, "T1", id="own-workspace"),
        pytest.param({"enterprise_id": "E1"}, {}, "E1", id="organisation"),
        pytest.param({"is_ext_shared_channel": True}, {"user_team": "T9", "team": "T9"}, "T9", id="other-company"),
        pytest.param(
            {"is_ext_shared_channel": True, "enterprise_id": "E1"},
            {"user_team": "E9", "team": "E9"},
            "E9",
            id="other-organisation",
        ),
        pytest.param({"is_ext_shared_channel": True}, {"team": "T1"}, "T1", id="shared-channel-own-people"),
    ],
)
def test_a_person_is_told_apart_by_organisation_or_their_own_workspace(
    around: dict[str, Any], said: dict[str, Any], home: str
) -> None:
    body = {"type": "event_callback", "team_id": "T1", "event": event(**said), **around}
    context = AsyncBoltRequest(mode="socket_mode", body=body).context
    assert of_event(body["event"], context, HERE, "U1").person == Person("slack", home, "U1")


@pytest.mark.parametrize(
    ("message", "thread"),
    [
        pytest.param({"ts": "1.0"}, None, id="channel"),
        pytest.param({"ts": "1.0", "thread_ts": "1.0"}, None, id="opened-a-thread"),
        pytest.param({"ts": "2.0", "thread_ts": "1.0"}, "1.0", id="in-a-thread"),
    ],
)
def test_what_opened_a_thread_stands_in_the_channel(message: dict[str, Any], thread: str | None) -> None:
    assert thread_of(message) == thread


@pytest.mark.parametrize(
    ("said", "direct"),
    [
        pytest.param({"channel": "D1", "channel_type": "im"}, True, id="im"),
        pytest.param({"channel": "D1"}, True, id="no-type"),
        pytest.param({"channel": "G1", "channel_type": "mpim"}, False, id="several-people"),
        pytest.param({"channel": "C1", "channel_type": "channel"}, False, id="channel"),
    ],
)
def test_a_direct_message_is_told_from_a_channel(said: dict[str, Any], direct: bool) -> None:
    context = AsyncBoltRequest(mode="socket_mode", body={"team_id": "T1"}).context
    assert of_event(event(**said), context, HERE, "U1").direct is direct


def test_a_command_comes_from_the_person_and_the_channel_that_slack_names() -> None:
    body = {"team_id": "T1", "user_id": "U1", "user_name": "lena", "channel_id": "C1"}
    assert of_command(body, HERE) == ORIGIN
    assert of_command({**body, "enterprise_id": "E1"}, HERE).person.home == "E1"


def test_a_press_by_somebody_of_another_workspace_is_theirs() -> None:
    body = {"user": {"id": "U9", "team_id": "T9", "name": "max"}, "team": {"id": "T1"}, "enterprise": None}
    assert of_interaction(body, HERE, "C1").person == Person("slack", "T9", "U9")
    assert of_interaction({**body, "enterprise": {"id": "E1"}}, HERE, "C1").person.home == "E1"


def test_a_request_carries_time_chance_and_what_is_known_of_the_person() -> None:
    made = request(ORIGIN, "define", Known(locale="zh-Hans", name="Lena L."), text="SLO")
    assert (made.locale, made.name, made.text) == ("zh-Hans", "Lena L.", "SLO")
    assert made.now is not None
    assert made.now.tzinfo is UTC
    assert made.today == made.now.date()
    assert 0 <= made.chance < 1


def test_somebody_unknown_goes_by_the_name_in_the_payload() -> None:
    assert request(ORIGIN, "define", None).name == "lena"
    assert request(ORIGIN, "define", Known()).name == "lena"


def test_a_button_comes_back_as_its_request() -> None:
    made = pressed(ORIGIN, encode(Press("define", ("abcdefg",))), None, public=True, on="5.0")
    assert (made.action, made.by, made.public, made.on) == ("define", "button", True, "5.0")
    assert made.press == Press("define", ("abcdefg",))


@pytest.mark.parametrize("value", ["", "lang:zh", "j9:define", "j1:define:e:" + "a" * 200, "定义"])
def test_a_button_that_isnt_ours_is_answered_too(value: str) -> None:
    assert pressed(ORIGIN, value, None).action == "unknown-command"
