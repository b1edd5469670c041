"""What is asked, missing, misunderstood and opened, in words and tables for the owners of the glossary."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from bot.answer import Answer, Block, Heading, Note, Paragraph, Table
from bot.errors import Problem
from bot.glossary.glossary import Glossary
from bot.glossary.resolver import Ambiguous, Found, Suggested, resolve
from bot.state.counters import Asked, Counts, MarkedWrong
from bot.state.ports import Miss
from bot.wording import DOT, Voice, title

ROWS: Final = 10
"""Of each table: a message holds no more. `as_csv` has all."""

ANSWERED: Final = ("definition", "comparison")
"""Of what was asked: a digest tells of many concepts that nobody asked for."""

NOTHING_NEAR: Final = "–"

COLUMNS: Final = ("what", "platform", "channel", "concept", "text", "language", "outcome", "count")
"""Of `as_csv`. `what`: asked, miss, wrong, notes, opened."""

_FORMULA: Final = ("=", "+", "-", "@")


def report(counts: Counts, voice: Voice) -> Answer:
    """For a person or a channel of owners: what was unanswered stands in it as it was typed, folded."""
    asked = _by_concept(counts.asked)
    unknown = sum(count for what, count in counts.asked.items() if what.outcome == "unknown")
    numbers = (voice.say("report.answers", count=sum(asked.values())), voice.say("report.unknown", count=unknown))
    blocks: list[Block] = [
        Heading(voice.say("report.title", count=counts.days), DOT.join(numbers)),
        *_asked_table(asked, voice),
        *_misses_table(counts.misses[:ROWS], voice),
        *_wrong_table(counts.wrong, voice),
        *_notes_table(counts, voice),
    ]
    if len(blocks) == 1:
        blocks.append(Paragraph(voice.say("report.nothing")))
    return Answer("list", voice.shown, blocks=tuple(blocks), chrome=voice.chrome)


def missing(misses: Sequence[Miss], voice: Voice) -> Answer:
    """What was looked up more than once and isn't in the glossary."""
    blocks: list[Block] = _misses_table(misses, voice) or [Paragraph(voice.say("report.no_misses"))]
    return Answer("list", voice.shown, blocks=tuple(blocks), chrome=voice.chrome)


def rejected(problems: Sequence[Problem], voice: Voice) -> Answer:
    """A change of the glossary's files that isn't used, for whoever made it."""
    shown = tuple(Paragraph(str(problem)) for problem in problems[:ROWS])
    more = len(problems) - len(shown)
    return Answer(
        "list",
        voice.shown,
        blocks=(
            Heading(voice.say("report.rejected"), voice.say("report.still")),
            *shown,
            *((Note(voice.say("report.more", count=more)),) if more else ()),
        ),
        chrome=voice.chrome,
    )


def as_csv(counts: Counts, glossary: Glossary) -> str:
    """All of it, a line each, with `COLUMNS` at the top. A miss has its nearest concepts under `concept`."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(_harmless, row) for row in _rows(counts, glossary))
    return out.getvalue()


def nearest(text: str, glossary: Glossary) -> tuple[str, ...]:
    """Ids of the concepts that somebody may have meant; found, if they were added since."""
    match resolve(text, glossary):
        case Found(concept=concept):
            return (concept,)
        case Ambiguous(concepts=concepts) | Suggested(concepts=concepts):
            return tuple(concepts)
        case _:
            return ()


def _asked_table(asked: Counter[str], voice: Voice) -> list[Block]:
    columns = (voice.say("report.asked"), voice.say("report.times"))
    return _table(columns, [(_name(concept, voice), str(n)) for concept, n in _most(asked)])


def _misses_table(misses: Sequence[Miss], voice: Voice) -> list[Block]:
    columns = (voice.say("report.missing"), voice.say("report.times"), voice.say("report.nearest"))
    return _table(
        columns,
        [
            (miss.text, str(miss.count), voice.comma.join(_name(c, voice) for c in near) or NOTHING_NEAR)
            for miss in misses
            for near in (nearest(miss.text, voice.glossary),)
        ],
    )


def _wrong_table(wrong: Mapping[MarkedWrong, int], voice: Voice) -> list[Block]:
    columns = (voice.say("report.wrong"), voice.say("report.taken"), voice.say("report.channel"))
    most = sorted(wrong.items(), key=lambda item: (-item[1], item[0].label, item[0].channel))[:ROWS]
    return _table(
        (*columns, voice.say("report.times")),
        [(w.label, _name(w.concept, voice), f"{w.platform} {w.channel}", str(n)) for w, n in most],
    )


def _notes_table(counts: Counts, voice: Voice) -> list[Block]:
    columns = (voice.say("report.notes"), voice.say("report.posted"), voice.say("report.opened"))
    most = sorted(counts.unasked, key=lambda of: (-of.notes, -of.opened, of.platform, of.channel))[:ROWS]
    return _table(columns, [(f"{of.platform} {of.channel}", str(of.notes), str(of.opened)) for of in most])


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[Block]:
    return [Table(columns, tuple(rows))] if rows else []


def _by_concept(asked: Mapping[Asked, int]) -> Counter[str]:
    counter: Counter[str] = Counter()
    for what, count in asked.items():
        if what.outcome in ANSWERED:
            counter[what.concept] += count
    return counter


def _most(counter: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:ROWS]


def _name(concept: str, voice: Voice) -> str:
    """Its id, where it's no longer in the glossary."""
    found = voice.glossary.concepts.get(concept)
    return title(found, voice) if found else concept


def _rows(counts: Counts, glossary: Glossary) -> Iterator[tuple[str, ...]]:
    for a, n in sorted(counts.asked.items(), key=lambda item: (-item[1], *_key(item[0]))):
        yield ("asked", a.platform, a.channel, a.concept, "", a.language, a.outcome, str(n))
    for miss in counts.misses:
        yield ("miss", "", "", " ".join(nearest(miss.text, glossary)), miss.text, "", "", str(miss.count))
    for w, n in sorted(counts.wrong.items(), key=lambda item: (-item[1], item[0].label, item[0].channel)):
        yield ("wrong", w.platform, w.channel, w.concept, w.label, "", "", str(n))
    for of in counts.unasked:
        yield ("notes", of.platform, of.channel, "", "", "", "", str(of.notes))
        yield ("opened", of.platform, of.channel, "", "", "", "", str(of.opened))


def _key(asked: Asked) -> tuple[str, ...]:
    return asked.concept, asked.platform, asked.channel, asked.language, asked.outcome


def _harmless(cell: str) -> str:
    """Spreadsheets carry out what looks like a formula, and somebody typed some of this."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
