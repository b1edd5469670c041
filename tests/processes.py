"""`jargonaut` as a process of its own: a clean environment, and a home that no other test has."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import bot

ROOT: Final = Path(str(bot.__file__)).parents[1]
COMMAND: Final = (sys.executable, "-m", "adapters")


@dataclass(frozen=True, slots=True)
class Ended:
    """What a process left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass(frozen=True, slots=True)
class Jargonaut:
    """Runs the command. `home` is the working directory too, so that no `.env` of the checkout is read."""

    home: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        return self.home / "state" / "jargonaut" / "jargonaut.sqlite"

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "PYTHONPATH": str(ROOT),
            **self.variables,
            **more,
        }

    def __call__(self, *arguments: str, typed: str | bytes = b"", **more: str) -> Ended:
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=typed.encode() if isinstance(typed, str) else typed,
            capture_output=True,
            cwd=self.home,
            env=self.environment(**more),
            timeout=60,
            check=False,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
