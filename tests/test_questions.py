"""Plain questions in both languages, without a language model."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary
from bot.glossary.questions import MAX_QUESTION, Asked, understand
from bot.glossary.resolver import Ambiguous, Found, NotFound, Suggested
from tests.little import concept
from tests.texts import any_text

DEFINE_EN: Final = (
    *("what is {}", "what's {}?", "What is an {}?", "whats {}", "what does {} mean", "what does {} stand for?"),
    *("define {}", "explain {} please", "can someone explain {} to me?", "could anybody tell me what {} is"),
    *("hey, what is {} again? thanks!", "how does {} work", "meaning of {}", "eli5 {}", "what the heck is {}"),
    *("I don't understand {}", "who knows what {} means", "{} meaning", "{}?", "what do you mean by {}", "WHAT IS {}"),
    *("what is “{}”?", "what's the meaning of `{}`", "what are {}", "so what exactly is {}", "what is {} in short"),
)
DEFINE_ZH: Final = (
    *("什么是{}", "{}是什么", "{} 是什么？", "什么是 {} 呀", "请问{}是什么意思", "{}是啥", "啥是{}", "{}什么意思"),
    *(
        "谁能解释一下{}",
        "有没有人能讲一下{}啊",
        "帮我解释一下{}，谢谢",
        "想问一下 {} 是什么意思",
        "{}的定义",
        "{}怎么理解",
    ),
    *(
        "什麼是{}",
        "請問{}是什麼意思",
        "到底什么是{}？",
        "「{}」是什么",
        "{}的全称是什么",
        "大佬们，{}是什么意思？",
        "{} 是个啥",
    ),
)
COMPARE: Final = (
    *("difference between {} and {}", "what's the difference between {} and {}?", "is {} the same as {}", "{} vs {}?"),
    *("is {} the same thing as {}?", "how is {} different from {}", "{} or {}, which is better?", "compare {} and {}"),
    *("how does {} compare to {}", "are {} and {} the same", "should I use {} or {}", "{} versus {} please"),
    *("{}和{}有什么区别", "{} 跟 {} 的区别是什么？", "{}与{}的区别", "{}还是{}？", "{} 和 {} 一样吗", "对比一下{}和{}"),
    *("{}和{}哪个好", "請問{}與{}有什麼區別", "分不清{}和{}", "{}、{}有什么不同", "{}和{}是一回事吗", "{}和{}怎么区分"),
)
LABELS: Final = (
    ("SLO", "slo"),
    ("KV cache", "kv-cache"),
    ("投机解码", "speculative-decoding"),
    ("kv_caches", "kv-cache"),
)


def told(asked: Asked) -> tuple[str, list[str]]:
    def shown(means: object) -> str:
        return means.concept if isinstance(means, Found) else type(means).__name__

    return asked.intent, [shown(side.means) for side in asked.sides]


@pytest.mark.parametrize(("label", "concept"), LABELS)
@pytest.mark.parametrize("question", [*DEFINE_EN, *DEFINE_ZH, "{}"])
def test_what_is_it(glossary: Glossary, question: str, label: str, concept: str) -> None:
    assert told(understand(question.format(label), glossary)) == ("define", [concept])


@pytest.mark.parametrize(
    ("one", "other", "concepts"),
    [
        ("SLO", "SLA", ["slo", "sla"]),
        ("数据漂移", "概念漂移", ["data-drift", "concept-drift"]),
        ("TTFT", "tpot", ["ttft", "tpot"]),
    ],
)
@pytest.mark.parametrize("question", COMPARE)
def test_how_do_they_differ(glossary: Glossary, question: str, one: str, other: str, concepts: list[str]) -> None:
    assert told(understand(question.format(one, other), glossary)) == ("compare", concepts)


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("SLO and SLA", ["slo", "sla"]),
        ("SLO, SLA", ["slo", "sla"]),
        ("SLO 和 SLA", ["slo", "sla"]),
        ("what are SLO, SLA and SLI?", ["slo", "sla", "sli"]),
        ("什么是 TTFT 和 TPOT", ["ttft", "tpot"]),
        ("TTFT、TPOT 是什么意思", ["ttft", "tpot"]),
        ("SLO and SLA and SLO", ["slo", "sla"]),
    ],
)
def test_several_at_once(glossary: Glossary, text: str, concepts: list[str]) -> None:
    assert told(understand(text, glossary)) == ("several", concepts)


@pytest.mark.parametrize(
    ("text", "intent", "concepts"),
    [
        ("what does opset mean in ONNX", "define", ["opset"]),
        ("what is TTFT in vLLM?", "define", ["ttft"]),
        ("ONNX 里的 opset 是什么", "define", ["opset"]),
        ("vLLM 里的 TTFT 是什么意思", "define", ["ttft"]),
        ("what are SLO and SLA in MLOps", "several", ["slo", "sla"]),
        ("difference between SLO and SLA in MLOps", "compare", ["slo", "sla"]),
        ("TTFT in ONNX", "several", ["ttft", "onnx"]),
        ("what is PSI for tires", "define", ["Suggested"]),
        ("SLO for my team", "define", ["Suggested"]),
    ],
)
def test_where_it_is_used_is_not_asked_for(glossary: Glossary, text: str, intent: str, concepts: list[str]) -> None:
    assert told(understand(text, glossary)) == (intent, concepts)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        *[("GGUF format", "gguf"), ("AWQ 算法", "awq"), ("GPTQ algorithm", "gptq"), ("GGUF 是什么格式", "gguf")],
        *[("LoRA people", None), ("people LoRA", None), ("the SLO file", None), ("我的 SLO", None)],
    ],
)
def test_the_kind_of_thing_may_stand_behind_a_label(glossary: Glossary, text: str, concept: str | None) -> None:
    assert told(understand(text, glossary)) == ("define", [concept or "Suggested"])


EVERYDAY = Glossary(
    [concept("online-inference", "Online inference", "online", zh=["在线推理", "在线"], everyday=["online", "在线"])]
)


@pytest.mark.parametrize(
    ("text", "answered"),
    [
        *[
            ("online", True),
            ("Online?", True),
            ("what does online mean", True),
            ("在线是什么意思", True),
            ("define online", True),
        ],
        *[
            ("are you online?", False),
            ("is it online", False),
            ("online now", False),
            ("你在线吗", False),
            ("谁在线", False),
        ],
        *[("online inference", True), ("is it online inference?", True)],
    ],
)
def test_a_label_that_is_an_everyday_word_needs_a_question_about_its_meaning(text: str, answered: bool) -> None:
    (side,) = understand(text, EVERYDAY).sides
    assert isinstance(side.means, Found) is answered


@pytest.mark.parametrize("text", ["SLO and SLOs", "what is a canary release, or gray release", "SLO SLO"])
def test_the_same_twice_is_one(glossary: Glossary, text: str) -> None:
    asked = understand(text, glossary)
    assert len({side.means.concept for side in asked.sides if isinstance(side.means, Found)}) == 1


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("what is quantizaton", "quantization"),
        ("什么是投机解马", "speculative-decoding"),
        ("what does lianghua mean", "quantization"),
        ("could someone explain speculativ decoding please", "speculative-decoding"),
    ],
)
def test_slips_inside_questions(glossary: Glossary, text: str, concept: str) -> None:
    assert told(understand(text, glossary)) == ("define", [concept])


@pytest.mark.parametrize("text", ["what is drift?", "什么是漂移", "explain batching please", "并行是什么意思"])
def test_ambiguous_words_inside_questions(glossary: Glossary, text: str) -> None:
    (side,) = understand(text, glossary).sides
    assert isinstance(side.means, Ambiguous)


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("what is goodput?", "goodput"),
        ("什么是香蕉", "香蕉"),
        ("banana", "banana"),
        ("请问香蕉是什么意思？", "香蕉"),
        ("could you explain data parallelism", "data parallelism"),
        ("what is", "what is"),
    ],
)
def test_an_unknown_word_is_named_without_the_question(glossary: Glossary, text: str, side: str) -> None:
    (asked,) = understand(text, glossary).sides
    assert isinstance(asked.means, Suggested | NotFound)
    assert asked.text == side


@pytest.mark.parametrize(
    "text",
    [
        "what's the weather like today?",
        "who is on call this week",
        "can you review my PR please",
        "the deploy is broken again, any idea why?",
        "let's have lunch at noon",
        "how do I get to the office",
        "今天吃什么",
        "明天的会几点开始",
        "谁能帮我看一下这个 bug",
        "这个周末大家去哪里玩",
        "周报写完了吗",
        "what is",
        "什么意思",
        "?",
        "…",
    ],
)
def test_what_is_asked_about_something_else_is_not_defined(glossary: Glossary, text: str) -> None:
    asked = understand(text, glossary)
    assert asked.intent == "define"
    assert [side for side in asked.sides if isinstance(side.means, Found | Ambiguous)] == []


def test_every_label_can_be_asked_for_and_compared(glossary: Glossary) -> None:
    wrong = []
    for _, hit in glossary.labels():
        label, compared = hit.label.text, hit.concept != "slo"
        if hit.label.kind == "hidden":
            continue
        for text, concepts in (
            (f"what is {label}?", [hit.concept]),
            (f"请问{label}是什么意思", [hit.concept]),
            (f"difference between {label} and SLO", [hit.concept, "slo"]),
            (f"SLO 和{label}有什么区别", ["slo", hit.concept]),
        ):
            expected = ("define" if len(concepts) == 1 else "compare", concepts)
            if (compared or len(concepts) == 1) and told(understand(text, glossary)) != expected:
                wrong.append(text)
    assert wrong == []


def test_a_question_may_be_as_long_as_it_says(glossary: Glossary) -> None:
    text = "SLO".ljust(MAX_QUESTION - 1) + "?"
    assert told(understand(text, glossary)) == ("define", ["slo"])
    assert told(understand(f"{text[:-1]} ?", glossary)) == ("define", ["NotFound"])


@pytest.mark.parametrize("text", ["what is SLO? " * 40, "量" * (MAX_QUESTION + 1), "x " * 40_000])
def test_a_long_text_is_no_question(glossary: Glossary, text: str) -> None:
    (side,) = understand(text, glossary).sides
    assert isinstance(side.means, NotFound)


@given(any_text)
def test_any_text_is_understood_somehow(glossary: Glossary, text: str) -> None:
    asked = understand(text, glossary)
    assert asked.intent in ("define", "compare", "several")
    assert asked.sides
    for side in asked.sides:
        assert isinstance(side.text, str)
        assert isinstance(side.means, Found | Ambiguous | Suggested | NotFound)
    assert (len(asked.sides) == 1) is (asked.intent == "define")


@given(st.data())
def test_a_label_by_itself_is_never_corrected(glossary: Glossary, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([hit.label.text for _, hit in glossary.labels()]))
    (side,) = understand(
        data.draw(st.sampled_from([text, text.upper(), f" {text} ", f"“{text}”", f"{text}？"])), glossary
    ).sides
    assert isinstance(side.means, Found)
    assert not side.means.corrected
    assert fold(side.means.label.text) == fold(text)
