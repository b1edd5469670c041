"""The project itself: what its files say about each other is true."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from bot.commands.names import COMMANDS
from bot.settings import Settings
from bot.version import __version__
from tests.spoken_keys import spoken

ROOT = Path(__file__).parent.parent
SOURCES = sorted(file for package in ("bot", "adapters") for file in (ROOT / package).rglob("*.py"))
PHRASES: dict[str, dict[str, str]] = yaml.safe_load((ROOT / "data/phrases.yaml").read_text(encoding="utf-8"))


def project_files() -> list[Path]:
    """All files of the project; in a checkout what git knows or would add, else what no tool made."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0 and listed.stdout:
        files = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        files = [file for file in ROOT.rglob("*") if not _MADE & set(file.relative_to(ROOT).parts)]
    return [file for file in files if file.is_file()]


_MADE = {
    *(".git", ".venv", "__pycache__", "build", "dist", ".env", ".hypothesis", ".mypy_cache", ".pytest_cache"),
    *(".ruff_cache", ".import_linter_cache"),
}


def relative(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


# -- Tests --------------------------------------------------------------------------------------------------------


def has_behaviour(file: Path) -> bool:
    """Whether a file defines a function; one with nothing but values and forms is tested where they're used."""
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
    )


TESTED = [
    file
    for file in SOURCES
    if file.stem not in ("__init__", "__main__") and "migrations" not in file.parts and has_behaviour(file)
]


def its_tests(file: Path) -> str:
    """Slack and Discord have files of the same names."""
    platform = f"{file.parent.name}_" if file.parent.name in ("slack", "discord") else ""
    return f"test_{platform}{file.stem}.py"


@pytest.mark.parametrize("file", TESTED, ids=relative)
def test_every_source_file_has_its_tests(file: Path) -> None:
    """`bot/commands/define.py` is tested in `tests/test_define.py`, `adapters/slack/app.py` in `test_slack_app.py`."""
    assert (ROOT / f"tests/{its_tests(file)}").is_file()


def test_no_two_source_files_share_their_tests() -> None:
    counted = Counter(its_tests(file) for file in TESTED)
    assert [stem for stem, count in counted.items() if count > 1] == []


def test_tests_stand_flat() -> None:
    """A folder with an `__init__` beside them would be imported instead of the package that it's named after."""
    assert list((ROOT / "tests").rglob("__init__.py")) == []
    assert [relative(file) for file in (ROOT / "tests").rglob("test_*.py") if file.parent.name != "tests"] == []


# -- Commands -----------------------------------------------------------------------------------------------------


