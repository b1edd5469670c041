"""The commands: one pure, synchronous function each, (situation) -> Reply(answer, changes). Which is which: `run`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.commands.answering import OPENED_FROM, deletable
from bot.commands.autoexplain import (
    auto_all,
    auto_auto,
    auto_both,
    auto_en,
    auto_everywhere,
    auto_lang,
    auto_level,
    auto_never,
    auto_no,
    auto_off,
    auto_release,
    auto_threads,
    auto_zh,
    autoexplain,
)
from bot.commands.browse import glossary, random, search, topic
from bot.commands.compare import pick, vs
from bot.commands.define import choose, define, not_meant
from bot.commands.explain import again, explain, know, show_known, unknow_all
from bot.commands.helping import help_, unknown_command
from bot.commands.home import home
from bot.commands.language import lang, lang_auto, lang_both
from bot.commands.listening import unreadable, welcome
from bot.commands.mention import mention, message
from bot.commands.notes import note_channel, note_language, note_more, note_mute, note_remove, note_wrong
from bot.commands.panel import forget, forget_yes, jargonaut, known, mute, panel, privacy, unknow, unmute
from bot.commands.replies import asked_before, delete
from bot.commands.share import share
from bot.commands.situation import Reply, Situation
from bot.glossary.folding import fold
from bot.glossary.resolver import trim

__all__ = ["ACTIONS", "Reply", "Situation", "run"]

ACTIONS: Final[dict[str, Callable[[Situation], Reply]]] = {
    # typed, and the same as a button
    "define": define,
    "vs": vs,
    "glossary": glossary,
    "lang": lang,
    "explain": explain,
    "autoexplain": autoexplain,
    "jargonaut": jargonaut,
    "help": help_,
    "mention": mention,
    "message": message,
    "unknown-command": unknown_command,
    # what a platform asks for by itself
    "home": home,
    "welcome": welcome,
    "unreadable": unreadable,
    "asked-before": asked_before,
    # buttons only
    "option": define,
    "option-vs": vs,
    "choose": choose,
    "found": define,
    "side": define,
    "not": not_meant,
    "pick": pick,
    "digest": again,
    "digest-known": show_known,
    "dug": define,
    "dug-known": define,
    "know": know,
    "unknow-all": unknow_all,
    "note": note_language,
    "note-wrong": note_wrong,
    "note-more": note_more,
    "note-mute": note_mute,
    "note-remove": note_remove,
    "note-channel": note_channel,
    "auto-no": auto_no,
    "auto-off": auto_off,
    "auto-off-all": auto_everywhere,
    "auto-threads": auto_threads,
    "auto-all": auto_all,
    "auto-lang": auto_lang,
    "auto-en": auto_en,
    "auto-zh": auto_zh,
    "auto-both": auto_both,
    "auto-auto": auto_auto,
    "auto-level": auto_level,
    "auto-release": auto_release,
    "auto-never": auto_never,
    "delete": delete,
    "share": share,
    "share-vs": share,
    "topic": topic,
    "search": search,
    "random": random,
    "lang-both": lang_both,
    "lang-auto": lang_auto,
    "panel": panel,
    "known": known,
    "unknow": unknow,
    "mute": mute,
    "unmute": unmute,
    "privacy": privacy,
    "forget": forget,
    "forget-yes": forget_yes,
}


_GUESSED: Final = frozenset({"mute", "unmute", "known"})
"""Settings of one's own that people look for behind `explain`; only as the whole line."""


def run(s: Situation) -> Reply:
    """Decides the answer. KeyError: an adapter asks for an action that isn't in the table."""
    action = s.request.action
    if action == "explain" and s.request.by != "shortcut" and fold(trim(s.request.text)) in _GUESSED:
        return ACTIONS[fold(trim(s.request.text))](s.with_text("").whispered())
    command = ACTIONS.get(action)
    if s.request.press is not None and command is None:
        # Opened from a digest of messages, whose number is in the name; or a button of a later version.
        command = define if action.partition("-")[0] == OPENED_FROM[1] else unknown_command
    reply = (command or ACTIONS[action])(s)
    return replace(reply, answer=deletable(s, reply.answer))
