"""requirements.lock: what pyproject.toml asks for, pinned, hashed, and from no particular index."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")

_PIN = re.compile(r"([a-z0-9][a-z0-9-]*)==(\S+)(?: ; .+?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)")
_ADDRESS = re.compile(r"https?:|file:|\bgit\+|(?<!=)--(?!hash=)[a-z]|^\s*[./]", re.MULTILINE)


def entries(lock: str) -> list[str]:
    """The entries of a lock, each on one line and without comments."""
    lines = [line for line in lock.splitlines() if not line.lstrip().startswith("#")]
    return [entry.strip() for entry in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines() if entry.strip()]


def pins(lock: str) -> dict[str, Version]:
    """Name -> pinned version. AssertionError names the entry that isn't a pin with hashes."""
    found = {}
    for entry in entries(lock):
        match = _PIN.fullmatch(entry)
        assert match, f"not a pin with hashes: {entry}"
        assert match[1] not in found, f"pinned twice: {match[1]}"
        found[match[1]] = Version(match[2])
    return found


def wanted() -> list[str]:
    project = PROJECT["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    return sorted({*project["dependencies"], *extras, *PROJECT["build-system"]["requires"]})


@pytest.mark.parametrize("line", wanted())
def test_ranges_are_kept(line: str) -> None:
    requirement = Requirement(line)
    pinned = pins(LOCK).get(canonicalize_name(requirement.name))
    assert pinned is not None, "not in the lock: run `make lock`"
    assert requirement.specifier.contains(pinned), f"the lock has {pinned}: run `make lock`"


def test_no_index_address() -> None:
    assert _ADDRESS.findall("\n".join(entries(LOCK))) == []
    assert "://" not in LOCK


def test_files_of_other_systems_are_covered() -> None:
    """A package with compiled code has a file, hence a hash, per system and Python: one hash would be one machine's."""
    few = [entry.split("==")[0] for entry in entries(LOCK) if entry.count("--hash=") < 2]
    assert [name for name in few if not runs_everywhere(name)] == []
    compiled = {entry.split("==")[0]: entry.count("--hash=") for entry in entries(LOCK)}
    assert compiled["rapidfuzz"] > 30
    assert compiled["pydantic-core"] > 30


def runs_everywhere(package: str) -> bool:
    """The installed one came as a wheel for every system; a release may have that alone, and no source beside it."""
    return "Tag: py3-none-any" in (distribution(package).read_text("WHEEL") or "")


HASH = "a" * 64


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param("rich==14.0", id="no-hash"),
        pytest.param(f"rich>=14.0 --hash=sha256:{HASH}", id="no-pin"),
        pytest.param(f"rich==14.0 --hash=md5:{HASH}", id="weak-hash"),
        pytest.param(f"./rich.whl --hash=sha256:{HASH}", id="a-file"),
        pytest.param(f"rich==1 --hash=sha256:{HASH}\nrich==2 --hash=sha256:{HASH}", id="twice"),
    ],
)
def test_loose_entries_are_refused(entry: str) -> None:
    with pytest.raises(AssertionError):
        pins(entry)


@pytest.mark.parametrize(
    "line", ["-i https://index.example/simple", "--proxy index.example", "rich @ file:///rich.whl", "./rich.whl"]
)
def test_addresses_are_seen(line: str) -> None:
    assert _ADDRESS.search(line)
