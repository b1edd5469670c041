"""While people ask, the team's files change in every way that files do: nobody is told that a known term is unknown."""

from __future__ import annotations

import asyncio
import gc
import shutil
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from adapters import reloading as module
from adapters.reloading import Outcome, Reloading, look_at
from bot.bot import Bot
from bot.errors import DataError
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import Message, Person, Place, Request
from bot.state.memory import MemoryStore
from tests.data_dirs import concept, directory, glossary

DAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
COUNT = 30
TERMS = [f"team-term-{number}" for number in range(COUNT)]
NAME = "name:\n  en: Things\n  zh-Hans: 东西\n"
GOOD = glossary(*(concept(term) for term in TERMS))
BETTER = glossary(*(concept(term) for term in [*TERMS, "brand-new"]))


async def nothing(glossary: Glossary) -> None:
    """A glossary that needs no preparation."""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """In place of the shipped data, which is much to read."""
    named = glossary(concept("base-term", "level: 1", zh="")).replace("concepts:", NAME + "concepts:")
    return directory(tmp_path / "base", glossary=named)


@pytest.fixture
def team(tmp_path: Path) -> Path:
    (tmp_path / "team" / "glossary").mkdir(parents=True)
    (tmp_path / "team" / "glossary" / "things.yaml").write_text(GOOD, encoding="utf-8")
    return tmp_path / "team"


@pytest.fixture
def outcomes() -> list[Outcome]:
    return []


@pytest.fixture
def reloading(base: Path, team: Path, outcomes: list[Outcome]) -> Reloading:
    return Reloading([base, team], [team], outcomes.append)


async def looks(reloading: Reloading, times: int = 3) -> None:
    for _ in range(times):
        await reloading.look(nothing)


def words(problems: object) -> str:
    return str(problems)


async def test_a_change_is_used_once_it_stands_still(reloading: Reloading, team: Path, outcomes: list[Outcome]) -> None:
    assert "brand-new" not in reloading.glossary.concepts
    (team / "glossary" / "things.yaml").write_text(BETTER, encoding="utf-8")
    await reloading.look(nothing)
    assert "brand-new" not in reloading.glossary.concepts
    await reloading.look(nothing)
    assert "brand-new" in reloading.glossary.concepts
    assert [(outcome.loaded, outcome.concepts) for outcome in outcomes] == [(True, COUNT + 2)]
    await looks(reloading)
    assert len(outcomes) == 1


async def test_without_a_change_nothing_is_read_again(reloading: Reloading, outcomes: list[Outcome]) -> None:
    before = reloading.glossary
    await looks(reloading, 5)
    assert reloading.glossary is before
    assert outcomes == []


async def test_a_wrong_file_is_told_once_in_words_and_changes_nothing(
    reloading: Reloading, team: Path, outcomes: list[Outcome], caplog: pytest.LogCaptureFixture
) -> None:
    file = team / "glossary" / "things.yaml"
    file.write_text(BETTER.replace("summary:", "sumary:", 1), encoding="utf-8")
    await looks(reloading, 5)
    assert "brand-new" not in reloading.glossary.concepts
    assert [outcome.loaded for outcome in outcomes] == [False]
    assert any("sumary" in problem.message and problem.line for problem in reloading.problems)
    assert caplog.text.count("isn't used") == 1
    assert str(file) in caplog.text
    file.write_text(BETTER, encoding="utf-8")
    await looks(reloading)
    assert "brand-new" in reloading.glossary.concepts
    assert reloading.problems == ()
    assert [outcome.loaded for outcome in outcomes] == [False, True]


async def test_a_wrong_file_that_is_taken_back_is_no_problem_any_more(reloading: Reloading, team: Path) -> None:
    file = team / "glossary" / "things.yaml"
    file.write_text("topic: [", encoding="utf-8")
    await looks(reloading)
    assert reloading.problems
    file.write_text(GOOD, encoding="utf-8")
    await looks(reloading)
    assert reloading.problems == ()


async def test_the_start_insists_on_good_files(base: Path, team: Path) -> None:
    (team / "glossary" / "things.yaml").write_text("topic: [", encoding="utf-8")
    with pytest.raises(DataError):
        Reloading([base, team], [team])


