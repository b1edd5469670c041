"""Typed text -> a command and its argument, as keyboards and input methods write it."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.commands.typed import read, read_mention
from tests.texts import any_text

TYPED: dict[str, tuple[str, str, str | None, str]] = {
    "slash": ("/define continuous batching", "/", "define", "continuous batching"),
    "bang": ("!vs slo sla", "!", "vs", "slo sla"),
    "alone": ("/glossary", "/", "glossary", ""),
    "upper case": ("!DEFINE SLO", "!", "define", "SLO"),
    "full-width letters": ("！ｄｅｆｉｎｅ slo", "!", "define", "slo"),
    "spaces around": ("  /define   slo  ", "/", "define", "slo"),
    "a space after the slash": ("/ define slo", "/", "define", "slo"),
    "line break": ("/define\nslo\nsla", "/", "define", "slo\nsla"),
    "invisible": ("\u200b/define\u200b slo", "/", "define", "slo"),
    "chinese exclamation mark": ("！define slo", "!", "define", "slo"),
    "chinese slash": ("／vs slo sla", "!", "vs", "slo sla"),
    "ideographic comma": ("、define slo", "!", "define", "slo"),
    "ideographic space": ("/对比　SLO　SLA", "/", "vs", "SLO　SLA"),
    "chinese word": ("/查 连续批处理", "/", "define", "连续批处理"),
    "chinese word, no space": ("！查连续批处理", "!", "define", "连续批处理"),
    "longer chinese word first": ("/查询量化", "/", "define", "量化"),
    "traditional": ("/對比 SLO SLA", "/", "vs", "SLO SLA"),
    "chinese list": ("、术语表", "!", "glossary", ""),
    "chinese setting": ("/语言 中文", "/", "lang", "中文"),
    "a word that only begins like a setting": ("！语言模型", "!", None, ""),
    "unknown slash": ("/nosuch thing", "/", None, "thing"),
    "unknown bang": ("!play song", "!", None, "song"),
    "longer than a command": ("!defined slo", "!", None, "slo"),
}


@pytest.mark.parametrize(("text", "mark", "command", "argument"), TYPED.values(), ids=TYPED)
def test_a_command(text: str, mark: str, command: str | None, argument: str) -> None:
    typed = read(text)
    assert typed is not None
    assert typed.mark == mark
    assert (typed.command.name if typed.command else None) == command
    assert typed.argument == argument


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "define slo", "what is /define", "！", "! nice", "! define slo", "!\tdefine slo", "！ 定义 SLO"),
        *(
            "、 查 SLO",
            "\u200b! define slo",
            "!!",
            "!!!",
            "?define slo",
            "$define slo",
            "@jargonaut slo",
            "j1:define::",
        ),
    ],
    ids=ascii,
)
def test_no_command(text: str) -> None:
    assert read(text) is None


MENTIONED: dict[str, tuple[str, str, str]] = {
    "vs": ("vs slo sla", "vs", "slo sla"),
    "define": ("Define SLO", "define", "SLO"),
    "colon": ("define: slo", "define", "slo"),
    "chinese colon": ("对比：SLO SLA", "vs", "SLO SLA"),
    "alone": ("glossary", "glossary", ""),
    "chinese alone": ("术语表", "glossary", ""),
    "traditional": ("術語表", "glossary", ""),
    "setting": ("lang zh", "lang", "zh"),
}


@pytest.mark.parametrize(("text", "command", "argument"), MENTIONED.values(), ids=MENTIONED)
def test_a_mention_that_begins_with_a_command(text: str, command: str, argument: str) -> None:
    typed = read_mention(text)
    assert typed is not None
    assert typed.command is not None
    assert (typed.command.name, typed.argument) == (command, argument)


@pytest.mark.parametrize(
    "text",
    [
        *("", "slo", "what is vs", "slo vs sla", "vs. slo sla", "defined by whom", "jargonaut help"),
        *("查重是什么", "语言模型是什么", "对比学习", "释义学", "/define slo"),
    ],
)
def test_a_mention_that_only_looks_like_one(text: str) -> None:
    assert read_mention(text) is None


@given(any_text)
def test_any_text_can_be_read(text: str) -> None:
    for typed in (read(text), read_mention(text)):
        assert typed is None or typed.argument == typed.argument.strip()
