"""Errors carry what a person needs, and the tree in the docstring is the real one."""

from __future__ import annotations

import re

import pytest

from bot import errors
from bot.errors import DataError, JargonautError, Problem


def test_the_tree_in_the_docstring_is_the_real_one() -> None:
    drawn = re.findall(r"^[ │]+(?:[├└]── )?(\w+Error)\b", errors.__doc__ or "", re.MULTILINE)
    real = [name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)]
    assert sorted(drawn) == sorted(real)
    assert drawn[0] == "JargonautError"
    assert all(issubclass(vars(errors)[name], JargonautError) for name in real)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (Problem("a.yaml", 3, 5, "no such concept"), "a.yaml:3:5: error: no such concept"),
        (Problem("a.yaml", 0, 0, "is not UTF-8"), "a.yaml: error: is not UTF-8"),
        (Problem("a.yaml", 7, 1, "looks odd", "warning"), "a.yaml:7:1: warning: looks odd"),
    ],
    ids=["line", "whole-file", "warning"],
)
def test_a_problem_says_where(problem: Problem, said: str) -> None:
    assert str(problem) == said


def test_all_problems_are_told() -> None:
    problems = [Problem("b.yaml", 10, 1, "one"), Problem("a.yaml", 2, 1, "two")]
    error = DataError(problems)
    assert error.problems == tuple(problems)
    assert str(error).splitlines() == [str(problem) for problem in problems]


def test_problems_sort_by_file_and_line() -> None:
    places = [("b.yaml", 1, 1), ("a.yaml", 10, 1), ("a.yaml", 2, 9), ("a.yaml", 2, 1)]
    problems = sorted(Problem(file, line, column, "") for file, line, column in places)
    assert [(p.file, p.line, p.column) for p in problems] == sorted(places)
