"""What an event from Discord costs beyond discord.py itself: a message without a term, a command, a press, typing.

Everybody's events go through discord.py's own parsers, as they come from the gateway. Where something is answered, the
no-op's handler sends the same messages and choices ready-made, and nobody's response leaves the process.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import discord
from _timing import Report, interleaved
from discord.webhook.async_ import async_context

from adapters.discord.client import Client
from adapters.discord.interactions import choices_of
from adapters.discord.layout import view_of
from adapters.discord.presses import pressed_item
from bot.bot import Bot, fixed
from bot.glossary.concept import code
from bot.glossary.yaml_files import load, shipped
from bot.request import Person, Place, Press, Request, encode
from bot.state.caching import Cached
from bot.state.memory import MemoryStore
from bot.state.ports import Channel

EVENTS: Final = 400
"""Of one round."""

TOGETHER: Final = 8
"""So many come in before the first of them is dealt with, as on a lively server."""

OWN, SERVER, TALK, LENA = "1100000000000000001", "1100000000000000002", "1100000000000000003", "1100000000000000004"

_ids: Final = itertools.count(discord.utils.time_snowflake(discord.utils.utcnow()))

USER: Final = {"id": LENA, "username": "lena", "global_name": "Lena", "discriminator": "0", "avatar": None}
MEMBER: Final = {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0}
CHANNEL: Final = {"id": TALK, "type": 0, "name": "talk", "position": 0, "permission_overwrites": [], "parent_id": None}
GUILD: Final = {
    **{"id": SERVER, "name": "Ops", "owner_id": LENA, "member_count": 2, "channels": [CHANNEL], "threads": []},
    **{"roles": [{"id": SERVER, "name": "@everyone", "permissions": str(2**40 - 1), "position": 0, "color": 0}]},
    "members": [{"user": {**USER, "id": OWN, "username": "jargonaut", "bot": True}, **MEMBER}],
}
LINES: Final = (
    "could somebody have a look at the build, please? it has been red since this morning",
    "sure, give me ten minutes, I am still in the other call",
    "午饭吃什么？楼下新开了一家面馆，听说还不错",
    "I think that was the third time this week that the printer was out of paper",
)
"""Without a term."""


def message(text: str) -> dict[str, Any]:
    return {
        **{"id": str(next(_ids)), "channel_id": TALK, "guild_id": SERVER, "author": USER, "member": MEMBER},
        **{"content": text, "timestamp": discord.utils.utcnow().isoformat(), "edited_timestamp": None, "type": 0},
        **{"tts": False, "mention_everyone": False, "mentions": [], "mention_roles": [], "attachments": []},
        **{"embeds": [], "pinned": False, "flags": 0, "components": []},
    }


def interaction(kind: int, data: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        **{"id": str(next(_ids)), "application_id": OWN, "type": kind, "token": "token", "version": 1, "data": data},
        **{"guild_id": SERVER, "channel_id": TALK, "channel": CHANNEL, "locale": "en-US", "guild_locale": "en-US"},
        **{"member": {"user": USER, **MEMBER, "permissions": "0"}, "app_permissions": str(2**40 - 1)},
        **{"entitlements": [], "context": 0, "authorizing_integration_owners": {"0": SERVER}},
        **{"attachment_size_limit": 10_000_000, **more},
    }


def command(name: str, **options: str) -> dict[str, Any]:
    typed = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
    return interaction(2, {"id": "1", "name": name, "type": 1, "options": typed})


def typing(text: str) -> dict[str, Any]:
    options = [{"name": "term", "type": 3, "value": text, "focused": True}]
    return interaction(4, {"id": "1", "name": "define", "type": 1, "options": options})


def press(request: str) -> dict[str, Any]:
    author = {**USER, "id": OWN, "bot": True}
    row = {"type": 1, "id": 1, "components": [{"type": 2, "id": 2, "style": 2, "label": "x", "custom_id": request}]}
    on = {**message(""), "author": author, "flags": 1 << 15, "components": [row]}
    return interaction(3, {"component_type": 2, "custom_id": request, "id": 2}, message=on)


class Nowhere:
    """In place of discord.py's way to Discord: whatever is sent has arrived. Both take it, and both make their JSON."""

    async def create_interaction_response(self, *_: Any, params: Any, **__: Any) -> dict[str, Any]:
        discord.utils._to_json(params.payload)
        return {"interaction": {"id": "1", "type": 2}, "resource": {"type": 4}}


