"""The termbase in memory, and its index from labels to concepts."""

from __future__ import annotations

from typing import Any

import pytest

from bot.glossary.concept import Chapter, Comparison, OtherSide, Topic, code
from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary, other_numbers
from tests.little import concept, labelled

MEMORY = OtherSide(
    {"en": ("memory", "GPU memory"), "zh-Hans": ("显存",)}, {"en": "where it lies", "zh-Hans": "它所在的地方"}
)
LITTLE = Glossary(
    [
        concept(
            "slo", "SLO", full="Service level objective", zh=["服务等级目标"], related=["sli"], confusable_with=["sla"]
        ),
        concept("sla", "SLA", zh=["服务等级协议"], related=["slo", "sli"]),
        concept("sli", "SLI", topic="other", related=["sli"]),
        concept("kv-cache", "KV cache", zh=["KV Cache", "键值缓存"]),
        concept("caching", "Caching", not_labels=["catching", "cash flow"]),
    ],
    topics=[
        Topic("other", {"en": "Other"}, 2),
        Topic("things", {"en": "Things"}, 1),
        Topic("also-second", {"en": "Also"}, 2),
    ],
    chapters=[Chapter("ch-1", {"en": "One"})],
    comparisons=[
        Comparison("slo-vs-sla", ("slo", "sla"), {}),
        Comparison("all-three", ("sli", "slo", "sla"), {}),
        Comparison("kv-cache-and-memory", ("kv-cache", MEMORY), {}),
    ],
)


def found(text: str, glossary: Glossary = LITTLE) -> list[str]:
    return [hit.concept for hit in glossary.lookup(text)]


# -- Labels


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        pytest.param("SLO", ["slo"], id="as-it-is"),
        pytest.param("ｓｌｏ", ["slo"], id="folded"),
        pytest.param("service-level objective", ["slo"], id="full-form"),
        pytest.param("服務等級目標", ["slo"], id="other-language"),
        pytest.param("SLOs", ["slo"], id="plural"),
        pytest.param("SLO's", ["slo"], id="genitive"),
        pytest.param("SLO’s", ["slo"], id="typographic-genitive"),
        pytest.param("KV caches", ["kv-cache"], id="plural-of-several-words"),
        pytest.param("kvcache", ["kv-cache"], id="missing-space"),
        pytest.param("kv-caches", ["kv-cache"], id="hyphen-and-plural"),
        pytest.param("kvcaches", ["kv-cache"], id="missing-space-and-plural"),
        pytest.param("k v cache", ["kv-cache"], id="one-space-too-many"),
        pytest.param("键值 缓存", ["kv-cache"], id="space-inside-chinese"),
        pytest.param("SL", [], id="beginning-of-a-label"),
        pytest.param("SLOx", [], id="longer-than-a-label"),
        pytest.param("SLP", [], id="another-code"),
        pytest.param("", [], id="empty"),
        pytest.param("/", [], id="nothing-left"),
    ],
)
def test_lookup(text: str, concepts: list[str]) -> None:
    assert found(text) == concepts


def test_exact_is_only_what_folds_alike() -> None:
    assert [hit.concept for hit in LITTLE.exact("kv cache")] == ["kv-cache"]
    assert LITTLE.exact("kv caches") == LITTLE.exact("kvcache") == ()


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (("op", "ops"), "ops"),
        (("op", "ops"), "op"),
        (("LoRA", "LoRAs"), "loras"),
        (("A/B", "AB"), "AB"),
        (("A/B", "AB"), "a/b"),
    ],
)
def test_a_label_itself_comes_before_every_other_spelling(labels: tuple[str, ...], text: str) -> None:
    assert [fold(id_) for id_ in found(text, labelled(*labels))] == [fold(text)]


@pytest.mark.parametrize("text", ["safetensor", "safe tensor", "SafeTensor's"])
def test_a_label_in_the_plural_is_found_in_the_singular(text: str) -> None:
    assert found(text, labelled("safetensors")) == ["safetensors"]


