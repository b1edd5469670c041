"""What isn't said to the bot: notes, what becomes of them, and what counts as seen. The rest: test_bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot import listener
from bot.answer import Shown, Update
from bot.bot import Bot, fixed
from bot.glossary.concept import code
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Message, Person, Place, Press, Request, short_hash
from bot.state import bounded
from bot.state.caching import Cached
from bot.state.memory import MemoryStore
from bot.state.ports import Channel, Figures, Mode, Profile, Store
from bot.state.ports import Note as NoteRow
from tests.desks import ANA, BO, CHANNEL, said
from tests.fakes import BrokenStore, FailingStore, SilentStore
from tests.stores import NOW
from tests.test_watching import Seen


def typed(action: str, text: str = "", **how: Any) -> Request:
    return Request(ANA, CHANNEL, action, text, today=NOW.date(), **how)


def pressed(action: str, *concepts: str, public: bool = False) -> Request:
    press = Press(action, tuple(map(code, concepts)), language="en")
    return Request(ANA, CHANNEL, action, press=press, by="button", public=public, today=NOW.date())


@pytest.fixture(name="made")
def _made(glossary: Glossary, phrases: Phrases) -> Callable[[Store], Bot]:
    return lambda store: Bot(fixed(glossary), phrases, store)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that never answers is given up at once."""
    monkeypatch.setattr(bounded, "READ_SECONDS", 0.001)
    monkeypatch.setattr(bounded, "WRITE_SECONDS", 0.001)


def message(text: str, id_: str = "m1", *, author: Person = ANA, place: Place = CHANNEL) -> Message:
    return Message(id_, place, author, text, NOW)


async def with_notes(language: Shown | None = None) -> MemoryStore:
    store = MemoryStore()
    await store.channels.set(CHANNEL, Channel("all", language), BO)
    return store


NOTE_LANGUAGES: list[tuple[Shown | None, str, Shown, str]] = [
    (None, "TTFT got worse", "en", "New to this term?"),
    (None, "TTFT 变差了", "zh-Hans", "给刚接触的同学："),
    ("zh-Hans", "TTFT got worse", "zh-Hans", "给刚接触的同学："),
    ("en", "TTFT 变差了", "en", "New to this term?"),
    ("both", "TTFT got worse", "both", "New to this term?"),
    ("both", "TTFT 变差了", "both", "给刚接触的同学："),
]


@pytest.mark.parametrize(("channel", "text", "shown", "title"), NOTE_LANGUAGES)
async def test_a_note_speaks_the_channels_language_else_the_messages(
    channel: Shown | None, text: str, shown: Shown, title: str, made: Any
) -> None:
    store = await with_notes(channel)
    await store.people.set_language(ANA, "zh-Hans" if shown == "en" else "en")
    answer = await made(store).notice(message(text), NOW)
    assert (answer.kind, answer.language, said(answer).splitlines()[0]) == ("explanation", shown, title)


async def test_all_terms_are_mentioned_whatever_the_note_says(made: Any) -> None:
    bot = made(await with_notes())
    text = "SLA, SLO, TTFT, FP16 and SLA"
    answer = await bot.notice(message(text), NOW)
    assert len(answer.concepts) == 3
    assert [mention.concept for mention in answer.mentions] == ["sla", "slo", "ttft", "fp16", "sla"]
    assert all(text[mention.start : mention.end] == mention.text for mention in answer.mentions)
    again = await bot.notice(message("SLO", "m2"), NOW)
    assert (again.kind, len(again.mentions)) == ("silence", 1)


async def test_two_replicas_make_one_note(made: Any) -> None:
    store = await with_notes()
    answers = await asyncio.gather(*(made(store).notice(message("TTFT"), NOW) for _ in range(5)))
    assert sorted(answer.kind for answer in answers) == ["explanation"] + ["silence"] * 4


