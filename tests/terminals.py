"""Terminals: what they act on instead of showing it, and a real one with a process at its other end."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from tests.processes import COMMAND, Jargonaut

_DIRECTIONS: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_MARKS: Final = "\u200e\u200f\u061c"
"""Change directions, but are letters by Unicode's tables."""


def acted_on(shown: str) -> list[str]:
    """The characters that a terminal acts on, line breaks and tabs aside; lone surrogates, which it can't get, too.

    By Unicode's own tables, and not by those of the code under test.
    """
    return [character for character in shown if character not in "\n\t" and _acts(character)]


def _acts(character: str) -> bool:
    if unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}:
        return True
    return character in _MARKS or unicodedata.bidirectional(character) in _DIRECTIONS


SECONDS: Final = 60
"""For the whole life of a process, on a busy machine."""

PROMPT: Final = "<prompt>"
"""Stands in what is read where the prompt begins to listen."""

_LISTENING: Final = b"\x1b[?2004h"
"""Whenever it begins to listen, prompt_toolkit asks for pastes in brackets."""

_ESCAPES: Final = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[=>()][A-Z0-9]?)")


class Terminal:
    """Somebody at a terminal: reads what a process writes, and types."""

    def __init__(self, end: int, process: subprocess.Popen[bytes]) -> None:
        self._end = end
        self._process = process
        self._deadline = monotonic() + SECONDS
        self._unread = b""

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def read_until(self, expected: str) -> None:
        """Reads on until the text was seen, or fails with what was seen instead."""
        while expected.encode() not in (seen := self._seen()):
            more = self._read()
            assert more, f"the end, or no time left, before {expected!r} in {seen.decode(errors='replace')!r}"
            self._unread += more
        self._unread = seen.split(expected.encode(), 1)[1]

    def end(self) -> int:
        """The exit code of the process, which is expected to end by itself."""
        while self._read():
            pass
        return self._process.wait(timeout=max(0.0, self._deadline - monotonic()))

    def _seen(self) -> bytes:
        return _ESCAPES.sub(b"", self._unread.replace(_LISTENING, PROMPT.encode()))

    def _read(self) -> bytes:
        """Empty: nobody has the other end any more, or the time is over."""
        ready, _, _ = select.select([self._end], [], [], max(0.0, self._deadline - monotonic()))
        try:
            return os.read(self._end, 65536) if ready else b""
        except OSError:  # how Linux says that the other end is closed
            return b""


@contextmanager
def at_a_terminal(jargonaut: Jargonaut, *arguments: str, **more: str) -> Iterator[Terminal]:
    """The command at a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=jargonaut.home,
        # Nobody answers here when prompt_toolkit asks where the cursor is.
        env=jargonaut.environment(TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1", **more),
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(ours, process)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
