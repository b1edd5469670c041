"""The closed set of blocks."""

from __future__ import annotations

from typing import get_args

import pytest

from bot import answer
from bot.answer import Answer, Block, Kind, Mentioned, Update, silence
from bot.glossary.concept import LANGUAGES


@pytest.mark.parametrize("language", [*LANGUAGES, "both"])
def test_silence_has_nothing_to_send(language: answer.Shown) -> None:
    assert silence(language) == Answer("silence", language)
    assert (silence(language).blocks, silence(language).buttons) == ((), ())


def test_an_answer_is_private_unless_it_says_so() -> None:
    assert Answer("help", "en").where == "private"


def test_kinds_are_those_that_scripts_know() -> None:
    documented = "definition comparison choice unknown list help setting error explanation silence"
    assert list(get_args(Kind)) == documented.split()


@pytest.mark.parametrize("block", get_args(Block), ids=lambda block: block.__name__)
def test_blocks_are_frozen_values(block: type) -> None:
    """Two answers that say the same are equal, so that one can be compared with what stands in a message."""
    assert block.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert block.__dataclass_params__.eq  # type: ignore[attr-defined]


def test_where_a_term_stands_and_what_becomes_of_a_note_are_values_too() -> None:
    assert Mentioned("slo", "SLO", 4, 7) == Mentioned("slo", "SLO", 4, 7)
    assert Update("n1", None) != Update("n1", silence())
    assert (silence().mentions, silence().update) == ((), None)
