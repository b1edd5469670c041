"""What is slow to make of a glossary, made off the loop: its detector, and the indexes of unusual look-ups."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.glossary.detector import Detector
from bot.glossary.glossary import Glossary

WARM_SECONDS: Final = 1.0
"""So long a request waits for indexes that are being made."""

GLOSSARIES: Final = 2
"""Whose detectors are kept: of the one in use, and of the next one or of the last one, while they change places."""


class Indexes:
    """The detectors of the glossaries in use. One per process."""

    def __init__(self) -> None:
        self._detectors: dict[Glossary, Detector] = {}
        self._warming: asyncio.Task[None] | None = None

    def detector(self, glossary: Glossary) -> Detector:
        """Makes it at the first call, unless it was made before."""
        detector = self._detectors.get(glossary)
        if detector is None:
            detector = Detector(glossary)
            self._keep(glossary, detector)
        return detector

    def made(self, glossary: Glossary) -> Detector | None:
        """The detector, if it was made before."""
        return self._detectors.get(glossary)

    async def warm(self, glossary: Glossary) -> None:
        """Makes the indexes that are slow to make, in a thread.

        Requests that come meanwhile wait for it (`ready`), because they'd make them in the loop.
        """
        self._warming = asyncio.create_task(self.prepare(glossary))
        try:
            await self._warming
        finally:
            self._warming = None

    async def prepare(self, glossary: Glossary) -> None:
        """The same for a glossary that nobody gets yet: requests don't wait for it."""

        def make() -> Detector:
            glossary.warm()
            return Detector(glossary)

        self._keep(glossary, await asyncio.to_thread(make))

    @property
    def pending(self) -> bool:
        """Indexes are being made that requests should wait for."""
        return self._warming is not None

    async def ready(self) -> None:
        """Waits for them, `WARM_SECONDS` at most."""
        if self._warming is not None:
            await asyncio.wait({self._warming}, timeout=WARM_SECONDS)

    def _keep(self, glossary: Glossary, detector: Detector) -> None:
        self._detectors[glossary] = detector
        while len(self._detectors) > GLOSSARIES:
            del self._detectors[next(iter(self._detectors))]
