"""`autoexplain`: where jargon is explained unasked, in which language, for whom; and what came of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from bot.answer import Answer, Block, Button, Field, Heading, Menu, Note, Paragraph, Post, Shown
from bot.changes import NeverHere, Release, SetChannel, SwitchOff
from bot.commands.answering import answer, aside, error, pressed_concepts, voice_of
from bot.commands.listening import why_unheard
from bot.commands.situation import DEFAULT_LANGUAGE, Reply, Situation
from bot.glossary.concept import Language
from bot.glossary.folding import fold
from bot.glossary.resolver import trim
from bot.state.ports import Channel, Mode
from bot.wording import DOT, label

_MODES: Final[dict[str, Mode]] = {
    **dict.fromkeys(("off", "关", "关闭"), "off"),
    **dict.fromkeys(("threads", "thread", "on", "开", "开启"), "threads"),
    **dict.fromkeys(("all", "everywhere", "全部", "所有"), "all"),
}
_LANGUAGES: Final[dict[str, Shown]] = {
    **dict.fromkeys(("en", "english", "英文"), "en"),
    **dict.fromkeys(("zh", "chinese", "中文"), "zh-Hans"),
    **dict.fromkeys(("both", "双语"), "both"),
}
MAX_NEVER: Final = 15
"""Concepts that the menu "Never here…" offers."""

_ADVANCED: Final = ("advanced", "高级", "进阶")


def autoexplain(s: Situation) -> Reply:
    """Alone: the state. `off|threads|all`, `en|zh|both|auto`, `advanced|everything`: sets it, for all to see."""
    if s.request.direct:
        return error(s, "usage", "auto.direct")
    words = fold(trim(s.request.text)).split()
    if s.request.press is not None or not words:
        s = s.whispered()
        return aside(s, _state(s), Button(s.say("note.channel"), voice_of(s).press("note-channel")))
    channel = s.channel
    for word in words:
        if word in _MODES:
            channel = replace(channel, mode=_MODES[word])
        elif word in _LANGUAGES:
            channel = replace(channel, language=_LANGUAGES[word])
        elif word in ("auto", "自动"):
            channel = replace(channel, language=None)
        elif word in _ADVANCED:
            channel = replace(channel, advanced=True)
        elif word in ("everything", "全部术语"):
            channel = replace(channel, advanced=False)
        else:
            return error(s, "usage", "usage.autoexplain", _mode_buttons(s.whispered()))
    return _set(s, channel)


def auto_off(s: Situation) -> Reply:
    return _set(s, replace(s.channel, mode="off"))


def auto_threads(s: Situation) -> Reply:
    return _set(s, replace(s.channel, mode="threads"))


def auto_all(s: Situation) -> Reply:
    return _set(s, replace(s.channel, mode="all"))


def auto_no(s: Situation) -> Reply:
    """ "No" to the question that whoever invited the bot was asked."""
    return Reply(answer(s, "setting", [Paragraph(s.say("welcome.no"))]))


def auto_everywhere(s: Situation) -> Reply:
    """ "Off everywhere": in all channels of the tenant where notes are on; each is told."""
    if not s.request.may_set:
        return _may_not(s)
    listed = s.listed
    channels = {name: replace(c, mode="off", set_by=s.request.name, set_at=s.request.now) for name, c in listed}
    posts = tuple(Post(name, _announced(s, "off", *_language_of(s, channel))) for name, channel in listed)
    said = answer(s, "setting", [Paragraph(s.say("auto.off_everywhere", count=len(posts)))])
    changes = (SwitchOff(tuple(channels.items())),) if channels else ()
    return Reply(replace(said, elsewhere=posts), changes, _unsaved(s))


def auto_lang(s: Situation) -> Reply:
    """The languages that this channel's notes and public answers may have."""
    voice = voice_of(s)
    languages: dict[str, Shown | None] = {"en": "en", "zh": "zh-Hans", "both": "both", "auto": None}
    buttons = [
        *(
            Button(s.say(f"language.{shown or 'auto'}"), voice.press(f"auto-{short}"))
            for short, shown in languages.items()
            if shown != s.channel.language
        ),
        Button(s.say("back"), voice.press("note-channel")),
    ]
    return Reply(answer(s, "setting", [Paragraph(s.say("auto.language"))], buttons))


def auto_en(s: Situation) -> Reply:
    return _set(s, replace(s.channel, language="en"))


def auto_zh(s: Situation) -> Reply:
    return _set(s, replace(s.channel, language="zh-Hans"))


def auto_both(s: Situation) -> Reply:
    return _set(s, replace(s.channel, language="both"))


def auto_auto(s: Situation) -> Reply:
    """Each note in the language of its message."""
    return _set(s, replace(s.channel, language=None))


def auto_level(s: Situation) -> Reply:
    """The button that turns "specialists' terms only" on or off."""
    return _set(s, replace(s.channel, advanced=not s.channel.advanced))


def auto_release(s: Situation) -> Reply:
    """All labels that rest here may be explained again."""
    if not s.request.may_set:
        return _may_not(s)
    after = replace(s, channel=replace(s.channel, resting=frozenset()))
    saved = _state(after).answer
    return Reply(saved, tuple(Release(text) for text in sorted(s.channel.resting)), _unsaved(s))


def auto_never(s: Situation) -> Reply:
    """ "Never here" for a concept; pressed again, it may be explained here once more."""
    if not s.request.may_set:
        return _may_not(s)
    ids = pressed_concepts(s)
    never = s.channel.never ^ frozenset(ids)
    after = replace(s, channel=replace(s.channel, never=never))
    changes = tuple(NeverHere(concept, concept in never) for concept in ids)
    return Reply(_state(after).answer, changes, _unsaved(s))


