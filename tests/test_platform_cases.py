"""What has gone wrong in other chat bots' look-ups: spelling, scripts, keyboards, pasted text, hostile text.

The letters and numbers are those of the collected cases; each test holds a whole kind, not only its examples.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from bot.phrases import Phrases
from tests.asking import Ask, asker
from tests.little import labelled

HOSTILE: Final = {
    "backticks": "`" * 28 + "x",
    "one letter": "a" * 4000 + "!",
    "brackets": "[" * 3000,
    "angle brackets": "<" * 4000,
    "a label and hyphens": "SLO-" * 1000,
    "backticks and letters": "`a" * 20_000,
    "spaces": " " * 20_000 + "x",
    "quotes": "“" * 4000,
    "pairs of quotes": "'a'" * 1300,
    "separators": "/" * 4000,
    "labels and separators": "SLO vs " * 600,
    "asking words": "what is " * 500,
    "chinese asking words": "什么是" * 1300,
    "chinese labels": "量化" * 2000,
    "accents": "e" + "\u0301" * 4000,
    "half-open questions": "difference between " * 200,
    "a ligature that unfolds": "\ufdfa" * 300,
}
DEFINE: Final = ("/define {}", "!define {}", "@jargonaut {}", "@jargonaut define {}", "/查 {}")


async def answer_is(ask: Ask, line: str, *concepts: str) -> None:
    answer = await ask(line)
    assert (answer["kind"], answer["concepts"]) == ("definition", list(concepts)), line


async def is_not_defined(ask: Ask, line: str) -> dict[str, Any]:
    answer = await ask(line)
    assert answer["kind"] in ("unknown", "choice", "error"), line
    return answer


# -- T05: a label that touches Chinese text


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        *[("AWQ是什么", "awq"), ("什么是AWQ", "awq"), ("请问AWQ是啥呀", "awq"), ("帮我解释一下SLO吧", "slo")],
        *[("KV cache是什么意思", "kv-cache"), ("什么是KV cache呢", "kv-cache"), ("什么是kv-caches", "kv-cache")],
        *[("ＡＷＱ是什么", "awq"), ("「AWQ」是什么", "awq"), ("P99延迟是什么", "p99"), ("量化感知训练是什么", "qat")],
        *[("什么是量化", "quantization")],
    ],
)
async def test_labels_beside_chinese(ask: Ask, text: str, concept: str) -> None:
    await answer_is(ask, f"/define {text}", concept)
    await answer_is(ask, f"@jargonaut {text}", concept)


@pytest.mark.parametrize("text", ["SLO和SLA有什么区别", "SLO跟SLA的区别", "ＳＬＯ与ＳＬＡ有何不同", "SLO还是SLA"])
async def test_two_labels_between_chinese(ask: Ask, text: str) -> None:
    answer = await ask(f"@jargonaut {text}")
    assert (answer["comparison"], answer["concepts"]) == ("slo-vs-sla", ["slo", "sla"])


@pytest.mark.parametrize("text", ["preSLO", "preSLO是什么", "什么是SLOx", "AWQ2是什么", "xKV cache"])
async def test_a_part_of_a_latin_word_is_no_label(ask: Ask, text: str) -> None:
    await is_not_defined(ask, f"/define {text}")


# -- T06: who asks gets an answer, whatever the case and the flags of a label


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        *[("ir", "intermediate-representation"), ("IR", "intermediate-representation")],
        *[("Ir", "intermediate-representation"), ("ks", "ks-test"), ("psi", "psi")],
        *[("tp", "tensor-parallelism"), ("pp", "pipeline-parallelism"), ("kd", "knowledge-distillation")],
        *[("Pruning", "pruning"), ("PRUNING", "pruning"), ("inference", "inference")],
        *[("throughput", "throughput"), ("serverless", "serverless"), ("prefill", "prefill-decode")],
        *[("temperature", "sampling-parameters"), ("canary", "canary-release"), ("lora", "lora")],
        *[("Lora", "lora"), ("LORA", "lora"), ("batch", None), ("drift", None)],
    ],
)
@pytest.mark.parametrize("form", DEFINE)
async def test_explicit_commands_always_answer(ask: Ask, form: str, text: str, concept: str | None) -> None:
    if concept is not None:
        await answer_is(ask, form.format(text), concept)
    else:
        assert (await ask(form.format(text)))["kind"] == "choice"


# -- T07: spaces, hyphens, number


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        *[
            (text, "kv-cache")
            for text in ("KV-cache", "kv_cache", "kvcache", "KVCache", "KV  cache", "KV caches", "KV-Caches")
        ],
        *[(text, "slo") for text in ("SLOs", "SLO's", "SLO’s", "SLO´s", "slos", "SLOs'")],
        *[
            (text, "ab-testing")
            for text in ("A-B test", "A/B tests", "AB test", "a b testing", "A / B testing", "A&B testing")
        ],
        *[(text, "prefill-decode") for text in ("pre-fill", "prefill", "Pre fill", "prefill/decode")],
        *[(text, "int8") for text in ("int-8", "INT 8", "int8", "Int_8")],
        *[(text, "blue-green-deployment") for text in ("blue green deployment", "blue-green deployments", "bluegreen")],
        *[(text, "model-registry") for text in ("model registries", "model-registry", "modelregistry")],
        *[(text, "opentelemetry") for text in ("open telemetry", "Open-Telemetry", "OpenTelemetry's")],
    ],
)
async def test_one_label_in_many_spellings(ask: Ask, text: str, concept: str) -> None:
    await answer_is(ask, f"/define {text}", concept)


@pytest.mark.parametrize("text", ["K", "op", "ops", "loss", "los", "bias", "GPU", "GPUs", "S", "SL", "KVs"])
async def test_what_only_resembles_a_label_stays_apart(ask: Ask, text: str) -> None:
    await is_not_defined(ask, f"/define {text}")


@pytest.mark.parametrize(
    ("one", "other"), [("op", "ops"), ("KS", "K"), ("loss", "los"), ("bias", "bia"), ("GPU", "GPUs")]
)
async def test_two_labels_that_resemble_each_other_stay_apart(phrases: Phrases, one: str, other: str) -> None:
    ask = asker(labelled(one, other), phrases)
    await answer_is(ask, f"/define {one}", one)
    await answer_is(ask, f"/define {other}", other)


# -- T08: marks of code around a label


@pytest.mark.parametrize(
    "text", ["`AWQ`", "``AWQ``", "```AWQ```", "**AWQ**", "_AWQ_", "*AWQ*", '"AWQ"', "“AWQ”", "「AWQ」", "<AWQ>"]
)
@pytest.mark.parametrize("form", ["/define {}", "!define {}", "@jargonaut define {}", "/define what is {}?"])
async def test_marks_around_a_label(ask: Ask, form: str, text: str) -> None:
    await answer_is(ask, form.format(text), "awq")


# -- T10: full-width letters


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        *[("ＰＴＱ", "ptq"), ("P９９", "p99"), ("ｋｖ　ｃａｃｈｅ", "kv-cache"), ("Ａ／Ｂ测试", "ab-testing")],
        *[("ＩＮＴ－８", "int8"), ("ｔｏｐ＿ｐ", "sampling-parameters"), ("ＳＬＯ＇ｓ", "slo"), ("＂ＳＬＯ＂", "slo")],
        *[("ｗｈａｔ　ｉｓ　ＳＬＯ？", "slo")],
    ],
)
@pytest.mark.parametrize("form", ["/define {}", "！define {}", "／define　{}", "@jargonaut　{}"])
async def test_full_width(ask: Ask, form: str, text: str, concept: str) -> None:
    await answer_is(ask, form.format(text), concept)


@pytest.mark.parametrize("text", ["Ｋ８ｓ", "k８S", "Ｋ8ｓ"])
async def test_full_width_code_with_a_digit(phrases: Phrases, text: str) -> None:
    await answer_is(asker(labelled("K8s", "K3s"), phrases), f"/define {text}", "K8s")


async def test_full_width_comparison(ask: Ask) -> None:
    assert (await ask("／vs　ＳＬＯ　／　ＳＬＡ"))["comparison"] == "slo-vs-sla"


# -- T11: Traditional characters, and the words of Taiwan and Hong Kong


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        *[("蒸餾", "knowledge-distillation"), ("量化訓練", "qat"), ("推論", "inference")],
        *[("推論引擎", "inference-engine"), ("負載均衡", "load-balancing"), ("負載平衡", "load-balancing")],
        *[("可觀測性", "observability"), ("資料漂移", "data-drift"), ("什麼是權重量化感知訓練", None)],
        *[("請問知識蒸餾是什麼", "knowledge-distillation"), ("鍵值快取", "kv-cache")],
    ],
)
async def test_traditional(ask: Ask, text: str, concept: str | None) -> None:
    if concept is None:
        await is_not_defined(ask, f"/define {text}")
    else:
        await answer_is(ask, f"/define {text}", concept)


@pytest.mark.parametrize(
    ("text", "some"), [("快取", {"kv-cache", "prefix-caching"}), ("延遲", {"ttft"}), ("漂移", {"data-drift"})]
)
async def test_a_regional_word_of_several_names_is_a_choice(ask: Ask, text: str, some: set[str]) -> None:
    answer = await ask(f"/define {text}")
    assert answer["kind"] == "choice"
    assert some <= set(answer["concepts"])


@pytest.mark.parametrize("text", ["網路", "軟體", "伺服器", "臺灣", "發發發"])
async def test_other_traditional_words_are_no_wrong_neighbour(ask: Ask, text: str) -> None:
    await is_not_defined(ask, f"/define {text}")


async def test_the_answer_to_a_traditional_question_is_as_it_is_stored(ask: Ask) -> None:
    assert (await ask("/define 知識蒸餾"))["text"] == (await ask("/define 知识蒸馏"))["text"]


# -- T12: what copying and pasting brings


@pytest.mark.parametrize(
    ("line", "concept"),
    [
        *[
            ("@jargonaut\u00a0define\u00a0SLO", "slo"),
            ("/define SLO\u200b", "slo"),
            ("/define KV\u00adcache", "kv-cache"),
        ],
        *[
            ("/define \ufeffAWQ", "awq"),
            ("/define S\u2060LO", "slo"),
            ("!define\u3000SLO", "slo"),
            ("/define\u00a0SLO", "slo"),
        ],
        *[
            ("\ufeff/define SLO", "slo"),
            ("/define\tSLO", "slo"),
            ("  /define   SLO  ", "slo"),
            ("/define KV\u202fcache", "kv-cache"),
        ],
        *[
            ("/define \u202aSLO\u202c", "slo"),
            ("/define SLO\x00", "slo"),
            ("/de\u200bfine SLO", "slo"),
            ("!define SLO\ufe0f", "slo"),
        ],
        *[("/define \u200b`AWQ`\ufeff", "awq"), ("@jargonaut\u200b SLO", "slo"), ("/define kv\u2011cache", "kv-cache")],
    ],
)
async def test_invisible_characters(ask: Ask, line: str, concept: str) -> None:
    await answer_is(ask, line, concept)


@pytest.mark.parametrize(
    "nothing", ["", " ", "\u200b", "\u00a0", "\u3000", "\ufeff\u2060\u00ad", "\x00", "\ud800", "\u202e"]
)
async def test_nothing_that_can_be_seen_gets_the_usage(ask: Ask, nothing: str) -> None:
    assert (await ask(f"/define {nothing}"))["error"] == "usage"
    assert (await ask(f"/vs {nothing}"))["error"] == "missing"
    assert (await ask(f"@jargonaut{nothing}"))["kind"] == "help"


# -- T14: text that makes careless patterns run for ever


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_text_is_answered(ask: Ask, name: str) -> None:
    text = HOSTILE[name]
    for command in ("/define", "/vs", "/glossary search", "/lang", "!define", "@jargonaut"):
        answer = await ask(f"{command} {text}")
        assert answer["kind"] in ("error", "unknown", "list", "silence", "choice", "help", "setting", "explanation"), (
            command
        )
        assert len(answer["text"]) < 2000
    assert (await ask(f"so {text}"))["kind"] in ("silence", "explanation")
