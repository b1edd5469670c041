"""The shipped data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.errors import DataError
from bot.glossary.concept import LANGUAGES, Concept
from bot.glossary.yaml_files import Loaded, load, shipped


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load([shipped()])


@pytest.fixture(scope="module")
def concepts(loaded: Loaded) -> list[Concept]:
    return list(loaded.glossary.concepts.values())


def test_it_loads_without_a_warning(loaded: Loaded) -> None:
    assert [str(problem) for problem in loaded.warnings] == []


def test_how_much_there_is(loaded: Loaded) -> None:
    glossary = loaded.glossary
    assert (len(glossary.concepts), len(glossary.topics), len(glossary.chapters)) == (72, 7, 17)
    assert len(glossary.comparisons) >= 20


def test_both_languages_everywhere(loaded: Loaded) -> None:
    glossary = loaded.glossary
    entries = [*glossary.concepts.values(), *glossary.comparisons.values()]
    assert [entry.id for entry in entries if tuple(entry.sections) != LANGUAGES] == []
    assert {tuple(topic.name) for topic in glossary.topics.values()} == {LANGUAGES}
    assert {tuple(chapter.title) for chapter in glossary.chapters.values()} == {LANGUAGES}


def test_topics_are_in_order(loaded: Loaded) -> None:
    assert [topic.position for topic in loaded.glossary.topics.values()] == [1, 2, 3, 4, 5, 6, 7]


def test_every_topic_file_has_the_name_of_its_topic(loaded: Loaded) -> None:
    assert {file.stem for file in (shipped() / "glossary").glob("*.yaml")} == set(loaded.glossary.topics)


def test_every_topic_has_concepts(loaded: Loaded, concepts: list[Concept]) -> None:
    assert {concept.topic for concept in concepts} == set(loaded.glossary.topics)


def test_every_concept_leads_somewhere(concepts: list[Concept]) -> None:
    assert [concept.id for concept in concepts if not concept.related and not concept.confusable_with] == []


def test_what_is_confusable_is_not_related_as_well(concepts: list[Concept]) -> None:
    twice = {concept.id: set(concept.related) & set(concept.confusable_with) for concept in concepts}
    assert {id_: ids for id_, ids in twice.items() if ids} == {}


README = (shipped() / "README.md").read_text("utf-8")


def readme_directory(tmp_path: Path) -> Path:
    """The two examples of data/README.md, as a directory of a team."""
    entry, team = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "glossary").mkdir()
    (tmp_path / "glossary" / "entry.yaml").write_text(f"topic: llm-inference\nconcepts:\n{entry}", encoding="utf-8")
    (tmp_path / "glossary" / "ours.yaml").write_text(team, encoding="utf-8")
    return tmp_path


def test_the_examples_of_the_readme_work(tmp_path: Path) -> None:
    path = readme_directory(tmp_path)
    loaded = load([shipped(), path])
    ours = [problem.message for problem in loaded.warnings if problem.file.startswith(str(path))]
    assert ours == ["fluffy has no text in zh-Hans yet"]
    concepts = loaded.glossary.concepts
    assert tuple(concepts["prompt-template"].sections) == LANGUAGES
    assert concepts["slo"].note["en"] == "Our targets stand on the status page."
    assert "blue-green-deployment" not in concepts


def test_the_message_of_the_readme_is_what_check_says(tmp_path: Path) -> None:
    entry = readme_directory(tmp_path) / "glossary" / "entry.yaml"
    entry.write_text(entry.read_text("utf-8").replace("prompt skeleton", "NO"), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load([shipped(), tmp_path])
    (problem,) = [problem for problem in caught.value.problems if problem.severity == "error"]
    (quoted,) = re.findall(r"error: (.*) …$", README, re.MULTILINE)
    assert problem.message.startswith(quoted)
