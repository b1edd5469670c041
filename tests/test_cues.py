"""Words that stand near a label, and what counts as such."""

from __future__ import annotations

import pytest

from bot.glossary.cues import NEAR, Cues, Surroundings
from bot.glossary.folding import fold


def near(text: str, label: str) -> Surroundings:
    folded = fold(text)
    start = folded.index(label)
    return Surroundings.of(folded, start, start + len(label))


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        pytest.param("rose", "pruning a Rose", True, id="a word"),
        pytest.param("rose", "the roses need pruning", True, id="its plural"),
        pytest.param("roses", "a rose needs pruning", False, id="the plural only, as written"),
        pytest.param("rose", "pruning prose", False, id="the end of a word"),
        pytest.param("rose", "pruning rosemary", False, id="the beginning of a word"),
        pytest.param("fine-tune", "pruning, then fine tune it", True, id="a phrase"),
        pytest.param("fine-tune", "pruning is fine. Tune it", True, id="a phrase across signs"),
        pytest.param("fine-tune", "pruning a tune, fine", False, id="a phrase in another order"),
        pytest.param("Pruning", "pruning, nothing else", False, id="the label itself"),
        pytest.param("H100", "pruning on H100s", True, id="letters and digits"),
        pytest.param("3B", "pruning a 13B", False, id="digits before it"),
        pytest.param("果园", "果园里 pruning", True, id="Chinese"),
        pytest.param("果園", "果园里 pruning", True, id="Traditional Chinese"),
        pytest.param("显卡", "pruning 换显卡了", True, id="Chinese amid other characters"),
        pytest.param("0.", "pruning at 0.5", True, id="with a sign"),
        pytest.param("%", "pruning 30% of it", True, id="only a sign"),
        pytest.param("8 卡", "pruning 用 8 卡", True, id="mixed"),
    ],
)
def test_cues(word: str, text: str, found: bool) -> None:
    assert Cues([word]).any_in(near(text, "pruning")) is found


def test_one_of_many_is_enough() -> None:
    cues = Cues(["rose", "hedge fund", "果园"])
    assert cues.any_in(near("a hedge fund is pruning", "pruning"))
    assert not cues.any_in(near("a hedge is pruning", "pruning"))


def test_no_words_are_never_near() -> None:
    assert not Cues([]).any_in(near("pruning roses", "pruning"))


@pytest.mark.parametrize("gap", [0, NEAR - 6, NEAR - 5, NEAR])
def test_how_near(gap: int) -> None:
    text = f"pruning {'.' * gap} rose"
    assert Cues(["rose"]).any_in(near(text, "pruning")) is (gap + len("  rose") <= NEAR)


def test_words_on_both_sides_make_no_phrase() -> None:
    assert not Cues(["果园"]).any_in(near("果pruning园", "pruning"))
    assert not Cues(["fine-tune"]).any_in(near("fine pruning tune", "pruning"))
