"""The lines of chat for detection: what is found of what is expected, and what is found besides."""

from __future__ import annotations

from typing import Any, Final

from bot.glossary.detector import Detector
from bot.glossary.glossary import Glossary
from tests.test_eval import read

RECALL: Final = 0.95
PRECISION: Final = 0.97
NEVER: Final = 0.01
"""The share of lines in which something is found that must not be."""


def explained(detector: Detector, line: dict[str, Any]) -> set[str]:
    return {mention.concept for mention in detector.mentions(line["text"]) if mention.explain}


def test_detect_lines(shipped_detector: Detector) -> None:
    lines = read("detect_dev.jsonl")
    right = missed = wrong = never = 0
    told = []
    for line in lines:
        found, expected = explained(shipped_detector, line), set(line["expect"])
        missing, too_much = expected - found, found - expected - set(line["may"])
        right += len(expected & found)
        missed += len(missing)
        wrong += len(too_much)
        never += bool(found & set(line["never"]))
        if missing or too_much:
            told.append(f"{line['text']!r}: missed {sorted(missing)}, wrongly found {sorted(too_much)}")
    assert right / (right + missed) >= RECALL, "\n".join(told)
    assert right / (right + wrong) >= PRECISION, "\n".join(told)
    assert never / len(lines) <= NEVER, "\n".join(told)


def test_the_lines_expect_known_concepts(shipped_detector: Detector, glossary: Glossary) -> None:
    """An id that is misspelt there would be a miss for ever, or never be wrong."""
    lines = read("detect_dev.jsonl")
    named = {concept for line in lines for key in ("expect", "may", "never") for concept in line[key]}
    assert len(lines) > 100
    assert named <= set(glossary.concepts)
