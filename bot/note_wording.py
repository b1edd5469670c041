"""Words for what nobody asked for, and for a digest of what was said: notes under messages, terms of a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.answer import Block, Button, Field, Heading, Item, Menu, Paragraph, Shown
from bot.glossary.concept import Concept, Language
from bot.wording import DOT, Voice, define_button, heading, label, language_buttons, summary

DIGEST_PAGE: Final = 5


def note(concepts: Sequence[Concept], voice: Voice) -> tuple[list[Block], list[Button | Menu]]:
    """At most three lines that speak to readers and never to the author; everything else is behind buttons."""
    blocks: list[Block] = [Paragraph(voice.say("note.title", count=len(concepts)))]
    blocks += [Item(named(concept, voice), summary(concept, voice)) for concept in concepts]
    ids = [concept.id for concept in concepts]
    buttons: list[Button | Menu] = [define_button(concept, voice) for concept in concepts]
    buttons += language_buttons(voice, "note", ids)
    buttons.append(more(ids, voice))
    return blocks, buttons


def named(concept: Concept, voice: Voice) -> str:
    """The name with what it stands for, or with its name in the other language."""
    section = concept.section(voice.main)
    if section.full_form is None:
        return heading(concept, voice).text
    return voice.say("note.full_form", label=label(concept, voice.main), full=_in_running_text(section.full_form.text))


def _in_running_text(full_form: str) -> str:
    """ "Time to first token" stands small in brackets; a name with capitals of its own stays as it is."""
    rest = full_form[1:]
    return full_form[:1].lower() + rest if rest == rest.lower() else full_form


SPOKEN: Final[tuple[tuple[Shown, Language], ...]] = (
    ("en", "en"),
    ("zh-Hans", "zh-Hans"),
    ("both", "en"),
    ("both", "zh-Hans"),
)
"""How a note speaks: what is shown, and the language of the bot's own words. A button that changes a note says which it
is where others have a page, counted from 1, because on a private page of options its own language is the reader's."""


def more(concepts: Sequence[str], voice: Voice, page: int = 0) -> Menu:
    """What can be done about a note; who may do what is decided when it's pressed.

    `page`: how the note speaks, as its buttons say it; 0: as `voice` does.
    """
    page = page or SPOKEN.index((voice.shown, voice.chrome)) + 1
    several = len(concepts) > 1
    wrong = [
        Button(
            voice.say("note.wrong_one", label=label(voice.glossary.concepts[concept], voice.main))
            if several
            else voice.say("note.wrong"),
            voice.press("note-wrong", (concept,), page=page),
        )
        for concept in concepts
    ]
    others = (("know", "know"), ("mute", "note-mute"), ("remove", "note-remove"), ("channel", "note-channel"))
    rest = [Button(voice.say(f"note.{key}"), voice.press(action, concepts)) for key, action in others]
    return Menu("⋯", (*wrong, *rest), overflow=voice.press("note-more", concepts, page=page))


@dataclass(frozen=True, slots=True)
class Used:
    """A concept that was used in what was read, and where for the first time."""

    concept: Concept
    link: str | None = None


def digest(
    used: Sequence[Used],
    voice: Voice,
    *,
    title: str,
    known: int,
    page: int = 0,
    press: Callable[[str], str] | None = None,
) -> list[Block]:
    """One page of a digest: label, summary, link and a button per concept. Authors aren't named.

    `press`: the string of the button that opens a concept; None: the one that opens it anywhere.
    """
    pages = max(1, -(-len(used) // DIGEST_PAGE))
    page = min(page, pages - 1)
    parts = [title, voice.say("terms", count=len(used) + known)]
    if known:
        parts.append(voice.say("digest.known", count=known))
    blocks: list[Block] = [Heading(DOT.join(parts))]
    for entry in used[page * DIGEST_PAGE : (page + 1) * DIGEST_PAGE]:
        button = define_button(entry.concept, voice, voice.say("show"))
        if press is not None:
            button = replace(button, request=press(entry.concept.id))
        blocks.append(Item(heading(entry.concept, voice).text, summary(entry.concept, voice), button))
        if entry.link:
            blocks.append(Field(voice.say("digest.first"), voice.say("digest.message"), entry.link))
    if not used:
        blocks.append(Paragraph(voice.say("digest.all_known" if known else "digest.nothing")))
    return blocks
