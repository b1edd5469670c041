"""Logs of `jargonaut run`, as a process of its own writes them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.processes import ROOT

_SCRIPT = """
import logging, sys
from adapters.operations.logs import set_up
import structlog
set_up({level!r}, sys.stderr)
{script}
"""


def lines(script: str, level: str = "INFO") -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT.format(level=level, script=script)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=60,
    )
    assert done.stdout == ""
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_one_line_of_json_per_event() -> None:
    script = 'structlog.stdlib.get_logger("jargonaut.requests").info("answered", ref="7F3A", ms=1.5, language="中文")'
    (line,) = lines(script)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "answered",
        "level": "info",
        "logger": "jargonaut.requests",
        "ref": "7F3A",
        "ms": 1.5,
        "language": "中文",
    }


def test_the_standard_library_writes_the_same_lines() -> None:
    (line,) = lines('logging.getLogger("bot.bot").warning("store: %s", "away")')
    assert (line["event"], line["level"], line["logger"]) == ("store: away", "warning", "bot.bot")


@pytest.mark.parametrize(
    "script",
    [
        'logging.getLogger("x").exception("went wrong")',
        'logging.getLogger("x").error("went wrong", exc_info=error)',
        'structlog.stdlib.get_logger("x").exception("went wrong")',
        'structlog.stdlib.get_logger("x").error("went wrong", exc_info=error)',
    ],
)
def test_a_traceback_is_its_type_and_its_places(script: str) -> None:
    raising = "def work():\n    raise ValueError('a secret word')\ntry:\n    work()\nexcept ValueError as error:\n    "
    (line,) = lines(raising + script)
    assert (line["event"], line["error"]) == ("went wrong", "ValueError")
    assert any(place.startswith("work ") for place in line["at"])
    assert "secret" not in json.dumps(line)


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "ERROR"])
@pytest.mark.parametrize("name", ["slack_sdk.web", "slack_bolt.App", "discord.gateway", "aiohttp.access", "sqlalchemy"])
def test_what_people_type_is_at_no_level_in_the_lines_of_libraries(name: str, level: str) -> None:
    assert lines(f'logging.getLogger({name!r}).info("a secret word")', level) == []


def test_below_the_level_nothing_is_written() -> None:
    assert lines('structlog.stdlib.get_logger("x").info("answered")', "WARNING") == []
