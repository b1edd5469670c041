"""The bot's own sentences, by key and language. The texts themselves stand in `data/phrases.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bot.glossary.concept import Language


class Phrases:
    """Looks up a sentence and fills its `{placeholders}`.

    A key that has `<key>.one` beside it takes that form where `count` is 1 (English "1 term", "5 terms").
    """

    def __init__(self, texts: Mapping[str, Mapping[Language, str]], *, slash: str = "/", bang: str = "!") -> None:
        self._texts = texts
        self.slash = slash
        """What stands before the name of a command that answers one person alone."""
        self.bang = bang
        """What stands before one in a message."""

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def keys(self) -> frozenset[str]:
        return frozenset(self._texts)

    def say(self, key: str, language: Language, **values: str | int) -> str:
        """The sentence `key` in `language`. A missing key or value is a fault of the code: KeyError."""
        if values.get("count") == 1 and f"{key}.one" in self._texts:
            key = f"{key}.one"
        text = self._texts[key][language]
        return text.format_map(values) if values else text

    def calling(self, commands: Iterable[str], *, slash: str = "/", bang: str = "!") -> Phrases:
        """The same sentences where commands are called otherwise: with `slash` "/jn-", /define is /jn-define."""
        if (slash, bang) == ("/", "!"):
            return self
        name = re.compile(rf"(?<![\w/])([/!])(?=(?:{'|'.join(map(re.escape, commands))})\b)")
        marks = {"/": slash, "!": bang}
        texts = {
            key: {language: name.sub(lambda found: marks[found[1]], text) for language, text in both.items()}
            for key, both in self._texts.items()
        }
        return Phrases(texts, slash=slash, bang=bang)
