"""The Slack that the other tests talk to: that it refuses what Slack refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_fake import SlackFake
from tests.slack_fake_people import Workspace
from tests.slack_fake_state import SCOPES, ResponseUrl
from tests.slack_fake_views import TRIGGER_SECONDS

QUIET = {"unfurl_links": False, "unfurl_media": False}
MODAL = {"type": "modal", "title": {"type": "plain_text", "text": "Hello"}, "blocks": []}


@pytest.fixture
async def slack() -> AsyncIterator[SlackFake]:
    async with SlackFake() as slack:
        yield slack


@pytest.fixture
def acme(slack: SlackFake) -> Workspace:
    return slack.workspace("Acme")


def client_of(slack: SlackFake, token: str) -> AsyncWebClient:
    return AsyncWebClient(token, base_url=slack.api_url)


@pytest.fixture
def client(slack: SlackFake, acme: Workspace) -> AsyncWebClient:
    assert acme.installation is not None
    return client_of(slack, acme.installation.token)


async def refusal(slack: SlackFake, call: Awaitable[Any]) -> str:
    """Slack's error; the fake has to know that it was foretold."""
    with pytest.raises(SlackApiError) as raised:
        await call
    error = str(raised.value.response["error"])
    slack.expect(error)
    return error


def tokens(slack: SlackFake, acme: Workspace) -> dict[str, str]:
    assert acme.installation is not None
    return {"a wrong one": "wrong", "the app's": slack.app_token, "the bot's": acme.installation.token}


@pytest.mark.parametrize(
    ("method", "token", "error"),
    [
        ("auth.test", "a wrong one", "invalid_auth"),
        ("auth.test", "the app's", "not_allowed_token_type"),
        ("apps.connections.open", "the bot's", "not_allowed_token_type"),
        ("apps.connections.open", "a wrong one", "invalid_auth"),
        ("chat.shout", "the bot's", "unknown_method"),
    ],
)
async def test_every_method_wants_its_own_kind_of_token(
    slack: SlackFake, acme: Workspace, method: str, token: str, error: str
) -> None:
    assert await refusal(slack, client_of(slack, tokens(slack, acme)[token]).api_call(method)) == error


@pytest.mark.parametrize(("state", "error"), [(s, s) for s in ("token_revoked", "account_inactive")])
async def test_a_token_that_was_taken_away_is_of_no_use(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient, state: Any, error: str
) -> None:
    assert acme.installation is not None
    acme.installation.state = state
    assert await refusal(slack, client.auth_test()) == error


async def test_a_scope_that_is_missing_is_named(slack: SlackFake) -> None:
    small = slack.workspace("Small", scopes=SCOPES - {"users:read"})
    assert small.installation is not None
    lena = small.person("Lena")
    call = client_of(slack, small.installation.token).users_info(user=lena.id)
    with pytest.raises(SlackApiError) as raised:
        await call
    slack.expect("missing_scope")
    assert raised.value.response["needed"] == "users:read"


CHANNELS = {
    "where the bot is no member": ("public", "not_in_channel"),
    "a private one that it doesn't see": ("private", "channel_not_found"),
    "somebody else's conversation": ("theirs", "channel_not_found"),
    "one that there isn't": ("nowhere", "channel_not_found"),
}


@pytest.mark.parametrize("case", CHANNELS)
async def test_the_bot_posts_where_it_is_a_member(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient, case: str
) -> None:
    lena, max_ = acme.person("Lena"), acme.person("Max")
    places = {
        "public": acme.channel("public", lena, bot=False).id,
        "private": acme.channel("private", lena, bot=False, kind="group").id,
        "theirs": acme.channel("theirs", lena, max_, bot=False, kind="im").id,
        "nowhere": "C0NOWHERE",
    }
    place, error = CHANNELS[case]
    assert await refusal(slack, client.chat_postMessage(channel=places[place], text="hi", **QUIET)) == error


async def test_what_the_bot_posts_stands_in_the_thread(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient
) -> None:
    lena = acme.person("Lena")
    general = acme.channel("general", lena)
    slack.events.clear()
    said = (await acme.say(general, lena, "hi")).said
    await client.chat_postMessage(channel=general.id, text="hello", thread_ts=said.ts, **QUIET)
    assert [message.text for message in general.thread(said.ts)] == ["hi", "hello"]
    lost = client.chat_postMessage(channel=general.id, text="hello", thread_ts="1.1", **QUIET)
    assert await refusal(slack, lost) == "cannot_reply_to_message"


