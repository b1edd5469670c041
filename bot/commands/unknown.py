"""What isn't in the glossary: what is near, and the count for its owners."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.answer import Block, Button, Menu, Note, Paragraph
from bot.changes import Change, CountMiss
from bot.commands.answering import answer, voice_of
from bot.commands.showing import quote
from bot.commands.situation import Reply, Situation
from bot.glossary.folding import fold
from bot.glossary.resolver import MAX_SUGGESTIONS, NotFound, Suggested
from bot.glossary.search import search
from bot.glossary.sides import Side
from bot.wording import define_button, versus_button

_MISS: Final = re.compile(r"(?!.*(?:@|://|www\.|\w\.[a-z]{2,}/|(?:\d[ .]?){6}))\S(?:.{0,38}\S)?")
"""Short, and with nothing in it that looks like an address, a link or a number of somebody's."""

_MAX_MISS_WORDS: Final = 5


def unknown(s: Situation, sides: Sequence[Side], complete: Sequence[str] = ()) -> Reply:
    """What isn't in the glossary. With `complete`, the suggestions complete a comparison with these concepts."""
    s = s.whispered()
    voice = voice_of(s)
    missing = [side for side in sides if isinstance(side.means, Suggested | NotFound)]
    names = voice.comma.join(s.say("quoted", text=quote(side.text)) for side in missing)
    paragraph = s.say("unknown", names=names, count=len(missing)) if s.quotes else s.say("unknown.public")
    ids = list(dict.fromkeys(i for side in missing if isinstance(side.means, Suggested) for i in side.means.concepts))
    ids = [i for i in ids if i not in complete][:MAX_SUGGESTIONS]
    buttons: list[Button | Menu] = []
    if complete:
        offered = ids or [i for i in s.glossary.concepts[complete[0]].confusable_with if i not in complete]
        buttons += [versus_button((*complete, i), voice) for i in offered]
    else:
        buttons += [define_button(s.glossary.concepts[i], voice) for i in ids]
    blocks: list[Block] = [Paragraph(paragraph)]
    if len(missing) == 1 and (hits := search(missing[0].text, s.glossary)):
        others = [hit for hit in hits if hit not in ids]
        if others:
            buttons.append(Button(s.say("search_definitions"), voice.press("search", others)))
    buttons += [define_button(s.glossary.concepts[i], voice) for i in complete]
    changes = _counted(s, missing)
    if changes and s.quotes:
        blocks.append(Note(s.say("counted")))
    if ids:
        blocks.append(Paragraph(s.say("close")))
    texts = tuple(side.text for side in missing)
    return Reply(answer(s, "unknown", blocks, buttons, concepts=tuple(ids), unknown=texts), changes)


def _counted(s: Situation, missing: Sequence[Side]) -> tuple[Change, ...]:
    """Unanswered look-ups that may be kept: typed as a command, in no private conversation, and short words only."""
    if not (s.keep_misses and s.reachable) or s.request.by not in ("slash", "text") or s.request.direct:
        return ()
    texts = [fold(side.text) for side in missing]
    kept = [text for text in texts if _MISS.fullmatch(text) and len(text.split()) <= _MAX_MISS_WORDS]
    return tuple(CountMiss(text) for text in kept)
