"""The sides of a comparison, however they are written beside each other."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.glossary.glossary import Glossary
from bot.glossary.resolver import Ambiguous, Found, NotFound, Resolution, Suggested
from bot.glossary.sides import Side, has_separator, split
from tests.little import concept
from tests.texts import any_text

LITTLE = Glossary(
    [
        concept("slo", "SLO", full="Service level objective", zh=["服务等级目标"]),
        concept("sla", "SLA", zh=["服务等级协议"]),
        concept("sli", "SLI"),
        concept("ab-testing", "A/B testing", "AB test", zh=["A/B 测试"]),
        concept("data-drift", "Data drift", zh=["数据漂移"]),
        concept("concept-drift", "Concept drift", zh=["概念漂移"]),
        concept("inference", "Inference", zh=["推理"]),
        concept("inference-engine", "Inference engine", zh=["推理引擎"]),
        concept("phases", "Prefill / decode", "prefill", "decode", parts=["prefill", "decode"]),
        concept("balance", "Load and balance", zh=["饱和度"]),
        concept("pipeline", "Pipeline parallelism", zh=["流水线并行"]),
        concept("tensor", "Tensor parallelism", zh=["张量并行"]),
        concept("onnx", "ONNX"),
        concept("opset", "Opset", "ONNX opset", "online opset", "ONNX Opset name"),
        concept("online", "Online inference", "online", everyday=["online"]),
        concept("psi-drift", "PSI"),
        concept("psi-linux", "PSI"),
    ]
)


def shown(means: Resolution) -> str:
    match means:
        case Found(concept=concept_id, corrected=corrected):
            return f"~{concept_id}" if corrected else concept_id
        case Ambiguous():
            return "several"
        case Suggested() | NotFound():
            return "?"


def sides(text: str, *, question: bool = False) -> list[str]:
    return [shown(side.means) for side in split(text, LITTLE, question=question)]


@pytest.mark.parametrize(
    "between",
    [
        *[" vs ", " VS ", " vs. ", " v.s. ", " v.s ", " versus ", " compared to ", " compared with ", " or ", " and "],
        *["/", " / ", "|", " | ", ",", ", ", " & ", " + ", "\n", ";", "、", "，", "／", "｜", "；"],
        *["和", " 和 ", "与", "與", "跟", "对比", " 對比 ", "比较", "还是", "還是", "或", "或者", "以及"],
        *["　ｖｓ　", "\u00a0vs\u00a0", " ", "   ", "\u3000"],
    ],
)
def test_separators(between: str) -> None:
    assert sides(f"SLO{between}SLA") == ["slo", "sla"]
    assert sides(f"服务等级目标{between}SLA") == ["slo", "sla"]


@pytest.mark.parametrize(
    "text",
    [
        *["“SLO” “SLA”", '"SLO" "SLA"', "「SLO」「SLA」", "『SLO』和『SLA』", "《SLO》与《SLA》", "‘SLO’ vs ‘SLA’"],
        *["`SLO` vs `SLA`", "'SLO' 'SLA'", "“SLO”和“SLA”", '"SLO", "SLA"', "“SLO” vs. SLA"],
        *["**SLO** vs *SLA*", "(SLO) vs [SLA]", "SLO vs. SLA?", '"SLO vs SLA"', "“SLO”、“SLA”"],
        *["SLO vs the SLA", " SLO  vs  SLA ", "SL\u200bO vs S\u00adLA", "ＳＬＯ／ＳＬＡ"],
    ],
)
def test_quotes_marks_and_articles(text: str) -> None:
    assert sides(text) == ["slo", "sla"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("data drift concept drift", ["data-drift", "concept-drift"], id="words-decide"),
        pytest.param("数据漂移概念漂移", ["data-drift", "concept-drift"], id="chinese-words-decide"),
        pytest.param("inference inference engine", ["inference", "inference-engine"], id="the-shorter-first"),
        pytest.param("inference engine inference", ["inference-engine", "inference"], id="the-longer-first"),
        pytest.param("SLI, SLO, SLA", ["sli", "slo", "sla"], id="three"),
        pytest.param("SLI vs SLO vs SLA", ["sli", "slo", "sla"], id="three-strong"),
        pytest.param("SLI SLO SLA", ["sli", "slo", "sla"], id="three-without-separators"),
        pytest.param("SLI, SLO and SLA", ["sli", "slo", "sla"], id="three-mixed"),
        pytest.param("SLI, SLO vs SLA", ["sli", "slo", "sla"], id="three-weak-and-strong"),
        pytest.param("SLI SLO SLA inference", ["sli", "slo", "sla", "inference"], id="four"),
        pytest.param("SLO SLO", ["slo", "slo"], id="twice"),
        pytest.param("A/B testing vs SLO", ["ab-testing", "slo"], id="slash-inside-a-label"),
        pytest.param("A/B testing / SLO", ["ab-testing", "slo"], id="slash-inside-and-between"),
        pytest.param("A/B测试/SLO", ["ab-testing", "slo"], id="slashes-without-spaces"),
        pytest.param("load and balance and SLO", ["balance", "slo"], id="and-inside-a-label"),
        pytest.param("饱和度和SLO", ["balance", "slo"], id="chinese-separator-inside-a-label"),
        pytest.param("prefill / decode", ["phases", "phases"], id="two-parts-of-an-entry"),
        pytest.param("prefill decode", ["phases", "phases"], id="two-parts-side-by-side"),
        pytest.param("ONNX opset", ["onnx", "opset"], id="two-labels-that-are-a-synonym-together"),
        pytest.param("online opset", ["opset"], id="not-with-an-everyday-word"),
        pytest.param("online inference", ["online"], id="nor-if-it-is-the-name"),
        pytest.param("tensor and pipeline parallelism", ["tensor", "pipeline"], id="shared-head"),
        pytest.param("data vs concept drift", ["data-drift", "concept-drift"], id="shared-head-strong"),
        pytest.param("数据和概念漂移", ["data-drift", "concept-drift"], id="shared-chinese-head"),
        pytest.param("张量、流水线并行", ["tensor", "pipeline"], id="shared-chinese-head-weak"),
        pytest.param("SLO and pipeline parallelism", ["slo", "pipeline"], id="a-label-needs-no-head"),
        pytest.param("banana and pipeline parallelism", ["?", "pipeline"], id="no-label-with-this-head"),
        pytest.param("SLO vs PSI", ["slo", "several"], id="one-is-ambiguous"),
        pytest.param("SLO vs banana", ["slo", "?"], id="one-is-unknown"),
        pytest.param("foo bar vs SLO", ["?", "slo"], id="the-first-is-unknown"),
        pytest.param("conecpt drift vs SLO", ["~concept-drift", "slo"], id="a-slip"),
        pytest.param("conecpt drift infrence engine", ["~concept-drift", "~inference-engine"], id="slips-side-by-side"),
        pytest.param("SLO, SLA,", ["slo", "sla"], id="trailing-comma"),
        pytest.param("SLO", ["slo"], id="one"),
        pytest.param("data drift", ["data-drift"], id="one-of-several-words"),
        pytest.param("conecpt drift", ["~concept-drift"], id="one-slip"),
        pytest.param("banana", ["?"], id="one-unknown"),
        pytest.param("", ["?"], id="nothing"),
    ],
)
def test_split(text: str, expected: list[str]) -> None:
    assert sides(text) == expected


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        pytest.param("vs SLA", ["", "SLA"], id="first-missing"),
        pytest.param("SLO vs", ["SLO", ""], id="second-missing"),
        pytest.param("SLO vs “”", ["SLO", ""], id="second-only-quotes"),
        pytest.param("vs", ["", ""], id="both-missing"),
        pytest.param("foo bar vs SLO", ["foo bar", "SLO"], id="as-typed"),
        pytest.param("Foo-Bar vs slo", ["Foo-Bar", "slo"], id="in-its-case"),
        pytest.param("《甲乙》和《SLO》", ["甲乙", "SLO"], id="without-quotes"),
        pytest.param("tensor and pipeline parallelism", ["tensor parallelism", "pipeline parallelism"], id="with-head"),
        pytest.param("foo and bar vs SLO", ["foo and bar", "SLO"], id="weak-beside-strong"),
        pytest.param("SLO and SLA vs SLI", ["SLO", "SLA", "SLI"], id="weak-beside-strong-between-labels"),
        pytest.param("共和国和SLO", ["共和国", "SLO"], id="separator-inside-a-word"),
        pytest.param("the SLO then vs SLA please", ["SLO", "SLA"], id="asking-words-beside"),
        pytest.param("SLO SLA please", ["SLO", "SLA"], id="asking-words-behind"),
        pytest.param("“foo and bar” vs SLO", ["foo and bar", "SLO"], id="quotes-hold-together"),
        pytest.param("SLO vs banana?", ["SLO", "banana"], id="without-question-mark"),
        pytest.param("", [""], id="nothing"),
        pytest.param(" \u200b ", [""], id="nothing-that-can-be-seen"),
    ],
)
def test_the_texts_of_the_sides(text: str, texts: list[str]) -> None:
    assert [side.text for side in split(text, LITTLE)] == texts


@pytest.mark.parametrize(
    "text",
    [
        *["is SLO the same as SLA", "what's the difference between an SLO and an SLA?", "SLO和SLA有什么区别"],
        *["SLO 跟 SLA 一样吗", "should I use SLO or SLA", "how does SLO compare to SLA"],
        *["SLO or SLA, which is better?", "到底用SLO还是SLA呢", "请问 SLO 與 SLA 有什麼區別", "SLO vs SLA please"],
    ],
)
def test_a_question_has_words_around_its_sides(text: str) -> None:
    assert sides(text, question=True) == ["slo", "sla"]


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("what is the difference between SLO and banana?", ["SLO", "banana"]),
        ("is banana the same as SLO", ["banana", "SLO"]),
        ("SLO和香蕉有什么区别", ["SLO", "香蕉"]),
        ("香蕉跟 SLO 哪个好", ["香蕉", "SLO"]),
    ],
)
def test_an_unknown_side_of_a_question_is_named_alone(text: str, texts: list[str]) -> None:
    assert [side.text for side in split(text, LITTLE, question=True)] == texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("a vs b", True), ("a v.s. b", True), ("a versus b", True), ("a compared to b", True)],
        *[("a对比b", True), ("a|b", True), ("a or b", False), ("a, b", False), ("a 和 b", False)],
        *[("devs", False), ("canvas", False), ("", False)],
    ],
)
def test_has_separator(text: str, expected: bool) -> None:
    assert has_separator(text) is expected


@given(any_text)
def test_any_text_has_sides(glossary: Glossary, text: str) -> None:
    for question in (False, True):
        found = split(text, glossary, question=question)
        assert isinstance(found, tuple)
        for side in found:
            assert isinstance(side, Side)
            assert isinstance(side.text, str)
            assert isinstance(side.means, Found | Ambiguous | Suggested | NotFound)


@given(any_text)
def test_whoever_does_not_ask_has_at_least_one_side(text: str) -> None:
    assert split(text, LITTLE)


def test_a_long_text_has_few_sides() -> None:
    assert len(split("SLO, " * 8000, LITTLE)) < 200


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        pytest.param("slo vs mixed precision", "mixed precision", id="comparing-word-in-it"),
        pytest.param("use case vs slo", "use case", id="asking-word-in-it"),
        pytest.param("slo, difference equation", "difference equation", id="deciding-word-in-it"),
        pytest.param("read/write vs slo", "read/write", id="weak-separator-in-it"),
        pytest.param("better vs slo", "better", id="asking-word-alone"),
        pytest.param("C++ vs slo", "C++", id="signs-at-the-end"),
        pytest.param("问答 vs slo", "问答", id="asking-character"),
        pytest.param("和谐 vs slo", "和谐", id="separator-at-the-start-of-a-word"),
        pytest.param("区分度 vs slo", "区分度", id="comparing-word-in-a-word"),
        pytest.param("slo 同态加密", "同态加密", id="no-separator"),
        pytest.param("slo, 同步", "同步", id="separator-in-the-second-word"),
        pytest.param("SLO和同态加密", "同态加密", id="separator-beside-a-label"),
        pytest.param("共和国和SLO", "共和国", id="separator-inside-and-beside"),
        pytest.param('"foo and bar" slo', "foo and bar", id="quoted-with-a-separator"),
        pytest.param('slo "bar or baz"', "bar or baz", id="quoted-last"),
        pytest.param("“foo / bar” vs slo", "foo / bar", id="quoted-beside-a-strong-separator"),
        pytest.param("ｂａｎａｎａ vs slo", "ｂａｎａｎａ", id="full-width-as-typed"),
    ],
)
def test_an_unknown_side_is_named_whole_and_as_typed(text: str, unknown: str) -> None:
    found = split(text, LITTLE)
    assert [shown(side.means) for side in found].count("slo") == 1
    assert [side.text for side in found if shown(side.means) == "?"] == [unknown]
