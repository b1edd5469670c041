"""`vs`: how two or three things differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.answer import Block, Button, Item, Menu, Note, Paragraph
from bot.commands.answering import answer, browse_button, error, gone, pressed_concepts, voice_of
from bot.commands.showing import quote, share_buttons, show, showing, switched
from bot.commands.situation import Reply, Situation
from bot.commands.unknown import unknown
from bot.glossary.concept import Comparison, Concept, OtherSide
from bot.glossary.folding import fold
from bot.glossary.frames import asks_for_difference
from bot.glossary.questions import MAX_QUESTION
from bot.glossary.resolver import Ambiguous, Found, NotFound, Suggested, certain
from bot.glossary.sides import MAX_SIDES, Side, has_separator, split
from bot.wording import (
    authored,
    compare_buttons,
    define_button,
    item,
    label,
    language_buttons,
    side_buttons,
    side_by_side,
    summary,
    title,
    versus_button,
)


def vs(s: Situation) -> Reply:
    """Two or three sides, typed in any way; or the button of a comparison."""
    if s.request.press is not None:
        ids = pressed_concepts(s)
        if len(ids) != len(s.request.press.codes) or not ids:
            return gone(s)
        if len(ids) == 1:
            entry = next((e for e in s.glossary.comparisons.values() if e.other() and ids[0] in e.concepts()), None)
            return _authored(s, entry, entry.sides) if entry else gone(s)
        return _compared(s, ids)
    text = s.request.text
    if len(text) > MAX_QUESTION:
        s = s.whispered()
        return error(s, "usage", "too_long", [browse_button(s)])
    return compare(s, split(text, s.glossary, question=_is_question(text)))


def _is_question(text: str) -> bool:
    """Whether the argument of `vs` asks in words ("difference between …"), instead of naming its sides."""
    return asks_for_difference(text) and not has_separator(text)


def compare(s: Situation, sides: Sequence[Side]) -> Reply:
    """The sides of a comparison, however they were found."""
    if len(sides) > MAX_SIDES:
        return error(s, "usage", "usage.vs.many")
    if len(sides) < 2 or any(not fold(side.text) for side in sides):
        return _missing(s, sides)
    if len(sides) == 2 and (with_other := _with_other(s, sides)):
        return _authored(s, *with_other)
    if any(isinstance(side.means, Suggested | NotFound) for side in sides):
        known = [side.means.concept for side in sides if isinstance(side.means, Found)]
        return unknown(s, sides, complete=list(dict.fromkeys(known)))
    if any(isinstance(side.means, Ambiguous) for side in sides):
        return _which_side(s, sides)
    found = [side.means for side in sides if isinstance(side.means, Found)]
    ids = [means.concept for means in found]
    if len(set(ids)) < len(ids):
        return _same(s, found)
    corrected = [side for side in sides if isinstance(side.means, Found) and side.means.corrected]
    return _compared(s, ids, corrected)


def _with_other(s: Situation, sides: Sequence[Side]) -> tuple[Comparison, Sequence[str | OtherSide]] | None:
    """One side is a concept, and the other names something that is none, as in "KV cache vs memory"."""
    for side, counterpart, turned in ((sides[0], sides[1], False), (sides[1], sides[0], True)):
        if isinstance(side.means, Found) and certain(counterpart.text, s.glossary) is None:
            entry = s.glossary.with_other(counterpart.text, side.means.concept)
            if entry is not None and (other := entry.other()) is not None:
                return entry, (other, side.means.concept) if turned else (side.means.concept, other)
    return None


def _authored(s: Situation, entry: Comparison, sides: Sequence[str | OtherSide]) -> Reply:
    voice = voice_of(s)
    ids = [side for side in sides if isinstance(side, str)]
    buttons: list[Button | Menu] = [
        *language_buttons(voice, "vs", ids),
        *share_buttons(s, "share-vs", ids),
        *side_buttons(ids, voice),
    ]
    return switched(s, "comparison", authored(entry, sides, voice), buttons, concepts=tuple(ids), comparison=entry.id)


def _compared(s: Situation, ids: Sequence[str], corrected: Sequence[Side] = ()) -> Reply:
    voice = voice_of(s)
    concepts = [s.glossary.concepts[i] for i in ids]
    entry = s.glossary.comparison(ids)
    blocks: list[Block] = []
    for side in corrected:
        assert isinstance(side.means, Found)
        blocks.append(Note(showing(s, label(s.glossary.concepts[side.means.concept], voice.main), side.text)))
    blocks += authored(entry, ids, voice) if entry else side_by_side(concepts, voice)
    buttons: list[Button | Menu] = [
        *([] if corrected and s.quotes else language_buttons(voice, "vs", ids)),
        *share_buttons(s, "share-vs", ids),
        *side_buttons(ids, voice),
        *_add_buttons(s, concepts),
    ]
    return switched(s, "comparison", blocks, buttons, concepts=tuple(ids), comparison=entry.id if entry else None)


def _add_buttons(s: Situation, concepts: Sequence[Concept]) -> list[Button]:
    """ "Add SLI" to a comparison of two, for what both or one of them is confused with."""
    if len(concepts) >= MAX_SIDES:
        return []
    ids = [concept.id for concept in concepts]
    voice = voice_of(s)
    near = [other for concept in concepts for other in concept.confusable_with if other not in ids]
    near.sort(key=lambda other: -near.count(other))
    return [
        Button(s.say("add", label=label(s.glossary.concepts[other], voice.main)), voice.press("vs", (*ids, other)))
        for other in near[:1]
    ]


def _missing(s: Situation, sides: Sequence[Side]) -> Reply:
    side = next((side for side in sides if fold(side.text)), None)
    if side is None or not isinstance(side.means, Found):
        return error(s, "missing", "usage.vs")
    s = s.whispered()
    voice = voice_of(s)
    concept = s.glossary.concepts[side.means.concept]
    others = (*concept.confusable_with, *s.glossary.see_also(concept))[:4]
    buttons = [versus_button((concept.id, other), voice) for other in others]
    return error(s, "missing", "missing.side", buttons, concepts=(concept.id,), label=label(concept, voice.main))


def _same(s: Situation, found: Sequence[Found]) -> Reply:
    """Two names of one thing; two different parts of one entry are answered with that entry."""
    twice = next(means for number, means in enumerate(found) if means.concept in [m.concept for m in found[:number]])
    concept = s.glossary.concepts[twice.concept]
    names = list({fold(means.label.text): means.label for means in found if means.concept == concept.id}.values())
    if len(names) > 1 and any(name.part for name in names) and len({m.concept for m in found}) == 1:
        return show(s, concept)
    s = s.whispered()
    voice = voice_of(s)
    shown = label(concept, voice.main)
    visible = [name.text for name in names if name.kind != "hidden"]
    text = (
        s.say("same.names", names=voice.and_.join(visible), label=shown)
        if len(visible) > 1
        else s.say("same", label=shown)
    )
    different = list(dict.fromkeys(means.concept for means in found))
    rest = [versus_button(different, voice)] if len(different) > 1 else []
    buttons: list[Button | Menu] = [*rest, define_button(concept, voice), *compare_buttons(concept, voice)]
    blocks: list[Block] = [Paragraph(text), Item(title(concept, voice), summary(concept, voice))]
    return Reply(answer(s, "error", blocks, buttons, concepts=(concept.id,), error="same"))


def _which_side(s: Situation, sides: Sequence[Side]) -> Reply:
    """An ambiguous side: each option completes the comparison, or leads to the choice of the next ambiguous side."""
    number = next(n for n, side in enumerate(sides) if isinstance(side.means, Ambiguous))
    rest = [side.means for n, side in enumerate(sides) if n != number]
    fixed = [means.concept for means in rest if isinstance(means, Found)]
    means = sides[number].means
    assert isinstance(means, Ambiguous)
    options = [option for option in means.concepts if option not in fixed] or list(means.concepts)
    if len(options) == 1:
        sure = Found(options[0], s.glossary.concepts[options[0]].labels()[0])
        return compare(s, [*sides[:number], replace(sides[number], means=sure), *sides[number + 1 :]])
    next_side = next((means.concepts for means in rest if isinstance(means, Ambiguous)), ())
    items = [_completing(s, option, [*fixed[:number], option, *fixed[number:]], next_side) for option in options]
    blocks: list[Block] = [_which(s, sides[number].text, len(options)), *items]
    return Reply(answer(s, "choice", blocks, concepts=tuple(options)))


def _which(s: Situation, typed: str, count: int) -> Paragraph:
    number = s.say(f"number.{min(count, 9)}")
    if s.private:
        return Paragraph(s.say("choice.typed", typed=quote(typed), count=number))
    return Paragraph(s.say("choice", count=number))


def _completing(s: Situation, option: str, chosen: Sequence[str], options: Sequence[str] = ()) -> Item:
    """One option: with it, the sides are `chosen`, and one of `options` is still to be chosen, if there are any."""
    voice = voice_of(s)
    options = [other for other in options if other not in chosen]
    if options:
        press = voice.press("pick", (*chosen, *options), page=len(chosen))
    else:
        press = voice.press("option-vs", dict.fromkeys(chosen))
    return replace(item(s.glossary.concepts[option], voice), button=Button(s.say("compare"), press))


def pick(s: Situation) -> Reply:
    """The next of several ambiguous sides: the first codes, as many as `page` says, are the sides that are certain."""
    press, ids = s.request.press, pressed_concepts(s)
    if press is None or not 0 < press.page < len(ids) or len(ids) < len(press.codes):
        return gone(s)
    chosen, options = ids[: press.page], ids[press.page :]
    voice = voice_of(s)
    text = s.say("pick", label=voice.and_.join(label(s.glossary.concepts[side], voice.main) for side in chosen))
    items = [_completing(s, option, [*chosen, option]) for option in options]
    return Reply(answer(s, "choice", [Paragraph(text), *items], concepts=tuple(options)))
