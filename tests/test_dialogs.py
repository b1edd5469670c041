"""Whole conversations as the reader sees them: `tests/dialogs/*.txt`, compared line by line.

A line that begins with `> ` is typed, and a number presses a button; what follows is the answer. `# locale: …` sets the
platform's language, other lines with `#` are remarks. `python tests/test_dialogs.py --write` renews the answers; to add
a conversation, write down what is typed in it and do the same.
"""

from __future__ import annotations

import asyncio
import re
import sys
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from adapters.terminal.chat import piped  # noqa: E402 - the path above comes first
from adapters.terminal.session import Session  # noqa: E402
from adapters.terminal.store import ChatStore  # noqa: E402
from bot.bot import Bot, fixed  # noqa: E402
from bot.glossary.concept import LANGUAGES  # noqa: E402
from bot.glossary.yaml_files import Loaded, load, shipped  # noqa: E402
from bot.state.memory import MemoryStore  # noqa: E402

DIALOGS = sorted((ROOT / "tests/dialogs").glob("*.txt"))


def renewed(dialog: str, loaded: Loaded) -> str:
    """The same remarks and typed lines, with the answers of today. One person's conversation, from the beginning."""
    named = re.search(r"^# locale: (\S+)$", dialog, re.MULTILINE)
    locale = next((language for language in LANGUAGES if named and named[1] == language), None)
    assert bool(named) == bool(locale), "no such locale"
    bot = Bot(fixed(loaded.glossary), loaded.phrases, ChatStore(MemoryStore()))
    session = Session(bot, "lena", locale)

    async def talk() -> list[str]:
        parts: list[str] = []
        for line in dialog.splitlines():
            if line.startswith("#"):
                parts.append(line)
            elif line.startswith("> "):
                out = StringIO()
                await piped(session, loaded.phrases, StringIO(line[2:] + "\n"), out)
                assert not re.search(r"\(ref |编号 ", out.getvalue()), f"a bug: {line}"
                parts.append(f"{line}\n{out.getvalue()}".rstrip("\n") + "\n")
        await bot.close()
        return parts

    return "\n".join(asyncio.run(talk()))


@pytest.mark.parametrize("file", DIALOGS, ids=lambda file: file.stem)
def test_a_conversation_goes_as_written(file: Path, loaded: Loaded) -> None:
    text = file.read_text(encoding="utf-8")
    assert text == renewed(text, loaded), "if that's what it should say: python tests/test_dialogs.py --write"


def test_every_kind_of_answer_is_in_one_of_them_in_both_languages() -> None:
    stems = {file.stem for file in DIALOGS}
    kinds = {"definition", "typo", "choice", "vs", "unknown", "lang", "glossary", "panel", "mention", "note", "explain"}
    assert stems == {f"{kind}_{language}" for kind in kinds for language in ("en", "zh")}


def test_a_wrong_answer_is_noticed(loaded: Loaded) -> None:
    text = "> /define slo\nSomething else.\n"
    assert renewed(text, loaded) != text
    assert renewed(text, loaded).startswith("> /define slo\nSLO\n")


if __name__ == "__main__" and "--write" in sys.argv:
    now = load([shipped()])
    for path in DIALOGS:
        path.write_text(renewed(path.read_text(encoding="utf-8"), now), encoding="utf-8")
