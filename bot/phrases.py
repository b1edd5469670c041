"""The bot's own sentences, by key and language. The texts themselves stand in `data/phrases.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from bot.glossary.concept import Language


class Phrases:
    """Looks up a sentence and fills its `{placeholders}`.

    A key that has `<key>.one` beside it takes that form where `count` is 1 (English "1 term", "5 terms").
    """

    def __init__(self, texts: Mapping[str, Mapping[Language, str]]) -> None:
        self._texts = texts

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