def _set(s: Situation, channel: Channel) -> Reply:
    """Saves it, and tells the channel, in its own language: a change of what the bot reads is nobody's secret."""
    if not s.request.may_set:
        return _may_not(s)
    if s.request.hears != "all" and channel.mode != "off":
        s = s.whispered()
        return Reply(answer(s, "error", [Paragraph(why_unheard(s))], error="usage"))
    shown, language = _language_of(s, channel)
    what: Mode | Literal["other"] = channel.mode if channel.mode != s.channel.mode else "other"
    channel = replace(channel, set_by=s.request.name, set_at=s.request.now)
    return Reply(_announced(s, what, shown, language), (SetChannel(channel),), _unsaved(s))


def _announced(s: Situation, what: Mode | Literal["other"], shown: Shown, language: Language) -> Answer:
    threads = s.phrases.say(f"threads.{s.request.place.platform}", language)
    text = s.phrases.say(f"auto.announced.{what}", language, name=s.request.name or "?", threads=threads)
    return Answer("setting", shown, "public", (Paragraph(text),), chrome=language)


def _language_of(s: Situation, channel: Channel) -> tuple[Shown, Language]:
    """What a channel is told something in."""
    own: Language = "zh-Hans" if s.chinese else DEFAULT_LANGUAGE
    shown = channel.language or own
    return shown, own if shown == "both" else shown


def _may_not(s: Situation) -> Reply:
    s = s.whispered()
    return Reply(answer(s, "setting", [Paragraph(s.say("auto.may_not"))]))


def _unsaved(s: Situation) -> Answer:
    s = s.whispered()
    return answer(s, "setting", [Paragraph(s.say("store_away"))])


def _state(s: Situation) -> Reply:
    voice = voice_of(s)
    channel = s.channel
    blocks: list[Block] = [
        Heading(s.say("auto.title")),
        Field(s.say("auto.mode"), s.say(f"auto.mode.{channel.mode}", threads=s.threads)),
        Field(s.say("panel.language"), s.say(f"language.{channel.language or 'auto'}")),
        Field(s.say("auto.level"), s.say("auto.level.advanced" if channel.advanced else "auto.level.all")),
    ]
    if channel.set_at is not None:
        blocks.append(Field(s.say("auto.set_by"), f"{channel.set_by or '–'}{DOT}{channel.set_at:%Y-%m-%d}"))
    if s.figures is not None:
        figures = s.figures
        said = s.say("auto.figures.text", count=figures.notes, opened=figures.opened, wrong=figures.wrong)
        blocks.append(Field(s.say("auto.figures"), said))
    if channel.resting:
        blocks.append(Field(s.say("auto.resting"), voice.comma.join(sorted(channel.resting))))
    if never := [label(s.glossary.concepts[i], voice.main) for i in sorted(channel.never) if i in s.glossary.concepts]:
        blocks.append(Field(s.say("auto.never"), voice.comma.join(never)))
    if many := [label(s.glossary.concepts[i], voice.main) for i in _many(s)]:
        blocks.append(Field(s.say("auto.many"), voice.comma.join(many)))
    if s.preview is not None:
        names = voice.comma.join(label(s.glossary.concepts[i], voice.main) for i in s.preview.concepts)
        key = "auto.preview.some" if names else "auto.preview.none"
        blocks.append(Note(s.say(key, messages=s.preview.messages, count=s.preview.notes, labels=names)))
    if s.request.hears != "all":
        blocks.append(Paragraph(why_unheard(s)))
    on = [name for name, _ in s.listed if name in s.request.channel_names]
    if on:
        names = voice.comma.join(f"#{s.request.channel_names[name]}" for name in on)
        blocks.append(Field(s.say("auto.listed"), names))
    buttons: list[Button | Menu] = []
    if s.request.may_set:
        buttons += [*_mode_buttons(s), Button(s.say("panel.language"), voice.press("auto-lang"))]
        level = "auto.button.all_levels" if channel.advanced else "auto.button.advanced"
        buttons.append(Button(s.say(level), voice.press("auto-level")))
        buttons += _never_menu(s)
        if channel.resting:
            buttons.append(Button(s.say("auto.button.release"), voice.press("auto-release")))
        if len(on) > 1:
            buttons.append(Button(s.say("auto.button.everywhere"), voice.press("auto-off-all")))
    return Reply(answer(s, "setting", blocks, buttons))


def _many(s: Situation) -> list[str]:
    """What many here know: told, and never stopped by itself, since newcomers may still need it."""
    return [i for i in s.many_know if i in s.glossary.concepts and i not in s.channel.never]


def _never_menu(s: Situation) -> list[Menu]:
    """ "Never here…": what notes would have explained, to be stopped here; what was stopped, to be released."""
    voice = voice_of(s)
    stopped = sorted(i for i in s.channel.never if i in s.glossary.concepts)
    seen = s.preview.concepts if s.preview else ()
    here = [i for i in dict.fromkeys((*_many(s), *seen)) if i not in stopped][:MAX_NEVER]
    names = {concept: label(s.glossary.concepts[concept], voice.main) for concept in (*stopped, *here)}
    options = [
        Button(s.say("auto.allow", label=names[i]) if i in stopped else names[i], voice.press("auto-never", (i,)))
        for i in names
    ]
    return [Menu(s.say("auto.button.never"), tuple(options))] if options else []


def _mode_buttons(s: Situation) -> list[Button | Menu]:
    voice = voice_of(s)
    modes: tuple[Mode, ...] = ("threads", "all", "off") if s.request.hears == "all" else ("off",)
    return [
        Button(s.say(f"auto.button.{mode}", threads=s.threads), voice.press(f"auto-{mode}"))
        for mode in modes
        if mode != s.channel.mode
    ]
