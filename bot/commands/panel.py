"""`jargonaut`: one private page of what somebody may set for themselves, see of what is kept, and delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bot.answer import Answer, Block, Button, Field, Heading, Item, Menu, Note, Paragraph
from bot.changes import Change, Forget, SetMuted, Unknow
from bot.commands.answering import answer, aside, panel_button, pressed_concepts, voice_of
from bot.commands.helping import help_
from bot.commands.mention import mention
from bot.commands.situation import Reply, Situation
from bot.glossary.folding import fold
from bot.glossary.resolver import trim
from bot.state.ports import Profile
from bot.wording import label, title

_PAGE: Final = 8


def jargonaut(s: Situation) -> Reply:
    """The panel, or one of its words as the whole line; any other text as if the bot had been mentioned."""
    page = _PAGES.get(fold(trim(s.request.text)))
    if page is help_:
        return help_(s)
    if page is not None:
        s = s.whispered()
        return aside(s, page(s), panel_button(s))
    return mention(replace(s, request=replace(s.request, by="mention")))


def panel(s: Situation) -> Reply:
    """One private page: language, what I know, notes under my messages, my data, help."""
    s = s.whispered()
    voice = voice_of(s)
    notes = "off" if s.profile.muted else "on"
    blocks: list[Block] = [
        Heading(s.say("panel.title")),
        Field(s.say("panel.language"), s.say(f"language.{s.profile.language or 'auto'}")),
        Field(s.say("panel.known"), s.say("terms", count=len(s.profile.known))),
        Field(s.say("panel.notes"), s.say(f"panel.notes.{notes}")),
    ]
    buttons: list[Button | Menu] = [
        Button(s.say("panel.language"), voice.press("lang")),
        Button(s.say("panel.known"), voice.press("known")),
        Button(
            s.say("panel.turn_on" if s.profile.muted else "panel.turn_off"),
            voice.press("unmute" if s.profile.muted else "mute"),
        ),
        Button(s.say("panel.data"), voice.press("privacy")),
        Button(s.say("panel.help"), voice.press("help")),
    ]
    return Reply(answer(s, "setting", blocks, buttons))


def known(s: Situation) -> Reply:
    """What the person knows, in pages, each with a button to be told about it again."""
    page = s.request.press.page if s.request.press else 0
    return _known(s, sorted(i for i in s.profile.known if i in s.glossary.concepts), page)


def _known(s: Situation, ids: Sequence[str], page: int) -> Reply:
    voice = voice_of(s)
    if not ids:
        return Reply(answer(s, "setting", [Paragraph(s.say("known.none"))], [panel_button(s)]))
    page = min(page, (len(ids) - 1) // _PAGE)
    blocks: list[Block] = [Heading(s.say("panel.known"), s.say("terms", count=len(ids)))]
    blocks += [
        Item(title(s.glossary.concepts[i], voice), "", Button(s.say("unknow"), voice.press("unknow", (i,), page=page)))
        for i in ids[page * _PAGE : (page + 1) * _PAGE]
    ]
    buttons: list[Button | Menu] = []
    if page:
        buttons.append(Button(s.say("previous"), voice.press("known", page=page - 1)))
    if len(ids) > (page + 1) * _PAGE:
        buttons.append(Button(s.say("next"), voice.press("known", page=page + 1)))
    return Reply(answer(s, "setting", blocks, [*buttons, panel_button(s)], concepts=tuple(ids)))


def unknow(s: Situation) -> Reply:
    """ "Explain again", beside a known concept."""
    ids = pressed_concepts(s)
    rest = sorted(i for i in s.profile.known if i in s.glossary.concepts and i not in ids)
    voice = voice_of(s)
    names = voice.comma.join(label(s.glossary.concepts[i], voice.main) for i in ids)
    reply = _known(s, rest, s.request.press.page if s.request.press else 0)
    blocks = (Note(s.say("unknown_again", labels=names)), *reply.answer.blocks) if ids else reply.answer.blocks
    return Reply(replace(reply.answer, blocks=blocks), (Unknow(tuple(ids)),), _not_saved(s))


def mute(s: Situation) -> Reply:
    return _saved(s, "muted", SetMuted(True), Button(s.say("undo"), voice_of(s).press("unmute")))


def unmute(s: Situation) -> Reply:
    return _saved(s, "unmuted", SetMuted(False), Button(s.say("undo"), voice_of(s).press("mute")))


def privacy(s: Situation) -> Reply:
    """What is kept about the person, and the way to delete it."""
    voice = voice_of(s)
    blocks: list[Block] = [
        Heading(s.say("panel.data")),
        Paragraph(s.say("privacy.kept")),
        Paragraph(s.say("privacy.not_kept")),
    ]
    if s.keep_misses:
        blocks.append(Paragraph(s.say("privacy.misses")))
    buttons: list[Button | Menu] = [Button(s.say("privacy.delete"), voice.press("forget")), panel_button(s)]
    return Reply(answer(s, "setting", blocks, buttons))


def forget(s: Situation) -> Reply:
    """Asks once more before everything is deleted."""
    voice = voice_of(s)
    buttons = [Button(s.say("forget.yes"), voice.press("forget-yes")), Button(s.say("forget.no"), voice.press("panel"))]
    return Reply(answer(s, "setting", [Paragraph(s.say("forget.sure"))], buttons))


def forget_yes(s: Situation) -> Reply:
    after = replace(s, profile=Profile())
    done = answer(after, "setting", [Paragraph(after.say("forget.done"))], [panel_button(after)])
    return Reply(done, (Forget(),), _not_saved(s))


def _saved(s: Situation, key: str, change: Change, *buttons: Button) -> Reply:
    return Reply(answer(s, "setting", [Paragraph(s.say(key))], [*buttons, panel_button(s)]), (change,), _not_saved(s))


def _not_saved(s: Situation) -> Answer:
    return answer(s, "setting", [Paragraph(s.say("store_away"))], [panel_button(s)])


_PAGES: Final[dict[str, Callable[[Situation], Reply]]] = {
    "": panel,
    **dict.fromkeys(("settings", "设置", "设定"), panel),
    **dict.fromkeys(("known", "已懂"), known),
    **dict.fromkeys(("mute", "静音"), mute),
    **dict.fromkeys(("unmute", "取消静音"), unmute),
    **dict.fromkeys(("privacy", "隐私", "我的数据"), privacy),
    **dict.fromkeys(("forget", "忘记我", "删除我的数据"), forget),
    **dict.fromkeys(("help", "帮助"), help_),
}
"""What may stand alone after `jargonaut`, folded; with any further word the line is a text."""
