"""The fake's gateway closes what Discord closes, replays what was missed, and hides what an intent is missing for."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.discord_fake import FakeDiscord
from tests.discord_fake_gateway import (
    DIRECT_MESSAGES,
    GUILD_MEMBERS,
    GUILD_MESSAGES,
    GUILDS,
    HEARTBEAT,
    IDENTIFY,
    MESSAGE_CONTENT,
    RESUME,
)

USUAL = GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES


class Socket:
    """A client that speaks the protocol and nothing more."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._inflate = zlib.decompressobj()

    async def next(self) -> dict[str, Any]:
        message = await self.socket.receive(timeout=5)
        assert message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY), (
            f"closed with {self.socket.close_code}"
        )
        data = message.data
        text = data if isinstance(data, str) else self._inflate.decompress(data).decode()
        return json.loads(text)  # type: ignore[no-any-return]

    async def until(self, event: str) -> dict[str, Any]:
        while (payload := await self.next())["t"] != event:
            pass
        return payload

    async def closed(self) -> int | None:
        while not self.socket.closed:
            await self.socket.receive(timeout=5)
        return self.socket.close_code

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, token: str, intents: int = USUAL, shard: tuple[int, int] | None = None) -> None:
        data: dict[str, Any] = {"token": token, "intents": intents, "properties": PROPERTIES}
        await self.send(IDENTIFY, data | ({"shard": shard} if shard else {}))


PROPERTIES = {"os": "linux", "browser": "test", "device": "test"}


class Dialler:
    def __init__(self, fake: FakeDiscord, session: aiohttp.ClientSession) -> None:
        self._fake, self._session = fake, session

    async def __call__(self, query: str = "?v=10&encoding=json", path: str = "") -> Socket:
        socket = Socket(await self._session.ws_connect((path or self._fake.gateway_url) + query))
        if "v=10" in query:
            assert (await socket.next())["op"] == 10
        return socket


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(message_content=False) as fake:
        yield fake


@pytest.fixture
async def dial(discord: FakeDiscord) -> AsyncIterator[Dialler]:
    async with aiohttp.ClientSession() as session:
        yield Dialler(discord, session)


@pytest.mark.parametrize(
    ("intents", "shard", "token", "code"),
    [
        (USUAL, None, "wrong", 4004),
        (USUAL, (1, 1), "", 4010),
        (USUAL, (0, 1), "", 4011),
        (1 << 30, (0, 2), "", 4013),
        (USUAL | MESSAGE_CONTENT, (0, 2), "", 4014),
        (USUAL | GUILD_MEMBERS, (0, 2), "", 4014),
    ],
)
async def test_a_wrong_identify_is_closed_for_good(
    discord: FakeDiscord, dial: Dialler, intents: int, shard: tuple[int, int] | None, token: str, code: int
) -> None:
    discord.needed_shards = 2
    discord.expect(code)
    socket = await dial()
    await socket.identify(token or discord.token, intents, shard)
    assert await socket.closed() == code


@pytest.mark.parametrize(
    ("sent", "code"),
    [("no json", 4002), ('{"op": 99}', 4001), ('{"op": 3, "d": {}}', 4003), ("x" * 4097, 4002)],
    ids=["no json", "unknown op", "too early", "too long"],
)
async def test_what_is_not_of_the_protocol_is_closed(discord: FakeDiscord, dial: Dialler, sent: str, code: int) -> None:
    discord.expect(code)
    socket = await dial()
    await socket.socket.send_str(sent)
    assert await socket.closed() == code


async def test_another_version_is_closed(discord: FakeDiscord, dial: Dialler) -> None:
    discord.expect(4012)
    socket = await dial("?v=6&encoding=json")
    assert await socket.closed() == 4012


async def test_the_session_begins_with_ready_and_the_servers_of_its_shard(discord: FakeDiscord, dial: Dialler) -> None:
    lena = discord.user("Lena")
    there = discord.guild("Ops", lena, shard=1, shards=2)
    discord.guild("Elsewhere", lena, shard=0, shards=2)
    socket = await dial("?v=10&encoding=json&compress=zlib-stream")
    await socket.identify(discord.token, shard=(1, 2))
    ready = await socket.until("READY")
    assert [guild["id"] for guild in ready["d"]["guilds"]] == [str(there.id)]
    assert ready["d"]["resume_gateway_url"] != discord.gateway_url
    assert (await socket.next())["d"]["name"] == "Ops"


async def test_a_heartbeat_is_acknowledged(discord: FakeDiscord, dial: Dialler) -> None:
    socket = await dial()
    await socket.send(HEARTBEAT, None)
    assert (await socket.next())["op"] == 11


async def test_content_is_emptied_but_in_mentions_and_direct_messages(discord: FakeDiscord, dial: Dialler) -> None:
    lena = discord.user("Lena")
    talk = discord.channel(discord.guild("Ops", lena), "talk")
    socket = await dial()
    await socket.identify(discord.token)
    await socket.until("GUILD_CREATE")
    await discord.say(talk, lena, "for everybody")
    await discord.say(talk, lena, f"{discord.me_user.mention} for the bot")
    await discord.say(discord.dm(lena), lena, "for the bot alone")
    contents = [(await socket.until("MESSAGE_CREATE"))["d"]["content"] for _ in range(3)]
    assert contents == ["", f"{discord.me_user.mention} for the bot", "for the bot alone"]


async def test_resuming_replays_what_was_missed(discord: FakeDiscord, dial: Dialler) -> None:
    lena = discord.user("Lena")
    talk = discord.channel(discord.guild("Ops", lena), "talk")
    socket = await dial()
    await socket.identify(discord.token)
    ready = await socket.until("READY")
    seen = (await socket.until("GUILD_CREATE"))["s"]
    discord.gateway.drop()
    await discord.until(lambda: not discord.gateway.online())
    said = await discord.say(talk, lena, "missed")
    again = await dial(path=discord.resume_url())
    await again.send(RESUME, {"token": discord.token, "session_id": ready["d"]["session_id"], "seq": seen})
    assert (await again.until("MESSAGE_CREATE"))["d"]["id"] == str(said.id)
    await again.until("RESUMED")


async def test_a_session_that_was_closed_can_not_be_resumed(discord: FakeDiscord, dial: Dialler) -> None:
    socket = await dial()
    await socket.identify(discord.token)
    session = (await socket.until("READY"))["d"]["session_id"]
    await socket.socket.close(code=1000)
    again = await dial()
    await again.send(RESUME, {"token": discord.token, "session_id": session, "seq": 1})
    assert await again.next() == {"op": 9, "d": False}


async def test_a_sequence_from_the_future_is_closed(discord: FakeDiscord, dial: Dialler) -> None:
    socket = await dial()
    await socket.identify(discord.token)
    session = (await socket.until("READY"))["d"]["session_id"]
    again = await dial()
    discord.expect(4007)
    await again.send(RESUME, {"token": discord.token, "session_id": session, "seq": 99})
    assert await again.closed() == 4007


async def test_leaving_does_not_wait_for_who_is_still_connected() -> None:
    async with aiohttp.ClientSession() as session:
        async with FakeDiscord() as fake:
            socket = await Dialler(fake, session)()
            await socket.identify(fake.token)
            await socket.until("READY")
        assert await socket.closed() is not None