async def test_what_changes_while_it_is_read_waits_for_the_next_look(
    reloading: Reloading, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = team / "glossary" / "things.yaml"
    real = module.load

    def slow(layers: object) -> object:
        loaded = real(layers)  # type: ignore[arg-type]
        file.write_text(GOOD, encoding="utf-8")
        return loaded

    file.write_text(BETTER, encoding="utf-8")
    await reloading.look(nothing)
    monkeypatch.setattr(module, "load", slow)
    await reloading.look(nothing)
    assert "brand-new" not in reloading.glossary.concepts


@pytest.mark.parametrize(
    ("left", "used"),
    [(COUNT - 1, True), (COUNT - 3, True), (COUNT - 4, False), (COUNT // 2, False), (0, False)],
)
async def test_a_big_drop_is_taken_for_half_a_file(reloading: Reloading, team: Path, left: int, used: bool) -> None:
    kept = [concept(term) for term in TERMS[:left]]
    text = glossary(*kept) if kept else "topic: things\nconcepts: []\n"
    (team / "glossary" / "things.yaml").write_text(text, encoding="utf-8")
    await looks(reloading)
    assert len(reloading.glossary.concepts) == (left if used else COUNT) + 1
    assert ("half a file" in words(reloading.problems)) is not used


async def test_who_means_it_says_so(reloading: Reloading, team: Path, outcomes: list[Outcome]) -> None:
    (team / "glossary" / "things.yaml").write_text(glossary(concept(TERMS[0])), encoding="utf-8")
    await looks(reloading)
    assert len(reloading.glossary.concepts) == COUNT + 1
    reloading.hurry()
    await reloading.look(nothing)
    assert len(reloading.glossary.concepts) == 2
    assert [outcome.loaded for outcome in outcomes] == [False, True]


async def test_a_wrong_file_stays_wrong_however_much_it_is_meant(reloading: Reloading, team: Path) -> None:
    (team / "glossary" / "things.yaml").write_text("topic: [", encoding="utf-8")
    reloading.hurry()
    await looks(reloading)
    assert len(reloading.glossary.concepts) == COUNT + 1
    assert reloading.problems


async def test_a_glossary_is_prepared_before_anybody_gets_it(reloading: Reloading, team: Path) -> None:
    seen: list[bool] = []

    async def prepare(new: Glossary) -> None:
        await asyncio.sleep(0)
        seen.append(reloading.glossary is new)

    (team / "glossary" / "things.yaml").write_text(BETTER, encoding="utf-8")
    for _ in range(3):
        await reloading.look(prepare)
    assert seen == [False]
    assert "brand-new" in reloading.glossary.concepts


async def test_an_old_glossary_leaves_no_trace(reloading: Reloading, phrases: Phrases, team: Path) -> None:
    bot = Bot(lambda place: reloading.glossary, phrases, MemoryStore())
    await bot.warm(reloading.glossary)
    first = weakref.ref(reloading.glossary)
    for number in range(3):
        message = Message("m1", Place("slack", "T1", "C1"), Person("slack", "T1", "U1"), TERMS[0], NOW)
        await bot.notice(message, NOW)
        await bot.answer(Request(message.author, message.place, "define", TERMS[0], today=DAY))
        new = glossary(*(concept(term) for term in [*TERMS, f"brand-new-{number}"]))
        (team / "glossary" / "things.yaml").write_text(new, encoding="utf-8")
        for _ in range(2):
            await reloading.look(bot.prepare)
        assert f"brand-new-{number}" in reloading.glossary.concepts
    await bot.close()
    gc.collect()
    assert first() is None


def test_what_is_looked_at(team: Path) -> None:
    before = look_at([team])
    assert before.entries == COUNT
    for name in (".things.yaml.swp", "things.yaml~", "4913", ".hidden.yaml", "readme.md"):
        (team / "glossary" / name).write_text("- id: x\n", encoding="utf-8")
    (team / "glossary" / "folder.yaml").mkdir()
    assert look_at([team]).entries == COUNT
    (team / "glossary" / "more.yaml").write_text("- id: x\n", encoding="utf-8")
    assert look_at([team]).entries == COUNT + 1
    (team / "glossary" / "more.yaml").rename(team / "glossary" / "other.yaml")
    assert look_at([team]) != before
    assert look_at([team / "nowhere"]).entries == 0


# While people ask


@asynccontextmanager
async def asked_all_the_time(
    reloading: Reloading, phrases: Phrases
) -> AsyncIterator[list[tuple[str, tuple[str, ...]]]]:
    """Somebody looks up the same term again and again; what they got."""
    answers: list[tuple[str, tuple[str, ...]]] = []
    bot = Bot(lambda place: reloading.glossary, phrases, MemoryStore())

    async def ask() -> None:
        while True:
            request = Request(
                Person("slack", "T1", f"U{len(answers)}"), Place("slack", "T1", "C1"), "define", TERMS[-1], today=DAY
            )
            answer = await bot.answer(request)
            answers.append((answer.kind, answer.concepts))
            await asyncio.sleep(0)

    asking = asyncio.create_task(ask())
    try:
        yield answers
    finally:
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await bot.close()


def slow_write(file: Path) -> Iterator[None]:
    """An editor that empties the file and writes it piece by piece, each cut between two entries or within one."""
    file.write_text("", encoding="utf-8")
    yield
    size = len(BETTER)
    for step in range(1, 5):
        entries = BETTER[: size * step // 5]
        for text in (entries[: entries.rindex("  - id:")], entries):
            file.write_text(text, encoding="utf-8")
            yield
    file.write_text(BETTER, encoding="utf-8")


def renamed(file: Path) -> Iterator[None]:
    """An editor that writes beside the file and puts it in its place."""
    beside = file.with_name(".things.yaml.tmp")
    beside.write_text(BETTER[: len(BETTER) // 2], encoding="utf-8")
    yield
    beside.write_text(BETTER, encoding="utf-8")
    yield
    beside.replace(file)


def deleted(file: Path) -> Iterator[None]:
    """The file is gone for a while, and then the whole directory."""
    file.unlink()
    yield
    shutil.rmtree(file.parent.parent)
    yield
    file.parent.mkdir(parents=True)
    yield
    file.write_text(BETTER, encoding="utf-8")


def half(file: Path) -> Iterator[None]:
    """Half of the entries, and all of it right."""
    file.write_text(glossary(*(concept(term) for term in TERMS[: COUNT // 2])), encoding="utf-8")
    yield
    file.write_text(BETTER, encoding="utf-8")


@pytest.mark.parametrize("change", [slow_write, renamed, deleted, half])
async def test_nobody_is_told_that_a_known_term_is_unknown(
    reloading: Reloading, phrases: Phrases, team: Path, change: Callable[[Path], Iterator[None]]
) -> None:
    async with asked_all_the_time(reloading, phrases) as answers:
        for _ in change(team / "glossary" / "things.yaml"):
            await looks(reloading, 4)
        await looks(reloading)
        assert "brand-new" in reloading.glossary.concepts
    assert len(answers) > 3
    assert set(answers) == {("definition", (TERMS[-1],))}


async def test_a_config_map_is_swapped_in_one_step(
    base: Path, phrases: Phrases, tmp_path: Path, outcomes: list[Outcome]
) -> None:
    """As Kubernetes does it: files are links into `..data`, which is a link to a folder with a date for its name."""
    mounted = tmp_path / "mounted"
    for folder, text in (("..2026_1", GOOD), ("..2026_2", BETTER)):
        (mounted / folder / "glossary").mkdir(parents=True)
        (mounted / folder / "glossary" / "things.yaml").write_text(text, encoding="utf-8")
    (mounted / "..data").symlink_to("..2026_1")
    (mounted / "glossary").symlink_to("..data/glossary")
    reloading = Reloading([base, mounted], [mounted], outcomes.append)
    async with asked_all_the_time(reloading, phrases) as answers:
        await looks(reloading)
        (mounted / "..data_tmp").symlink_to("..2026_2")
        (mounted / "..data_tmp").rename(mounted / "..data")
        shutil.rmtree(mounted / "..2026_1")
        await looks(reloading)
        assert "brand-new" in reloading.glossary.concepts
    assert set(answers) == {("definition", (TERMS[-1],))}
    assert [outcome.loaded for outcome in outcomes] == [True]


async def test_it_looks_by_itself_and_at_once_when_told(
    reloading: Reloading, team: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loaded = asyncio.Event()
    failed: list[int] = []

    async def prepare(new: Glossary) -> None:
        if not failed:
            failed.append(1)
            raise RuntimeError("hunter2")
        loaded.set()

    monkeypatch.setattr(module, "EVERY", 0.01)
    running = asyncio.create_task(reloading.run(prepare))
    (team / "glossary" / "things.yaml").write_text(BETTER, encoding="utf-8")
    await loaded.wait()
    assert "RuntimeError while looking" in caplog.text
    assert "hunter2" not in caplog.text
    monkeypatch.setattr(module, "EVERY", 1000)
    await asyncio.sleep(0.05)  # until it waits for so long
    loaded.clear()
    (team / "glossary" / "things.yaml").write_text(GOOD, encoding="utf-8")
    reloading.hurry()
    await loaded.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