@pytest.mark.parametrize(("label", "text"), [("KS", "K"), ("loss", "los"), ("SLO", "SL"), ("K", "KS"), ("op", "o")])
def test_what_is_no_plural(label: str, text: str) -> None:
    assert found(text, labelled(label)) == []


def test_a_file_extension_is_not_the_word() -> None:
    glossary = labelled("engine", ".engine")
    assert found(".engine", glossary) == [".engine"]
    assert found("Engine", glossary) == ["engine"]


def test_concepts_may_share_a_label() -> None:
    glossary = Glossary([concept("psi-drift", "PSI"), concept("psi-linux", "PSI"), concept("ks", "KS")])
    assert found("psi", glossary) == ["psi-drift", "psi-linux"]
    assert found("PSIs", glossary) == ["psi-drift", "psi-linux"]


def test_of_the_labels_that_fold_alike_the_most_telling_one_is_given() -> None:
    glossary = Glossary([concept("kv", "KV cache", "key-value cache", hidden=["kv_cache", "Key value  cache"])])
    (hit,) = glossary.lookup("kv-cache")
    assert (hit.label.text, hit.label.kind) == ("KV cache", "pref")
    (hit,) = glossary.lookup("key value cache")
    assert (hit.label.text, hit.label.kind) == ("key-value cache", "alt")


def test_every_label_of_the_shipped_data_is_found(glossary: Glossary) -> None:
    missing = [
        label.text
        for entry in glossary.concepts.values()
        for label in entry.labels()
        if entry.id not in {hit.concept for hit in glossary.exact(fold(label.text))}
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("SL", True), ("SLO", True), ("KV", True), ("kv-ca", True), ("k v c", True), ("service level", True)],
        *[("键值", True), ("鍵值", True), ("SLOs", False), ("v cache", False), ("zzz", False), ("龥", False)],
    ],
)
def test_begins_label(text: str, expected: bool) -> None:
    assert LITTLE.begins_label(text) is expected
    assert not Glossary([]).begins_label(text)


def test_a_misspelling_in_the_data_is_found_but_has_no_misspellings_of_its_own() -> None:
    glossary = Glossary([concept("cuda", "CUDA", hidden=["couda", "spec sampling"])])
    assert found("couda", glossary) == ["cuda"]
    assert glossary.typos.near("coudda") == []
    assert [match.hits[0].concept for match in glossary.typos.near("specsamplng")] == ["cuda"]


def test_labels_lists_each_fold_with_its_concept() -> None:
    listed = {(folded, hit.concept) for folded, hit in LITTLE.labels()}
    assert {("slo", "slo"), ("service level objective", "slo"), ("键值缓存", "kv-cache")} <= listed
    assert len(listed) == len(list(LITTLE.labels())) == 9


@pytest.mark.parametrize(
    "text", ["catching", "Catching", "ＣＡＴＣＨＩＮＧ", "catchings", "cash flow", "cash-flow", "cashflow"]
)
def test_a_word_that_means_something_else_is_denied_in_any_spelling(text: str) -> None:
    assert LITTLE.denied(text) == {"caching"}


@pytest.mark.parametrize("text", ["caching", "catch", "", "缓存"])
def test_other_words_are_not_denied(text: str) -> None:
    assert LITTLE.denied(text) == frozenset()
    assert labelled("SLO").denied(text) == frozenset()


@pytest.mark.parametrize(
    ("folded", "others"),
    [
        ("slos", ["slo"]),
        ("slo's", ["slo", "slo'"]),
        ("slos'", ["slo"]),
        ("registries", ["registry", "registri", "registrie"]),
        ("caches", ["cach", "cache"]),
        ("cache", ["caches"]),
        ("ks", []),
        ("op", []),
        ("slo", ["slos"]),
        ("k", []),
        ("p99", ["p99s"]),
        ("量化", []),
        ("", []),
    ],
)
def test_other_numbers(folded: str, others: list[str]) -> None:
    assert list(other_numbers(folded)) == others


