"""The evaluation lines: at least 98 of 100 right, and nothing defined that isn't in the glossary."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from tests.asking import Ask

Judge: TypeAlias = Callable[[dict[str, Any], dict[str, Any]], bool]

LINES: Final = Path(__file__).parent / "eval"
NEEDED: Final = 0.98
MOST_FURTHER_OPTIONS: Final = 3


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (LINES / name).read_text("utf-8").splitlines()]


def resolves(expect: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether an answer to `define` is what a line of resolve_dev.jsonl expects."""
    kind, concepts = answer["kind"], answer["concepts"]
    match expect:
        case {"concept": concept}:
            return bool(kind == "definition" and concepts[0] == concept)
        case {"candidates": candidates}:
            further = set(concepts) - set(candidates)
            return kind == "choice" and set(candidates) <= set(concepts) and len(further) <= MOST_FURTHER_OPTIONS
        case {"comparison": str(comparison)}:
            return bool(kind == "comparison" and answer["comparison"] == comparison)
        case {"comparison": concepts_expected}:
            return bool(kind == "comparison" and concepts == concepts_expected)
        case {"none": True}:
            return kind not in ("definition", "comparison")
    raise AssertionError(f"no rule for {expect}")


def compares(line: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether an answer to `vs` is what a line of vs_dev.jsonl expects."""
    kind, concepts = answer["kind"], answer["concepts"]
    match line:
        case {"pair": pair}:
            authored = "comparison" not in line or answer["comparison"] == line["comparison"]
            return kind == "comparison" and concepts == pair and authored
        case {"comparison": comparison}:
            return bool(kind == "comparison" and answer["comparison"] == comparison)
        case {"error": ("same" | "missing") as error}:
            return bool(kind == "error" and answer["error"] == error)
        case {"error": error}:
            text = error.removeprefix("unknown:").strip().lower()
            return kind == "unknown" and text in [unknown.strip().lower() for unknown in answer["unknown"]]
        case {"terms": terms}:
            return bool(kind == "comparison" and concepts == terms)
        case {"entry": entry}:
            return bool(kind == "definition" and concepts[0] == entry)
    raise AssertionError(f"no rule for {line}")


def told(typed: str, expected: object, answer: dict[str, Any]) -> str:
    about = ("kind", "concepts", "comparison", "error", "unknown")
    got = {key: answer[key] for key in about if answer.get(key)}
    return f"{typed!r}: expected {expected}, got {got}"


async def test_resolve_lines(ask: Ask) -> None:
    lines = read("resolve_dev.jsonl")
    answers = [await ask(f"/define {line['query']}") for line in lines]
    pairs = list(zip(lines, answers, strict=True))
    defined = [
        told(line["query"], "nothing", answer)
        for line, answer in pairs
        if line["expect"] == {"none": True} and not resolves(line["expect"], answer)
    ]
    assert not defined, "\n".join(defined)
    wrong = [
        told(line["query"], line["expect"], answer) for line, answer in pairs if not resolves(line["expect"], answer)
    ]
    assert 1 - len(wrong) / len(lines) >= NEEDED, "\n".join(wrong)


async def test_vs_lines(ask: Ask) -> None:
    lines = read("vs_dev.jsonl")
    answers = [await ask(f"/vs {line['args']}") for line in lines]
    pairs = list(zip(lines, answers, strict=True))
    shown = [
        told(line["args"], line["error"], answer)
        for line, answer in pairs
        if "error" in line and answer["kind"] in ("definition", "comparison")
    ]
    assert not shown, "\n".join(shown)
    wrong = [told(line["args"], line, answer) for line, answer in pairs if not compares(line, answer)]
    assert 1 - len(wrong) / len(lines) >= NEEDED, "\n".join(wrong)


async def test_questions_are_understood_when_the_bot_is_mentioned(ask: Ask) -> None:
    lines = [line for line in read("resolve_dev.jsonl") if line["kind"] == "natural-question"]
    answers = [await ask(f"@jargonaut {line['query']}") for line in lines]
    pairs = zip(lines, answers, strict=True)
    wrong = [
        told(line["query"], line["expect"], answer) for line, answer in pairs if not resolves(line["expect"], answer)
    ]
    assert not wrong, "\n".join(wrong)


# -- The judges judge


def answer(kind: str, *concepts: str, **about: Any) -> dict[str, Any]:
    return {"kind": kind, "concepts": list(concepts), "comparison": None, **about}


BOTH: Final = {"candidates": ["a", "b"]}
PAIR: Final = {"pair": ["a", "b"], "comparison": "a-vs-b"}


@pytest.mark.parametrize(
    ("judge", "line", "given", "right"),
    [
        pytest.param(resolves, {"concept": "a"}, answer("definition", "a"), True, id="concept"),
        pytest.param(resolves, {"concept": "a"}, answer("definition", "b"), False, id="another-concept"),
        pytest.param(resolves, {"concept": "a"}, answer("choice", "a", "b"), False, id="a-choice-is-no-concept"),
        pytest.param(resolves, BOTH, answer("choice", "b", "a", "c", "d", "e"), True, id="candidates-and-three-more"),
        pytest.param(resolves, BOTH, answer("choice", "b", "a", "c", "d", "e", "f"), False, id="four-more"),
        pytest.param(resolves, BOTH, answer("choice", "a", "c"), False, id="a-candidate-is-missing"),
        pytest.param(resolves, BOTH, answer("unknown", "a", "b"), False, id="suggestions-are-no-choice"),
        pytest.param(
            resolves, {"comparison": ["a", "b"]}, answer("comparison", "a", "b"), True, id="compared-as-typed"
        ),
        pytest.param(resolves, {"comparison": ["a", "b"]}, answer("comparison", "b", "a"), False, id="turned-round"),
        pytest.param(resolves, {"none": True}, answer("unknown", "a"), True, id="suggestions-are-no-answer"),
        pytest.param(resolves, {"none": True}, answer("definition", "a"), False, id="defined"),
        pytest.param(compares, PAIR, answer("comparison", "a", "b", comparison="a-vs-b"), True, id="pair"),
        pytest.param(
            compares, PAIR, answer("comparison", "b", "a", comparison="a-vs-b"), False, id="pair-turned-round"
        ),
        pytest.param(compares, PAIR, answer("comparison", "a", "b"), False, id="pair-not-the-authored-one"),
        pytest.param(compares, {"error": "same"}, answer("error", "a", error="missing"), False, id="another-error"),
        pytest.param(
            compares, {"error": "unknown:foo Bar"}, answer("unknown", unknown=["Foo bar "]), True, id="unknown"
        ),
        pytest.param(compares, {"error": "unknown:foo"}, answer("unknown", unknown=["bar"]), False, id="unknown-other"),
        pytest.param(compares, {"terms": ["a", "b", "c"]}, answer("comparison", "a", "b"), False, id="third-dropped"),
        pytest.param(compares, {"entry": "a"}, answer("error", "a", error="same"), False, id="entry-called-the-same"),
    ],
)
def test_the_judges(judge: Judge, line: dict[str, Any], given: dict[str, Any], right: bool) -> None:
    assert judge(line, given) is right
