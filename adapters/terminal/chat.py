"""The chat itself: at a prompt, from a pipe, or as JSON for scripts."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from typing import Any, TextIO

from adapters.terminal.session import Session, number_in, read_line
from adapters.terminal.text import buttons_of, render
from bot.answer import Answer
from bot.phrases import Phrases
from bot.request import Place

MAX_LINE = 1_000_000
"""Characters of a line that are read; what is longer is cut, not refused."""


async def piped(session: Session, phrases: Phrases, lines: TextIO, out: TextIO) -> None:
    """Answers line by line, as plain text. A number presses a button of the answer before."""
    for raw in lines:
        text = raw.rstrip("\r\n")
        number = number_in(text)
        pressed = session.press(number) if number is not None else None
        answer = await session.answer(read_line(pressed or text, session.person))
        if answer.kind == "silence":
            continue
        session.buttons = buttons_of(answer)
        out.write("\n".join((render(answer), *_news(answer, phrases))) + "\n\n")
        out.flush()


async def scripted(session: Session, lines: TextIO, out: TextIO) -> None:
    """Exactly one JSON object per line, in order; ASCII only."""
    for raw in lines:
        answer = await session.answer(read_line(raw.rstrip("\r\n")[:MAX_LINE], session.person))
        out.write(json.dumps(as_json(answer, public=session.pressed_in_public)) + "\n")
        out.flush()


def as_json(answer: Answer, *, public: bool = False) -> dict[str, Any]:
    """The form that scripts rely on; see `jargonaut chat --help`. `public`: it replaces what others see."""
    shown: dict[str, Any] = {
        "kind": answer.kind,
        "concepts": list(answer.concepts),
        "comparison": answer.comparison,
        "language": answer.language,
        "private": answer.where == "private" or (answer.where == "replace" and not public),
        "text": render(answer, numbered=False),
        "buttons": [{"label": button.label, "request": button.request} for button in buttons_of(answer)],
    }
    if answer.error is not None:
        shown["error"] = answer.error
    if answer.kind in ("explanation", "silence"):
        shown["mentions"] = [asdict(mention) for mention in answer.mentions]
    if answer.unknown:
        shown["unknown"] = list(answer.unknown)
    if (update := answer.update) is not None:
        text = render(update.answer, numbered=False) if update.answer is not None else None
        shown["update"] = {"reply": update.reply, "text": text}
    return shown


def _news(answer: Answer, phrases: Phrases) -> tuple[str, ...]:
    """A line about the note that an answer changes besides; on the screen what was printed stays."""
    if answer.update is None:
        return ()
    return (phrases.say("chat.note_gone" if answer.update.answer is None else "chat.note_less", answer.chrome),)


async def interactive(session: Session, phrases: Phrases) -> None:
    """The prompt, with completion of labels and a history."""
    from rich.console import Console

    from adapters.terminal.prompt import make_prompt
    from adapters.terminal.rich_text import render as render_rich

    console = Console(width=min(100, Console().width), highlight=False)
    language = (await session.answer(read_line("/lang", session.person))).chrome
    console.print(phrases.say("chat.welcome", language), markup=False)
    console.print(phrases.say("chat.examples", language) + "\n", style="dim", markup=False)
    prompt = make_prompt(session, Place("terminal", "", "terminal"))
    while True:
        try:
            text = await prompt.prompt_async("> ")
        except (EOFError, KeyboardInterrupt):
            return
        if text.strip() in ("/quit", "/exit"):
            return
        if not text.strip():
            continue
        if (number := number_in(text)) is not None:
            pressed = session.press(number)
            if pressed is None:
                console.print(phrases.say("chat.no_button", language) + "\n", style="dim", markup=False)
                continue
            text = pressed
        answer = await session.answer(read_line(text, session.person))
        if answer.kind == "silence":
            console.print(phrases.say("chat.silence", language) + "\n", style="dim", markup=False)
            continue
        session.buttons = buttons_of(answer)
        language = answer.chrome if answer.where != "public" else language
        console.print(render_rich(answer))
        for line in _news(answer, phrases):
            console.print(line + "\n", style="dim", markup=False)


def is_interactive() -> bool:
    """Somebody sits at the terminal; else lines come from a pipe or a file."""
    return sys.stdin.isatty() and sys.stdout.isatty()


async def warm_later(warm: Any) -> None:
    """Makes slow indexes in the background, when the first answer is out of the way."""
    await asyncio.sleep(0.2)
    await asyncio.to_thread(warm)
