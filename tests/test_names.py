"""The table of commands, from which the platforms' registrations and the help are derived."""

from __future__ import annotations

import re

import pytest

from bot.commands import ACTIONS
from bot.commands.names import BY_WORD, COMMANDS, Command
from bot.commands.typed import read, read_mention
from bot.glossary.folding import fold, has_han
from tests.desks import Desk


def test_only_what_is_built_is_listed() -> None:
    built = "define vs explain glossary lang autoexplain jargonaut"
    assert [command.name for command in COMMANDS] == built.split()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
class TestEvery:
    def test_name_is_one_that_platforms_take(self, command: Command) -> None:
        assert re.fullmatch("[a-z]{2,32}", command.name)
        assert command.name in ACTIONS

    def test_word_finds_it_as_people_type_it(self, command: Command) -> None:
        for word in (command.name, command.name.upper(), *command.words):
            for mark in "/!！／、":
                typed = read(f"{mark}{word} slo")
                assert typed is not None
                assert (typed.command, typed.argument) == (command, "slo")
        for word in command.words:
            assert has_han(word)
            assert BY_WORD[fold(word)] == command

    def test_example_works(self, command: Command, desk: Desk) -> None:
        typed = read(f"/{command.example}")
        assert typed is not None
        assert typed.command == command
        reply = desk.slash(command.name, typed.argument)
        assert reply.answer.kind not in ("error", "unknown", "silence")

    def test_usage_begins_with_its_name(self, command: Command) -> None:
        assert command.usage.split()[0] == command.name
        assert command.usage == command.usage.strip()

    def test_words_listed_as_arguments_do_something(self, command: Command, desk: Desk) -> None:
        """`[en | zh | both | auto]`: each is understood, and as a setting, not as a text to look up."""
        for word in re.findall(r"\b[a-z]+\b", command.arguments):
            answer = desk.slash(command.name, "search latency" if word == "search" else word).answer
            assert answer.kind in ("setting", "help", "definition", "list", "explanation"), word


def test_a_mention_knows_the_same_words_but_the_bots_own() -> None:
    known = {word for word in BY_WORD if (typed := read_mention(f"{word} slo")) and typed.argument == "slo"}
    assert known == set(BY_WORD) - {"jargonaut"}
