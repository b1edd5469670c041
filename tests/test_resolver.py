"""What a typed label means: the rules, each on a glossary in which nothing else can be the reason."""

from __future__ import annotations

import pytest
from hypothesis import example, given

from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary
from bot.glossary.resolver import (
    MAX_LENGTH,
    MAX_SUGGESTIONS,
    Ambiguous,
    Found,
    NotFound,
    Resolution,
    Suggested,
    certain,
    resolve,
    trim,
)
from tests.little import concept, labelled
from tests.texts import any_text


def shown(means: Resolution | None) -> str:
    """`slo`, `~slo` for a correction, `a|b` for a choice, `?a|b` for suggestions, `?` for nothing."""
    match means:
        case Found(concept=concept_id, corrected=corrected):
            return f"~{concept_id}" if corrected else concept_id
        case Ambiguous(concepts=concepts):
            return "|".join(concepts)
        case Suggested(concepts=concepts):
            return "?" + "|".join(concepts)
        case NotFound() | None:
            return "?"


# -- Exact wins


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        pytest.param(("caching", "catching"), "catching", "catching", id="no-slip-of-another-label"),
        pytest.param(("caching", "catching"), "Catchings", "catching", id="nor-in-the-plural"),
        pytest.param(("data drift", "data  drifts"), "data drifts", "data  drifts", id="nor-another-number"),
        pytest.param(("pipeline", "pipe line"), "pipe-line", "pipe line", id="nor-without-its-space"),
        pytest.param(("lianghua", "量化"), "lianghua", "lianghua", id="nor-a-reading"),
        pytest.param(("data drift", "concept drift", "drift"), "drift", "drift", id="nor-a-part-of-several"),
        pytest.param(("服务等级目标", "服务等级目的"), "服务等级目的", "服务等级目的", id="nor-in-chinese"),
        pytest.param((".engine", "engine"), ".engine", ".engine", id="nor-without-its-dot"),
    ],
)
def test_an_exact_label_is_never_corrected(labels: tuple[str, ...], text: str, expected: str) -> None:
    assert shown(resolve(text, labelled(*labels))) == expected


def test_a_shared_label_is_a_choice() -> None:
    glossary = Glossary(
        [concept("psi-drift", "PSI"), concept("psi-linux", "PSI", "pressure stall"), concept("sli", "SLI")]
    )
    assert shown(resolve("psi", glossary)) == "psi-drift|psi-linux"
    assert shown(resolve("PSIs", glossary)) == "psi-drift|psi-linux"


def test_the_label_that_was_typed_is_given_back() -> None:
    glossary = Glossary([concept("kv", "KV cache", "key-value store", zh=["键值缓存"])])
    for text, label in (("kvcache", "KV cache"), ("Key Value Stores", "key-value store"), ("键值 缓存", "键值缓存")):
        means = resolve(text, glossary)
        assert isinstance(means, Found)
        assert means.label.text == label


# -- Codes


CODES = ("SLO", "SLA", "SLI", "TTFT", "P99", "INT8", "FP16", "BF16", "K8s")


@pytest.mark.parametrize(
    "text",
    [
        *["SLP", "SL0", "SLOA", "SL", "TTFF", "TTFB", "TFTT", "P95", "P9", "P999", "INT4", "INT16", "INT88"],
        *["FP32", "FP6", "F16", "TF16", "K9s", "Q8s", "INTB", "int 4", "ＩＮＴ４", "SOL", "LSO"],
    ],
)
def test_a_code_is_never_answered_by_another_code(text: str) -> None:
    assert shown(resolve(text, labelled(*CODES))).startswith("?")


@pytest.mark.parametrize(
    ("text", "near"), [("SLP", {"SLO", "SLA", "SLI"}), ("TTFB", {"TTFT"}), ("P98", {"P99"}), ("F16", {"FP16", "BF16"})]
)
def test_but_its_neighbours_are_offered(text: str, near: set[str]) -> None:
    means = resolve(text, labelled(*CODES))
    assert isinstance(means, Suggested)
    assert set(means.concepts) == near


@pytest.mark.parametrize(
    "text", ["int-8", "INT 8", "ＩＮＴ８", "int_8", "INT8s", "k8s", "Ｋ８ｓ", "K8S", "sl\u2060o", "S L O"]
)
def test_a_code_in_another_spelling_is_the_code(text: str) -> None:
    assert shown(resolve(text, labelled(*CODES))) in {"INT8", "K8s", "SLO"}


