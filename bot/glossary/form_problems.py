"""Holds a value of a `Document` against a form, and words what doesn't fit for the person who wrote the file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, Final, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.errors import Problem
from bot.glossary.file_form import Form
from bot.glossary.strict_yaml import Document, Steps, Value, name_of

SomeForm = TypeVar("SomeForm", bound=Form)

_USUAL_MISTAKES: Final[Mapping[str, str]] = {
    "zh": "zh-Hans",
    "cn": "zh-Hans",
    "zh-cn": "zh-Hans",
    "zh_cn": "zh-Hans",
    "zh_hans": "zh-Hans",
    "中文": "zh-Hans",
    "english": "en",
    "en-us": "en",
    "aliases": "alt_labels",
    "synonyms": "alt_labels",
    "term": "pref_label",
    "label": "pref_label",
    "see_also": "related",
    "hidden": "hide",
}


def check(
    document: Document, path: Steps, value: Value, form: type[SomeForm], problems: list[Problem]
) -> SomeForm | None:
    """`value`, which stands at `path` of `document`, as `form`; or None, and what is wrong goes to `problems`."""
    try:
        return form.model_validate(value)
    except ValidationError as error:
        known = {(problem.line, problem.column) for problem in document.problems}
        for details in error.errors(include_url=False, include_context=True):
            problem = _problem(document, path, value, form, details)
            if (problem.line, problem.column) not in known:  # else it is told already what YAML makes of the value
                problems.append(problem)
        return None


def _problem(document: Document, path: Steps, value: Value, form: type[Form], details: ErrorDetails) -> Problem:
    where = (*path, *_steps(value, details["loc"]))
    if details["type"] == "extra_forbidden":
        key = str(where[-1])
        message = f"the key `{key}` isn't known here{_suggestion(key, _form_at(form, details['loc'][:-1]))}"
        return Problem(document.file, *document.key_place(where), message)
    if details["type"] == "missing":
        name = name_of(where[:-1])
        message = f"`{where[-1]}` is missing{f' in `{name}`' if name else ''}"
        if where[-1] == "text":
            message += ' (or is this one text with ": " in it, which needs quotes?)'
        return Problem(document.file, *document.place(where[:-1]), message)
    name = name_of(where)
    return Problem(document.file, *document.place(where), f"`{name}` {_fault(details)}" if name else _fault(details))


def _steps(value: Any, location: tuple[int | str, ...]) -> Steps:
    """`location` without what only names an alternative of the form and leads nowhere in `value`."""
    steps: list[int | str] = []
    for index, step in enumerate(location):
        inside = (isinstance(value, dict) and step in value) or (
            isinstance(value, list) and isinstance(step, int) and step < len(value)
        )
        if inside:
            value = value[step]
            steps.append(step)
        elif isinstance(value, dict) and index == len(location) - 1:
            steps.append(step)  # a missing key
    return tuple(steps)


def _fault(details: ErrorDetails) -> str:
    kind, value, context = details["type"], details["input"], details.get("ctx", {})
    if kind == "data":
        return str(context["message"])
    if kind in ("string_type", "model_type", "model_attributes_type") and isinstance(value, (bool, int)):
        read = str(value).lower() if isinstance(value, bool) else f"the number {value}"
        return f"is {str(value).lower()}, which YAML reads as {read}: put it in quotes"
    if kind == "string_type":
        holds = "a list" if isinstance(value, list) else 'keys (or a text with ": ", which needs quotes)'
        return f"holds {holds} where one text belongs"
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        return "must hold keys and values, `key: text` on each line"
    if kind == "list_type":
        return "must be a list: [one, two], or one item per line after a hyphen"
    if kind == "bool_type":
        return "must be true or false, without quotes"
    if kind == "int_type":
        return "must be a whole number, without quotes"
    if kind in ("greater_than_equal", "less_than_equal"):
        bound = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return f"is {value}: it must be {bound}"
    if kind == "literal_error":
        return f"must be {context['expected']}"
    if kind in ("too_long", "string_too_long"):
        unit = "items" if isinstance(value, list) else "characters"
        return f"has {len(value)} {unit}; at most {context['max_length']} are allowed"
    if kind == "too_short":
        return f"has {context['actual_length']} items; at least {context['min_length']} are needed"
    return details["msg"]


def _suggestion(key: str, form: type[Form]) -> str:
    keys = _keys(form)
    meant = _USUAL_MISTAKES.get(key.lower(), key)
    if meant in keys:
        return f": did you mean `{meant}`?"
    below = [name for name, inner in keys.items() if inner is not None and meant in _keys(inner)]
    if below:
        return f": `{meant}` stands under {' or '.join(f'`{name}`' for name in below)}"
    near = difflib.get_close_matches(key.lower(), keys, 1, 0.7)
    return f": did you mean `{near[0]}`?" if near else f"; known are {', '.join(keys)}"


def _keys(form: type[Form]) -> dict[str, type[Form] | None]:
    """The keys of a form, each with the form of what stands under it."""
    return {field.alias or name: _form_in(field.annotation) for name, field in form.model_fields.items()}


def _form_at(form: type[Form], location: tuple[int | str, ...]) -> type[Form]:
    for step in location:
        form = _keys(form).get(str(step)) or form
    return form


def _form_in(annotation: Any) -> type[Form] | None:
    """The form that an annotation like `list[LabelForm] | None` is about."""
    if isinstance(annotation, type) and issubclass(annotation, Form):
        return annotation
    return next((found for part in get_args(annotation) if (found := _form_in(part)) is not None), None)
