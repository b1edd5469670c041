"""`jargonaut` as people and scripts start it: real processes, their output and their exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from bot.glossary.file_form import schemas
from bot.glossary.yaml_files import Loaded
from bot.phrases import Phrases
from bot.version import __version__
from tests.data_dirs import concept, directory, glossary
from tests.processes import COMMAND, Ended, Jargonaut
from tests.terminals import acted_on, at_a_terminal


@pytest.fixture
def jargonaut(tmp_path: Path) -> Jargonaut:
    """With a home of its own, where nothing was ever set."""
    return Jargonaut(tmp_path)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Jargonaut:
    """With a database that is there already; for what sets nothing."""
    used = Jargonaut(tmp_path_factory.mktemp("home"))
    assert used("chat", "--json", typed="/lang auto\n").code == 0
    return used


def is_clean(ended: Ended) -> bool:
    """No complaint, and nothing in the output that a terminal would act on."""
    return ended.err == "" and acted_on(ended.out) == []


# -- One question

QUESTIONS = [
    pytest.param(["define", "continuous", "batching"], 0, "Continuous batching · 连续批处理", id="define"),
    pytest.param(["define", "zzyzx"], 1, "“zzyzx” isn't in the glossary.", id="unknown"),
    pytest.param(["define", " "], 2, "Which term?", id="empty"),
    pytest.param(["vs", "data drift", "concept drift"], 0, "Data drift vs. Concept drift", id="vs"),
    pytest.param(["vs", "yx zz", "tcp/ip"], 1, "“yx zz”, “tcp/ip” aren't in the glossary.", id="vs-sides-stay-whole"),
    pytest.param(["vs", "foo", "bar"], 1, "“foo”, “bar” aren't in the glossary.", id="vs-both-unknown"),
    pytest.param(["vs", "slo", "x or y"], 1, "“x or y” isn't in the glossary.", id="vs-separator-in-a-side"),
    pytest.param(["vs", "kv", "cache", "vs", "prefix", "caching"], 0, "KV cache vs. Prefix caching", id="vs-words"),
    pytest.param(["vs", "slo", "slo"], 1, "Both sides are SLO.", id="vs-same"),
    pytest.param(["vs", "slo"], 2, "Compare SLO with what?", id="vs-one-side"),
]


@pytest.mark.parametrize(("arguments", "code", "first"), QUESTIONS)
def test_a_question_and_its_exit_code(used: Jargonaut, arguments: list[str], code: int, first: str) -> None:
    ended = used(*arguments)
    assert (ended.code, ended.lines[0][: len(first)]) == (code, first)
    assert is_clean(ended)
    assert "[1]" not in ended.out


@pytest.mark.parametrize("arguments", [["define"], ["nosuch"], []], ids=" ".join)
def test_a_wrong_call_says_how_and_ends_with_2(used: Jargonaut, arguments: list[str]) -> None:
    ended = used(*arguments)
    assert ended.code == 2
    assert "Usage: " in ended.err + ended.out
    assert "Traceback" not in ended.err


def test_at_a_terminal_the_answer_is_in_its_language(used: Jargonaut, loaded: Loaded) -> None:
    with at_a_terminal(used, "define", "ttft", LC_ALL="zh_CN.UTF-8") as terminal:
        terminal.read_until(loaded.glossary.concepts["ttft"].sections["zh-Hans"].definition[:20])
        assert terminal.end() == 0


def test_chinese_goes_through_whatever_the_locale_is(used: Jargonaut) -> None:
    ended = used("define", "连续批处理", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
    assert (ended.code, is_clean(ended)) == (0, True)
    assert ended.lines[0].startswith("连续批处理")


def test_version_and_help(used: Jargonaut) -> None:
    assert used("--version").out == f"jargonaut {__version__}\n"
    ended = used("--help")
    assert ended.code == 0
    for command in ("chat", "define", "vs", "check", "schema", "--data", "--version"):
        assert re.search(rf"^  {command} ", ended.out, re.MULTILINE)


# -- The data


def test_check_of_the_shipped_data(used: Jargonaut, loaded: Loaded) -> None:
    ended = used("check")
    assert (ended.code, ended.err) == (0, "")
    counts = f"{len(loaded.glossary.concepts)} concepts, {len(loaded.glossary.comparisons)} comparisons, "
    assert ended.lines[-1] == f"{counts}{len(loaded.warnings)} warning(s)."


def test_check_of_a_directory_lists_all_of_its_faults(used: Jargonaut, tmp_path: Path) -> None:
    bad = directory(tmp_path / "team", glossary=glossary(concept("alpha", "level: 9"), concept("beta", "level: low")))
    ended = used("check", str(bad))
    assert ended.code == 1
    assert [line for line in ended.lines if "things.yaml:" in line and ": error: " in line] == ended.lines[:-1]
    assert ended.lines[-1].startswith("2 error(s).")


def test_a_bad_directory_ends_with_3_before_anything_is_answered(used: Jargonaut, tmp_path: Path) -> None:
    ended = used("--data", str(tmp_path / "nosuch"), "define", "ttft")
    assert (ended.code, ended.out) == (3, "")
    assert re.fullmatch(r"jargonaut: .*nosuch: error: there is no such directory;.*\n", ended.err)


def test_directories_are_laid_over_the_shipped_data(used: Jargonaut, tmp_path: Path) -> None:
    ids = ["zzyzx-pool", "zzyzx-tank", "zzyzx-cache"]
    setting, before, behind = (
        directory(tmp_path / id_, glossary=glossary(concept(id_, zh=""), topic=id_)) for id_ in ids
    )
    ended = used(
        *("--data", str(before), "chat", "--json", "--data", str(behind)),
        typed="".join(f"/define {id_}\n" for id_ in ids),
        JARGONAUT_DATA=json.dumps([str(setting)]),
    )
    assert [json.loads(line)["concepts"] for line in ended.lines] == [[id_] for id_ in ids]


def test_schemas_are_written(used: Jargonaut, tmp_path: Path) -> None:
    assert used("schema", str(tmp_path / "new" / "folder")).code == 0
    written = {path.name: json.loads(path.read_text("utf-8")) for path in (tmp_path / "new" / "folder").iterdir()}
    assert written == schemas()
    (tmp_path / "file").touch()
    ended = used("schema", str(tmp_path / "file" / "folder"))
    assert ended.code == 3
    assert re.fullmatch(r"jargonaut: .*folder can't be written: .*\n", ended.err)


# -- The chat


def test_a_chat_with_a_pipe_answers_line_by_line(used: Jargonaut) -> None:
    ended = used("chat", typed="/define ttft\n\nhello\n/vs slo sla")
    assert (ended.code, is_clean(ended)) == (0, True)
    assert [part.splitlines()[0] for part in ended.out.rstrip().split("\n\n")] == ["TTFT", "SLO vs. SLA"]
    assert "[1] 中文" in ended.out


def test_a_chat_has_notes_and_they_are_new_at_each_start(used: Jargonaut) -> None:
    typed = "the SLO\n今天的ＡＷＱ😀和 TTFT\nthe SLO\n/autoexplain off\n"
    for _ in range(2):
        ended = used("chat", "--json", typed=typed)
        assert (ended.code, is_clean(ended)) == (0, True)
        shown = [json.loads(line) for line in ended.lines]
        assert [answer["kind"] for answer in shown] == ["explanation"] * 3 + ["setting"]
        assert shown[1]["mentions"] == [
            {"concept": "awq", "text": "ＡＷＱ", "start": 3, "end": 6},
            {"concept": "ttft", "text": "TTFT", "start": 9, "end": 13},
        ]


def test_a_pipe_is_one_channel_whose_notes_have_buttons(used: Jargonaut) -> None:
    for _ in range(2):
        ended = used("chat", typed="the SLO\nthe SLO\n6\nthe AWQ\n/autoexplain off\nthe TTFT\n")
        assert is_clean(ended)
        firsts = [part.splitlines()[0] for part in ended.out.rstrip().split("\n\n")]
        assert firsts[:3] == ["New to this term?", "The note is removed.", "New to this term?"]
        assert len(firsts) == 4


def test_a_script_may_wait_for_each_answer_and_interrupt(used: Jargonaut) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*COMMAND, "chat", "--json"], stdin=pipe, stdout=pipe, stderr=pipe, env=used.environment(), text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        for line, kind in [("/define ttft", "definition"), ("", "silence"), ("/nosuch", "error")]:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["kind"] == kind
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        assert process.stderr
        assert process.stderr.read() == ""


INPUTS: list[tuple[bytes, str]] = [
    (b"/define \xff\xfe\x80 slo", "definition"),
    (b"/define \xe9\x87", "error"),
    (b"/define s\0lo", "definition"),
    (b"/define zz\ryzx", "unknown"),
    (b"\0", "silence"),
    (b"/define " + b"a" * 40_000, "error"),
    (b"@jargonaut " + b"`xy" * 20_000, "help"),
    (b"x" * 1_000_000, "silence"),
    (b"/define %s {0} ${HOME}", "unknown"),
    (b"/define slo\r", "definition"),
    (b"/define slo", "definition"),
]
"""Lines, and what kinds of answers they get. Nothing follows the last one, not even a line end."""


def test_whatever_bytes_come_in_every_line_gets_its_answer(used: Jargonaut) -> None:
    ended = used("chat", "--json", typed=b"\n".join(line for line, _ in INPUTS))
    assert (ended.code, ended.err, ended.out.isascii()) == (0, "", True)
    assert [json.loads(line)["kind"] for line in ended.lines] == [kind for _, kind in INPUTS]


@pytest.mark.parametrize("arguments", [["chat", "--json"], ["check"]], ids=" ".join)
def test_a_reader_that_leaves_is_no_error(used: Jargonaut, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [*COMMAND, *arguments], input=b"/define ttft\n" * 3, stdout=writing, stderr=subprocess.PIPE, cwd=used.home,
        env=used.environment(), timeout=60, check=False,
    )  # fmt: skip
    os.close(writing)
    assert (process.returncode, process.stderr) == (0, b"")


def test_without_input_and_output_there_is_nothing_to_do(used: Jargonaut) -> None:
    closed = f"{' '.join(COMMAND)} chat <&- && {' '.join(COMMAND)} define ttft >&-"
    process = subprocess.run(
        ["sh", "-c", closed], capture_output=True, cwd=used.home, env=used.environment(), timeout=60, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")


# -- What is remembered


def test_the_language_is_still_there_after_a_restart(jargonaut: Jargonaut, loaded: Loaded, phrases: Phrases) -> None:
    assert phrases.say("language.saved.zh-Hans", "zh-Hans") in jargonaut("chat", typed="/lang zh\n").out
    assert jargonaut.database.exists()
    assert loaded.glossary.concepts["ttft"].sections["zh-Hans"].definition in jargonaut("define", "ttft").out


def test_another_database_knows_nothing_of_it(jargonaut: Jargonaut) -> None:
    other = f"sqlite:///{jargonaut.home / 'elsewhere' / 'other.sqlite'}"
    assert jargonaut("chat", typed="/lang zh\n", DATABASE_URL=other).code == 0
    assert (jargonaut.home / "elsewhere" / "other.sqlite").exists()
    assert not jargonaut.database.exists()
    (shown,) = jargonaut("chat", "--json", typed="/define ttft\n").lines
    assert json.loads(shown)["language"] == "en"


@pytest.mark.parametrize("kind", ["no-folder", "no-database"])
def test_without_a_store_everything_but_settings_is_answered(jargonaut: Jargonaut, phrases: Phrases, kind: str) -> None:
    if kind == "no-folder":
        (jargonaut.home / "state").touch()  # a file where the folder should be
    else:
        jargonaut.database.parent.mkdir(parents=True)
        jargonaut.database.write_text("not a database at all, and longer than its header is")
    ended = jargonaut("chat", "--json", typed="/define ttft\n/lang zh\n/vs slo sla\n/define zzyzx\n/jargonaut\n")
    shown = [json.loads(line) for line in ended.lines]
    assert [answer["kind"] for answer in shown] == ["definition", "setting", "comparison", "unknown", "setting"]
    assert shown[1]["text"] == phrases.say("store_away", "en")
    assert phrases.say("counted", "en") not in shown[3]["text"]
    assert ended.code == 0
    assert "Traceback" not in ended.err
    if kind == "no-folder":
        assert ended.err.count("\n") == 1
        assert ended.err.startswith(
            f"jargonaut: what you set can't be saved: the database needs {jargonaut.database.parent}"
        )
    else:
        assert "can't use the database: the file is no SQLite database" in ended.err


BAD_SETTINGS = [
    pytest.param({"LOG_LEVEL": "loud"}, "LOG_LEVEL: use DEBUG", id="level"),
    pytest.param({"JARGONAUT_DATA": "/srv/a:/srv/b"}, "JARGONAUT_DATA: ", id="list"),
    pytest.param({"DATABASE_URL": "mysql://root:hunter2@host/db"}, "DATABASE_URL: ", id="database"),
    pytest.param({"DATABASE_URL": "sqlite:////dev/null/x.sqlite"}, "DATABASE_URL: ", id="unwritable"),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "complaint"), BAD_SETTINGS)
def test_a_wrong_setting_is_named_in_one_line(used: Jargonaut, variables: dict[str, str], complaint: str) -> None:
    ended = used("define", "ttft", **variables)
    assert (ended.code, ended.out) == (3, "")
    assert re.fullmatch(rf"jargonaut: {complaint}.*\n", ended.err)
    assert "hunter2" not in ended.err


# -- Speed


def test_what_is_slow_to_import_stays_off_the_way_to_an_exact_answer(used: Jargonaut) -> None:
    process = subprocess.run(
        [COMMAND[0], "-X", "importtime", *COMMAND[1:], "chat", "--json"], input=b"/define ttft\n", capture_output=True,
        cwd=used.home, env=used.environment(), timeout=60, check=False,
    )  # fmt: skip
    assert json.loads(process.stdout)["kind"] == "definition"
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in process.stderr.decode().splitlines()}
    assert {"bot", "sqlalchemy"} <= imported
    assert imported.isdisjoint({"alembic", "mako", "pypinyin", "prompt_toolkit", "jsonschema", "hypothesis"})
