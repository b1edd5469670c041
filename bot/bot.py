"""The only way in: `Bot` reads what is remembered, lets a pure function decide, and remembers what that says.

What it offers for messages that aren't said to it is in `listener`, for claims in `state.claims`.
"""

from __future__ import annotations

import logging
import random
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, Literal

from bot.answer import Answer
from bot.changes import CountOpened
from bot.commands import Reply, Situation
from bot.commands.apologies import busy, failed
from bot.commands.explain import explain_messages, needed
from bot.completion import Suggestion
from bot.flood import Flood
from bot.glossary.concept import Language, Topic
from bot.glossary.glossary import Glossary
from bot.indexes import Indexes
from bot.listener import MAX_MESSAGE, Listener
from bot.manners import preview
from bot.memo import Completions, Memo
from bot.phrases import Phrases
from bot.recent import RecentAnswers
from bot.request import Message, Place, Request, short_hash
from bot.state.bounded import Bounded
from bot.state.claims import Claims
from bot.state.ports import Channel, Limits, Note, Profile, Store
from bot.state.remembering import remember
from bot.watching import Nobody, Watch

_log: Final = logging.getLogger(__name__)

MAX_TEXT: Final = 1_000
"""Characters of a request that are looked at. Nothing that long is a question; it's answered with a hint."""

OF_NOTES: Final = frozenset({"know", "note", "note-wrong", "note-mute", "note-remove", "note-more"})
"""Buttons that a note has, besides those of its concepts."""

MAX_READ: Final = 500
"""Messages of a thread or a channel that a digest reads."""


