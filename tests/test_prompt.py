"""The prompt: completion, and one real chat at a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as bounds
from prompt_toolkit.completion import CompleteEvent, Completion
from prompt_toolkit.document import Document

from adapters.terminal.prompt import LabelCompleter
from adapters.terminal.session import Session
from bot.bot import Bot, fixed
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Place
from bot.state.memory import MemoryStore
from tests.processes import Jargonaut
from tests.terminals import PROMPT, acted_on, at_a_terminal
from tests.texts import any_text


@pytest.fixture(scope="module")
def completer(glossary: Glossary, phrases: Phrases) -> LabelCompleter:
    session = Session(Bot(fixed(glossary), phrases, MemoryStore()), "lena")
    return LabelCompleter(session, Place("terminal", "", "terminal"))


def offered(completer: LabelCompleter, typed: str) -> list[Completion]:
    return list(completer.get_completions(Document(typed), CompleteEvent(text_inserted=True)))


def taken(typed: str, completion: Completion) -> str:
    """The line after the completion was taken."""
    return typed[: len(typed) + completion.start_position] + completion.text


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        pytest.param("/define kv", "/define KV cache", id="prefix"),
        pytest.param("/define kv ", "/define KV cache", id="space-behind"),
        pytest.param("  /define   kv", "  /define   KV cache", id="spaces-before"),
        pytest.param("!define contin", "!define Continuous batching", id="bang"),
        pytest.param("/define batching", "/define Dynamic batching", id="inside-words"),
        pytest.param("/vs slo", "/vs SLO", id="first-side"),
        pytest.param("/vs slo vs sl", "/vs slo vs SLA", id="second-side"),
        pytest.param("/定义 连续批", "/定义 连续批处理", id="chinese"),
        pytest.param("！查 连续批", "！查 连续批处理", id="chinese-mark"),
        pytest.param("/define speculativ decoding", "/define Speculative decoding", id="typo"),
        pytest.param("/define k\u200bv", None, id="invisible-inside"),
        pytest.param("/define", None, id="no-argument"),
        pytest.param("/define ", None, id="no-argument-yet"),
        pytest.param("/lang z", None, id="another-command"),
        pytest.param("/nosuch kv", None, id="no-command"),
        pytest.param("kv", None, id="ordinary"),
        pytest.param("@jargonaut kv", None, id="mention"),
        pytest.param("", None, id="empty"),
    ],
)
def test_what_is_completed(completer: LabelCompleter, typed: str, line: str | None) -> None:
    lines = [taken(typed, completion) for completion in offered(completer, typed)]
    assert line in lines if line is not None else lines == []


def test_a_choice_shows_both_languages_and_a_summary(completer: LabelCompleter, glossary: Glossary) -> None:
    section = glossary.concepts["kv-cache"].sections["en"]
    shown = {
        choice.text: (choice.display_text, choice.display_meta_text) for choice in offered(completer, "/define kv c")
    }
    title, summary = shown[section.pref_label.text]
    assert title == " · ".join(
        dict.fromkeys(s.pref_label.text for s in glossary.concepts["kv-cache"].sections.values())
    )
    assert summary == section.summary


def test_choices_fit_on_the_screen(completer: LabelCompleter) -> None:
    assert len(offered(completer, "/define a")) == 8


@given(any_text)
@bounds(max_examples=60)
def test_whatever_is_typed_completion_replaces_only_the_end(completer: LabelCompleter, text: str) -> None:
    typed = f"/define {text}"
    for choice in offered(completer, typed):
        assert -len(text) <= choice.start_position < 0
        assert acted_on(choice.text + choice.display_text + choice.display_meta_text) == []


# -- A real terminal


def test_a_chat_at_a_terminal(tmp_path: Path, glossary: Glossary, phrases: Phrases) -> None:
    ttft = glossary.concepts["ttft"]
    with at_a_terminal(Jargonaut(tmp_path), "chat", LANG="en_US.UTF-8") as terminal:
        terminal.read_until(phrases.say("chat.welcome", "en"))
        terminal.read_until(PROMPT)
        terminal.type("/define ttft\r")
        terminal.read_until(ttft.sections["en"].definition[:40])
        terminal.read_until("[1] 中文")
        terminal.read_until(PROMPT)
        terminal.type("²\r")
        terminal.read_until(phrases.say("chat.silence", "en"))
        terminal.read_until(PROMPT)
        terminal.type("99\r")
        terminal.read_until(phrases.say("chat.no_button", "en"))
        terminal.read_until(PROMPT)
        terminal.type("1\r")
        terminal.read_until(ttft.sections["zh-Hans"].definition[:20])
        terminal.read_until("[1] English")
        terminal.read_until(PROMPT)
        terminal.type("\x04")
        assert terminal.end() == 0


def test_the_locale_of_the_terminal_chooses_the_language(tmp_path: Path, phrases: Phrases) -> None:
    with at_a_terminal(Jargonaut(tmp_path), "chat", LC_ALL="zh_CN.UTF-8") as terminal:
        terminal.read_until(phrases.say("chat.welcome", "zh-Hans"))
        terminal.read_until(PROMPT)
        terminal.type("/define slo\r")
        terminal.read_until("[2] " + phrases.say("share", "zh-Hans"))
        terminal.read_until(PROMPT)
        terminal.type("/quit\r")
        assert terminal.end() == 0