def test_command_names_are_unique() -> None:
    words = Counter(word.casefold() for command in COMMANDS for word in (command.name, *command.words))
    assert [word for word, count in words.items() if count > 1] == []


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_has_its_help(name: str) -> None:
    assert set(PHRASES[f"help.{name}"]) == {"en", "zh-Hans"}
    assert all(PHRASES[f"help.{name}"].values())


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def test_make_help_lists_every_target() -> None:
    shown = re.findall(r"^#   make ([a-z]+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert sorted(shown) == sorted(make_targets())


def documents() -> list[Path]:
    return [file for file in project_files() if file.suffix == ".md" and "bad_glossaries" not in file.parts]


def code_of(text: str) -> list[str]:
    """What a Markdown text shows as code: spans, and the lines of blocks."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    indented = re.findall(r"^(?: {4}|\t)(.*)$", text, re.MULTILINE)
    return [*(line for block in blocks for line in block.splitlines()), *indented, *re.findall(r"`([^`\n]+)`", text)]


@pytest.mark.parametrize("file", documents(), ids=relative)
def test_make_commands_in_documents_exist(file: Path) -> None:
    said = {
        name for line in code_of(file.read_text("utf-8")) for name in re.findall(r"\bmake (?:-\w+ )*([a-z]+)", line)
    }
    assert said <= make_targets()


@pytest.mark.parametrize("file", documents(), ids=relative)
def test_jargonaut_commands_in_documents_exist(file: Path) -> None:
    source = (ROOT / "adapters/cli.py").read_text("utf-8")
    known = set(re.findall(r"^@app\.command\(\)\n(?:async )?def ([a-z_]+)", source, re.MULTILINE))
    known |= set(re.findall(r'^app\.add_typer\(\w+, name="([a-z]+)"\)', source, re.MULTILINE))
    assert known
    code = code_of(file.read_text("utf-8"))
    said = {name for line in code for name in re.findall(r"(?:^|[\s|])(?<![@/!])jargonaut ([a-z]+)\b", line)}
    typed = {
        command for entry in COMMANDS if entry.name == "jargonaut" for command in re.findall("[a-z]+", entry.arguments)
    }
    assert said <= known | typed


# -- Phrases ------------------------------------------------------------------------------------------------------

SPOKEN = spoken(ast.parse(file.read_text("utf-8")) for file in SOURCES)


def test_every_key_can_be_read() -> None:
    """A key that is put together in ways this test can't follow could be missing, and nobody would know."""
    assert SPOKEN.unreadable == []


def test_said_phrases_exist() -> None:
    assert len(SPOKEN.keys) > 50
    assert sorted(SPOKEN.keys - set(PHRASES)) == []
    assert [pattern for pattern in SPOKEN.patterns if not any(re.fullmatch(pattern, key) for key in PHRASES)] == []


def test_no_phrase_is_unused() -> None:
    unused = [key for key in PHRASES if not SPOKEN.says(key) and not SPOKEN.says(key.removesuffix(".one"))]
    assert unused == []


KEYS = """
def carry(s, fault, key, *, other="kept"):
    return s.say(key) + s.say(other)

def use(s):
    name = "local" if s.ok else f"local.{s.kind}"
    s.say(name)
    carry(s, "usage", "carried")
    s.say("one" if s.ok else "two")
"""


def test_keys_are_followed() -> None:
    found = spoken([ast.parse(KEYS)])
    assert found.keys == {"local", "carried", "kept", "one", "two"}
    assert found.says("local.of-this-kind")
    assert not found.says("usage")
    assert not found.says("local.of.another")
    assert found.unreadable == []


def test_a_key_from_elsewhere_is_reported() -> None:
    assert spoken([ast.parse("def use(s):\n    s.say(s.table[0])")]).unreadable == ["use: s.table[0]"]


# -- Settings, versions -------------------------------------------------------------------------------------------


def test_settings_are_in_the_example_and_the_other_way_round() -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    named = re.findall(r"^#?([A-Z][A-Z_]+)=", example, re.MULTILINE)
    assert sorted(named) == sorted(name.upper() for name in Settings.model_fields)


def test_the_example_says_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    assert Settings(_env_file=ROOT / ".env.example") == Settings()


def test_the_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## \[?(\d[^\s\]]*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == __version__


def test_ci_runs_every_python_that_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = {line.split(" :: ")[-1] for line in project["classifiers"] if re.search(r"Python :: \d\.\d+$", line)}
    workflow = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text("utf-8"))
    assert set(workflow["jobs"]["check"]["strategy"]["matrix"]["python"]) == named


# -- Documents ----------------------------------------------------------------------------------------------------

_A_PATH = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.(?:py|md|ya?ml|toml|json|lock|jsonl)|(?:[\w.-]+/)+[\w.-]*")


def mentioned_files(file: Path) -> Iterator[str]:
    """Links that stay in the project, and paths shown as code that begin with something of its top folder."""
    text = file.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target and not target.startswith("mailto:"):
            yield target
    top = {path.name for path in ROOT.iterdir()}
    for span in re.findall(r"`([^`\n]+)`", text):
        if _A_PATH.fullmatch(span) and span.split("/")[0] in top:
            yield span


@pytest.mark.parametrize("file", documents(), ids=relative)
def test_documents_mention_only_files_that_exist(file: Path) -> None:
    missing = [path for path in mentioned_files(file) if not ((ROOT / path).exists() or (file.parent / path).exists())]
    assert missing == []


# Written with classes of one character, so that this file isn't among the findings.
_MACHINE = re.compile(
    r"(?:^|[^\w.~/-])/(?:(?:[w]ork|[r]oot|[f]arm|[o]pt(?!/jargonaut))\b|home/\w|Users/\w)\S*"
    r"|[i]ndex-url|[f]ind-links|[t]rusted-host|[p]ypi\.(?:org|python)|[f]iles\.pythonhosted|[r]egistry\.npm",
    re.MULTILINE,
)


def test_no_machine_paths_and_no_registries() -> None:
    found = []
    for file in project_files():
        if file.parent.name == "eval":
            continue  # messages as people paste them, paths and all
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # among the faulty glossaries, one is in another encoding
        found += [f"{relative(file)}: {match.strip()}" for match in _MACHINE.findall(text)]
    assert found == []


@pytest.mark.parametrize("text", ["see /" + "work/x", "'/" + "opt/y'", "--index" + "-url=x", "https://py" + "pi.org/"])
def test_machine_paths_are_seen(text: str) -> None:
    assert _MACHINE.search(text)
