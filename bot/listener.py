"""Messages that aren't said to the bot: the notes that some of them deserve, and what becomes of these."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.answer import Answer, Mentioned, Update, silence
from bot.commands.notes import worded
from bot.glossary.detector import Mention
from bot.glossary.folding import fold, has_han
from bot.glossary.glossary import Glossary
from bot.indexes import Indexes
from bot.manners import Silence, candidates, silent
from bot.phrases import Phrases
from bot.request import Message, Person, Place, short_hash
from bot.state.bounded import Bounded
from bot.state.ports import Channel, Limits, Note, Store
from bot.watching import Watch
from bot.wording import Voice

_log: Final = logging.getLogger(__name__)

_SILENCE: Final = silence()

MAX_MESSAGE: Final = 40_000
"""Characters of a message, or of a text to explain, that are looked at: what Slack takes at most."""

PRUNE_EVERY: Final = timedelta(hours=1)

MAX_AT_ONCE: Final = 100
"""Messages that are looked at for notes at the same time; in a flood the rest gets none, and commands don't wait."""


class Listener:
    """One per `Bot`, which offers all of this."""

    def __init__(
        self,
        glossary: Callable[[Place], Glossary],
        phrases: Callable[[Place], Phrases],
        store: Store,
        bounded: Bounded,
        indexes: Indexes,
        limits: Limits,
        watch: Watch,
    ) -> None:
        self._glossary = glossary
        self._phrases_for = phrases
        self._store = store
        self._bounded = bounded
        self._indexes = indexes
        self._limits = limits
        self._watch = watch
        self._noticing = 0
        self._pruned = datetime.min.replace(tzinfo=UTC)

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
        detector = self._indexes.made(self._glossary(place))
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
        mentioned = {
            mention.concept for mention in self._indexes.detector(glossary).mentions(message.text[:MAX_MESSAGE])
        }
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

    async def _notice(self, message: Message, now: datetime) -> Answer:
        if self._indexes.pending:
            await self._indexes.ready()
        profile, channel, reachable = await self._bounded.remembered(message.author, message.place)
        why = silent(message, channel, profile, now) if reachable else Silence.STORE_AWAY
        if why is not None:
            return _SILENCE
        glossary = self._glossary(message.place)
        found = self._indexes.detector(glossary).mentions(message.text[:MAX_MESSAGE])
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


def _frames(error: Exception) -> str:
    return "".join(traceback.format_tb(error.__traceback__))
