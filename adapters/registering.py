"""`jargonaut slack …` and `jargonaut discord …`: what the platforms need to know before the bot can connect."""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated

import typer

from adapters.leaving import REFUSED, USAGE, reader_may_leave
from bot.errors import ConnectError

slack = typer.Typer(help="What Slack needs to know.", no_args_is_help=True)
discord = typer.Typer(help="What Discord needs to know.", no_args_is_help=True)


@slack.command()
def manifest(
    http: Annotated[
        str | None, typer.Option(metavar="URL", help="Where Slack reaches the bot; without it: Socket Mode.")
    ] = None,
    read_messages: Annotated[
        bool, typer.Option("--read-messages", help="Also read channels: `!`, unasked notes, digests of threads.")
    ] = False,
    prefix: Annotated[
        str, typer.Option(help="Before the commands' names, as in SLACK_COMMAND_PREFIX; for example jn-.")
    ] = "",
    many: Annotated[bool, typer.Option("--many", help="Workspaces install the app themselves; needs --http.")] = False,
) -> None:
    """Print the app's manifest, to paste at api.slack.com/apps > Create New App > From a manifest."""
    from adapters.slack.manifest import printed
    from bot.glossary.yaml_files import load, shipped

    phrases = load([shipped()]).phrases
    try:
        text = printed(phrases, prefix=prefix, http_url=http, read_messages=read_messages, many=many)
    except ValueError as error:
        print(f"jargonaut: {error}", file=sys.stderr)
        raise typer.Exit(USAGE) from None
    with reader_may_leave():
        print(text, end="")


@discord.command()
def invite() -> None:
    """Print the link that adds the bot to a server, with the permissions that it uses and no others."""
    from adapters.discord.invite import invite_for
    from bot.settings import read_settings

    settings = read_settings()
    if not settings.discord_token.get_secret_value():
        print("jargonaut: DISCORD_TOKEN is not set", file=sys.stderr)
        raise typer.Exit(USAGE)
    try:
        print(asyncio.run(invite_for(settings.discord_token.get_secret_value(), settings.discord_api_url)))
    except ConnectError as error:
        print(f"jargonaut: {error}", file=sys.stderr)
        raise typer.Exit(REFUSED) from None
