"""The lists of words that people ask and compare with."""

from __future__ import annotations

import pytest

from bot.glossary import frame_words
from bot.glossary.folding import fold, has_han
from bot.glossary.glossary import Glossary

LISTS = {name: frozenset(words) for name, words in vars(frame_words).items() if name.isupper()}
ENGLISH = sorted(name for name in LISTS if name.endswith("_EN"))
CHINESE = sorted(name for name in LISTS if name.endswith("_ZH"))


def test_every_list_has_a_language_and_words() -> None:
    assert sorted(LISTS) == sorted([*ENGLISH, *CHINESE])
    assert all(LISTS.values())


@pytest.mark.parametrize("name", ENGLISH)
def test_english_words_are_folded(name: str) -> None:
    """A folded word is looked for: one in capitals would never be found."""
    assert [word for word in LISTS[name] if fold(word) != word] == []


@pytest.mark.parametrize("name", CHINESE)
def test_chinese_words_are_chinese(name: str) -> None:
    assert [word for word in LISTS[name] if not all(has_han(character) for character in word)] == []


@pytest.mark.parametrize("name", [name for name in LISTS if not name.startswith("CONTEXT")])
def test_no_such_word_is_a_label(glossary: Glossary, name: str) -> None:
    """A question that names the concept would be taken for one that names nothing. A context may be a label."""
    assert [word for word in LISTS[name] if glossary.exact(fold(word))] == []
