"""What a database's failure means: what may be said of it, whether waiting helps, and when to ask again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

PAUSE: Final = 1.0
"""Seconds in which a server that left a call unanswered isn't asked again: an answer has several calls."""

_REFUSALS: Final = {
    "SQLITE_NOTADB": "the file is no SQLite database (SQLITE_NOTADB): name another one in the database URL",
    "28P01": "the database refuses the password: check user and password in the database URL",
    "28000": "the database doesn't let this user in: check the user in the database URL, and the server's pg_hba.conf",
    "3D000": "the server has no database of the name in the database URL: make it with createdb, or name another one",
    "42501": "the database's user may not make tables there: GRANT CREATE ON SCHEMA public TO them, or let them own it",
}
"""SQLite's name of an error, or PostgreSQL's SQLSTATE -> what to do about it."""


def is_of_the_database(error: BaseException) -> bool:
    """Whether an exception is a failure of the database, its driver or the way to it; anything else is a bug.

    UnicodeError: half a surrogate pair. Drivers' own errors, which say an SQLSTATE, come through while connecting.
    """
    return isinstance(error, SQLAlchemyError | OSError | UnicodeError) or hasattr(error, "sqlstate")


def kind(error: BaseException) -> str:
    """The kind of a failure without any value: `OperationalError SQLITE_BUSY`, `IntegrityError 23503`."""
    code = _code(error)
    return f"{type(error).__name__} {code}" if code else type(error).__name__


def refusal(error: BaseException) -> str | None:
    """What somebody has to do first, in one line; None: the failure may end by itself."""
    return _REFUSALS.get(_code(error) or "")


def _code(error: BaseException) -> str | None:
    origin = getattr(error, "orig", None) or error
    return getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None)


class Outage:
    """Whether a database that leaves calls unanswered is worth asking again.

    Each answer to a person has several calls, and each of them would wait.
    """

    def __init__(self, clock: Callable[[], float], patience: float) -> None:
        """`clock`: seconds that never go back. `patience`: seconds that a call may take while others may begin."""
        self._clock = clock
        self._patience = patience
        self._waiting = 0
        self._silent_since = 0.0
        """Where calls wait: since when nothing was answered."""
        self._pause_ends = clock()

    def lasts(self) -> bool:
        now = self._clock()
        return now < self._pause_ends or (self._waiting > 0 and now - self._silent_since >= self._patience)

    def asked(self) -> None:
        """A call begins. It ends with one of the two below."""
        if not self._waiting:
            self._silent_since = self._clock()
        self._waiting += 1

    def answered(self) -> None:
        """A call ended, and be it with an error: somebody is there."""
        self._waiting -= 1
        self._silent_since = self._pause_ends = self._clock()

    def gave_up(self) -> None:
        """Nobody waits any longer for a call."""
        self._waiting -= 1
        now = self._clock()
        if now - self._silent_since >= self._patience:
            self._pause_ends = now + PAUSE
