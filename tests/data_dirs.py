"""Small data directories for tests: texts in, files out."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from bot.errors import DataError, Problem
from bot.glossary.yaml_files import Loaded, load


def concept(id_: str, keys: str = "", *, en: str = "", zh: str | None = None) -> str:
    """One new concept that is all right, with further lines for itself and its language sections."""
    words = id_.replace("-", " ").capitalize()
    lines = [f"- id: {id_}", indent(keys, "  "), "  en:", f"    pref_label: {words}" * ("pref_label:" not in en)]
    lines += [f"    summary: what {id_[:1]} is", "    definition: A first sentence. A second one.", indent(en, "    ")]
    if zh is not None:
        lines += ["  zh-Hans:", f"    pref_label: 甲{words}" * ("pref_label:" not in zh), "    summary: 是什么"]
        lines += ["    definition: 第一句。第二句。", indent(zh, "    ")]
    return "\n".join(line for line in lines if line.strip()) + "\n"


def glossary(*concepts: str, topic: str = "things") -> str:
    return f"topic: {topic}\nconcepts:\n" + indent("".join(concepts), "  ")


def directory(path: Path, **files: str) -> Path:
    """Writes `glossary=…` to glossary/things.yaml, and `comparisons=…` and so on beside it."""
    (path / "glossary").mkdir(parents=True)
    for name, text in files.items():
        file = path / "glossary" / "things.yaml" if name == "glossary" else path / f"{name}.yaml"
        file.write_text(text, encoding="utf-8")
    return path


def layered(tmp_path: Path, *layers: dict[str, str]) -> Loaded:
    """Loads one directory per dict; a single language is enough in all of them."""
    paths = [directory(tmp_path / str(number), **files) for number, files in enumerate(layers)]
    return load(paths, strict_languages=False)


def refused(tmp_path: Path, *layers: dict[str, str]) -> list[Problem]:
    """The errors of `layered`, which must not succeed."""
    with pytest.raises(DataError) as caught:
        layered(tmp_path, *layers)
    return [problem for problem in caught.value.problems if problem.severity == "error"]
