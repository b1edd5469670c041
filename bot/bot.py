"""The only way in: `Bot` reads what is remembered, lets a pure function decide, and remembers what that says."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from bot.answer import Answer, Mentioned, Update, silence
from bot.changes import CountOpened
from bot.commands import Reply, Situation
from bot.commands.apologies import busy, failed
from bot.commands.explain import explain_messages, needed
from bot.commands.notes import worded
from bot.completion import Suggestion
from bot.flood import Flood
from bot.glossary.concept import Language, Topic
from bot.glossary.detector import Detector, Mention
from bot.glossary.folding import fold, has_han
from bot.glossary.glossary import Glossary
from bot.manners import Silence, candidates, preview, silent
from bot.memo import Completions, Memo
from bot.phrases import Phrases
from bot.recent import RecentAnswers
from bot.request import Message, Person, Place, Request, short_hash
from bot.state.bounded import Bounded
from bot.state.ports import Channel, Limits, Note, Profile, Store
from bot.state.remembering import remember
from bot.watching import Nobody, Watch
from bot.wording import Voice

_log: Final = logging.getLogger(__name__)

_SILENCE: Final = silence()

MAX_TEXT: Final = 1_000
"""Characters of a request that are looked at. Nothing that long is a question; it's answered with a hint."""

MAX_MESSAGE: Final = 40_000
"""Characters of a message, or of a text to explain, that are looked at: what Slack takes at most."""

OF_NOTES: Final = frozenset({"know", "note", "note-wrong", "note-mute", "note-remove", "note-more"})
"""Buttons that a note has, besides those of its concepts."""

MAX_READ: Final = 500
"""Messages of a thread or a channel that a digest reads."""

PRUNE_EVERY: Final = timedelta(hours=1)

REMEMBERED_CLAIMS: Final = 10_000
"""Messages that a process remembers to have answered, for when the store is away."""

WARM_SECONDS: Final = 1.0

GLOSSARIES: Final = 2
"""Whose detectors are kept: of the one in use, and of the next one or of the last one, while they change places."""

