"""What it means when Discord doesn't let us in: one line that says what to do, and never the token."""

from __future__ import annotations

from types import SimpleNamespace

import discord
import pytest

from adapters.discord.connecting import refused, shards, unreachable
from bot.errors import ConnectError, SettingsError
from tests.discord_bench import Bench

pytest_plugins = ("tests.discord_fixtures",)

API = "https://user:secret@proxy.example/api/v10"
ME = "GET /users/@me"


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(SimpleNamespace(close_code=code), shard_id=0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (discord.LoginFailure("Improper token"), "DISCORD_TOKEN"),
        (discord.PrivilegedIntentsRequired(0), "Message Content Intent"),
        (closed(4004), "DISCORD_TOKEN"),
        (closed(4010), "DISCORD_SHARDS"),
        (closed(4011), "DISCORD_SHARDS"),
        (closed(4013), "discord.py"),
        (closed(4014), "Message Content Intent"),
        (closed(4099), "4099"),
        (None, "ended"),
        (RuntimeError("secret"), "RuntimeError"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_refusal_is_one_line_that_says_what_to_do(error: BaseException | None, says: str) -> None:
    line = str(refused(error, API))
    assert says in line
    assert "\n" not in line
    assert "secret" not in line


def test_the_line_about_a_silent_address_names_its_host_only() -> None:
    assert "proxy.example" in str(unreachable(API, "TimeoutError"))
    assert "secret" not in str(unreachable(API, "TimeoutError"))


@pytest.mark.parametrize(
    ("setting", "share"),
    [("", None), ("0/1", ([0], 1)), ("0-3/16", ([0, 1, 2, 3], 16)), ("15/16", ([15], 16)), ("4-4/5", ([4], 5))],
)
def test_a_share_of_the_shards(setting: str, share: tuple[list[int], int] | None) -> None:
    assert shards(setting) == share


@pytest.mark.parametrize("setting", ["1/1", "3-2/4", "0-4/4", "0/0"])
def test_a_share_that_makes_no_sense_is_refused(setting: str) -> None:
    with pytest.raises(SettingsError, match="DISCORD_SHARDS"):
        shards(setting)


async def test_a_wrong_token_is_said_at_once(bench: Bench) -> None:
    bench.discord.expect(401)
    with pytest.raises(ConnectError, match="DISCORD_TOKEN") as raised:
        await bench.start(discord_token="not.the.token")
    assert "not.the.token" not in str(raised.value)
    assert [call.route for call in bench.discord.calls].count(ME) == 1


async def test_a_refused_intent_is_said_at_once(bench: Bench) -> None:
    bench.discord.message_content = False  # its flags say that it's on
    bench.discord.expect(4014)
    with pytest.raises(ConnectError, match="Message Content Intent"):
        await bench.start()


async def test_discord_away_for_a_moment_is_tried_again(bench: Bench) -> None:
    bench.discord.failing[ME] = [503, 503]
    await bench.start()
    assert "SLO" in bench.shown(await bench.ask("!define slo"))


async def test_discord_away_for_long_ends_the_start(bench: Bench) -> None:
    bench.discord.failing[ME] = [503] * 4
    with pytest.raises(ConnectError, match="can't be reached"):
        await bench.start()


async def test_an_address_where_nobody_listens_ends_the_start(bench: Bench, unused_tcp_port: int) -> None:
    with pytest.raises(ConnectError, match="DISCORD_API_URL"):
        await bench.start(discord_api_url=f"http://127.0.0.1:{unused_tcp_port}/api/v10")


async def test_an_address_that_is_no_api_is_named(bench: Bench) -> None:
    bench.discord.failing[ME] = [404]
    with pytest.raises(ConnectError, match="404"):
        await bench.start()
