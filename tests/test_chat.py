"""The chat from a pipe and for scripts. At a prompt: test_prompt; as a process: test_cli."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator
from io import StringIO
from typing import Any, Final, get_args

import pytest
from hypothesis import given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from adapters.terminal.chat import MAX_LINE, piped, scripted, warm_later
from adapters.terminal.session import Session
from adapters.terminal.store import ChatStore
from bot.answer import Fault, Kind, Shown
from bot.bot import Bot, fixed
from bot.glossary.concept import LANGUAGES
from bot.glossary.yaml_files import Loaded
from bot.request import decode
from bot.state.memory import MemoryStore
from tests.terminals import acted_on
from tests.texts import any_text

KEYS: Final = {"kind", "concepts", "comparison", "language", "private", "text", "buttons"}


def new_session(loaded: Loaded) -> Session:
    """As `jargonaut chat` makes one for a script."""
    return Session(Bot(fixed(loaded.glossary), loaded.phrases, ChatStore(MemoryStore())), "lena", apart=True)


async def script(loaded: Loaded, *lines: str) -> list[dict[str, Any]]:
    out = StringIO()
    await scripted(new_session(loaded), StringIO("".join(f"{line}\n" for line in lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


async def pipe(loaded: Loaded, *lines: str) -> list[str]:
    """What comes out, answer by answer."""
    out = StringIO()
    await piped(new_session(loaded), loaded.phrases, StringIO("\n".join(lines)), out)
    return out.getvalue().removesuffix("\n\n").split("\n\n") if out.getvalue() else []


# -- For scripts

ANSWERS = [
    pytest.param("/define ttft", {"kind": "definition", "concepts": ["ttft"], "private": True}, id="definition"),
    pytest.param("!define ttft", {"kind": "definition", "concepts": ["ttft"], "private": False}, id="public"),
    pytest.param("@jargonaut 什么是 TTFT?", {"kind": "definition", "language": "zh-Hans"}, id="chinese"),
    pytest.param("!vs slo sla", {"kind": "comparison", "comparison": "slo-vs-sla"}, id="comparison"),
    pytest.param("/vs sla slo", {"comparison": "slo-vs-sla", "concepts": ["sla", "slo"]}, id="in-the-order-typed"),
    pytest.param("/vs ttft awq", {"kind": "comparison", "comparison": None}, id="side-by-side"),
    pytest.param("/vs slo slo", {"kind": "error", "error": "same"}, id="same"),
    pytest.param("/vs slo", {"kind": "error", "error": "missing"}, id="missing"),
    pytest.param("/define", {"kind": "error", "error": "usage", "private": True}, id="usage"),
    pytest.param("/nosuch", {"kind": "error", "error": "usage"}, id="unknown-command"),
    pytest.param("/define zzyzx", {"kind": "unknown", "concepts": [], "unknown": ["zzyzx"]}, id="unknown"),
    pytest.param("/vs slo zzyzx", {"kind": "unknown", "unknown": ["zzyzx"]}, id="unknown-side"),
    pytest.param("/define drift", {"kind": "choice"}, id="choice"),
    pytest.param("/glossary", {"kind": "list"}, id="list"),
    pytest.param("/help", {"kind": "help"}, id="help"),
    pytest.param("/lang", {"kind": "setting"}, id="setting"),
    pytest.param("!nosuch", {"kind": "silence"}, id="a-command-of-others"),
    pytest.param("we need lunch", {"kind": "silence", "text": "", "buttons": [], "mentions": []}, id="ordinary"),
    pytest.param("the SLO slips", {"kind": "explanation", "concepts": ["slo"], "private": False, "mentions": [
        {"concept": "slo", "text": "SLO", "start": 4, "end": 7}]}, id="a-term-in-a-message"),
    pytest.param("`SLO`", {"kind": "silence", "mentions": []}, id="code"),
    pytest.param("TTFT (time to first token)", {"kind": "silence", "concepts": [], "mentions": [
        {"concept": "ttft", "text": "TTFT", "start": 0, "end": 4},
        {"concept": "ttft", "text": "time to first token", "start": 6, "end": 25}]}, id="spelt-out"),
    pytest.param("𝐓𝐓𝐅𝐓 延迟：😀 SLO", {"kind": "explanation", "mentions": [
        {"concept": "ttft", "text": "𝐓𝐓𝐅𝐓", "start": 0, "end": 4},
        {"concept": "slo", "text": "SLO", "start": 10, "end": 13}]}, id="places-in-code-points"),
    pytest.param("/explain TTFT and SLO", {"kind": "explanation", "concepts": ["ttft", "slo"], "private": True},
        id="explain"),
    pytest.param("", {"kind": "silence"}, id="empty"),
    pytest.param(" \t ", {"kind": "silence"}, id="spaces"),
    pytest.param('{"text": "/define ttft"}', {"kind": "definition"}, id="object"),
    pytest.param('{"text": "/define\\nttft"}', {"kind": "definition"}, id="line-break"),
    pytest.param("{ ttft", {"kind": "explanation", "concepts": ["ttft"]}, id="a-text-in-braces"),
    pytest.param("1", {"kind": "silence"}, id="numbers-press-nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), ANSWERS)
async def test_what_a_script_gets(loaded: Loaded, line: str, expected: dict[str, Any]) -> None:
    (shown,) = await script(loaded, line)
    assert shown | expected == shown
    mentions = {"mentions"} if shown["kind"] in ("explanation", "silence") else set()
    assert set(shown) == KEYS | mentions | ({"error", "unknown"} & set(expected))


async def test_exactly_one_ascii_object_per_line_in_order(loaded: Loaded) -> None:
    lines = ["@jargonaut 什么是 SLI？", "", "/define ttft", "/define a\rb\x0b\x0c\x85\u2028c", "hello", "/define slo\r"]
    out = StringIO()
    await scripted(new_session(loaded), StringIO("\n".join(lines)), out)
    assert out.getvalue().isascii()
    assert out.getvalue().endswith("\n")
    shown = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["kind"] for answer in shown] == [
        "definition",
        "silence",
        "definition",
        "unknown",
        "silence",
        "definition",
    ]
    assert [answer["concepts"] for answer in shown[::2]] == [["sli"], ["ttft"], []]


async def test_nothing_in_nothing_out(loaded: Loaded) -> None:
    assert await script(loaded) == []


async def test_the_text_has_no_numbers_since_scripts_press_strings(loaded: Loaded) -> None:
    (shown,) = await script(loaded, "/define drift")
    assert "[1]" not in shown["text"]
    assert [set(button) for button in shown["buttons"]] == [{"label", "request"}] * len(shown["concepts"])


async def test_a_line_presses_a_button(loaded: Loaded) -> None:
    (first,) = await script(loaded, "/define ttft")
    other = next(button["request"] for button in first["buttons"] if button["label"] == "中文")
    pressed, after = await script(loaded, other, "/define slo")
    assert (pressed["kind"], pressed["concepts"], pressed["language"]) == ("definition", ["ttft"], "zh-Hans")
    assert after["language"] == "zh-Hans", "a language button on a private answer saves the choice"


async def test_what_a_person_set_stays_with_the_person(loaded: Loaded) -> None:
    lines = [
        {"text": "/lang zh", "person": "li"},
        {"text": "/define slo", "person": "li", "thread": "t1"},
        {"text": "/define slo", "person": "ana", "thread": "t1"},
        {"text": "/define slo"},
    ]
    shown = await script(loaded, *map(json.dumps, lines))
    assert [answer["language"] for answer in shown] == ["zh-Hans", "zh-Hans", "en", "en"]


async def test_a_line_longer_than_the_limit_is_cut_not_refused(loaded: Loaded) -> None:
    cut, after = await script(loaded, "/define ttft" + " " * MAX_LINE + "and what was cut", "/define slo")
    assert (cut["concepts"], after["concepts"]) == (["ttft"], ["slo"])


# -- From a pipe


async def test_a_pipe_gets_answers_and_an_empty_line_after_each(loaded: Loaded) -> None:
    first, second = await pipe(loaded, "/define ttft", "/vs slo sla")
    assert first.splitlines()[0] == "TTFT"
    assert second.splitlines()[0].startswith("SLO vs")


async def test_silence_prints_nothing(loaded: Loaded) -> None:
    assert await pipe(loaded, "", "hello", "!nosuch", "2", "`@jargonaut slo`") == []


@pytest.mark.parametrize(("number", "label"), [("1", "中文"), (" 1 ", "中文"), ("１", "中文")])
async def test_a_number_presses_a_button(loaded: Loaded, number: str, label: str) -> None:
    before, after = await pipe(loaded, "/define ttft", number)
    assert f"[1] {label}" in before
    assert loaded.glossary.concepts["ttft"].sections["zh-Hans"].definition in after


async def test_numbers_belong_to_the_last_answer(loaded: Loaded) -> None:
    choice, definition, back = await pipe(loaded, "/define drift", "2", "hello", "99", "0", "1")
    second = choice.splitlines()[2]
    assert second.startswith(f"[2] {definition.splitlines()[0]}")
    assert "[1] 中文" in definition
    assert back.splitlines()[0] != definition.splitlines()[0], "the language button turns the heading round"


async def test_what_a_pipe_gets_from_a_script_object(loaded: Loaded) -> None:
    (answer,) = await pipe(loaded, '{"text": "/define ttft"}')
    assert answer.splitlines()[0] == "TTFT"


class Flushed(StringIO):
    """Knows how much of it somebody who waits for it has seen."""

    flushed = 0

    def flush(self) -> None:
        self.flushed = self.tell()


@pytest.mark.parametrize("loop", [piped, scripted])
async def test_every_answer_is_out_before_the_next_line_is_read(loaded: Loaded, loop: Any) -> None:
    out = Flushed()
    seen: list[int] = []

    def lines() -> Iterator[str]:
        for line in ("/define ttft\n", "/define slo\n", "/vs slo sla\n"):
            yield line
            seen.append(out.flushed)

    words = (loaded.phrases,) if loop is piped else ()
    await loop(new_session(loaded), *words, lines(), out)
    assert seen == sorted(set(seen))
    assert seen[-1] == len(out.getvalue())


async def test_warming_happens_beside_the_chat() -> None:
    done: list[str] = []
    await warm_later(lambda: done.append("warm"))
    assert done == ["warm"]


# -- Whatever comes in


def failed(loaded: Loaded) -> tuple[str, ...]:
    """How an answer begins that hides an unexpected failure."""
    return tuple(loaded.phrases.say("error", language, ref="\0").partition("\0")[0] for language in LANGUAGES)


def check(loaded: Loaded, raw: str) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(raw)
    assert raw.isascii()
    mentions = {"mentions"} if shown["kind"] in ("explanation", "silence") else set()
    assert set(shown) - {"error", "unknown", "update"} == KEYS | mentions
    assert shown["kind"] in get_args(Kind)
    assert shown["language"] in get_args(Shown)
    assert shown.get("error") in {None, *get_args(Fault)}
    assert (shown["kind"] == "error") == ("error" in shown)
    assert (shown["kind"] == "silence") == (shown["text"] == "")
    assert set(shown["concepts"]) <= set(loaded.glossary.concepts)
    assert acted_on(shown["text"]) == []
    assert not shown["text"].startswith(failed(loaded)), "an unexpected failure"
    for button in shown["buttons"]:
        decode(button["request"])
    return shown


MARKS: Final = (
    "",
    "/define ",
    "!define ",
    "/vs ",
    "!vs ",
    "@jargonaut ",
    "/glossary ",
    "/lang ",
    "/jargonaut ",
    "/",
    "!",
)
typed_lines = st.builds(str.__add__, st.sampled_from((*MARKS, "j1:", "{")), any_text)


@given(st.lists(typed_lines, min_size=1, max_size=4))
@bounds(max_examples=60)
def test_any_lines_give_as_many_good_answers(loaded: Loaded, lines: list[str]) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    out = StringIO()
    asyncio.run(scripted(new_session(loaded), StringIO("\n".join(lines) + "\n"), out))
    shown = out.getvalue().splitlines()
    assert len(shown) == len(lines)
    for raw in shown:
        check(loaded, raw)


@given(typed_lines, any_text, any_text)
@bounds(max_examples=60)
def test_any_object_gives_one_good_answer(loaded: Loaded, text: str, person: str, thread: str) -> None:
    out = StringIO()
    line = json.dumps({"text": text, "person": person, "thread": thread})
    asyncio.run(scripted(new_session(loaded), StringIO(line), out))
    check(loaded, out.getvalue())


MOST_PRESSES: Final = 3000


async def test_every_button_leads_somewhere(loaded: Loaded) -> None:
    """Presses what the answers offer, breadth first, and what those offer, up to a limit."""
    session = new_session(loaded)
    lines = deque(
        [
            "/help",
            "/glossary",
            "/jargonaut",
            "/vs drift batching",
            "/define zzyzx",
            "!define drift",
            "!vs slo sla",
            "/vs slo",
            "TTFT since continuous batching",
            "/explain TTFT, TPOT, SLO, SLA, FP16, INT8 and KV cache",
            "/autoexplain",
        ]
    )
    met = set(lines)
    kinds = set()
    for _ in range(MOST_PRESSES):
        if not lines:
            break
        line = lines.popleft()
        out = StringIO()
        await scripted(session, StringIO(line), out)
        shown = check(loaded, out.getvalue())
        assert shown["kind"] not in {"silence", "error"} or not line.startswith("j1:"), line
        kinds.add(shown["kind"])
        new = [button["request"] for button in shown["buttons"] if button["request"] not in met]
        met.update(new)
        lines.extend(new)
    assert kinds >= {"definition", "comparison", "choice", "list", "help", "setting"}
