"""Answers from memory alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.commands.apologies import busy, failed
from bot.glossary.concept import LANGUAGES, Language
from bot.request import Press
from tests.desks import Desk, said
from tests.inspection import faults


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_failure_has_a_number_and_no_insides(desk: Desk, language: Language) -> None:
    there = desk.at(locale=language)
    answer = failed(there.situation(there.request("define", text="slo")), "7F3A")
    assert "7F3A" in said(answer)
    assert (answer.kind, answer.where, answer.language) == ("error", "private", language)
    assert faults(answer, desk.glossary, desk.phrases) == []


HOW: dict[str, tuple[dict[str, Any], bool]] = {
    "slash": ({"by": "slash"}, True),
    "a button": ({"by": "button", "press": Press("define"), "public": True}, True),
    "from a menu": ({"by": "shortcut"}, True),
    "to the bot alone": ({"by": "mention", "public": True, "direct": True}, True),
    "typed": ({"by": "text", "public": True}, False),
    "a mention": ({"by": "mention", "public": True}, False),
}


@pytest.mark.parametrize(("how", "always"), HOW.values(), ids=HOW)
@pytest.mark.parametrize("whispers", [True, False], ids=["whispering", "in public only"])
@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_too_much_at_once(how: dict[str, Any], always: bool, whispers: bool, again: bool, desk: Desk) -> None:
    there = desk.at(whispers=whispers)
    request = replace(there.request("define", text="slo"), **how)
    answer = busy(there.situation(request), again=again)
    assert answer.error == "busy"
    if always or (whispers and not again):
        assert (answer.kind, answer.where) == ("error", "private")
        assert faults(answer, desk.glossary, desk.phrases) == []
    else:
        assert answer.kind == "silence"