@pytest.mark.parametrize(
    ("message", "error"),
    [
        pytest.param({"text": " "}, "no_text", id="no text"),
        pytest.param({"text": "", "blocks": [{"type": "divider"}]}, "no_text", id="blocks without a text"),
        pytest.param({"text": "x" * 40_001}, "msg_too_long", id="too long"),
        pytest.param({"text": "x", "blocks": [{"type": "carousel"}]}, "invalid_blocks", id="unknown block"),
        pytest.param({"text": "x", "colour": "red"}, "invalid_arguments", id="unknown argument"),
    ],
)
async def test_messages_that_slack_refuses(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient, message: dict[str, Any], error: str
) -> None:
    general = acme.channel("general")
    call = client.api_call("chat.postMessage", json={"channel": general.id, **QUIET, **message})
    assert await refusal(slack, call) == error


@pytest.mark.parametrize(
    ("message", "error"),
    [
        pytest.param({"text": "<!channel> hi", **QUIET}, "pings", id="a ping in the text"),
        pytest.param({"text": "<@U1> hi", **QUIET}, "pings", id="a mention"),
        pytest.param({"text": "hi"}, "unfurls", id="links unfold"),
        pytest.param({"text": "hi", **QUIET, "reply_broadcast": True}, "broadcasts", id="a broadcast"),
        pytest.param(
            {
                "text": "hi",
                "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "<!here>"}}],
                **QUIET,
            },
            "pings",
            id="a ping in a block",
        ),
    ],
)
async def test_what_the_bot_promised_never_to_do_goes_through_and_is_a_violation(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient, message: dict[str, Any], error: str
) -> None:
    general = acme.channel("general")
    slack.events.clear()
    await client.chat_postMessage(channel=general.id, **message)
    slack.expect(error)
    assert general.messages


async def test_only_its_own_messages_can_be_changed(slack: SlackFake, acme: Workspace, client: AsyncWebClient) -> None:
    lena = acme.person("Lena")
    general = acme.channel("general", lena)
    slack.events.clear()
    said = (await acme.say(general, lena, "hi")).said
    assert await refusal(slack, client.chat_update(channel=general.id, ts=said.ts, text="ho")) == "cant_update_message"
    assert await refusal(slack, client.chat_delete(channel=general.id, ts=said.ts)) == "cant_delete_message"
    assert await refusal(slack, client.chat_update(channel=general.id, ts="1.1", text="ho")) == "message_not_found"


async def test_whispers_reach_members_only(slack: SlackFake, acme: Workspace, client: AsyncWebClient) -> None:
    lena, max_ = acme.person("Lena"), acme.person("Max")
    general = acme.channel("general", lena)
    await client.chat_postEphemeral(channel=general.id, user=lena.id, text="psst")
    assert [one.text for one in acme.sees(lena, general)] == ["psst"]
    assert acme.sees(max_, general) == []
    outside = client.chat_postEphemeral(channel=general.id, user=max_.id, text="psst")
    assert await refusal(slack, outside) == "user_not_in_channel"


# -- Views


TRIGGERS: dict[str, tuple[Callable[[SlackFake], None], str]] = {
    "too late": (lambda slack: slack.clock.pass_by(TRIGGER_SECONDS + 0.1), "expired_trigger_id"),
    "a second time": (lambda slack: None, "exchanged_trigger_id"),
}


@pytest.mark.parametrize("case", TRIGGERS)
async def test_a_trigger_is_good_once_and_for_three_seconds(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient, case: str
) -> None:
    lena = acme.person("Lena")
    trigger = acme.trigger(lena)
    await client.views_open(trigger_id=trigger, view=MODAL)
    again = trigger if case == "a second time" else acme.trigger(lena)
    happens, error = TRIGGERS[case]
    happens(slack)
    assert await refusal(slack, client.views_open(trigger_id=again, view=MODAL)) == error


async def test_a_view_that_was_closed_or_changed_meanwhile_isnt_updated(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient
) -> None:
    view = (await client.views_open(trigger_id=acme.trigger(acme.person("Lena")), view=MODAL))["view"]
    await client.views_update(view_id=view["id"], view=MODAL, hash=view["hash"])
    stale = client.views_update(view_id=view["id"], view=MODAL, hash=view["hash"])
    assert await refusal(slack, stale) == "hash_conflict"
    await acme.close_view(acme.views[view["id"]])
    assert await refusal(slack, client.views_update(view_id=view["id"], view=MODAL)) == "not_found"


