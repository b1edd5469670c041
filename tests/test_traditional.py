"""The table from Traditional to Simplified characters."""

from __future__ import annotations

import unicodedata

import pytest

from bot.glossary.concept import Concept
from bot.glossary.folding import has_han
from bot.glossary.glossary import Glossary
from bot.glossary.traditional import SIMPLIFIED


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        *[
            ("蒸餾", "蒸馏"),
            ("量化感知訓練", "量化感知训练"),
            ("張量並行", "张量并行"),
            ("連續批處理", "连续批处理"),
            ("負載均衡", "负载均衡"),
        ],
        *[
            ("權重與參數", "权重与参数"),
            ("延遲", "延迟"),
            ("緩存", "缓存"),
            ("觀測", "观测"),
            ("運算圖", "运算图"),
            ("編譯執行", "编译执行"),
        ],
        *[
            ("顯存頻寬", "显存频宽"),
            ("記憶體", "记忆体"),
            ("區別", "区别"),
            ("什麼", "什么"),
            ("這個", "这个"),
            ("發佈", "发布"),
        ],
        *[("後臺", "后台"), ("乾淨", "干净"), ("裡面", "里面"), ("一隻", "一只"), ("龍龜", "龙龟")],
    ],
)
def test_each_character_becomes_one_character(traditional: str, simplified: str) -> None:
    assert traditional.translate(SIMPLIFIED) == simplified


@pytest.mark.parametrize("words", ["軟體", "網路", "資料", "快取", "推論", "伺服器", "記憶體"])
def test_words_stay_the_words_that_they_are(words: str) -> None:
    """软件 for 軟體 would be a translation: regional words are labels in the data."""
    assert len(words.translate(SIMPLIFIED)) == len(words)
    assert words.translate(SIMPLIFIED) not in {"软件", "网络", "数据", "缓存", "推理", "服务器", "内存"}


def test_each_entry_is_one_chinese_character_to_another_one() -> None:
    wrong = {chr(key): value for key, value in SIMPLIFIED.items() if len(value) != 1 or chr(key) == value}
    assert wrong == {}
    assert [chr(key) + value for key, value in SIMPLIFIED.items() if not (has_han(chr(key)) and has_han(value))] == []


def test_what_comes_out_is_not_changed_again() -> None:
    assert [value for value in SIMPLIFIED.values() if ord(value) in SIMPLIFIED] == []
    assert [value for value in SIMPLIFIED.values() if unicodedata.normalize("NFKC", value) != value] == []


def test_the_table_is_whole() -> None:
    assert len(SIMPLIFIED) > 2900


def test_simplified_text_stays_as_it_is(glossary: Glossary) -> None:
    def chinese(concept: Concept) -> str:
        section = concept.sections["zh-Hans"]
        return section.pref_label.text + section.summary + section.definition

    changed = {c.id: chinese(c) for c in glossary.concepts.values() if chinese(c).translate(SIMPLIFIED) != chinese(c)}
    assert changed == {}
