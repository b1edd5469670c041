"""Every error that the project raises on purpose.

    JargonautError
    ├── DataError          the termbase has faults; carries all of them
    ├── SettingsError      an environment variable or option is wrong
    ├── StoreError         what is remembered can't be reached in time
    │   └── RefusedError   … and won't be by waiting: a wrong password, a newer schema
    ├── ConnectError       a platform doesn't let us in, and won't by itself
    └── ButtonError        a button's string isn't one of ours

Anything else that surfaces is a bug; people see a reference number for it, the log has the traceback.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


class JargonautError(Exception):
    """Base of the tree above."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault in a data file, worded for the person who wrote the file.

    `line` and `column` count from 1; 0 means that the whole file is meant.
    """

    file: str
    line: int
    column: int
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.severity}: {self.message}"


class DataError(JargonautError):
    """The termbase can't be used. `problems` lists every fault that was found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class SettingsError(JargonautError):
    """A setting is wrong; the message names it and says what is allowed."""


class StoreError(JargonautError):
    """The store did not answer, or not within the bounded time. The caller goes on without it."""


class RefusedError(StoreError):
    """The store doesn't let us in, and won't by itself. The message says what to do, in one line without secrets."""


class ConnectError(JargonautError):
    """A platform refuses this bot: a wrong token, a missing permission. The message says what to do, in one line."""


class ButtonError(JargonautError):
    """A string that a platform handed back as a button's isn't one that `request.encode` made."""
