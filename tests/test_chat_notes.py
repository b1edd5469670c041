"""Notes that nobody asked for, as the terminal shows them. What gets one and what doesn't: test_manners."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest

from adapters.terminal.chat import piped, scripted
from adapters.terminal.session import Session
from adapters.terminal.store import ChatStore
from bot.bot import Bot, fixed
from bot.glossary.yaml_files import Loaded
from bot.phrases import Phrases
from bot.state.memory import MemoryStore


def session(loaded: Loaded, kept: MemoryStore, *, apart: bool) -> Session:
    return Session(Bot(fixed(loaded.glossary), loaded.phrases, ChatStore(kept)), "lena", apart=apart)


class Script:
    """`jargonaut chat --json`, line by line."""

    def __init__(self, loaded: Loaded, kept: MemoryStore | None = None) -> None:
        self._session = session(loaded, kept or MemoryStore(), apart=True)

    async def __call__(self, text: str, **more: str) -> dict[str, Any]:
        out = StringIO()
        await scripted(self._session, StringIO(json.dumps({"text": text, **more}) + "\n"), out)
        shown: dict[str, Any] = json.loads(out.getvalue())
        return shown


@pytest.fixture
def say(loaded: Loaded) -> Script:
    return Script(loaded)


def button(shown: dict[str, Any], label: str) -> str:
    (found,) = [entry["request"] for entry in shown["buttons"] if entry["label"] == label]
    return str(found)


# -- For scripts


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        pytest.param("SLO", [("slo", "SLO", 0)], id="alone"),
        pytest.param("😀😀 the SLO", [("slo", "SLO", 7)], id="emoji"),
        pytest.param("今天的SLO达标了，AWQ也好", [("slo", "SLO", 3), ("awq", "AWQ", 10)], id="chinese"),
        pytest.param("㎏…①ＡＷＱ很快", [("awq", "ＡＷＱ", 3)], id="full width behind longer folds"),
        pytest.param(
            "\tSLO \n  KV  \u200bcache ", [("slo", "SLO", 1), ("kv-cache", "KV  \u200bcache", 8)], id="spaces"
        ),
        pytest.param("e\u0301 SLO", [("slo", "SLO", 3)], id="an accent of its own"),
    ],
)
async def test_places_are_code_points_of_the_text(say: Script, text: str, mentions: list[tuple[str, str, int]]) -> None:
    shown = await say(text)
    assert [(m["concept"], m["text"], m["start"]) for m in shown["mentions"]] == mentions
    assert all(text[m["start"] : m["end"]] == m["text"] for m in shown["mentions"])


async def test_mentions_stand_on_silence_too(say: Script) -> None:
    first, again = await say("the SLO", thread="t"), await say("the SLO", thread="t")
    assert (first["kind"], again["kind"], again["concepts"]) == ("explanation", "silence", [])
    assert again["mentions"] == first["mentions"] != []


async def test_mentions_are_before_budgets_concepts_behind_them(say: Script) -> None:
    shown = await say("TTFT, TPOT, AWQ, GPTQ and the SLO")
    assert [mention["concept"] for mention in shown["mentions"]] == ["ttft", "tpot", "awq", "gptq", "slo"]
    assert len(shown["concepts"]) == 3
    assert set(shown["concepts"]) < {mention["concept"] for mention in shown["mentions"]}


async def test_each_line_without_a_thread_is_a_channel_of_its_own(say: Script) -> None:
    assert [(await say("the SLO"))["kind"] for _ in range(10)] == ["explanation"] * 10


async def test_lines_of_a_thread_belong_together(say: Script) -> None:
    kinds = [(await say("the SLO", thread=thread))["kind"] for thread in ("a", "a", "b")]
    assert kinds[:2] == ["explanation", "silence"]


async def test_a_new_chat_knows_nothing_of_the_one_before(loaded: Loaded) -> None:
    kept = MemoryStore()
    for _ in range(2):
        say = Script(loaded, kept)
        assert (await say("the SLO", thread="t"))["kind"] == "explanation"
        await say("/autoexplain off", thread="t")
        assert (await say("AWQ", thread="t"))["kind"] == "silence"


async def test_who_wants_no_notes_gets_none(say: Script) -> None:
    await say("/jargonaut mute", person="li")
    assert (await say("the SLO", person="li"))["kind"] == "silence"
    assert (await say("the SLO", person="ana"))["kind"] == "explanation"


async def test_switching_notes_off_is_said_to_all(say: Script, phrases: Phrases) -> None:
    off = await say("/autoexplain off", thread="t", person="Lena")
    assert (off["kind"], off["private"]) == ("setting", False)
    assert off["text"] == phrases.say("auto.announced.off", "en", name="Lena")
    assert (await say("the SLO", thread="t"))["kind"] == "silence"


async def test_the_state_of_a_channel_is_told_to_whoever_asks(say: Script) -> None:
    shown = await say("/autoexplain", thread="t")
    assert (shown["kind"], shown["private"]) == ("setting", True)
    assert "update" not in shown
    assert "mentions" not in shown


async def test_explain_finds_more_than_notes_do(say: Script) -> None:
    text = "is the model online? TTFT"
    shown = await say(f"/explain {text}")
    note = await say(text)
    assert (shown["kind"], shown["private"]) == ("explanation", True)
    assert set(note["concepts"]) < set(shown["concepts"])


# -- The buttons of a note


async def test_the_author_says_that_a_term_means_something_else(say: Script, phrases: Phrases) -> None:
    note = await say("TTFT and the SLO", thread="t")
    pressed = await say(button(note, "Wrong meaning: TTFT"), thread="t")
    assert (pressed["text"], pressed["private"]) == (phrases.say("note.silenced", "en"), True)
    assert pressed["update"]["reply"]
    assert "TTFT" not in pressed["update"]["text"]
    assert "SLO" in pressed["update"]["text"]
    last = await say(button(note, "Wrong meaning: SLO"), thread="t")
    assert last["update"] == {"reply": pressed["update"]["reply"], "text": None}


async def test_one_reader_alone_changes_nothing_two_do(say: Script, phrases: Phrases) -> None:
    wrong = button(await say("the SLO", thread="t"), "Wrong meaning here")
    first = await say(wrong, thread="t", person="li")
    assert first["text"] == phrases.say("note.voted", "en")
    assert "update" not in first
    assert "update" not in await say(wrong, thread="t", person="li")
    assert (await say(wrong, thread="t", person="ana"))["update"]["text"] is None


async def test_a_note_is_removed_once(say: Script, phrases: Phrases) -> None:
    remove = button(await say("the SLO", thread="t"), "Remove this note")
    pressed = await say(remove, thread="t")
    assert (pressed["text"], pressed["update"]["text"]) == (phrases.say("note.removed", "en"), None)
    again = await say(remove, thread="t")
    assert again["text"] == phrases.say("note.gone", "en")
    assert "update" not in again


async def test_a_button_belongs_to_its_note_wherever_it_is_pressed(say: Script) -> None:
    """Strings of buttons don't name the channel; a line without a thread would be another one."""
    remove = button(await say("the SLO"), "Remove this note")
    assert (await say(remove))["update"]["text"] is None


