from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from pydantic import TypeAdapter, ValidationError

from bot.glossary.concept import LANGUAGES
from bot.glossary.file_form import (
    SECTIONS,
    ChapterForm,
    ComparisonForm,
    ConceptForm,
    ContextForm,
    GlossaryForm,
    LabelForm,
    schemas,
)
from bot.glossary.yaml_files import shipped

SCHEMAS = schemas()
FILES = {
    "comparisons.yaml": "comparisons.schema.json",
    "chapters.yaml": "chapters.schema.json",
    "contexts.yaml": "contexts.schema.json",
    "phrases.yaml": "phrases.schema.json",
}
DATA = sorted(shipped().rglob("*.yaml"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_on_disk_are_the_generated_ones(name: str) -> None:
    assert json.loads((shipped() / "schema" / name).read_text("utf-8")) == SCHEMAS[name]


def test_no_other_schemas_on_disk() -> None:
    assert {file.name for file in (shipped() / "schema").iterdir()} == set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_valid(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


@pytest.mark.parametrize("file", DATA, ids=[file.name for file in DATA])
def test_shipped_files_fit_their_schema(file: Path) -> None:
    schema = SCHEMAS[FILES.get(file.name, "glossary.schema.json")]
    jsonschema.validate(yaml.safe_load(file.read_text("utf-8")), schema)


@pytest.mark.parametrize("file", DATA, ids=[file.name for file in DATA])
def test_editors_find_the_schema_of_a_shipped_file(file: Path) -> None:
    first, _, _ = file.read_text("utf-8").partition("\n")
    assert first.startswith("# yaml-language-server: $schema=")
    schema = file.parent / first.partition("=")[2]
    assert schema.resolve() == shipped() / "schema" / FILES.get(file.name, "glossary.schema.json")


CONCEPTS: list[tuple[str, dict[str, Any], bool]] = [
    ("only the id", {"id": "a"}, True),
    ("no id", {}, False),
    ("an id with a capital", {"id": "A"}, False),
    ("an unknown key", {"id": "a", "x": "y"}, False),
    ("a level", {"id": "a", "level": 3}, True),
    ("a level as text", {"id": "a", "level": "3"}, False),
    ("a level that is true", {"id": "a", "level": True}, False),
    ("a level too high", {"id": "a", "level": 4}, False),
    ("null", {"id": "a", "level": None}, False),
    ("a label as text", {"id": "a", "en": {"pref_label": "A"}}, True),
    ("a label as mapping", {"id": "a", "zh-Hans": {"alt_labels": [{"text": "A", "explain": False}]}}, True),
    ("a label as number", {"id": "a", "en": {"pref_label": 8}}, False),
    ("words that decide", {"id": "a", "en": {"pref_label": {"text": "A", "near": ["b c"], "not_near": ["水"]}}}, True),
    ("a word as number", {"id": "a", "en": {"pref_label": {"text": "A", "near": [8]}}}, False),
    ("words without a list", {"id": "a", "en": {"pref_label": {"text": "A", "not_near": "b"}}}, False),
    ("contexts", {"id": "a", "en": {"pref_label": {"text": "A", "contexts": ["b-c"]}}}, True),
    ("a context that is no id", {"id": "a", "en": {"pref_label": {"text": "A", "contexts": ["B C"]}}}, False),
    ("a flag as text", {"id": "a", "en": {"pref_label": {"text": "A", "part": "true"}}}, False),
    ("the attribute's name", {"id": "a", "zh_hans": {}}, False),
    ("another language", {"id": "a", "zh": {}}, False),
    ("a summary of 90", {"id": "a", "en": {"summary": "x" * 90}}, True),
    ("a summary of 91", {"id": "a", "en": {"summary": "x" * 91}}, False),
    ("a Chinese summary of 45", {"id": "a", "zh-Hans": {"summary": "长" * 45}}, True),
    ("a Chinese summary of 46", {"id": "a", "zh-Hans": {"summary": "长" * 46}}, False),
    ("a note for all", {"id": "a", "note": "x"}, True),
    ("a note per language", {"id": "a", "note": {"en": "x"}}, True),
]


@pytest.mark.parametrize(("value", "fits"), [row[1:] for row in CONCEPTS], ids=[row[0] for row in CONCEPTS])
def test_form_and_schema_agree(value: dict[str, Any], fits: bool) -> None:
    try:
        # YAML's null never gets as far as the form: strict_yaml.py refuses it.
        ConceptForm.model_validate({key: "null" if part is None else part for key, part in value.items()})
        valid = True
    except ValidationError:
        valid = False
    validator = jsonschema.Draft202012Validator(SCHEMAS["glossary.schema.json"])
    assert (valid, validator.is_valid({"concepts": [value]})) == (fits, fits)


def test_short_and_long_form_of_a_label_are_the_same() -> None:
    assert LabelForm.model_validate("IR") == LabelForm.model_validate({"text": "IR"})


CONTEXTS: list[tuple[str, object, bool]] = [
    ("words", {"id": "a", "words": ["b", "水", "0."]}, True),
    ("hidden", {"id": "a", "hide": True}, True),
    ("no id", {"words": ["b"]}, False),
    ("a word as number", {"id": "a", "words": [8]}, False),
    ("words per language", {"id": "a", "en": ["b"]}, False),
]


@pytest.mark.parametrize(("value", "fits"), [row[1:] for row in CONTEXTS], ids=[row[0] for row in CONTEXTS])
def test_form_and_schema_of_contexts_agree(value: object, fits: bool) -> None:
    try:
        ContextForm.model_validate(value)
        valid = True
    except ValidationError:
        valid = False
    validator = jsonschema.Draft202012Validator(SCHEMAS["contexts.schema.json"])
    assert (valid, validator.is_valid([value])) == (fits, fits)


@pytest.mark.parametrize("id_", ["a", "a1", "8", "fp-16", "a-b-c"])
def test_ids(id_: str) -> None:
    assert ConceptForm.model_validate({"id": id_}).id == id_


@pytest.mark.parametrize("id_", ["", "A", "a_b", "a b", "a--b", "-a", "a-", "é", "推理", "a\n", "a\u200b", "\uff41"])
def test_no_ids(id_: str) -> None:
    with pytest.raises(ValidationError):
        ConceptForm.model_validate({"id": id_})


@pytest.mark.parametrize("link", ["https://example.org/a?b#c", "http://localhost:8000", "https://例子.cn/页"])
def test_links(link: str) -> None:
    assert ChapterForm.model_validate({"id": "a", "url": link}).url == link


@pytest.mark.parametrize(
    "link", ["", "example.org", "ftp://a", "javascript:alert(1)", "https://a b", "https://<a>", "https://"]
)
def test_no_links(link: str) -> None:
    with pytest.raises(ValidationError):
        ChapterForm.model_validate({"id": "a", "url": link})


def test_forms_know_every_language() -> None:
    for form in (ConceptForm, ComparisonForm, ChapterForm):
        keys = {field.alias or name: name for name, field in form.model_fields.items()}
        assert {language: keys[language] for language in LANGUAGES} == SECTIONS


def test_every_key_is_described_in_the_schema() -> None:
    described = TypeAdapter(GlossaryForm).json_schema()["$defs"]["ConceptForm"]["properties"]
    assert [key for key, part in described.items() if "description" not in part] == ["en", "zh-Hans"]
