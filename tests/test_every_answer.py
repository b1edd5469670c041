"""Every concept and comparison, and what their buttons lead to, in every language, for one reader and for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from bot.answer import Answer, Button, Shown
from bot.changes import Forget, SetLanguage
from bot.commands import ACTIONS, Reply
from bot.commands.notes import worded
from bot.glossary.concept import LANGUAGES
from bot.manners import Preview
from bot.request import decode, short_hash
from bot.state.ports import Channel, Figures, Note, Profile
from bot.wording import Voice
from tests.desks import ANA, BO, Desk, buttons, menus
from tests.inspection import faults

SEEN: dict[str, Any] = {
    "channel": Channel("threads", never=frozenset({"sla"}), resting=frozenset({"psi"})),
    "figures": Figures(12, 5, 1),
    "preview": Preview(50, 2, ("ttft", "kv-cache")),
}
"""What the settings of notes have to show."""

SHOWN: tuple[Shown, ...] = (*LANGUAGES, "both")


@pytest.fixture(params=SHOWN)
def reader(request: pytest.FixtureRequest, desk: Desk) -> Desk:
    """Somebody who chose a language, knows two terms, and may set what holds for the channel."""
    knows = Profile(request.param, known=frozenset({"slo", "fp16"}))
    return desk.at(profile=knows, name="Ana", may_set=True, **SEEN)


@pytest.fixture(params=[(shown, public) for shown in SHOWN for public in (False, True)], ids=str)
def here(request: pytest.FixtureRequest, desk: Desk) -> tuple[Desk, bool]:
    """A desk at which answers come in one language, and whether others see them. Ana's own choice differs then."""
    shown, public = request.param
    if public:
        return desk.at(channel=Channel(language=shown), language="en" if shown == "zh-Hans" else "zh-Hans"), True
    return desk.at(language=shown), False


def ask(here: tuple[Desk, bool], action: str, text: str) -> Reply:
    desk, public = here
    return desk.bang(action, text) if public else desk.slash(action, text)


def check(reply: Reply, here: tuple[Desk, bool]) -> Answer:
    desk, public = here
    answer = reply.answer
    assert faults(answer, desk.glossary, desk.phrases, public=public) == []
    assert answer.where == ("public" if public else "private")
    assert answer.language == (desk.channel.language if public else desk.profile.language)
    assert reply.changes == ()
    return answer


def test_every_definition(here: tuple[Desk, bool]) -> None:
    for concept in here[0].glossary.concepts.values():
        for section in concept.sections.values():
            answer = check(ask(here, "define", section.pref_label.text), here)
            assert (answer.kind, answer.concepts) == ("definition", (concept.id,))
            requests = [decode(button.request) for button in buttons(answer)]
            assert sum(press.action == "vs" for press in requests) == min(len(concept.confusable_with), 2)
            assert len(menus(answer)) == bool(concept.related or here[0].glossary.see_also(concept))


def test_every_authored_comparison(here: tuple[Desk, bool]) -> None:
    glossary = here[0].glossary
    for entry in glossary.comparisons.values():
        sides = [
            glossary.concepts[side].sections["en"].pref_label.text if isinstance(side, str) else side.labels["en"][0]
            for side in entry.sides
        ]
        answer = check(ask(here, "vs", " vs ".join(f'"{side}"' for side in sides)), here)
        assert (answer.kind, answer.comparison, answer.concepts) == ("comparison", entry.id, entry.concepts())


def test_pairs_that_nobody_wrote_about(here: tuple[Desk, bool]) -> None:
    glossary = here[0].glossary
    pairs = [pair for pair in combinations(glossary.concepts, 2) if not glossary.comparison(pair)]
    for one, other in pairs[::37]:
        names = [glossary.concepts[side].sections["en"].pref_label.text for side in (one, other)]
        answer = check(ask(here, "vs", f'"{names[0]}" "{names[1]}"'), here)
        assert (answer.kind, answer.comparison, answer.concepts) == ("comparison", None, (one, other))


def test_three_at_once(here: tuple[Desk, bool]) -> None:
    answer = check(ask(here, "vs", "fp16 bf16 int8"), here)
    assert (answer.kind, len(answer.concepts)) == ("comparison", 3)


