"""`lang`: the language that somebody gets their answers in."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer import Shown
from bot.changes import SetLanguage
from bot.glossary.concept import Language
from tests.desks import Desk, button, labels, said

WORDS: dict[Shown | None, list[str]] = {
    "en": ["en", "EN", "english", "en-US", "en_GB", "英文", "英语", "英語", "English."],
    "zh-Hans": [
        "zh",
        "zh-CN",
        "zh_cn",
        "cn",
        "中文",
        "chinese",
        "zh-Hans",
        "zh-TW",
        "简体中文",
        "簡體中文",
        "ｚｈ",
        "“中文”",
    ],
    "both": ["both", "双语", "雙語", "中英"],
    None: ["auto", "automatic", "自动", "自動", "default"],
}


@pytest.mark.parametrize(("text", "language"), [(text, tag) for tag, texts in WORDS.items() for text in texts])
def test_a_language_by_its_names(text: str, language: Shown | None, desk: Desk) -> None:
    reply = desk.slash("lang", text)
    assert (reply.answer.kind, reply.changes) == ("setting", (SetLanguage(language),))


SAVED: dict[Shown | None, tuple[str, str, str]] = {
    "en": ("en", "From now on in English.", "en"),
    "zh-Hans": ("zh", "以后用中文回答。", "zh-Hans"),
    "both": ("both", "From now on in English and Chinese.", "both"),
    None: ("auto", "From now on automatic.", "en"),
}


@pytest.mark.parametrize(("language", "case"), SAVED.items())
def test_the_answer_is_in_the_new_language_already(
    language: Shown | None, case: tuple[str, str, str], desk: Desk
) -> None:
    text, sentence, shown = case
    answer = desk.slash("lang", text).answer
    assert said(answer).startswith(sentence)
    assert answer.language == shown


@pytest.mark.parametrize(("before", "chrome"), [("en", "en"), ("zh-Hans", "zh-Hans"), ("both", "en"), (None, "en")])
def test_if_it_can_not_be_saved_the_answer_stays_as_it_was(before: Any, chrome: Language, desk: Desk) -> None:
    unsaved = desk.at(language=before).slash("lang", "zh" if before == "en" else "en").unsaved
    assert unsaved is not None
    assert (unsaved.chrome, said(unsaved)) == (chrome, desk.phrases.say("store_away", chrome))


@pytest.mark.parametrize("language", ["en", "zh-Hans", "both", None])
@pytest.mark.parametrize("locale", ["en", "zh-Hans"])
def test_alone_it_shows_what_is_set(language: Any, locale: Language, desk: Desk) -> None:
    reply = desk.at(language=language, locale=locale).slash("lang")
    assert reply.changes == ()
    spoken: Language = language if language in ("en", "zh-Hans") else locale
    assert said(reply.answer) == desk.phrases.say(f"language.is.{language or 'auto'}", spoken)


@pytest.mark.parametrize("text", ["klingon", "zh please", "fr", "en zh", "?" * 3 + "x"])
def test_any_other_word_gets_the_choices(text: str, desk: Desk) -> None:
    reply = desk.slash("lang", text)
    assert (reply.answer.kind, reply.answer.error, reply.changes) == ("error", "usage", ())
    assert labels(reply.answer)[:4] == ["English", "中文", "Both", "Automatic"]


@pytest.mark.parametrize("locale", ["en", "zh-Hans"])
def test_every_choice_is_a_button(locale: Language, desk: Desk) -> None:
    there = desk.at(locale=locale)
    answer = there.slash("lang").answer
    meant = [there.press(button(answer, label)).changes for label in labels(answer)[:4]]
    assert meant == [(SetLanguage(language),) for language in ("en", "zh-Hans", "both", None)]


@pytest.mark.parametrize("text", ["", "zh", "klingon"])
def test_a_setting_is_nobody_elses_business_wherever_it_is_typed(text: str, desk: Desk) -> None:
    assert desk.bang("lang", text).answer.where == "private"
    assert desk.mention(f"lang {text}").answer.where == "private"
