"""The only way in: `Bot` reads what is remembered, lets a pure function decide, and remembers what that says."""

from __future__ import annotations

import asyncio
import logging
import secrets
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.answer import Answer, Paragraph
from bot.changes import Change, CountMiss, Forget, Know, SetLanguage, SetMuted, Unknow
from bot.commands import Channel, Reply, Situation, run
from bot.commands.answering import place_of
from bot.completion import Suggestion, complete
from bot.errors import StoreError
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Person, Place, Request
from bot.state.ports import Profile, Store

_log: Final = logging.getLogger(__name__)

MAX_TEXT: Final = 1_000
"""Characters of a request that are looked at. Nothing that long is a question; it's answered with a hint."""

READ_SECONDS: Final = 0.5
"""What an answer waits for the store at most; after that it's given as to somebody who never set anything."""

WRITE_SECONDS: Final = 2.0
"""What an answer waits for a setting to be saved, before it says that it wasn't."""


class Bot:
    """Answers requests. One per process; safe for many tasks at once."""

    def __init__(
        self,
        glossary: Callable[[Place], Glossary],
        phrases: Phrases,
        store: Store,
        *,
        keep_misses: bool = True,
    ) -> None:
        """`glossary` is asked once per request, so that it may be reloaded, and be another one per tenant."""
        self._glossary = glossary
        self._phrases = phrases
        self._store = store
        self._keep_misses = keep_misses
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, request: Request) -> Answer:
        """The answer to a request. Never raises: what goes wrong becomes a polite line with a reference number."""
        try:
            return await self._answer(request)
        except Exception as error:
            return self._failed(request, error)

    def complete(self, prefix: str, place: Place, *, limit: int = 25) -> list[Suggestion]:
        """Labels for what somebody has typed so far: one per concept, the likeliest first."""
        return complete(prefix, self._glossary(place), limit=limit)

    async def close(self) -> None:
        """Waits for what is still being written, which takes `WRITE_SECONDS` at most."""
        await asyncio.gather(*self._tasks)

    async def _answer(self, request: Request) -> Answer:
        request = replace(request, text=request.text[:MAX_TEXT])
        profile, reachable = await self._profile(request.person)
        situation = Situation(
            request=request,
            profile=profile,
            channel=Channel(),
            glossary=self._glossary(request.place),
            phrases=self._phrases,
            keep_misses=self._keep_misses,
            reachable=reachable,
        )
        reply = run(situation)
        return await self._carry_out(reply, request)

    async def _profile(self, person: Person) -> tuple[Profile, bool]:
        try:
            async with asyncio.timeout(READ_SECONDS):
                return await self._store.people.get(person), True
        except (StoreError, TimeoutError) as error:
            _log.warning("store: reading a person failed (%s)", type(error).__name__)
            return Profile(), False

    async def _carry_out(self, reply: Reply, request: Request) -> Answer:
        """Settings are saved before the answer says so; counts are written behind it."""
        for change in reply.changes:
            if isinstance(change, CountMiss):
                self._behind(change, request)
        settings = [change for change in reply.changes if not isinstance(change, CountMiss)]
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                for change in settings:
                    await self._remember(change, request)
        except (StoreError, TimeoutError) as error:
            _log.warning("store: saving a setting failed (%s)", type(error).__name__)
            return reply.unsaved or reply.answer
        return reply.answer

    async def _remember(self, change: Change, request: Request) -> None:
        people, person = self._store.people, request.person
        match change:
            case SetLanguage(language):
                await people.set_language(person, language)
            case SetMuted(muted):
                await people.set_muted(person, muted)
            case Know(concepts):
                await people.know(person, concepts)
            case Unknow(concepts):
                await people.unknow(person, concepts)
            case Forget():
                await people.forget(person)
            case CountMiss(text):
                await self._store.misses.count(text, request.today)

    def _behind(self, change: CountMiss, request: Request) -> None:
        async def count() -> None:
            try:
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._remember(change, request)
            except Exception as error:  # whatever it is, its message may have the text
                _log.warning("store: a count was lost (%s)", type(error).__name__)

        task = asyncio.create_task(count())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _failed(self, request: Request, error: Exception) -> Answer:
        reference = secrets.token_hex(2).upper()
        # The message of an exception may quote what somebody typed, so only its type and place are logged.
        frames = "".join(traceback.format_tb(error.__traceback__))
        _log.error("ref %s: %s while answering %s\n%s", reference, type(error).__name__, request.action, frames)
        s = Situation(request, Profile(), Channel(), Glossary(()), self._phrases).whispered()
        text = s.say("error", ref=reference)
        return Answer("error", s.chrome, place_of(s), (Paragraph(text),), error="usage", chrome=s.chrome)


def fixed(glossary: Glossary) -> Callable[[Place], Glossary]:
    """One glossary for every place."""
    return lambda place: glossary
