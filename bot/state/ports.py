"""The ports: what the bot remembers, as Protocols. One contract suite runs over every implementation.

Every method may raise `StoreError`: the store is away, or didn't answer within its bounded time. Nothing of a
message's text is ever kept; the one exception is `Misses` (see there). Times that come in know their time zone; those
that come back are UTC.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal, Protocol, TypeAlias

from bot.answer import Shown
from bot.request import Person, Place
from bot.state.counters import Counters

Mode: TypeAlias = Literal["off", "threads", "all"]

KEPT: Final = timedelta(days=90)
"""So long notes are remembered, what was explained, and what was marked wrong."""

HANDLED_FOR: Final = timedelta(hours=24)
"""So long it's remembered which messages were taken care of."""

FIGURES_OF: Final = timedelta(days=30)
"""The time that `Figures` are about."""

MANY: Final = 3
"""So many readers of a channel that know a concept are worth telling whoever sets its notes."""

HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Profile:
    """What is kept about one person. The defaults are what somebody has who never set anything."""

    language: Shown | None = None
    """None: automatic."""
    muted: bool = False
    """No unasked notes under this person's messages."""
    known: frozenset[str] = frozenset()
    """Ids of concepts that the person knows."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A look-up that the glossary couldn't answer: folded text, how often, and the day of the last time (UTC)."""

    text: str
    count: int
    last_day: date


class People(Protocol):
    """One row per person; a person without a row has the default `Profile`."""

    async def get(self, person: Person) -> Profile: ...

    async def set_language(self, person: Person, language: Shown | None) -> None: ...

    async def set_muted(self, person: Person, muted: bool) -> None: ...

    async def know(self, person: Person, concepts: Collection[str]) -> None:
        """Adds to what the person knows; known ones stay."""
        ...

    async def unknow(self, person: Person, concepts: Collection[str]) -> None:
        """Takes from what the person knows; unknown ones are no error."""
        ...

    async def forget(self, person: Person) -> None:
        """Deletes everything that is kept about the person: the profile, votes, and the name on channels they set.

        What they set for a channel stays, without their name. Notes under their messages no longer know the author.
        """
        ...


class Misses(Protocol):
    """Unanswered typed look-ups, for the owners of the glossary: without a person, a channel or a place."""

    async def count(self, text: str, day: date) -> None:
        """Adds one to `text` (folded, at most 40 characters; the caller has filtered it)."""
        ...

    async def top(self, limit: int, at_least: int = 2) -> tuple[Miss, ...]:
        """The most frequent ones with `count >= at_least`; equal counts by text."""
        ...


@dataclass(frozen=True, slots=True)
class Channel:
    """What is set for a channel; its threads use it too. The defaults are what holds where nobody set anything."""

    mode: Mode = "off"
    """Where jargon is explained unasked: nowhere, in threads only, everywhere."""
    language: Shown | None = None
    """Of public answers and notes; None: each message's own."""
    advanced: bool = False
    """Notes only about what specialists say (level 3)."""
    set_by: str = ""
    """The name of whoever set it last, as their platform shows it; empty once they were forgotten."""
    set_at: datetime | None = None
    """When that was; None: nobody ever did."""
    never: frozenset[str] = frozenset()
    """Ids of concepts that are never explained here unasked."""
    resting: frozenset[str] = frozenset()
    """Folded labels that were marked wrong too often here; they rest until somebody releases them."""


