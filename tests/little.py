"""Little glossaries for tests of rules, where the shipped data would hide which rule did it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.glossary.concept import Concept, Label, LabelKind, Language, LanguageSection
from bot.glossary.glossary import Glossary


def concept(
    id_: str,
    *en: str,
    zh: Sequence[str] = (),
    full: str | None = None,
    hidden: Sequence[str] = (),
    not_labels: Sequence[str] = (),
    text: str = "Something that exists.",
    topic: str = "things",
    related: Sequence[str] = (),
    confusable_with: Sequence[str] = (),
    parts: Collection[str] = (),
    everyday: Collection[str] = (),
    readings: Mapping[str, str] | None = None,
) -> Concept:
    """A concept with English and, if given, Chinese labels; the first of each is the preferred one.

    `hidden` and `not_labels` stand in the first section, `parts` are labels that name a part of the entry, `everyday`
    those that are never explained unasked, `readings` the corrected pinyin of labels, and `text` is the definition.
    """

    def label(written: str, language: Language, kind: LabelKind) -> Label:
        reading = (readings or {}).get(written)
        return Label(written, language, kind, part=written in parts, explain=written not in everyday, pinyin=reading)

    def section(language: Language, labels: Sequence[str], first: bool) -> LanguageSection:
        return LanguageSection(
            language,
            pref_label=label(labels[0], language, "pref"),
            summary=f"what {id_} is",
            definition=text,
            full_form=label(full, language, "full") if full and first else None,
            alt_labels=tuple(label(written, language, "alt") for written in labels[1:]),
            hidden_labels=tuple(label(written, language, "hidden") for written in hidden) if first else (),
            not_labels=tuple(not_labels) if first else (),
        )

    sections: dict[Language, LanguageSection] = {}
    if en:
        sections["en"] = section("en", en, True)
    if zh:
        sections["zh-Hans"] = section("zh-Hans", zh, not en)
    return Concept(id_, topic, 1, sections, related=tuple(related), confusable_with=tuple(confusable_with))


def labelled(*texts: str) -> Glossary:
    """One concept per label, whose id is the label itself."""
    return Glossary(concept(text, text) for text in texts)