async def test_at_most_three_modals_lie_on_top_of_each_other(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient
) -> None:
    lena = acme.person("Lena")
    await client.views_open(trigger_id=acme.trigger(lena), view=MODAL)
    for _ in range(2):
        await client.views_push(trigger_id=acme.trigger(lena), view=MODAL)
    fourth = client.views_push(trigger_id=acme.trigger(lena), view=MODAL)
    assert await refusal(slack, fourth) == "push_limit_reached"


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"title": {"type": "plain_text", "text": "x" * 25}}, id="title"),
        pytest.param({"submit": {"type": "plain_text", "text": "x" * 25}}, id="submit"),
        pytest.param({"close": {"type": "plain_text", "text": ""}}, id="close"),
        pytest.param({"callback_id": "x" * 256}, id="callback_id"),
        pytest.param({"private_metadata": "x" * 3001}, id="private_metadata"),
        pytest.param({"blocks": [{"type": "divider"}] * 101}, id="blocks"),
        pytest.param({"blocks": [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}]}, id="table"),
        pytest.param({"colour": "red"}, id="unknown field"),
    ],
)
async def test_views_that_slack_refuses(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient, wrong: dict[str, Any]
) -> None:
    call = client.views_open(trigger_id=acme.trigger(acme.person("Lena")), view=MODAL | wrong)
    assert await refusal(slack, call) == "invalid_arguments"


# -- response_url


async def respond(slack: SlackFake, url: str, body: Any) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as response:
        return response.status, await response.text()


def url_of(slack: SlackFake, acme: Workspace) -> str:
    lena = acme.person("Lena")
    general = acme.channel("general", lena, bot=False)
    return slack.response_url(ResponseUrl(acme.id, general.id, lena.id, slack.clock.now()))


async def test_a_response_url_is_good_five_times(slack: SlackFake, acme: Workspace) -> None:
    url = url_of(slack, acme)
    assert [(await respond(slack, url, {"text": "hi"}))[0] for _ in range(6)] == [200] * 5 + [404]
    slack.expect("used_url", "response_url")


async def test_a_response_url_is_good_for_half_an_hour(slack: SlackFake, acme: Workspace) -> None:
    url = url_of(slack, acme)
    slack.clock.pass_by(30 * 60 + 1)
    assert await respond(slack, url, {"text": "hi"}) == (404, '{"ok": false, "error": "expired_url"}')
    slack.expect("expired_url")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        pytest.param({"text": "hi", "channel": "C1"}, "invalid_payload", id="unknown field"),
        pytest.param({"text": "hi", "response_type": "loud"}, "invalid_payload", id="response_type"),
        pytest.param({"text": ""}, "no_text", id="no text"),
        pytest.param({"text": "hi", "blocks": [{"type": "section"}]}, "invalid_blocks", id="blocks"),
        pytest.param({"text": "hi", "replace_original": True}, "message_not_found", id="nothing to replace"),
        pytest.param(
            {"text": "hi", "response_type": "in_channel", "thread_ts": "1.1"}, "cannot_reply_to_message", id="thread"
        ),
        pytest.param(["hi"], "invalid_payload", id="no object"),
    ],
)
async def test_answers_to_a_response_url_that_slack_refuses(
    slack: SlackFake, acme: Workspace, body: Any, error: str
) -> None:
    status, _ = await respond(slack, url_of(slack, acme), body)
    assert status == 400
    slack.expect(error, "response_url")


async def test_a_response_url_works_where_the_bot_is_no_member(slack: SlackFake, acme: Workspace) -> None:
    assert await respond(slack, url_of(slack, acme), {"text": "hi", "response_type": "in_channel"}) == (200, "ok")
    assert [message.text for channel in acme.channels.values() for message in channel.messages.values()] == ["hi"]


async def test_through_a_response_url_only_what_all_see_stands_in_a_thread(slack: SlackFake, acme: Workspace) -> None:
    lena = acme.person("Lena")
    general = acme.channel("general", lena)
    slack.events.clear()
    said = (await acme.say(general, lena, "hi")).said
    url = slack.response_url(ResponseUrl(acme.id, general.id, lena.id, slack.clock.now()))
    for kind in ("in_channel", "ephemeral"):
        await respond(slack, url, {"text": kind, "response_type": kind, "thread_ts": said.ts})
    assert [message.thread_ts for message in acme.sees(lena, general)] == [None, said.ts, None]


