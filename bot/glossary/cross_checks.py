"""What must fit together once all directories are laid over each other: references, labels, comparisons, codes."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from bot.errors import Problem
from bot.glossary.concept import LANGUAGES, code
from bot.glossary.folding import HAN, fold
from bot.glossary.layers import ConceptLayers, DraftConcept, DraftSection, Reference, WrittenLabel
from bot.glossary.other_layers import ComparisonLayers, ContextLayers, DraftComparison

_ABBREVIATION: Final = re.compile(r"\b(?:(?:[Ee]\.g|[Ii]\.e|vs|cf|approx|incl|resp|[Ff]ig|al|ca)\.|etc\.(?=\s+[a-z]))")
_SENTENCE_END: Final = re.compile(r"[。！？]|[.!?](?=[\"”’)\]]*(?:\s|$))")
_PIECE: Final = re.compile(f"[{HAN}]|[^\\W_]+|[^\\s]")
_LONGEST: Final = 8
"""Pieces (Latin words, Chinese characters) that a label looked for in a summary may have."""


# Concepts


def check_concepts(
    layers: ConceptLayers, chapters: Collection[str], doubtful: Collection[str], problems: list[Problem]
) -> None:
    """Drops references to hidden concepts and labels that belong to a later directory; reports the rest."""
    for draft in layers.drafts.values():
        for name, references in draft.references.items():
            known = chapters if name == "chapters" else layers.drafts.keys()
            hidden = {} if name == "chapters" else layers.hidden
            kind = "chapter" if name == "chapters" else "concept"
            draft.references[name] = _standing(references, kind, known, hidden, doubtful, problems)
            _check_list(draft.references[name], draft.id, name, problems)
        for section in draft.sections.values():
            _check_section(draft, section, problems)
    _check_codes(layers.drafts.values(), problems)
    _settle_labels(layers, problems)
    _check_summaries(layers.drafts.values(), problems)


def check_contexts(
    concepts: ConceptLayers, contexts: ContextLayers, doubtful: Collection[str], problems: list[Problem]
) -> None:
    """Reports labels that name a list of words which isn't there."""
    for draft in concepts.drafts.values():
        for label in draft.labels():
            named = [Reference(id_, label.spot.at("contexts", n)) for n, id_ in enumerate(label.label.contexts)]
            _standing(named, "context", contexts.words, contexts.hidden, doubtful, problems)


def _standing(
    references: Iterable[Reference],
    kind: str,
    known: Collection[str],
    hidden: dict[str, int],
    doubtful: Collection[str],
    problems: list[Problem],
) -> list[Reference]:
    """The references that point to something.

    Those of an earlier directory to a concept that a later one hides go silently: a team can't edit shipped files.
    """
    kept: list[Reference] = []
    for reference in references:
        if reference.id in known or reference.id in doubtful:
            kept.append(reference)
        elif reference.spot.directory >= hidden.get(reference.id, -1):
            problems.append(reference.spot.problem(_unknown(reference.id, kind, known, hidden)))
    return kept


def _unknown(id_: str, kind: str, known: Collection[str], hidden: Collection[str]) -> str:
    if id_ in hidden:
        return f"{id_} is hidden: take it out here, too"
    near = difflib.get_close_matches(id_, known, 1, 0.8)
    return (
        f"there is no {kind} {id_}: {f'did you mean {near[0]}?' if near else 'check the spelling, or delete it here'}"
    )


def _check_list(references: Sequence[Reference], owner: str, name: str, problems: list[Problem]) -> None:
    seen: set[str] = set()
    for reference in references:
        if reference.id == owner and name != "chapters":
            problems.append(reference.spot.problem(f"{owner} refers to itself: delete it here"))
        if reference.id in seen:
            problems.append(reference.spot.problem(f"{reference.id} stands in `{name}` twice: delete one"))
        seen.add(reference.id)


