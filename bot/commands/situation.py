"""What a command function gets and gives: one value in, one value out, nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.answer import Answer, Shown
from bot.changes import Change
from bot.glossary.concept import Language
from bot.glossary.folding import has_han
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Request, short_hash
from bot.state.ports import Profile

DEFAULT_LANGUAGE: Final[Language] = "en"


@dataclass(frozen=True, slots=True)
class Channel:
    """What is set for a channel. The defaults are those of a channel where nobody set anything."""

    language: Shown | None = None
    """None: each message's own."""


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

    @property
    def private(self) -> bool:
        """Only the person who asks sees the answer."""
        return not self.request.public or self.request.by == "button"

    @property
    def chrome(self) -> Language:
        """The language of the bot's own words."""
        return chrome(self.shown, self.request)

    @property
    def shown(self) -> Shown:
        """The language that the answer is in. Who sees it decides (the table is in the README)."""
        request = self.request
        if not self.private:
            return self.channel.language or ("zh-Hans" if has_han(request.text) else DEFAULT_LANGUAGE)
        if request.press is not None and request.press.switch and request.press.language:
            return request.press.language
        if self.profile.language:
            return self.profile.language
        if has_han(request.text):
            return "zh-Hans"
        pressed = request.press.language if request.press else None
        return request.locale or pressed or DEFAULT_LANGUAGE

    @property
    def automatic(self) -> bool:
        """Nobody chose the language: a bare Chinese label then gets both from somebody who may read English only."""
        return self.private and self.profile.language is None and self.request.press is None

    @property
    def asker(self) -> str:
        """The short hash that buttons of a public question carry; empty elsewhere."""
        return "" if self.private else short_hash(self.request.person)

    @property
    def quotes(self) -> bool:
        """The answer may repeat what was typed: nobody but the asker sees it."""
        return self.private or self.request.direct

    def whispered(self) -> Situation:
        """The same, answered to the asker alone where the platform can: misses, hints and errors are nobody else's."""
        if not self.request.whispers or self.request.by == "button":
            return self
        return replace(self, request=replace(self.request, public=False))

    def say(self, key: str, **values: str | int) -> str:
        return self.phrases.say(key, self.chrome, **values)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer, and what to remember. `unsaved` is the answer instead where remembering failed."""

    answer: Answer
    changes: tuple[Change, ...] = ()
    unsaved: Answer | None = None


def chrome(shown: Shown, request: Request) -> Language:
    """The language of the bot's own words in an answer that is shown in `shown`."""
    if shown != "both":
        return shown
    if has_han(request.text):
        return "zh-Hans"
    return request.locale or (request.press.language if request.press else None) or DEFAULT_LANGUAGE
