"""A reader who has had enough is no error."""

from __future__ import annotations

import subprocess
import sys

from tests.processes import ROOT

PROGRAM = """
import sys
from adapters.leaving import reader_may_leave
with reader_may_leave():
    for number in range(100_000):
        print(number)
sys.exit(7)
"""


def test_who_reads_one_line_and_leaves_sees_no_complaint() -> None:
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert program.stdout.readline() == "0\n"
        program.stdout.close()
        assert program.stderr.read() == ""
        assert program.wait() == 7
