"""What a report says, and that nobody's spreadsheet carries it out."""

from __future__ import annotations

import csv
from datetime import date
from io import StringIO

import pytest

from adapters.terminal.text import render
from bot.answer import Paragraph, Table
from bot.glossary.concept import Language
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.report import COLUMNS, ROWS, as_csv, missing, nearest, report
from bot.state.counters import Asked, Counts, MarkedWrong, Unasked
from bot.state.ports import Miss
from bot.wording import Voice

DAY = date(2026, 11, 30)


def asked(concept: str, outcome: str = "definition", channel: str = "C1", language: str = "en") -> Asked:
    return Asked("slack", "T1", channel, concept, language, outcome)


COUNTS = Counts(
    days=30,
    asked={
        asked("slo"): 3,
        asked("slo", channel=""): 2,
        asked("slo", language="zh-Hans"): 4,
        asked("sla", "comparison"): 9,
        asked("ttft", "explanation"): 99,
        asked("gone-since"): 1,
        asked("", "unknown"): 7,
    },
    misses=(Miss("goodputt", 5, DAY), Miss("zzyzx", 2, DAY)),
    wrong={MarkedWrong("slack", "C1", "canary", "canary-release"): 2, MarkedWrong("discord", "9", "gil", "gone"): 1},
    unasked=(Unasked("discord", "9", 1, 0), Unasked("slack", "C1", 12, 5)),
)
NOTHING = Counts(30, {}, (), {}, ())


@pytest.fixture(params=["en", "zh-Hans"])
def language(request: pytest.FixtureRequest) -> Language:
    chosen: Language = request.param
    return chosen


def voice(glossary: Glossary, phrases: Phrases, language: Language = "en") -> Voice:
    return Voice(glossary, phrases, language, language)


def test_a_report_in_words(glossary: Glossary, phrases: Phrases) -> None:
    lines = [" ".join(line.split()) for line in render(report(COUNTS, voice(glossary, phrases))).splitlines()]
    assert lines == [
        "The last 30 days",
        "19 terms explained · 7 look-ups without an answer",
        "Asked most | Times",
        "SLA | 9",
        "SLO | 9",
        "gone-since | 1",
        "Not in the glossary | Times | Nearest",
        f"goodputt | 5 | {' · '.join(name(near, glossary) for near in nearest('goodputt', glossary)) or '–'}",
        "zzyzx | 2 | –",
        "Marked wrong | Explained as | Channel | Times",
        "canary | Canary release · 灰度发布 | slack C1 | 2",
        "gil | gone | discord 9 | 1",
        "Notes | Posted | Opened",
        "slack C1 | 12 | 5",
        "discord 9 | 1 | 0",
    ]


def name(concept: str, glossary: Glossary) -> str:
    return glossary.concepts[concept].section("en").pref_label.text if concept in glossary.concepts else ""


def test_every_report_has_words_in_both_languages(glossary: Glossary, phrases: Phrases, language: Language) -> None:
    for counts in (COUNTS, NOTHING):
        text = render(report(counts, voice(glossary, phrases, language)))
        assert "{" not in text
        assert ("最近" in text) is (language == "zh-Hans")


def test_without_anything_it_says_so(glossary: Glossary, phrases: Phrases) -> None:
    assert report(NOTHING, voice(glossary, phrases)).blocks[1:] == (Paragraph("Nobody asked anything."),)
    assert missing((), voice(glossary, phrases)).blocks == (Paragraph("Nothing was looked up twice and not found."),)


def test_a_message_holds_so_many_rows_and_a_list_all(glossary: Glossary, phrases: Phrases) -> None:
    many = Counts(
        7,
        {asked(f"c{number}"): number + 1 for number in range(50)},
        tuple(Miss(f"zz{number}", 2, DAY) for number in range(50)),
        {MarkedWrong("slack", "C1", f"label{number}", "slo"): 1 for number in range(50)},
        tuple(Unasked("slack", f"C{number}", 1, 1) for number in range(50)),
    )
    tables = [block for block in report(many, voice(glossary, phrases)).blocks if isinstance(block, Table)]
    assert [len(table.rows) for table in tables] == [ROWS] * 4
    assert tables[0].rows[0] == ("c49", "50")
    (table,) = missing(many.misses, voice(glossary, phrases)).blocks
    assert isinstance(table, Table)
    assert len(table.rows) == 50
    assert len(as_csv(many, glossary).splitlines()) == 1 + 50 + 50 + 50 + 100


def test_no_cell_is_empty(glossary: Glossary, phrases: Phrases, language: Language) -> None:
    blocks = report(COUNTS, voice(glossary, phrases, language)).blocks
    assert all(cell for block in blocks if isinstance(block, Table) for row in block.rows for cell in row)


def test_the_table_for_a_spreadsheet(glossary: Glossary) -> None:
    first, *rows = csv.reader(StringIO(as_csv(COUNTS, glossary)))
    assert tuple(first) == COLUMNS
    assert ["asked", "slack", "", "slo", "", "en", "definition", "2"] in rows
    assert ["asked", "slack", "C1", "", "", "en", "unknown", "7"] in rows
    assert ["wrong", "discord", "9", "gone", "gil", "", "", "1"] in rows
    assert ["opened", "slack", "C1", "", "", "", "", "5"] in rows
    assert {len(row) for row in rows} == {len(COLUMNS)}


@pytest.mark.parametrize("typed", ["=cmd|' /c calc'!a0", "+1", "-1+2", "@sum(a1)"])
def test_no_cell_is_a_formula(glossary: Glossary, typed: str) -> None:
    counts = Counts(30, {}, (Miss(typed, 2, DAY),), {}, ())
    (row,) = list(csv.DictReader(StringIO(as_csv(counts, glossary), newline="")))
    assert row["text"] == f"'{typed}"


@pytest.mark.parametrize(("typed", "near"), [("slo", True), ("continous batchng", True), ("zzyzx", False), ("", False)])
def test_the_nearest_of_what_was_missed(glossary: Glossary, typed: str, near: bool) -> None:
    found = nearest(typed, glossary)
    assert bool(found) is near
    assert set(found) <= set(glossary.concepts)
