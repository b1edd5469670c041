"""A little glossary for tests that look for terms in running text."""

from __future__ import annotations

from typing import Final

from tests.little import concept

LITTLE: Final = (
    concept("slo", "SLO", hidden=["SLO target"]),
    concept("p99", "P99"),
    concept("awq", "AWQ"),
    concept("kv-cache", "KV cache", zh=["KV 缓存", "键值缓存"]),
    concept("quantization", "Quantization", zh=["量化"], not_labels=["量化交易", "quantization noise"]),
    concept("qat", "QAT", full="Quantization-aware training", zh=["量化感知训练"]),
    concept("batch", "Batch inference", zh=["批处理"]),
    concept("continuous-batching", "Continuous batching", zh=["连续批处理"]),
    concept("ab-testing", "A/B testing", zh=["A/B 测试"]),
    concept("registry", "Model registry"),
    concept("class", "Priority class"),
    concept("ks", "KS"),
    concept("latency", zh=["延迟"]),
)
