"""What the benchmarks share: interleaved rounds, medians, and a table that says whether the goals are met."""

from __future__ import annotations

import gc
import statistics
import sys
from collections.abc import Callable, Mapping
from time import process_time

ROUNDS = 11


def interleaved(
    contestants: Mapping[str, Callable[[], object]],
    *,
    rounds: int = ROUNDS,
    clock: Callable[[], float] = process_time,
) -> dict[str, float]:
    """Median seconds of one call of each contestant.

    They take turns within every round, so that a machine that gets slower meanwhile is slower for all. The first turn
    of each is not counted: it fills caches. `clock` is by default the time that this process computes, whatever else
    runs on the machine; what waits for other processes needs `perf_counter`.
    """
    assert rounds >= 5, "a median of fewer rounds says little"
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for call in contestants.values():
        call()
    for _ in range(rounds):
        for name, call in contestants.items():
            gc.collect()
            start = clock()
            call()
            times[name].append(clock() - start)
    return {name: statistics.median(measured) for name, measured in times.items()}


class Report:
    """Figures beside their goals, printed as they come. `done` ends the process: 0, or 1 if a goal was missed."""

    def __init__(self, title: str) -> None:
        print(f"\n{title}, Python {sys.version.split()[0]}\n")
        self._missed = 0

    def at_most(self, what: str, figure: float, goal: float, unit: str = "x") -> None:
        self._row(what, f"{figure:.2f} {unit}", f"<= {goal:g} {unit}", met=figure <= goal)

    def at_least(self, what: str, figure: float, goal: float, unit: str = "x") -> None:
        self._row(what, f"{figure:.3f} {unit}", f">= {goal:.3f} {unit}", met=figure >= goal)

    def note(self, what: str, figure: str) -> None:
        """A figure without a goal."""
        print(f"  {what:<58}{figure:>12}")

    def done(self) -> None:
        print(f"\n  {self._missed} goal(s) missed" if self._missed else "\n  all goals met")
        sys.exit(1 if self._missed else 0)

    def _row(self, what: str, figure: str, goal: str, *, met: bool) -> None:
        self._missed += not met
        print(f"  {what:<58}{figure:>12}{goal:>14}  {'ok' if met else 'MISSED'}")
