"""What an event costs each part, by the way that it comes in; and what is lost when one of three replicas is killed.

    TEST_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres .venv/bin/python benchmarks/scale.py

Three `jargonaut run` for Slack over HTTP behind the proxy of docker-compose.yml (a real nginx), over one PostgreSQL
database; then one process with Socket Mode, and one with a Discord shard, each over SQLite. The platforms are fakes.
Costs are what processes compute, so other work on the machine counts little. docs/SCALING.md has the figures.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Final

import asyncpg
from _people import CHATTER, JARGON, OnDiscord, OnSlack, replied
from _processes import computed, family, usage
from _timing import Report

from tests.discord_fake import FakeDiscord
from tests.processes import Jargonaut
from tests.proxies import ADDRESSES, Proxy, free_port, missing, proxied
from tests.runs import Run, on_discord, on_slack, running
from tests.servers import SERVER, database_named, random_name
from tests.slack_fake import SlackFake

AT_ONCE: Final = 8
"""Things that people do at the same time."""

EVENTS: Final = 800
"""Of each kind."""

NO_LIMIT: Final = {"REQUESTS_PER_MINUTE": "0"}

IDLE: Final = 0.02
"""Of half a second: what a process computes that has nothing to do."""

Deed = Callable[[], Awaitable[object]]
Parts = Mapping[str, list[int]]
"""Name of a part -> its processes."""


async def several(deed: Deed, count: int) -> float:
    """Seconds in which it was done so often."""

    async def some() -> None:
        for _ in range(count // AT_ONCE):
            await deed()

    start = perf_counter()
    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    return perf_counter() - start


async def idle(pids: list[int]) -> None:
    """Until they have nothing more to do."""
    before = computed(*pids)
    while True:
        await asyncio.sleep(0.5)
        now = computed(*pids)
        if now - before <= IDLE * len(pids):
            return
        before = now


class Server:
    """PostgreSQL, as far as it serves one database. One that doesn't exist costs nothing."""

    def __init__(self, url: str = "") -> None:
        self._url = url
        self.most = 0
        """Connections that were open at the same time, of those times when it was asked."""

    async def computed(self) -> dict[int, float]:
        """Seconds of computing of its processes; they come and go with connections."""
        if not self._url:
            return {}
        connection = await asyncpg.connect(self._url)
        try:
            rows = await connection.fetch(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            self.most = max(self.most, len(rows))
            return {row["pid"]: computed(row["pid"]) for row in rows}
        finally:
            await connection.close()


async def cost(report: Report, what: str, deed: Deed, parts: Parts, server: Server) -> None:
    """Prints how many events one core of the bot can do, and the milliseconds of computing that one costs each part."""
    await several(deed, AT_ONCE * 10)  # fills caches
    everybody = [pid for pids in parts.values() for pid in pids]
    await idle(everybody)
    before = {name: computed(*pids) for name, pids in parts.items()}
    serving = await server.computed()
    await several(deed, EVENTS)
    served = await server.computed()
    await idle(everybody)
    seconds = {name: computed(*pids) - before[name] for name, pids in parts.items()}
    seconds["PostgreSQL"] = sum(served.values()) - sum(serving.get(pid, 0.0) for pid in served)
    told = "".join(f"{spent / EVENTS * 1_000:9.2f} {name}" for name, spent in seconds.items() if spent)
    print(f"  {what:<38}{EVENTS / seconds['bot']:>8,.0f} /s per core; ms of{told}", flush=True)


# -- Slack over HTTP, three replicas ------------------------------------------------------------------------------


@asynccontextmanager
async def replicas(slack: SlackFake, people: OnSlack, url: str, homes: Path) -> AsyncIterator[tuple[list[Run], Proxy]]:
    """As `docker compose --profile scale up --scale slack-http=3 proxy` starts them: at once, on an empty database."""
    assert people.acme.installation is not None
    port = free_port(*ADDRESSES)
    settings = {
        "SLACK_BOT_TOKEN": people.acme.installation.token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
        "SLACK_API_URL": slack.api_url,
        "DATABASE_URL": url,
        "HTTP_PORT": str(port),
        **NO_LIMIT,
    }
    async with AsyncExitStack() as stack:
        homes_of = [homes / address for address in ADDRESSES]
        for home in homes_of:
            home.mkdir()
        runs = await asyncio.gather(
            *(
                stack.enter_async_context(running(home, **settings, HTTP_HOST=address))
                for home, address in zip(homes_of, ADDRESSES, strict=True)
            )
        )
        for run in runs:
            await run.logged("slack: ")
        proxy = await stack.enter_async_context(proxied(homes, port, quiet=True))
        slack.http.url = f"{proxy.url}/slack/events"
        yield list(runs), proxy


async def over_http(report: Report, url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with SlackFake() as slack:
            people = OnSlack(slack, random.Random(1))
            slack.allow("502", "http")
            slack.allow("carries an answer", "ack")  # the proxy's page that goes with it
            start = perf_counter()
            async with replicas(slack, people, url, Path(folder)) as (runs, proxy):
                report.note("three replicas on an empty database: all ready after", f"{perf_counter() - start:.1f} s")
                await people.explain()
                pids = [run.process.pid for run in runs]
                server = Server(url)
                await slack_costs(report, people, {"bot": pids, "proxy": family(proxy.pid)}, server)
                report.note("memory of one of them", f"{usage(pids[0]).megabytes:.0f} MB")
                report.note("connections to PostgreSQL, all three", str(server.most))
                await killed(report, people, runs[0])


async def slack_costs(report: Report, people: OnSlack, parts: Parts, server: Server) -> None:
    for what, deed in (
        ("/define", lambda: people.slash("define", "slo")),
        ("a message, notes off", lambda: people.say(CHATTER[0], people.random)),
        ("a message without a term, notes on", lambda: people.say(CHATTER[0], people.general)),
        ("a message with terms, notes on", lambda: people.say(JARGON[0], people.general)),
        ("a mention, claimed and answered", lambda: people.ask("slo", people.random)),
    ):
        await cost(report, what, deed, parts, server)
        people.forget()


async def killed(report: Report, people: OnSlack, victim: Run) -> None:
    """Kills a replica while it answers. Events that got no 200 come again, as Slack sends them; commands don't."""
    asked, lost = [], Counter[str]()

    async def mention() -> None:
        outcome = await people.acme.say(people.random, people.people[0], f"{people.acme.at} sla", settle=False)
        asked.append(outcome.said)
        for envelope in outcome.envelopes:
            await envelope.acked.wait()
            if envelope.status != 200:
                lost["event"] += 1
                again = await people.slack.redeliver(envelope, reason="http_error")
                await again.acked.wait()
        with suppress(AssertionError):
            await people.slack.until(lambda: outcome.said.ts in replied(people.random, people.acme.bot), 2)

    async def command() -> None:
        outcome = await people.acme.slash(people.people[1], people.random, "define", "slo", settle=False)
        await outcome.envelopes[0].acked.wait()
        lost["command"] += outcome.envelopes[0].status != 200

    async def kill() -> None:
        await people.slack.until(lambda: len(asked) >= EVENTS // 4, 60)
        victim.process.kill()

    await asyncio.gather(several(mention, EVENTS // 2), several(command, EVENTS // 2), kill())
    await people.slack.settled()
    await asyncio.sleep(1)
    replies = Counter(
        message.thread_ts for message in people.random.messages.values() if message.user == people.acme.bot
    )
    answered = Counter(replies[message.ts] for message in asked)
    report.note(
        "killed -9 while answering: requests that got a 502", f"{lost['event']} events, {lost['command']} commands"
    )
    report.note("mentions with one answer, with none", f"{answered[1]}, {answered[0]}")
    report.at_most("mentions with more than one answer", sum(answered.values()) - answered[0] - answered[1], 0, "")
    report.at_most("mentions without an answer", answered[0], AT_ONCE, "")
    report.at_most("commands without one", lost["command"], AT_ONCE, "")


# -- One connection -----------------------------------------------------------------------------------------------


async def over_a_socket(report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with SlackFake() as slack:
            people = OnSlack(slack, random.Random(1))
            async with running(Path(folder), **on_slack(slack, people.acme), **NO_LIMIT) as run:
                await run.logged("slack: ")
                await people.explain()
                await slack_costs(report, people, {"bot": [run.process.pid]}, Server())
                report.note("memory of a process with Slack", f"{usage(run.process.pid).megabytes:.0f} MB")
                second = await asyncio.to_thread(Jargonaut(Path(folder)), "run", **on_slack(slack, people.acme))
                print(f"\n  a second run on its SQLite file ends with {second.code}:\n  {second.err.strip()}\n")


async def over_a_shard(report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with FakeDiscord() as discord:
            people = OnDiscord(discord, random.Random(1))
            async with running(Path(folder), **on_discord(discord), **NO_LIMIT) as run:
                await run.logged("discord: ")
                await people.explain()
                parts = {"bot": [run.process.pid]}
                for what, deed in (
                    ("/define", lambda: people.slash("define", term="slo")),
                    ("one letter more of a term", people.type),
                    ("a message, notes off", lambda: people.say(CHATTER[0], people.quiet)),
                    ("a message without a term, notes on", lambda: people.say(CHATTER[0], people.talk)),
                    ("a message with terms, notes on", lambda: people.say(JARGON[0], people.talk)),
                    ("!define, claimed and answered", people.ask),
                ):
                    await cost(report, what, deed, parts, Server())
                    people.forget()
                report.note("memory of a process with Discord", f"{usage(run.process.pid).megabytes:.0f} MB")


def main() -> None:
    if why := missing() or ("" if SERVER else "TEST_DATABASE_URL isn't set: a server where databases may be made"):
        sys.exit(f"nothing was measured: {why}")
    report = Report("scale: three replicas for Slack over HTTP behind nginx, over PostgreSQL")
    with database_named(random_name()) as url:
        asyncio.run(over_http(report, url))
    print("\nSlack over one Socket Mode connection, over SQLite\n")
    asyncio.run(over_a_socket(report))
    print("\none Discord shard, over SQLite\n")
    asyncio.run(over_a_shard(report))
    report.done()


if __name__ == "__main__":
    main()
