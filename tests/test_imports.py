"""Who may import whom, and where `async`, files, clocks and chance may stand.

The imports are import-linter's (contracts in pyproject.toml); what it can't see is looked for in the syntax trees here.
Both are shown to fail on a copy of the code with a fault planted in it.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
CONTRACTS: dict[str, dict[str, Any]] = {
    contract["id"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
}

PURE_BESIDE_THE_GLOSSARY = {
    "bot.answer",
    "bot.changes",
    "bot.commands",
    "bot.completion",
    "bot.manners",
    "bot.note_wording",
    "bot.phrases",
    "bot.request",
    "bot.wording",
}
LOADER = {
    "bot.glossary.cross_checks",
    "bot.glossary.file_form",
    "bot.glossary.form_problems",
    "bot.glossary.layers",
    "bot.glossary.other_layers",
    "bot.glossary.strict_yaml",
    "bot.glossary.yaml_advice",
}
MAY_BE_ASYNC = ("bot/bot.py", "bot/indexes.py", "bot/listener.py", "bot/state/")


def module(file: Path, root: Path = ROOT) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files_of(modules: list[str], root: Path = ROOT) -> list[Path]:
    """The files of modules, and of all that is in them where they are packages. AssertionError: there's no such one."""
    found = []
    for name in modules:
        path = root.joinpath(*name.split("."))
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        assert files, f"{name} names an empty package"
        for file in files:
            assert file.is_file(), f"{name} names no file"
        found += files
    return found


# -- The contracts name what is there -----------------------------------------------------------------------------


def test_every_module_of_the_glossary_is_in_a_contract() -> None:
    glossary = {module(file) for file in (ROOT / "bot/glossary").glob("*.py")} - {"bot.glossary"}
    pure = set(CONTRACTS["pure"]["source_modules"])
    assert pure == (glossary - LOADER - {"bot.glossary.yaml_files"}) | PURE_BESIDE_THE_GLOSSARY
    assert set(CONTRACTS["loader"]["source_modules"]) == LOADER
    assert LOADER | {"bot.glossary.yaml_files"} <= set(CONTRACTS["pure"]["forbidden_modules"])


@pytest.mark.parametrize("contract", ["pure", "loader", "renderers"])
def test_listed_modules_exist(contract: str) -> None:
    ours = [name for key in ("source_modules", "forbidden_modules") for name in CONTRACTS[contract][key]]
    assert files_of([name for name in ours if name.split(".")[0] in ("bot", "adapters") and "*" not in name])


