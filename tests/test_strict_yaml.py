from __future__ import annotations

import subprocess
import sys

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import Problem
from bot.glossary.strict_yaml import MOST_BYTES, MOST_PROBLEMS, Document, Place, name_of, read


def document(text: str) -> Document:
    return read(text.encode(), "f.yaml", comment_may_follow={"id", "related"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: text", {"a": "text"}, id="text"),
        pytest.param("a: 3", {"a": 3}, id="whole number"),
        pytest.param("a: [true, false]", {"a": [True, False]}, id="true and false"),
        pytest.param("a: ['NO', \"1.10\", 'null']", {"a": ["NO", "1.10", "null"]}, id="quoted traps"),
        pytest.param("a: {b: {c: d}}", {"a": {"b": {"c": "d"}}}, id="nested"),
        pytest.param("", None, id="empty file"),
        pytest.param("# only a comment\n", None, id="only a comment"),
        pytest.param("---\na: b\n", {"a": "b"}, id="one document with its line"),
        pytest.param("\ufeffa: b", {"a": "b"}, id="byte order mark at the start"),
        pytest.param("a: b\r\nc: d\r\n", {"a": "b", "c": "d"}, id="Windows line ends"),
        pytest.param("zh: 定义：一种方法", {"zh": "定义：一种方法"}, id="full-width colon"),
        pytest.param("a: 2:4 sparsity", {"a": "2:4 sparsity"}, id="no number"),
        pytest.param("reviewed: 2026-11", {"reviewed": "2026-11"}, id="month"),
        pytest.param("id: x # why\nrelated: [a, b] # why", {"id": "x", "related": ["a", "b"]}, id="comment after ids"),
        pytest.param("a: 3 # why", {"a": 3}, id="comment after a number"),
        pytest.param("a: 'C # note' # why", {"a": "C # note"}, id="comment after quotes"),
        pytest.param("a: C#", {"a": "C#"}, id="no comment"),
        pytest.param("a: |\n  one\n  two\n", {"a": "one\ntwo"}, id="block without its last line end"),
        pytest.param("a: >\n  one\n  two\n", {"a": "one two"}, id="folded block"),
        pytest.param("a: >-\n  写，\n  再写\n  GPU\n  的事\n", {"a": "写，再写 GPU 的事"}, id="folded Chinese"),
        pytest.param("a: 用中文\n  写\n", {"a": "用中文写"}, id="Chinese over two lines"),
        pytest.param("a: 用 GPU 写 字", {"a": "用 GPU 写 字"}, id="spaces on one line stay"),
    ],
)  # fmt: skip
def test_reads(text: str, value: object) -> None:
    assert document(text) == Document("f.yaml", value, (), True, document(text).values, document(text).keys)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("NO", "false"),
        ("off", "false"),
        ("yes", "true"),
        ("On", "true"),
        ("TRUE", "true"),
        ("null", "nothing"),
        ("~", "nothing"),
        ("010", "the number 8"),
        ("0x1F", "the number 31"),
        ("16:9", "the number 969"),
        ("1:30", "the number 90"),
        ("1_000", "the number 1000"),
        ("1.10", "the number 1.1"),
        ("-1", "the number -1"),
        (".inf", "the number inf"),
        ("08", "a number"),
        ("1e3", "a number"),
        ("0o17", "a number"),
        ("9" * 5000, "a number"),
        ("2024-01-02", "the date 2024-01-02"),
        ("2024-13-45", "a number or a date"),
        ("=", "something special"),
    ],
)
@pytest.mark.parametrize("form", ["a: {}", "a: [{}]", "- a: {}"], ids=["value", "item", "in a list"])
def test_refuses_what_only_looks_like_text(written: str, read_as: str, form: str) -> None:
    (problem,) = document(form.format(written)).problems
    assert "`a` is " in problem.message
    assert f"YAML reads as {read_as}" in problem.message
    assert "quotes" in problem.message


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        pytest.param("b: x\nNO: Norway", 2, 1, "the key NO as false: put it in quotes", id="boolean as key"),
        pytest.param("a: x\nen:\nb: y", 2, 1, "nothing stands after `en:`", id="empty value"),
        pytest.param("a:\n  -\n  - b", 2, 4, "an empty item in `a`", id="empty item"),
        pytest.param("a: 1\nb: 2\na: 3", 3, 1, "`a` stands here a second time, first in line 1", id="duplicate key"),
        pytest.param("a: C # note", 1, 5, 'the text of `a` ends here, at " #"', id="comment cuts text"),
        pytest.param("a: [x, y #z\n ]", 1, 9, 'the text of `a` ends here, at " #"', id="comment cuts item"),
        pytest.param("a: &amp is", 1, 4, "YAML takes &amp for an anchor", id="anchor"),
        pytest.param("a: &amp NO", 1, 4, "YAML takes &amp for an anchor", id="anchor before a boolean"),
        pytest.param("a: *amp", 1, 4, "refers to an anchor", id="alias"),
        pytest.param("<<: {a: b}", 1, 1, "merge keys", id="merge key"),
        pytest.param("a: !custom x", 1, 4, "is a YAML tag", id="tag"),
        pytest.param('a: !!python/object/apply:os.system ["id"]', 1, 4, "is a YAML tag", id="Python tag"),
        pytest.param("a: !!str 8", 1, 4, "is a YAML tag", id="standard tag"),
        pytest.param("? [a]\n: b", 1, 3, "a key must be a word", id="list as key"),
        pytest.param('"\\e[31mred": x', 1, 1, "the key holds a character that can't be seen", id="escape code as key"),
        pytest.param("a:\n\tb: c", 2, 1, "indented with a tab", id="tab"),
        pytest.param("a:\n  \tb: c", 2, 3, "indented with a tab", id="tab after spaces"),
        pytest.param("zh: 定义: 一种", 1, 7, '": " in the middle of a text', id="colon in text"),
        pytest.param("a: `vllm serve` starts it", 1, 4, "` begins a text", id="backtick"),
        pytest.param("a: @mention", 1, 4, "@ begins a text", id="at sign"),
        pytest.param("a: %x", 1, 4, "% begins a text", id="percent"),
        pytest.param("a: b\n%x: c", 2, 3, "quotes", id="percent first in a line"),
        pytest.param("a: - b", 1, 4, '"- " here looks like a list', id="hyphen"),
        pytest.param("a: ? b", 1, 4, '"? " needs quotes', id="question mark"),
        pytest.param("a: ]", 1, 4, "can't begin with this sign", id="bracket"),
        pytest.param("a: {b: c", 1, 4, "opened here and never closed", id="open brace"),
        pytest.param("a: [b\nc: d", 1, 4, "opened here and never closed", id="open bracket"),
        pytest.param("b: x\na: 'y", 2, 4, "quotation mark is opened here", id="open quotation mark"),
        pytest.param('a: "\\q"', 1, 5, "a backslash", id="escape"),
        pytest.param("a: > text", 1, 6, "begins on the next line", id="block on its first line"),
        pytest.param("a: 'b' c", 1, 8, "quote whole texts", id="text after quotes"),
        pytest.param("a:\n  b: c\n d: e", 3, 2, "indentation", id="dedent"),
        pytest.param("  a: b\nc: d", 2, 1, "indentation", id="dedent to the start"),
        pytest.param("a: b\nc\n", 2, 1, "neither `key: text`", id="line without a key"),
        pytest.param("a: b\n---\nc: d", 2, 1, "a second document", id="two documents"),
        pytest.param("a: b\x07c", 1, 5, "U+0007", id="control character"),
        pytest.param("a: b\u2028c", 1, 5, "U+2028", id="line separator"),
        pytest.param("[" * 30, 1, 22, "nested more than 20 deep", id="deep"),
    ],
)
def test_refuses(text: str, line: int, column: int, words: str) -> None:
    problems = document(text).problems
    assert [(problem.line, problem.column) for problem in problems] == [(line, column)], problems
    assert words in problems[0].message


