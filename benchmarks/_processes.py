"""What another process takes of the machine, as Linux tells it in /proc."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Usage:
    seconds: float
    """Of computing, since its start; counted in hundredths."""
    megabytes: float
    """Of memory that is resident."""
    descriptors: int
    """Open files and sockets."""


def usage(pid: int) -> Usage:
    """FileNotFoundError: there's no such process, or this isn't Linux."""
    process = Path("/proc") / str(pid)
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    resident = int((process / "statm").read_text().split()[1]) * _PAGE / 1e6
    return Usage((int(fields[11]) + int(fields[12])) / _TICKS, resident, len(list((process / "fd").iterdir())))


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