def test_every_topic_and_page(here: tuple[Desk, bool]) -> None:
    for topic in here[0].glossary.topics.values():
        answer = check(ask(here, "glossary", topic.name["en"]), here)
        assert {here[0].glossary.concepts[concept].topic for concept in answer.concepts} == {topic.id}


# -- Buttons ------------------------------------------------------------------------------------------------------

TYPED = {
    "a definition": ("define", "slo"),
    "an abbreviation": ("define", "TTFT"),
    "a typo": ("define", "speculativ decoding"),
    "a choice": ("define", "drift"),
    "unknown": ("define", "token throughput"),
    "nothing near": ("define", "zzqx"),
    "several": ("define", "TTFT, TPOT"),
    "a comparison": ("vs", "slo sla"),
    "nobody wrote it": ("vs", "slo kv cache"),
    "something else": ("vs", "kv cache vs memory"),
    "an ambiguous side": ("vs", "drift vs slo"),
    "two ambiguous sides": ("vs", "drift vs batching"),
    "an unknown side": ("vs", "slo zzqx"),
    "a side is missing": ("vs", "slo"),
    "the same": ("vs", "slo vs service level objective"),
    "usage of define": ("define", ""),
    "usage of vs": ("vs", ""),
    "usage of search": ("glossary", "search"),
    "an unknown command": ("unknown-command", ""),
    "topics": ("glossary", ""),
    "a topic": ("glossary", "fundamentals"),
    "a search": ("glossary", "search latency"),
    "a search for nothing": ("glossary", "search zzqx"),
    "at random": ("glossary", "random"),
    "language": ("lang", ""),
    "the panel": ("jargonaut", ""),
    "help": ("help", ""),
    "a lone mention": ("mention", ""),
    "a digest": ("explain", "TTFT, TPOT, SLO, SLA, FP16, INT8 and KV cache"),
    "a digest of much": ("explain", "TTFT TPOT SLO SLA FP16 INT8 BF16 P99 AWQ GPTQ, quantization and KV cache"),
    "a digest of nothing": ("explain", "lunch"),
    "notes here": ("autoexplain", ""),
    "no setting of notes": ("autoexplain", "nonsense"),
}

ANNOUNCED = (
    *("auto-off", "auto-threads", "auto-all", "auto-level"),
    *("auto-en", "auto-zh", "auto-both", "auto-auto"),
)
"""Buttons that change what all of a channel may expect, which the channel is told."""


def pressed(desk: Desk, answer: Answer, *, public: bool) -> Iterator[tuple[str, Reply]]:
    for button in buttons(answer):
        yield f"{button.label} ({button.request})", desk.press(button, public=public)


@pytest.mark.parametrize(("action", "text"), TYPED.values(), ids=TYPED)
def test_every_button_on_a_private_message(action: str, text: str, reader: Desk) -> None:
    """Three levels deep. What is pressed replaces the message, and keeps its language unless that is what changes."""
    seen: set[str] = set()

    def walk(desk: Desk, answer: Answer, depth: int) -> None:
        for which, reply in pressed(desk, answer, public=False):
            shared = reply.answer.where == "public"
            announced = any(f"j1:{action}:" in which for action in ANNOUNCED)
            assert shared == ("j1:share" in which or announced), which
            assert shared or reply.answer.where == "replace", which
            assert faults(reply.answer, desk.glossary, desk.phrases, public=shared and not announced) == [], which
            assert reply.answer.kind not in ("error", "silence"), which
            chosen = [change.language for change in reply.changes if isinstance(change, SetLanguage)]
            if not (chosen or announced or Forget() in reply.changes):
                assert reply.answer.language == answer.language, which
            if depth > 1 and not shared and which not in seen:
                seen.add(which)
                there = replace(desk.profile, language=chosen[0]) if chosen else desk.profile
                walk(desk.at(profile=there), reply.answer, depth - 1)

    walk(reader, reader.slash(action, text).answer, 3)


