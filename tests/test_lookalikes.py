"""Chinese characters that are taken for each other by the eye."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.glossary.lookalikes import look_alike
from tests.texts import any_character


@pytest.mark.parametrize(
    ("one", "other"),
    [("己", "已"), ("未", "末"), ("人", "入"), ("推", "堆"), ("侧", "测"), ("型", "形"), ("漂", "飘"), ("自", "白")],
)
def test_they_look_alike_from_both_sides(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("量", "化"), ("漂", "迁"), ("静", "动"), ("推", "拉"), ("数", "概"), ("己", "未"), ("a", "o"), ("推", "")],
)
def test_they_do_not(one: str, other: str) -> None:
    assert not look_alike(one, other) or other == ""


@given(any_character, any_character)
def test_any_two_characters_have_an_answer(one: str, other: str) -> None:
    assert look_alike(one, other) is look_alike(other, one)
