"""Which concepts a part of a name belongs to."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.glossary.glossary import Glossary
from bot.glossary.parts import PartIndex
from tests.little import concept
from tests.texts import any_text

DYNAMIC = concept("dynamic-batching", "Dynamic batching", "adaptive batches", zh=["动态批处理", "自适应批次"])
CONTINUOUS = concept(
    "continuous-batching",
    "Continuous batching",
    zh=["连续批处理"],
    hidden=["rolling batch"],
    text="A continuous way without padding.",
)
KV_CACHE = concept("kv-cache", "KV cache", "attention cache", full="Key-value cache", zh=["KV Cache", "键值缓存"])
PREFIX = concept("prefix-caching", "Prefix caching", zh=["前缀缓存"], text="Each prompt needs attention only once.")
PARALLEL = concept("tensor-parallelism", "Tensor parallelism", zh=["张量并行"])
INDEX = PartIndex([DYNAMIC, CONTINUOUS, KV_CACHE, PREFIX, PARALLEL])


def found(text: str, index: PartIndex = INDEX) -> list[str]:
    return [part.concept for part in index.find(text)]


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        pytest.param("batching", ["dynamic-batching", "continuous-batching"], id="a-word-of-several"),
        pytest.param("Batches", ["dynamic-batching", "continuous-batching"], id="another-form-of-it"),
        pytest.param("batch", ["dynamic-batching", "continuous-batching"], id="its-stem"),
        pytest.param("cache", ["kv-cache", "prefix-caching"], id="stem-of-caching"),
        pytest.param("caching", ["kv-cache", "prefix-caching"], id="form-of-cache"),
        pytest.param("cached", ["kv-cache", "prefix-caching"], id="another-form-of-cache"),
        pytest.param("parallel", ["tensor-parallelism"], id="stem-of-parallelism"),
        pytest.param("key", ["kv-cache"], id="a-word-of-a-full-form"),
        pytest.param("adaptive", ["dynamic-batching"], id="a-word-of-a-synonym"),
        pytest.param("batching continuous", ["continuous-batching"], id="all-words-in-any-order"),
        pytest.param("批处理", ["dynamic-batching", "continuous-batching"], id="chinese-run"),
        pytest.param("批處理", ["dynamic-batching", "continuous-batching"], id="traditional-run"),
        pytest.param("缓存", ["prefix-caching", "kv-cache"], id="preferred-labels-first"),
        pytest.param("continuous 批处理", ["continuous-batching"], id="words-of-both-languages"),
        pytest.param("prefix 缓存", ["prefix-caching"], id="words-of-both-languages-again"),
        pytest.param("rolling", [], id="a-misspelling-has-no-parts"),
        pytest.param("kv batching", [], id="words-of-different-concepts"),
        pytest.param("batching server", [], id="a-word-of-none"),
        pytest.param("padding", [], id="a-word-of-a-text-only"),
        pytest.param("处", [], id="one-chinese-character"),
        pytest.param("k", [], id="one-letter"),
        pytest.param("cach", [], id="beginning-of-a-word"),
        pytest.param("?!", [], id="no-words"),
        pytest.param("", [], id="empty"),
    ],
)
def test_find(text: str, concepts: list[str]) -> None:
    assert found(text) == concepts


def test_those_that_are_named_so_come_before_those_that_are_also_named_so() -> None:
    index = PartIndex([concept("a", "Alpha", "red box"), concept("b", "Beta box"), concept("c", "C", full="Red gamma")])
    assert [(part.concept, part.principal) for part in index.find("box")] == [("b", True), ("a", False)]
    assert [(part.concept, part.principal) for part in index.find("red")] == [("c", True), ("a", False)]


@pytest.mark.parametrize(
    ("text", "head", "leading"),
    [
        pytest.param("batching", True, False, id="end"),
        pytest.param("dynamic", False, True, id="beginning"),
        pytest.param("adaptive", False, False, id="beginning-of-a-synonym"),
        pytest.param("adaptive batches", True, False, id="all-of-a-synonym"),
        pytest.param("批处理", True, False, id="chinese-end"),
        pytest.param("动态", False, True, id="chinese-beginning"),
        pytest.param("动态批", True, True, id="long-chinese-beginning"),
        pytest.param("自适应", True, True, id="beginning-of-a-chinese-synonym"),
        pytest.param("态批处", False, False, id="chinese-middle"),
    ],
)
def test_where_the_part_stands(text: str, head: bool, leading: bool) -> None:
    (part,) = PartIndex([DYNAMIC]).find(text)
    assert (part.head, part.leading) == (head, leading)


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        *[("bacthing", "batching"), ("batchin", "batching"), ("batching", "batching"), ("paralelism", "parallelism")],
        *[("butchering", "butchering"), ("bxtchinx", "bxtchinx"), ("key", "key"), ("kee", "kee"), ("批处里", "批处里")],
    ],
)
def test_nearest_word(word: str, nearest: str) -> None:
    assert INDEX.nearest_word(word) == nearest


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("cache", "caches", True),
        ("batch", "batching", True),
        ("deploy", "deployment", True),
        ("deployments", "deploying", True),
        ("parallel", "parallelism", True),
        ("release", "releases", True),
        ("loss", "los", False),
        ("sing", "s", False),
        ("red", "r", False),
        ("cement", "c", False),
        ("int8", "int", False),
    ],
)
def test_forms_of_a_word(one: str, other: str, same: bool) -> None:
    index = PartIndex([concept("it", f"{other} thing")])
    assert bool(index.find(one)) is same


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (
            "continuous caching of tensors",
            {"continuous-batching": 1, "kv-cache": 1, "prefix-caching": 1, "tensor-parallelism": 1},
        ),
        ("kv cache server", {"kv-cache": 2, "prefix-caching": 1}),
        ("键值存储", {"kv-cache": 1}),
        ("what is the", {}),
        ("banana", {}),
        ("", {}),
    ],
)
def test_sharing_counts_the_words_that_labels_have(text: str, counts: dict[str, int]) -> None:
    assert dict(INDEX.sharing(text)) == counts


def test_a_word_of_many_concepts_shares_nothing() -> None:
    models = [concept(f"model-{name}", f"{name} model") for name in ("red", "green", "blue", "black", "white")]
    assert dict(PartIndex(models).sharing("model")) == {}
    assert dict(PartIndex(models).sharing("green model")) == {"model-green": 1}
    assert len(PartIndex(models[:4]).sharing("model")) == 4


@pytest.mark.parametrize(
    ("text", "concept_id", "expected"),
    [
        pytest.param("dynamic", "dynamic-batching", True, id="nobody-else-says-it"),
        pytest.param("continuous", "continuous-batching", True, id="its-own-text-says-it"),
        pytest.param("attention", "kv-cache", False, id="another-text-says-it"),
        pytest.param("batches", "dynamic-batching", False, id="another-label-has-it"),
        pytest.param("动态", "dynamic-batching", True, id="chinese"),
        pytest.param("缓存", "kv-cache", False, id="chinese-of-two"),
    ],
)
def test_distinctive(text: str, concept_id: str, expected: bool) -> None:
    assert INDEX.distinctive(text, concept_id) is expected


@given(any_text)
def test_any_text_has_an_answer(glossary: Glossary, text: str) -> None:
    parts = glossary.parts.find(text)
    assert len({part.concept for part in parts}) == len(parts)
    assert [part.principal for part in parts] == sorted((part.principal for part in parts), reverse=True)
    assert set(glossary.parts.sharing(text)) <= set(glossary.concepts)
