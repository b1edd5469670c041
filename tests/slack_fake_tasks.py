"""Whether the app is at work: which of its tasks wait for something else than they do when idle."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).parent.parent
_OURS: Final = (str(_ROOT / "adapters"), str(_ROOT / "bot"), "/slack_bolt/")
"""Code that answers, as parts of paths."""


class Tasks:
    """The tasks of the loop that have code of the app on their stack."""

    def __init__(self) -> None:
        self._idle: dict[asyncio.Task[Any], tuple[tuple[str, int], ...]] = {}

    def at_rest(self) -> None:
        """Where the tasks stand now is where they stand when there's nothing to do."""
        self._idle = {task: _stack(task) for task in asyncio.all_tasks()}

    def busy(self) -> str:
        """What is at work; empty: nothing."""
        found = []
        for task in asyncio.all_tasks():
            stack = _stack(task)
            ours = any(part in file for file, _ in stack for part in _OURS)
            if ours and task is not asyncio.current_task() and self._idle.get(task) != stack:
                found.append(f"{Path(stack[-1][0]).name}:{stack[-1][1]}")
        return f"at work: {found}" if found else ""


def _stack(task: asyncio.Task[Any]) -> tuple[tuple[str, int], ...]:
    """File and line of what a task awaits, outermost first."""
    frames = []
    waits: Any = task.get_coro()
    while waits is not None:
        frame = getattr(waits, "cr_frame", None) or getattr(waits, "gi_frame", None) or getattr(waits, "ag_frame", None)
        if frame is not None:
            frames.append((frame.f_code.co_filename, frame.f_lineno))
        waits = getattr(waits, "cr_await", None) or getattr(waits, "gi_yieldfrom", None)
    return tuple(frames)
