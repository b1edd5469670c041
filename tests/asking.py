"""One line in, the terminal's JSON out: the way of a script, without the process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from adapters.terminal.chat import as_json
from adapters.terminal.session import Session, read_line
from adapters.terminal.store import ChatStore
from bot.bot import Bot, fixed
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.state.memory import MemoryStore

Ask: TypeAlias = Callable[[str], Awaitable[dict[str, Any]]]


def asker(glossary: Glossary, phrases: Phrases) -> Ask:
    """A chat of somebody who never set anything."""
    session = Session(Bot(fixed(glossary), phrases, ChatStore(MemoryStore())), "somebody", apart=True)

    async def ask(line: str) -> dict[str, Any]:
        return as_json(await session.answer(read_line(line, session.person)))

    return ask
