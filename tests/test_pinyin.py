"""Chinese labels by their reading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.glossary.pinyin import PinyinIndex, sounds_alike
from tests.texts import any_text

LABELS = PinyinIndex(
    [
        ("量化", None, "quantization"),
        ("两画", None, "two-pictures"),
        ("知识蒸馏", None, "distillation"),
        ("KV 缓存", None, "kv-cache"),
        ("并行", "bing xing", "parallel"),
        ("重放", "chong fang", "replay"),
        ("西安", None, "city"),
        ("恩", None, "one-character"),
        ("INT8", None, "latin"),
        ("连续批处理", None, "continuous-batching"),
        ("蒸馏", None, "distillation"),
        ("蒸餾", None, "distillation"),
    ]
)


@pytest.mark.parametrize(
    ("typed", "hits"),
    [
        pytest.param("zhengliu", ("distillation",), id="together-and-once"),
        pytest.param("zhi shi zheng liu", ("distillation",), id="syllables"),
        pytest.param("zhishi zhengliu", ("distillation",), id="words"),
        pytest.param("xi'an", ("city",), id="apostrophe"),
        pytest.param("kv huancun", ("kv-cache",), id="latin-letters-stay"),
        pytest.param("lianghua", ("quantization", "two-pictures"), id="all-that-are-read-so"),
        pytest.param("bingxing", ("parallel",), id="corrected-reading"),
        pytest.param("chongfang", ("replay",), id="corrected-reading-of-a-heteronym"),
        pytest.param("zhongfang", (), id="the-wrong-reading-is-gone"),
        pytest.param("lianghu", (), id="beginning-of-a-reading"),
        pytest.param("lianghuaa", (), id="longer-than-a-reading"),
        pytest.param("lianhua", (), id="never-approximately"),
        pytest.param("zengliu", (), id="never-approximately-for-dialects"),
        pytest.param("liang4hua4", (), id="no-tones"),
        pytest.param("en", (), id="one-character-has-no-reading"),
        pytest.param("int8", (), id="a-latin-label-has-none"),
        pytest.param("量化", (), id="chinese-is-no-reading"),
        pytest.param("liang\nhua", (), id="line-break"),
        pytest.param("", (), id="empty"),
        pytest.param("lianghua" * 20, (), id="long"),
    ],
)
def test_lookup(typed: str, hits: tuple[str, ...]) -> None:
    assert LABELS.lookup(typed) == hits


@pytest.mark.parametrize(
    ("typed", "hits"),
    [
        pytest.param("知识争流", ("distillation",), id="homophones"),
        pytest.param("连续皮处里", ("continuous-batching",), id="several-homophones"),
        pytest.param("连序批初理", ("continuous-batching",), id="tones-aside"),
        pytest.param("kv 换村", ("kv-cache",), id="latin-letters-stay"),
        pytest.param("连续被处理", (), id="a-sound-that-only-resembles"),
        pytest.param("连续批处", (), id="beginning-of-a-reading"),
        pytest.param("k 换村", (), id="other-latin-letters"),
        pytest.param("病形图", (), id="longer-than-a-reading"),
        pytest.param("凉化", (), id="two-characters-are-too-few"),
        pytest.param("zhishizhengliu", (), id="latin-is-no-homophone"),
        pytest.param("争", (), id="one-character"),
        pytest.param("", (), id="empty"),
        pytest.param("知识争流" * 20, (), id="long"),
    ],
)
def test_homophones(typed: str, hits: tuple[str, ...]) -> None:
    assert LABELS.homophones(typed) == hits


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[
            ("处", "出"),
            ("署", "属"),
            ("理", "里"),
            ("馏", "溜"),
            ("征", "增"),
            ("性", "信"),
            ("量", "娘"),
            ("行", "航"),
        ],
        *[("测", "策"), ("侧", "测")],
    ],
)
def test_sounds_alike(one: str, other: str) -> None:
    assert sounds_alike(one, other)
    assert sounds_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("量", "化"), ("漂", "迁"), ("推", "拉"), ("并", "串"), ("前", "后"), ("动", "静")]
)
def test_sounds_different(one: str, other: str) -> None:
    assert not sounds_alike(one, other)


@given(any_text)
def test_any_text_has_an_answer(text: str) -> None:
    assert isinstance(LABELS.lookup(text), tuple)
    assert isinstance(LABELS.homophones(text), tuple)


@given(st.text("量化知识蒸馏处理〇𠀀龥", min_size=3, max_size=10))
def test_a_label_is_its_own_homophone(label: str) -> None:
    assert PinyinIndex([(label, None, "it")]).homophones(label) == ("it",)
