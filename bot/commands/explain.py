"""`explain`: the terms in a text, or in what was said, for whoever asks. Private, in order of first use, no budgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from bot.answer import Block, Button, Menu, Note, Paragraph
from bot.changes import Change, Know, KnownHere, Unknow
from bot.commands.answering import OPENED_FROM, answer, deletable, error, gone, pressed_concepts, voice_of
from bot.commands.autoexplain import autoexplain
from bot.commands.showing import switched
from bot.commands.situation import Reply, Situation
from bot.commands.typed import read_mention
from bot.glossary.folding import fold
from bot.glossary.resolver import trim
from bot.note_wording import DIGEST_PAGE, Used, digest
from bot.request import MAX_CODES, Message, Request
from bot.wording import label, language_buttons

MAX_PUBLIC: Final = 5
"""Concepts of an explanation that others see."""

MAX_TERMS: Final = MAX_CODES - 1
"""Terms that a digest's own buttons carry: a definition opened from it has a code of its own before theirs."""

_KNOWN: Final = "digest-known"


def needed(request: Request) -> Literal["thread"] | int | None:
    """Which messages the request is about: its thread's, the last so many of the channel; None: it brings a text."""
    if request.press is not None:
        kind, _, of = request.press.action.partition("-")
        if kind != "digest" or not of:
            return None
        return "thread" if of == "thr" else int(of) if of.isdecimal() else None  # "known" carries its terms
    text = request.text
    if request.action == "mention" and (typed := read_mention(text)) and typed.command:
        named, text = typed.command.name, typed.argument
    else:
        named = request.action
    if named != "explain" or fold(trim(text)):
        return None
    return "thread" if request.place.thread is not None and request.last is None else request.last


def explain(s: Situation) -> Reply:
    """`explain TEXT`; alone: usage. `explain auto off` and the like are settings, if they are the whole line."""
    text = s.request.text
    words = fold(trim(text)).split() if s.request.by != "shortcut" else []  # else it's a message, whatever it says
    if words[:1] == ["auto"] and len(words) <= 2 and s.request.press is None:
        return autoexplain(s.with_text(" ".join(words[1:])))
    if not words and s.request.by != "shortcut":
        return error(s, "usage", "usage.explain")
    mentions = s.detector().mentions(text, everyday=True)
    used = [Used(s.glossary.concepts[concept]) for concept in dict.fromkeys(m.concept for m in mentions)]
    s = s.whispered()
    reply = _digest(s, used, s.say("digest.text"))
    return _with_thread(s, reply) if s.request.by == "shortcut" else reply


def _with_thread(s: Situation, reply: Reply) -> Reply:
    """With the way to a digest of the whole thread, where the message or the text stands in one."""
    if s.request.place.thread is None:
        return reply
    whole = Button(s.say("digest.whole", thread=s.thread), voice_of(s).press("digest-thr"))
    return replace(reply, answer=replace(reply.answer, buttons=(*reply.answer.buttons, whole)))


def explain_messages(s: Situation, messages: Sequence[Message], *, of: str, total: int) -> Reply:
    """A digest of messages, oldest first. `of` names them in its buttons: "thr" for a thread, else how many.

    `total` is how many messages there are; where that's more than were read, the answer says so.
    """
    s = s.whispered()
    used: dict[str, Used] = {}
    for message in messages:
        for mention in s.detector().mentions(message.text, everyday=True):
            used.setdefault(mention.concept, Used(s.glossary.concepts[mention.concept], message.link))
    title = s.say("digest.thread", thread=s.thread) if of == "thr" else s.say("digest.channel")
    note = s.say("digest.read", read=len(messages), total=total) if total > len(messages) else ""
    note = note or s.say("digest.messages", count=len(messages))
    reply = _digest(s, list(used.values()), title, action=f"digest-{of}", note=note)
    return replace(reply, answer=deletable(s, reply.answer))


def again(s: Situation) -> Reply:
    """Another page or language of a digest whose terms stand in the codes."""
    return _pressed(s, "digest")


