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
    """See `computed`."""
    megabytes: float
    """Of memory that is resident."""
    descriptors: int
    """Open files and sockets."""


def usage(pid: int) -> Usage:
    """FileNotFoundError: there's no such process, or this isn't Linux."""
    process = Path("/proc") / str(pid)
    resident = int((process / "statm").read_text().split()[1]) * _PAGE / 1e6
    return Usage(computed(pid), resident, len(list((process / "fd").iterdir())))


def computed(*pids: int) -> float:
    """Seconds of computing of processes, since their start; counted in hundredths."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(each[11]) + int(each[12]) for each in fields) / _TICKS


def family(pid: int) -> list[int]:
    """A process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
