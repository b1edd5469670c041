"""Directories: what is read, what is refused, and that all problems come at once."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bot
from bot.errors import DataError
from bot.glossary.concept import Concept
from bot.glossary.strict_yaml import MOST_BYTES
from bot.glossary.yaml_files import load, shipped
from tests.data_dirs import concept, directory, glossary

GOOD = glossary(concept("alpha"))
ROOT = Path(bot.__file__).parent.parent


def errors(*paths: Path, strict_languages: bool = False) -> list[str]:
    with pytest.raises(DataError) as caught:
        load(paths, strict_languages)
    return [str(problem) for problem in caught.value.problems]


def test_nothing_to_load() -> None:
    loaded = load([])
    assert (loaded.glossary.concepts, loaded.phrases.keys(), loaded.warnings) == ({}, frozenset(), ())


def test_every_file_is_optional(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", phrases="hello: {en: Hello, zh-Hans: 你好}\n")
    assert load([path]).phrases.say("hello", "zh-Hans") == "你好"


def test_files_of_the_glossary_are_put_together(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=glossary(concept("alpha", "related: [beta]")))
    (path / "glossary" / "more.yaml").write_text(glossary(concept("beta"), topic="more"), encoding="utf-8")
    loaded = load([path], strict_languages=False).glossary
    assert {id_: found.topic for id_, found in loaded.concepts.items()} == {"alpha": "things", "beta": "more"}


@pytest.mark.parametrize("place", ["nowhere", "a file", "empty", "other files", "the folder glossary itself"])
def test_what_holds_no_data(place: str, tmp_path: Path) -> None:
    path = tmp_path / "data"
    if place == "a file":
        path.write_text(GOOD, encoding="utf-8")
    elif place == "empty":
        path.mkdir()
    elif place == "other files":
        path.mkdir()
        (path / "notes.txt").touch()
    elif place == "the folder glossary itself":
        path = directory(path, glossary=GOOD) / "glossary"
    (problem,) = [line for line in errors(path) if "error" in line]
    assert problem.startswith(f"{path}: error: ")
    assert (
        "a data directory holds glossary/*.yaml, comparisons.yaml, chapters.yaml, contexts.yaml or phrases.yaml"
        in problem
    )


def test_a_path_is_named_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory(tmp_path / "data", glossary=glossary(concept("alpha", "related: [nobody]")))
    monkeypatch.chdir(tmp_path)
    (problem,) = [line for line in errors(Path("data")) if "error" in line]
    assert problem.startswith("data/glossary/things.yaml:4:15: error: there is no concept nobody")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("comparison.yaml", "here only comparisons.yaml, chapters.yaml, contexts.yaml, phrases.yaml are"),
        ("phrases.yml", "isn't read"),
        ("glossary/more.yml", "give it the ending .yaml"),
    ],
)
def test_strangers_are_warned_about(file: str, words: str, tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=GOOD)
    (path / file).write_text("hello", encoding="utf-8")
    found = [problem for problem in load([path], strict_languages=False).warnings if problem.file == str(path / file)]
    assert [(problem.line, problem.severity) for problem in found] == [(0, "warning")]
    assert words in found[0].message


def test_strangers_alone(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossaries=GOOD)
    found = errors(path)
    assert [line.split(": ")[:2] for line in found] == [[str(path), "error"], [f"{path}/glossaries.yaml", "warning"]]


def test_hidden_and_other_files_are_left_alone(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=GOOD)
    before = load([path], strict_languages=False).warnings
    for file in ("README.md", ".backup.yaml", "glossary/.things.yaml", "glossary/notes.txt"):
        (path / file).write_text("a: b: c", encoding="utf-8")
    assert load([path], strict_languages=False).warnings == before


def test_an_empty_file_is_a_warning(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=GOOD, comparisons="# later\n")
    found = load([path], strict_languages=False).warnings
    assert f"{path}/comparisons.yaml: warning: is empty" in map(str, found)


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=GOOD)
    (path / "phrases.yaml").mkdir()
    assert any(f"{path}/phrases.yaml: error: can't be read" in line for line in errors(path))


def test_a_pipe_in_place_of_a_file(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=GOOD)
    os.mkfifo(path / "phrases.yaml")
    assert any(f"{path}/phrases.yaml: error: can't be read" in line for line in errors(path))


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=GOOD)
    with (path / "comparisons.yaml").open("wb") as file:
        file.truncate(50 * MOST_BYTES)
    found = [line for line in errors(path) if "error" in line]
    assert found == [f"{path}/comparisons.yaml: error: is larger than 5 MB: split it into several files"]


def test_both_languages_in_the_first_directory_only(tmp_path: Path) -> None:
    first = directory(tmp_path / "1", glossary=glossary(concept("alpha", "level: 1", zh="")))
    second = directory(tmp_path / "2", glossary=glossary(concept("beta")))
    found = errors(first, second, strict_languages=True)
    assert [line.partition(": ")[2] for line in found] == [
        "error: the name of things lacks en and zh-Hans",
        "warning: beta has no text in zh-Hans yet",
    ]
    assert any(
        "beta has no text in zh-Hans yet" in line and "error" in line for line in errors(second, strict_languages=True)
    )


def test_the_first_directory_names_levels(tmp_path: Path) -> None:
    named = "name: {en: Things, zh-Hans: 东西}\n"
    path = directory(tmp_path / "data", glossary=named + glossary(concept("alpha", zh="")))
    assert [line.partition(": ")[2] for line in errors(path, strict_languages=True)] == [
        "error: `level` is missing in alpha: 1, 2 or 3"
    ]
    assert load([path], strict_languages=False).glossary.concepts["alpha"].level == 2


def test_all_problems_of_all_directories_come_at_once(tmp_path: Path) -> None:
    first = directory(tmp_path / "1", glossary=glossary(concept("alpha", "related: [nobody]")), phrases="a: b: c\n")
    second = directory(tmp_path / "2", chapters="- {id: One}\n", comparisons="- id: x\n  sides: [alpha, nobody]\n")
    found = [line for line in errors(first, second) if "error" in line]
    assert [line.removeprefix(f"{tmp_path}/").split(": ")[0] for line in found] == [
        "1/glossary/things.yaml:4:15",
        "1/phrases.yaml:1:5",
        "2/chapters.yaml:1:8",
        "2/comparisons.yaml:1:3",
        "2/comparisons.yaml:2:18",
    ]


def test_warnings_are_sorted_and_told_once(tmp_path: Path) -> None:
    path = directory(tmp_path / "data", glossary=glossary(concept("beta"), concept("alpha", en="alt_labels: [a, A]")))
    found = load([path], strict_languages=False).warnings
    assert list(found) == sorted(set(found))
    assert {problem.severity for problem in found} == {"warning"}


@pytest.mark.parametrize("on", [True, False])
def test_the_garbage_collector_is_left_as_it_was(on: bool, tmp_path: Path) -> None:
    before = gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        errors(tmp_path)
        assert gc.isenabled() is on
    finally:
        (gc.enable if before else gc.disable)()


def test_shipped_data_of_a_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert shipped() == ROOT / "data"


def test_shipped_data_of_a_wheel(tmp_path: Path) -> None:
    """A wheel carries the data inside the package; a `data/` that happens to stand beside it isn't ours."""
    shutil.copytree(ROOT / "bot", tmp_path / "bot", ignore=shutil.ignore_patterns("__pycache__", "_data"))
    (tmp_path / "bot" / "_data").mkdir()
    (tmp_path / "data").mkdir()
    script = "from bot.glossary.yaml_files import shipped; print(shipped())"
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, check=True
    )
    assert ended.stdout.decode().strip() == str((tmp_path / "bot" / "_data").resolve())


