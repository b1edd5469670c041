"""Look-ups in memory: exact ones against a bare dictionary, misspelt ones against plain rapidfuzz."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from _glossaries import SEED, first_labels
from _timing import Report, interleaved
from rapidfuzz import process
from rapidfuzz.distance import OSA

from bot.glossary.folding import fold, has_han, squash
from bot.glossary.glossary import Glossary
from bot.glossary.resolver import Ambiguous, Found, certain, resolve
from bot.glossary.typos import CODE_LENGTH
from bot.glossary.yaml_files import load, shipped

FEW: Final = 250
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
PASSES: Final = 20


def slips(text: str, chance: random.Random) -> Iterator[str]:
    """One slip of each kind: a character left out, doubled, swapped with its neighbour, or another one instead."""
    at = chance.randrange(1, len(text) - 1)
    yield text[:at] + text[at + 1 :]
    yield text[:at] + text[at] + text[at:]
    yield text[: at - 1] + text[at] + text[at - 1] + text[at + 1 :]
    if not has_han(text):
        yield text[:at] + chance.choice(LETTERS) + text[at + 1 :]


def typos(glossary: Glossary) -> list[tuple[str, frozenset[str]]]:
    """Misspelt labels and the concepts that are meant; no short labels, where any slip makes another code."""
    chance = random.Random(SEED)
    made = []
    for folded, hit in glossary.labels():
        if hit.label.kind == "hidden" and " " not in folded:
            continue  # many are misspellings themselves; the index forgives nothing more of them
        if len(folded) <= CODE_LENGTH or (has_han(folded) and len(folded) < 5) or any(map(str.isdigit, folded)):
            continue
        meant = frozenset(hit.concept for hit in glossary.exact(folded))
        made += [(slip, meant) for slip in slips(folded, chance) if not certain(slip, glossary)]
    return made


def exact(report: Report, glossary: Glossary, size: str) -> None:
    texts = [hit.label.text for _, hit in glossary.labels()] * PASSES
    index = dict(glossary.labels())

    def look_up() -> None:
        for text in texts:
            index.get(fold(text))

    def run(function: Callable[[str, Glossary], object]) -> Callable[[], None]:
        def call() -> None:
            for text in texts:
                function(text, glossary)

        return call

    times = interleaved({"dict": look_up, "resolve": run(resolve), "certain": run(certain)})
    report.note(f"fold + dict.get, {size}", f"{times['dict'] / len(texts) * 1e6:.2f} us")
    report.note(f"resolve, exact, {size}", f"{times['resolve'] / len(texts) * 1e6:.2f} us")
    report.at_most(f"resolve, exact, against fold + dict.get, {size}", times["resolve"] / times["dict"], 1.5)
    report.at_most(f"certain, exact, against fold + dict.get, {size}", times["certain"] / times["dict"], 1.5)


def fuzzy(report: Report, glossary: Glossary, size: str, *, goal: float) -> None:
    queries = typos(glossary)
    labels = [folded for folded, _ in glossary.labels()]
    concepts = {folded: frozenset(hit.concept for hit in glossary.exact(folded)) for folded in labels}

    def plain(text: str) -> frozenset[str]:
        match = process.extractOne(fold(text), labels, scorer=OSA.distance, score_cutoff=2)
        return concepts[match[0]] if match else frozenset()

    def nearest(text: str) -> frozenset[str]:
        near = glossary.typos.near(squash(fold(text)))
        return frozenset(hit.concept for match in near if match.edits == near[0].edits for hit in match.hits)

    def whole(text: str) -> frozenset[str]:
        match resolve(text, glossary):
            case Found(concept=concept):
                return frozenset({concept})
            case Ambiguous(concepts=several):
                return frozenset(several)
        return frozenset()

    def run(function: Callable[[str], object]) -> Callable[[], None]:
        def call() -> None:
            for text, _ in queries:
                function(text)

        return call

    def right(function: Callable[[str], frozenset[str]]) -> float:
        return sum(bool(function(text) & meant) for text, meant in queries) / len(queries)

    times = interleaved({"plain": run(plain), "near": run(nearest), "resolve": run(whole)})
    for name, what in (("plain", "plain extractOne"), ("near", "nearest labels"), ("resolve", "the whole of resolve")):
        report.note(f"{what}, {len(queries)} typos, {size}", f"{times[name] / len(queries) * 1e6:.1f} us")
    ratio = times["near"] / times["plain"]
    report.at_most(f"nearest labels, against plain extractOne, {size}", ratio, goal)
    report.note(f"the whole of resolve, against plain extractOne, {size}", f"{times['resolve'] / times['plain']:.2f} x")
    plain_right = right(plain)
    report.note(f"right answers of plain extractOne, {size}", f"{plain_right:.3f}")
    report.at_least(f"right answers among the nearest labels, {size}", right(nearest), plain_right - 0.01, "")
    report.note(f"right answers of resolve, {size}", f"{right(whole):.3f}")


def main() -> None:
    everything = load([shipped()]).glossary
    few = first_labels(everything, FEW)
    report = Report("resolve: from typed text to concepts")
    for glossary, goal in ((few, 0.5), (everything, 0.5)):
        glossary.warm()
        size = f"{len(list(glossary.labels()))} labels"
        exact(report, glossary, size)
        fuzzy(report, glossary, size, goal=goal)
    report.done()


if __name__ == "__main__":
    main()