async def test_what_somebody_knows_or_does_not_want_is_theirs_alone(say: Script) -> None:
    note = await say("the SLO", thread="t")
    assert "update" not in await say(button(note, "I know these"), person="li")
    assert "update" not in await say(button(note, "Not under my messages"), person="bo")
    kinds = {person: (await say("our SLO", person=person))["kind"] for person in ("li", "bo", "ana")}
    assert kinds == {"li": "silence", "bo": "silence", "ana": "explanation"}
    assert (await say("TTFT", person="li"))["kind"] == "explanation"


async def test_the_language_button_gives_a_private_copy(say: Script) -> None:
    copy = await say(button(await say("the SLO", thread="t"), "中文"), thread="t")
    assert (copy["language"], copy["private"], copy["concepts"]) == ("zh-Hans", True, ["slo"])
    assert (await say("/define awq"))["language"] == "en", "it saves nothing"


# -- From a pipe


async def pipe(loaded: Loaded, *lines: str) -> list[str]:
    """What comes out, answer by answer."""
    out = StringIO()
    await piped(session(loaded, MemoryStore(), apart=False), loaded.phrases, StringIO("\n".join(lines)), out)
    return out.getvalue().removesuffix("\n\n").split("\n\n") if out.getvalue() else []


async def test_a_pipe_is_one_channel(loaded: Loaded) -> None:
    (note,) = await pipe(loaded, "the SLO", "the SLO", "our SLOs")
    assert note.startswith(loaded.phrases.say("note.title.one", "en"))


@pytest.mark.parametrize(
    ("text", "number", "line"),
    [("the SLO", 6, "chat.note_gone"), ("TTFT and the SLO", 4, "chat.note_less"), ("SLO 达标了", 6, "chat.note_gone")],
)
async def test_what_becomes_of_a_note_is_told_in_a_line(loaded: Loaded, text: str, number: int, line: str) -> None:
    note, pressed = await pipe(loaded, text, str(number))
    assert f"[{number}] " in note
    told = {loaded.phrases.say(line, language) for language in ("en", "zh-Hans")}
    assert pressed.splitlines()[-1] in told
    assert len(pressed.splitlines()) == 2


async def test_a_preview_reads_what_was_said_before(loaded: Loaded) -> None:
    *_, state = await pipe(loaded, "the SLO", "lunch?", "/autoexplain")
    assert "In the last 2 messages: 1 note – SLO" in state