async def test_in_a_thread_without_replies_nobody_sees_a_whisper(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient
) -> None:
    lena = acme.person("Lena")
    general = acme.channel("general", lena)
    slack.events.clear()
    said = (await acme.say(general, lena, "hi")).said
    await client.chat_postEphemeral(channel=general.id, user=lena.id, text="psst", thread_ts=said.ts)
    slack.expect("unseen", "chat.postEphemeral")


# -- Reading


async def test_long_threads_come_in_pages(slack: SlackFake, acme: Workspace, client: AsyncWebClient) -> None:
    lena = acme.person("Lena")
    general = acme.channel("general", lena)
    slack.events.clear()
    said = (await acme.say(general, lena, "0")).said
    for number in range(1, 8):
        await acme.say(general, lena, str(number), thread=said, settle=False)
    first = await client.conversations_replies(channel=general.id, ts=said.ts, limit=5)
    cursor = first["response_metadata"]["next_cursor"]
    rest = await client.conversations_replies(channel=general.id, ts=said.ts, limit=5, cursor=cursor)
    assert [m["text"] for page in (first, rest) for m in page["messages"]] == list("01234567")
    assert (first["has_more"], rest["has_more"], first["messages"][0]["reply_count"]) == (True, False, 7)


async def test_outside_of_the_marketplace_reading_is_rationed(
    slack: SlackFake, acme: Workspace, client: AsyncWebClient
) -> None:
    lena = acme.person("Lena")
    general = acme.channel("general", lena)
    slack.events.clear()
    slack.outside_marketplace = True
    for number in range(20):
        await acme.say(general, lena, str(number), settle=False)
    assert len((await client.conversations_history(channel=general.id, limit=200))["messages"]) == 15
    assert await refusal(slack, client.conversations_history(channel=general.id)) == "ratelimited"
    slack.clock.pass_by(60)
    await client.conversations_history(channel=general.id)


# -- OAuth


async def test_a_code_and_a_refresh_token_are_good_once(slack: SlackFake, acme: Workspace) -> None:
    client = AsyncWebClient(base_url=slack.api_url)
    who = {"client_id": slack.client_id, "client_secret": slack.client_secret}
    code = slack.code_for(acme, rotating=True)
    first = await client.api_call("oauth.v2.access", params={**who, "code": code})
    assert await refusal(slack, client.api_call("oauth.v2.access", params={**who, "code": code})) == "invalid_code"
    renew = {**who, "grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    second = await client.api_call("oauth.v2.access", params=renew)
    assert second["access_token"] != first["access_token"]
    assert await refusal(slack, client.api_call("oauth.v2.access", params=renew)) == "invalid_refresh_token"
    await client_of(slack, first["access_token"]).auth_test()  # the old one is still good
    slack.clock.pass_by(13 * 60 * 60)
    assert await refusal(slack, client_of(slack, first["access_token"]).auth_test()) == "token_expired"


async def test_a_wrong_client_gets_no_token(slack: SlackFake, acme: Workspace) -> None:
    client = AsyncWebClient(base_url=slack.api_url)
    code = slack.code_for(acme)
    wrong = {"client_id": slack.client_id, "client_secret": "?", "code": code}
    assert await refusal(slack, client.api_call("oauth.v2.access", params=wrong)) == "bad_client_secret"


# -- On demand, and what becomes of violations


async def test_calls_fail_and_wait_as_a_test_wants(slack: SlackFake, client: AsyncWebClient) -> None:
    slack.fail("auth.test", "ratelimited", retry_after=7)
    with pytest.raises(SlackApiError) as raised:
        await client.auth_test()
    assert (raised.value.response.status_code, raised.value.response.headers["Retry-After"]) == (429, "7")
    hold = slack.hold("auth.test")
    task = asyncio.create_task(client.auth_test())
    await hold.arrived.wait()
    assert not task.done()
    hold.release()
    assert (await task)["ok"]


async def visit(*, token: str | None = None, expected: str = "") -> None:
    """A call with this token, and a foretold violation."""
    async with SlackFake() as slack:
        if expected:
            slack.expect(expected)
        if token:
            with pytest.raises(SlackApiError):
                await client_of(slack, token).auth_test()


async def test_a_violation_that_wasnt_foretold_fails_the_test() -> None:
    with pytest.raises(AssertionError, match=r"auth\.test: invalid_auth"):
        await visit(token="wrong")


async def test_so_does_a_foretold_one_that_never_happened() -> None:
    with pytest.raises(AssertionError, match="didn't happen"):
        await visit(expected="not_in_channel")