def _check_section(draft: DraftConcept, section: DraftSection, problems: list[Problem]) -> None:
    labels = {label.folded: label for label in draft.labels()}
    clashes = [(written, labels.get(folded)) for folded, written in section.not_labels.items()]
    problems.extend(
        written.spot.problem(f'"{written.text}" is a label of {draft.id} in {label.spot}: delete one of them')
        for written, label in clashes
        if label is not None
    )
    if (definition := section.texts.get("definition")) is not None:
        count = sentences(definition.text)
        if not 2 <= count <= 5:
            problems.append(
                definition.spot.problem(f"the definition has {count} sentence(s); two to five read best", "warning")
            )


def sentences(text: str) -> int:
    """How many sentences a text has, an unfinished last one included; "v1.0" and "e.g." end none."""
    text = _ABBREVIATION.sub("", text).rstrip()
    ends = list(_SENTENCE_END.finditer(text))
    unfinished = bool(text) and (not ends or bool(re.search(r"\w", text[ends[-1].end() :])))
    return len(ends) + unfinished


def _check_codes(drafts: Iterable[DraftConcept], problems: list[Problem]) -> None:
    by_code: dict[str, DraftConcept] = {}
    for draft in drafts:
        other = by_code.setdefault(code(draft.id), draft)
        if other is not draft:
            problems.append(
                draft.spot.at("id").problem(f"{draft.id} and {other.id} in {other.spot} have the same code: rename one")
            )


# Labels


def _settle_labels(layers: ConceptLayers, problems: list[Problem]) -> None:
    """A label of two concepts is an error in one directory; of several, the last directory gets it."""
    owners: dict[str, dict[str, list[WrittenLabel]]] = defaultdict(lambda: defaultdict(list))
    for draft in layers.drafts.values():
        for label in draft.labels():
            owners[label.folded][draft.id].append(label)
    for by_concept in owners.values():
        if len(by_concept) > 1:
            _settle(by_concept, layers.drafts, problems)


def _settle(
    by_concept: dict[str, list[WrittenLabel]], drafts: dict[str, DraftConcept], problems: list[Problem]
) -> None:
    if all(_qualified(drafts[id_], labels) for id_, labels in by_concept.items()):
        return
    everyone = [(max(labels, key=lambda la: la.spot.directory), drafts[id_]) for id_, labels in by_concept.items()]
    newest = max(label.spot.directory for label, _ in everyone)
    (winner, winning), *rivals = [pair for pair in everyone if pair[0].spot.directory == newest]
    for label, draft in rivals:
        problems.append(
            label.spot.problem(
                f'"{label.label.text}" is a label of {winning.id} in {winner.spot}, too: leave it to one of them, '
                f"or give {winning.id} and {draft.id} a `qualifier` each"
            )
        )
    if rivals:
        return
    for label, draft in everyone:
        if draft is not winning:
            _take_away(label, draft, winner, winning, problems)


def _qualified(draft: DraftConcept, labels: Iterable[WrittenLabel]) -> bool:
    return all("qualifier" in draft.sections[written.label.language].texts for written in labels)


def _take_away(
    label: WrittenLabel, loser: DraftConcept, winner: WrittenLabel, winning: DraftConcept, problems: list[Problem]
) -> None:
    for section in loser.sections.values():
        section.drop(label.folded)
        if section.pref is not None and section.pref.folded == label.folded:
            names = [section.full, *section.alt]
            following = next((name for name in names if name and name.label.status == "admitted"), None)
            if following is None:
                problems.append(
                    winner.spot.problem(
                        f'"{label.label.text}" is the only name of {loser.id} in {label.spot}: hide {loser.id}, '
                        f"or give {winning.id} and {loser.id} a `qualifier` each"
                    )
                )
                return
            section.drop(following.folded)
            section.pref = following
    problems.append(
        winner.spot.problem(
            f'"{label.label.text}" now means {winning.id}; so far it was a label of {loser.id} ({label.spot})',
            "warning",
        )
    )


# Summaries


