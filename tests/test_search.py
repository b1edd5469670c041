"""Search inside the definitions."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.glossary.concept import Language
from bot.glossary.glossary import Glossary
from bot.glossary.search import search
from tests.little import concept
from tests.texts import any_text

LITTLE = Glossary(
    [
        concept("one", "Batching", zh=["批处理"], text="Requests wait in a queue, e.g. for 5 ms; see C++ and top-p."),
        concept("two", "Queue", hidden=["quue"], text="A line of requests that don't hurry."),
        concept("three", "Latency", zh=["延迟"], text="先到先得，按队列处理。TTFT 是它的一种。"),
        concept("four", "Prebatching", text="Nothing to see."),
    ]
)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        pytest.param("queue", ["two", "one"], id="labels-before-texts"),
        pytest.param("QUEUE", ["two", "one"], id="any-case"),
        pytest.param("ｑｕｅｕｅ", ["two", "one"], id="full-width"),
        pytest.param("requests", ["one", "two"], id="texts-in-the-order-of-the-glossary"),
        pytest.param("requests hurry", ["two"], id="all-words"),
        pytest.param("hurry, requests!", ["two"], id="any-order-and-punctuation"),
        pytest.param("batching wait", ["one"], id="label-and-text-together"),
        pytest.param("request", ["one", "two"], id="beginning-of-a-word"),
        pytest.param("batch", ["one"], id="not-inside-a-latin-word"),
        pytest.param("队列", ["three"], id="chinese-anywhere"),
        pytest.param("隊列", ["three"], id="traditional"),
        pytest.param("ttft", ["three"], id="latin-beside-chinese"),
        pytest.param("批处理 queue", ["one"], id="both-languages"),
        pytest.param("don't", ["two"], id="apostrophe"),
        pytest.param("don’t", ["two"], id="typographic-apostrophe"),
        pytest.param("e.g", ["one"], id="dot-inside"),
        pytest.param("top-p", ["one"], id="hyphen"),
        pytest.param("quue", ["two"], id="a-misspelling"),
        pytest.param("q.eue", [], id="no-pattern"),
        pytest.param("(", [], id="signs-only"),
        pytest.param("nowhere", [], id="nothing"),
        pytest.param("queue nowhere", [], id="one-word-missing"),
        pytest.param("queue" + " " * 100 + "nowhere", ["two", "one"], id="a-long-query-is-cut"),
        pytest.param("", [], id="empty"),
        pytest.param("\u200b", [], id="invisible"),
    ],
)
def test_search(query: str, ids: list[str]) -> None:
    assert search(query, LITTLE) == ids


@given(any_text)
def test_any_text_finds_known_concepts_once(glossary: Glossary, text: str) -> None:
    found = search(text, glossary)
    assert len(set(found)) == len(found)
    assert set(found) <= set(glossary.concepts)


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_preferred_label_finds_its_concept_among_the_first(glossary: Glossary, language: Language) -> None:
    labels = {entry.id: entry.sections[language].pref_label.text for entry in glossary.concepts.values()}
    assert [id_ for id_, label in labels.items() if id_ not in search(label, glossary)] == []
