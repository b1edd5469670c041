"""Words: a result and a language -> blocks and buttons. Looks, orders and cuts; decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from bot.answer import Block, Button, Field, Heading, Item, Menu, Note, Paragraph, Shown, Table
from bot.glossary.concept import (
    LANGUAGES,
    Comparison,
    Concept,
    Label,
    Language,
    OtherSide,
    code,
)
from bot.glossary.folding import fold
from bot.glossary.glossary import Glossary
from bot.phrases import Phrases
from bot.request import MAX_CODES, Press, encode

MAX_OTHER_NAMES: Final = 3
MAX_COMPARE_BUTTONS: Final = 2
MAX_SEE_ALSO: Final = 8

DOT: Final = " · "

_folded: Final = lru_cache(maxsize=8_192)(fold)
"""Of names in the glossary, which are few and come again and again."""

_COMMA: Final[dict[Language, str]] = {"en": ", ", "zh-Hans": "、"}
_AND: Final[dict[Language, str]] = {"en": " and ", "zh-Hans": " 和 "}
_VERSUS: Final[dict[Language, str]] = {"en": " vs. ", "zh-Hans": " vs "}


@dataclass(frozen=True, slots=True)
class Voice:
    """How an answer speaks: what is shown in which language, and the language of the bot's own words."""

    glossary: Glossary
    phrases: Phrases
    shown: Shown
    chrome: Language
    asker: str = ""
    """Goes into the buttons of a public answer."""

    def say(self, key: str, **values: str | int) -> str:
        return self.phrases.say(key, self.chrome, **values)

    @property
    def main(self) -> Language:
        """The language that stands first."""
        return self.chrome if self.shown == "both" else self.shown

    @property
    def languages(self) -> tuple[Language, ...]:
        """All languages that are shown, the main one first."""
        if self.shown == "both":
            return (self.main, *(language for language in LANGUAGES if language != self.main))
        return (self.shown,)

    @property
    def comma(self) -> str:
        return _COMMA[self.chrome]

    @property
    def and_(self) -> str:
        return _AND[self.chrome]

    @property
    def versus(self) -> str:
        return _VERSUS[self.main]

    def press(self, action: str, concepts: Iterable[str] = (), *, page: int = 0, switch: Language | None = None) -> str:
        """A button's string. Concepts (or topics) are ids, of which as many as fit become codes."""
        return encode(
            Press(
                action=action,
                codes=tuple(code(concept) for concept in islice(concepts, MAX_CODES)),
                page=page,
                language=switch or self.main,
                both=self.shown == "both" and switch is None,
                switch=switch is not None,
                asker=self.asker,
            )
        )


# -- Labels -------------------------------------------------------------------------------------------------------


def label(concept: Concept, language: Language) -> str:
    """The preferred label in a language, with its qualifier where it has one."""
    section = concept.section(language)
    return f"{section.pref_label.text} ({section.qualifier})" if section.qualifier else section.pref_label.text


def heading(concept: Concept, voice: Voice) -> Heading:
    """Both preferred labels, the reader's language first, an equal one once; the full forms under them."""
    order = (voice.main, *(language for language in LANGUAGES if language != voice.main))
    labels = _once(label(concept, language) for language in order if language in concept.sections)
    sections = [concept.sections[language] for language in order if language in concept.sections]
    forms = _once(section.full_form.text for section in sections if section.full_form)
    return Heading(DOT.join(labels), DOT.join(form for form in forms if form not in labels))


def title(concept: Concept, voice: Voice) -> str:
    return heading(concept, voice).text


def summary(concept: Concept, voice: Voice) -> str:
    return DOT.join(_once(concept.section(language).summary for language in voice.languages))


def _once(texts: Iterable[str]) -> list[str]:
    once: dict[str, str] = {}
    for text in texts:
        once.setdefault(_folded(text), text)
    return list(once.values())


# -- A definition -------------------------------------------------------------------------------------------------


