"""Hostile text: ten times as long may take about ten times as long, and nothing takes long at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Final

from _timing import Report, interleaved

from bot.bot import Bot, fixed
from bot.commands.typed import read
from bot.glossary.yaml_files import load, shipped
from bot.request import Person, Place, Request
from bot.state.memory import MemoryStore

SHORT: Final = 4_000
LONG: Final = 40_000
MOST_GROWTH: Final = 12.0
MOST_MILLISECONDS: Final = 50.0
TOO_QUICK_TO_GROW: Final = 0.2
"""Milliseconds: below this a ratio says more about the clock than about the text."""

# Each is repeated to the wanted length, with one character at the end that fits no pattern.
UNITS: Final = {
    "backticks, then x": "`" * 28 + "x",
    "letters": "a",
    "open brackets": "[",
    "open angles": "<",
    "a label and hyphens": "SLO-",
    "backtick and letter": "`a",
    "spaces and a letter": " " * 99 + "a",
    "a vs b vs": "a vs b vs ",
    "和 between characters": "甲和",
    "questions": "what is the difference between ",
    "combining accents": "e" + "\u0301" * 20,
    "invisible characters": "a\u200b",
    "ligature of 18": "\ufdfa",
    "slashes": "/",
    "quotes": "“”",
}


def main() -> None:
    report = Report(f"bad_input: hostile text of {SHORT:,} and {LONG:,} characters")
    loaded = load([shipped()])
    loaded.glossary.warm()

    loop = asyncio.new_event_loop()
    bot = Bot(fixed(loaded.glossary), loaded.phrases, MemoryStore(), keep_misses=False)

    def answer(action: str, text: str) -> None:
        request = Request(
            person=Person("terminal", "", "p"),
            place=Place("terminal", "", "c"),
            action=action,
            text=text,
            by="slash",
            today=date(2026, 1, 1),
        )
        said = loop.run_until_complete(bot.answer(request))
        assert "(ref " not in str(said.blocks), "the bot failed, so that its time says nothing"

    ways: dict[str, Callable[[str], object]] = {
        "reading an argument": lambda text: read(f"/define {text}"),
        "reading a command's word": lambda text: read(f"/{text}"),
        **{
            action: lambda text, action=action: answer(action, text)
            for action in ("define", "vs", "glossary", "mention")
        },
    }
    for way, function in ways.items():
        slowest, growth, slowest_at, growth_at = 0.0, 0.0, "", ""
        for kind, unit in UNITS.items():
            texts = {size: (unit * size)[: size - 1] + "!" for size in (SHORT, LONG)}
            times = interleaved(
                {
                    "short": lambda texts=texts, function=function: function(texts[SHORT]),
                    "long": lambda texts=texts, function=function: function(texts[LONG]),
                },
                rounds=5,
            )
            long_ms, ratio = times["long"] * 1000, times["long"] / times["short"]
            if long_ms > slowest:
                slowest, slowest_at = long_ms, kind
            if long_ms > TOO_QUICK_TO_GROW and ratio > growth:
                growth, growth_at = ratio, kind
        report.at_most(f"{way}, slowest: {slowest_at}", slowest, MOST_MILLISECONDS, "ms")
        if growth:
            report.at_most(f"{way}, 10 times the text: {growth_at}", growth, MOST_GROWTH)
        else:
            report.note(f"{way}, 10 times the text", "too quick")
    report.done()


if __name__ == "__main__":
    main()