@pytest.mark.parametrize(
    ("text", "label"), [("layer 3 cache", "layer 2 cache"), ("4-bit quantization", "8-bit quantization")]
)
def test_other_digits_are_no_slip(text: str, label: str) -> None:
    assert not isinstance(resolve(text, labelled(label)), Found)


# -- Slips


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        pytest.param(("quantization",), "quantizaton", "~quantization", id="a-slip"),
        pytest.param(("quantization",), "Quantizatoin.", "~quantization", id="with-a-full-stop"),
        pytest.param(("knowledge distillation",), "knowlege distilation", "~knowledge distillation", id="two-slips"),
        pytest.param(("knowledge distillation",), "knowlegedistilation", "~knowledge distillation", id="and-no-space"),
        pytest.param(("model registry",), "model regstries", "~model registry", id="a-slip-in-the-plural"),
        pytest.param(("连续批处理",), "连续批出理", "~连续批处理", id="a-homophone"),
        pytest.param(("连续批处理",), "連續批出理", "~连续批处理", id="a-homophone-in-traditional"),
        pytest.param(("知识蒸馏",), "知识争流", "~知识蒸馏", id="several-homophones"),
        pytest.param(("量化感知训练",), "量化感知训图", "~量化感知训练", id="another-character-of-many"),
        pytest.param(("量化感知训练",), "图化感知训练", "?", id="but-not-the-first"),
        pytest.param(("推理引擎",), "堆理引擎", "~推理引擎", id="a-look-alike"),
        pytest.param(("动态批处理",), "静态批处理", "?", id="another-first-character"),
        pytest.param(("kv 缓存池",), "kx 缓存池", "?", id="another-letter-beside-chinese"),
        pytest.param(("AB test",), "attest", "?", id="a-code-that-begins-a-label"),
        pytest.param(("AB testing",), "AB tseting", "~AB testing", id="a-slip-behind-a-code"),
        pytest.param(("连续批处理",), "连批处理", "~连续批处理", id="a-character-missing"),
        pytest.param(("数据漂移",), "数漂移", "?", id="a-character-missing-of-four"),
        pytest.param(("数据漂移",), "数据迁移", "?", id="another-chinese-word"),
        pytest.param(("自回归生成",), "非自回归生成", "?", id="the-opposite"),
        pytest.param(("推理",), "推力", "?", id="two-characters-are-too-few"),
        pytest.param(("inference",), "reference", "?", id="another-word"),
        pytest.param(("opset",), "upset", "?", id="another-short-word"),
        pytest.param(("pruning", "pluning", "running"), "prunning", "~pruning", id="the-nearest"),
        pytest.param(("pipelime x", "pipelimb x"), "pipelimd x", "pipelimb x|pipelime x", id="two-as-near"),
        pytest.param(("quantization",), "quantizaton of llms", "?", id="further-words"),
    ],
)
def test_slips(labels: tuple[str, ...], text: str, expected: str) -> None:
    means = shown(resolve(text, labelled(*labels)))
    assert means[:1] == "?" if expected == "?" else means == expected


def test_of_two_labels_as_near_a_misspelling_in_the_data_is_the_farther_one() -> None:
    glossary = Glossary([concept("a", "Alpha", hidden=["pipelime extra"]), concept("b", "pipelimb extra")])
    assert shown(resolve("pipelimd extra", glossary)) == "~b"


@pytest.mark.parametrize("text", ["catching", "Catchings", "ＣＡＴＣＨＩＮＧ"])
def test_a_word_that_means_something_else_is_never_corrected(text: str) -> None:
    assert shown(resolve(text, Glossary([concept("caching", "caching")]))) == "~caching"
    denied = Glossary([concept("caching", "caching", not_labels=["catching"])])
    assert shown(resolve(text, denied)).startswith("?")


def test_a_denied_word_may_be_corrected_into_another_concept() -> None:
    glossary = Glossary([concept("a", "caching xy", not_labels=["catching xy"]), concept("b", "catchink xy")])
    assert shown(resolve("catching xy", glossary)) == "~b"


