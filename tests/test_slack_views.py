"""Modals and the App Home as views: what they remember, and Slack's limits on them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack import views
from adapters.slack.views import Carried, carried
from bot.answer import Answer, Button, Paragraph, Table
from bot.completion import Suggestion, complete
from bot.glossary.concept import LANGUAGES, Language
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import decode
from tests.slack_fake_blocks import faults

ANSWER = Answer("definition", "en", blocks=(Paragraph("A target."),), buttons=(Button("Show", "j1:define"),))


@pytest.mark.parametrize(
    "carry",
    [
        Carried(),
        Carried("C1"),
        Carried("C1", "1.1"),
        Carried("C1", "1.1", "j1:share::abcdefg", searched=True),
    ],
)
def test_what_a_view_remembers_comes_back(carry: Carried) -> None:
    assert carried({"private_metadata": carry.dump()}) == carry


@pytest.mark.parametrize(
    "kept", ["", "nonsense", "[]", "null", '"text"', '{"later": 1}', '{"channel": "C1", "later": true}']
)
def test_what_another_version_remembers_is_no_error(kept: str) -> None:
    assert carried({"private_metadata": kept}).thread is None
    assert carried({}) == Carried()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_holds_slacks_limits(language: Language, phrases: Phrases) -> None:
    made = [
        views.loading(phrases, language, Carried("C1", "1.1")),
        views.search_form(phrases, language, Carried(searched=True)),
        views.share_form(phrases, language, Carried(share="j1:share::abcdefg")),
        views.answer_modal(phrases, ANSWER, Carried(searched=True)),
        views.home(ANSWER),
    ]
    for view in made:
        assert faults(view["blocks"], view["type"]) == []
        if view["type"] == "modal":
            assert 1 <= len(view["title"]["text"]) <= 24
            assert 1 <= len(view["close"]["text"]) <= 24
            assert len(view["private_metadata"]) <= 3000
        assert any(block["type"] == "input" for block in view["blocks"]) is ("submit" in view)


def test_a_modal_takes_no_table(phrases: Phrases) -> None:
    table = Answer("comparison", "en", blocks=(Table(("Aspect", "A", "B"), (("Kind", "x", "y"),)),))
    for view in (views.answer_modal(phrases, table, Carried()), views.home(table)):
        assert "table" not in json.dumps(view)


@given(prefix=st.sampled_from(["", "kv", "量化", "s", "延迟"]))
def test_an_options_value_is_the_request_for_its_card(prefix: str, glossary: Glossary) -> None:
    found = complete(prefix, glossary, limit=views.MAX_OPTIONS)
    made = views.options(found)
    assert made
    assert len(made) == len({option["value"] for option in made})
    assert [glossary.by_code(decode(option["value"]).codes[0]).id for option in made] == [  # type: ignore[union-attr]
        suggestion.concept for suggestion in found
    ]


def test_long_options_are_cut_and_empty_descriptions_left_out() -> None:
    (one,) = views.options([Suggestion("slo", "SLO", "x" * 200, "")])
    assert len(one["text"]["text"]) == views.MAX_OPTION
    assert one["text"]["text"].endswith("…")
    assert "description" not in one
