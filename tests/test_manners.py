"""When jargon is explained unasked: every manner of `tests/manner_cases.py`, played through the real bot.

`docs/MANNERS.md` is made from the same table: `python tests/test_manners.py --write` renews it.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from bot.glossary.detector import Detector  # noqa: E402 - the path above comes first
from bot.glossary.glossary import Glossary  # noqa: E402
from bot.glossary.yaml_files import Loaded, load, shipped  # noqa: E402
from bot.manners import MAX_AGE, SPELT_OUT, Preview, Silence, candidates, preview, silent  # noqa: E402
from bot.phrases import Phrases  # noqa: E402
from bot.state.memory import MemoryStore  # noqa: E402
from bot.state.ports import Channel, Limits, Profile, Store  # noqa: E402
from tests.manner_cases import CASES, SECTIONS, STORED  # noqa: E402
from tests.stores import opened  # noqa: E402
from tests.stories import WHERE, Case, Outcome, Says, Scene, person  # noqa: E402

DOCUMENT = ROOT / "docs/MANNERS.md"


@pytest.fixture(scope="module")
def glossary(loaded: Loaded) -> Glossary:
    """The shipped concepts that the stories are about, so that each bot gets its own detector in no time."""
    ids = "ttft tpot continuous-batching speculative-decoding kv-cache slo sla int8 fp16 pruning".split()
    chosen = (replace(loaded.glossary.concepts[id_], related=(), confusable_with=()) for id_ in ids)
    whole = loaded.glossary
    return Glossary(chosen, whole.topics.values(), whole.chapters.values(), contexts=whole.contexts)


async def played(case: Case, glossary: Glossary, phrases: Phrases, store: Store) -> Outcome | None:
    """What becomes of the last step; that silence has the reason that the table names is looked at on the way."""
    scene = Scene.of(glossary, phrases, store)
    for place in WHERE:
        await store.channels.set(place, case.channel, person("Eve"))
    *before, last = case.steps
    for step in before:
        await step.happen(scene)
    if (why := case.outcome.reason) not in (None, Silence.STORE_AWAY):
        assert isinstance(last, Says)
        assert await reason(last, scene, glossary) == (None if why == Silence.SAID_BEFORE else why)
    return await last.happen(scene)


async def reason(said: Says, scene: Scene, glossary: Glossary) -> Silence | None:
    """Why the message gets no note; None: that's for the store to decide."""
    message = said.message(scene)
    channel = await scene.store.channels.get(message.place)
    profile = await scene.store.people.get(message.author)
    why = silent(message, channel, profile, scene.now)
    return why or candidates(Detector(glossary).mentions(message.text), channel, profile, glossary).silence


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_manners(case: Case, glossary: Glossary, phrases: Phrases) -> None:
    assert await played(case, glossary, phrases, MemoryStore()) == case.outcome, case.why


@pytest.mark.parametrize("case", [case for section in STORED for case in SECTIONS[section]], ids=lambda case: case.id)
async def test_manners_are_kept_over_a_database(
    case: Case, glossary: Glossary, phrases: Phrases, tmp_path: Path
) -> None:
    async with opened("sqlite", tmp_path) as store:
        assert await played(case, glossary, phrases, store) == case.outcome, case.why


# -- The table ----------------------------------------------------------------------------------------------------


def test_ids_are_unique() -> None:
    assert [id_ for id_, count in Counter(case.id for case in CASES).items() if count > 1] == []


def test_every_reason_for_silence_has_its_case() -> None:
    assert {case.outcome.reason for case in CASES} == {*Silence, None}


def test_silence_is_what_has_a_reason() -> None:
    """But for a message that was silent before it was edited."""
    assert {case.id for case in CASES if (case.outcome.kind == "silence") != (case.outcome.reason is not None)} == {
        "edited-into-a-term"
    }


# -- What the table leaves to the function ------------------------------------------------------------------------


def found(text: str, glossary: Glossary) -> list[str]:
    everywhere = Channel(mode="all")
    chosen = candidates(Detector(glossary).mentions(text), everywhere, Profile(), glossary)
    assert (chosen.silence is None) == bool(chosen.mentions)
    return [mention.concept for mention in chosen.mentions]


@pytest.mark.parametrize(
    ("between", "spelt_out"),
    [
        pytest.param(" (", True, id="brackets"),
        pytest.param(" – ", True, id="dash"),
        pytest.param("." * SPELT_OUT, True, id="as-far-as-may-be"),
        pytest.param("." * (SPELT_OUT + 1), False, id="too-far"),
    ],
)
def test_two_names_side_by_side_spell_each_other_out(between: str, spelt_out: bool, glossary: Glossary) -> None:
    for one, other in (("TTFT", "time to first token"), ("time to first token", "TTFT")):
        assert found(f"the {one}{between}{other}", glossary) == ([] if spelt_out else ["ttft"])


