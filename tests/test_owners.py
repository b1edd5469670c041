"""What the owners of the glossary ask for at the command line, as processes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.request import Person
from bot.state.counters import Asked
from bot.state.database import Database, open_database
from bot.state.ports import Profile
from tests.processes import Jargonaut

TODAY = datetime.now(UTC).date()
LENA = Person("slack", "T1", "U1")


@pytest.fixture
def jargonaut(tmp_path: Path) -> Jargonaut:
    return Jargonaut(tmp_path)


def change(jargonaut: Jargonaut, work: Callable[[Database], Awaitable[object]]) -> object:
    """What `work` gives for the database of this command."""

    async def done() -> object:
        database = await open_database(f"sqlite:///{jargonaut.database}", call_seconds=60)
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(done())


async def use(database: Database) -> None:
    for text, times in (("goodputt", 3), ("only once", 1)):
        for _ in range(times):
            await database.misses.count(text, TODAY)
    for back, times in ((0, 4), (40, 100)):
        slo = Asked("slack", "T1", "C1", "slo", "en", "definition")
        await database.counters.add({slo: times}, TODAY - timedelta(days=back))


def test_with_nothing_to_tell_they_say_so(jargonaut: Jargonaut) -> None:
    for command, said in (("misses", "Nothing was looked up twice"), ("report", "Nobody asked anything")):
        ended = jargonaut(command)
        assert (ended.code, ended.err) == (0, "")
        assert said in ended.out


def test_what_was_missed_with_what_is_near(jargonaut: Jargonaut) -> None:
    change(jargonaut, use)
    ended = jargonaut("misses")
    assert [line.split("|")[0].strip() for line in ended.lines] == ["Not in the glossary", "goodputt"]
    assert "only once" not in ended.out


@pytest.mark.parametrize(("days", "times"), [("30", "4"), ("90", "104")])
def test_a_report_of_so_many_days(jargonaut: Jargonaut, days: str, times: str) -> None:
    change(jargonaut, use)
    ended = jargonaut("report", "--days", days)
    assert ended.lines[:2] == [f"The last {days} days", f"{times} terms explained · 0 look-ups without an answer"]
    assert f"asked,slack,C1,slo,,en,definition,{times}" in jargonaut("report", "--days", days, "--csv").lines


def test_a_report_in_chinese(jargonaut: Jargonaut) -> None:
    assert jargonaut("report", LANG="zh_CN.UTF-8").lines[0] == "最近 30 天"


def test_a_person_is_forgotten(jargonaut: Jargonaut) -> None:
    change(jargonaut, lambda database: database.people.set_language(LENA, "en"))
    ended = jargonaut("forget", "--platform", "slack", "--home", "T1", "--user", "U1")
    assert (ended.code, ended.out, ended.err) == (0, "Deleted.\n", "")
    assert change(jargonaut, lambda database: database.people.get(LENA)) == Profile()


@pytest.mark.parametrize(
    "about",
    [
        pytest.param(["--platform", "slack", "--user", "U1"], id="slack-without-home"),
        pytest.param(["--platform", "discord", "--home", "T1", "--user", "1"], id="discord-with-home"),
        pytest.param(["--platform", "irc", "--user", "1"], id="unknown-platform"),
    ],
)
def test_nobody_is_forgotten_by_guessing(jargonaut: Jargonaut, about: list[str]) -> None:
    ended = jargonaut("forget", *about)
    assert ended.code == 2
    assert ended.err.startswith("jargonaut: give --platform")


def test_a_database_that_is_no_database_is_one_line(jargonaut: Jargonaut) -> None:
    jargonaut.database.parent.mkdir(parents=True)
    jargonaut.database.write_text("not a database, but long enough to be taken for one\n" * 20)
    for command in (["misses"], ["report"], ["forget", "--platform", "discord", "--user", "1"]):
        ended = jargonaut(*command)
        assert ended.code == 3
        assert [line for line in ended.err.splitlines() if line.startswith("jargonaut: ")] == [
            "jargonaut: the file is no SQLite database (SQLITE_NOTADB): name another one in the database URL"
        ]
