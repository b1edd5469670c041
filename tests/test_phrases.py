"""Sentences by key and language."""

from __future__ import annotations

import re

import pytest

from bot.commands.names import COMMANDS
from bot.glossary.concept import LANGUAGES, Language
from bot.phrases import Phrases

PHRASES = Phrases(
    {
        "terms": {"en": "{count} terms", "zh-Hans": "{count} 个术语"},
        "terms.one": {"en": "1 term", "zh-Hans": "{count} 个术语"},
        "pages": {"en": "page {page} of {count}", "zh-Hans": "第 {page} / {count} 页"},
        "quoted": {"en": "“{text}”", "zh-Hans": "“{text}”"},
        "share": {"en": "Share", "zh-Hans": "发到频道"},
    }
)


@pytest.mark.parametrize(
    ("count", "language", "said"),
    [
        (0, "en", "0 terms"),
        (1, "en", "1 term"),
        (2, "en", "2 terms"),
        (11, "en", "11 terms"),
        (1, "zh-Hans", "1 个术语"),
        (2, "zh-Hans", "2 个术语"),
    ],
)
def test_one_has_a_form_of_its_own(count: int, language: Language, said: str) -> None:
    assert PHRASES.say("terms", language, count=count) == said


def test_a_count_of_one_without_such_a_form() -> None:
    assert PHRASES.say("pages", "en", page=1, count=1) == "page 1 of 1"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", ["{0}", "{text}", "{", "%s", "${HOME}", "{text.__class__}", "\\", "“"])
def test_what_was_typed_is_no_format(typed: str, language: Language) -> None:
    assert PHRASES.say("quoted", language, text=typed) == f"“{typed}”"


@pytest.mark.parametrize(
    ("key", "values"), [("nothing", {}), ("quoted", {"txt": "a"}), ("pages", {"page": 1})], ids=["key", "name", "value"]
)
def test_a_fault_of_the_code_is_loud(key: str, values: dict[str, str | int]) -> None:
    with pytest.raises(KeyError):
        PHRASES.say(key, "en", **values)


def test_which_keys_there_are() -> None:
    assert PHRASES.keys() == {"terms", "terms.one", "pages", "quoted", "share"}
    assert "share" in PHRASES
    assert "shared" not in PHRASES


# -- Other names for the commands ---------------------------------------------------------------------------------

CALLS = Phrases(
    {
        "usage": {"en": "/define x, !vs a b; and/or a/define", "zh-Hans": "用 /define 或 !vs 提问，/defined 不算"},
        "other": {"en": "/invite @jargonaut – well!define", "zh-Hans": "/invite @jargonaut"},
    }
)
NAMES = ("define", "vs")


def test_commands_are_called_as_they_are_registered() -> None:
    called = CALLS.calling(NAMES, slash="/jn-", bang="?")
    assert called.say("usage", "en") == "/jn-define x, ?vs a b; and/or a/define"
    assert called.say("usage", "zh-Hans") == "用 /jn-define 或 ?vs 提问，/defined 不算"
    assert called.say("other", "en") == "/invite @jargonaut – well!define"
    assert (called.slash, called.bang) == ("/jn-", "?")


def test_without_another_name_nothing_is_made() -> None:
    assert CALLS.calling(NAMES) is CALLS


def test_every_sentence_of_the_bot_that_names_a_command_follows(phrases: Phrases) -> None:
    names = [command.name for command in COMMANDS]
    called = phrases.calling(names, slash="/jn-", bang="?")
    left = [
        key
        for key in phrases.keys()  # noqa: SIM118 - it's no mapping
        for language in LANGUAGES
        for name in names
        if re.search(rf"(?<![\w/-])[/!]{name}\b", called.say(key, language))
    ]
    assert left == []
    assert "/jn-define" in called.say("usage.define", "zh-Hans")
