"""The codec of buttons, and what a button may tell about a person."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import ACTIONS
from bot.errors import ButtonError
from bot.glossary.concept import LANGUAGES, code
from bot.glossary.glossary import Glossary
from bot.request import MAX_BUTTON, MAX_CODES, Message, Person, Place, Press, decode, encode, short_hash
from tests.texts import any_text

codes = st.from_regex("[A-Za-z0-9_-]{7}", fullmatch=True)
presses = st.builds(
    Press,
    action=st.sampled_from(sorted(set(ACTIONS) - {"unknown-command"})),
    codes=st.lists(codes, max_size=MAX_CODES).map(tuple),
    page=st.integers(0, 999),
    language=st.sampled_from([*LANGUAGES, None]),
    both=st.booleans(),
    switch=st.booleans(),
    asker=st.one_of(st.just(""), st.builds(Person, st.text(), st.text(), st.text()).map(short_hash)),
).filter(lambda press: not press.both or (press.language is not None and not press.switch))


@given(presses)
def test_a_button_comes_back_as_it_was(press: Press) -> None:
    """Whatever else it carries, as many concepts as `MAX_CODES` fit."""
    text = encode(press)
    assert text.isascii()
    assert len(text) <= MAX_BUTTON
    assert decode(text) == press


def test_every_concept_and_pair_fits(glossary: Glossary) -> None:
    for one in glossary.concepts:
        for other in glossary.concepts:
            for language in LANGUAGES:
                press = Press("share-vs", (code(one), code(other)), 999, language, both=True, asker="abcde")
                assert len(encode(press)) <= MAX_BUTTON == 100
                assert decode(encode(press)) == press


def test_codes_tell_concepts_and_topics_apart(glossary: Glossary) -> None:
    ids = [*glossary.concepts, *glossary.topics]
    assert len({code(id_) for id_ in ids}) == len(ids)
    assert [glossary.by_code(code(id_)) for id_ in glossary.concepts] == list(glossary.concepts.values())
    assert [glossary.topic_by_code(code(id_)) for id_ in glossary.topics] == list(glossary.topics.values())


def test_a_code_stays_what_it_is() -> None:
    """Old messages carry it."""
    assert code("kv-cache") == "52Uvgs3"


def test_a_button_stays_what_it_is() -> None:
    press = Press("option", ("52Uvgs3", "AAAAAAA"), 2, "zh-Hans", both=True, asker="0a1b2")
    assert encode(press) == "j1:option.2:Z:52Uvgs3AAAAAAA@0a1b2"
    assert encode(Press("lang", language="en", switch=True)) == "j1:lang:e!:"


@pytest.mark.parametrize(
    "press",
    [
        Press("define", ("AAAAAAA",) * (MAX_CODES + 4)),
        Press("define", page=1000),
        Press("define", page=-1),
        Press("定义"),
        Press("Define"),
        Press(""),
        Press("action-too-long"),
        Press("define", ("kv cach",)),
        Press("define", ("KV缓存ab",)),
        Press("define", language="en", both=True, switch=True),
        Press("define", asker="somebody"),
    ],
    ids=[
        *("too-many", "page", "negative", "chinese", "capital", "no-action", "long-action"),
        *("free-text", "chinese-code", "switch-to-both", "a-name"),
    ],
)
def test_what_does_not_fit_is_refused(press: Press) -> None:
    with pytest.raises(ValueError, match="not a button"):
        encode(press)


@pytest.mark.parametrize(
    "text",
    [
        *("", "j1:", "j2:define::", "J1:define::", "define", " j1:define::", "j1:define:: ", "j1:define::\n"),
        *("j1:define:x:", "j1:define::short", "j1:define::52Uvgs3A", "j1:define::52Uvgs缓", "j1:define.1000::"),
        *(
            "j1:define.٣::",
            "j1:define.-1::",
            "j1:define:E!:",
            "j1:define::@",
            "j1:define::@longer",
            "j1:too-long-action::",
        ),
        *("j1:define::" + "A" * 91, "j1:define::52Uvgs3@0a1b2@0a1b2", '{"action": "define"}', "\ud800"),
    ],
)
def test_a_string_of_somebody_else_is_refused(text: str) -> None:
    with pytest.raises(ButtonError):
        decode(text)


@given(st.one_of(any_text, any_text.map("j1:{}".format), st.from_regex(r"j1:[a-z-]*[.\d]*:.*")))
def test_what_is_read_can_be_written(text: str) -> None:
    """Nothing but `ButtonError` comes out of a foreign string, and what is accepted means something."""
    try:
        press = decode(text)
    except ButtonError:
        return
    assert text.isascii()
    assert decode(encode(press)) == press


@pytest.mark.parametrize(
    "other",
    [
        Person("discord", "T1", "U1"),
        Person("slack", "T2", "U1"),
        Person("slack", "T1", "U2"),
        Person("slack", "T", "1U1"),
    ],
    ids=["platform", "home", "id", "run-together"],
)
def test_a_hash_tells_people_apart(other: Person) -> None:
    ana = Person("slack", "T1", "U1")
    assert short_hash(ana) == short_hash(Person("slack", "T1", "U1"))
    assert short_hash(ana) != short_hash(other)
    assert "U1" not in short_hash(ana)


@pytest.mark.parametrize("of", ["thr", "1", "50", "200"])
def test_a_digest_names_the_messages_in_its_action(of: str) -> None:
    press = Press(f"digest-{of}", page=199, language="zh-Hans", both=True, asker="0a1b2")
    assert decode(encode(press)) == press


@pytest.mark.parametrize("action", sorted(set(ACTIONS) - {"unknown-command"}))
def test_every_action_fits_with_as_many_concepts_as_may_be(action: str) -> None:
    press = Press(action, ("AAAAAAA",) * MAX_CODES, 999, "zh-Hans", both=True, asker="0a1b2")
    assert decode(encode(press)) == press


def test_a_message_is_a_persons_and_not_to_the_bot_unless_said() -> None:
    message = Message("m1", Place("slack", "T1", "C1"), Person("slack", "T1", "U1"), "hi", datetime.now(UTC))
    assert (message.from_person, message.to_bot, message.link) == (True, False, None)