class Channels(Protocol):
    """One row per channel, by platform and channel id. `place.tenant` is kept for `listed`, the thread is ignored."""

    async def get(self, place: Place) -> Channel: ...

    async def set(self, place: Place, channel: Channel, by: Person) -> None:
        """Saves mode, language, advanced, set_by and set_at. `never` and `resting` have calls of their own."""
        ...

    async def set_never(self, place: Place, concept: str, never: bool) -> None:
        """Puts a concept into `never`, or takes it out. One that is there already, or isn't, is no error."""
        ...

    async def rest(self, place: Place, label: str) -> None:
        """Lets a folded label rest in this channel. One that rests already is no error."""
        ...

    async def release(self, place: Place, label: str) -> None:
        """Ends a label's rest, and forgets how often it was marked wrong. One that doesn't rest is no error.

        In threads where it was marked wrong it stays silent, and the figures stay what they are.
        """
        ...

    async def listed(self, platform: str, tenant: str) -> tuple[tuple[str, Channel], ...]:
        """(channel id, its settings) of all channels of a tenant where notes are on, by id."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is explained unasked."""

    per_message: int = 3
    """Concepts of one note."""
    per_thread: int = 3
    """Notes of one thread, ever."""
    per_hour: int = 6
    """Notes of one channel in 60 minutes, its threads included; the one of exactly 60 minutes ago doesn't count."""
    again_after: timedelta = timedelta(days=7)
    """After this a concept may be explained again in a channel; in a thread it may not."""

    def chosen(
        self, terms: Collection[tuple[str, str]], explained: Collection[str], silent: Collection[str]
    ) -> tuple[tuple[str, str], ...]:
        """The terms of a note without `explained` concepts and `silent` labels, each concept once, and not too many."""
        left: dict[str, str] = {}
        for concept, label in terms:
            if concept not in explained and label not in silent:
                left.setdefault(concept, label)
        return tuple(left.items())[: self.per_message]


@dataclass(frozen=True, slots=True)
class Note:
    """A note under a message. `terms` are (concept id, folded label) in the order shown."""

    message: str
    author: str
    """`request.short_hash` of the message's author: enough to know the author again, and nobody else."""
    terms: tuple[tuple[str, str], ...]
    reply: str | None = None
    """The platform's id of the note; None: it isn't posted yet."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of a channel's last 30 days: notes that were posted, buttons of notes that were pressed, terms marked wrong."""

    notes: int = 0
    opened: int = 0
    wrong: int = 0


class Notes(Protocol):
    """Unasked notes and what people of a place have seen explained. No text of a message is kept, and no name.

    Channels are told apart by platform and channel id, threads by `place.thread` too. None is the channel itself, which
    is no thread: what is said of threads below doesn't hold there. A message id is unique in its channel; where one
    comes in, the thread doesn't matter. Messages without a note are no error: nothing happens.
    """

    async def claim(self, place: Place, note: Note, limits: Limits, now: datetime) -> Note | None:
        """In one transaction, so that replicas can't both: takes from `note.terms` those which may be explained now.

        A term goes out if its concept was explained in this thread ever or in this channel (its threads included)
        within `limits.again_after`, if its label was marked wrong in this thread, or if its concept stands before it.
        The rest is cut to `per_message`. None, and nothing is kept: no term is left, a budget of notes is used up, or
        the message has a note already or had one. Notes that are gone count for the budgets; withdrawn ones don't.
        Else the note is kept as explained, and comes back with the terms that stayed.
        """
        ...

    async def saw(self, place: Place, concepts: Collection[str], now: datetime) -> None:
        """People saw these explained: a public answer, a shared card, a message of a thread that spelled them out."""
        ...

    async def posted(self, place: Place, message: str, reply: str) -> None:
        """The note under `message` is `reply` on the platform."""
        ...

    async def withdraw(self, place: Place, message: str) -> None:
        """The note couldn't be posted: it's as if it had never been claimed. What `saw` was told stays."""
        ...

    async def find(self, place: Place, *, message: str = "", reply: str = "") -> Note | None:
        """The note under a message, or the one that is `reply` (looked at without a message). None: there is none, or
        it's gone."""
        ...

    async def keep_only(self, place: Place, message: str, concepts: Collection[str]) -> Note | None:
        """The note is edited to these of its concepts; None: none is left, and the note is gone.

        Those that go out stay explained.
        """
        ...

    async def opened(self, place: Place, message: str, now: datetime) -> None:
        """Somebody pressed a button of the note. Each press counts."""
        ...

    async def mark_wrong(self, place: Place, message: str, concept: str, voter: str, now: datetime) -> int:
        """A reader (`short_hash`) says that the term is meant in another sense; how many different ones said so.

        0, and nothing is kept: the note doesn't show this concept, or no longer.
        """
        ...

    async def settle_wrong(self, place: Place, label: str, concept: str, now: datetime) -> int:
        """The label is marked wrong: it stays silent in this thread.

        How often that happened to it in this channel, threads included, since its last release; this call counts.
        """
        ...

    async def knows(self, place: Place, concepts: Collection[str], reader: str, now: datetime) -> None:
        """A reader (`short_hash`) of this channel's notes knows these concepts."""
        ...

    async def unlearns(self, place: Place, concepts: Collection[str], reader: str) -> None:
        """Takes that back; what the reader never said is no error."""
        ...

    async def many_know(self, place: Place) -> tuple[str, ...]:
        """The concepts that at least `MANY` readers of this channel know, those of most readers first, then by id."""
        ...

    async def figures(self, place: Place, now: datetime) -> Figures:
        """Of the whole channel, whatever `place.thread` is."""
        ...

    async def prune(self, now: datetime) -> None:
        """Deletes what is older than `KEPT`. What is set for channels stays, resting labels too."""
        ...