def definition(concept: Concept, voice: Voice, *, typed: Label | None = None) -> list[Block]:
    """Heading, definition, small print. `typed` is the label that was asked for; it's named first among the others."""
    blocks: list[Block] = [heading(concept, voice)]
    written = [language for language in voice.languages if language in concept.sections]
    blocks += [Paragraph(concept.sections[language].definition) for language in written or concept.sections]
    blocks += _unwritten(concept.sections, voice)
    if typed is not None and typed.status == "avoid":
        blocks.append(Note(_avoided(concept, typed, voice)))
    if note := concept.note.get(voice.main) or next(iter(concept.note.values()), ""):
        blocks.append(Note(note))
    if small := _small_print(concept, voice, typed):
        blocks.append(Note(small))
    blocks += _chapters(concept, voice)
    return blocks


def _unwritten(sections: Mapping[Language, object], voice: Voice) -> list[Block]:
    """Says, in each language that is asked for and not written yet, that there's only the other one."""
    written = next(iter(sections))
    missing = [language for language in voice.languages if language not in sections]
    return [Note(voice.phrases.say(f"only.{written}", language)) for language in missing]


def _avoided(concept: Concept, typed: Label, voice: Voice) -> str:
    said = voice.say("avoid", label=typed.text, use=label(concept, typed.language))
    return f"{said} {typed.note}" if typed.note else said


def _small_print(concept: Concept, voice: Voice, typed: Label | None) -> str:
    parts = []
    if names := other_names(concept, voice, typed):
        parts.append(voice.say("also", names=voice.comma.join(names)))
    topic = voice.glossary.topics.get(concept.topic)
    if topic is not None:
        parts.append(topic_name(topic.id, voice))
    if concept.source:
        parts.append(voice.say("source", source=concept.source))
    if concept.contact:
        parts.append(voice.say("contact", contact=concept.contact))
    if concept.reviewed:
        parts.append(voice.say("reviewed", month=concept.reviewed))
    return DOT.join(parts)


def other_names(concept: Concept, voice: Voice, typed: Label | None = None) -> list[str]:
    """Up to three names besides those of the heading, the typed one first. Hidden and avoided ones are never shown."""
    shown = heading(concept, voice)
    taken = {_folded(text) for text in chain(shown.text.split(DOT), shown.detail.split(DOT))}
    candidates = [typed] if typed is not None else []
    for language in voice.languages:
        candidates += concept.section(language).alt_labels
    named = [item.text for item in candidates if item.kind == "alt" and item.status == "admitted" and not item.part]
    return [text for text in _once(named) if _folded(text) not in taken][:MAX_OTHER_NAMES]


def _chapters(concept: Concept, voice: Voice) -> list[Block]:
    blocks: list[Block] = []
    for chapter_id in concept.chapters:
        chapter = voice.glossary.chapters.get(chapter_id)
        if chapter is not None and chapter.url:
            text = chapter.title.get(voice.main) or next(iter(chapter.title.values()))
            blocks.append(Field(voice.say("chapter"), text, chapter.url))
    if concept.link:
        blocks.append(Field(voice.say("link"), concept.link, concept.link))
    return blocks


def compare_buttons(concept: Concept, voice: Voice) -> list[Button]:
    """ "Compare with …" for what people confuse the concept with."""
    others = [voice.glossary.concepts[other] for other in concept.confusable_with[:MAX_COMPARE_BUTTONS]]
    return [
        Button(voice.say("compare_with", label=label(other, voice.main)), voice.press("vs", (concept.id, other.id)))
        for other in others
    ]


def see_also(concept: Concept, voice: Voice, came_from: Sequence[str] = (), page: int = 0) -> list[Menu]:
    """What else to read. `came_from` (and `page`) is how the reader got to `concept`, the last step first."""
    others = voice.glossary.see_also(concept)[:MAX_SEE_ALSO]
    options = tuple(
        Button(
            label(voice.glossary.concepts[other], voice.main),
            voice.press("define", (other, concept.id, *came_from), page=page),
        )
        for other in others
    )
    return [Menu(voice.say("see_also"), options)] if options else []


def define_button(concept: Concept, voice: Voice, text: str = "") -> Button:
    return Button(text or label(concept, voice.main), voice.press("define", (concept.id,)))


def side_buttons(ids: Sequence[str], voice: Voice) -> list[Button]:
    """The sides of a comparison, each with a way back to it."""
    return [
        Button(label(voice.glossary.concepts[side], voice.main), voice.press("side", (side, *ids)))
        for side in dict.fromkeys(ids)
    ]