IDS = st.sampled_from(["alpha", "beta", "gamma", "Delta", ""])
TEXTS = st.one_of(st.sampled_from(["Alpha", "alpha", "甲", "{x}", "one. two.", "https://a.b"]), st.text(max_size=5))
ANY = st.recursive(
    st.one_of(TEXTS, IDS, st.booleans(), st.integers(-1, 4), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=2)),
    max_leaves=4,
)


def forms(keys: dict[str, st.SearchStrategy[object]]) -> st.SearchStrategy[object]:
    return st.fixed_dictionaries({}, optional={key: st.one_of(value, value, value, ANY) for key, value in keys.items()})


LABEL = st.one_of(
    TEXTS,
    forms({"text": TEXTS, "part": st.booleans(), "status": st.sampled_from(["avoid", "bad"])}),
    forms({"text": TEXTS, "near": st.lists(TEXTS, max_size=2), "contexts": st.lists(IDS, max_size=2)}),
)
SECTION = forms(
    {
        "pref_label": LABEL,
        "full_form": LABEL,
        "alt_labels": st.lists(LABEL, max_size=3),
        "not_labels": st.lists(TEXTS, max_size=2),
        "summary": TEXTS,
        "definition": TEXTS,
        "qualifier": TEXTS,
    }
)
CONCEPT = forms(
    {
        "id": IDS,
        "related": st.lists(IDS, max_size=2),
        "chapters": st.lists(IDS, max_size=2),
        "en": SECTION,
        "zh-Hans": SECTION,
        "hide": st.booleans(),
        "remove_labels": st.lists(TEXTS, max_size=2),
        "note": TEXTS,
    }
)
OTHER = forms({"other": forms({"en": forms({"labels": st.lists(TEXTS, max_size=2), "line": TEXTS})})})
COMPARED = forms({"gist": TEXTS, "choose": st.lists(TEXTS, max_size=3), "rows": st.lists(st.lists(TEXTS, max_size=4))})
COMPARISON = forms(
    {
        "id": IDS,
        "sides": st.lists(st.one_of(IDS, OTHER), max_size=4),
        "en": COMPARED,
        "zh-Hans": COMPARED,
        "hide": st.booleans(),
    }
)
DIRECTORY = st.fixed_dictionaries(
    {
        "glossary": forms({"topic": IDS, "name": forms({"en": TEXTS}), "concepts": st.lists(CONCEPT, max_size=3)}),
        "comparisons": st.lists(COMPARISON, max_size=2),
        "chapters": st.lists(forms({"id": IDS, "en": TEXTS, "url": TEXTS}), max_size=2),
        "contexts": st.lists(
            forms({"id": IDS, "words": st.lists(TEXTS, max_size=2), "hide": st.booleans()}), max_size=2
        ),
        "phrases": st.dictionaries(IDS, forms({"en": TEXTS, "zh-Hans": TEXTS}), max_size=2),
    }
)


@given(st.lists(DIRECTORY, min_size=1, max_size=2), st.booleans())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_data_is_loaded_or_refused_with_places(layers: list[dict[str, object]], strict: bool) -> None:
    with TemporaryDirectory() as root:
        paths = []
        for number, files in enumerate(layers):
            texts = {name: yaml.safe_dump(value, allow_unicode=True) for name, value in files.items()}
            good = {"glossary": glossary(concept("alpha"), concept("beta"))} if number == 0 and len(layers) > 1 else {}
            paths.append(directory(Path(root) / str(number), **{**texts, **good}))
        concepts: list[Concept] = []
        try:
            loaded = load(paths, strict)
            concepts, problems, worst = list(loaded.glossary.concepts.values()), loaded.warnings, {"warning"}
        except DataError as error:
            problems, worst = error.problems, {"warning", "error"}
    assert all(concept.sections and concept.labels() for concept in concepts)
    assert list(problems) == sorted(set(problems))
    assert {problem.severity for problem in problems} | {"warning"} == worst
