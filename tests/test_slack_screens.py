"""Answers as they stand on a Slack screen: `tests/slack_screens/*.txt`, compared line by line.

A line that begins with `> ` is a slash command, with `! ` one that all see; what follows is the answer: first the
notification, then the message with `[button]` and `[menu ▾ option]`. `python tests/test_slack_screens.py --write`
renews the answers.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from adapters.slack.blocks import render  # noqa: E402 - the path above comes first
from bot.commands.typed import read  # noqa: E402
from bot.glossary.concept import Language  # noqa: E402
from bot.glossary.yaml_files import load, shipped  # noqa: E402
from bot.state.ports import Channel  # noqa: E402
from tests.desks import Desk  # noqa: E402
from tests.slack_shown import screen  # noqa: E402

SCREENS = sorted((ROOT / "tests/slack_screens").glob("*.txt"))


def renewed(screens: Path, desk: Desk) -> str:
    """The same commands with the answers of today; the file's name is the reader's language."""
    language: Language = "zh-Hans" if screens.stem == "zh" else "en"
    desk = desk.at(language=language, channel=Channel(language=language))
    parts = []
    for line in screens.read_text("utf-8").splitlines():
        if line[:2] not in ("> ", "! "):
            continue
        typed = read("/" + line[2:])
        assert typed is not None
        assert typed.command is not None
        ask = desk.bang if line[0] == "!" else desk.slash
        shown = render(ask(typed.command.name, typed.argument).answer)
        parts.append(f"{line}\n({shown.text})\n{screen(shown.blocks)}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("screens", SCREENS, ids=lambda path: path.stem)
def test_screens_look_as_they_did(screens: Path, desk: Desk) -> None:
    assert renewed(screens, desk) == screens.read_text("utf-8")


def test_there_is_one_for_each_language() -> None:
    assert [path.stem for path in SCREENS] == ["en", "zh"]


if __name__ == "__main__" and "--write" in sys.argv:
    data = load([shipped()])
    for path in SCREENS:
        path.write_text(renewed(path, Desk(data.glossary, data.phrases)), "utf-8")
