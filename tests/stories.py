"""Stories about unasked notes: what people do in a channel, one thing after the other, and what becomes of it.

Each step says in its `__str__` what happens, for `docs/MANNERS.md`, and does it in `happen`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from bot.answer import Answer, Button, Update
from bot.bot import Bot, fixed
from bot.glossary.concept import code
from bot.glossary.glossary import Glossary
from bot.manners import Silence
from bot.phrases import Phrases
from bot.request import Message, Person, Place, Press, Request, decode
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Limits, Store
from tests.desks import buttons
from tests.stores import CHANNEL, NOW, OTHER_CHANNEL, OTHER_THREAD, THREAD

WHERE: Final = {
    CHANNEL: "in the channel",
    THREAD: "in a thread",
    OTHER_THREAD: "in another thread",
    OTHER_CHANNEL: "in another channel",
}


@dataclass(frozen=True)
class Outcome:
    """What the bot does: a new note, silence, or what happens to a note that is there."""

    kind: Literal["note", "silence", "stays", "cut", "gone"]
    concepts: tuple[str, ...] = ()
    reason: Silence | None = field(default=None, compare=False)
    """Of silence, as the code names it; None: it isn't said."""


def note(*concepts: str) -> Outcome:
    return Outcome("note", concepts)


def cut(*concepts: str) -> Outcome:
    return Outcome("cut", concepts)


def silent(reason: Silence) -> Outcome:
    return Outcome("silence", reason=reason)


SILENT: Final = Outcome("silence")
STAYS: Final = Outcome("stays")
GONE: Final = Outcome("gone")


@dataclass
class Scene:
    """A channel in which notes may appear."""

    bot: Bot
    store: Store
    now: datetime = NOW
    count: int = 0
    noted: Message | None = None
    """The message with the last note."""
    shown: Answer | None = None
    """What that note says now."""

    @classmethod
    def of(cls, glossary: Glossary, phrases: Phrases, store: Store) -> Scene:
        return cls(Bot(fixed(glossary), phrases, store, limits=Limits()), store)

    def button(self, action: str, concept: str = "") -> Button:
        assert self.shown is not None, "no note to press a button of"
        found = [
            entry
            for entry in buttons(self.shown)
            if decode(entry.request).action == action and (not concept or code(concept) in decode(entry.request).codes)
        ]
        assert found, f"no button for {action} {concept}"
        return found[0]

    def updated(self, update: Update | None) -> Outcome:
        if update is None:
            return STAYS
        assert self.noted is not None
        assert update.reply == f"reply to {self.noted.id}"
        self.shown = update.answer
        return cut(*update.answer.concepts) if update.answer else GONE


class Step(Protocol):
    async def happen(self, scene: Scene) -> Outcome | None: ...


@dataclass(frozen=True)
class Says:
    """Somebody writes a message. `late`: it reaches the bot so long after it was sent."""

    text: str
    by: str = "Ana"
    place: Place = CHANNEL
    late: timedelta = timedelta(0)
    from_person: bool = True
    to_bot: bool = False
    posted: bool = True

    def __str__(self) -> str:
        mark = ", mentioning the bot" if self.to_bot else ""
        late = f", delivered {_span(self.late)} late" if self.late else ""
        lost = " – the note can't be posted" if not self.posted else ""
        text = self.text.replace("\n", " ⏎ ").replace("`", "\\`").replace("|", "\\|")
        return f"{self.by}, {WHERE[self.place]}{mark}{late}: “{text}”{lost}"

    def message(self, scene: Scene) -> Message:
        return Message(
            f"m{scene.count}",
            self.place,
            person(self.by),
            self.text,
            scene.now - self.late,
            from_person=self.from_person,
            to_bot=self.to_bot,
        )

    async def happen(self, scene: Scene) -> Outcome:
        scene.count += 1
        message = self.message(scene)
        answer = await scene.bot.notice(message, scene.now)
        await scene.bot.close()
        if answer.kind == "silence":
            return SILENT
        assert (answer.kind, answer.where) == ("explanation", "public")
        if not self.posted:
            await scene.bot.not_posted(message)
        else:
            await scene.bot.posted(message, f"reply to {message.id}")
            scene.noted, scene.shown = message, answer
        return note(*answer.concepts)


