"""People who talk to the bot on fakes of Slack and Discord, each thing by chance; and how long they waited."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import islice
from math import inf
from time import perf_counter
from typing import Final, TypeAlias

from tests.discord_fake import FakeDiscord
from tests.discord_fake_world import Channel as DiscordChannel
from tests.discord_fake_world import Message as DiscordMessage
from tests.slack_fake import SlackFake
from tests.slack_fake_outcome import Outcome
from tests.slack_fake_state import Channel

Wait: TypeAlias = Callable[[], Awaitable[float]]
"""Does something, waits until the bot has dealt with it, and tells the seconds that took."""

PEOPLE: Final = 40
"""On each platform: so many that nobody asks more than they may."""

PATIENCE: Final = 10.0
"""Seconds after which something counts as never answered."""

CHATTER: Final = (
    "could somebody have a look at the build, please? it has been red since this morning",
    "sure, give me ten minutes, I am still in the other call",
    "午饭吃什么？楼下新开了一家面馆，听说还不错",
    "the printer was out of paper again, so I took the one on the second floor",
)
"""Without a term of the glossary."""

JARGON: Final = (
    "we should try speculative decoding before the next release, the TTFT is too high",
    "KV cache 又满了，要不要试试 PagedAttention？",
    "the SLO says 200 ms at P99, and quantization to INT8 got us there",
    "continuous batching 打开之后吞吐涨了一倍",
    "blue-green deployment or canary release for the new model?",
)
TERMS: Final = ("slo", "ttft", "KV cache", "投机解码", "speculativ decoding", "canary", "toushi jiema", "no such thing")
KNOWN: Final = ("slo", "ttft", "KV cache", "投机解码", "canary")
PAIRS: Final = ("slo vs sla", "TTFT vs TPOT", "量化 和 蒸馏", "blue-green vs canary")


class Crowd:
    """What people do, with how often each thing is done; `choose` picks one."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.deeds: dict[str, tuple[int, Wait]] = {}

    def choose(self) -> tuple[str, Wait]:
        names = list(self.deeds)
        [name] = self.chance.choices(names, [self.deeds[name][0] for name in names])
        return name, self.deeds[name][1]

    def one_of(self, things: Sequence[str]) -> str:
        return self.chance.choice(things)


class OnSlack(Crowd):
    """#general, where jargon is explained, and #random, where it isn't."""

    def __init__(self, slack: SlackFake, chance: random.Random) -> None:
        super().__init__(chance)
        self.slack = slack
        self.acme = slack.workspace("Acme")
        self.people = [self.acme.person(f"Person {n}", locale=("en-US", "zh-CN")[n % 2]) for n in range(PEOPLE)]
        self.general = self.acme.channel("general", *self.people)
        self.random = self.acme.channel("random", *self.people)
        self.deeds = {
            "slack: /define": (20, lambda: self.slash("define", self.one_of(TERMS))),
            "slack: /vs": (5, lambda: self.slash("vs", self.one_of(PAIRS))),
            "slack: a button": (15, self.press),
            "slack: a mention": (
                5,
                lambda: self.ask(self.one_of(KNOWN), self.chance.choice((self.general, self.random))),
            ),
            "slack: an edit": (2, self.edit),
            "slack: jargon": (10, lambda: self.say(self.one_of(JARGON))),
            "slack: chatter": (20, lambda: self.say(self.one_of(CHATTER))),
        }
        slack.allow("late", "ack")  # the figures tell

    async def explain(self) -> None:
        """Switches notes on in #general."""
        await self.acme.slash(self.people[0], self.general, "autoexplain", "all")

    def forget(self) -> None:
        """What is over, so that this process doesn't get slower."""
        self.slack.envelopes[:] = [each for each in self.slack.envelopes if not each.acked.is_set()]

    async def _dealt_with(self, outcome: Outcome) -> float:
        async with asyncio.timeout(PATIENCE):
            for envelope in outcome.envelopes:
                await envelope.acked.wait()
        return max(envelope.seconds for envelope in outcome.envelopes)

    async def slash(self, command: str, text: str) -> float:
        asked = await self.acme.slash(self.chance.choice(self.people), self.general, command, text, settle=False)
        return await self._dealt_with(asked)

    async def press(self) -> float:
        """A button that stands on what somebody got last."""
        shown = self.acme.ephemerals[-1] if self.acme.ephemerals else None
        labels = [label for label in shown.buttons if label in _HARMLESS] if shown else []
        if not shown or not labels:
            return await self.slash("define", "slo")
        person = next(each for each in self.people if each.id == shown.reader)
        return await self._dealt_with(await self.acme.press(person, shown, self.one_of(labels), settle=False))

    async def say(self, text: str, channel: Channel | None = None) -> float:
        channel = channel or self.chance.choice((self.general, self.random))
        return await self._dealt_with(await self.acme.say(channel, self.chance.choice(self.people), text, settle=False))

    async def ask(self, term: str, channel: Channel) -> float:
        """Mentions the bot, and waits for the reply in the thread; `inf`: none came."""
        start = perf_counter()
        said = await self.acme.say(channel, self.chance.choice(self.people), f"{self.acme.at} {term}", settle=False)
        await self._dealt_with(said)
        with suppress(AssertionError):
            await self.slack.until(lambda: said.said.ts in replied(channel, self.acme.bot), PATIENCE)
            return perf_counter() - start
        return inf

    async def edit(self) -> float:
        said = await self.acme.say(self.random, self.chance.choice(self.people), f"{self.acme.at} slo", settle=False)
        await self._dealt_with(said)
        return await self._dealt_with(await self.acme.edit(said.said, f"{self.acme.at} sla", settle=False))


