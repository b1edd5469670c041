"""Labels inside a short typed text."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.glossary.glossary import Glossary
from bot.glossary.spans import scan
from tests.little import concept
from tests.texts import any_text

LITTLE = Glossary(
    [
        concept("slo", "SLO"),
        concept("kv-cache", "KV cache", zh=["键值缓存"]),
        concept("quantization", "Quantization", zh=["量化"]),
        concept("qat", "QAT", full="Quantization-aware training", zh=["量化感知训练"]),
        concept("ab-testing", "A/B testing", zh=["A/B 测试"]),
        concept("engine-file", ".engine"),
        concept("engine", "Engine"),
        concept("psi-drift", "PSI"),
        concept("psi-linux", "PSI"),
    ]
)


def spelt(text: str, glossary: Glossary = LITTLE) -> list[tuple[str, str]]:
    """What is found, as it stands in the text, and the concept."""
    return [(text[span.start : span.end], span.concept) for span in scan(text, glossary)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("our SLO slipped", [("SLO", "slo")], id="a-word"),
        pytest.param("slo, kv-cache", [("slo", "slo"), ("kv-cache", "kv-cache")], id="from-left-to-right"),
        pytest.param("SLO SLO", [("SLO", "slo"), ("SLO", "slo")], id="each-time"),
        pytest.param("SLOs", [("SLOs", "slo")], id="plural"),
        pytest.param("the SLO's target", [("SLO's", "slo")], id="genitive"),
        pytest.param("kv   caches", [("kv   caches", "kv-cache")], id="spaces"),
        pytest.param("kvcache", [("kvcache", "kv-cache")], id="missing-space"),
        pytest.param("preSLO SLOw", [], id="no-part-of-a-word"),
        pytest.param("今天的SLO达标了", [("SLO", "slo")], id="latin-between-chinese"),
        pytest.param("把KV cache打开", [("KV cache", "kv-cache")], id="latin-words-between-chinese"),
        pytest.param("给模型做量化吧", [("量化", "quantization")], id="chinese-run"),
        pytest.param("量化感知训练", [("量化感知训练", "qat")], id="the-longest-chinese"),
        pytest.param("量化感知", [("量化", "quantization")], id="the-shorter-where-the-longer-does-not-fit"),
        pytest.param("quantization-aware training", [("quantization-aware training", "qat")], id="the-longest-latin"),
        pytest.param("quantization aware", [("quantization", "quantization")], id="the-shorter-latin"),
        pytest.param(
            "A/B testing or a/b 测试", [("A/B testing", "ab-testing"), ("a/b 测试", "ab-testing")], id="slash"
        ),
        pytest.param(
            "ＳＬＯ和ＫＶ　ｃａｃｈｅ", [("ＳＬＯ", "slo"), ("ＫＶ　ｃａｃｈｅ", "kv-cache")], id="full-width"
        ),
        pytest.param("量化處理", [("量化", "quantization")], id="before-traditional"),
        pytest.param(".engine and engine", [(".engine", "engine-file"), ("engine", "engine")], id="leading-dot"),
        pytest.param("\u200bSLO\u200b", [("SLO", "slo")], id="between-invisible-characters"),
        pytest.param("no label here", [], id="none"),
        pytest.param("", [], id="empty"),
    ],
)
def test_scan(text: str, found: list[tuple[str, str]]) -> None:
    assert spelt(text) == found


def test_a_shared_label_has_all_its_concepts() -> None:
    (span,) = scan("PSI > 0.2", LITTLE)
    assert [hit.concept for hit in span.hits] == ["psi-drift", "psi-linux"]


@given(any_text)
def test_spans_stand_apart_in_order_and_hold_what_they_say(glossary: Glossary, text: str) -> None:
    spans = scan(text, glossary)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(span.start < span.end for span in spans)
    assert all(glossary.lookup(text[span.start : span.end]) == span.hits for span in spans)


def test_each_label_is_found_whole_in_a_sentence(glossary: Glossary) -> None:
    """But for labels that begin or end with a sign, of which the rest may be found."""
    missed = []
    for _, hit in glossary.labels():
        label = hit.label.text
        text = f"so {label}，嗯"
        if (
            len(label) <= 50
            and label[0].isalnum()
            and label[-1].isalnum()
            and spelt(text, glossary) != [(label, hit.concept)]
        ):
            missed.append((label, spelt(text, glossary)))
    assert missed == []
