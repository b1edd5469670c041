"""What happens to one message is dealt with in order: an edit waits for the answer that it may change."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class Turns:
    """One per process; of another replica's answers an edit finds what the store says."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    def of(self, channel: str, message: str) -> asyncio.Lock:
        """To be held with `async with` while something is done about a message. Whoever asks first, comes first."""
        key = (channel, message)
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()  # it's kept by those who hold it or wait for it
        return lock
