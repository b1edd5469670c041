"""The start: a whole process that answers one line of `jargonaut chat --json`, with a database that is up to date."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from _timing import Report, interleaved

ROOT: Final = Path(__file__).parent.parent
GOAL_SECONDS: Final = 1.0
LINE: Final = "/define ttft\n"
NOT_NEEDED: Final = ("pypinyin", "alembic")
"""Slow to import, and of no use to a look-up of an exact label in a database that is up to date."""


def run(*arguments: str, environment: dict[str, str], given: str = "") -> subprocess.CompletedProcess[str]:
    """A Python process from start to end. CalledProcessError: it failed."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )


def imported(importtime: str) -> set[str]:
    """Top-level packages in the output of `python -X importtime`."""
    lines = (line.rsplit("|", 1) for line in importtime.splitlines() if line.startswith("import time:"))
    return {parts[-1].strip().split(".")[0] for parts in lines}


def main() -> None:
    report = Report("start: one line of `chat --json`, whole processes")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/jargonaut.sqlite"}
        chat = ("-m", "adapters", "chat", "--json")
        answer = json.loads(run(*chat, environment=environment, given=LINE).stdout)  # this one makes the database
        assert answer["concepts"] == ["ttft"], answer
        times = interleaved(
            {
                "bare": lambda: run("-c", "pass", environment=environment),
                "chat": lambda: run(*chat, environment=environment, given=LINE),
            },
            clock=perf_counter,
        )
        seen = imported(run("-X", "importtime", *chat, environment=environment, given=LINE).stderr)
    assert "rapidfuzz" in seen, "the list of imports couldn't be read"
    report.note("python -c pass", f"{times['bare'] * 1000:.0f} ms")
    report.note("chat against python -c pass", f"{times['chat'] / times['bare']:.1f} x")
    report.at_most("one line of chat --json", times["chat"], GOAL_SECONDS, "s")
    for package in NOT_NEEDED:
        report.at_most(f"{package} imported on the way (0 = no)", float(package in seen), 0, "")
    report.done()


if __name__ == "__main__":
    main()