def test_other_encodings() -> None:
    (problem,) = read("a: b\nc: 推理".encode("gbk"), "f.yaml").problems
    assert (problem.line, problem.column) == (2, 4)
    assert "UTF-8" in problem.message


def test_too_large() -> None:
    found = read(b"a" * (MOST_BYTES + 1), "f.yaml")
    assert "5 MB" in found.problems[0].message
    assert found.value is None


def test_reading_goes_on_after_a_problem() -> None:
    found = document("a: yes\nb: &c d\ne: [null, f]\na: g\n")
    assert [problem.line for problem in found.problems] == [1, 2, 3, 4]
    assert found.value == {"a": "yes", "b": "d", "e": ["null", "f"]}
    assert found.complete


def test_what_stood_before_a_syntax_error_is_reported() -> None:
    found = document("a: yes\nb: c: d\n")
    assert [problem.line for problem in found.problems] == [1, 2]
    assert not found.complete


def test_places() -> None:
    found = document("a:\n  - b: text\n    c: >-\n      block\n")
    assert found.place(("a", 0, "b")) == Place(2, 8)
    assert found.key_place(("a", 0, "b")) == Place(2, 5)
    assert found.place(("a", 0, "nowhere", 3)) == found.place(("a", 0)) == Place(2, 5)
    assert found.key_place(("a", 0)) == Place(2, 5)
    assert document("").place(("a",)) == Place(0, 0)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("a",), "a"),
        (("concepts", 0, "en", "summary"), "en.summary"),
        (("concepts", 0, "en", "alt_labels", 2), "en.alt_labels"),
        (("concepts", 0), "concepts"),
        ((0,), ""),
    ],
)
def test_name_of(path: tuple[str | int, ...], name: str) -> None:
    assert name_of(path) == name


