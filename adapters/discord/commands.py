"""The application commands, as Discord registers them: payloads, from the bot's own table of commands.

They are payloads and no `discord.app_commands` objects. A `CommandTree` would look up a callback per command and
translate them at each sync; here one function reads every command's options from the interaction, and what is
registered is a value that can be compared with what Discord has. Names of commands and options stay English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import yaml
from discord import AppCommandOptionType, AppCommandType, ChannelType, Permissions

from bot.answer import Shown
from bot.commands.names import COMMANDS, Command
from bot.glossary.concept import LANGUAGES, Language, Topic
from bot.phrases import Phrases

Payload: TypeAlias = dict[str, Any]
Texts: TypeAlias = Mapping[Language, str]

MAX_CHOICES: Final = 25
MAX_CHOICE: Final = 100
"""Characters of a choice's name."""

MAX_LAST: Final = 200
"""Messages that `/explain` reads at most."""

_ANYWHERE: Final = {"contexts": [0, 1, 2], "integration_types": [0, 1]}
"""On servers, with the bot alone, in other direct messages; installed by a server for all, or by a person."""

_ON_SERVERS: Final = {"contexts": [0], "integration_types": [0]}

_CHANNELS: Final = (
    *(ChannelType.text, ChannelType.news, ChannelType.voice, ChannelType.stage_voice),
    *(ChannelType.forum, ChannelType.media),
)
"""Where messages are written; a thread follows its channel."""


def payloads(phrases: Phrases, topics: Sequence[Topic]) -> list[Payload]:
    """All commands, and the entry in the menu of a message. Of topics, only as many as may be choices are offered."""
    writer = _Writer(phrases, taiwan_texts())
    options = writer.options(topics)
    commands = [writer.command(command, options[command.name]) for command in COMMANDS]
    return [*commands, writer.menu_entry()]


@cache
def taiwan_texts() -> Mapping[str, str]:
    """The reviewed texts for zh-TW, by those in Simplified Chinese that they were made from."""
    texts: dict[str, str] = yaml.safe_load(Path(__file__).with_name("zh_tw.yaml").read_text("utf-8"))
    return texts


def _told_apart(topics: Sequence[Topic]) -> Iterator[tuple[Topic, Texts]]:
    """Each topic with a name that no other one has: Discord would refuse all commands for two choices of one name."""
    names = [[text[:MAX_CHOICE] for text in topic.name.values()] for topic in topics]
    counted = Counter(name for several in names for name in set(several))
    for topic, several in zip(topics, names, strict=True):
        alone = all(counted[name] == 1 for name in several)
        yield topic, topic.name if alone else dict.fromkeys(topic.name, topic.id)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes payloads in all languages. A text that has none for Taiwan stays in Simplified Chinese there."""

    phrases: Phrases
    taiwan: Mapping[str, str]

    def command(self, command: Command, options: list[Payload]) -> Payload:
        limits: Payload = dict(_ANYWHERE)
        if command.name == "autoexplain":
            limits = {**_ON_SERVERS, "default_member_permissions": str(Permissions(manage_channels=True).value)}
        return {
            "type": AppCommandType.chat_input.value,
            "name": command.name,
            **self._described(self.say(f"help.{command.name}")),
            **limits,
            "options": options,
        }

    def menu_entry(self) -> Payload:
        return {"type": AppCommandType.message.value, **self._named(self.say("discord.menu")), **_ANYWHERE}

    def options(self, topics: Sequence[Topic]) -> dict[str, list[Payload]]:
        """Of each command, those that it needs first."""
        share = self._option("share", self.say("discord.share"), AppCommandOptionType.boolean)
        chosen = [self._choice(topic.id, name) for topic, name in _told_apart(topics[:MAX_CHOICES])]
        one_language = [self._language("en", "en"), self._language("zh", "zh-Hans")]
        languages = [*one_language, self._language("both", "both"), self._language("auto", "auto")]
        modes = [self._choice(mode, self.say(f"discord.mode.{mode}")) for mode in ("off", "threads", "all")]
        levels = [self._choice(level, self.say(f"discord.level.{level}")) for level in ("advanced", "everything")]
        last = self._option("last", self.say("discord.last"), AppCommandOptionType.integer)
        channel = self._option("channel", self.say("discord.channel"), AppCommandOptionType.channel)
        return {
            "define": [
                self._typed("term", self.say("discord.term"), required=True),
                self._option("language", self.say("discord.language"), choices=one_language),
                share,
            ],
            "vs": [
                self._typed("first", self.say("discord.first"), required=True),
                self._typed("second", self.say("discord.second")),
                self._typed("third", self.say("discord.third")),
                share,
            ],
            "explain": [
                self._option("text", self.say("discord.text")),
                {**last, "min_value": 1, "max_value": MAX_LAST},
            ],
            "glossary": [
                self._option("topic", self.say("discord.topic"), choices=chosen),
                self._option("search", self.say("discord.search")),
            ],
            "lang": [self._option("language", self.say("discord.language_of_answers"), choices=languages)],
            "autoexplain": [
                self._option("mode", self.say("discord.mode"), choices=modes),
                self._option("language", self.say("discord.language_of_notes"), choices=languages),
                self._option("level", self.say("discord.level"), choices=levels),
                {**channel, "channel_types": [kind.value for kind in _CHANNELS]},
            ],
            "jargonaut": [],
        }

    def _typed(self, name: str, description: Texts, *, required: bool = False) -> Payload:
        """A term, with choices while it's typed."""
        return {**self._option(name, description), "required": required, "autocomplete": True}

    def _option(
        self,
        name: str,
        description: Texts,
        kind: AppCommandOptionType = AppCommandOptionType.string,
        choices: Sequence[Payload] = (),
    ) -> Payload:
        option: Payload = {"type": kind.value, "name": name, **self._described(description)}
        return {**option, "choices": list(choices)} if choices else option

    def _language(self, value: str, language: Shown | Literal["auto"]) -> Payload:
        return self._choice(value, self.say(f"language.{language}"))

    def _choice(self, value: str, name: Texts) -> Payload:
        """`value` is the word of the text form."""
        shown = {language: text[:MAX_CHOICE] for language, text in name.items()}
        return {"value": value, **self._named(shown)}

    def say(self, key: str) -> Texts:
        return {language: self.phrases.say(key, language) for language in LANGUAGES}

    def _named(self, texts: Texts) -> Payload:
        return {"name": self._default(texts), "name_localizations": self._localized(texts)}

    def _described(self, texts: Texts) -> Payload:
        shown = {language: text[:1].upper() + text[1:] for language, text in texts.items()}
        return {"description": self._default(shown), "description_localizations": self._localized(shown)}

    def _default(self, texts: Texts) -> str:
        """What everybody sees whose language isn't Chinese. A topic of a team may have no English name."""
        return texts.get("en") or next(iter(texts.values()))

    def _localized(self, texts: Texts) -> dict[str, str]:
        chinese = texts.get("zh-Hans")
        return {"zh-CN": chinese, "zh-TW": self.taiwan.get(chinese, chinese)} if chinese else {}
