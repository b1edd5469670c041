"""Glossaries of several sizes: fewer concepts than the shipped ones, or more."""

from __future__ import annotations

import random
import re
from typing import Final

from bot.glossary.concept import Concept, Label, Language, LanguageSection
from bot.glossary.folding import HAN
from bot.glossary.glossary import Glossary

SEED: Final = 20_260_101


def first_labels(glossary: Glossary, count: int) -> Glossary:
    """The first concepts of a glossary, as many as have `count` labels together."""
    chosen: list[str] = []
    for concept_id in glossary.concepts:
        if len(list(Glossary(glossary.concepts[i] for i in chosen).labels())) >= count:
            break
        chosen.append(concept_id)
    return Glossary(glossary.concepts[i] for i in chosen)


def with_rare_labels(glossary: Glossary, count: int) -> Glossary:
    """A glossary and made-up concepts, with `count` labels together, of which hardly any occurs in a text.

    They begin like ordinary words, and go on in another way: chance chooses their words from all definitions.
    """
    chance = random.Random(SEED)
    prose = "\n".join(section.definition for entry in glossary.concepts.values() for section in entry.sections.values())
    words = sorted(set(re.findall(r"\b[a-z]{3,}\b", prose)))
    pairs = sorted(set(re.findall(f"[{HAN}]{{2}}", prose)))

    def section(language: Language, *texts: str) -> LanguageSection:
        first, *others = (Label(text, language) for text in texts)
        return LanguageSection(language, first, "A summary.", "A definition.", alt_labels=tuple(others))

    made = []
    for number in range((count - len(list(glossary.labels()))) // 3):
        english = section("en", " ".join(chance.choices(words, k=2)), " ".join(chance.choices(words, k=3)))
        chinese = section("zh-Hans", "".join(chance.choices(pairs, k=2)))
        made.append(Concept(f"made-up-{number}", "things", 1, {"en": english, "zh-Hans": chinese}))
    return Glossary([*glossary.concepts.values(), *made], contexts=glossary.contexts)
