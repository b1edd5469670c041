"""The way in: what is read and remembered around a decision, and what happens where that fails."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from bot import indexes
from bot.bot import Bot, fixed
from bot.commands.names import COMMANDS
from bot.glossary.concept import LANGUAGES, Language, code
from bot.glossary.glossary import Glossary
from bot.glossary.yaml_files import Loaded
from bot.phrases import Phrases
from bot.request import Person, Place, Press, Request
from bot.state import bounded
from bot.state.memory import MemoryStore
from bot.state.ports import Miss, Profile, Store
from tests.desks import ANA, BO, CHANNEL, said
from tests.fakes import BrokenStore, FailingStore, SilentStore

DAY = date(2026, 11, 30)


def typed(action: str, text: str = "", **how: Any) -> Request:
    return Request(ANA, CHANNEL, action, text, today=DAY, **how)


def pressed(
    action: str, *concepts: str, language: Language = "en", switch: bool = False, public: bool = False
) -> Request:
    press = Press(action, tuple(map(code, concepts)), language=language, switch=switch)
    return Request(ANA, CHANNEL, action, press=press, by="button", public=public, today=DAY)


@pytest.fixture(name="made")
def _made(glossary: Glossary, phrases: Phrases) -> Any:
    def make(store: Store, **settings: Any) -> Bot:
        return Bot(fixed(glossary), phrases, store, **settings)

    return make


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that never answers is given up at once."""
    monkeypatch.setattr(bounded, "READ_SECONDS", 0.001)
    monkeypatch.setattr(bounded, "WRITE_SECONDS", 0.001)


# -- What is remembered -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", [*LANGUAGES, "both"])
async def test_the_saved_language_counts_for_its_person_only(language: Any, made: Any) -> None:
    store = MemoryStore()
    await store.people.set_language(ANA, language)
    bot = made(store)
    assert (await bot.answer(typed("define", "slo"))).language == language
    assert (await bot.answer(replace(typed("define", "slo"), person=BO))).language == "en"


async def test_a_setting_is_saved_before_the_answer_says_so(made: Any) -> None:
    store = MemoryStore()
    answer = await made(store).answer(typed("lang", "zh"))
    assert said(answer) == "以后用中文回答。"
    assert await store.people.get(ANA) == Profile("zh-Hans")


async def test_a_language_button_saves(made: Any) -> None:
    store = MemoryStore()
    answer = await made(store).answer(pressed("define", "slo", language="zh-Hans", switch=True))
    assert said(answer).endswith("以后用中文回答。")
    assert await store.people.get(ANA) == Profile("zh-Hans")


async def test_a_language_button_of_a_public_message_saves_nothing(made: Any) -> None:
    store = MemoryStore()
    answer = await made(store).answer(pressed("define", "slo", language="zh-Hans", switch=True, public=True))
    assert (answer.language, answer.where) == ("zh-Hans", "private")
    assert await store.people.get(ANA) == Profile()


async def test_the_glossary_is_asked_for_once_and_by_place(glossary: Glossary, phrases: Phrases) -> None:
    asked: list[Place] = []

    def of(place: Place) -> Glossary:
        asked.append(place)
        return glossary if place == CHANNEL else Glossary(())

    bot = Bot(of, phrases, MemoryStore())
    assert (await bot.answer(typed("define", "slo"))).kind == "definition"
    elsewhere = Place("slack", "T2", "C9")
    assert (await bot.answer(replace(typed("define", "slo"), place=elsewhere))).kind == "unknown"
    assert asked == [CHANNEL, elsewhere]
    assert [suggestion.concept for suggestion in bot.complete("slo", CHANNEL, limit=1)] == ["slo"]
    assert bot.complete("slo", elsewhere) == ()


async def test_many_at_once(made: Any) -> None:
    bot = made(MemoryStore())
    answers = await asyncio.gather(*(bot.answer(typed("define", text)) for text in ["slo", "sla", "ttft"] * 20))
    assert [answer.concepts[0] for answer in answers] == ["slo", "sla", "ttft"] * 20


# -- Look-ups without an answer -----------------------------------------------------------------------------------


async def test_a_miss_is_counted_with_its_day(made: Any) -> None:
    store = MemoryStore()
    bot = made(store)
    for text in ("Token-Goodput", "token  goodput", "ＴＯＫＥＮ goodput?"):
        assert "Counted" in said(await bot.answer(typed("define", text)))
    await bot.close()
    assert await store.misses.top(10) == (Miss("token goodput", 3, DAY),)


async def test_no_miss_is_counted_where_that_is_switched_off(made: Any) -> None:
    store = MemoryStore()
    bot = made(store, keep_misses=False)
    assert "Counted" not in said(await bot.answer(typed("define", "goodput")))
    await bot.close()
    assert await store.misses.top(10, at_least=1) == ()


# -- The store is away --------------------------------------------------------------------------------------------


@pytest.fixture(params=[FailingStore, SilentStore])
def store(request: pytest.FixtureRequest, hurried: None) -> Store:
    made: Store = request.param()
    return made


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (typed("define", "slo"), "definition"),
        (typed("vs", "slo sla"), "comparison"),
        (typed("mention", "什么是 SLO", by="mention", public=True), "definition"),
        (pressed("define", "slo"), "definition"),
        (pressed("vs", "slo", "sla", public=True), "comparison"),
        (typed("glossary"), "list"),
        (typed("jargonaut", "privacy"), "setting"),
        (typed("help"), "help"),
    ],
    ids=lambda value: value.action if isinstance(value, Request) else "",
)
async def test_what_is_in_memory_is_answered(request_: Request, kind: str, store: Store, made: Any) -> None:
    assert (await made(store).answer(request_)).kind == kind


