"""Labels within a few edits of a typed text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.glossary.folding import fold, has_han, squash
from bot.glossary.glossary import Glossary
from bot.glossary.typos import CODE_LENGTH, TypoIndex, budget
from tests.texts import any_text


def index(*labels: str) -> TypoIndex[str]:
    return TypoIndex((label, (label.upper(),)) for label in labels)


def near(typed: str, *labels: str) -> list[tuple[str, int]]:
    return [(found.squashed, found.edits) for found in index(*labels).near(typed)]


def test_the_budget_grows_with_the_label() -> None:
    latin = [budget(length, han=False) for length in range(100)]
    assert latin == sorted(latin)
    assert latin[: CODE_LENGTH + 1] == [0] * (CODE_LENGTH + 1)
    assert (latin[CODE_LENGTH + 1], latin[12], latin[-1]) == (1, 2, 3)


def test_a_chinese_label_forgives_one_character_from_three_on() -> None:
    assert [budget(length, han=True) for length in (1, 2, 3, 4, 9, 30)] == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("typed", "label", "edits"),
    [
        pytest.param("quantizaton", "quantization", 1, id="letter-missing"),
        pytest.param("quantizzation", "quantization", 1, id="letter-doubled"),
        pytest.param("quantisation", "quantization", 1, id="other-letter"),
        pytest.param("qunatization", "quantization", 1, id="neighbours-swapped"),
        pytest.param("qunatizaton", "quantization", 2, id="two-slips"),
        pytest.param("spculatvedecodng", "speculativedecoding", 3, id="three-slips-in-a-long-label"),
        pytest.param("uqantization", "quantization", 1, id="first-two-swapped"),
        pytest.param("uantization", "quantization", 1, id="first-letter-missing-of-a-long-label"),
        pytest.param("nvlnk", "nvlink", 1, id="one-slip-in-six-letters"),
        pytest.param("连续批出理", "连续批处理", 1, id="other-character"),
        pytest.param("连续批理处", "连续批处理", 1, id="characters-swapped"),
        pytest.param(
            "utoregressivegeneraton", "autoregressivegeneration", 2, id="first-letter-and-another-of-a-long-label"
        ),
        pytest.param("qauntizaton", "quantization", 2, id="same-first-letter-two-slips"),
        pytest.param("ovserability", "observability", 2, id="two-slips-behind-each-other"),
        pytest.param("p99latncy", "p99latency", 1, id="same-digits"),
    ],
)
def test_a_slip_is_near(typed: str, label: str, edits: int) -> None:
    assert near(typed, label) == [(label, edits)]


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        pytest.param("quntzaton", "quantization", id="three-slips"),
        pytest.param("slp", "slo", id="code-of-three"),
        pytest.param("ttfb", "ttft", id="code-of-four"),
        pytest.param("ttf", "ttft", id="code-with-a-letter-missing"),
        pytest.param("nvlkn2", "nvlink", id="two-slips-in-six-letters"),
        pytest.param("upset", "opset", id="first-letter-of-a-short-label"),
        pytest.param("reference", "inference", id="first-letters-are-others"),
        pytest.param("uantizaton", "quantization", id="first-letter-and-another"),
        pytest.param("xuantizaton", "quantization", id="another-first-letter-and-a-slip"),
        pytest.param("petrics", "metrics", id="another-first-letter-of-a-short-label"),
        pytest.param("int16format", "int18format", id="other-digits"),
        pytest.param("p9latency", "p99latency", id="digit-missing"),
        pytest.param("latency", "p9latency", id="digits-only-in-the-label"),
        pytest.param("推力", "推理", id="two-chinese-characters"),
        pytest.param("连序批出理", "连续批处理", id="two-chinese-slips"),
        pytest.param("quantization", "量化量化量化", id="other-script"),
        pytest.param("", "quantization", id="empty"),
    ],
)
def test_another_word_is_not_near(typed: str, label: str) -> None:
    assert near(typed, label) == []


def test_the_nearest_comes_first_and_all_are_given() -> None:
    labels = ("quantizxtioy", "quantizations", "quantizatxion", "somewhereelse")
    assert near("quantization", *labels) == [("quantizations", 1), ("quantizatxion", 1), ("quantizxtioy", 2)]
    assert near("quantizations", *labels)[0] == ("quantizations", 0)


def test_what_is_near_says_whose_label_it_is() -> None:
    (found,) = index("quantization").near("quantizaton")
    assert found.hits == ("QUANTIZATION",)


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        *[("slx", ["sla", "sli", "slo"]), ("slso", ["slo"]), ("sl", ["sla", "sli", "slo"])],
        *[("ttfb", ["ttft"]), ("p98", ["p99"]), ("xyz", []), ("qu", []), ("", [])],
    ],
)
def test_neighbours_of_a_code(typed: str, labels: list[str]) -> None:
    near_codes = index("slo", "sla", "sli", "ttft", "p99", "k", "quantization").codes_near(typed)
    assert [found.squashed for found in near_codes] == labels


@given(st.sampled_from(["slo", "ttft", "p99", "int8", "fp16", "awq", "tp"]), any_text)
def test_no_code_is_ever_within_a_budget(code: str, typed: str) -> None:
    assert len(code) <= CODE_LENGTH
    assert index(code).near(squash(fold(typed))) == []


@given(any_text)
def test_any_text_has_an_answer_in_order(glossary: Glossary, text: str) -> None:
    squashed = squash(fold(text))
    for found in (glossary.typos.near(squashed), glossary.typos.codes_near(squashed)):
        assert found == sorted(found, key=lambda match: (match.edits, match.squashed))
        assert all(match.edits <= 3 and match.hits for match in found)


def test_every_preferred_label_is_nearest_to_itself(glossary: Glossary) -> None:
    labels = {squash(folded) for folded, hit in glossary.labels() if hit.label.kind == "pref"}
    forgiving = [label for label in labels if budget(len(label), han=has_han(label))]
    assert len(forgiving) > 80
    assert [label for label in forgiving if glossary.typos.near(label)[0][:2] != (label, 0)] == []