# -- Pinyin


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("lianghua", "a"), ("Liang Hua", "a"), ("kv huancun", "b"), ("chongfang", "c")],
        *[("bingxing", "d|e"), ("lianghu", "?"), ("lianhua", "?"), ("lianghuaa", "?"), ("zhongfang", "?")],
        *[("hua", "?")],
    ],
)
def test_pinyin_is_whole_and_exact(text: str, expected: str) -> None:
    glossary = Glossary(
        [
            concept("a", zh=["量化"]),
            concept("b", zh=["KV 缓存"]),
            concept("c", zh=["重放"], readings={"重放": "chong fang"}),
            concept("d", zh=["并行"], readings={"并行": "bing xing"}),
            concept("e", zh=["病性"], readings={"病性": "bing xing"}),
        ]
    )
    means = shown(resolve(text, glossary))
    assert means[:1] == "?" if expected == "?" else means == expected


# -- Parts


NAMES = Glossary(
    [
        concept("data-drift", "Data drift", zh=["数据漂移"]),
        concept("concept-drift", "Concept drift", zh=["概念漂移"]),
        concept("speculative", "Speculative decoding", zh=["投机解码"]),
        concept(
            "paged-attention", "PagedAttention", "paged attention", text="It stores the keys of attention in pages."
        ),
        concept("kv-cache", "KV cache", zh=["KV Cache"], text="What attention needs again."),
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("drift", "data-drift|concept-drift", id="shared-word"),
        pytest.param("Drifts", "data-drift|concept-drift", id="shared-word-in-the-plural"),
        pytest.param("the drift?", "data-drift|concept-drift", id="with-article-and-mark"),
        pytest.param("漂移", "data-drift|concept-drift", id="shared-chinese-word"),
        pytest.param("投机解", "~speculative", id="a-beginning-that-tells-one"),
        pytest.param("投机", "?", id="two-chinese-characters-tell-too-little"),
        pytest.param("the speculatve decoding", "~speculative", id="a-slip-behind-an-article"),
        pytest.param("speculative 解码", "~speculative", id="both-languages"),
        pytest.param("attention", "?", id="something-broader"),
        pytest.param("data drift of my model", "?", id="further-words"),
        pytest.param("data", "?", id="an-everyday-word"),
    ],
)
def test_parts_of_names(text: str, expected: str) -> None:
    means = shown(resolve(text, NAMES))
    assert means[:1] == "?" if expected == "?" else means == expected


# -- Nothing


@pytest.mark.parametrize(
    "text", ["", " ", "\u200b", "?!", "“”", "\x00", "\ud800", "-", "_", "*" * 50, "x" * (MAX_LENGTH + 1)]
)
def test_nothing_typed_is_nothing_found(glossary: Glossary, text: str) -> None:
    assert resolve(text, glossary) == NotFound()
    assert certain(text, glossary) is None


@pytest.mark.parametrize(
    ("text", "trimmed"),
    [
        *[("“SLO”", "SLO"), (" SLO? ", "SLO"), ("SLO.", "SLO"), (".engine", ".engine"), ("`AWQ`", "AWQ")],
        *[("**SLO**", "SLO"), ("《量化》。", "量化"), ("top-p", "top-p"), ("C++", "C++"), ("", ""), ("?!", "")],
        *[("SLO", "SLO"), ("(A/B)", "A/B")],
    ],
)
def test_trim(text: str, trimmed: str) -> None:
    assert trim(text) == trimmed


@given(any_text)
@example("％" * 130)
@example("/" * 4000)
@example("a" * 40_000)
def test_any_text_means_something_or_nothing(glossary: Glossary, text: str) -> None:
    means = resolve(text, glossary)
    assert isinstance(means, Found | Ambiguous | Suggested | NotFound)
    assert resolve(text, glossary) == means
    match means:
        case Found(concept=concept_id, label=label):
            assert label in glossary.concepts[concept_id].labels()
        case Ambiguous(concepts=ids):
            assert len(set(ids)) == len(ids) >= 2
            assert set(ids) <= set(glossary.concepts)
        case Suggested(concepts=ids):
            assert len(set(ids)) == len(ids)
            assert 1 <= len(ids) <= MAX_SUGGESTIONS
            assert set(ids) <= set(glossary.concepts)


@given(any_text)
def test_what_is_certain_is_what_is_meant(glossary: Glossary, text: str) -> None:
    if (sure := certain(text, glossary)) is not None:
        assert resolve(text, glossary) == sure
        assert not isinstance(sure, Found) or not sure.corrected


@given(any_text)
def test_no_spelling_of_a_code_is_taken_for_another_code(text: str) -> None:
    means = resolve(text, labelled(*CODES))
    if isinstance(means, Found):
        assert not means.corrected
        assert fold(means.label.text).replace(" ", "") in fold(text).replace(" ", "")
