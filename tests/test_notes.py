"""The buttons of a note: who may do what, what changes, and what the note says afterwards."""

from __future__ import annotations

import pytest

from bot.answer import Answer
from bot.changes import KeepOnly, Know, KnownHere, SetMuted, SettleWrong
from bot.commands.answering import voice_of
from bot.commands.notes import VOTES, worded
from bot.glossary.concept import LANGUAGES, Language, code
from bot.request import decode, short_hash
from bot.state.ports import Channel, Note
from bot.wording import Voice
from tests.desks import ANA, BO, Desk, button, buttons, labels, menus, said
from tests.inspection import faults

TERMS = (("ttft", "time to first token"), ("continuous-batching", "continuous batching"))
NOTE = Note("m1", short_hash(ANA), TERMS, "n1")


@pytest.fixture
def author(desk: Desk) -> Desk:
    return desk.at(note=NOTE)


@pytest.fixture
def reader(desk: Desk) -> Desk:
    return desk.at(note=NOTE, person=BO)


def shown(desk: Desk, *concepts: str, language: Language = "en") -> Answer:
    voice = voice_of(desk.at(language=language).situation(desk.request("message")))
    return worded(concepts or ("ttft", "continuous-batching"), voice)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_note_is_for_all_and_short(language: Language, desk: Desk) -> None:
    answer = shown(desk, language=language)
    assert (answer.kind, answer.where, answer.language) == ("explanation", "public", language)
    assert answer.concepts == ("ttft", "continuous-batching")
    assert len(said(answer).splitlines()) == 5
    assert faults(answer, desk.glossary, desk.phrases) == []


def test_every_concept_makes_a_note(desk: Desk) -> None:
    for language in LANGUAGES:
        for concept in desk.glossary.concepts:
            assert faults(shown(desk, concept, language=language), desk.glossary, desk.phrases) == []


# -- Another language ---------------------------------------------------------------------------------------------


def test_another_language_is_a_private_copy_that_saves_nothing(reader: Desk) -> None:
    reply = reader.press(button(shown(reader), "中文"), public=True)
    assert (reply.answer.where, reply.answer.language, reply.changes) == ("private", "zh-Hans", ())
    assert reply.answer.concepts == ("ttft", "continuous-batching")
    assert "Always 中文" in labels(reply.answer) or "以后都用中文" in labels(reply.answer)


# -- Wrong meaning ------------------------------------------------------------------------------------------------


def test_the_author_decides_alone(author: Desk) -> None:
    reply = author.at(votes=1).press(button(shown(author), "Wrong meaning: TTFT"), public=True)
    assert reply.changes == (
        SettleWrong("ttft", "time to first token"),
        KeepOnly("m1", ("continuous-batching",)),
    ), "the label that was used, not the concept's name"
    assert said(reply.answer).startswith("Thanks. It won't be explained in this thread")
    assert reply.answer.where == "private"
    update = reply.answer.update
    assert update is not None
    assert update.reply == "n1"
    assert update.answer == shown(author, "continuous-batching")


@pytest.mark.parametrize(("votes", "settled"), [(0, False), (1, False), (2, True), (3, True)])
def test_readers_decide_together(votes: int, settled: bool, reader: Desk) -> None:
    reply = reader.at(votes=votes).press(button(shown(reader), "Wrong meaning: TTFT"), public=True)
    assert bool(reply.changes) == bool(reply.answer.update) == settled
    assert said(reply.answer).startswith("Thanks. It won't" if settled else "Thanks. If another reader says so too")
    assert VOTES == 2


def test_the_last_term_takes_the_note_with_it(author: Desk) -> None:
    author = author.at(note=Note("m1", short_hash(ANA), TERMS[:1], "n1"))
    reply = author.press(button(shown(author, "ttft"), "Wrong meaning here"), public=True)
    assert KeepOnly("m1", ()) in reply.changes
    assert reply.answer.update is not None
    assert reply.answer.update.answer is None