class Bot:
    """Answers requests, and says when a message deserves a note. One per process; safe for many tasks at once."""

    def __init__(
        self,
        glossary: Callable[[Place], Glossary],
        phrases: Phrases,
        store: Store,
        *,
        keep_misses: bool = True,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        platform_phrases: Mapping[str, Phrases] | None = None,
        per_minute: int = 0,
        watch: Watch = Nobody(),  # noqa: B008 - has no state
    ) -> None:
        """`glossary` is asked once per request, so that it may be reloaded, and be another one per tenant.

        `platform_phrases`: instead of `phrases`, on platforms where commands are called otherwise. `per_minute`:
        requests of one person that are answered; 0: all.
        """
        self._glossary = glossary
        self._phrases = phrases
        self._platform_phrases = platform_phrases or {}
        self._store = store
        self._keep_misses = keep_misses
        self._watch = watch
        self._bounded = Bounded(store, watch.store_failed)
        self._flood = Flood(per_minute)
        self._memo = Memo()
        self._completions = Completions()
        self._indexes = Indexes()
        self.warm, self.prepare = self._indexes.warm, self._indexes.prepare
        claims = Claims(store.handled, self._bounded)
        self.claim, self.replied, self.reply_to = claims.claim, claims.replied, claims.reply_to
        listener = Listener(glossary, self._phrases_for, store, self._bounded, self._indexes, limits, watch)
        self.may_notice, self.notice = listener.may_notice, listener.notice
        self.posted, self.not_posted = listener.posted, listener.not_posted
        self.edited, self.deleted = listener.edited, listener.deleted
        self.recent = RecentAnswers()
        """Of this process only: to answer once too often is no harm."""

    async def answer(self, request: Request, *, recent: Sequence[Message] = ()) -> Answer:
        """The answer to a request. Never raises: what goes wrong becomes a polite line with a reference number.

        `recent`: the last messages of the channel, where the platform lets the bot read them; only for a preview.
        """
        return await self._watched(request, lambda: self._answer(request, recent))

    async def explain(self, request: Request, messages: Sequence[Message], *, of: str, total: int) -> Answer:
        """A digest of messages, oldest first; `of` and `total` as in `explain_messages`. Never raises."""

        async def digest() -> Answer:
            remembered = await self._remembered(request)
            situation = self._situation(request, *remembered, self._glossary(request.place))
            return await self._carry_out(explain_messages(situation, messages, of=of, total=total), request)

        return await self._watched(request, digest)

    async def _watched(self, request: Request, work: Callable[[], Awaitable[Answer]]) -> Answer:
        started, reference = time.perf_counter(), f"{random.getrandbits(16):04X}"
        try:
            verdict = self._flood.judge(request.person, _now(request))
            answer = await work() if verdict == "in" else busy(self._from_memory(request), again=verdict == "over")
        except Exception as error:
            answer = self._failed(request, error, reference)
        self._watch.answered(request, answer, time.perf_counter() - started, reference)
        return answer

    def needs(self, request: Request) -> Literal["thread"] | int | None:
        """Which messages to hand to `explain`, instead of asking `answer`: those of the request's thread, or so many.

        None: `answer` is right. At most `MAX_READ` are of use; the last ones.
        """
        return needed(request)

    def complete(
        self, prefix: str, place: Place, *, limit: int = 25, language: Language | None = None
    ) -> tuple[Suggestion, ...]:
        """Labels for what somebody has typed so far: one per concept, the likeliest first.

        `language`: the reader's, as far as the platform knows it.
        """
        return self._completions.complete(prefix, self._glossary(place), limit, language)

    def topics(self, place: Place) -> tuple[Topic, ...]:
        """The topics that hold any concept, in their order: what a platform may offer to choose from."""
        glossary = self._glossary(place)
        return tuple(topic for topic in glossary.topics.values() if glossary.in_topic(topic.id))

    async def close(self) -> None:
        """Waits for what is still being written, which takes `WRITE_SECONDS` at most."""
        await self._bounded.close()

    def _phrases_for(self, place: Place) -> Phrases:
        return self._platform_phrases.get(place.platform, self._phrases)

    # -- Requests -------------------------------------------------------------------------------------------------

    async def _answer(self, request: Request, recent: Sequence[Message]) -> Answer:
        longest = MAX_MESSAGE if request.action == "explain" else MAX_TEXT
        if len(request.text) > longest:
            request = replace(request, text=request.text[:longest])
        if request.on and request.press is not None and request.action == "define":
            self._bounded.behind(self._opened(request))  # what the definition says doesn't depend on the note
        glossary = self._glossary(request.place)
        at_hand = self._store.at_hand(request.person, request.place) if not self._indexes.pending else None
        profile, channel, reachable = (*at_hand, True) if at_hand is not None else await self._remembered(request)
        known = self._memo.find(request, profile, channel, glossary)
        if known is not None:
            return known.answer  # one person's own: nothing to save, nothing that others have seen
        situation = self._situation(request, profile, channel, reachable, glossary)
        if request.action in ("autoexplain", "note-channel"):
            situation = await self._with_figures(situation, recent)
        elif request.action == "auto-off-all":
            situation = await self._with_listed(situation)
        elif request.on and request.press is not None and request.action in OF_NOTES:
            situation = await self._with_note(situation)
        return await self._carry_out(self._memo.run(situation), request)

    async def _remembered(self, request: Request) -> tuple[Profile, Channel, bool]:
        if self._indexes.pending:
            await self._indexes.ready()
        return await self._bounded.remembered(request.person, request.place)

    def _situation(
        self, request: Request, profile: Profile, channel: Channel, reachable: bool, glossary: Glossary
    ) -> Situation:
        return Situation(
            request=request,
            profile=profile,
            channel=channel,
            glossary=glossary,
            phrases=self._phrases_for(request.place),
            keep_misses=self._keep_misses,
            reachable=reachable,
            detector=lambda: self._indexes.detector(glossary),
        )

    async def _with_figures(self, situation: Situation, recent: Sequence[Message]) -> Situation:
        request = situation.request
        figures = await self._bounded.quietly(self._store.notes.figures(request.place, _now(request)))
        many = await self._bounded.quietly(self._store.notes.many_know(request.place)) or ()
        seen = preview(recent, situation.detector(), situation.glossary) if recent else None
        situation = replace(situation, figures=figures, many_know=many, preview=seen)
        return await self._with_listed(situation) if request.channel_names else situation

    async def _with_listed(self, situation: Situation) -> Situation:
        place = situation.request.place
        listed = await self._bounded.quietly(self._store.channels.listed(place.platform, place.tenant))
        return replace(situation, listed=listed or ())

    async def _with_note(self, situation: Situation) -> Situation:
        """The note that a button stands on; pressing "wrong meaning" is a vote, whatever comes of it."""
        request = situation.request
        note = await self._bounded.quietly(self._store.notes.find(request.place, reply=request.on))
        votes = 0
        if note is not None and request.action == "note-wrong" and request.press is not None:
            concepts = [c.id for code in request.press.codes if (c := situation.glossary.by_code(code))]
            voter = short_hash(request.person)
            for concept in concepts:
                mark = self._store.notes.mark_wrong(request.place, note.message, concept, voter, _now(request))
                votes = max(votes, await self._bounded.quietly(mark) or 0)
        elif note is not None:
            self._bounded.behind(self._counted(note, request))
        return replace(situation, note=note, votes=votes)

    async def _opened(self, request: Request) -> None:
        """A concept's button was pressed, maybe under a note."""
        note = await self._store.notes.find(request.place, reply=request.on)
        if note is not None:
            await self._counted(note, request)

    async def _counted(self, note: Note, request: Request) -> None:
        await remember(CountOpened(note.message), request, self._store, _now(request))

    async def _carry_out(self, reply: Reply, request: Request) -> Answer:
        """Settings are saved before the answer says so; counts are written behind it."""
        now = _now(request)
        if not await self._bounded.save(reply.changes, request, now):
            return reply.unsaved or reply.answer
        if _all_see(reply.answer, request) and reply.answer.kind in ("definition", "comparison", "explanation"):
            self._bounded.behind(self._store.notes.saw(request.place, reply.answer.concepts, now))
        return reply.answer

    def _failed(self, request: Request, error: Exception, reference: str) -> Answer:
        # The message of an exception may quote what somebody typed, so only its type and place are logged.
        _log.error("ref %s: %s while answering %s\n%s", reference, type(error).__name__, request.action, _frames(error))
        return failed(self._from_memory(request), reference)

    def _from_memory(self, request: Request) -> Situation:
        """As if nothing were known about anybody: for answers that ask nothing and nobody."""
        return Situation(request, Profile(), Channel(), Glossary(()), self._phrases_for(request.place))


def fixed(glossary: Glossary) -> Callable[[Place], Glossary]:
    """One glossary for every place."""
    return lambda place: glossary


def _all_see(answer: Answer, request: Request) -> bool:
    """In public, or in place of a question that stands there: pressed by somebody else, it had been private."""
    return answer.where == "public" or (answer.where == "replace" and request.public)


def _now(request: Request) -> datetime:
    return request.now or datetime.now(UTC)


def _frames(error: Exception) -> str:
    return "".join(traceback.format_tb(error.__traceback__))