class Handled(Protocol):
    """Which messages were taken care of, and by which reply of ours. Kept for `HANDLED_FOR`.

    A message is known by platform, channel id and its own id.
    """

    async def claim(self, place: Place, message: str, now: datetime) -> bool:
        """True for the first caller of all replicas; False: somebody else has it, or had it."""
        ...

    async def replied(self, place: Place, message: str, reply: str) -> None:
        """Our reply to a claimed message. One that nobody claimed is no error: nothing is kept."""
        ...

    async def reply_to(self, place: Place, message: str) -> str | None:
        """The id of our reply to a message; None: none, or it was pruned."""
        ...

    async def prune(self, now: datetime) -> None:
        """Deletes what is older than `HANDLED_FOR`; such a message could be claimed again."""
        ...


class Leases(Protocol):
    """What only one of all replicas may do at a time, such as a weekly report. Names are few and fixed.

    Each replica brings its own clock: a lease has to be longer than clocks may differ.
    """

    async def acquire(self, name: str, holder: str, until: datetime, now: datetime) -> bool:
        """True: `holder` has it until then, whether it's new or was theirs already. False: somebody else has it.

        One that ended (`until` isn't after `now`) is anybody's. `holder` is one's own for each process.
        """
        ...

    async def release(self, name: str, holder: str) -> None:
        """Gives it back before it ends. One that isn't the holder's is no error: nothing happens."""
        ...


def check_tenant(tenant: str) -> None:
    """ValueError: it's empty, as of every place that has none; nobody can have removed the bot from there."""
    if not tenant:
        raise ValueError("no tenant")


class Store(Protocol):
    """All ports together, as the composition root hands them to the bot."""

    @property
    def people(self) -> People: ...

    @property
    def misses(self) -> Misses: ...

    @property
    def channels(self) -> Channels: ...

    @property
    def notes(self) -> Notes: ...

    @property
    def handled(self) -> Handled: ...

    @property
    def leases(self) -> Leases: ...

    @property
    def counters(self) -> Counters: ...

    async def forget_tenant(self, platform: str, tenant: str) -> None:
        """Deletes everything about a workspace or server that removed the bot, and the people whose home it is.

        What they set for channels of another tenant stays, without their name. Misses know no tenant: they stay.
        ValueError: `tenant` is empty, which is every place without one.
        """
        ...

    def at_hand(self, person: Person, place: Place) -> tuple[Profile, Channel] | None:
        """What is set for both, where that is known without waiting; None: `people` and `channels` have to be asked."""
        ...

    async def close(self) -> None:
        """Finishes what was begun and lets go of connections. Calling it twice is no error."""
        ...