def test_every_renderer_is_in_the_contract() -> None:
    """A renderer is a file of an adapter that turns an Answer into something else; what it's made of belongs to it."""
    renderers = {
        module(file)
        for file in (ROOT / "adapters").rglob("*.py")
        if re.search(r"^def (?:render|view_of)\(answer: Answer\b", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert renderers
    assert renderers <= set(CONTRACTS["renderers"]["source_modules"])


def test_a_module_that_is_not_there_is_noticed() -> None:
    with pytest.raises(AssertionError, match=r"bot\.nowhere"):
        files_of(["bot.nowhere"])


# -- Import-linter can fail ---------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The code, without anything else, to plant faults in."""
    for package in ("bot", "adapters"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache", "--no-logo"],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_contracts_are_kept(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(CONTRACTS)} kept, 0 broken" in done.stdout


@pytest.mark.parametrize(
    ("contract", "file", "line"),
    [
        pytest.param("platforms", "bot/bot.py", "import discord", id="a-platform-in-the-bot"),
        pytest.param("platforms", "bot/bot.py", "from adapters.terminal import text", id="an-adapter-in-the-bot"),
        pytest.param("pure", "bot/commands/define.py", "import time", id="a-clock-in-a-command"),
        pytest.param("pure", "bot/wording.py", "from bot.state.database import open_database", id="a-store-in-wording"),
        pytest.param("pure", "bot/glossary/folding.py", "from pathlib import Path", id="files-in-the-fold"),
        pytest.param("pure", "bot/errors.py", "import logging", id="through-another-module"),
        pytest.param("loader", "bot/glossary/layers.py", "import os", id="files-in-the-loader"),
        pytest.param(
            "renderers", "adapters/terminal/text.py", "from bot.request import decode", id="a-renderer-decides"
        ),
    ],
)
def test_a_planted_import_breaks_its_contract(copy: Path, contract: str, file: str, line: str) -> None:
    planted = copy / file
    future = "from __future__ import annotations\n"
    source = planted.read_text(encoding="utf-8")
    assert future in source
    planted.write_text(source.replace(future, f"{future}{line}\n"), encoding="utf-8")
    done = lint(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{CONTRACTS[contract]['name']} BROKEN" in done.stdout


def test_adapters_that_know_each_other_break_their_contract(copy: Path) -> None:
    (copy / "adapters/other").mkdir()
    (copy / "adapters/other/__init__.py").write_text("from adapters.terminal import text\n", encoding="utf-8")
    done = lint(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{CONTRACTS['adapters']['name']} BROKEN" in done.stdout


# -- What import-linter can't see ---------------------------------------------------------------------------------

_ASYNC = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
_FILE_CALLS = frozenset({"open", "input", "print", "exec", "eval", "__import__"})
_FILE_METHODS = frozenset(
    {
        *("read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob", "rglob", "mkdir", "unlink"),
        *("is_file", "is_dir", "getenv", "urlopen"),
    }
)
_CLOCKS = frozenset({"now", "today", "utcnow", "fromtimestamp", "utcfromtimestamp"})
_OUTSIDE = frozenset(
    {
        *("asyncio", "concurrent", "importlib", "io", "logging", "os", "pathlib", "random", "secrets", "shutil"),
        *("socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib"),
    }
)


def asynchronous(tree: ast.AST) -> Iterator[int]:
    """Lines with `async` or `await`."""
    for node in ast.walk(tree):
        if isinstance(node, _ASYNC):
            yield node.lineno
        elif isinstance(node, ast.comprehension) and node.is_async:
            yield node.target.lineno


def impure(tree: ast.AST) -> Iterator[int]:
    """Lines that reach outside: files, the environment, clocks, chance."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) if any(alias.name.split(".")[0] in _OUTSIDE for alias in names):
                yield node.lineno
            case ast.ImportFrom(module=str(name), level=0) if name.split(".")[0] in _OUTSIDE:
                yield node.lineno
            case ast.Call(func=ast.Name(id=name)) if name in _FILE_CALLS:
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr=name)) if name in _FILE_METHODS:
                yield node.lineno
            case ast.Attribute(attr=name, value=ast.Name(id="date" | "datetime") | ast.Attribute(attr="datetime")) if (
                name in _CLOCKS
            ):
                yield node.lineno
            case ast.Attribute(attr="environ"):
                yield node.lineno


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def test_async_stands_only_where_it_belongs() -> None:
    files = [file for file in files_of(["bot"]) if not file.relative_to(ROOT).as_posix().startswith(MAY_BE_ASYNC)]
    assert len(files) > 30
    assert [f"{file.relative_to(ROOT)}:{line}" for file in files for line in asynchronous(parsed(file))] == []


def test_pure_modules_reach_nothing_outside() -> None:
    files = files_of(CONTRACTS["pure"]["source_modules"] + sorted(LOADER))
    assert len(files) > 30
    assert [f"{file.relative_to(ROOT)}:{line}" for file in files for line in impure(parsed(file))] == []


@pytest.mark.parametrize(
    "source",
    [
        "async def f(): ...",
        "async def f():\n    await g()",
        "async def f():\n    async for x in y: ...",
        "[x async for x in y]",
    ],
)
def test_async_is_seen(source: str) -> None:
    assert list(asynchronous(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    import os",
        "from time import monotonic",
        "import os.path",
        "open('x')",
        "path.read_text()",
        "date.today()",
        "field(default_factory=date.today)",
        "datetime.now(UTC)",
        "datetime.datetime.now()",
        "os.environ['X']",
        "print('x')",
    ],
)
def test_reaching_outside_is_seen(source: str) -> None:
    assert list(impure(ast.parse(source)))


@pytest.mark.parametrize("source", ["request.today", "random(s)", "from datetime import date", "s.now", "say('open')"])
def test_look_alikes_are_not_reported(source: str) -> None:
    assert list(impure(ast.parse(source))) == []


def test_a_planted_fault_is_found_in_its_file(copy: Path) -> None:
    planted = copy / "bot/glossary/search.py"
    planted.write_text(
        planted.read_text(encoding="utf-8") + "\n\nasync def f():\n    return open('x')\n", encoding="utf-8"
    )
    assert list(asynchronous(parsed(planted)))
    assert list(impure(parsed(planted)))