def show_known(s: Situation) -> Reply:
    """ "Show the 2 I know": they stand in the codes."""
    return _pressed(s, _KNOWN)


def _pressed(s: Situation, action: str) -> Reply:
    ids = pressed_concepts(s)
    if not ids:
        return gone(s)
    used = [Used(s.glossary.concepts[concept]) for concept in ids]
    return _with_thread(s, _digest(s, used, s.say("digest.text"), action=action))


def _digest(s: Situation, used: Sequence[Used], title: str, *, action: str = "digest", note: str = "") -> Reply:
    """`action` of the buttons that lead to another page or language; those of "digest" carry the terms."""
    voice = voice_of(s)
    page = s.request.press.page if s.request.press else 0
    known = [entry for entry in used if entry.concept.id in s.profile.known and s.private and action != _KNOWN]
    shown = [entry for entry in used if entry not in known]
    on_screen = shown if s.private else shown[:MAX_PUBLIC]
    buttons: list[Button | Menu] = []
    ids = [entry.concept.id for entry in on_screen]
    codes = [entry.concept.id for entry in used][:MAX_TERMS] if action in ("digest", _KNOWN) else []

    def press(concept: str) -> str:
        return voice.press(action.replace(*OPENED_FROM), (concept, *codes), page=page)

    blocks = digest(on_screen, voice, title=title, known=len(known), page=page, press=press if s.private else None)
    if len(on_screen) < len(shown):
        blocks.append(Note(s.say("digest.rest")))
    elif action == "digest" and len(used) > MAX_TERMS:
        blocks.append(Note(s.say("digest.more", shown=MAX_TERMS, count=len(used))))
    if note:
        blocks.append(Note(note))
    if s.private:
        buttons += _buttons(s, ids, [entry.concept.id for entry in known], codes, action)
    return switched(s, "explanation", blocks, buttons, concepts=tuple(ids))


def _buttons(
    s: Situation, shown: Sequence[str], known: Sequence[str], codes: Sequence[str], action: str
) -> list[Button | Menu]:
    voice = voice_of(s)
    page = s.request.press.page if s.request.press else 0
    reachable = min(len(shown), MAX_TERMS) if codes else len(shown)
    buttons: list[Button | Menu] = []
    if known:
        buttons.append(Button(s.say("digest.show_known", count=len(known)), voice.press(_KNOWN, known)))
    if shown and action != _KNOWN:
        buttons.append(Button(s.say("digest.know"), voice.press("know", shown)))
    if shown or known:
        buttons += language_buttons(voice, action, codes, page=page)
    if page:
        buttons.append(Button(s.say("previous"), voice.press(action, codes, page=page - 1)))
    if reachable > (page + 1) * DIGEST_PAGE:
        buttons.append(Button(s.say("next"), voice.press(action, codes, page=page + 1)))
    return buttons


def know(s: Situation) -> Reply:
    """ "I know these": nothing is hidden from anybody, and the answer says exactly what changes."""
    return _knowledge(s, "known.saved", "unknow-all", Know)


def unknow_all(s: Situation) -> Reply:
    return _knowledge(s, "known.undone", "know", Unknow)


def _knowledge(s: Situation, key: str, undo: str, change: type[Know] | type[Unknow]) -> Reply:
    ids = tuple(pressed_concepts(s))
    if not ids:
        return gone(s)
    voice = voice_of(s)
    names = voice.comma.join(label(s.glossary.concepts[concept], voice.main) for concept in ids)
    blocks: list[Block] = [Paragraph(s.say(key, labels=names))]
    buttons = [Button(s.say("undo"), voice.press(undo, ids))]
    unsaved = answer(s, "setting", [Paragraph(s.say("store_away"))])
    changes: tuple[Change, ...] = (change(ids),)
    if change is Unknow or s.note is not None:  # what is known of a note counts for its channel, too
        changes = (*changes, KnownHere(ids, change is Know))
    return Reply(answer(s, "setting", blocks, buttons, concepts=ids), changes, unsaved)