class NoOp(discord.AutoShardedClient):
    """Connected as ours is; it answers with what is ready."""

    ready: Iterator[discord.ui.LayoutView]
    choices: Iterator[Sequence[discord.app_commands.Choice[str]]]

    async def on_message(self, heard: discord.Message) -> None: ...

    async def on_interaction(self, asked: discord.Interaction[Any]) -> None:
        if asked.type is discord.InteractionType.autocomplete:
            await asked.response.autocomplete(next(self.choices))
        elif asked.type is discord.InteractionType.application_command:
            await asked.response.send_message(view=next(self.ready), ephemeral=True)

    async def pressed(self, asked: discord.Interaction[Any], _button: str) -> None:
        await asked.response.send_message(view=next(self.ready), ephemeral=True)


async def connected(client: discord.AutoShardedClient) -> discord.AutoShardedClient:
    """As after READY and the first server."""
    await client._async_setup_hook()
    state = client._connection
    state.user = discord.ClientUser(state=state, data={**USER, "id": OWN, "username": "jargonaut"})
    state.application_id = int(OWN)
    state._add_guild_from_data(GUILD)
    return client


async def run(client: discord.AutoShardedClient, event: str, payloads: list[dict[str, Any]]) -> None:
    """A few at a time, until nothing of it is left to do."""
    parse = client._connection.parsers[event]
    before = asyncio.all_tasks()
    for start in range(0, len(payloads), TOGETHER):
        for payload in payloads[start : start + TOGETHER]:
            parse(payload)
        while left := asyncio.all_tasks() - before:
            await asyncio.wait(left)


def main() -> None:
    report = Report("Events from Discord, against a handler that does nothing")
    loaded = load([shipped()])
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    async_context.set(Nowhere())
    store = Cached(MemoryStore())
    bot = Bot(fixed(loaded.glossary), loaded.phrases, store, per_minute=0)
    place = Place("discord", SERVER, TALK)

    async def prepare() -> tuple[NoOp, Client]:
        intents = discord.Intents(guilds=True, guild_messages=True, message_content=True)
        noop = NoOp(intents=intents, max_messages=None, member_cache_flags=discord.MemberCacheFlags.none())
        ours = Client(bot, loaded.phrases, store, prefix="!", reads=True)
        await connected(noop)
        await connected(ours)
        noop.add_dynamic_items(pressed_item(noop.pressed))
        asked = [Request(Person("discord", "", LENA), place, "define", text=label) for label in labels]
        noop.ready = itertools.cycle([view_of(await bot.answer(each)) for each in asked])
        noop.choices = itertools.cycle([choices_of(bot.complete(label[:3], place)) for label in labels])
        return noop, ours

    concepts = loaded.glossary.concepts.values()
    labels = [concept.section("en").pref_label.text for concept in concepts]
    presses = [encode(Press("define", (code(concept.id),), language="en")) for concept in concepts]
    noop, ours = loop.run_until_complete(prepare())

    def contestants(event: str, make: Callable[[int], dict[str, Any]]) -> Mapping[str, Callable[[], None]]:
        payloads = [make(number) for number in range(EVENTS)]

        def turn(client: discord.AutoShardedClient) -> Callable[[], None]:
            return lambda: loop.run_until_complete(run(client, event, payloads))

        return {"no-op": turn(noop), "ours": turn(ours)}

    def compare(what: str, event: str, make: Callable[[int], dict[str, Any]], goal: float | None = None) -> None:
        times = interleaved(contestants(event, make))
        report.note(
            f"{what}: no-op, ours", f"{times['no-op'] / EVENTS * 1e6:.0f}, {times['ours'] / EVENTS * 1e6:.0f} us"
        )
        ratio = times["ours"] / times["no-op"]
        if goal is None:
            report.note(what, f"{ratio:.2f} x")
        else:
            report.at_most(what, ratio, goal)

    async def notes(mode: str) -> None:
        await store.channels.set(place, Channel(mode), Person("discord", "", LENA))  # type: ignore[arg-type]

    gc.collect()
    gc.freeze()  # as after a start

    def lines(number: int) -> dict[str, Any]:
        return message(LINES[number % len(LINES)])

    compare("a message where notes are off", "MESSAGE_CREATE", lines, 1.35)
    loop.run_until_complete(notes("all"))
    compare("a message without a term where they are on", "MESSAGE_CREATE", lines, 1.35)
    compare("/define", "INTERACTION_CREATE", lambda n: command("define", term=labels[n % len(labels)]), 1.5)
    compare("a button that leads to a definition", "INTERACTION_CREATE", lambda n: press(presses[n % len(presses)]))
    compare("autocomplete", "INTERACTION_CREATE", lambda n: typing(labels[n % len(labels)][:3]))
    loop.run_until_complete(asyncio.gather(noop.close(), ours.close()))
    loop.close()
    report.done()


if __name__ == "__main__":
    main()