@pytest.mark.parametrize(("action", "text"), TYPED.values(), ids=TYPED)
def test_every_button_on_a_public_message(action: str, text: str, here: tuple[Desk, bool]) -> None:
    """Each gives its presser a private copy, in the presser's language; only a choice of the asker is for all."""
    desk = here[0].at(whispers=False)
    answer = desk.bang(action, text).answer
    for person in (desk, desk.at(person=desk.person.__class__("slack", "T1", "U9"))):
        for which, reply in pressed(person, answer, public=True):
            for_all = person is desk and answer.kind == "choice"
            assert faults(reply.answer, desk.glossary, desk.phrases, public=for_all) == [], which
            assert reply.answer.kind not in ("error", "silence"), which
            assert reply.answer.where == ("replace" if for_all else "private"), which
            if for_all:
                assert reply.answer.language == answer.language, which


@pytest.mark.parametrize(("action", "text"), TYPED.values(), ids=TYPED)
def test_what_is_whispered_is_whispered_whole(action: str, text: str, desk: Desk) -> None:
    """An answer to something typed for all is for all, or the asker's own: in their language, buttons included."""
    answer = desk.at(channel=Channel(language="en"), language="zh-Hans").bang(action, text).answer
    public = answer.where == "public"
    assert answer.language == ("en" if public else "zh-Hans")
    assert faults(answer, desk.glossary, desk.phrases, public=public) == []
    assert public == (answer.kind in ("definition", "comparison", "choice", "list"))


SEVERAL = (("C1", Channel("all")), ("C2", Channel("threads", "zh-Hans")))

NOTED = ("ttft", "kv-cache", "slo")


@pytest.mark.parametrize("shown", SHOWN)
def test_every_button_on_a_note(shown: Shown, desk: Desk) -> None:
    """For the author and for a reader: each gets an answer of their own, and what happens to the note stands in it."""
    chrome = "en" if shown == "both" else shown
    note = worded(NOTED, Voice(desk.glossary, desk.phrases, shown, chrome))
    row = Note("m1", short_hash(ANA), tuple((concept, concept) for concept in NOTED), "n1")
    updated = set()
    for person in (ANA, BO):
        there = desk.at(person=person, note=row, votes=1, name="Ana", language="zh-Hans", **{**SEEN, "may_set": True})
        for which, reply in pressed(there, note, public=True):
            answer = reply.answer
            assert answer.where == "private", which
            assert answer.kind not in ("error", "silence"), which
            assert faults(answer, desk.glossary, desk.phrases) == [], which
            if update := answer.update:
                assert person == ANA, which
                assert update.reply == "n1"
                updated.add(update.answer.concepts if update.answer else ())
                assert update.answer is None or faults(update.answer, desk.glossary, desk.phrases) == [], which
                assert update.answer is None or update.answer.language == shown, which
            for further, second in pressed(there, answer, public=False):
                assert second.answer.kind not in ("error", "silence"), further
    assert updated == {("kv-cache", "slo"), ("ttft", "slo"), ("ttft", "kv-cache"), ()}


def test_every_action_is_reached_from_here(desk: Desk) -> None:
    """The table above covers all buttons there are: a new one without a way to it is no button."""
    reached: set[str] = set()
    profile = desk.at(language="en").profile
    knows = desk.at(profile=profile.__class__(muted=True, known=frozenset({"slo"})))
    note = worded(NOTED, Voice(desk.glossary, desk.phrases, "en", "en"))
    for start in (
        *(desk, knows, desk.at(may_set=True, **SEEN), desk.at(may_set=True, channel=Channel("all", "en"))),
        desk.at(deletable=True, may_set=True, listed=SEVERAL, channel_names=dict.fromkeys(dict(SEVERAL), "ops")),
    ):
        asked = [*TYPED.values(), ("home", ""), ("welcome", "")]
        fresh = [button for action, text in asked for button in buttons(start.slash(action, text).answer)]
        fresh += buttons(start.bang("define", "slo").answer)
        fresh += [*buttons(note), *(Button(m.label, m.overflow) for m in menus(note) if m.overflow)]
        done: set[str] = set()
        while fresh:
            button = fresh.pop()
            action = decode(button.request).action
            reached.add(action)
            if action not in done:
                done.add(action)
                fresh += buttons(start.press(button).answer)
    typed = {"mention", "message", "explain", "autoexplain", "jargonaut", "unknown-command"}
    assert reached | typed | {"home", "welcome", "unreadable", "asked-before"} == set(ACTIONS)
