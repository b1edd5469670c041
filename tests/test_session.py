"""A line of the terminal -> a request: mentions, commands, presses, and the objects of scripts."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from adapters.terminal.session import Line, Session, mentioned, number_in, read_line
from bot.answer import Button
from bot.bot import Bot, fixed
from bot.glossary.concept import code
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Person, Place, Press
from bot.state.memory import MemoryStore
from tests.asking import Ask
from tests.texts import any_text

SLO = code("slo")


@pytest.fixture
def session(glossary: Glossary, phrases: Phrases) -> Session:
    return Session(Bot(fixed(glossary), phrases, MemoryStore()), "lena")


# -- Mentions

MENTIONS = [
    pytest.param("hey @jargonaut, what is SLO?", "hey what is SLO?", id="inside"),
    pytest.param("@jargonaut: SLO", "SLO", id="colon"),
    pytest.param("@jargonaut，SLO", "SLO", id="full-width-comma"),
    pytest.param("SLO @jargonaut", "SLO", id="behind"),
    pytest.param("@JargoNaut SLO", "SLO", id="case"),
    pytest.param("@lena @jargonaut SLO", "SLO", id="somebody-else-before"),
    pytest.param("@jargonaut SLO @li.wei", "SLO", id="somebody-else-behind"),
    pytest.param("@jargonaut @jargonaut SLO", "SLO", id="twice"),
    pytest.param("@jargonaut SLO @jargonaut", "SLO", id="around"),
    pytest.param("@jargonaut什么是SLO", "什么是SLO", id="chinese-without-a-space"),
    pytest.param("请问@jargonaut，SLO是什么", "请问 SLO是什么", id="inside-chinese"),
    pytest.param("@jargonaut `AWQ`", "`AWQ`", id="code-beside-it"),
    pytest.param("@jargonaut recall@k", "recall@k", id="at-inside-a-word"),
    pytest.param("@jargonaut\u00a0define\u00a0SLO", "\u00a0define\u00a0SLO", id="no-break-spaces"),
    pytest.param("@jargonaut\u00a0SLO\nSLA", "\u00a0SLO\nSLA", id="other-white-space-stays"),
    pytest.param("@jargonaut", "", id="alone"),
    pytest.param(" @jargonaut: ", "", id="alone-with-colon"),
]

NO_MENTIONS = [
    pytest.param("what is SLO?", id="nobody"),
    pytest.param("@jargonauts SLO", id="longer-name"),
    pytest.param("@jargonaut-dev SLO", id="hyphenated-name"),
    pytest.param("@jargonaut_2 SLO", id="numbered-name"),
    pytest.param("@lena SLO", id="somebody-else"),
    pytest.param("jargonaut SLO", id="no-at"),
    pytest.param("lena@jargonaut.io SLO", id="address"),
    pytest.param("see https://example.org/@jargonaut SLO", id="url"),
    pytest.param("`@jargonaut` SLO", id="code"),
    pytest.param("```\n@jargonaut SLO\n```", id="code-block"),
    pytest.param("```@jargonaut SLO", id="code-block-never-closed"),
    pytest.param("> @jargonaut SLO", id="quoted"),
    pytest.param("and so:\n  > @jargonaut SLO", id="quoted-line"),
    pytest.param("", id="empty"),
]


@pytest.mark.parametrize(("text", "said"), MENTIONS)
def test_what_is_said_to_the_bot(text: str, said: str) -> None:
    assert mentioned(text) == said


@pytest.mark.parametrize("text", NO_MENTIONS)
async def test_what_is_no_mention_is_a_message_like_others(session: Session, ask: Ask, text: str) -> None:
    assert mentioned(text) is None
    assert session.request(Line(text, "lena")).action == "message"
    assert (await ask(json.dumps({"text": text})))["kind"] in ("silence", "explanation")


@pytest.mark.parametrize("text", [text for text, said in (param.values for param in MENTIONS) if "SLO" in str(said)])
async def test_a_mention_is_answered_for_all(ask: Ask, text: str) -> None:
    shown = await ask(json.dumps({"text": text}))
    assert "slo" in shown["concepts"]
    assert not shown["private"]


async def test_code_beside_a_mention_is_asked_about(ask: Ask) -> None:
    assert (await ask("@jargonaut `AWQ`"))["concepts"] == ["awq"]


@pytest.mark.parametrize("text", ["@jargonaut", "@jargonaut:", "@jargonaut help", "@lena @jargonaut"])
async def test_a_mention_alone_gets_private_help(ask: Ask, text: str) -> None:
    shown = await ask(text)
    assert (shown["kind"], shown["private"]) == ("help", True)


@given(any_text)
def test_mentioning_never_fails_and_only_takes_away(text: str) -> None:
    said = mentioned(f"@jargonaut {text}")
    assert said is not None
    left = iter(text)
    assert all(character in left for character in said.replace(" ", ""))


# -- Commands

REQUESTS = [
    pytest.param("/define SLO", ("define", "SLO", "slash", False), id="slash"),
    pytest.param("!define SLO", ("define", "SLO", "text", True), id="bang"),
    pytest.param("！定义 SLO", ("define", "SLO", "text", True), id="chinese-input-method"),
    pytest.param("、对比 SLO SLA", ("vs", "SLO SLA", "text", True), id="what-it-makes-of-a-slash"),
    pytest.param("/VS slo sla", ("vs", "slo sla", "slash", False), id="capitals"),
    pytest.param("\ufeff/define SLO\u200b", ("define", "SLO", "slash", False), id="invisible"),
    pytest.param("/help", ("help", "", "slash", False), id="help"),
    pytest.param("!help", ("message", "!help", "text", True), id="the-help-of-others"),
    pytest.param("/nosuch thing", ("unknown-command", "thing", "slash", False), id="unknown-slash"),
    pytest.param("!nosuch thing", ("message", "!nosuch thing", "text", True), id="the-command-of-others"),
    pytest.param("! nice", ("message", "! nice", "text", True), id="exclamation"),
    pytest.param("we need an SLO", ("message", "we need an SLO", "text", True), id="ordinary"),
    pytest.param("", ("message", "", "text", True), id="empty"),
    pytest.param("@jargonaut SLO", ("mention", "SLO", "mention", True), id="mention"),
    pytest.param("/define @jargonaut", ("define", "@jargonaut", "slash", False), id="command-before-mention"),
]


@pytest.mark.parametrize(("text", "made"), REQUESTS)
def test_what_a_line_asks_for(session: Session, text: str, made: tuple[str, str, str, bool]) -> None:
    request = session.request(Line(text, "lena"))
    assert (request.action, request.text, request.by, request.public) == made
    assert request.press is None


@pytest.mark.parametrize(
    ("text", "press", "public"),
    [
        pytest.param(
            f"j1:define:z!:{SLO}", Press("define", (SLO,), language="zh-Hans", switch=True), False, id="private"
        ),
        pytest.param(f"  j1:define:e:{SLO} ", Press("define", (SLO,), language="en"), False, id="spaces-around"),
        pytest.param(
            f"j1:define:e:{SLO}@abcde", Press("define", (SLO,), language="en", asker="abcde"), True, id="public"
        ),
    ],
)
def test_a_button_is_pressed(session: Session, text: str, press: Press, public: bool) -> None:
    request = session.request(Line(text, "lena"))
    assert (request.action, request.press, request.by, request.public) == ("define", press, "button", public)


@pytest.mark.parametrize(
    "text", ["j1:", "j1:nosuch", "j1:DEFINE", "j1:define:x", "j1:define:e:short", f"j1:{'a' * 200}", "j1:定义"]
)
async def test_what_is_no_button_of_ours_is_said_so(ask: Ask, text: str, phrases: Phrases) -> None:
    shown = await ask(text)
    assert (shown["kind"], shown["error"]) == ("error", "usage")
    assert shown["text"] == phrases.say("usage.unknown_button", "en")


def test_who_where_and_when(session: Session) -> None:
    before = datetime.now(UTC).date()
    session.locale = "zh-Hans"
    request = session.request(Line("/define SLO", "li wei", "t1"))
    assert request.person == Person("terminal", "", "li wei")
    assert request.place == Place("terminal", "", "terminal", "t1")
    assert (request.name, request.locale) == ("li wei", "zh-Hans")
    assert before <= request.today <= datetime.now(UTC).date()
    assert 0 <= request.chance < 1
    assert session.request(Line("/define SLO", "li wei")).place.thread is None


async def test_the_locale_of_the_terminal_counts(session: Session) -> None:
    session.locale = "zh-Hans"
    assert (await session.answer(Line("/define SLO", "lena"))).language == "zh-Hans"


@pytest.mark.parametrize(
    ("number", "pressed"), [(0, None), (1, "j1:help"), (2, "j1:random"), (3, None), (-1, None)], ids=str
)
def test_numbers_press_what_is_on_the_screen(session: Session, number: int, pressed: str | None) -> None:
    session.buttons = [Button("Help", "j1:help"), Button("A random term", "j1:random")]
    assert session.press(number) == pressed


NUMBERS = {"1": 1, " 12 ": 12, "３": 3, "0": 0, "999": 999}
NO_NUMBERS = ("1000", "²", "①", "½", "-1", "1.5", "1 2", "", "one", "一")


@pytest.mark.parametrize(("text", "number"), [*NUMBERS.items(), *((text, None) for text in NO_NUMBERS)])
def test_numbers(text: str, number: int | None) -> None:
    assert number_in(text) == number


# -- Objects

OBJECTS = [
    pytest.param({"text": "/define SLO"}, Line("/define SLO", "me"), id="text"),
    pytest.param({"text": "a\nb"}, Line("a\nb", "me"), id="line-break"),
    pytest.param({"text": "SLO", "person": "li"}, Line("SLO", "li"), id="person"),
    pytest.param({"text": "SLO", "thread": "t1"}, Line("SLO", "me", "t1"), id="thread"),
    pytest.param({"text": ""}, Line("", "me"), id="empty"),
    pytest.param({"text": "SLO", "person": 5, "thread": ["t"]}, Line("SLO", "me"), id="bad-types-of-the-rest"),
    pytest.param({"text": "SLO", "person": None, "thread": None}, Line("SLO", "me"), id="nulls"),
    pytest.param({"text": "SLO", "colour": "red"}, Line("SLO", "me"), id="unknown-key"),
    pytest.param({"text": '{"text": "SLO"}'}, Line('{"text": "SLO"}', "me"), id="not-twice"),
]


@pytest.mark.parametrize(("value", "line"), OBJECTS)
def test_an_object_stands_for_its_text(value: dict[str, Any], line: Line) -> None:
    assert read_line(json.dumps(value), "me") == line
    assert read_line(f"  {json.dumps(value)} ", "me") == line


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("{ slo", id="not-closed"),
        pytest.param("{slo}", id="no-json"),
        pytest.param("{}", id="no-text"),
        pytest.param('{"text": 5}', id="number"),
        pytest.param('{"text": null}', id="null"),
        pytest.param('{"Text": "SLO"}', id="other-key"),
        pytest.param('[{"text": "SLO"}]', id="list"),
        pytest.param('{"text": "SLO"} and more', id="more-behind"),
        pytest.param('{"text":' * 20_000, id="too-deep"),
        pytest.param('{"text": "SLO", "n": ' + "9" * 5_000 + "}", id="too-long-a-number"),
    ],
)
def test_what_is_no_such_object_is_a_text(raw: str) -> None:
    assert read_line(raw, "me") == Line(raw, "me")
