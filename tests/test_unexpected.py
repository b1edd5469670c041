"""What nobody expected: a polite line with a number for the person, the traceback under that number for the log."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest

from bot import commands
from bot.answer import Where
from bot.bot import Bot, fixed
from bot.commands import Reply, Situation
from bot.glossary.concept import Language
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Press, Request
from bot.state import bounded
from bot.state.memory import MemoryStore
from bot.state.ports import Profile, Store
from tests.desks import ANA, CHANNEL, said
from tests.fakes import BrokenStore, FailingStore, SilentStore

SECRET = "our-secret-plan"


def typed(action: str, text: str = "", **how: Any) -> Request:
    return Request(ANA, CHANNEL, action, text, **how)


def pressed(*, public: bool) -> Request:
    return Request(ANA, CHANNEL, "define", press=Press("define"), by="button", public=public)


@pytest.fixture(name="made")
def _made(glossary: Glossary, phrases: Phrases) -> Any:
    return lambda store: Bot(fixed(glossary), phrases, store)


def broken(s: Situation) -> Reply:
    raise ValueError(f"{s.request.text} {SECRET}")


def reference(answer_text: str) -> str:
    found = re.search(r"(?:ref |编号 )([0-9A-F]{4})[)）]", answer_text)
    assert found, answer_text
    return found[1]


@pytest.mark.parametrize(
    ("text", "locale", "begins"),
    [
        (SECRET, None, "Something failed on my side (ref "),
        (SECRET, "zh-Hans", "出了点问题（编号 "),
        (f"{SECRET} 是什么", "en", "出了点问题（编号 "),
    ],
    ids=["default", "locale", "text"],
)
async def test_a_bug_becomes_a_number_that_the_log_has_too(
    text: str,
    locale: Language | None,
    begins: str,
    made: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setitem(commands.ACTIONS, "define", broken)
    answer = await made(MemoryStore()).answer(typed("define", text, locale=locale))
    assert answer.kind == "error"
    assert said(answer).startswith(begins)
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    logged = record.getMessage()
    assert f"ref {reference(said(answer))}" in logged
    assert "ValueError" in logged
    assert "in broken" in logged, "the traceback"
    assert SECRET not in caplog.text
    assert SECRET not in said(answer)


async def test_every_bug_has_a_number_of_its_own(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(commands.ACTIONS, "define", broken)
    bot = made(MemoryStore())
    numbers = {reference(said(await bot.answer(typed("define", "slo")))) for _ in range(8)}
    assert len(numbers) > 1


WHERE: dict[str, tuple[Request, Where]] = {
    "slash": (typed("define"), "private"),
    "text": (typed("define", by="text", public=True), "private"),
    "nobody can whisper": (typed("define", by="text", public=True, whispers=False), "public"),
    "button": (pressed(public=False), "replace"),
    "button on a public message": (pressed(public=True), "private"),
}


@pytest.mark.parametrize(("request_", "where"), WHERE.values(), ids=WHERE)
async def test_an_error_is_private_where_it_can_be(
    request_: Request, where: Where, made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(commands.ACTIONS, "define", broken)
    assert (await made(MemoryStore()).answer(request_)).where == where


async def test_a_broken_store_is_a_bug(made: Any, caplog: pytest.LogCaptureFixture) -> None:
    bot = made(BrokenStore(SECRET))
    answer = await bot.answer(typed("define", "slo"))
    assert answer.kind == "error"
    assert reference(said(answer)) in caplog.text
    assert SECRET not in caplog.text


async def test_an_action_that_no_adapter_should_ask_for_is_a_bug(made: Any, caplog: pytest.LogCaptureFixture) -> None:
    answer = await made(MemoryStore()).answer(typed("no-such-action"))
    assert reference(said(answer)) in caplog.text


@pytest.mark.parametrize(
    "store",
    [
        MemoryStore(),
        FailingStore(),
        SilentStore(),
        FailingStore(Profile()),
        BrokenStore(SECRET),
        BrokenStore(SECRET, Profile()),
    ],
    ids=["fine", "away", "silent", "read only", "broken", "broken at writing"],
)
async def test_the_log_never_has_what_people_type(
    store: Store, made: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "READ_SECONDS", 0.001)
    monkeypatch.setattr(bounded, "WRITE_SECONDS", 0.001)
    caplog.set_level(logging.DEBUG)
    bot = made(store)
    for action in ("define", "vs", "glossary", "lang", "jargonaut", "help", "mention", "message"):
        for text in (SECRET, f"slo vs {SECRET}", f"什么是 {SECRET}", f"search {SECRET}"):
            await bot.answer(typed(action, text))
    await bot.close()
    assert bool(caplog.text) == (not isinstance(store, MemoryStore))
    assert SECRET not in caplog.text