def _check_summaries(drafts: Collection[DraftConcept], problems: list[Problem]) -> None:
    """A summary serves as a choice for people who don't know the jargon yet."""
    owners: dict[tuple[str, ...], str] = {}
    for draft in drafts:
        for written in draft.labels():
            label = written.label
            if not (label.everyday or label.case_sensitive) and label.kind != "hidden":
                owners[tuple(_PIECE.findall(written.folded))] = draft.id
    for draft in drafts:
        for section in draft.sections.values():
            if (summary := section.texts.get("summary")) is None:
                continue
            found = _labels_in(_PIECE.findall(fold(summary.text)), owners)
            found = {owner: label for owner, label in found.items() if owner != draft.id}
            if len(found) > 1:
                labels = ", ".join(found.values())
                problems.append(
                    summary.spot.problem(f"the summary needs other entries to be understood: {labels}", "warning")
                )


def _labels_in(pieces: Sequence[str], owners: dict[tuple[str, ...], str]) -> dict[str, str]:
    """The concepts whose labels stand in a text, each with the label; longer ones first, without overlap."""
    found: dict[str, str] = {}
    start = 0
    while start < len(pieces):
        for end in range(min(start + _LONGEST, len(pieces)), start, -1):
            if (owner := owners.get(tuple(pieces[start:end]))) is not None:
                glue = "" if any(len(piece) == 1 for piece in pieces[start:end]) else " "
                found.setdefault(owner, glue.join(pieces[start:end]))
                start = end - 1
                break
        start += 1
    return found


# Comparisons


def check_comparisons(
    layers: ComparisonLayers, concepts: ConceptLayers, doubtful: Collection[str], problems: list[Problem]
) -> None:
    """Drops comparisons with a concept that a later directory hides; reports what else doesn't fit."""
    by_sides: dict[frozenset[str], DraftComparison] = {}
    for draft in list(layers.drafts.values()):
        standing = _standing(draft.concepts(), "concept", concepts.drafts, concepts.hidden, doubtful, problems)
        if len(standing) < len(draft.concepts()):
            del layers.drafts[draft.id]
            if not any(side.id in concepts.hidden for side in draft.concepts()):  # else the texts go with it
                _check_texts(draft, problems)
            continue
        if draft.sides_spot is None:  # reported already
            continue
        _check_list(draft.concepts(), "", "sides", problems)
        if len(draft.others()) > 1:
            problems.append(draft.sides_spot.problem("only one side may be an `other`: the rest must be concepts"))
        _check_texts(draft, problems)
        sides = frozenset(
            [side.id for side in draft.concepts()]
            + [fold(f"other {labels[0]}") for other in draft.others() for labels in other.labels.values()]
        )
        first = by_sides.setdefault(sides, draft)
        if first is draft:
            continue
        if first.spot.directory == draft.spot.directory:
            problems.append(draft.sides_spot.problem(f"{first.id} in {first.spot} compares the same: keep one of them"))
        else:
            del layers.drafts[first.id]
            by_sides[sides] = draft
            problems.append(
                draft.sides_spot.problem(
                    f"this now stands for {first.id} in {first.spot}, with the same sides", "warning"
                )
            )


def _check_texts(draft: DraftComparison, problems: list[Problem]) -> None:
    wanted = len(draft.sides)
    for language in LANGUAGES:
        if (named := draft.texts.get(language)) is None:
            continue
        here = draft.spot.at(language)
        lacking = [name for name in ("gist", "choose", "rows") if name not in named]
        problems.extend(here.problem(f"{draft.id} lacks `{name}` in {language}") for name in lacking)
        if (entry := named.get("choose")) is not None and len(entry.form.choose) != wanted:
            problems.append(
                entry.spot.at("choose").problem(
                    f"`choose` has {len(entry.form.choose)} line(s) for {wanted} sides: write one for each"
                )
            )
        if (entry := named.get("rows")) is not None:
            if not entry.form.rows:
                problems.append(entry.spot.at("rows").problem("`rows` is empty: write at least one row"))
            problems.extend(
                entry.spot.at("rows", number).problem(
                    f"this row has {len(row)} items; it needs {wanted + 1}: the aspect, and one cell per side"
                )
                for number, row in enumerate(entry.form.rows)
                if len(row) != wanted + 1
            )
