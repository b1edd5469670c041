"""Terms in running text: which are found, where, and in what sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.glossary.concept import Concept
from bot.glossary.detector import FEW, Detector
from bot.glossary.glossary import Glossary
from bot.glossary.masking import Prose
from tests.little import concept, labelled
from tests.terms import LITTLE


def told(label: str, **flags: Any) -> Concept:
    """A concept of one label with flags, whose id is the label in small."""
    made = concept(label.lower(), label)
    section = made.sections["en"]
    return replace(made, sections={"en": replace(section, pref_label=replace(section.pref_label, **flags))})


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(Glossary(LITTLE))


def found(detector: Detector, text: str, *, everyday: bool = False) -> list[tuple[str, str]]:
    """What is found as it stands in the text, and the concept."""
    mentions = detector.mentions(text, everyday=everyday)
    assert all(mention.text == text[mention.start : mention.end] for mention in mentions)
    return [(mention.text, mention.concept) for mention in mentions]


# -- Spellings and places


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        # T05: beside Chinese
        pytest.param("我们用AWQ量化模型", [("AWQ", "awq"), ("量化", "quantization")], id="acronym beside chinese"),
        pytest.param("今天的SLO达标了", [("SLO", "slo")], id="acronym inside chinese"),
        pytest.param("把KV cache打开", [("KV cache", "kv-cache")], id="two words inside chinese"),
        pytest.param("KV缓存和 KV 缓存", [("KV缓存", "kv-cache"), ("KV 缓存", "kv-cache")], id="spaces beside chinese"),
        pytest.param("用A/B测试比", [("A/B测试", "ab-testing")], id="slash and chinese"),
        # Whole words
        pytest.param("preSLO SLOw xKV cache", [], id="no part of a word"),
        pytest.param("SLO2 2SLO", [], id="no part of a code"),
        pytest.param("SLO_target my_SLO", [], id="names with underscores"),
        pytest.param("slo_target", [], id="a hidden spelling as a name"),
        pytest.param("our SLO target", [("SLO target", "slo")], id="the same as words"),
        pytest.param("(SLO), “SLO”. SLO/SLO", [("SLO", "slo")] * 4, id="between signs"),
        pytest.param("SLO", [("SLO", "slo")], id="alone"),
        # T07: number, hyphens, spaces
        pytest.param("SLOs, KV-caches", [("SLOs", "slo"), ("KV-caches", "kv-cache")], id="plurals"),
        pytest.param("the SLO's aim, SLO’s", [("SLO", "slo"), ("SLO", "slo")], id="genitives"),
        pytest.param("P99s", [("P99s", "p99")], id="plural of a code"),
        pytest.param("KSs", [], id="no plural of two letters"),
        pytest.param("model registries", [("model registries", "registry")], id="plural in ies"),
        pytest.param("priority classes", [("priority classes", "class")], id="plural in es"),
        pytest.param("kvcache KVCache", [("kvcache", "kv-cache"), ("KVCache", "kv-cache")], id="missing space"),
        pytest.param("kv_cache KV-cache", [("kv_cache", "kv-cache"), ("KV-cache", "kv-cache")], id="joined"),
        pytest.param("KV  \n cache", [("KV  \n cache", "kv-cache")], id="more space"),
        pytest.param("A-B testing", [], id="another sign"),
        # T10, T11, T12
        pytest.param("㎏…①ＡＷＱ很快", [("ＡＷＱ", "awq")], id="full width behind longer folds"),
        pytest.param("ｋｖ　ｃａｃｈｅ", [("ｋｖ　ｃａｃｈｅ", "kv-cache")], id="full width space"),
        pytest.param("😀SLO😀", [("SLO", "slo")], id="between emoji"),
        pytest.param("𝐒𝐋𝐎", [("𝐒𝐋𝐎", "slo")], id="mathematical letters"),
        pytest.param("S\u2060LO and K\u00adV\u00a0cache", [("S\u2060LO", "slo"), ("K\u00adV\u00a0cache", "kv-cache")],
            id="invisible"),
        pytest.param("連續批次 延遲 鍵值緩存", [("延遲", "latency"), ("鍵值緩存", "kv-cache")], id="traditional"),
        # Longest first, side by side
        pytest.param("量化感知训练", [("量化感知训练", "qat")], id="the longest chinese"),
        pytest.param("quantization-aware training", [("quantization-aware training", "qat")], id="the longest latin"),
        pytest.param("quantization aware", [("quantization", "quantization")], id="the longer isn't there"),
        pytest.param("连续批处理", [("连续批处理", "continuous-batching")], id="not the end of a longer one"),
        pytest.param("KV cache quantization", [("KV cache", "kv-cache"), ("quantization", "quantization")], id="both"),
        pytest.param("P99 SLO", [("P99", "p99"), ("SLO", "slo")], id="side by side"),
        pytest.param("SLO SLO", [("SLO", "slo"), ("SLO", "slo")], id="each time"),
        # not_labels
        pytest.param("量化交易", [], id="another sense"),
        pytest.param("量化交易和量化", [("量化", "quantization")], id="another sense, and the term"),
        pytest.param("Quantization-noises", [], id="another sense in the plural"),
        pytest.param("量化感知训练和量化交易", [("量化感知训练", "qat")], id="only its own concept is denied"),
        # T08: no prose
        pytest.param("```\nslo = 0.99  # AWQ\n```", [], id="code block"),
        pytest.param("```AWQ", [], id="unclosed"),
        pytest.param("text `AWQ` and SLO", [("SLO", "slo")], id="inline code"),
        pytest.param("> our SLO is 99.9\nAWQ", [("AWQ", "awq")], id="quote"),
        pytest.param("&gt; our SLO\nAWQ", [("AWQ", "awq")], id="quote as Slack sends it"),
        pytest.param(">>> SLO\nAWQ", [], id="quote to the end"),
        pytest.param("https://x.io/SLO see /etc/slo/awq.yaml --slo 3 @slo :slo:", [], id="addresses and the like"),
        pytest.param("`KV` cache, KV `cache`", [], id="half of it in code"),
        pytest.param("**SLO** _AWQ", [("SLO", "slo")], id="bold"),
        pytest.param("nothing here", [], id="none"),
        pytest.param("", [], id="empty"),
    ],
)  # fmt: skip
def test_terms(detector: Detector, text: str, terms: Sequence[tuple[str, str]]) -> None:
    assert found(detector, text) == list(terms)


def test_what_is_written_so_goes_before_the_plural_of_another() -> None:
    assert found(Detector(labelled("op", "ops", "GPU", "GPUs")), "ops, GPUs and GPU") == [
        ("ops", "ops"),
        ("GPUs", "GPUs"),
        ("GPU", "GPU"),
    ]


def test_a_glossary_of_nothing_finds_nothing() -> None:
    assert Detector(Glossary(())).mentions("SLO 量化") == []


def test_large_glossaries_find_the_same() -> None:
    many = [concept(f"made-up-{number}", f"zq{number}x") for number in range(FEW)]
    text = "我们用AWQ量化模型, KV-caches, zq7x and preSLO"
    assert found(Detector(Glossary([*LITTLE, *many])), text) == [
        *found(Detector(Glossary(LITTLE)), text),
        ("zq7x", "made-up-7"),
    ]


def test_every_label_is_found_as_it_is_written(shipped_detector: Detector, glossary: Glossary) -> None:
    """But for one character, shared labels, names in code (llama.cpp), and labels with full-width signs in them."""
    missed = []
    for folded, hit in glossary.labels():
        label = hit.label.text
        text = f"so {label}, yes"
        shared, code = len(glossary.exact(folded)) > 1, not Prose(text).has(3, len(text) - len(", yes"))
        if len(folded) == 1 or shared or code or "（" in label:
            continue
        mentions = shipped_detector.mentions(text, everyday=True)
        if (hit.concept, label) not in [(mention.concept, mention.text) for mention in mentions]:
            missed.append(label)
    assert missed == []


# -- Senses

SENSES: Final = Glossary(
    [
        concept("ttft", "TTFT"),
        told("IR", case_sensitive=True),
        told("Online", explain=False),
        told("Pruning", contexts=("models",), near=("sparsity",), not_near=("rose", "果园")),
        told("Canary", near=("rollout",)),
        told("Distillation", not_near=("whisky",)),
    ],
    contexts={"models": ("checkpoint", "模型")},
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        pytest.param("the IR graph", ["IR"], id="exactly this case"),
        pytest.param("the ir sensor, Ir, irs, IRS", [], id="another case"),
        pytest.param("ＩＲ graph", ["ＩＲ"], id="the same case in full width"),
        pytest.param("are you online", [], id="never explained"),
        pytest.param("pruning", [], id="nothing near"),
        pytest.param("pruning the checkpoint", ["pruning"], id="a word of a context"),
        pytest.param("pruning for sparsity", ["pruning"], id="a word of its own"),
        pytest.param("模型 pruning", ["pruning"], id="a chinese word"),
        pytest.param("pruning the roses of the model checkpoint", [], id="a word that must not be near goes first"),
        pytest.param("果园 pruning, checkpoint", [], id="a chinese one"),
        pytest.param(f"pruning {'x ' * 60} checkpoint", [], id="too far away"),
        pytest.param("TTFT after pruning", ["TTFT", "pruning"], id="another term that is sure"),
        pytest.param(f"TTFT {'x ' * 60} pruning", ["TTFT", "pruning"], id="anywhere in the message"),
        pytest.param("pruning the canary", [], id="two that aren't sure"),
        pytest.param("pruning the canary of a checkpoint", ["pruning"], id="company isn't passed on"),
        pytest.param("TTFT and pruning of roses", ["TTFT"], id="not near whatever else is sure"),
        pytest.param("distillation", ["distillation"], id="explained unless"),
        pytest.param("distillation of whisky", [], id="unless it stands there"),
    ],
)
def test_senses(text: str, terms: Sequence[str]) -> None:
    assert [mention.text for mention in Detector(SENSES).mentions(text)] == list(terms)


def test_whoever_asks_gets_the_others_too() -> None:
    mentions = Detector(SENSES).mentions("online pruning of roses: TTFT, ir", everyday=True)
    assert [(mention.text, mention.explain) for mention in mentions] == [
        ("online", False),
        ("pruning", False),
        ("TTFT", True),
    ]


def test_a_shared_label_counts_where_one_sense_is_clear() -> None:
    drift, linux = told("PSI", near=("feature",)), told("PSI", near=("kernel",))
    detector = Detector(Glossary([replace(drift, id="drift"), replace(linux, id="linux")]))
    assert found(detector, "PSI of a feature") == [("PSI", "drift")]
    assert found(detector, "PSI in the kernel") == [("PSI", "linux")]
    assert found(detector, "PSI") == []
    assert found(detector, "PSI of a feature of the kernel") == []


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        *[("the ir sensor", []), ("psi of the tyre", []), ("pruning the roses", []), ("by inference he is late", [])],
        *[("SLA resin printer", []), ("推理小说", []), ("蒸馏水", []), ("type inference", [])],
        *[("unstructured pruning of the checkpoint", ["pruning"]), ("PSI > 0.2", ["psi"])],
        *[("我们用了 continuous batching 之后 TTFT 变差了", ["continuous-batching", "ttft"])],
        *[("KV cache quantization", ["kv-cache", "quantization"])],
    ],
)
def test_senses_of_the_shipped_data(shipped_detector: Detector, text: str, concepts: Sequence[str]) -> None:
    assert [mention.concept for mention in shipped_detector.mentions(text)] == list(concepts)