@pytest.mark.parametrize("text", ["TTFT, ttft", "TTFT and TTFTs", "SLO (TTFT)"])
def test_one_name_twice_spells_nothing_out(text: str, glossary: Glossary) -> None:
    assert "ttft" in found(text, glossary)


def test_a_message_is_too_old_after_two_minutes() -> None:
    assert MAX_AGE.total_seconds() == 120


def test_limits_are_those_of_the_document() -> None:
    limits = Limits()
    assert (limits.per_message, limits.per_thread, limits.per_hour, limits.again_after.days) == (3, 3, 6, 7)


# -- The preview --------------------------------------------------------------------------------------------------


def test_a_preview_says_what_notes_would_have_said(glossary: Glossary, phrases: Phrases) -> None:
    scene = Scene.of(glossary, phrases, MemoryStore())
    said = [
        *(Says("TTFT got worse"), Says("TTFT again"), Says("!define SLO"), Says("Lunch?")),
        *(Says("SLA", from_person=False), Says("SLO", to_bot=True), Says("SLA, FP16, TPOT, SLO, KV cache")),
    ]
    seen = preview([entry.message(scene) for entry in said], Detector(glossary), glossary)
    assert seen == Preview(messages=7, notes=2, concepts=("ttft", "tpot", "slo", "kv-cache"))


def test_a_preview_of_nothing(glossary: Glossary) -> None:
    assert preview([], Detector(glossary), glossary) == Preview(0, 0, ())


def test_a_preview_looks_at_old_messages_too(glossary: Glossary, phrases: Phrases) -> None:
    """They were in time when they were sent."""
    scene = Scene.of(glossary, phrases, MemoryStore())
    seen = preview([Says("TTFT", late=MAX_AGE * 99).message(scene)], Detector(glossary), glossary)
    assert seen.notes == 1


# -- The document -------------------------------------------------------------------------------------------------

RESULTS = {
    "silence": "silence",
    "stays": "the note stays as it is",
    "gone": "**the note goes**",
}


def document(glossary: Glossary) -> str:
    limits = Limits()
    parts = [
        "# When the bot explains jargon unasked",
        "",
        "Where `/autoexplain` is on, the bot puts a short note under a message whose terms newcomers may not know.",
        "It speaks to readers and never to the author, names nobody, corrects nobody, and pings nobody.",
        "",
        f"A note explains at most {limits.per_message} terms. A thread gets at most {limits.per_thread} notes,",
        f"a channel {limits.per_hour} an hour. A term is explained once per thread, and once per channel in"
        f" {limits.again_after.days} days. What is too",
        "much is dropped, not queued. Whenever the bot isn't sure, it's silent.",
        "",
        "A note can be edited or removed, but not hidden from one reader. No text of a message is kept.",
        "",
        "Each line below is played through the real bot in `tests/test_manners.py`, which writes this file from"
        " `tests/manner_cases.py`.",
        "Where nothing else is said, notes are on for all messages of the channel.",
    ]
    for title, cases in SECTIONS.items():
        parts += ["", f"## {title}", "", "| what happens | the bot | why |", "|---|---|---|"]
        parts += [f"| {_story(case)} | {_result(case.outcome, glossary)} | {case.why} |" for case in cases]
    return "\n".join(parts) + "\n"


def _story(case: Case) -> str:
    settings = {"off": "notes are off", "threads": "notes are on in threads", "all": ""}[case.channel.mode]
    if case.channel.advanced:
        settings = "specialists' terms only"
    steps = [step for step in (settings, *map(str, case.steps)) if step]
    return "<br>".join(step[:1].upper() + step[1:] for step in steps)


def _result(outcome: Outcome, glossary: Glossary) -> str:
    if outcome.kind in RESULTS:
        return RESULTS[outcome.kind]
    labels = [glossary.concepts[concept].sections["en"].pref_label.text for concept in outcome.concepts]
    return f"**{'note' if outcome.kind == 'note' else 'the note keeps'}**: {', '.join(labels)}"


def test_the_document_is_made_from_the_table(glossary: Glossary) -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(glossary), "run: python tests/test_manners.py --write"


def test_every_case_is_a_line_of_the_document(glossary: Glossary) -> None:
    rows = [line for line in document(glossary).splitlines() if line.startswith("| ") and "what happens" not in line]
    assert len(rows) == len(CASES)
    assert [row for row in rows if row.replace("\\|", "").count("|") != 4] == []


if __name__ == "__main__" and "--write" in sys.argv:
    DOCUMENT.write_text(document(load([shipped()]).glossary), encoding="utf-8")
