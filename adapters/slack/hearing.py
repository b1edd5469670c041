"""What a message is to the bot: a question, something that people say among themselves, or nothing. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from adapters.slack.text import asked, plain
from bot.commands.typed import Typed, read

ORDINARY: Final = frozenset({None, "file_share", "thread_broadcast", "me_message"})
"""Subtypes of messages that a person wrote; a message without one is such, too."""

SLACKBOT: Final = "USLACKBOT"


@dataclass(frozen=True, slots=True)
class Question:
    """What is said to the bot; as in `Request`."""

    action: str
    text: str
    by: Literal["mention", "text"]
    word: str = ""


def is_ordinary(message: Mapping[str, Any], bot_user: str) -> bool:
    """Whether a person wrote it. Never what the bot itself or another app posted, whatever else it looks like."""
    user = message.get("user")
    return (
        message.get("subtype") in ORDINARY
        and bool(user)
        and user not in (bot_user, SLACKBOT)
        and not message.get("bot_id")
        and not message.get("hidden")
    )


def question(message: Mapping[str, Any], bot_user: str, *, direct: bool) -> Question | None:
    """What the message asks the bot; None: it isn't said to it. `direct`: nobody else is there to talk to."""
    text = message.get("text") or ""
    said = asked(text, bot_user)
    if said is None and direct:
        said = plain(text).strip() or None
    if said is not None:
        return _named(read(said), "text" if direct else "mention") or Question("mention", said, "mention")
    return None if direct else _named(read(plain(text)), "text")


def _named(typed: Typed | None, by: Literal["mention", "text"]) -> Question | None:
    """A typed command of ours. `!help` and words that nobody knows belong to other bots."""
    if typed is None or typed.command is None or typed.mark != "!":
        return None
    return Question(typed.command.name, typed.argument, by, typed.word)
