"""The table of commands: said once. Typed text, help and the platforms' registrations are derived from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Command:
    """`arguments` as the help shows them; `words` are what it is called in Chinese text. The help is `help.<name>`."""

    name: str
    arguments: str
    example: str
    words: tuple[str, ...] = ()
    takes_text: bool = True
    """In Chinese the text may follow its word without a space (查量化); of a setting it may not (语言模型)."""

    @property
    def usage(self) -> str:
        return f"{self.name} {self.arguments}".strip()


COMMANDS: Final = (
    Command("define", "TERM", "define continuous batching", ("定义", "查", "查询", "释义", "定義", "查詢")),
    Command("vs", "A B [C]", "vs slo sla", ("对比", "比较", "對比", "比較")),
    Command("explain", "TEXT", "explain TTFT got worse since continuous batching", ("解释", "解釋")),
    Command("glossary", "[TOPIC | search WORDS | random]", "glossary search latency", ("术语表", "術語表")),
    Command("lang", "[en | zh | both | auto]", "lang zh", ("语言", "語言"), takes_text=False),
    Command("autoexplain", "[off | threads | all] [en | zh | both] [advanced]", "autoexplain threads"),
    Command("jargonaut", "[settings | known | mute | unmute | privacy | forget | help]", "jargonaut privacy"),
)

BY_WORD: Final = {word: command for command in COMMANDS for word in (command.name, *command.words)}
