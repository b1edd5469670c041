"""What people type to the bot: `!define slo`, a mention, a direct message. And their later edits and deletions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import discord

from adapters.discord import requests
from adapters.discord.asking import Asker
from adapters.discord.permissions import member_permissions
from adapters.discord.sending import Sender
from bot.answer import Answer, Update
from bot.bot import Bot
from bot.commands.typed import read
from bot.request import Place, Request

EDITED_FOR: Final = timedelta(minutes=2)
"""So long after a question was asked its edits change the answer."""

_MARKS: Final = "!！、／"
"""What `read` takes for `!`."""

_REPLIED_TO: Final = frozenset(
    {
        discord.MessageType.default,
        discord.MessageType.reply,
        discord.MessageType.chat_input_command,
        discord.MessageType.context_menu_command,
    }
)
"""People may reply to "Max has joined" as well, but Discord lets no bot do it."""

_NOT_SAID: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*", re.DOTALL | re.MULTILINE)
"""Code, and lines that quote."""


class Questions:
    """Tells what is asked in a message, and answers it there."""

    def __init__(self, bot: Bot, asker: Asker, sender: Sender, prefix: str) -> None:
        self._bot = bot
        self._asker = asker
        self._sender = sender
        self._prefix = prefix.casefold()
        self._first = frozenset((self._prefix[:1], *_MARKS))

    def is_question(self, message: discord.Message, bot_user: int) -> bool:
        """Whether it's said to the bot, or is a command, maybe another bot's: such a message gets no note. Cheap."""
        text = message.content
        if message.guild is None:
            return True
        if text[:1].casefold() in self._first and self._command(text) is not None:
            return True
        return "<@" in text and mentioned(text, names_of(message, bot_user)) is not None

    async def answer(self, message: discord.Message, bot_user: int) -> None:
        """Answers as a reply, once, whoever else of us has read the question."""
        request = self._request(message, bot_user)
        if request is None:
            return
        now = datetime.now(UTC)
        if not await self._bot.claim(request.place, str(message.id), now):
            return
        answer = await self._answer(request, message)
        await self._sender.elsewhere(request, answer)
        if answer.kind == "silence":
            if answer.error == "busy":
                await self._sender.ask_to_wait(message)
            return
        asked_before = False
        if answer.where == "public" and not request.direct:
            earlier = self._bot.recent.find(request.place, answer, now)
            if earlier is not None:
                asked_before = True
                link = _link(request.place, earlier)
                answer = await self._bot.answer(replace(request, action="asked-before", link=link))
        sent = await self._sender.send(message.channel, answer, to=_target(message), nonce=str(message.id))
        if sent is None:
            return
        if answer.where == "public" and not asked_before:
            self._bot.recent.add(request.place, answer, str(sent.id), now)
        await self._bot.replied(request.place, str(message.id), str(sent.id))

    async def edited(self, message: discord.Message, bot_user: int) -> bool:
        """Edits our answer to an edited question, and deletes it where nothing is asked any more.

        False: we never answered this message.
        """
        place = requests.place(message.channel, message.guild.id if message.guild else None)
        edited = message.edited_at
        if edited is None or edited - message.created_at > EDITED_FOR:
            return False
        if datetime.now(UTC) - edited > EDITED_FOR:  # no edit: the message was pinned, or a thread begun from it
            return False
        reply = await self._bot.reply_to(place, str(message.id))
        if reply is None:
            return False
        request = self._request(message, bot_user)
        answer = await self._answer(request, message) if request is not None else None
        if request is not None and answer is not None:
            await self._sender.elsewhere(request, answer)
        if answer is not None and answer.error == "busy":
            return True
        shown = answer if answer is not None and answer.kind != "silence" else None
        await self._sender.update(place, Update(reply, shown))
        return True

    async def deleted(self, place: Place, message_id: str) -> None:
        """Whoever takes a question back takes its answer back."""
        reply = await self._bot.reply_to(place, message_id)
        if reply is not None:
            await self._sender.update(place, Update(reply, None))

    async def _answer(self, request: Request, message: discord.Message) -> Answer:
        return await self._asker.answer(request, message.channel, message.author, before=message)

    def _command(self, text: str) -> str | None:
        """The text with its mark as `read` knows it; None: it begins with none of ours, or with no word after it."""
        if text.casefold().startswith(self._prefix):
            text = "!" + text[len(self._prefix) :]
        elif self._prefix != "!" and text.startswith("!"):
            return None  # another bot's
        typed = read(text)
        return text if typed is not None and typed.mark == "!" else None

    def _request(self, message: discord.Message, bot_user: int) -> Request | None:
        """What is asked; None: nothing, or something of another bot. `!help` belongs to others, too."""
        direct = message.guild is None
        allowed = member_permissions(message)

        def asked(action: str, text: str, **how: str) -> Request:
            return requests.request(
                action,
                message.author,
                requests.place(message.channel, message.guild.id if message.guild else None),
                text=text,
                public=True,
                direct=direct,
                whispers=False,
                deletable=not direct,
                may_set=allowed.manage_channels,
                may_remove=allowed.manage_messages,
                **how,
            )

        marked = self._command(message.content)
        typed = read(marked) if marked is not None else None
        if typed is not None:
            return asked(typed.command.name, typed.argument, word=typed.word, by="text") if typed.command else None
        said = message.content if direct else mentioned(message.content, names_of(message, bot_user))
        return asked("mention", said, by="mention") if said is not None else None


def names_of(message: discord.Message, bot_user: int) -> tuple[str, ...]:
    """How the bot is mentioned there; its own role counts, and @everyone doesn't."""
    role = message.guild.self_role if message.guild is not None else None
    return (f"<@{bot_user}>", f"<@!{bot_user}>", *((f"<@&{role.id}>",) if role is not None else ()))


def mentioned(text: str, names: Sequence[str]) -> str | None:
    """What is said to the bot in a text with one of its names, without them; None: there's none outside of code and
    quotations. A mention alone gives an empty text."""
    if not any(name in text for name in names):
        return None
    outside = _NOT_SAID.sub(lambda part: "\0" * len(part.group()), text)
    found = list(re.finditer("|".join(map(re.escape, names)), outside))
    if not found:
        return None
    starts = [0, *(mention.end() for mention in found)]
    ends = [*(mention.start() for mention in found), len(text)]
    pieces = (text[start:end].strip(" \t") for start, end in zip(starts, ends, strict=True))
    return " ".join(piece for piece in pieces if piece).strip(" \t,，:：")


def _target(message: discord.Message) -> discord.Message:
    """The message that the answer belongs under: the one that the question replies to, if somebody else said it."""
    replied = message.reference.resolved if message.reference is not None else None
    if message.type is not discord.MessageType.reply or not isinstance(replied, discord.Message):
        return message
    ours = message.guild is not None and replied.author == message.guild.me
    other = replied.channel.id != message.channel.id or replied.type not in _REPLIED_TO
    return message if ours or other else replied


def _link(place: Place, message_id: str) -> str:
    return f"https://discord.com/channels/{place.tenant or '@me'}/{requests.where(place)}/{message_id}"
