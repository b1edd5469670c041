"""The labels of the shipped data, in the spellings that people and their keyboards give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.glossary.glossary import Glossary
from bot.glossary.resolver import Ambiguous, Found, NotFound, Suggested, resolve


def wide(text: str) -> str:
    """In the full-width forms of a Chinese input method."""
    return "".join(
        "\u3000" if character == " " else chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character
        for character in text
    )


FORMS: Final[dict[str, Callable[[str], str]]] = {
    "as it is": str,
    "upper case": str.upper,
    "lower case": str.lower,
    "title case": str.title,
    "swapped case": str.swapcase,
    "full width": wide,
    "spaces to hyphens": lambda text: text.replace(" ", "-"),
    "spaces to underscores": lambda text: text.replace(" ", "_"),
    "hyphens to spaces": lambda text: text.replace("-", " "),
    "no-break": lambda text: text.replace(" ", "\u00a0").replace("-", "\u2011"),
    "dashes": lambda text: text.replace("-", "\u2013"),
    "wide spaces": lambda text: f"  {text.replace(' ', '   ')}\t",
    "no spaces": lambda text: text.replace(" ", ""),
    "zero-width": lambda text: f"\ufeff{text}\u200b",
    "soft hyphens": "\u00ad".join,
    "in quotes": lambda text: f"“{text}”",
    "in brackets": lambda text: f"「{text}」",
    "as code": lambda text: f"`{text}`",
    "bold": lambda text: f"**{text}**",
    "with a question mark": lambda text: f"{text}？",
}


def means(text: str, concept: str, glossary: Glossary) -> bool:
    """Whether `text` is the concept, uncorrected, or a choice that offers it."""
    match resolve(text, glossary):
        case Found(concept=found, corrected=corrected):
            return found == concept and not corrected
        case Ambiguous(concepts=concepts):
            return concept in concepts
    return False


@pytest.mark.parametrize("form", FORMS)
def test_every_label_is_found_in_every_spelling(glossary: Glossary, form: str) -> None:
    spell = FORMS[form]
    labels = [(hit.label.text, hit.concept) for _, hit in glossary.labels()]
    assert [spell(text) for text, concept in labels if not means(spell(text), concept, glossary)] == []


@given(st.data())
def test_and_in_mixed_spellings(glossary: Glossary, data: st.DataObject) -> None:
    hit = data.draw(st.sampled_from([hit for _, hit in glossary.labels()]))
    text = hit.label.text
    drawn = data.draw(st.sets(st.sampled_from(sorted(FORMS)), min_size=2, max_size=4))
    for form in FORMS:  # in their order: what is typed first, then what is put around it
        text = FORMS[form](text) if form in drawn else text
    assert means(text, hit.concept, glossary)


def test_a_word_that_is_said_to_mean_something_else_is_not_answered_with_the_concept(glossary: Glossary) -> None:
    answered = []
    for entry in glossary.concepts.values():
        for section in entry.sections.values():
            for text in section.not_labels:
                found = resolve(text, glossary)
                if isinstance(found, Found) and found.concept == entry.id:
                    answered.append((text, entry.id))
    assert answered == []


def test_no_two_concepts_share_a_spelling_by_accident(glossary: Glossary) -> None:
    clashes = {}
    for entry in glossary.concepts.values():
        for label in entry.labels():
            found = {hit.concept for hit in glossary.lookup(label.text)}
            if found != {entry.id}:
                clashes[label.text] = found
    assert clashes == {}


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("in-flight batches", "continuous-batching"),
        ("gray release", "canary-release"),
        ("float16", "fp16"),
        ("brain float", "bf16"),
        ("o11y", "observability"),
        ("P99 latency", "p99"),
        ("KV cache", "kv-cache"),
        ("流水线并行", "pipeline-parallelism"),
        ("吞吐量", "throughput"),
        ("批量推理", "batch-inference"),
        ("知识蒸馏", "knowledge-distillation"),
        ("首字延迟", "ttft"),
        ("核采样", "sampling-parameters"),
        # Taiwan and Hong Kong: other characters, and other words
        ("知識蒸餾", "knowledge-distillation"),
        ("量化訓練", "qat"),
        ("推論", "inference"),
        ("推論引擎", "inference-engine"),
        ("連續批次處理", "continuous-batching"),
        ("資料漂移", "data-drift"),
        ("張量平行", "tensor-parallelism"),
        ("記憶體頻寬", "memory-bandwidth"),
        ("負載平衡", "load-balancing"),
        ("鍵值快取", "kv-cache"),
        ("前綴快取", "prefix-caching"),
        # slips, whose correction is said
        ("quantizaton", "quantization"),
        ("knowlege distilation", "knowledge-distillation"),
        ("throuhgput", "throughput"),
        ("speculativ decoding", "speculative-decoding"),
        ("obsevability", "observability"),
        ("prometeus", "prometheus"),
        ("连续批出理", "continuous-batching"),
        ("投机解马", "speculative-decoding"),
        ("可观侧性", "observability"),
        # readings
        ("lianghua", "quantization"),
        ("zhishi zhengliu", "knowledge-distillation"),
        ("jianzhi", "pruning"),
        ("fuzai junheng", "load-balancing"),
        ("tuili", "inference"),
        ("kv huancun", "kv-cache"),
        # both scripts
        ("KV缓存", "kv-cache"),
        ("continuous批处理", "continuous-batching"),
        ("INT8 量化", "int8"),
        ("prefix 快取", "prefix-caching"),
    ],
)
def test_kinds_of_spellings(glossary: Glossary, text: str, concept: str) -> None:
    found = resolve(text, glossary)
    assert isinstance(found, Found)
    assert found.concept == concept


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("drift", {"data-drift", "concept-drift", "model-drift"}),
        ("漂移", {"data-drift", "concept-drift", "model-drift"}),
        ("batching", {"dynamic-batching", "continuous-batching"}),
        ("parallelism", {"tensor-parallelism", "pipeline-parallelism"}),
        ("parallel", {"tensor-parallelism", "pipeline-parallelism"}),
        ("並行", {"tensor-parallelism", "pipeline-parallelism"}),
        ("16-bit float", {"fp16", "bf16"}),
        ("cache", {"kv-cache", "prefix-caching"}),
        ("快取", {"kv-cache", "prefix-caching"}),
        ("engines", {"inference-engine", "tensorrt-engine"}),
        ("deployment", {"model-deployment", "edge-deployment", "blue-green-deployment"}),
    ],
)
def test_words_of_several_names_are_a_choice(glossary: Glossary, text: str, concepts: set[str]) -> None:
    found = resolve(text, glossary)
    assert isinstance(found, Ambiguous)
    assert concepts <= set(found.concepts)
    assert len(set(found.concepts) - concepts) <= 3


@pytest.mark.parametrize(
    "text",
    [
        *["INT4", "FP8", "FP32", "QLoRA", "DoRA", "P95", "SLX", "TTFB", "QPU", "MFU", "K8s", "GPU", "loss"],
        *["bias", "op", "K", "data parallelism", "expert parallelism", "backward pass", "FlashAttention"],
        *["goodput", "edge case", "unit testing", "reference", "interference", "quantification"],
        *["speculative execution", "kubernetes operator", "banana", "数据迁移", "反向传播", "数据并行"],
        *["轻量化", "非自回归"],
        *["投机取巧", "强化学习", "前端缓存", "今天吃什么", "香蕉", "asdfghjkl"],
    ],
)
def test_what_is_not_in_the_glossary_is_not_answered(glossary: Glossary, text: str) -> None:
    assert isinstance(resolve(text, glossary), Suggested | NotFound)
