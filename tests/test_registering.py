"""`jargonaut slack manifest` and `jargonaut discord invite`, as people run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.processes import Jargonaut


@pytest.fixture
def jargonaut(tmp_path: Path) -> Jargonaut:
    return Jargonaut(tmp_path)


def test_a_manifest_to_paste(jargonaut: Jargonaut) -> None:
    ended = jargonaut("slack", "manifest", "--prefix", "jn-")
    assert (ended.code, ended.err) == (0, "")
    assert "/jn-define" in ended.out
    assert "socket_mode_enabled: true" in ended.out or json.loads(ended.out)["settings"]["socket_mode_enabled"]


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["slack", "manifest", "--many"], id="many-without-an-address"),
        pytest.param(["discord", "invite"], id="invite-without-a-token"),
    ],
)
def test_what_is_missing_is_one_line(jargonaut: Jargonaut, arguments: list[str]) -> None:
    ended = jargonaut(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("jargonaut: ")
    assert ended.err.count("\n") == 1