# -- Concepts, topics, comparisons


def test_codes_lead_back() -> None:
    for concept_id, entry in LITTLE.concepts.items():
        assert LITTLE.by_code(code(concept_id)) is entry
    assert LITTLE.topic_by_code(code("other")) is LITTLE.topics["other"]


@pytest.mark.parametrize("unknown", ["", "AAAAAAA", "slo", code("gone")])
def test_a_code_of_something_gone_leads_nowhere(unknown: str) -> None:
    assert LITTLE.by_code(unknown) is None
    assert LITTLE.topic_by_code(unknown) is None


def test_topics_stand_in_their_order() -> None:
    assert list(LITTLE.topics) == ["things", "also-second", "other"]


def test_the_concepts_of_a_topic_stand_in_the_order_of_the_files() -> None:
    assert [entry.id for entry in LITTLE.in_topic("things")] == ["slo", "sla", "kv-cache", "caching"]
    assert LITTLE.in_topic("nothing") == ()


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["slo", "sla"], "slo-vs-sla"),
        (["sla", "slo"], "slo-vs-sla"),
        (["sla", "sli", "slo"], "all-three"),
        (["slo", "sli"], None),
        (["kv-cache", "slo"], None),
        (["kv-cache"], None),
        (["slo"], None),
        ([], None),
    ],
)
def test_a_comparison_is_of_exactly_these_concepts_in_any_order(ids: list[str], expected: str | None) -> None:
    entry = LITTLE.comparison(ids)
    assert (entry.id if entry else None) == expected


@pytest.mark.parametrize("text", ["memory", "GPU-Memory", "ｍｅｍｏｒｙ", "显存", "顯存"])
def test_what_is_no_concept_counts_as_the_side_of_a_comparison(text: str) -> None:
    entry = LITTLE.with_other(text, "kv-cache")
    assert entry is not None
    assert entry.id == "kv-cache-and-memory"


@pytest.mark.parametrize(
    ("text", "beside"), [("memory", "slo"), ("memories of", "kv-cache"), ("slo", "kv-cache"), ("", "kv-cache")]
)
def test_and_nowhere_else(text: str, beside: str) -> None:
    assert LITTLE.with_other(text, beside) is None
    assert LITTLE.lookup("memory") == ()


@pytest.mark.parametrize(
    ("concept_id", "expected"),
    [
        pytest.param("slo", ("sli",), id="the-confusable-one-has-its-own-button"),
        pytest.param("sla", ("slo", "sli"), id="related"),
        pytest.param("sli", ("slo", "sla"), id="named-by-others-and-never-itself"),
        pytest.param("kv-cache", (), id="nothing"),
    ],
)
def test_see_also(concept_id: str, expected: tuple[str, ...]) -> None:
    assert LITTLE.see_also(LITTLE.concepts[concept_id]) == expected


@pytest.mark.parametrize("name", ["concepts", "topics", "chapters", "comparisons"])
def test_nothing_can_be_added_afterwards(name: str) -> None:
    mapping: Any = getattr(LITTLE, name)
    assert mapping
    with pytest.raises(TypeError):
        mapping["new"] = next(iter(mapping.values()))


def test_an_empty_glossary_finds_nothing() -> None:
    empty = Glossary([])
    empty.warm()
    assert empty.lookup("SLO") == ()
    assert empty.comparison([]) is None
    assert empty.pinyin.lookup("lianghua") == ()


def test_warming_up_changes_no_answer(glossary: Glossary) -> None:
    cold = Glossary(glossary.concepts.values())
    texts = ["SLOs", "kvcache", "catching", "重"]
    before = [(cold.lookup(text), cold.denied(text)) for text in texts]
    cold.warm()
    assert [(cold.lookup(text), cold.denied(text)) for text in texts] == before
