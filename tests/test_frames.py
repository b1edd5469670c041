"""The words around what is asked."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.glossary.frames import (
    asks,
    asks_meaning,
    compares,
    is_frame_word,
    only_context,
    only_frame,
    peel,
    without_kind,
)
from tests.texts import any_text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("what is goodput", "goodput"),
        ("What's goodput?", "goodput"),
        ("can someone please explain goodput to me", "goodput"),
        ("what does goodput stand for", "goodput"),
        ("hey, how does expert parallelism work again, thanks", "expert parallelism"),
        ("define: goodput", "goodput"),
        ("WHAT DOES GOODPUT MEAN", "GOODPUT"),
        ("eli5 goodput pls", "goodput"),
        ("请问专家并行是什么意思", "专家并行"),
        ("什么是专家并行？", "专家并行"),
        ("到底啥是 goodput 呀", "goodput"),
        ("帮我解释一下专家并行，谢谢", "专家并行"),
        ("請問專家並行是什麼意思", "專家並行"),
        ("goodput", "goodput"),
        ("专家并行", "专家并行"),
        ("what is", ""),
        ("什么意思", ""),
        ("", ""),
    ],
)
def test_peel(text: str, left: str) -> None:
    assert peel(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("is goodput the same as", "goodput"),
        ("difference between goodput", "goodput"),
        ("goodput better", "goodput"),
        ("和专家并行有什么区别", "专家并行"),
        ("专家并行哪个更好", "专家并行"),
        ("專家並行有什麼區別", "專家並行"),
    ],
)
def test_peel_what_compares_too(text: str, left: str) -> None:
    assert peel(text, comparing=True) == left
    assert peel(text) != left


@pytest.mark.parametrize("text", ["时代", "用户", "下班", "上线", "会话", "有效", "whatsapp", "thesis"])
def test_a_word_that_only_begins_like_an_asking_word_stays_whole(text: str) -> None:
    assert peel(text) == text


@given(any_text)
def test_what_is_left_stands_in_the_text(text: str) -> None:
    for comparing in (False, True):
        assert peel(text, comparing=comparing) in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is the difference between", True),
        ("SLO or what?", False),
        ("is the same thing as", True),
        ("请问 有什么区别？", True),
        ("是什么意思", True),
        ("什麼意思", True),
        ("?!…", True),
        ("", True),
        ("goodput", False),
        ("what is goodput", False),
        ("什么是专家并行", False),
    ],
)
def test_only_frame(text: str, expected: bool) -> None:
    assert only_frame(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"), [("file format", True), ("格式", True), ("goodput", False), ("专家", False)]
)
def test_the_kind_of_thing_may_be_named(text: str, expected: bool) -> None:
    assert only_frame(text, classes=True) is expected
    assert only_frame(text, classes=True, asking=False) is expected
    assert not only_frame(text)


@pytest.mark.parametrize(
    "text",
    [
        *["difference between a and b", "a versus b", "are a and b the same?", "Compare a with b"],
        *["which is BETTER, a or b", "a和b的区别", "a 跟 b 有什麼區別", "a还是b", "a 和 b 一样吗"],
        *["对比一下 a、b", "a 与 b 有何不同", "分不清 a 和 b"],
    ],
)
def test_compares(text: str) -> None:
    assert compares(text)


@pytest.mark.parametrize(
    "text", ["what is a", "a and b", "a, b", "什么是 a", "a 和 b", "indifference", "", "versushka"]
)
def test_does_not_compare(text: str) -> None:
    assert not compares(text)


@pytest.mark.parametrize(
    ("text", "asking", "meaning"),
    [
        ("what does it mean", True, True),
        ("define it", True, True),
        ("how does it work", True, True),
        ("is it", True, False),
        ("是什么意思", True, True),
        ("啥意思", True, True),
        ("怎么用", True, False),
        ("goodput?", True, False),
        ("专家并行？", True, False),
        ("it runs on Monday", False, False),
        ("", False, False),
    ],
)
def test_asks(text: str, asking: bool, meaning: bool) -> None:
    assert asks(text) is asking
    assert asks_meaning(text) is meaning


@pytest.mark.parametrize(
    ("word", "expected"), [("what", True), ("versus", True), ("什么", True), ("区别", True), ("slo", False)]
)
def test_is_frame_word(word: str, expected: bool) -> None:
    assert is_frame_word(word) is expected


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("GGUF 是什么格式", "GGUF 是什么"),
        ("AWQ 是啥技术啊", "AWQ 是啥啊"),
        ("什么是格式", "什么是格式"),
        ("GGUF 格式", "GGUF 格式"),
    ],
)
def test_without_kind(text: str, without: str) -> None:
    assert without_kind(text) == without


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("vLLM", True), ("LLM serving", True), ("the PyTorch docs", True), ("大模型推理", True), ("生产环境", True)],
        *[("tires", False), ("my team", False), ("轮胎", False), ("大模型轮胎", False), ("vLLM tires", False)],
    ],
)
def test_only_context(text: str, expected: bool) -> None:
    assert only_context(text) is expected


@given(any_text)
def test_any_text_has_an_answer(text: str) -> None:
    for said in (compares(text), asks(text), asks_meaning(text), only_frame(text), only_frame(text, classes=True)):
        assert isinstance(said, bool)
    assert isinstance(without_kind(text), str)
