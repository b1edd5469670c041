"""What a command function gets and gives: one value in, one value out, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from bot.answer import Answer, Shown
from bot.changes import Change
from bot.glossary.concept import Language
from bot.glossary.detector import Detector
from bot.glossary.folding import has_han
from bot.glossary.glossary import Glossary
from bot.manners import Preview
from bot.phrases import Phrases
from bot.request import Request, short_hash
from bot.state.ports import Channel, Figures, Profile
from bot.state.ports import Note as NoteRow

DEFAULT_LANGUAGE: Final[Language] = "en"

SHARES: Final = frozenset({"share", "share-vs"})
"""Buttons that post a private answer for all."""

SETTLES: Final = frozenset({"option", "option-vs", "pick", "choose"})
"""Buttons of a choice, and the way back to it: pressed by whoever asked, they replace the question for all."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A request and all that a decision about it may depend on."""

    request: Request
    profile: Profile
    channel: Channel
    glossary: Glossary
    phrases: Phrases
    keep_misses: bool = True
    """Unanswered look-ups are counted (`KEEP_MISSES`)."""
    reachable: bool = True
    """The store answered; where it didn't, `profile` is the default one and nothing can be counted."""
    detector: Callable[[], Detector] = field(default=lambda: Detector(Glossary(())), compare=False)
    """Made when it's first asked for."""
    note: NoteRow | None = None
    """The note that a pressed button belongs to."""
    votes: int = 0
    """How many readers say that a term of the note is meant in another sense, this one included."""
    figures: Figures | None = None
    many_know: tuple[str, ...] = ()
    """Ids of the concepts that many readers of the channel know."""
    preview: Preview | None = None
    listed: tuple[tuple[str, Channel], ...] = ()
    """(channel id, settings) of the tenant's channels where notes are on; only for the settings of notes."""

    @property
    def private(self) -> bool:
        """Only the person who asks sees the answer."""
        press = self.request.press
        if press is None:
            return not self.request.public
        if press.action in SHARES:
            return False
        settles = press.action in SETTLES and not press.switch and press.asker == short_hash(self.request.person)
        return not (self.request.public and settles)

    @property
    def own(self) -> bool:
        """Nobody but the person sees the answer: its language is theirs."""
        return self.private or self.request.direct

    @property
    def chinese(self) -> bool:
        """The question is written in Chinese: any character of it, or what the command was called.

        What is picked from a message's menu is somebody's message, and no question.
        """
        asked = self.request.by != "shortcut"
        return asked and (has_han(self.request.text) or has_han(self.request.word))

    @property
    def shown(self) -> Shown:
        """The language that the answer is in. Who sees it decides (the table is in the README)."""
        request, press = self.request, self.request.press
        if request.language is not None:
            return request.language
        if not self.own:
            if press is not None and press.language:
                return "both" if press.both else press.language
            return self.channel.language or ("zh-Hans" if self.chinese else DEFAULT_LANGUAGE)
        if press is not None and press.switch and press.language:
            return press.language
        if self.profile.language:
            return self.profile.language
        if self.chinese:
            return "zh-Hans"
        if press is not None and press.both and not request.public:
            return "both"
        return self._usual

    @property
    def chrome(self) -> Language:
        """The language of the bot's own words."""
        shown = self.shown
        if shown != "both":
            return shown
        return "zh-Hans" if self.chinese else self._usual

    @property
    def _usual(self) -> Language:
        """What to speak where nobody chose. A private copy of a public message is for somebody else than that was."""
        request, press = self.request, self.request.press
        before = press.language if press is not None else None
        if not self.own:
            return before or DEFAULT_LANGUAGE
        if request.public:
            return request.locale or before or DEFAULT_LANGUAGE
        return before or request.locale or DEFAULT_LANGUAGE

    @property
    def automatic(self) -> bool:
        """Nobody chose the language: a bare Chinese label then gets both from somebody who may read English only."""
        return self.own and self.profile.language is None and self.request.press is None

    @property
    def asker(self) -> str:
        """The short hash that buttons of a public question carry; empty elsewhere."""
        return "" if self.private else short_hash(self.request.person)

    @property
    def quotes(self) -> bool:
        """The answer may repeat what was typed: nobody but the asker sees it."""
        return self.own

    def whispered(self) -> Situation:
        """The same, answered to the asker alone where the platform can: misses, hints and errors are nobody else's."""
        if not self.request.whispers or self.request.press is not None or self.request.direct:
            return self
        return replace(self, request=replace(self.request, public=False))

    def with_text(self, text: str) -> Situation:
        return replace(self, request=replace(self.request, text=text))

    def say(self, key: str, **values: str | int) -> str:
        return self.phrases.say(key, self.chrome, **values)

    @property
    def thread(self) -> str:
        """The platform's own word for a thread."""
        return self.say(f"thread.{self.request.place.platform}")

    @property
    def threads(self) -> str:
        """The platform's own word for several."""
        return self.say(f"threads.{self.request.place.platform}")


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer, and what to remember. `unsaved` is the answer instead where remembering failed."""

    answer: Answer
    changes: tuple[Change, ...] = ()
    unsaved: Answer | None = None