_HARMLESS: Final = frozenset({"中文", "English", "More", "更多", "‹ Back", "‹ 返回"})
"""Buttons that change what stands there and ask for nothing else."""


def replied(channel: Channel, bot: str) -> set[str | None]:
    """The threads of the bot's last messages."""
    last = islice(reversed(channel.messages.values()), 200)
    return {message.thread_ts for message in last if message.user == bot}


class OnDiscord(Crowd):
    def __init__(self, discord: FakeDiscord, chance: random.Random) -> None:
        super().__init__(chance)
        self.discord = discord
        self.people = [discord.user(f"Person {n}", locale=("en-US", "zh-CN")[n % 2]) for n in range(PEOPLE)]
        ops = discord.guild("Ops", self.people[0])
        for person in self.people[1:]:
            discord.join(ops, person)
        self.talk = discord.channel(ops, "talk")
        self.quiet = discord.channel(ops, "quiet")
        self._shown: list[tuple[int, DiscordMessage]] = []
        self.deeds = {
            "discord: /define": (15, lambda: self.slash("define", term=self.one_of(TERMS))),
            "discord: /vs": (5, lambda: self.slash("vs", first="slo", second="sla")),
            "discord: a button": (10, self.press),
            "discord: typing": (15, self.type),
            "discord: !define": (5, self.ask),
            "discord: jargon": (10, lambda: self.say(self.one_of(JARGON))),
            "discord: chatter": (20, lambda: self.say(self.one_of(CHATTER))),
        }

    async def explain(self) -> None:
        await self.discord.slash(self.people[0], self.talk, "autoexplain", mode="all")

    def forget(self) -> None:
        self.discord.interactions.clear()
        self.discord.calls.clear()

    async def slash(self, command: str, **options: str) -> float:
        start, number = perf_counter(), self.chance.randrange(PEOPLE)
        interaction = await self.discord.slash(self.people[number], self.talk, command, **options)
        took = perf_counter() - start
        if interaction.message is not None:
            self._shown = [*self._shown[-20:], (number, interaction.message)]
        return took

    async def press(self) -> float:
        if not self._shown:
            return await self.slash("define", term="slo")
        number, message = self._shown[-1]
        labels = [label for label in self.discord.buttons(message) if label in _HARMLESS]
        if not labels:
            return await self.slash("define", term="slo")
        start = perf_counter()
        await self.discord.press(self.people[number], message, self.one_of(labels))
        return perf_counter() - start

    async def type(self) -> float:
        start = perf_counter()
        person, typed = self.chance.choice(self.people), self.one_of(TERMS)[:3]
        await self.discord.autocomplete(person, self.talk, "define", "term", typed)
        return perf_counter() - start

    async def ask(self) -> float:
        start = perf_counter()
        asked = await self.discord.say(self.quiet, self.chance.choice(self.people), f"!define {self.one_of(KNOWN)}")
        await self.discord.reply_to(asked)
        return perf_counter() - start

    async def say(self, text: str, channel: DiscordChannel | None = None) -> float:
        """Nothing comes back for it, mostly: it counts as dealt with at once."""
        channel = channel or self.chance.choice((self.talk, self.quiet))
        await self.discord.say(channel, self.chance.choice(self.people), text)
        return 0.0


class Waits:
    """Seconds that people waited, by what they did."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.counts: Counter[str] = Counter()

    def add(self, name: str, seconds: float) -> None:
        self.counts[name] += 1
        if seconds:
            self.seconds.append(seconds)

    def milliseconds(self, part: float) -> float:
        """A quantile."""
        ordered = sorted(self.seconds) or [0.0]
        return ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1_000
