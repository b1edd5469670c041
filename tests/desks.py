"""The commands as somebody meets them: a desk to type at and to press buttons at, and ways to read what comes back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from bot.answer import Answer, Button, Field, Heading, Item, Menu, Note, Paragraph, Table
from bot.commands import Reply, Situation, run
from bot.glossary.concept import Language
from bot.glossary.detector import Detector
from bot.glossary.glossary import Glossary
from bot.manners import Preview
from bot.phrases import Phrases
from bot.request import Hears, Person, Place, Request, decode
from bot.state.ports import Channel, Figures, Profile
from bot.state.ports import Note as NoteRow

ANA = Person("slack", "T1", "U1")
BO = Person("slack", "T1", "U2")
CHANNEL = Place("slack", "T1", "C1")
NOBODY = Profile()
ANY_CHANNEL = Channel()


@dataclass(frozen=True)
class Desk:
    """One person in one channel. Everything that a decision depends on can be set: `desk.at(locale="en")`."""

    glossary: Glossary
    phrases: Phrases
    profile: Profile = NOBODY
    channel: Channel = ANY_CHANNEL
    person: Person = ANA
    locale: Language | None = None
    whispers: bool = True
    direct: bool = False
    name: str = ""
    chance: float = 0.0
    keep_misses: bool = True
    reachable: bool = True
    note: NoteRow | None = None
    votes: int = 0
    figures: Figures | None = None
    preview: Preview | None = None
    many_know: tuple[str, ...] = ()
    may_set: bool = False
    hears: Hears = "all"
    deletable: bool = False
    channel_names: Mapping[str, str] = field(default_factory=dict)
    listed: tuple[tuple[str, Channel], ...] = ()
    may_remove: bool = False
    now: datetime | None = None

    def at(self, **settings: Any) -> Desk:
        """The same desk with other settings; `language` is the saved one."""
        if "language" in settings:
            settings["profile"] = Profile(language=settings.pop("language"))
        return replace(self, **settings)

    def slash(self, action: str, text: str = "") -> Reply:
        """`/action text`, answered to this person alone."""
        return run(self.situation(self.request(action, text=text)))

    def bang(self, action: str, text: str = "") -> Reply:
        """`!action text`, for all to see."""
        return run(self.situation(self.request(action, text=text, by="text", public=True)))

    def mention(self, text: str) -> Reply:
        return run(self.situation(self.request("mention", text=text, by="mention", public=True)))

    def press(self, button: Button | str, *, public: bool = False) -> Reply:
        """A button; `public`: it stands on a message that others see."""
        press = decode(button if isinstance(button, str) else button.request)
        return run(self.situation(self.request(press.action, press=press, by="button", public=public)))

    def request(self, action: str, **how: Any) -> Request:
        return Request(
            self.person,
            CHANNEL,
            action,
            locale=self.locale,
            whispers=self.whispers,
            direct=self.direct,
            name=self.name,
            chance=self.chance,
            now=self.now,
            may_set=self.may_set,
            hears=self.hears,
            deletable=self.deletable,
            channel_names=self.channel_names,
            may_remove=self.may_remove,
            **how,
        )

    def situation(self, request: Request) -> Situation:
        return Situation(
            request,
            self.profile,
            self.channel,
            self.glossary,
            self.phrases,
            self.keep_misses,
            self.reachable,
            detector=lambda: detector(self.glossary),
            note=self.note,
            votes=self.votes,
            figures=self.figures,
            preview=self.preview,
            many_know=self.many_know,
            listed=self.listed,
        )


@lru_cache(maxsize=8)
def detector(glossary: Glossary) -> Detector:
    """Made once, since that takes some time."""
    return Detector(glossary)


def texts(answer: Answer) -> Iterator[str]:
    """Everything in an answer that people read, buttons aside. An empty text stands for nothing where one may be."""
    for block in answer.blocks:
        match block:
            case Heading(text, detail):
                yield from (text, detail) if detail else (text,)
            case Paragraph(text) | Note(text):
                yield text
            case Field(name, value):
                yield from (name, value)
            case Table(columns, rows):
                yield from columns
                yield from (cell for row in rows for cell in row)
            case Item(label, summary):
                yield from (label, summary) if summary else (label,)


def said(answer: Answer) -> str:
    return "\n".join(texts(answer))


def buttons(answer: Answer) -> list[Button]:
    """All buttons: those of items, the answer's own, those in menus."""
    items = [block.button for block in answer.blocks if isinstance(block, Item) and block.button]
    own = [button for entry in answer.buttons for button in (entry.options if isinstance(entry, Menu) else (entry,))]
    return [*items, *own]


def menus(answer: Answer) -> list[Menu]:
    return [entry for entry in answer.buttons if isinstance(entry, Menu)]


def labels(answer: Answer) -> list[str]:
    return [button.label for button in buttons(answer)]


def button(answer: Answer, label: str) -> Button:
    """The button with this label; AssertionError: there's none, or more than one."""
    found = [button for button in buttons(answer) if button.label == label]
    assert len(found) == 1, f"{label!r} in {labels(answer)}"
    return found[0]


def option(answer: Answer, concept: str) -> Button:
    """The button of a concept's line in a choice or a list."""
    items = [block for block in answer.blocks if isinstance(block, Item)]
    found = items[answer.concepts.index(concept)].button
    assert found is not None
    return found
