"""Many labels as one long text, a line each: looking through it is one call, and not one for each label."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate


class Lines:
    """`texts` are numbered as they come, and have no line ends in them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._text = "\n".join(["", *texts, ""])
        self._starts = list(accumulate((len(text) + 1 for text in texts), initial=0))

    def beginning(self, part: str) -> Iterator[int]:
        """Numbers of the texts that begin with `part`, in order."""
        return self._with(f"\n{part}")

    def containing(self, part: str) -> Iterator[int]:
        """Numbers of the texts that have `part` in them, in order, each once."""
        return self._with(part)

    def _with(self, part: str) -> Iterator[int]:
        at = self._text.find(part)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            yield number
            at = self._text.find(part, self._starts[number + 1])
