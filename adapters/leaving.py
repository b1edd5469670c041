"""How a command of the command line ends: its exit codes, and a reader who has had enough."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FOUND: Final = 0
NOT_FOUND: Final = 1
REFUSED: Final = 1
USAGE: Final = 2
UNUSABLE: Final = 3


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Whoever reads our output may have had enough, as in `… | head -1`: that is no error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the exit complains once more