async def test_nothing_is_counted_and_nothing_says_so(store: Store, made: Any) -> None:
    bot = made(store)
    answer = await bot.answer(typed("define", "goodput"))
    assert (answer.kind, "Counted" in said(answer)) == ("unknown", False)
    await bot.close()


async def test_the_exception_to_privacy_is_told_though_nothing_can_be_counted_now(store: Store, made: Any) -> None:
    assert "One exception" in said(await made(store).answer(typed("jargonaut", "privacy")))


UNSAVED: dict[str, tuple[Request, Language]] = {
    "lang": (typed("lang", "zh"), "en"),
    "lang in chinese": (typed("lang", "英文", locale="zh-Hans"), "zh-Hans"),
    "both": (pressed("lang-both", language="zh-Hans"), "zh-Hans"),
    "mute": (typed("jargonaut", "mute"), "en"),
    "unknow": (pressed("unknow", "slo"), "en"),
    "forget": (pressed("forget-yes"), "en"),
}


@pytest.mark.parametrize(("request_", "language"), UNSAVED.values(), ids=UNSAVED)
async def test_what_can_not_be_saved_is_said(
    request_: Request, language: Language, store: Store, made: Any, phrases: Phrases
) -> None:
    for there in (store, FailingStore(Profile())):
        answer = await made(there).answer(request_)
        assert (answer.kind, said(answer)) == ("setting", phrases.say("store_away", language))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Here it is in English. I can't save that just now."),
        ("zh-Hans", "已切换为中文，但暂时无法保存这个选择。"),
    ],
)
async def test_the_other_language_is_shown_though_it_can_not_be_saved(
    language: Language, sentence: str, store: Store, made: Any
) -> None:
    for there in (store, FailingStore(Profile("both"))):
        answer = await made(there).answer(pressed("vs", "slo", "sla", language=language, switch=True))
        assert (answer.kind, answer.language, answer.where) == ("comparison", language, "replace")
        assert said(answer).endswith(sentence)


@pytest.mark.parametrize("profile", [None, Profile()], ids=["silent", "reads only"])
async def test_nobody_waits_for_a_silent_store_any_more(profile: Profile | None, hurried: None, made: Any) -> None:
    store = SilentStore(profile)
    bot = made(store)
    assert ("Counted" in said(await bot.answer(typed("define", "goodput")))) == bool(profile)
    assert said(await bot.answer(typed("lang", "zh"))).startswith("I can't save that")
    await bot.close()
    assert store.waiting == 0


@pytest.mark.parametrize(
    "store", [FailingStore(Profile()), BrokenStore("no place for goodput", Profile())], ids=["away", "bug"]
)
async def test_a_lost_count_is_no_error(store: Store, made: Any, caplog: pytest.LogCaptureFixture) -> None:
    bot = made(store)
    assert (await bot.answer(typed("define", "goodput"))).kind == "unknown"
    await bot.close()
    assert "count was lost" in caplog.text
    assert "goodput" not in caplog.text


# -- Platforms ----------------------------------------------------------------------------------------------------


async def test_each_platform_calls_its_commands_by_its_own_names(glossary: Glossary, phrases: Phrases) -> None:
    slack = phrases.calling([command.name for command in COMMANDS], slash="/jn-")
    bot = Bot(fixed(glossary), phrases, MemoryStore(), platform_phrases={"slack": slack})
    for platform, name in (("slack", "/jn-define"), ("discord", "/define")):
        place = Place(platform, "T1", "C1")
        for action in ("define", "help"):
            answer = await bot.answer(Request(Person(platform, "", "U1"), place, action, today=date(2026, 11, 30)))
            assert name in said(answer)


def test_the_topics_to_choose_from_are_those_with_concepts(glossary: Glossary, phrases: Phrases) -> None:
    topics = Bot(fixed(glossary), phrases, MemoryStore()).topics(CHANNEL)
    assert [topic.id for topic in topics] == [name for name in glossary.topics if glossary.in_topic(name)]
    assert Bot(fixed(Glossary(())), phrases, MemoryStore()).topics(CHANNEL) == ()


# -- Warm ---------------------------------------------------------------------------------------------------------


async def test_a_request_waits_for_indexes_that_are_being_made(
    phrases: Phrases, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would make them in the loop, and nothing else would go on meanwhile."""
    glossary = Glossary(loaded.glossary.concepts.values())
    bot = Bot(fixed(glossary), phrases, MemoryStore())
    made = threading.Event()
    monkeypatch.setattr(glossary, "warm", lambda: made.wait(10))
    warming = asyncio.create_task(bot.warm(glossary))
    await asyncio.sleep(0)
    answer = asyncio.create_task(bot.answer(Request(ANA, CHANNEL, "define", "slo", today=date(2026, 11, 30))))
    await asyncio.wait({answer}, timeout=0.05)
    assert not answer.done()
    made.set()
    assert (await answer).kind == "definition"
    await warming


async def test_but_not_for_ever(phrases: Phrases, loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "WARM_SECONDS", 0.01)
    glossary = Glossary(loaded.glossary.concepts.values())
    bot = Bot(fixed(glossary), phrases, MemoryStore())
    made = threading.Event()
    monkeypatch.setattr(glossary, "warm", lambda: made.wait(10))
    warming = asyncio.create_task(bot.warm(glossary))
    await asyncio.sleep(0)
    answer = await bot.answer(Request(ANA, CHANNEL, "define", "slo", today=date(2026, 11, 30)))
    assert answer.kind == "definition"
    made.set()
    await warming
