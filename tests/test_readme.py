"""The generated parts of both READMEs: transcript and commands. `python tests/test_readme.py --write` renews them."""

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
from bot.bot import Bot, fixed  # noqa: E402
from bot.commands.names import COMMANDS  # noqa: E402
from bot.glossary.concept import Language  # noqa: E402
from bot.glossary.yaml_files import Loaded, load, shipped  # noqa: E402
from bot.state.memory import MemoryStore  # noqa: E402

READMES: dict[str, Language] = {"README.md": "en", "README.zh-CN.md": "zh-Hans"}
LINES = ("/define 连续批处理", "!vs slo sla", "@jargonaut what is a KV cahce?")


def transcript(loaded: Loaded) -> str:
    """The lines and their answers, as a pipe gets them, cut after the first lines of a long answer."""

    async def talk(line: str) -> str:
        out = StringIO()
        bot = Bot(fixed(loaded.glossary), loaded.phrases, MemoryStore())
        await piped(Session(bot, "lena"), loaded.phrases, StringIO(f"{line}\n"), out)
        return out.getvalue().strip()

    talks = [f"> {line}\n{asyncio.run(talk(line))}" for line in LINES]
    return "```text\n" + "\n\n".join(talks) + "\n```"


def commands(loaded: Loaded, language: Language) -> str:
    head = {"en": "| type | in Chinese | what it does |", "zh-Hans": "| 输入 | 中文说法 | 作用 |"}[language]
    rows = [
        f"| `/{command.usage.replace('|', chr(92) + '|')}` | {' '.join(command.words)} | "
        f"{loaded.phrases.say(f'help.{command.name}', language)} |"
        for command in COMMANDS
    ]
    return "\n".join([head, "|---|---|---|", *rows])


def renewed(text: str, loaded: Loaded, language: Language) -> str:
    for name, content in (("transcript", transcript(loaded)), ("commands", commands(loaded, language))):
        block = f"<!-- {name} -->\n{content}\n<!-- /{name} -->"
        text, count = re.subn(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _, new=block: new, text, flags=re.DOTALL)
        assert count == 1, f"no place for the {name}"
    return text


@pytest.mark.parametrize("name", READMES)
def test_generated_parts_are_true(name: str, loaded: Loaded) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text == renewed(text, loaded, READMES[name]), "run: python tests/test_readme.py --write"


@pytest.mark.parametrize("name", READMES)
def test_counts_in_the_text_are_true(name: str, loaded: Loaded) -> None:
    counts = set(
        map(int, re.findall(r"\b(\d+) (?:concepts|authored|个概念|组人工)", (ROOT / name).read_text(encoding="utf-8")))
    )
    assert counts == {len(loaded.glossary.concepts), len(loaded.glossary.comparisons)}


if __name__ == "__main__" and "--write" in sys.argv:
    now = load([shipped()])
    for readme, tongue in READMES.items():
        path = ROOT / readme
        path.write_text(renewed(path.read_text(encoding="utf-8"), now, tongue), encoding="utf-8")
