"""Who sees an answer, and in which language: the table of EXPERIENCE as a table of cases."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.answer import Shown
from bot.commands import Situation, run
from bot.glossary.concept import LANGUAGES, Language
from bot.request import Press, Request, decode, short_hash
from bot.state.ports import Channel, Profile
from tests.desks import ANA, BO, CHANNEL, Desk, buttons

ENGLISH, CHINESE = "what is a KV cache", "什么是 KV cache"


@dataclass(frozen=True)
class Asked:
    """How something is asked. `channel` is the channel's language, `saved` the person's own choice."""

    text: str = ENGLISH
    word: str = "define"
    public: bool = False
    direct: bool = False
    saved: Shown | None = None
    locale: Language | None = None
    channel: Shown | None = None
    press: Press | None = None

    def situation(self, desk: Desk) -> Situation:
        request = Request(
            ANA,
            CHANNEL,
            self.press.action if self.press else "define",
            "" if self.press else self.text,
            "" if self.press else self.word,
            self.press,
            by="button" if self.press else "text" if self.public else "slash",
            public=self.public,
            direct=self.direct,
            locale=self.locale,
        )
        return Situation(request, Profile(self.saved), Channel(language=self.channel), desk.glossary, desk.phrases)


def on(language: Language | None, *, both: bool = False, action: str = "define", asker: str = "") -> Press:
    """A button on a message in this language."""
    return Press(action, language=language, both=both, asker=asker)


def to(language: Language) -> Press:
    """The button that changes to this language."""
    return Press("define", language=language, switch=True)


MINE, OTHERS = short_hash(ANA), short_hash(BO)

CASES: dict[str, tuple[Asked, Shown]] = {
    # one person sees it: saved choice, a question in Chinese, the platform's locale, default
    "default": (Asked(), "en"),
    "locale": (Asked(locale="zh-Hans"), "zh-Hans"),
    "chinese question": (Asked(CHINESE), "zh-Hans"),
    "chinese question, english locale": (Asked(CHINESE, locale="en"), "zh-Hans"),
    "traditional": (Asked("什麼是量化", locale="en"), "zh-Hans"),
    "one character": (Asked("KV cache 呢", locale="en"), "zh-Hans"),
    "chinese command": (Asked("slo", word="定义", locale="en"), "zh-Hans"),
    "fullwidth latin is english": (Asked("ＫＶ　ｃａｃｈｅ？"), "en"),
    "saved": (Asked(saved="zh-Hans", locale="en"), "zh-Hans"),
    "saved wins over a chinese question": (Asked(CHINESE, saved="en", locale="zh-Hans"), "en"),
    "saved both": (Asked(CHINESE, saved="both"), "both"),
    "the channel is others' business": (Asked(channel="zh-Hans"), "en"),
    # others see it: the channel's language, the question's; never the asker's own
    "public": (Asked(public=True), "en"),
    "public, chinese": (Asked(CHINESE, public=True), "zh-Hans"),
    "public, chinese command": (Asked("slo", word="查", public=True), "zh-Hans"),
    "public, saved": (Asked(public=True, saved="zh-Hans"), "en"),
    "public, saved the other": (Asked(CHINESE, public=True, saved="en"), "zh-Hans"),
    "public, locale": (Asked(public=True, locale="zh-Hans"), "en"),
    "public, channel": (Asked(public=True, channel="zh-Hans", saved="en"), "zh-Hans"),
    "public, channel, chinese": (Asked(CHINESE, public=True, channel="en"), "en"),
    "public, channel both": (Asked(public=True, channel="both"), "both"),
    # said to the bot alone: one person sees it, too
    "direct, saved": (Asked(public=True, direct=True, saved="zh-Hans", channel="en"), "zh-Hans"),
    "direct, chinese": (Asked(CHINESE, public=True, direct=True, locale="en"), "zh-Hans"),
    "direct, locale": (Asked(public=True, direct=True, locale="zh-Hans"), "zh-Hans"),
    "direct, default": (Asked(public=True, direct=True), "en"),
    # a button on a private message: as the message was, unless somebody chose
    "pressed": (Asked(press=on("zh-Hans")), "zh-Hans"),
    "pressed, english locale": (Asked(press=on("zh-Hans"), locale="en"), "zh-Hans"),
    "pressed, both": (Asked(press=on("en", both=True), locale="zh-Hans"), "both"),
    "pressed, saved": (Asked(press=on("zh-Hans"), saved="en"), "en"),
    "pressed, of no language": (Asked(press=on(None), locale="zh-Hans"), "zh-Hans"),
    "pressed, nothing known": (Asked(press=on(None)), "en"),
    "switch": (Asked(press=to("zh-Hans"), saved="en", locale="en"), "zh-Hans"),
    "switch from both": (Asked(press=to("en"), saved="both"), "en"),
    # a button on a public message: a private copy for the presser
    "copy": (Asked(public=True, press=on("zh-Hans")), "zh-Hans"),
    "copy, locale": (Asked(public=True, press=on("zh-Hans"), locale="en"), "en"),
    "copy, saved": (Asked(public=True, press=on("zh-Hans"), saved="both"), "both"),
    "copy, of both": (Asked(public=True, press=on("zh-Hans", both=True), locale="en"), "en"),
    "copy, channel": (Asked(public=True, press=on("zh-Hans"), channel="zh-Hans", locale="en"), "en"),
    "copy, of one's own": (Asked(public=True, press=on("zh-Hans", asker=MINE), saved="en"), "en"),
    "copy, switch": (Asked(public=True, press=to("zh-Hans"), saved="en"), "zh-Hans"),
    # a choice that the asker settles stays public, and so does its language
    "settled": (Asked(public=True, press=on("zh-Hans", action="option", asker=MINE), saved="en"), "zh-Hans"),
    "settled by another": (Asked(public=True, press=on("zh-Hans", action="option", asker=OTHERS), saved="en"), "en"),
    "settled, both": (Asked(public=True, press=on("en", both=True, action="pick", asker=MINE), saved="en"), "both"),
    # shared: what is on the screen
    "shared": (Asked(press=on("zh-Hans", action="share"), saved="en", channel="en"), "zh-Hans"),
    "shared, both": (Asked(press=on("en", both=True, action="share-vs"), saved="en", channel="en"), "both"),
}


@pytest.mark.parametrize(("asked", "shown"), CASES.values(), ids=CASES)
def test_language(asked: Asked, shown: Shown, desk: Desk) -> None:
    situation = asked.situation(desk)
    assert situation.shown == shown
    if shown != "both":
        assert situation.chrome == shown


CHROME: dict[str, tuple[Asked, Language]] = {
    "default": (Asked(saved="both"), "en"),
    "question": (Asked(CHINESE, saved="both", locale="en"), "zh-Hans"),
    "locale": (Asked(saved="both", locale="zh-Hans"), "zh-Hans"),
    "pressed": (Asked(saved="both", press=on("zh-Hans", both=True), locale="en"), "zh-Hans"),
    "copy": (Asked(public=True, saved="both", press=on("zh-Hans"), locale="en"), "en"),
    "copy, no locale": (Asked(public=True, saved="both", press=on("zh-Hans")), "zh-Hans"),
    "public": (Asked(public=True, channel="both", locale="zh-Hans"), "en"),
    "public question": (Asked(CHINESE, public=True, channel="both"), "zh-Hans"),
    "settled": (
        Asked(public=True, press=on("zh-Hans", both=True, action="option", asker=MINE), locale="en"),
        "zh-Hans",
    ),
}


@pytest.mark.parametrize(("asked", "chrome"), CHROME.values(), ids=CHROME)
def test_the_language_of_the_bots_own_words_where_both_are_shown(asked: Asked, chrome: Language, desk: Desk) -> None:
    assert asked.situation(desk).shown == "both"
    assert asked.situation(desk).chrome == chrome


PRIVATE: dict[str, tuple[Asked, bool]] = {
    "slash": (Asked(), True),
    "public": (Asked(public=True), False),
    "button": (Asked(press=on("en")), True),
    "button of a public message": (Asked(public=True, press=on("en")), True),
    "one's own": (Asked(public=True, press=on("en", asker=MINE)), True),
    "choice of one's own": (Asked(public=True, press=on("en", action="option", asker=MINE)), False),
    "comparison of one's own": (Asked(public=True, press=on("en", action="option-vs", asker=MINE)), False),
    "choice of another": (Asked(public=True, press=on("en", action="option", asker=OTHERS)), True),
    "choice of nobody": (Asked(public=True, press=on("en", action="option")), True),
    "private choice": (Asked(press=on("en", action="option", asker=MINE)), True),
    "share": (Asked(press=on("en", action="share")), False),
}


@pytest.mark.parametrize(("asked", "private"), PRIVATE.values(), ids=PRIVATE)
def test_who_sees_it(asked: Asked, private: bool, desk: Desk) -> None:
    situation = asked.situation(desk)
    assert situation.private == private
    assert situation.asker == ("" if private else MINE)
    assert situation.quotes == private


@pytest.mark.parametrize("direct", [False, True])
def test_in_a_direct_conversation_what_was_typed_may_be_repeated(direct: bool, desk: Desk) -> None:
    request = Request(ANA, CHANNEL, "mention", by="mention", public=True, direct=direct)
    assert desk.situation(request).quotes == direct


def test_a_whisper_is_private_and_in_the_askers_own_language(desk: Desk) -> None:
    loud = Asked(public=True, saved="zh-Hans", channel="en").situation(desk)
    assert (loud.whispered().private, loud.whispered().shown, loud.whispered().asker) == (True, "zh-Hans", "")


def test_where_nobody_can_whisper_all_hear_it(desk: Desk) -> None:
    request = Request(ANA, CHANNEL, "define", by="text", public=True, whispers=False)
    loud = desk.at(language="zh-Hans").situation(request)
    assert loud.whispered() == loud
    assert loud.shown == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_asked_for_once_wins_and_nothing_is_saved(language: Language, desk: Desk) -> None:
    other: Language = "en" if language == "zh-Hans" else "zh-Hans"
    for public in (False, True):
        there = desk.at(language=other, channel=Channel(language=other))
        request = there.request("define", text="SLO", public=public, language=language)
        reply = run(there.situation(request))
        assert (reply.answer.language, reply.answer.chrome, reply.changes) == (language, language, ())


@pytest.mark.parametrize(("action", "text"), [("define", "zzqx"), ("define", ""), ("lang", ""), ("help", "")])
def test_in_a_direct_conversation_everything_is_in_the_open(action: str, text: str, desk: Desk) -> None:
    """There is nobody to be private from, and what is whispered is gone with the next start of the app."""
    request = replace(desk.request(action, text=text), by="text", public=True, direct=True)
    answer = run(desk.situation(request)).answer
    assert answer.where == "public"
    assert not {"share", "share-vs"} & {decode(button.request).action for button in buttons(answer)}


def test_a_bare_chinese_label_from_an_english_reader_gets_both_there_as_well(desk: Desk) -> None:
    request = replace(desk.at(locale="en").request("define", text="连续批处理"), by="text", public=True, direct=True)
    assert run(desk.situation(request)).answer.language == "both"


@pytest.mark.parametrize(("locale", "shown"), [("en", "en"), ("zh-Hans", "zh-Hans"), (None, "en")])
def test_a_message_from_its_menu_says_nothing_about_its_reader(
    locale: Language | None, shown: Shown, desk: Desk
) -> None:
    there = desk.at(locale=locale)
    assert there.situation(there.request("explain", text="TTFT 变差了", by="shortcut")).shown == shown
