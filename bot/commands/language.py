"""`lang`: the language that somebody gets their answers in."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.answer import Button, Menu, Paragraph, Shown
from bot.changes import SetLanguage
from bot.commands.answering import answer, aside, error, panel_button, voice_of
from bot.commands.situation import Reply, Situation
from bot.glossary.folding import fold
from bot.glossary.resolver import trim

_LANGUAGE_WORDS: Final[dict[str, Shown | None]] = {
    **dict.fromkeys(("en", "english", "en us", "en gb", "英文", "英语", "英語"), "en"),
    **dict.fromkeys(
        (
            "zh",
            "zh cn",
            "zh hans",
            "zh sg",
            "zh tw",
            "zh hk",
            "zh hant",
            "cn",
            "chinese",
            "中文",
            "汉语",
            "简体",
            "简体中文",
            "繁体中文",
        ),
        "zh-Hans",
    ),
    **dict.fromkeys(("both", "双语", "中英", "中英文", "两种", "都要", "bilingual"), "both"),
    **dict.fromkeys(("auto", "automatic", "自动", "default", "默认"), None),
}


def lang(s: Situation) -> Reply:
    """`lang` alone shows the choice; `lang en|zh|both|auto` makes it."""
    s = s.whispered()  # a setting is nobody else's business, wherever it was typed
    return aside(s, _lang(s), panel_button(s))


def _lang(s: Situation) -> Reply:
    press = s.request.press
    if press is not None:
        return _set_language(s, press.language) if press.switch and press.language else _language_state(s)
    text = fold(trim(s.request.text))
    if not text:
        return _language_state(s)
    if text not in _LANGUAGE_WORDS:
        return error(s, "usage", "usage.lang", _language_choices(s))
    return _set_language(s, _LANGUAGE_WORDS[text])


def lang_both(s: Situation) -> Reply:
    return _set_language(s.whispered(), "both")


def lang_auto(s: Situation) -> Reply:
    return _set_language(s.whispered(), None)


def _set_language(s: Situation, language: Shown | None) -> Reply:
    after = replace(s, profile=replace(s.profile, language=language))
    saved = answer(
        after, "setting", [Paragraph(after.say(f"language.saved.{language or 'auto'}"))], _language_choices(after)
    )
    unsaved = answer(s, "setting", [Paragraph(s.say("store_away"))], _language_choices(s))
    return Reply(saved, (SetLanguage(language),), unsaved)


def _language_state(s: Situation) -> Reply:
    state = s.say(f"language.is.{s.profile.language or 'auto'}")
    return Reply(answer(s, "setting", [Paragraph(state)], _language_choices(s)))


def _language_choices(s: Situation) -> list[Button | Menu]:
    voice = voice_of(s)
    return [
        Button(s.say("language.en"), voice.press("lang", switch="en")),
        Button(s.say("language.zh-Hans"), voice.press("lang", switch="zh-Hans")),
        Button(s.say("language.both"), voice.press("lang-both")),
        Button(s.say("language.auto"), voice.press("lang-auto")),
        panel_button(s),
    ]
