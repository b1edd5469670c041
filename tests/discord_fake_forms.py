"""The forms of what an app sends to Discord: every limit of its documentation, and no key that isn't in it.

A form collects faults in the tree that Discord answers with (error 50035).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

INVALID_FORM: Final = 50035


class Refused(Exception):
    """A request that Discord refuses: HTTP status, its own code, its message, the tree of faults."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{status} {code}: {message} {errors or ''}".strip())
        self.status, self.code, self.message, self.errors = status, code, message, errors

    def body(self) -> dict[str, Any]:
        return {"message": self.message, "code": self.code} | ({"errors": self.errors} if self.errors else {})


class Form:
    """The faults of one body, each at its path."""

    def __init__(self) -> None:
        self.errors: dict[str, Any] = {}

    def fault(self, path: Collection[str | int], code: str, message: str) -> None:
        node = self.errors
        for step in path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def done(self) -> None:
        """Refused, if anything was at fault."""
        if self.errors:
            raise Refused(400, INVALID_FORM, "Invalid Form Body", self.errors)

    def keys(self, path: list[str | int], value: Any, allowed: Collection[str], needed: Collection[str] = ()) -> bool:
        """Whether it's an object; what it may have and must have."""
        if not isinstance(value, dict):
            self.fault(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return False
        for key in value.keys() - set(allowed):
            self.fault([*path, key], "UNKNOWN_KEY", f"Discord doesn't know {key!r} here")
        for key in needed:
            if value.get(key) is None:
                self.fault([*path, key], "BASE_TYPE_REQUIRED", "This field is required")
        return True

    def text(self, path: list[str | int], value: Any, low: int, high: int, pattern: str = "") -> None:
        """A string of so many characters, without the space around it where Discord takes that off; None: absent."""
        if value is None:
            return
        if not isinstance(value, str):
            self.fault(path, "STRING_TYPE_CONVERT", "Could not interpret the value as string.")
        elif not low <= len(value) <= high or (low and not value.strip()):
            self.fault(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        elif pattern and not re.fullmatch(pattern, value):
            self.fault(path, "STRING_TYPE_REGEX", "String value did not match validation regex.")

    def number(self, path: list[str | int], value: Any, low: float, high: float) -> None:
        if value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(path, "NUMBER_TYPE_COERCE", f"Value {value!r} is not int.")
        elif not low <= value <= high:
            self.fault(path, "NUMBER_TYPE_MAX", f"int value should be between {low} and {high}.")

    def flag(self, path: list[str | int], value: Any) -> None:
        if value is not None and not isinstance(value, bool):
            self.fault(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")

    def choice(self, path: list[str | int], value: Any, allowed: Collection[Any]) -> None:
        if value is not None and (value not in allowed or isinstance(value, bool)):
            self.fault(path, "BASE_TYPE_CHOICES", f"Value must be one of {tuple(allowed)}.")

    def items(self, path: list[str | int], value: Any, low: int, high: int) -> list[Any]:
        if value is None:
            value = []
        if not isinstance(value, list):
            self.fault(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not low <= len(value) <= high:
            self.fault(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        return value


# https://docs.discord.com/developers/reference#locales
LOCALES: Final = frozenset(
    "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja"
    " zh-TW ko".split()
)


def check_localized(path: list[str | int], value: Any, form: Form, high: int, pattern: str = "") -> None:
    if value is None or not form.keys(path, value, value if isinstance(value, dict) else ()):
        return
    for locale, text in value.items():
        form.choice([*path, locale], locale, LOCALES)
        form.text([*path, locale], text, 1, high, pattern)
