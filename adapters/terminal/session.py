"""A line -> a Request. Knows what only this platform knows: how a mention looks, and which button has which number."""

from __future__ import annotations

import json
import random
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from adapters.terminal.text import buttons_of
from bot.answer import Answer, Button
from bot.bot import Bot
from bot.commands.typed import read
from bot.errors import ButtonError
from bot.glossary.concept import Language
from bot.request import Message, Person, Place, Request, decode

PLATFORM: Final = "terminal"

LAST: Final = 50
"""Messages of the channel that a preview of notes looks at."""

_MENTION: Final = re.compile(
    r"(?<![A-Za-z0-9._/-])@(?:(?P<bot>jargonaut)(?![A-Za-z0-9_-])|[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*)[ \t]*[:,，：]?",
    re.IGNORECASE,
)
"""Of the bot or of somebody else. Only ASCII ends a name: Chinese goes on without a space."""
_NOT_SAID: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*", re.DOTALL | re.MULTILINE)
"""Code, and lines that quote."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing typed, and by whom and where. `thread` None: a channel of its own."""

    text: str
    person: str
    thread: str | None = None


@dataclass(slots=True)
class Session:
    """One person's chat. `buttons` are those of the last answer, as numbered on the screen."""

    bot: Bot
    person: str
    locale: Language | None = None
    buttons: Sequence[Button] = field(default=())
    pressed_in_public: bool = False
    """The last line pressed a button on a message that others see."""
    apart: bool = False
    """Lines without a thread are channels of their own, as in a script; else they are all said in one channel."""
    _said: deque[Message] = field(default_factory=lambda: deque(maxlen=LAST))
    _notes: dict[str, tuple[str, Place]] = field(default_factory=dict)
    _count: int = 0

    async def answer(self, line: Line) -> Answer:
        """The answer to a line: what was asked for, a note about what was said, or silence."""
        self._count += 1
        request = self.request(line)
        self.pressed_in_public = request.press is not None and request.public
        if request.action == "message":
            return await self._notice(request)
        return await self.bot.answer(request, recent=tuple(self._said))

    async def _notice(self, request: Request) -> Answer:
        """A message of the channel; its note counts as posted when it's handed out."""
        now = datetime.now(UTC)
        message = Message(f"m{self._count}", request.place, request.person, request.text, now)
        self._said.append(message)
        answer = await self.bot.notice(message, now)
        if answer.kind != "silence":
            reply = f"n{self._count}"
            await self.bot.posted(message, reply)
            self._notes |= {button.request: (reply, request.place) for button in buttons_of(answer)}
        return answer

    def request(self, line: Line) -> Request:
        """What the line asks for; the action `message` is for what isn't said to the bot."""
        text = line.text.strip()
        if text.startswith("j1:"):
            return self._pressed(text, line)
        typed = read(text)
        if typed is not None:
            return self._typed(
                typed.mark, typed.word, typed.command.name if typed.command else "", typed.argument, line
            )
        if (said := mentioned(line.text)) is not None:
            return self._make(line, "mention", said, by="mention", public=True)
        return self._make(line, "message", line.text, by="text", public=True)

    def press(self, number: int) -> str | None:
        """The string of the button with this number on the screen; None: there's no such button."""
        return self.buttons[number - 1].request if 1 <= number <= len(self.buttons) else None

    def _typed(self, mark: str, word: str, name: str, argument: str, line: Line) -> Request:
        slash = mark == "/"
        if slash and not name:
            name = "help" if word.lower() == "help" else "unknown-command"
        if not name:
            return self._make(line, "message", line.text, by="text", public=True)
        return self._make(line, name, argument, word=word, by="slash" if slash else "text", public=not slash)

    def _pressed(self, text: str, line: Line) -> Request:
        try:
            press = decode(text)
        except ButtonError:
            return self._make(line, "unknown-command", by="button")
        note, place = self._notes.get(text, ("", None))
        public = bool(press.asker or note)
        request = self._make(line, press.action, press=press, by="button", public=public, on=note)
        return replace(request, place=place) if place is not None else request

    def _make(self, line: Line, action: str, text: str = "", **how: Any) -> Request:
        apart = self.apart and line.thread is None
        now = datetime.now(UTC)
        return Request(
            person=Person(PLATFORM, "", line.person),
            place=Place(PLATFORM, "", f"terminal-{self._count}" if apart else "terminal", line.thread),
            action=action,
            text=text,
            locale=self.locale,
            name=line.person,
            today=now.date(),
            now=now,
            may_set=True,
            may_remove=True,
            chance=random.random(),
            **how,
        )


def mentioned(text: str) -> str | None:
    """What is said to the bot in a text that mentions it, without mentions of anybody; None: it isn't mentioned.

    A mention inside code or a quotation is none. Alone it gives an empty text.
    """
    outside = _NOT_SAID.sub(lambda part: "\0" * len(part.group()), text)
    mentions = list(_MENTION.finditer(outside))
    if not any(mention["bot"] for mention in mentions):
        return None
    starts = [0, *(mention.end() for mention in mentions)]
    ends = [*(mention.start() for mention in mentions), len(text)]
    pieces = (text[start:end].strip(" \t") for start, end in zip(starts, ends, strict=True))
    return " ".join(piece for piece in pieces if piece).strip(" \t,，:：")


def number_in(text: str) -> int | None:
    """The number of a button, if the text is nothing else. An input method's full-width digits count."""
    text = text.strip()
    return int(text) if text.isdecimal() and len(text) < 4 else None


def read_line(raw: str, person: str) -> Line:
    """A line of a script: a text as it is, or an object {"text", "person", "thread"} that stands for one."""
    if raw.lstrip().startswith("{"):
        try:
            parsed = json.loads(raw)
        except (ValueError, RecursionError):
            return Line(raw, person)
        if isinstance(parsed, dict) and isinstance(parsed.get("text"), str):
            who, thread = parsed.get("person"), parsed.get("thread")
            return Line(
                parsed["text"], who if isinstance(who, str) else person, thread if isinstance(thread, str) else None
            )
    return Line(raw, person)