_BOMB = "a: &a [x,x]\n" + "".join(
    f"{b}: &{b} [*{a},*{a},*{a},*{a},*{a},*{a},*{a}]\n" for a, b in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(_BOMB, id="aliases"),
        pytest.param("a: &a [*a]", id="an anchor within itself"),
        pytest.param("[" * 4_000_000, id="lists in lists"),
        pytest.param("{a: " * 1_000_000, id="keys in keys"),
        pytest.param("- " * 2_000_000, id="lists in lists on one line"),
        pytest.param("? " * 2_000_000, id="keys in keys on one line"),
        pytest.param("[*a" + ",*a" * 1_000_000 + "]", id="very many faults"),
        pytest.param("\tx\n" * 1_000_000, id="very many tabs"),
        pytest.param("[[]" + ",[]" * 1_500_000 + "]", id="very many values"),
    ],
)  # fmt: skip
def test_bombs(text: str) -> None:
    """In a process of its own with little memory: whatever grows would be killed there."""
    script = (
        "import resource, sys\n"
        "from bot.glossary.strict_yaml import read\n"
        "data = sys.stdin.buffer.read()\n"
        "used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (5, 5))\n"
        "found = read(data, 'f.yaml')\n"
        "grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - used\n"
        "print(len(found.problems), grown)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], input=text.encode(), capture_output=True, check=True)
    problems, grown = map(int, ended.stdout.split())
    assert 1 <= problems <= MOST_PROBLEMS + 1
    assert grown < 150_000_000


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
SHOWN = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co", "Cf", "Zl", "Zp"]), max_size=60)


@settings(deadline=None)
@given(st.one_of(TEXT, st.text("a: -[]{}#&*!|>'\"%@`\n\t,?<~=01\\", max_size=60)))
def test_any_text_gives_a_value_or_problems(text: str) -> None:
    found = document(text)
    assert all(isinstance(problem, Problem) and problem.message for problem in found.problems)
    assert found.complete or found.problems
    lines = text.count("\n") + text.count("\r") + 1
    assert all(problem.line <= lines for problem in found.problems)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_give_a_value_or_problems(data: bytes) -> None:
    found = read(data, "f.yaml")
    assert found.complete or found.problems


@settings(deadline=None)
@given(
    st.recursive(
        st.one_of(SHOWN, st.booleans(), st.integers(0, 999_999)),
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(SHOWN, inner, max_size=4)),
        max_leaves=12,
    ),
    st.booleans(),
)
def test_what_is_dumped_comes_back(value: object, flow: bool) -> None:
    dumped = yaml.safe_dump(value, allow_unicode=True, width=float("inf"), default_flow_style=flow)
    if isinstance(value, (str, bool, int)):
        dumped = dumped.removesuffix("...\n")
    found = read(dumped.encode(), "f.yaml")
    if not found.problems:
        assert found.value == value
    else:  # the dumper writes YAML 1.1, where 08 is text
        assert all("reads as a number:" in p.message or "the key" in p.message for p in found.problems), found.problems
