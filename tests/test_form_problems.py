from __future__ import annotations

import pytest

from bot.errors import Problem
from bot.glossary.file_form import ComparisonForm, ConceptForm, Form
from bot.glossary.form_problems import check
from bot.glossary.strict_yaml import read


def problems(text: str, form: type[Form]) -> list[Problem]:
    found: list[Problem] = []
    document = read(text.encode(), "f.yaml")
    check(document, (), document.value, form, found)
    return found


def test_what_fits_is_returned() -> None:
    document = read(b"id: alpha\nlevel: 2\n", "f.yaml")
    found: list[Problem] = []
    form = check(document, (), document.value, ConceptForm, found)
    assert form is not None
    assert (form.id, form.level, found) == ("alpha", 2, [])
    assert form.named("id", "level")
    assert not form.named("related")


@pytest.mark.parametrize(
    ("text", "form", "line", "column", "words"),
    [
        pytest.param("level: 2", ConceptForm, 1, 1, "`id` is missing", id="missing at the top"),
        pytest.param(
            "id: a\nlevle: 2", ConceptForm, 2, 1, "the key `levle` isn't known here: did you mean `level`?", id="near"
        ),
        pytest.param(
            "id: a\nsummary: x",
            ConceptForm,
            2,
            1,
            "the key `summary` isn't known here: `summary` stands under `en` or `zh-Hans`",
            id="too high",
        ),
        pytest.param(
            "id: a\nen:\n  see_also: [b]",
            ConceptForm,
            3,
            3,
            "the key `see_also` isn't known here; known are pref_label, full_form, alt_labels",
            id="too low",
        ),
        pytest.param(
            "id: a\nsee_also: [b]",
            ConceptForm,
            2,
            1,
            "the key `see_also` isn't known here: did you mean `related`?",
            id="other word",
        ),
        pytest.param(
            "id: a\nen: text",
            ConceptForm,
            2,
            5,
            "`en` must hold keys and values, `key: text` on each line",
            id="text for keys",
        ),
        pytest.param(
            "id: a\nen: {alt_labels: [b, {text: c, part: 1}]}",
            ConceptForm,
            2,
            38,
            "`part` must be true or false, without quotes",
            id="inside a label",
        ),
        pytest.param(
            "id: a\nsides: [b, 8]",
            ComparisonForm,
            2,
            12,
            "`sides` is 8, which YAML reads as the number 8: put it in quotes",
            id="number as side",
        ),
        pytest.param(
            "id: a\nsides: [b, {othr: {}}]",
            ComparisonForm,
            2,
            13,
            "the key `othr` isn't known here: did you mean `other`?",
            id="inside a side",
        ),
        pytest.param(
            "id: a\nsides: [b, C]",
            ComparisonForm,
            2,
            12,
            "`sides` is no id: use a-z, 0-9 and single hyphens, for example c",
            id="id",
        ),
        pytest.param(
            "- a", ConceptForm, 1, 1, "must hold keys and values, `key: text` on each line", id="list for keys"
        ),
    ],
)
def test_words_and_places(text: str, form: type[Form], line: int, column: int, words: str) -> None:
    here = [problem.message for problem in problems(text, form) if (problem.line, problem.column) == (line, column)]
    assert any(message.startswith(words) for message in here), here


def test_all_faults_are_told() -> None:
    found = problems("id: A B\nlevel: 9\nlink: x\nen: {summary: '', zh: x}\n", ConceptForm)
    assert sorted(problem.line for problem in found) == [1, 2, 3, 4, 4]


def test_what_yaml_misreads_is_told_once() -> None:
    assert problems("id: a\nlevel: 010\nhide: yes\n", ConceptForm) == []
