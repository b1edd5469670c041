"""The commands as they're registered: what people see in English and both Chinese scripts, and what Discord takes."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.discord import commands
from adapters.discord.commands import MAX_CHOICES, MAX_LAST, Payload, payloads, taiwan_texts
from bot.commands.names import COMMANDS
from bot.glossary.concept import Topic
from bot.glossary.glossary import Glossary
from bot.glossary.traditional import SIMPLIFIED
from bot.phrases import Phrases
from tests.discord_fake_commands import check_commands
from tests.discord_fake_forms import Refused

MANAGE_CHANNELS = str(1 << 4)


@pytest.fixture
def all_payloads(phrases: Phrases, glossary: Glossary) -> list[Payload]:
    return payloads(phrases, tuple(glossary.topics.values()))


def command(all_payloads: list[Payload], name: str) -> Payload:
    (found,) = (payload for payload in all_payloads if payload["name"] == name)
    return found


def option(payload: Payload, name: str) -> Payload:
    (found,) = (each for each in payload["options"] if each["name"] == name)
    return found  # type: ignore[no-any-return]


def localized(thing: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """Every text of a payload with its localizations."""
    if isinstance(thing, list):
        for child in thing:
            yield from localized(child)
    elif isinstance(thing, dict):
        for key in ("name", "description"):
            if f"{key}_localizations" in thing:
                yield thing[key], thing[f"{key}_localizations"]
        for child in thing.values():
            yield from localized(child)


# -- What is registered -------------------------------------------------------------------------------------------


def test_discord_takes_them(all_payloads: list[Payload]) -> None:
    check_commands(all_payloads)


USAGE = {
    "define": "term⌨ [language] [share]",
    "vs": "first⌨ [second⌨] [third⌨] [share]",
    "explain": "[text] [last]",
    "glossary": "[topic] [search]",
    "lang": "[language]",
    "autoexplain": "[mode] [language] [level] [channel]",
    "jargonaut": "",
}


@pytest.mark.parametrize("name", [each.name for each in COMMANDS])
def test_the_options_of(name: str, all_payloads: list[Payload]) -> None:
    shown = []
    for each in command(all_payloads, name)["options"]:
        text = each["name"] + ("⌨" if each.get("autocomplete") else "")
        shown.append(text if each.get("required") else f"[{text}]")
    assert " ".join(shown) == USAGE[name]


def test_there_is_nothing_else_but_the_entry_of_the_menu(all_payloads: list[Payload]) -> None:
    assert [payload["name"] for payload in all_payloads] == [*USAGE, "Explain jargon"]
    menu = all_payloads[-1]
    assert (menu["type"], menu["name_localizations"]) == (3, {"zh-CN": "解释术语", "zh-TW": "解釋術語"})


def test_they_work_everywhere_but_settings_of_a_channel(all_payloads: list[Payload]) -> None:
    for payload in all_payloads:
        places = (payload["contexts"], payload["integration_types"], payload.get("default_member_permissions"))
        on_servers_only = payload["name"] == "autoexplain"
        assert places == (([0], [0], MANAGE_CHANNELS) if on_servers_only else ([0, 1, 2], [0, 1], None))


CHOICES = {
    ("define", "language"): ["en", "zh"],
    ("lang", "language"): ["en", "zh", "both", "auto"],
    ("autoexplain", "mode"): ["off", "threads", "all"],
    ("autoexplain", "language"): ["en", "zh", "both", "auto"],
    ("autoexplain", "level"): ["advanced", "everything"],
}


@pytest.mark.parametrize(("name", "of"), CHOICES)
def test_the_values_of_choices_are_words_of_the_text_form(name: str, of: str, all_payloads: list[Payload]) -> None:
    values = [choice["value"] for choice in option(command(all_payloads, name), of)["choices"]]
    assert values == CHOICES[name, of]


def test_topics_are_choices(all_payloads: list[Payload], glossary: Glossary) -> None:
    choices = option(command(all_payloads, "glossary"), "topic")["choices"]
    assert [choice["value"] for choice in choices] == list(glossary.topics)
    assert choices[-1]["name_localizations"] == {"zh-CN": "LLM 推理", "zh-TW": "LLM 推論"}


def test_more_topics_than_choices_and_long_or_one_language_names(phrases: Phrases) -> None:
    topics = [Topic(f"topic-{number}", {"zh-Hans": f"主题{number}" + "长" * 100}) for number in range(MAX_CHOICES + 1)]
    made = payloads(phrases, topics)
    check_commands(made)
    choices = option(command(made, "glossary"), "topic")["choices"]
    assert len(choices) == MAX_CHOICES
    assert choices[0]["name"].startswith("主题0")


def test_topics_of_one_name_are_told_apart_by_their_ids(phrases: Phrases) -> None:
    topics = [
        Topic("ours", {"en": "Serving", "zh-Hans": "服务"}),
        Topic("theirs", {"en": "Serving"}),
        Topic("x", {"en": "X"}),
    ]
    made = payloads(phrases, topics)
    check_commands(made)
    choices = option(command(made, "glossary"), "topic")["choices"]
    assert [(choice["name"], choice["value"]) for choice in choices] == [
        ("ours", "ours"),
        ("theirs", "theirs"),
        ("X", "x"),
    ]


def test_a_glossary_without_topics(phrases: Phrases) -> None:
    made = payloads(phrases, ())
    check_commands(made)
    assert "choices" not in option(command(made, "glossary"), "topic")


def test_how_many_messages_can_be_read(all_payloads: list[Payload]) -> None:
    last = option(command(all_payloads, "explain"), "last")
    assert (last["type"], last["min_value"], last["max_value"]) == (4, 1, MAX_LAST)


def test_a_channel_with_messages_is_chosen(all_payloads: list[Payload]) -> None:
    channel = option(command(all_payloads, "autoexplain"), "channel")
    assert (channel["type"], channel["channel_types"]) == (7, [0, 5, 2, 13, 15, 16])


# -- Languages ----------------------------------------------------------------------------------------------------


def test_everything_but_names_that_people_type_is_localized(all_payloads: list[Payload]) -> None:
    for payload in all_payloads:
        named = ["name"] if payload["type"] == 3 else ["description"]
        for each in (payload, *payload.get("options", ())):
            keys = named if each is payload else ["description"]
            assert {key.removesuffix("_localizations") for key in each if key.endswith("_localizations")} == set(keys)
    for text, texts in localized(all_payloads):
        assert set(texts) == {"zh-CN", "zh-TW"}
        assert text


def test_taiwan_has_its_own_text_for_all_and_for_nothing_else(all_payloads: list[Payload]) -> None:
    assert {texts["zh-CN"] for _, texts in localized(all_payloads)} == set(taiwan_texts())


SIMPLIFIED_ONLY = set(SIMPLIFIED.values()) - set(map(chr, SIMPLIFIED)) - set("只回念搜查")
"""These few are written in Taiwan, too."""


@pytest.mark.parametrize(("simplified", "taiwan"), taiwan_texts().items())
def test_the_texts_for_taiwan(simplified: str, taiwan: str) -> None:
    """The same numbers, names and placeholders; no character that only Simplified Chinese has; no quotes of its."""
    pattern = r"\{\w+\}|[A-Za-z]+|\d+"
    assert re.findall(pattern, simplified) == re.findall(pattern, taiwan)
    assert set(taiwan) & SIMPLIFIED_ONLY == set()
    assert not set(taiwan) & set("“”‘’")


def test_characters_of_simplified_chinese_are_seen() -> None:
    assert set("术语释设频讯") <= SIMPLIFIED_ONLY
    assert not set("術語釋設頻訊") & SIMPLIFIED_ONLY


def test_the_file_is_read_as_it_is_written() -> None:
    file = Path(commands.__file__).with_name("zh_tw.yaml")
    lines = [line for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len(lines) == len(taiwan_texts()), "a key twice"
    assert all(isinstance(text, str) for pair in yaml.safe_load(file.read_text("utf-8")).items() for text in pair)


# -- D16: names as Discord takes them -----------------------------------------------------------------------------

GOOD = {"zh-CN": "定义", "zh-TW": "定義"}
BAD = {
    "a capital": {"en-GB": "Define"},
    "a space": {"zh-CN": "解释 一下"},
    "too long": {"zh-TW": "x" * 33},
    "no locale": {"zh": "定义"},
    "a locale with a line below": {"zh_CN": "定义"},
}


def test_good_names_in_other_languages_are_taken(all_payloads: list[Payload]) -> None:
    payload = copy.deepcopy(all_payloads)
    payload[0]["name_localizations"] = GOOD
    check_commands(payload)


@pytest.mark.parametrize("names", BAD.values(), ids=BAD)
def test_bad_names_are_refused_by_their_locale(names: dict[str, str], all_payloads: list[Payload]) -> None:
    payload = copy.deepcopy(all_payloads)
    payload[0]["name_localizations"] = names
    with pytest.raises(Refused, match=next(iter(names))):
        check_commands(payload)