MAX_AT_ONCE: Final = 100
"""Messages that are looked at for notes at the same time; in a flood the rest gets none, and commands don't wait."""


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
        self._limits = limits
        self._watch = watch
        self._bounded = Bounded(store, watch.store_failed)
        self._flood = Flood(per_minute)
        self._memo = Memo()
        self._completions = Completions()
        self._noticing = 0
        self._warming: asyncio.Task[None] | None = None
        self._pruned = datetime.min.replace(tzinfo=UTC)
        self._claimed_here: dict[tuple[str, str, str], None] = {}
        self.recent = RecentAnswers()
        """Of this process only: to answer once too often is no harm."""
        self._detectors: dict[Glossary, Detector] = {}

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
        started, reference = time.perf_counter(), secrets.token_hex(2).upper()
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

    async def warm(self, glossary: Glossary) -> None:
        """Makes the indexes that are slow to make, in a thread.

        Requests that come meanwhile wait for it, `WARM_SECONDS` at most, because they'd make them in the loop.
        """
        self._warming = asyncio.create_task(self.prepare(glossary))
        try:
            await self._warming
        finally:
            self._warming = None

    async def prepare(self, glossary: Glossary) -> None:
        """The same for a glossary that nobody gets yet: requests don't wait for it."""

        def make() -> Detector:
            glossary.warm()
            return Detector(glossary)

        self._keep(glossary, await asyncio.to_thread(make))

    async def _warmed(self, warming: asyncio.Task[None]) -> None:
        await asyncio.wait({warming}, timeout=WARM_SECONDS)

    async def close(self) -> None:
        """Waits for what is still being written, which takes `WRITE_SECONDS` at most."""
        await self._bounded.close()

    # -- Messages that aren't said to the bot ---------------------------------------------------------------------

    def may_notice(self, author: Person, place: Place, text: str) -> bool:
        """False where it's known without waiting that this message gets no note: `notice` needn't be asked.

        Most messages are in channels that want none, and most others have no term.
        """
        known = self._store.at_hand(author, place)
        if known is None:
            return True
        mode = known[1].mode
        if mode == "off" or (mode == "threads" and place.thread is None):
            return False
        detector = self._detectors.get(self._glossary(place))
        if detector is None or detector.has_label(text[:MAX_MESSAGE]):
            return True
        self._watch.noticed(place.platform, "silent")
        return False

    async def notice(self, message: Message, now: datetime) -> Answer:
        """The note that a new message deserves, or silence. Never raises: a note that nobody asked for is no loss.

        The note is claimed when it comes back: post it and say so with `posted`, or take it back with `not_posted`.
        """
        if self._noticing >= MAX_AT_ONCE:
            self._watch.noticed(message.place.platform, "dropped")
            return silence()
        self._noticing += 1
        try:
            answer = await self._notice(message, now)
            self._watch.noticed(message.place.platform, "silent" if answer.kind == "silence" else "note")
            return answer
        except Exception as error:
            _log.error("%s while looking at a message\n%s", type(error).__name__, _frames(error))
            self._watch.noticed(message.place.platform, "failed")
            return silence()
        finally:
            self._noticing -= 1

    async def posted(self, message: Message, reply: str) -> None:
        """The note that `notice` gave is the platform's message `reply`."""
        await self._bounded.quietly(self._store.notes.posted(message.place, message.id, reply))

    async def not_posted(self, message: Message) -> None:
        """The note couldn't be posted: nobody saw it, so it doesn't count."""
        await self._bounded.quietly(self._store.notes.withdraw(message.place, message.id))

    async def edited(self, message: Message) -> Update | None:
        """What happens to our note under a message that a person edited; None: nothing. It never makes a new note."""
        note = await self._bounded.quietly(self._store.notes.find(message.place, message=message.id))
        if note is None or note.reply is None:
            return None
        glossary = self._glossary(message.place)
        mentioned = {mention.concept for mention in self._detector(glossary).mentions(message.text[:MAX_MESSAGE])}
        left = [concept for concept, _ in note.terms if concept in mentioned]
        if len(left) == len(note.terms):
            return None
        await self._bounded.quietly(self._store.notes.keep_only(message.place, message.id, left))
        kept = [concept for concept in left if concept in glossary.concepts]
        channel = await self._bounded.quietly(self._store.channels.get(message.place)) or Channel()
        return Update(note.reply, worded(kept, self._voice(message, channel, glossary)) if kept else None)

    async def deleted(self, place: Place, message: str) -> Update | None:
        """What happens to our note under a message that its author deleted; None: there's none."""
        note = await self._bounded.quietly(self._store.notes.find(place, message=message))
        if note is None or note.reply is None:
            return None
        await self._bounded.quietly(self._store.notes.keep_only(place, message, ()))
        return Update(note.reply, None)

    async def claim(self, place: Place, message: str, now: datetime) -> bool:
        """Whether a message that deserves an answer is this replica's to answer; ask before anything slow.

        With the store away a question is answered all the same, and this process doesn't answer it twice.
        """
        key = (place.platform, place.channel, message)
        if key in self._claimed_here:
            return False
        self._claimed_here[key] = None
        while len(self._claimed_here) > REMEMBERED_CLAIMS:
            del self._claimed_here[next(iter(self._claimed_here))]
        return await self._bounded.quietly(self._store.handled.claim(place, message, now)) is not False

    async def replied(self, place: Place, message: str, reply: str) -> None:
        """The answer to `message` is the platform's message `reply`: edits and deletions will ask for it."""
        await self._bounded.quietly(self._store.handled.replied(place, message, reply))

    async def reply_to(self, place: Place, message: str) -> str | None:
        """The id of our answer to a message of the last 24 hours; None: there's none, or the store is away."""
        return await self._bounded.quietly(self._store.handled.reply_to(place, message))

    async def _notice(self, message: Message, now: datetime) -> Answer:
        if self._warming is not None:
            await self._warmed(self._warming)
        profile, channel, reachable = await self._bounded.remembered(message.author, message.place)
        why = silent(message, channel, profile, now) if reachable else Silence.STORE_AWAY
        if why is not None:
            return _SILENCE
        glossary = self._glossary(message.place)
        found = self._detector(glossary).mentions(message.text[:MAX_MESSAGE])
        mentions = tuple(Mentioned(m.concept, m.text, m.start, m.end) for m in found if m.explain)
        chosen = candidates(found, channel, profile, glossary)
        if chosen.spelt_out:
            self._bounded.behind(self._store.notes.saw(message.place, chosen.spelt_out, now))
        self._prune_sometimes(now)
        note = await self._claimed(message, chosen.mentions, now) if chosen.mentions else None
        if note is None:
            return replace(_SILENCE, mentions=mentions) if mentions else _SILENCE
        concepts = [concept for concept, _ in note.terms]
        return replace(worded(concepts, self._voice(message, channel, glossary)), mentions=mentions)

    async def _claimed(self, message: Message, mentions: Sequence[Mention], now: datetime) -> Note | None:
        terms = tuple((mention.concept, fold(mention.label.text)) for mention in mentions)
        note = Note(message.id, short_hash(message.author), terms)
        place = replace(message.place, thread=message.place.thread or message.opens)
        return await self._bounded.quietly(self._store.notes.claim(place, note, self._limits, now))

    def _prune_sometimes(self, now: datetime) -> None:
        """What has ended is deleted now and then, behind a message that caused a write anyway."""
        if now - self._pruned >= PRUNE_EVERY:
            self._pruned = now
            self._bounded.behind(self._store.notes.prune(now))
            self._bounded.behind(self._store.handled.prune(now))

    def _voice(self, message: Message, channel: Channel, glossary: Glossary) -> Voice:
        """A note speaks the channel's language, else the message's."""
        shown = channel.language or ("zh-Hans" if has_han(message.text) else "en")
        chrome = ("zh-Hans" if has_han(message.text) else "en") if shown == "both" else shown
        return Voice(glossary, self._phrases_for(message.place), shown, chrome)

    def _phrases_for(self, place: Place) -> Phrases:
        return self._platform_phrases.get(place.platform, self._phrases)

    def _detector(self, glossary: Glossary) -> Detector:
        detector = self._detectors.get(glossary)
        if detector is None:
            detector = Detector(glossary)
            self._keep(glossary, detector)
        return detector

    def _keep(self, glossary: Glossary, detector: Detector) -> None:
        self._detectors[glossary] = detector
        while len(self._detectors) > GLOSSARIES:
            del self._detectors[next(iter(self._detectors))]

    # -- Requests -------------------------------------------------------------------------------------------------

    async def _answer(self, request: Request, recent: Sequence[Message]) -> Answer:
        longest = MAX_MESSAGE if request.action == "explain" else MAX_TEXT
        if len(request.text) > longest:
            request = replace(request, text=request.text[:longest])
        if request.on and request.press is not None and request.action == "define":
            self._bounded.behind(self._opened(request))  # what the definition says doesn't depend on the note
        profile, channel, reachable = await self._remembered(request)
        glossary = self._glossary(request.place)
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
        if self._warming is not None:
            await self._warmed(self._warming)
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
            detector=lambda: self._detector(glossary),
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
