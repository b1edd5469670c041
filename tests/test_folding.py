"""When two labels count as the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.glossary.folding import HAN, fold, has_han, squash, visible
from tests.texts import any_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        pytest.param("KV Cache", "kv cache", id="case"),
        pytest.param("ΣΊΓΜΑΣ", "σίγμασ", id="case-of-other-scripts"),
        pytest.param("Straße", "strasse", id="case-of-sharp-s"),
        pytest.param("kv-cache", "kv cache", id="hyphen"),
        pytest.param("kv_cache", "kv cache", id="underscore"),
        pytest.param("kv\u2010cache\u2011x\u2013y\u2014z", "kv cache x y z", id="dashes"),
        pytest.param("kv\u2212cache", "kv cache", id="minus-sign"),
        pytest.param("kv－cache＿x", "kv cache x", id="full-width-hyphen"),
        pytest.param("kv - _  cache", "kv cache", id="mixed-gaps"),
        pytest.param("  kv cache\t", "kv cache", id="edges"),
        pytest.param("kv\u00a0cache", "kv cache", id="no-break-space"),
        pytest.param("kv\u202fcache", "kv cache", id="narrow-no-break-space"),
        pytest.param("kv\u3000cache", "kv cache", id="ideographic-space"),
        pytest.param("kv\ncache\r\n", "kv cache", id="line-breaks"),
        pytest.param("S\u200bL\u200cO\u200d", "slo", id="zero-width"),
        pytest.param("KV\u00adcache", "kvcache", id="soft-hyphen"),
        pytest.param("\ufeffAWQ", "awq", id="byte-order-mark"),
        pytest.param("S\u2060LO", "slo", id="word-joiner"),
        pytest.param("\u202eSLO\u202c", "slo", id="direction-marks"),
        pytest.param("SLO\ufe0f", "slo", id="variation-selector"),
        pytest.param("SLO\x00\x1b", "slo", id="controls"),
        pytest.param("SLO\U000e0053", "slo", id="tag-characters"),
        pytest.param("SLO\ud800", "slo", id="lone-surrogate"),
        pytest.param("ＩＮＴ８", "int8", id="full-width"),
        pytest.param("Ａ／Ｂ测试", "a/b测试", id="full-width-and-chinese"),
        pytest.param("ﬁne‑tuning", "fine tuning", id="ligature"),
        pytest.param("𝐒𝐋𝐎", "slo", id="mathematical-letters"),
        pytest.param("①", "1", id="circled"),
        pytest.param("cafe\u0301", "caf\u00e9", id="combining-accent"),
        pytest.param("SLO’s", "slo's", id="typographic-apostrophe"),
        pytest.param("SLO´s", "slo's", id="acute-as-apostrophe"),
        pytest.param("SLO＇s", "slo's", id="full-width-apostrophe"),
        pytest.param("知識蒸餾", "知识蒸馏", id="traditional"),
        pytest.param("批次處理", "批次处理", id="regional-word-stays"),
        pytest.param("\uf9bf", "乐", id="compatibility-then-traditional"),
        pytest.param("标准偏差", "标准偏差", id="simplified"),
        pytest.param("écart-type", "écart type", id="accents-stay"),
        pytest.param(".engine", ".engine", id="leading-dot-stays"),
        pytest.param("top-p / top-k", "top p / top k", id="slash-stays"),
        pytest.param("-", "", id="nothing-but-a-gap"),
        pytest.param("\u200b", "", id="nothing-that-can-be-seen"),
        pytest.param("", "", id="empty"),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[("SLO", "SLA"), ("P99", "P95"), ("推理", "推力"), ("top-k", "top-p"), ("a.b", "a b"), ("量化", "量 化")],
        *[("AB", "A/B")],
    ],
)
def test_what_stays_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(any_text)
@example("SLO´s")
@example("-\u0301")
@example("a\u3164\u0301")
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_folding_a_character_twice_changes_nothing() -> None:
    assert [hex(point) for point in range(0x30000) if fold(fold(chr(point))) != fold(chr(point))] == []


def test_a_chinese_character_stays_one_chinese_character() -> None:
    characters = [chr(point) for point in range(0x40000) if has_han(chr(point))]
    assert len(characters) > 150_000
    assert [character for character in characters if not re.fullmatch(f"[{HAN}]", fold(character))] == []


@given(
    st.text(
        st.one_of(
            st.sampled_from("量化處後麼龍〇ａＢ-_ 、。\u200b\u0301\ufe0f\ud800x1"),
            st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
        )
    )
)
def test_chinese_characters_stay_in_number_and_order(text: str) -> None:
    chinese = [character for character in text if has_han(character)]
    assert [character for character in fold(text) if has_han(character)] == [fold(character) for character in chinese]


@given(st.text(st.characters(max_codepoint=0x7F)))
def test_the_short_way_for_ascii_says_what_the_long_one_says(text: str) -> None:
    assert fold(text) == fold(f"量{text}").removeprefix("量").strip()


@given(any_text)
def test_nothing_is_left_that_can_not_be_seen_or_separates_twice(text: str) -> None:
    folded = fold(text)
    assert visible(folded) == folded
    assert "  " not in folded
    assert folded == folded.strip()


@given(any_text)
def test_case_and_width_do_not_matter(text: str) -> None:
    plain = "".join(character for character in text if "!" <= character <= "~" or character == " ")
    wide = "".join("\u3000" if character == " " else chr(ord(character) + 0xFEE0) for character in plain)
    assert fold(wide) == fold(plain) == fold(plain.swapcase())


@pytest.mark.parametrize(
    ("folded", "squashed"),
    [
        ("a/b testing", "abtesting"),
        ("kv cache", "kvcache"),
        ("prefill / decode", "prefilldecode"),
        ("n:m sparsity", "nmsparsity"),
        ("v.s.", "vs"),
        ("key·value (cache)", "keyvaluecache"),
        ("slo's", "slos"),
        ("c++", "c"),
        (".engine", ".engine"),
        ("engine", "engine"),
        ("逐 token 生成", "逐token生成"),
        ("", ""),
    ],
)
def test_squash(folded: str, squashed: str) -> None:
    assert squash(folded) == squashed


@given(any_text)
def test_squashing_twice_changes_nothing_and_leaves_chinese_alone(text: str) -> None:
    squashed = squash(fold(text))
    assert squash(squashed) == squashed
    assert [c for c in squashed if has_han(c)] == [c for c in fold(text) if has_han(c)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("量", True), ("a量b", True), ("〇", True), ("\u3400", True), ("\U00020000", True), ("\uf900", True)],
        *[("", False), ("SLO", False), ("カタ", False), ("한국", False), ("。、", False), ("\u3000", False)],
        *[("㊗", False)],
    ],
)
def test_has_han(text: str, expected: bool) -> None:
    assert has_han(text) is expected


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        *[("S\u200bLO", "SLO"), ("a b\tc\n", "a b\tc\n"), ("量\u3000化", "量\u3000化"), ("\x1b[31m", "[31m")],
        *[("😀", "😀"), ("\udc00", "")],
    ],
)
def test_visible_keeps_what_can_be_seen_and_all_spaces(text: str, seen: str) -> None:
    assert visible(text) == seen