@dataclass(frozen=True)
class Later:
    """Time passes."""

    span: timedelta

    def __str__(self) -> str:
        return f"*{_span(self.span)} later*"

    async def happen(self, scene: Scene) -> None:
        scene.now += self.span


@dataclass(frozen=True)
class Edits:
    """The author of the message with the note changes its text."""

    text: str

    def __str__(self) -> str:
        return f"the author changes the message to “{self.text}”"

    async def happen(self, scene: Scene) -> Outcome:
        assert scene.noted is not None
        message = Message(scene.noted.id, scene.noted.place, scene.noted.author, self.text, scene.now)
        return scene.updated(await scene.bot.edited(message))


@dataclass(frozen=True)
class EditsSilent:
    """Somebody writes a message that gets no note, and changes its text afterwards."""

    text: str
    to: str

    def __str__(self) -> str:
        return f"Ana, in the channel: “{self.text}”, changed to “{self.to}”"

    async def happen(self, scene: Scene) -> Outcome:
        assert await Says(self.text).happen(scene) == SILENT
        message = Says(self.to).message(scene)
        assert await scene.bot.edited(message) is None
        found = await scene.store.notes.find(message.place, message=message.id)
        return SILENT if found is None else STAYS


@dataclass(frozen=True)
class Deletes:
    """The author deletes the message with the note."""

    def __str__(self) -> str:
        return "the author deletes the message"

    async def happen(self, scene: Scene) -> Outcome:
        assert scene.noted is not None
        return scene.updated(await scene.bot.deleted(scene.noted.place, scene.noted.id))


@dataclass(frozen=True)
class Presses:
    """Somebody presses a button of the last note."""

    action: str
    by: str
    concept: str = ""
    may: bool = False
    """The platform lets them delete messages of others, and change what holds for the channel."""

    def __str__(self) -> str:
        named = {"note-wrong": "Wrong meaning", "note-remove": "Remove this note", "know": "I know these"}
        who = f"{self.by}, who may delete messages here," if self.may else self.by
        about = f": {self.concept.upper()}" if self.concept else ""
        named |= {"note-mute": "Not under my messages"}
        return f"{who} presses “{named[self.action]}{about}”"

    async def happen(self, scene: Scene) -> Outcome:
        assert scene.noted is not None
        press = decode(scene.button(self.action, self.concept).request)
        how = {"on": f"reply to {scene.noted.id}", "may_remove": self.may, "may_set": self.may}
        answer = await pressed(scene, press, self.by, scene.noted.place, **how)
        assert answer.where == "private"
        assert answer.kind == "setting"
        return scene.updated(answer.update)


async def pressed(scene: Scene, press: Press, by: str, place: Place, **how: str | bool) -> Answer:
    request = Request(
        person(by),
        place,
        press.action,
        press=press,
        by="button",
        public=True,
        now=scene.now,
        name=by,
        **how,  # type: ignore[arg-type]
    )
    answer = await scene.bot.answer(request)
    await scene.bot.close()
    return answer


@dataclass(frozen=True)
class Asks:
    """Somebody asks in public, and all see the answer."""

    text: str
    place: Place = CHANNEL

    def __str__(self) -> str:
        return f"Bo, {WHERE[self.place]}: “!{self.text}”, answered for all to see"

    async def happen(self, scene: Scene) -> None:
        action, _, text = self.text.partition(" ")
        request = Request(person("Bo"), self.place, action, text, by="text", public=True, now=scene.now)
        assert (await scene.bot.answer(request)).where == "public"
        await scene.bot.close()


