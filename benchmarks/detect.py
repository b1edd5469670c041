"""Terms in running text, from the raw text on, against the bare automaton on text that is folded already.

Where flashtext is installed, against that as well. It isn't among our requirements, since it comes as source only.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

from _glossaries import SEED, first_labels, with_rare_labels
from _timing import Report, interleaved
from ahocorasick_rs import AhoCorasick, MatchKind

from bot.glossary.detector import Detector, spellings
from bot.glossary.glossary import Glossary
from bot.glossary.scanning import fold_in_place
from bot.glossary.yaml_files import load, shipped

LINES: Final = Path(__file__).parents[1] / "tests" / "eval" / "detect_dev.jsonl"
LENGTH: Final = 4_000
LONG: Final = 40_000
MESSAGES: Final = 60
try:
    from flashtext import KeywordProcessor
except ImportError:
    KeywordProcessor = None

SLOW: Final = 6
"""Messages that flashtext gets; more would take too long."""
FASTER: Final = 3.0
LINEAR: Final = 12.0
SIZES: Final[tuple[tuple[Callable[[Glossary], Glossary], float], ...]] = (
    (partial(first_labels, count=250), 0.65),
    (lambda shipped: shipped, 0.60),
    (partial(with_rare_labels, count=25_000), 0.55),
    (partial(with_rare_labels, count=142_000), 0.65),
)
"""Glossaries, and the share of the bare automaton's speed that the detector has to reach."""


def chat() -> tuple[list[str], list[str]]:
    """Lines of chat: those that have to do with terms, and those that haven't."""
    rows = [json.loads(line) for line in LINES.read_text("utf-8").splitlines()]
    quiet = [row["text"] for row in rows if not (row["expect"] or row["may"] or row["never"])]
    return [row["text"] for row in rows if row["expect"]], quiet


def messages(*, with_a_term: bool) -> list[str]:
    """Long messages of quiet lines, each with a line about terms or none; English ones, Chinese ones, and mixtures."""
    chance = random.Random(SEED)
    about_terms, quiet = chat()
    pools = ([line for line in quiet if line.isascii()], [line for line in quiet if not line.isascii()], quiet)
    made = []
    for number in range(MESSAGES):
        lines = [chance.choice(about_terms)] if with_a_term else []
        while sum(map(len, lines)) + len(lines) < LENGTH:
            lines.append(chance.choice(pools[number % len(pools)]))
        chance.shuffle(lines)
        made.append("\n".join(lines)[:LENGTH])
    return made


def each(function: Callable[[str], object], texts: Iterable[str]) -> None:
    for text in texts:
        function(text)


def size_of(texts: Iterable[str]) -> float:
    """In megabytes."""
    return sum(len(text.encode()) for text in texts) / 1e6


def speed(report: Report, glossary: Glossary, goal: float) -> None:
    start = process_time()
    detector = Detector(glossary)
    made = process_time() - start
    labels = [folded for folded, _ in glossary.labels()]
    size = f"{len(labels)} labels"
    patterns = [*{spelling for folded in labels for spelling in spellings(folded) if len(spelling) > 1}]
    bare = AhoCorasick(patterns, matchkind=MatchKind.LeftmostLongest)
    without, some = messages(with_a_term=False), messages(with_a_term=True)
    folded = [fold_in_place(text).utf8.decode() for text in without]
    contestants = {
        "bare": partial(each, bare.find_matches_as_indexes, folded),
        "without": partial(each, detector.mentions, without),
        "some": partial(each, detector.mentions, some),
    }
    if KeywordProcessor is not None:
        flashtext = KeywordProcessor()
        flashtext.add_keywords_from_list(labels)
        contestants["flashtext"] = partial(each, flashtext.extract_keywords, without[:SLOW])
    times = interleaved(contestants)
    megabytes = size_of(without)
    report.note(f"making a detector, {size}", f"{made * 1e3:.0f} ms")
    report.note(f"automaton on folded text, {size}", f"{megabytes / times['bare']:.0f} MB/s")
    report.note(f"detector, messages without a term, {size}", f"{megabytes / times['without']:.0f} MB/s")
    report.note(f"detector, messages with one, {size}", f"{size_of(some) / times['some']:.0f} MB/s")
    report.at_least(f"detector, of the automaton's speed, {size}", times["bare"] / times["without"], goal)
    if "flashtext" in times:
        slow = times["flashtext"] * megabytes / size_of(without[:SLOW])
        report.at_least(f"detector, of flashtext's speed, {size}", slow / times["without"], FASTER)
    else:
        report.note(f"flashtext, {size}", "not installed")


def lines_of_chat(report: Report, detector: Detector, texts: Sequence[str], what: str) -> None:
    times = interleaved({"detector": partial(each, detector.mentions, texts)})
    report.note(f"one line of chat {what}, {len(texts)} lines", f"{times['detector'] / len(texts) * 1e6:.1f} us")


def linear(report: Report, detector: Detector) -> None:
    with_terms, _ = chat()
    texts = {
        "nothing": messages(with_a_term=False)[0],
        "terms in every line": "\n".join(with_terms * 2)[:LENGTH],
        "all on one line": " ".join(with_terms * 2).replace("\n", " ")[:LENGTH],
    }
    for what, text in texts.items():
        long = text * (LONG // LENGTH)
        times = interleaved({"short": partial(detector.mentions, text), "long": partial(detector.mentions, long)})
        report.note(f"{LONG:,} characters, {what}", f"{times['long'] * 1e3:.1f} ms")
        report.at_most(f"{LONG:,} characters against {LENGTH:,}, {what}", times["long"] / times["short"], LINEAR)


def main() -> None:
    everything = load([shipped()]).glossary
    report = Report("detect: terms in a message, and where")
    detector = Detector(everything)
    with_terms, quiet = chat()
    lines_of_chat(report, detector, quiet, "without a term")
    lines_of_chat(report, detector, with_terms, "with terms")
    linear(report, detector)
    for make, goal in SIZES:
        speed(report, make(everything), goal)
    report.done()


if __name__ == "__main__":
    main()
