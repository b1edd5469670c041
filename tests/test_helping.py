"""The help, and what a mention says that is no question."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer import Field, Heading, Note
from bot.commands.helping import is_long, is_small_talk
from bot.commands.names import COMMANDS
from tests.desks import Desk, button, labels, said


@pytest.mark.parametrize("language", ["en", "zh-Hans", "both"])
def test_help_lists_every_command_with_its_usage(language: Any, desk: Desk) -> None:
    answer = desk.at(language=language).slash("help").answer
    assert (answer.kind, answer.where) == ("help", "private")
    chrome = answer.chrome
    assert isinstance(answer.blocks[0], Heading)
    assert isinstance(answer.blocks[-1], Note)
    assert list(answer.blocks[1:-1]) == [
        Field(f"/{command.usage}", desk.phrases.say(f"help.{command.name}", chrome)) for command in COMMANDS
    ]


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
@pytest.mark.parametrize("mark", ["", "/", "!"])
def test_help_for_one_command(name: str, mark: str, desk: Desk) -> None:
    fields = [block for block in desk.slash("help", mark + name).answer.blocks if isinstance(block, Field)]
    assert [field.name.split()[0] for field in fields] == [f"/{name}"]


def test_help_for_something_else_is_all_of_it(desk: Desk) -> None:
    assert desk.slash("help", "nosuch").answer.blocks == desk.slash("help").answer.blocks


def test_help_for_all_is_for_the_asker(desk: Desk) -> None:
    assert desk.bang("help").answer.where == "private"


@pytest.mark.parametrize("text", ["", " ", "?", "\u200b", "……"])
def test_a_lone_mention_gets_three_lines(text: str, desk: Desk) -> None:
    answer = desk.mention(text).answer
    assert (answer.kind, answer.where) == ("help", "private")
    assert len(said(answer).splitlines()) == 3
    assert len(labels(answer)) == 3


def test_an_unknown_command_leads_to_help(desk: Desk) -> None:
    answer = desk.slash("unknown-command").answer
    assert (answer.kind, answer.error) == ("error", "usage")
    assert desk.press(button(answer, "Help")).answer.kind == "help"


SMALL_TALK = [
    *(
        "thanks",
        "Thanks!",
        "thank you so much",
        "thx 🙏",
        "ok",
        "OK, got it",
        "hi",
        "Hello there!",
        "cool",
        "lol",
        "yes",
    ),
    *(
        "👍",
        "🙏🏽🎉",
        ":+1:",
        ":pray::skin-tone-2:",
        "<:party:123456789>",
        "谢谢 :pray:",
        "谢谢",
        "谢谢！",
        "谢谢，收到",
        "好的",
        "你好",
        "哈哈哈",
        "多谢啦",
        "好的呀",
        "ｏｋ",
        "謝謝",
        "辛苦了～",
    ),
]
NO_SMALL_TALK = [
    "",
    "slo",
    "thanks slo",
    "hi, what is ttft",
    "谢谢，什么是量化",
    "你好，SLO 是什么",
    "great expectations",
    "👍 slo",
    ":slo:x",
]


@pytest.mark.parametrize("text", SMALL_TALK)
def test_thanks_and_greetings_get_no_answer(text: str, desk: Desk) -> None:
    assert is_small_talk(text)
    assert desk.mention(text).answer.kind == "silence"


@pytest.mark.parametrize("text", NO_SMALL_TALK)
def test_what_is_no_small_talk(text: str) -> None:
    assert not is_small_talk(text)


@pytest.mark.parametrize(
    ("text", "long"),
    [
        ("one two three four five six", False),
        ("one two three four five six seven", True),
        ("一二三四五六七八九十一二", False),
        ("一二三四五六七八九十一二三", True),
        ("one two three 一二三四五六", False),
        ("it's a well-known-thing", False),
        ("", False),
    ],
)
def test_how_long_is_long(text: str, long: bool) -> None:
    assert is_long(text) == long
