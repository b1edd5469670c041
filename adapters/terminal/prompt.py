"""The prompt: prompt_toolkit with the bot's own completion."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from adapters.terminal.session import Session
from adapters.terminal.text import safe
from bot.commands.typed import read
from bot.request import Place

_MAX_CHOICES = 8


class LabelCompleter(Completer):
    """Completes the labels of `define` and `vs`, like the autocomplete of a slash command."""

    def __init__(self, session: Session, place: Place) -> None:
        self._session = session
        self._place = place

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = read(document.text_before_cursor)
        if typed is None or typed.command is None or typed.command.name not in ("define", "vs") or not typed.argument:
            return
        prefix = typed.argument if typed.command.name == "define" else typed.argument.rsplit(" vs ")[-1]
        start = document.text_before_cursor.rfind(prefix)  # a space may follow it
        if start < 0:
            return
        for suggestion in self._session.bot.complete(prefix, self._place, limit=_MAX_CHOICES):
            yield Completion(
                safe(suggestion.label),
                start_position=start - len(document.text_before_cursor),
                display=safe(suggestion.title),
                display_meta=safe(suggestion.summary),
            )


def make_prompt(session: Session, place: Place) -> PromptSession[str]:
    """A prompt whose history lives as long as the chat: what people type is not kept."""
    return PromptSession(
        history=InMemoryHistory(), completer=LabelCompleter(session, place), complete_while_typing=True
    )
