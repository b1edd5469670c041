"""The invite link asks for what the bot uses, and for nothing else."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from adapters.discord.gateway import OFFICIAL, use_api
from adapters.discord.invite import PERMISSIONS, invite_for, invite_url
from bot.errors import ConnectError
from tests.discord_fake import FakeDiscord


def test_the_link() -> None:
    link = urlsplit(invite_url(1234567890123456789))
    assert (link.scheme, link.netloc, link.path) == ("https", "discord.com", "/oauth2/authorize")
    asked = {key: values[0] for key, values in parse_qs(link.query).items()}
    assert asked.pop("permissions") == str(PERMISSIONS.value)
    assert asked == {"client_id": "1234567890123456789", "scope": "bot applications.commands"}


def test_the_permissions_are_these_five() -> None:
    """D18: in threads another permission counts than in channels."""
    asked = {name for name, given in PERMISSIONS if given}  # "read_messages" is discord.py's older name of View Channel
    assert asked == {
        "add_reactions",
        "read_messages",
        "send_messages",
        "send_messages_in_threads",
        "read_message_history",
    }
    assert not PERMISSIONS.is_superset(discord.Permissions(manage_messages=True))
    assert not PERMISSIONS.mention_everyone


async def test_the_application_is_asked_for_with_the_token() -> None:
    async with FakeDiscord() as fake:
        assert await invite_for(fake.token, fake.api_url) == invite_url(fake.application_id)
    use_api(OFFICIAL)


async def test_a_wrong_token_is_one_line() -> None:
    async with FakeDiscord() as fake:
        fake.expect(401)
        with pytest.raises(ConnectError, match="DISCORD_TOKEN"):
            await invite_for("not.the.token", fake.api_url)
    use_api(OFFICIAL)


async def test_an_address_where_nobody_listens_is_named(unused_tcp_port: int) -> None:
    with pytest.raises(ConnectError, match=r"can't be reached at 127\.0\.0\.1 .*DISCORD_API_URL"):
        await invite_for("a.b.c", f"http://127.0.0.1:{unused_tcp_port}/api/v10")
    use_api(OFFICIAL)


async def test_discord_away_is_said_to_be_away() -> None:
    async with FakeDiscord() as fake:
        fake.failing["GET /users/@me"] = 503
        with pytest.raises(ConnectError, match="can't be reached"):
            await invite_for(fake.token, fake.api_url)
    use_api(OFFICIAL)