def test_a_term_that_was_taken_out_is_gone(author: Desk) -> None:
    author = author.at(note=Note("m1", short_hash(ANA), TERMS[1:], "n1"))
    reply = author.press(button(shown(author), "Wrong meaning: TTFT"), public=True)
    assert (said(reply.answer), reply.changes) == ("That note is no longer there.", ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_note_keeps_its_language(language: Language, author: Desk) -> None:
    note = shown(author, language=language)
    wrong = author.phrases.say("note.wrong_one", language, label="TTFT")
    reply = author.at(language="en", votes=1).press(button(note, wrong), public=True)
    assert reply.answer.language == "en", "the presser's own"
    assert reply.answer.update is not None
    assert reply.answer.update.answer is not None
    assert reply.answer.update.answer.language == language


def test_a_note_in_both_languages_stays_so(author: Desk) -> None:
    both = author.at(channel=Channel("all", "both"))
    voice = Voice(both.glossary, both.phrases, "both", "en")
    wrong = button(worded(["ttft", "continuous-batching"], voice), "Wrong meaning: TTFT")
    reply = both.at(language="zh-Hans").press(wrong, public=True)
    assert reply.answer.update is not None
    assert reply.answer.update.answer == worded(["continuous-batching"], voice)


# -- Remove -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("person", "may", "removed"),
    [
        pytest.param(ANA, False, True, id="author"),
        pytest.param(BO, True, True, id="moderator"),
        pytest.param(BO, False, False, id="reader"),
    ],
)
def test_who_may_remove_it(person: object, may: bool, removed: bool, author: Desk) -> None:
    there = author.at(person=person, may_remove=may)
    reply = there.press(button(shown(author), "Remove this note"), public=True)
    assert reply.answer.where == "private"
    assert (KeepOnly("m1", ()) in reply.changes) == bool(reply.answer.update) == removed
    assert said(reply.answer) == (
        "The note is removed."
        if removed
        else "Only the author of the message, or whoever may delete messages here, can remove the note."
    )


@pytest.mark.parametrize("action", ["note-wrong", "note-remove"])
def test_a_note_that_is_gone(action: str, desk: Desk) -> None:
    reply = desk.press(f"j1:{action}:e:{code('ttft')}", public=True)
    assert (said(reply.answer), reply.answer.where, reply.changes) == ("That note is no longer there.", "private", ())


@pytest.mark.parametrize("action", ["note-wrong", "note-remove"])
def test_a_store_that_is_away_is_no_note_that_is_gone(action: str, desk: Desk) -> None:
    reply = desk.at(reachable=False).press(f"j1:{action}:e:{code('ttft')}", public=True)
    assert said(reply.answer) == desk.phrases.say("store_away", "en")


@pytest.mark.parametrize("label", ["Wrong meaning: TTFT", "Remove this note"])
def test_what_can_not_be_saved_changes_no_note(label: str, author: Desk) -> None:
    unsaved = author.press(button(shown(author), label), public=True).unsaved
    assert unsaved is not None
    assert (said(unsaved), unsaved.update) == (author.phrases.say("store_away", "en"), None)


# -- What people want, and the way to the settings ------------------------------------------------------------------


def test_known_ones(reader: Desk) -> None:
    reply = reader.press(button(shown(reader), "I know these"), public=True)
    terms = ("ttft", "continuous-batching")
    assert reply.changes == (Know(terms), KnownHere(terms, True))
    assert reply.answer.where == "private"
    assert reply.answer.update is None, "others still read it"


def test_not_under_my_messages(reader: Desk) -> None:
    reply = reader.press(button(shown(reader), "Not under my messages"), public=True)
    assert reply.changes == (SetMuted(True),)
    assert (reply.answer.where, reply.answer.update) == ("private", None)


def test_the_way_to_the_channels_settings(reader: Desk) -> None:
    answer = reader.press(button(shown(reader), "Notes in this channel…"), public=True).answer
    assert (answer.kind, answer.where) == ("setting", "private")
    assert said(answer).startswith("Jargon notes in this channel")


# -- As a page ----------------------------------------------------------------------------------------------------


def test_the_options_as_a_page_speak_the_readers_language_and_leave_the_notes(author: Desk) -> None:
    """For platforms without an overflow menu."""
    note = shown(author)
    (menu,) = (menu for menu in menus(note) if menu.overflow)
    page = author.at(language="zh-Hans").press(menu.overflow, public=True).answer
    assert (page.where, page.language) == ("private", "zh-Hans")
    assert [decode(entry.request).action for entry in buttons(page)] == [
        decode(option.request).action for option in menu.options
    ]
    wrong = button(page, author.phrases.say("note.wrong_one", "zh-Hans", label="TTFT"))
    update = author.at(language="zh-Hans").press(wrong).answer.update
    assert update is not None
    assert update.answer == shown(author, "continuous-batching")


@pytest.mark.parametrize("page", [0, 9])
def test_a_button_of_another_version_is_no_fault(page: int, author: Desk) -> None:
    press = f"j1:note-wrong.{page}:e:{code('ttft')}" if page else f"j1:note-wrong:e:{code('ttft')}"
    update = author.at(language="en").press(press, public=True).answer.update
    assert update is not None
    assert update.answer == shown(author, "continuous-batching")
