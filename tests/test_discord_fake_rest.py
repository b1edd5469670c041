"""The fake's REST API answers an app's requests as Discord does: rights, pings, nonces, pages, limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.discord_fake import FakeDiscord
from tests.discord_fake_world import READ_MESSAGE_HISTORY, SEND_MESSAGES, SEND_MESSAGES_IN_THREADS, VIEW_CHANNEL

V2 = 1 << 15
TEXT = {"type": 10, "content": "x"}


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord() as fake:
        yield fake


class Api:
    """An app's requests, without a library between."""

    def __init__(self, fake: FakeDiscord, session: aiohttp.ClientSession) -> None:
        self._fake, self._session = fake, session

    async def __call__(self, method: str, path: str, body: Any = None, *, token: str = "") -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {token or self._fake.token}"}
        async with self._session.request(method, self._fake.api_url + path, json=body, headers=headers) as response:
            return response.status, await response.json() if response.status != 204 else None


@pytest.fixture
async def api(discord: FakeDiscord) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(discord, session)


async def test_an_unexpected_refusal_fails_the_test(api: Api, discord: FakeDiscord) -> None:
    assert (await api("GET", "/users/@me", token="wrong"))[0] == 401
    with pytest.raises(AssertionError, match="401"):
        discord.check()
    discord.expect(401)
    with pytest.raises(AssertionError, match="never refused"):
        discord.check()
    await api("GET", "/users/@me", token="wrong")
    discord.check()


async def test_what_the_fake_does_not_know_is_refused(api: Api, discord: FakeDiscord) -> None:
    discord.expect(404)
    assert (await api("GET", "/soundboard"))[0] == 404


@pytest.mark.parametrize(
    ("denied", "in_thread", "code"),
    [
        (SEND_MESSAGES, False, 50013),
        (SEND_MESSAGES_IN_THREADS, False, 0),
        (SEND_MESSAGES, True, 0),
        (SEND_MESSAGES_IN_THREADS, True, 50013),
        (VIEW_CHANNEL, False, 50001),
        (VIEW_CHANNEL, True, 50001),
    ],
)
async def test_writing_needs_the_right_of_the_place(
    api: Api, discord: FakeDiscord, denied: int, in_thread: bool, code: int
) -> None:
    guild = discord.guild("Ops", discord.user("Lena"))
    talk = discord.channel(guild, "talk", overwrites={guild.everyone: (0, denied)})
    place = discord.thread(talk, "thread") if in_thread else talk
    if code:
        discord.expect(code)
    status, answer = await api("POST", f"/channels/{place.id}/messages", {"content": "hi"})
    assert (status, answer.get("code", 0)) == (403 if code else 200, code)


async def test_without_allowed_mentions_everybody_mentioned_is_pinged(api: Api, discord: FakeDiscord) -> None:
    lena = discord.user("Lena")
    talk = discord.channel(discord.guild("Ops", lena), "talk")
    asked = await discord.say(talk, lena, "hi")
    reply = {"content": lena.mention, "message_reference": {"message_id": str(asked.id)}}
    await api("POST", f"/channels/{talk.id}/messages", reply)
    await api("POST", f"/channels/{talk.id}/messages", reply | {"allowed_mentions": {"parse": []}})
    assert [message.pings for message in discord.said(talk)] == [("Lena", "Lena"), ()]


async def test_the_same_nonce_makes_one_message_where_that_is_asked_for(api: Api, discord: FakeDiscord) -> None:
    talk = discord.channel(discord.guild("Ops", discord.user("Lena")), "talk")
    body = {"content": "hi", "nonce": "1", "enforce_nonce": True}
    answers = [(await api("POST", f"/channels/{talk.id}/messages", body))[1]["id"] for _ in range(2)]
    assert len(set(answers)) == len(discord.said()) == 1


async def test_text_beside_components_v2_is_refused(api: Api, discord: FakeDiscord) -> None:
    talk = discord.channel(discord.guild("Ops", discord.user("Lena")), "talk")
    discord.expect(50035)
    body = {"content": "hi", "flags": V2, "components": [TEXT]}
    status, answer = await api("POST", f"/channels/{talk.id}/messages", body)
    assert (status, list(answer["errors"])) == (400, ["content"])


async def test_without_the_history_right_there_are_no_messages(api: Api, discord: FakeDiscord) -> None:
    lena = discord.user("Lena")
    guild = discord.guild("Ops", lena)
    hidden = discord.channel(guild, "hidden", overwrites={guild.everyone: (0, READ_MESSAGE_HISTORY)})
    await discord.say(hidden, lena, "hi")
    assert await api("GET", f"/channels/{hidden.id}/messages") == (200, [])
    discord.expect(160002)
    reference = {"message_id": str(next(iter(hidden.messages)))}
    assert (await api("POST", f"/channels/{hidden.id}/messages", {"content": "x", "message_reference": reference}))[
        0
    ] == 403


async def test_history_is_paged_from_the_newest(api: Api, discord: FakeDiscord) -> None:
    lena = discord.user("Lena")
    talk = discord.channel(discord.guild("Ops", lena), "talk")
    said = [await discord.say(talk, lena, str(number)) for number in range(5)]
    _, page = await api("GET", f"/channels/{talk.id}/messages?limit=2")
    assert [message["content"] for message in page] == ["4", "3"]
    _, page = await api("GET", f"/channels/{talk.id}/messages?limit=2&before={said[3].id}")
    assert [message["content"] for message in page] == ["2", "1"]
    _, page = await api("GET", f"/channels/{talk.id}/messages?limit=2&after={said[0].id}")
    assert [message["content"] for message in page] == ["2", "1"]


async def test_an_exhausted_bucket_answers_429_with_the_time_to_wait(api: Api, discord: FakeDiscord) -> None:
    route = "POST /channels/{channel}/messages"
    talk = discord.channel(discord.guild("Ops", discord.user("Lena")), "talk")
    discord.limits[route] = (2, 60.0)
    answers = [await api("POST", f"/channels/{talk.id}/messages", {"content": "hi"}) for _ in range(3)]
    assert [status for status, _ in answers] == [200, 200, 429]
    assert 0 < answers[2][1]["retry_after"] <= 60
    assert discord.limited == [route]
    discord.clock.advance(61)
    assert (await api("POST", f"/channels/{talk.id}/messages", {"content": "hi"}))[0] == 200


async def test_localisations_are_given_back_only_when_asked_for(api: Api, discord: FakeDiscord) -> None:
    path = f"/applications/{discord.application_id}/commands"
    option = {"type": 3, "name": "term", "description": "What"}
    command = {"name": "define", "description": "Look up a term", "name_localizations": {"zh-CN": "定义"}}
    await api("PUT", path, [{**command, "options": [{**option, "required": False}]}])
    (bare,) = (await api("GET", path))[1]
    (full,) = (await api("GET", path + "?with_localizations=true"))[1]
    assert "name_localizations" not in bare
    assert full["name_localizations"] == {"zh-CN": "定义"}
    assert full["options"] == [option]
    assert len(discord.command_writes) == 1
