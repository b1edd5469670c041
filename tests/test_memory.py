"""Beyond the contract in test_ports: a test can take the store away, and bring it back."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.errors import StoreError
from bot.request import Person
from bot.state.memory import MemoryStore

ANA = Person("slack", "T1", "U1")


async def test_a_store_that_comes_back_still_knows() -> None:
    store = MemoryStore()
    await store.people.know(ANA, ["slo"])
    store.away = True
    with pytest.raises(StoreError):
        await store.people.get(ANA)
    store.away = False
    assert (await store.people.get(ANA)).known == {"slo"}


@pytest.mark.parametrize("module", ["bot.state.memory", "bot.state.ports"])
def test_importing_it_leaves_sqlalchemy_out(module: str) -> None:
    program = f"import sys, {module}; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
