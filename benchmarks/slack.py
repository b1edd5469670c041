"""Slack: `/define` over signed HTTP, end to end, against an app whose acknowledgement carries a ready answer.

Both run in one process of their own, behind the same server; this process is Slack. Requests per second are those of
the server's computing time, so that other work on the machine counts little; the time of one request is the clock's.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import json
import logging
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from _glossaries import SEED
from _timing import Report
from aiohttp import web

from bot.answer import Answer, Note

SECRET: Final = "signing secret"
ROUNDS: Final = 31
"""Short ones: the machine's mood changes, and who takes turns quickly shares it."""
REQUESTS: Final = 120
CONNECTIONS: Final = 8
ONE_BY_ONE: Final = 24
MANY: Final = 10
"""Times as many people as a round asks for: until somebody is asked for again, settings are no longer in the cache."""


# -- The server ---------------------------------------------------------------------------------------------------


async def serve() -> None:
    """Prints its ports as a line of JSON, and runs until its input ends."""
    from slack_bolt.async_app import AsyncApp
    from slack_bolt.authorization import AuthorizeResult

    from adapters.slack.http import HttpServer
    from adapters.slack.platform import SlackPlatform
    from adapters.slack.sending import message
    from bot.bot import Bot, fixed
    from bot.glossary.yaml_files import load, shipped
    from bot.request import Person, Place, Request
    from bot.settings import Settings
    from bot.state.caching import Cached
    from bot.state.database import open_database

    logging.disable(logging.INFO)
    loaded = load([shipped()])
    with tempfile.TemporaryDirectory() as folder:
        store = Cached(await open_database(f"sqlite:///{folder}/jargonaut.sqlite"))
        bot = Bot(fixed(loaded.glossary), loaded.phrases, store, keep_misses=False)
        stand_in, api = await _stand_in()
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]
            slack_bot_token="xoxb-1",  # type: ignore[arg-type]
            slack_signing_secret=SECRET,  # type: ignore[arg-type]
            slack_api_url=f"{api}/api/",
            http_port=0,
        )
        platform = SlackPlatform(bot, loaded.phrases, store, settings, None)
        await platform.start()

        async def answer(text: str) -> Answer:
            asked = Request(Person("slack", "T1", "U0"), Place("slack", "T1", "C1"), "define", text, locale="en")
            return await bot.answer(asked)

        labels = [concept.section("en").pref_label.text for concept in loaded.glossary.concepts.values()]
        exact = {label: await answer(label) for label in labels}
        typos = {typo: await answer(typo) for typo in map(_misspelt, labels)}
        asked = {
            "exact": {text: said for text, said in exact.items() if said.kind == "definition"},
            "typo": {text: said for text, said in typos.items() if said.kind == "definition" and _is_corrected(said)},
        }
        ready = {
            text: {"response_type": "ephemeral", **message(said)}
            for them in asked.values()
            for text, said in them.items()
        }

        async def authorize() -> AuthorizeResult:
            return AuthorizeResult(enterprise_id=None, team_id="T1", bot_token="xoxb-1", bot_user_id="UBOT")

        app = AsyncApp(authorize=authorize, process_before_response=True, request_verification_enabled=False)

        @app.command("/define")
        async def define(ack: Any, body: dict[str, Any]) -> None:
            await ack(ready[body["text"]])

        baseline = HttpServer(app, SECRET, "127.0.0.1", 0)
        await baseline.start()
        told = {"ours": platform.address[1], "ready": baseline.address[1], "clock": int(api.rsplit(":", 1)[1])}
        print(json.dumps({"ports": told, **{kind: list(texts) for kind, texts in asked.items()}}), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        await baseline.stop()
        await platform.stop()
        await stand_in.cleanup()
        await bot.close()
        await store.close()


def _misspelt(label: str) -> str:
    """One letter left out of the middle."""
    return label[: len(label) // 2] + label[len(label) // 2 + 1 :]


def _is_corrected(answer: Answer) -> bool:
    return isinstance(answer.blocks[0], Note)


async def _stand_in() -> tuple[web.AppRunner, str]:
    """Slack's Web API, as far as it's asked; and the computing time of this process."""

    async def call(request: web.Request) -> web.Response:
        who = {"ok": True, "team_id": "T1", "team": "Acme", "user_id": "UBOT", "user": "jargonaut", "bot_id": "B1"}
        if request.path.endswith("users.info"):
            return web.json_response({"ok": True, "user": {"id": "U1", "locale": "en-US", "team_id": "T1"}})
        return web.json_response(who)

    async def clock(request: web.Request) -> web.Response:
        return web.json_response(time.process_time())

    app = web.Application()
    app.router.add_route("*", "/api/{method}", call)
    app.router.add_get("/clock", clock)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}"


# -- Slack --------------------------------------------------------------------------------------------------------


def signed(text: str, user: str) -> bytes:
    """`/define text` as Slack sends it."""
    body = urlencode(
        {
            "token": "x",
            "team_id": "T1",
            "team_domain": "acme",
            "channel_id": "C1",
            "channel_name": "general",
            "user_id": user,
            "user_name": "lena",
            "command": "/define",
            "text": text,
            "api_app_id": "A1",
            "is_enterprise_install": "false",
            "response_url": "https://hooks.slack.example/commands/T1/1/x",
            "trigger_id": "1.2.3",
        }
    ).encode()
    now = str(int(time.time()))
    signature = hmac.new(SECRET.encode(), b"v0:" + now.encode() + b":" + body, hashlib.sha256).hexdigest()
    head = (
        f"POST /slack/events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"X-Slack-Request-Timestamp: {now}\r\nX-Slack-Signature: v0={signature}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Wire:
    """One connection that stays open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, request: bytes) -> bytes:
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        return await self._reader.readexactly(length)

    def close(self) -> None:
        self._writer.close()


class Contestant:
    """Some connections to one server, and what is asked there."""

    def __init__(self, wires: Sequence[Wire], clock: Wire, asked: Iterator[tuple[str, str]]) -> None:
        """`asked`: what is asked, and by whom, without an end."""
        self._wires = wires
        self._clock = clock
        self._asked = asked
        self.rates: list[float] = []
        """Requests per second of computing."""
        self.times: list[float] = []
        """Seconds that single requests took."""

    async def run(self) -> None:
        requests = [signed(*next(self._asked)) for _ in range(REQUESTS)]
        before = await self._seconds()
        many = len(self._wires)
        await asyncio.gather(*(self._several(wire, requests[n::many]) for n, wire in enumerate(self._wires)))
        self.rates.append(REQUESTS / (await self._seconds() - before))

    async def ask(self) -> None:
        """One request, with its time."""
        request = signed(*next(self._asked))
        start = time.perf_counter()
        await self._wires[0].ask(request)
        self.times.append(time.perf_counter() - start)

    async def _several(self, wire: Wire, requests: Sequence[bytes]) -> None:
        for request in requests:
            await wire.ask(request)

    async def _seconds(self) -> float:
        return float(await self._clock.ask(b"GET /clock HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))


def _never_asked(texts: Sequence[str]) -> Iterator[str]:
    """The texts in letters of random case, so that no answer to them is remembered."""
    chance = random.Random(SEED)
    for text in itertools.cycle(texts):
        yield "".join(chance.choice((letter.lower(), letter.upper())) for letter in text)


async def measured(ports: Mapping[str, int], asked: Mapping[str, Sequence[str]]) -> dict[str, Contestant]:
    async def wires(name: str, count: int) -> list[Wire]:
        return [Wire(*await asyncio.open_connection("127.0.0.1", ports[name])) for _ in range(count)]

    ours, ready, [clock] = await wires("ours", CONNECTIONS), await wires("ready", CONNECTIONS), await wires("clock", 1)
    people = [f"U{number}" for number in range(MANY * REQUESTS)]

    def by_one(kind: str) -> Iterator[tuple[str, str]]:
        return zip(itertools.cycle(asked[kind]), itertools.repeat("U0"))

    contestants = {
        "ready exact": Contestant(ready, clock, by_one("exact")),
        "exact": Contestant(ours, clock, by_one("exact")),
        "ready typo": Contestant(ready, clock, by_one("typo")),
        "typo": Contestant(ours, clock, by_one("typo")),
        "new typo": Contestant(ours, clock, zip(_never_asked(asked["typo"]), itertools.repeat("U0"))),
        "empty cache": Contestant(ours, clock, zip(itertools.cycle(asked["exact"]), itertools.cycle(people))),
    }
    for kind, texts in asked.items():
        for text in texts:
            said = [json.loads(await wires_of[0].ask(signed(text, "U0"))) for wires_of in (ours, ready)]
            assert said[0] == said[1], (kind, said)
    for _ in range(MANY):  # lets the server ask Slack who everybody is
        await contestants["empty cache"].run()
    for contestant in contestants.values():
        await contestant.run()  # fills all caches
        contestant.rates.clear()
    for _ in range(ROUNDS):
        for contestant in contestants.values():
            await contestant.run()
        for _ in range(ONE_BY_ONE):
            for contestant in contestants.values():
                await contestant.ask()
    for wire in (*ours, *ready, clock):
        wire.close()
    return contestants


def main() -> None:
    report = Report(f"slack: /define over signed HTTP, {ROUNDS} rounds")
    with subprocess.Popen(
        [sys.executable, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        told = json.loads(server.stdout.readline())
        found = asyncio.run(measured(told.pop("ports"), told))
        server.stdin.close()
    rates = {name: statistics.median(contestant.rates) for name, contestant in found.items()}
    times = {name: statistics.median(contestant.times) for name, contestant in found.items()}
    for name, rate in rates.items():
        report.note(f"{name}: requests per second of computing", f"{rate:,.0f} /s")
    report.at_least("exact term, against a ready answer", rates["exact"] / rates["ready exact"], 0.90)
    report.at_least("typo, against a ready answer", rates["typo"] / rates["ready typo"], 0.80)
    report.note("exact term, settings read from the database", f"{rates['empty cache'] / rates['ready exact']:.3f} x")
    report.note(
        "typo that nobody made before, against a ready answer", f"{rates['new typo'] / rates['ready typo']:.3f} x"
    )
    report.at_most("median time of an exact term, against the same", times["exact"] / times["ready exact"], 1.15)
    report.note("median time of a typo, against the same", f"{times['typo'] / times['ready typo']:.2f} x")
    report.done()


if __name__ == "__main__":
    if "--serve" in sys.argv:
        asyncio.run(serve())
    else:
        main()