@dataclass(frozen=True)
class Shares:
    """Somebody posts a private answer for all."""

    concept: str

    def __str__(self) -> str:
        return f"Bo shares the card of {self.concept.upper()} in the channel"

    async def happen(self, scene: Scene) -> None:
        press = Press("share", (code(self.concept),), language="en")
        request = Request(person("Bo"), CHANNEL, "share", press=press, by="button", now=scene.now, name="Bo")
        assert (await scene.bot.answer(request)).where == "public"
        await scene.bot.close()


@dataclass(frozen=True)
class Looks:
    """Somebody asks in private."""

    text: str

    def __str__(self) -> str:
        return f"Bo asks “/{self.text}”, for themselves"

    async def happen(self, scene: Scene) -> None:
        action, _, text = self.text.partition(" ")
        answer = await scene.bot.answer(Request(person("Bo"), CHANNEL, action, text, now=scene.now))
        assert answer.where == "private"
        await scene.bot.close()


@dataclass(frozen=True)
class Sets:
    """Somebody who may presses a button of `/autoexplain`."""

    action: Literal["auto-release", "auto-never"]
    concepts: Sequence[str] = field(default=())

    def __str__(self) -> str:
        if self.action == "auto-release":
            return "somebody who may releases the resting labels"
        return f"somebody who may presses “Never here” for {', '.join(self.concepts).upper()}"

    async def happen(self, scene: Scene) -> None:
        press = Press(self.action, tuple(map(code, self.concepts)), language="en")
        await pressed(scene, press, "Eve", CHANNEL, may_set=True)


@dataclass(frozen=True)
class WrongElsewhere:
    """In one thread after the other the author marks a label wrong, so far apart that budgets play no part."""

    concept: str
    threads: int

    def __str__(self) -> str:
        return f"in {self.threads} threads, the authors press “Wrong meaning” on a note about {self.concept.upper()}"

    async def happen(self, scene: Scene) -> None:
        label = scene.bot._glossary(CHANNEL).concepts[self.concept].sections["en"].pref_label.text
        for number in range(self.threads):
            place = Place(CHANNEL.platform, CHANNEL.tenant, CHANNEL.channel, f"{number}.0")
            scene.count += 1
            message = Message(f"m{scene.count}", place, person("Ana"), f"{label} again", scene.now)
            answer = await scene.bot.notice(message, scene.now)
            assert answer.concepts == (self.concept,), "a note to press the button of"
            await scene.bot.posted(message, f"reply to {message.id}")
            scene.noted, scene.shown = message, answer
            assert await Presses("note-wrong", "Ana", self.concept).happen(scene) == GONE
            scene.now += Limits().again_after


@dataclass(frozen=True)
class StoreGoes:
    """The database can't be reached any more."""

    def __str__(self) -> str:
        return "the bot's database can't be reached"

    async def happen(self, scene: Scene) -> None:
        assert isinstance(scene.store, MemoryStore)
        scene.store.away = True


@dataclass(frozen=True)
class Case:
    """A story whose last step is judged, and why it ends so."""

    id: str
    steps: Sequence[Step]
    outcome: Outcome
    why: str
    channel: Channel


def case(id_: str, steps: Sequence[Step], outcome: Outcome, why: str = "", **channel: object) -> Case:
    """`why` may be left out where the outcome says it; `channel` is what is set, notes everywhere if nothing is."""
    settings = Channel(**{"mode": "all", **channel})  # type: ignore[arg-type]
    return Case(id_, steps, outcome, why or f"{outcome.reason}", settings)


def person(name: str) -> Person:
    return Person("slack", "T1", name)


def _span(span: timedelta) -> str:
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1)):
        if span.total_seconds() % size == 0 and span.total_seconds() >= size:
            count = int(span.total_seconds() // size)
            return f"{count} {unit if count > 1 else unit[:-1]}"
    return f"{span}"