def versus_button(concepts: Sequence[str], voice: Voice) -> Button:
    """ "A vs. B": the comparison of these concepts."""
    names = [label(voice.glossary.concepts[concept], voice.main) for concept in concepts]
    return Button(voice.versus.join(names), voice.press("vs", concepts))


def language_buttons(
    voice: Voice, action: str, concepts: Sequence[str], *, page: int = 0, automatic: bool = False
) -> list[Button]:
    """The way to the other language; where both are shown because nobody chose (`automatic`), to either."""
    if voice.shown != "both":
        other: Language = "en" if voice.shown == "zh-Hans" else "zh-Hans"
        return [Button(voice.say(f"to.{other}"), voice.press(action, concepts, page=page, switch=other))]
    if not automatic:
        return []
    return [
        Button(voice.phrases.say("only_this", language), voice.press(action, concepts, page=page, switch=language))
        for language in LANGUAGES
    ]


# -- A comparison -------------------------------------------------------------------------------------------------


def comparison_title(names: Sequence[str], voice: Voice) -> str:
    return voice.versus.join(names)


def authored(entry: Comparison, sides: Sequence[str | OtherSide], voice: Voice) -> list[Block]:
    """An authored comparison with its sides in the order asked for: decision first, table last."""
    order = [entry.sides.index(side) for side in sides]
    names = [_side_name(side, voice) for side in sides]
    blocks: list[Block] = [Heading(comparison_title(names, voice))]
    languages = [language for language in voice.languages if language in entry.sections] or list(entry.sections)
    for language in languages:
        section = entry.sections[language]
        blocks.append(Paragraph(section.gist))
        for position, side in zip(order, sides, strict=True):
            blocks.append(Field(_side_name(side, voice, language), section.choose[position]))
    rows = entry.sections[languages[0]].rows
    columns = [_side_name(side, voice, languages[0]) for side in sides]
    cells = tuple((aspect, *(row[position] for position in order)) for aspect, row in rows)
    blocks.append(Table((voice.phrases.say("aspect", languages[0]), *columns), cells))
    return [*blocks, *_unwritten(entry.sections, voice)]


def _side_name(side: str | OtherSide, voice: Voice, language: Language | None = None) -> str:
    language = language or voice.main
    if isinstance(side, OtherSide):
        names = side.labels.get(language) or next(iter(side.labels.values()))
        return names[0]
    return label(voice.glossary.concepts[side], language)


def side_by_side(concepts: Sequence[Concept], voice: Voice) -> list[Block]:
    """What can be said of a pair that nobody wrote about: each one's summary, definition, topic; what they share."""
    names = [label(concept, voice.main) for concept in concepts]
    blocks: list[Block] = [Heading(comparison_title(names, voice)), Note(voice.say("side_by_side"))]
    for concept in concepts:
        written = [language for language in voice.languages if language in concept.sections]
        for language in written or list(concept.sections):
            blocks.append(Field(label(concept, language), concept.sections[language].summary))
            blocks.append(Paragraph(concept.sections[language].definition))
        blocks += _unwritten(concept.sections, voice)
    topics = list(dict.fromkeys(concept.topic for concept in concepts))
    if len(topics) > 1:
        row = (voice.say("topic"), *(topic_name(concept.topic, voice) for concept in concepts))
        blocks.append(Table((voice.say("aspect"), *names), (row,)))
    shared = [voice.glossary.see_also(concept) + concept.confusable_with for concept in concepts]
    common = [other for other in shared[0] if all(other in others for others in shared[1:])]
    common = [other for other in common if other not in {concept.id for concept in concepts}]
    if common:
        labels = voice.comma.join(label(voice.glossary.concepts[other], voice.main) for other in common)
        blocks.append(Note(voice.say("in_common", labels=labels)))
    return blocks


# -- Lists --------------------------------------------------------------------------------------------------------


def topic_name(topic_id: str, voice: Voice) -> str:
    name = voice.glossary.topics[topic_id].name
    return name.get(voice.main) or next(iter(name.values()))


def item(concept: Concept, voice: Voice, *, button: str = "show") -> Item:
    """A concept as one line to choose from."""
    return Item(title(concept, voice), summary(concept, voice), define_button(concept, voice, voice.say(button)))


def concept_buttons(concepts: Iterable[str], voice: Voice) -> list[Button]:
    return [define_button(voice.glossary.concepts[concept], voice) for concept in concepts]
