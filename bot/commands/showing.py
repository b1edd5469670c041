"""A definition as an answer, and what the answers to look-ups have in common: share, switch of language, way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.answer import Block, Button, Kind, Menu, Note
from bot.changes import SetLanguage
from bot.commands.answering import OPENED_FROM, answer, voice_of
from bot.commands.situation import Reply, Situation
from bot.glossary.concept import Concept, Label
from bot.glossary.resolver import MAX_SUGGESTIONS
from bot.wording import compare_buttons, definition, label, language_buttons, see_also, topic_name

_MAX_QUOTE: Final = 60

_BACK: Final = {"option": "choose", "found": "search", "side": "vs"}
"""What a definition was opened from -> the button back there. Their codes behind the concept's are that message's."""


def show(
    s: Situation,
    concept: Concept,
    *,
    typed: Label | None = None,
    corrected: str | None = None,
    automatic: bool = False,
) -> Reply:
    """The definition of `concept`.

    `typed`: the label asked for. `corrected`: the text that was taken for a slip of it. `automatic`: both languages
    are shown because nobody chose one. Of a button, the codes behind the concept's say where the reader came from.
    """
    voice = voice_of(s)
    blocks: list[Block] = []
    buttons: list[Button | Menu] = []
    if corrected is not None:
        blocks.append(Note(showing(s, label(concept, voice.main), corrected)))
        others = [other for other in s.glossary.parts.sharing(corrected) if other != concept.id][:MAX_SUGGESTIONS]
        buttons.append(Button(s.say("not_meant"), voice.press("not", others)))
    blocks += definition(concept, voice, typed=typed)
    action, page, came_from = _way_here(s)
    if corrected is None or not s.quotes:  # what was typed isn't in the button, and couldn't be quoted again
        buttons += language_buttons(voice, action, (concept.id, *came_from), page=page, automatic=automatic)
    buttons += share_buttons(s, "share", (concept.id,))
    back = _back(s, action, page, came_from)
    buttons += [button for button in compare_buttons(concept, voice) if button.request not in [b.request for b in back]]
    buttons += see_also(concept, voice, came_from if action == "define" else (), page)
    buttons += back
    return switched(s, "definition", blocks, buttons, concepts=(concept.id,))


def _way_here(s: Situation) -> tuple[str, int, list[str]]:
    """How the reader came to a definition: the button's action, the page, and the ids that stand behind the concept."""
    press = s.request.press
    if press is None or not (press.action == "define" or _back_to(press.action)):
        return "define", 0, []
    ids = [known for short in press.codes[1:] if (known := _id_of(s, short))]
    alone = press.action.startswith(OPENED_FROM[1])  # a digest of messages needs no codes: they're read again
    return (press.action, press.page, ids) if ids or alone else ("define", 0, [])


def _back_to(action: str) -> str:
    """The button that leads back to what a definition was opened from; empty: there's none."""
    if action.startswith(OPENED_FROM[1]):
        digest, opened = OPENED_FROM
        return action.replace(opened, digest, 1)
    return _BACK.get(action, "")


def _back(s: Situation, action: str, page: int, ids: Sequence[str]) -> list[Button]:
    voice = voice_of(s)
    if back := _back_to(action):
        return [Button(s.say("back"), voice.press(back, ids, page=page))]
    if not ids:
        return []
    if ids[0] in s.glossary.topics:
        name = topic_name(ids[0], voice)
        return [Button(s.say("back_to", label=name), voice.press("topic", ids[:1], page=page))]
    name = label(s.glossary.concepts[ids[0]], voice.main)
    return [Button(s.say("back_to", label=name), voice.press("define", ids, page=page))]


def _id_of(s: Situation, short: str) -> str | None:
    concept = s.glossary.by_code(short)
    if concept is not None:
        return concept.id
    topic = s.glossary.topic_by_code(short)
    return topic.id if topic else None


def switched(s: Situation, kind: Kind, blocks: list[Block], buttons: list[Button | Menu], **about: Any) -> Reply:
    """An answer which may be the result of a language button: then it says so, and saves the choice if it may."""
    press = s.request.press
    if press is None or not press.switch or press.language is None:
        return Reply(answer(s, kind, blocks, buttons, **about))
    if s.request.public:
        always = Button(s.say(f"always.{press.language}"), voice_of(s).press("lang", switch=press.language))
        return Reply(answer(s, kind, blocks, [*buttons, always], **about))
    return Reply(
        answer(s, kind, [*blocks, Note(s.say("language.saved"))], buttons, **about),
        (SetLanguage(press.language),),
        unsaved=answer(s, kind, [*blocks, Note(s.say("language.unsaved"))], buttons, **about),
    )


def share_buttons(s: Situation, action: str, ids: Sequence[str]) -> list[Button]:
    """The button that posts a private answer for all; none where there is nobody else."""
    if not s.private or s.request.direct:
        return []
    key = "share" if s.channel.language in (None, s.shown) else f"share.{s.chrome}"
    return [Button(s.say(key), voice_of(s).press(action, ids))]


def showing(s: Situation, shown: str, typed: str) -> str:
    """That a slip was corrected. Public text never repeats what somebody typed."""
    return s.say("showing.for", label=shown, typed=quote(typed)) if s.private else s.say("showing", label=shown)


def quote(typed: str) -> str:
    """What somebody typed, short enough to repeat to them alone."""
    return typed if len(typed) <= _MAX_QUOTE else typed[: _MAX_QUOTE - 1] + "…"