async def test_nothing_of_a_message_is_kept_or_logged(made: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    store = await with_notes()
    bot = made(store)
    await bot.notice(message("a secret about TTFT"), NOW)
    await bot.posted(message("a secret about TTFT"), "n1")
    await bot.close()
    note = await store.notes.find(CHANNEL, message="m1")
    assert note == NoteRow("m1", short_hash(ANA), (("ttft", "ttft"),), "n1")
    assert "secret" not in caplog.text


@pytest.mark.parametrize("failing", [FailingStore, SilentStore])
async def test_notes_stay_away_with_the_store(failing: Any, hurried: None, made: Any) -> None:
    for store in (failing(), failing(Profile(), Channel("all"))):
        bot = made(store)
        assert (await bot.notice(message("TTFT"), NOW)).kind == "silence"
        await bot.posted(message("TTFT"), "n1")
        await bot.not_posted(message("TTFT"))
        assert await bot.edited(message("TTFT")) is None
        assert await bot.deleted(CHANNEL, "m1") is None
        await bot.close()


async def test_a_bug_while_looking_at_a_message_is_silence(made: Any, caplog: pytest.LogCaptureFixture) -> None:
    bot = made(BrokenStore("no place for goodput", Profile(), Channel("all")))
    assert (await bot.notice(message("TTFT and goodput"), NOW)).kind == "silence"
    assert "RuntimeError while looking at a message" in caplog.text
    assert "goodput" not in caplog.text
    await bot.close()


async def test_only_so_much_of_a_message_is_looked_at(made: Any) -> None:
    bot = made(await with_notes())
    assert (await bot.notice(message("x " * (listener.MAX_MESSAGE // 2) + "TTFT"), NOW)).kind == "silence"
    assert (await bot.notice(message("x " * 1000 + "TTFT", "m2"), NOW)).kind == "explanation"


async def test_edits_and_deletions_speak_of_the_notes_message(made: Any) -> None:
    bot = made(await with_notes("zh-Hans"))
    await bot.notice(message("TTFT and TPOT"), NOW)
    assert await bot.edited(message("TPOT")) is None, "it isn't posted yet"
    await bot.posted(message("TTFT and TPOT"), "n1")
    update = await bot.edited(message("TPOT"))
    assert update is not None
    assert update.reply == "n1"
    assert update.answer is not None
    assert (update.answer.concepts, update.answer.language) == (("tpot",), "zh-Hans")
    assert await bot.deleted(CHANNEL, "m1") == Update("n1", None)
    assert await bot.deleted(CHANNEL, "m1") is None


# -- What people saw, and what they did about it --------------------------------------------------------------------


def on_note(action: str, *concepts: str, person: Person = BO) -> Request:
    request = pressed(action, *concepts, public=True)
    return replace(request, person=person, on="n1", now=NOW)


async def noted(made: Any, store: MemoryStore) -> Bot:
    bot: Bot = made(store)
    await bot.notice(message("TTFT and TPOT"), NOW)
    await bot.posted(message("TTFT and TPOT"), "n1")
    return bot


async def test_presses_are_counted_and_votes_are_not_among_them(made: Any) -> None:
    store = await with_notes()
    bot = await noted(made, store)
    for request in (on_note("note", "ttft"), on_note("define", "ttft"), on_note("note-wrong", "ttft")):
        await bot.answer(request)
    await bot.answer(replace(on_note("define", "ttft"), on="another"))
    await bot.answer(on_note("note-wrong", "ttft", person=ANA))
    await bot.close()
    assert await store.notes.figures(CHANNEL, NOW) == Figures(notes=1, opened=2, wrong=1)


async def test_the_settings_show_figures_and_a_preview(made: Any) -> None:
    store = await with_notes()
    bot = await noted(made, store)
    recent = [message("SLO"), message("lunch", "m2")]
    answer = await bot.answer(replace(typed("autoexplain"), now=NOW), recent=recent)
    assert "1 note, 0 opened, 0 marked wrong" in said(answer)
    assert said(answer).endswith("In the last 2 messages: 1 note – SLO")
    alone = await bot.answer(replace(typed("autoexplain"), now=NOW))
    assert "In the last" not in said(alone)


async def test_a_vote_that_can_not_be_kept_is_no_bug(made: Any) -> None:
    store = await with_notes()
    bot = await noted(made, store)
    store.away = True
    answer = await bot.answer(on_note("note-wrong", "ttft", person=ANA))
    assert said(answer) == "I can't save that just now. Please try again in a minute."
    assert answer.update is None


SEEN: dict[str, tuple[Request, bool]] = {
    "public": (typed("define", "ttft", by="text", public=True), True),
    "private": (typed("define", "ttft"), False),
    "a public comparison": (typed("vs", "ttft tpot", by="text", public=True), True),
    "a private copy": (pressed("define", "ttft", public=True), False),
    "a public digest": (typed("explain", "TTFT!", by="text", public=True, whispers=False), True),
    "a private digest": (typed("explain", "TTFT!", by="text", public=True), False),
    "a choice by the asker": (
        Request(ANA, CHANNEL, "option", public=True, by="button",
                press=Press("option", (code("ttft"),), language="en", asker=short_hash(ANA))),
        True,
    ),
    "a choice by somebody else": (
        Request(ANA, CHANNEL, "option", public=True, by="button",
                press=Press("option", (code("ttft"),), language="en", asker=short_hash(BO))),
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("request_", "seen"), SEEN.values(), ids=SEEN)
async def test_what_all_saw_needs_no_note(request_: Request, seen: bool, made: Any) -> None:
    bot = made(await with_notes())
    await bot.answer(replace(request_, now=NOW))
    await bot.close()
    answer = await bot.notice(message("TTFT"), NOW)
    assert (answer.kind == "silence") == seen


async def test_a_digest_of_messages(made: Any) -> None:
    bot = made(MemoryStore())
    answer = await bot.explain(typed("explain"), [message("TTFT"), message("SLO", "m2")], of="thr", total=2)
    assert (answer.kind, answer.where, answer.concepts) == ("explanation", "private", ("ttft", "slo"))


async def test_a_digest_never_raises(made: Any, caplog: pytest.LogCaptureFixture) -> None:
    answer = await made(BrokenStore("goodput")).explain(typed("explain"), [message("goodput")], of="50", total=1)
    assert (answer.kind, "(ref " in said(answer)) == ("error", True)
    assert "goodput" not in caplog.text


async def test_a_note_counts_for_the_thread_that_it_opens(made: Any) -> None:
    """On Slack an answer to a message makes it a thread: what was explained in it isn't explained there again."""
    store = await with_notes()
    bot = made(store)
    first = replace(message("TTFT got worse"), opens="100.1")
    assert (await bot.notice(first, NOW)).kind == "explanation"
    late = NOW + timedelta(days=8)
    reply = replace(message("TTFT again", "m2", place=replace(CHANNEL, thread="100.1")), sent_at=late)
    assert (await bot.notice(reply, late)).kind == "silence"
    elsewhere = replace(message("TTFT again", "m3", place=replace(CHANNEL, thread="200.1")), sent_at=late)
    assert (await bot.notice(elsewhere, late)).kind == "explanation"


async def test_off_everywhere_reaches_every_channel(made: Any) -> None:
    store = await with_notes()
    other = replace(CHANNEL, channel="C2")
    await store.channels.set(other, Channel("threads", "zh-Hans"), BO)
    press = replace(pressed("auto-off-all"), may_set=True, name="Lena", now=NOW)
    answer = await made(store).answer(press)
    assert {post.channel for post in answer.elsewhere} == {"C1", "C2"}
    assert {(await store.channels.get(place)).mode for place in (CHANNEL, other)} == {"off"}
    assert await store.channels.listed("slack", "T1") == ()


@pytest.mark.parametrize(
    ("mode", "thread", "may"),
    [
        *(("off", None, False), ("off", "1.1", False), ("threads", None, False)),
        *(("threads", "1.1", True), ("all", None, True), ("all", "1.1", True)),
    ],
)
async def test_what_gets_no_note_is_known_without_waiting(mode: Mode, thread: str | None, may: bool, made: Any) -> None:
    store = MemoryStore()
    await store.channels.set(CHANNEL, Channel(mode), BO)
    cached = Cached(store)
    bot, place = made(cached), replace(CHANNEL, thread=thread)
    assert bot.may_notice(ANA, place, "TTFT"), "nothing is known yet"
    await cached.people.get(ANA)
    await cached.channels.get(place)
    assert bot.may_notice(ANA, place, "TTFT") == may
    assert may or (await bot.notice(message("TTFT got worse", place=place), NOW)).kind == "silence"


@pytest.mark.parametrize(("text", "may"), [("lunch?", False), ("", False), ("TTFT", True), ("a queue of `TTFT`", True)])
async def test_a_message_without_any_label_needs_no_second_look(
    text: str, may: bool, glossary: Glossary, phrases: Phrases
) -> None:
    cached, watch = Cached(await with_notes()), Seen()
    bot = Bot(fixed(glossary), phrases, cached, watch=watch)
    assert bot.may_notice(ANA, CHANNEL, text), "nothing is known yet"
    await bot.prepare(glossary)
    await bot.notice(message(text), NOW)
    seen = len(watch.noticed_)
    assert bot.may_notice(ANA, CHANNEL, text) is may
    assert len(watch.noticed_) == seen + (not may), "counted as looked at, once"
