"""`help`: what can be typed, from the table of commands. And what a mention says that is none of them."""

from __future__ import annotations

import re
from typing import Final

from bot.answer import Block, Button, Field, Heading, Note, Paragraph, silence
from bot.commands.answering import answer, browse_button, error, panel_button, random_button, voice_of
from bot.commands.names import COMMANDS
from bot.commands.situation import Reply, Situation
from bot.glossary.folding import HAN, fold
from bot.glossary.resolver import trim

_SMALL_TALK: Final = frozenset(
    """
    thanks thank thx ty cheers ok okay k kk cool nice great good perfect awesome hi hello hey yo morning bye lol haha
    yes no yep nope got it you very much so a lot all bot there everyone
    谢谢 谢谢你 谢谢大家 谢了 谢啦 多谢 感谢 非常感谢 好 好的 好滴 嗯 嗯嗯 哦 收到 明白 明白了 懂了 了解
    你好 您好 大家好 嗨 哈喽 早 早上好 晚安 再见 哈哈 哈哈哈 赞 厉害 牛 不错 可以 行 没事 辛苦了
    """.split()
)
_WORDS: Final = re.compile(f"[{HAN}]|[^\\W_{HAN}]+")
_EMOJI: Final = re.compile(r":[a-z0-9_+'-]{1,60}:|<a?:\w{1,40}:\d{1,25}>", re.IGNORECASE)
"""As Slack and Discord send them; other emoji are no words anyway."""

_MANY_WORDS: Final = 6
_MANY_CHARACTERS: Final = 12


def help_(s: Situation) -> Reply:
    """All commands, or the one that is named."""
    named = fold(trim(s.request.text)).lstrip("/!")
    chosen = [command for command in COMMANDS if command.name == named] or COMMANDS
    s = s.whispered()
    fields = [Field(f"{s.phrases.slash}{command.usage}", s.say(f"help.{command.name}")) for command in chosen]
    forms = "help.forms" if s.request.hears == "all" else "help.forms.unheard"
    blocks: list[Block] = [
        Heading(s.say("help.title"), s.say("help.intro")),
        *fields,
        Note(s.say(forms, bang=s.phrases.bang, threads=s.threads)),
    ]
    return Reply(answer(s, "help", blocks, [browse_button(s), random_button(s), panel_button(s)]))


def hint(s: Situation) -> Reply:
    """Three lines: what a mention alone gets."""
    s = s.whispered()
    lines = [Paragraph(s.say("hint.what")), Paragraph(s.say("hint.ask")), Paragraph(s.say("hint.more"))]
    return Reply(answer(s, "help", lines, [browse_button(s), random_button(s), panel_button(s)]))


def only_terms(s: Situation) -> Reply:
    """A long text in which nothing is known: not a question for this bot, and nothing to tell everybody."""
    if not (s.own or s.request.whispers):
        return Reply(silence(s.shown))
    s = s.whispered()
    return Reply(answer(s, "help", [Paragraph(s.say("only_terms"))], [browse_button(s)]))


def is_small_talk(text: str) -> bool:
    """Thanks and greetings, and a text that is nothing but emoji: they get no answer."""
    bare = _EMOJI.sub(" ", text)
    if text and not _WORDS.search(bare):
        return True
    words = re.findall(f"[{HAN}]+|[^\\W_{HAN}]+", fold(bare))
    return bool(words) and all(word in _SMALL_TALK or word.rstrip("啦呀啊哦呢吧了") in _SMALL_TALK for word in words)


def is_long(text: str) -> bool:
    """Longer than a question about a term would be: more than 6 words or 12 Chinese characters."""
    words = _WORDS.findall(text)
    han = sum(1 for word in words if re.match(f"[{HAN}]", word))
    return han > _MANY_CHARACTERS or len(words) - han > _MANY_WORDS


def unknown_command(s: Situation) -> Reply:
    """A slash command or a button that isn't ours, or of a later version."""
    s = s.whispered()
    key = "usage.unknown_button" if s.request.by == "button" else "usage.unknown_command"
    return error(s, "usage", key, [Button(s.say("panel.help"), voice_of(s).press("help"))])
