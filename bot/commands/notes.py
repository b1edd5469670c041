"""The buttons of an unasked note: another language, wrong meaning, remove, and the way to the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.answer import Answer, Paragraph, Shown, Update
from bot.changes import Change, KeepOnly, SettleWrong
from bot.commands.answering import answer, gone, pressed_concepts, voice_of
from bot.commands.autoexplain import autoexplain
from bot.commands.panel import mute
from bot.commands.showing import switched
from bot.commands.situation import Reply, Situation
from bot.glossary.concept import Language
from bot.note_wording import SPOKEN, more, note
from bot.request import short_hash
from bot.state.ports import Note
from bot.wording import Voice, item, label

VOTES: int = 2
"""So many readers decide that a term is meant in another sense; the author of the message does it alone."""


def note_language(s: Situation) -> Reply:
    """The language button of a note: a private copy of it."""
    ids = pressed_concepts(s)
    if not ids:
        return gone(s)
    voice = voice_of(s)
    blocks = [item(s.glossary.concepts[concept], voice) for concept in ids]
    return switched(s, "list", list(blocks), [], concepts=tuple(ids))


def note_wrong(s: Situation) -> Reply:
    """A term is meant in another sense here: the note loses it, and the label stays silent in this thread."""
    ids = pressed_concepts(s)
    label = next((text for concept, text in s.note.terms if concept in ids), None) if s.note else None
    if s.note is None or label is None:
        return _no_note(s)
    if not _is_author(s, s.note) and s.votes < VOTES:
        return Reply(answer(s, "setting", [Paragraph(s.say("note.voted"))]))
    left = tuple(concept for concept, _ in s.note.terms if concept not in ids)
    changes: tuple[Change, ...] = (SettleWrong(ids[0], label), KeepOnly(s.note.message, left))
    said = answer(s, "setting", [Paragraph(s.say("note.silenced"))])
    return Reply(replace(said, update=_updated(s, s.note, left)), changes, _unsaved(s))


def note_remove(s: Situation) -> Reply:
    """The note goes: for the author of the message and for those who may delete messages here."""
    if s.note is None:
        return _no_note(s)
    if not (_is_author(s, s.note) or s.request.may_remove):
        return Reply(answer(s, "setting", [Paragraph(s.say("note.not_yours"))]))
    said = answer(s, "setting", [Paragraph(s.say("note.removed"))])
    return Reply(replace(said, update=_updated(s, s.note, ())), (KeepOnly(s.note.message, ()),), _unsaved(s))


def note_mute(s: Situation) -> Reply:
    """No notes under the presser's own messages; somebody else's are not theirs to mute."""
    return mute(s)


def note_more(s: Situation) -> Reply:
    """The options of a note as a private page, where the platform has no overflow menu."""
    ids = pressed_concepts(s)
    press = s.request.press
    if not ids or press is None:
        return gone(s)
    voice = voice_of(s)
    names = voice.comma.join(label(s.glossary.concepts[concept], voice.main) for concept in ids)
    options = more(ids, voice, press.page).options
    return Reply(answer(s, "list", [Paragraph(s.say("note.about", labels=names))], options, concepts=tuple(ids)))


def note_channel(s: Situation) -> Reply:
    return autoexplain(s)


def worded(concepts: Sequence[str], voice: Voice) -> Answer:
    """A note about these concepts."""
    blocks, buttons = note([voice.glossary.concepts[concept] for concept in concepts], voice)
    return Answer(
        "explanation", voice.shown, "public", tuple(blocks), tuple(buttons), tuple(concepts), chrome=voice.chrome
    )


def _updated(s: Situation, row: Note, left: Sequence[str]) -> Update | None:
    if row.reply is None:
        return None
    kept = [concept for concept in left if concept in s.glossary.concepts]
    return Update(row.reply, worded(kept, Voice(s.glossary, s.phrases, *_spoken(s))) if kept else None)


def _spoken(s: Situation) -> tuple[Shown, Language]:
    """How the note speaks: it goes on so, whoever presses."""
    press = s.request.press
    return SPOKEN[press.page - 1] if press and 0 < press.page <= len(SPOKEN) else (s.chrome, s.chrome)


def _is_author(s: Situation, row: Note) -> bool:
    return row.author == short_hash(s.request.person)


def _no_note(s: Situation) -> Reply:
    """It's gone, or the store doesn't say."""
    return Reply(answer(s, "setting", [Paragraph(s.say("note.gone"))]) if s.reachable else _unsaved(s))


def _unsaved(s: Situation) -> Answer:
    return answer(s, "setting", [Paragraph(s.say("store_away"))])
