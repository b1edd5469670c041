"""`glossary`: topics, their concepts, search, and one at random."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.answer import Block, Button, Heading, Item, Menu, Note, Paragraph
from bot.commands.answering import answer, browse_button, error, gone, pressed_concepts, random_button, voice_of
from bot.commands.showing import quote, show
from bot.commands.situation import Reply, Situation
from bot.glossary.folding import fold
from bot.glossary.resolver import trim
from bot.glossary.search import search as find
from bot.request import MAX_CODES
from bot.wording import item, topic_name

PAGE: Final = 6
"""Items of one page: what a phone shows without much scrolling."""

MAX_HITS: Final = MAX_CODES - 1
"""Hits that are shown: a definition opened from them has a code of its own before theirs."""

_SEARCH: Final = re.compile(r"(?:search|find|搜索|搜尋|搜|查找|查)(?:[\s:：]+|$)", re.IGNORECASE)
_SEARCH_UNSPACED: Final = re.compile("搜索|搜尋|查找")
_RANDOM_WORDS: Final = frozenset({"random", "随机", "隨機", "surprise me", "随便"})


def glossary(s: Situation) -> Reply:
    """`glossary`, `glossary TOPIC`, `glossary search WORDS`, `glossary random`; other words are searched for."""
    text = trim(s.request.text)
    folded = fold(text)
    if s.request.press is not None or not folded:
        return _topics(s)
    if folded in _RANDOM_WORDS:
        return random(s)
    for topic in s.glossary.topics.values():
        if folded in {fold(topic.id), *map(fold, topic.name.values())}:
            return _topic(s, topic.id, 0)
    words = _SEARCH.sub("", text, count=1) if _SEARCH.match(text) else text
    if words == text and not find(text, s.glossary):
        words = _SEARCH_UNSPACED.sub("", text, count=1)
    if not fold(words):
        s = s.whispered()
        return error(s, "usage", "usage.search", [browse_button(s), random_button(s)])
    return _search_results(s, find(words, s.glossary), typed=trim(words))


def _topics(s: Situation) -> Reply:
    title = Heading(s.say("glossary.title"), s.say("glossary.size", count=len(s.glossary.concepts)))
    return Reply(answer(s, "list", [title, *topics(s)], [random_button(s)]))


def topics(s: Situation) -> list[Item]:
    """A line for each topic that isn't empty."""
    voice = voice_of(s)
    return [
        Item(
            topic_name(topic_id, voice),
            s.say("terms", count=count),
            Button(s.say("open"), voice.press("topic", (topic_id,))),
        )
        for topic_id in s.glossary.topics
        if (count := len(s.glossary.in_topic(topic_id)))
    ]


def topic(s: Situation) -> Reply:
    """The button of a topic, or of one of its pages."""
    press = s.request.press
    found = s.glossary.topic_by_code(press.codes[0]) if press and press.codes else None
    return _topic(s, found.id, press.page) if press and found else gone(s)


def _topic(s: Situation, topic_id: str, page: int) -> Reply:
    voice = voice_of(s)
    concepts = s.glossary.in_topic(topic_id)
    pages = max(1, -(-len(concepts) // PAGE))
    page = min(page, pages - 1)
    shown = concepts[page * PAGE : (page + 1) * PAGE]
    detail = s.say("terms", count=len(concepts))
    if pages > 1:
        detail = f"{detail} · {s.say('page', page=page + 1, pages=pages)}"
    blocks: list[Block] = [Heading(topic_name(topic_id, voice), detail)]
    for concept in shown:
        button = Button(s.say("show"), voice.press("define", (concept.id, topic_id), page=page))
        blocks.append(replace(item(concept, voice), button=button))
    buttons: list[Button | Menu] = []
    if page > 0:
        buttons.append(Button(s.say("previous"), voice.press("topic", (topic_id,), page=page - 1)))
    if page < pages - 1:
        buttons.append(Button(s.say("next"), voice.press("topic", (topic_id,), page=page + 1)))
    buttons.append(Button(s.say("all_topics"), voice.press("glossary")))
    return Reply(answer(s, "list", blocks, buttons, concepts=tuple(concept.id for concept in shown)))


def search(s: Situation) -> Reply:
    """The button of a search: the words are gone, what they found stands in the codes."""
    ids = pressed_concepts(s)
    page = s.request.press.page if s.request.press else 0
    return _search_results(s, ids, page=page) if ids else gone(s)


def _search_results(s: Situation, ids: Sequence[str], *, typed: str = "", page: int = 0) -> Reply:
    if not ids:
        s = s.whispered()
        text = s.say("search.nothing", typed=quote(typed)) if s.quotes else s.say("search.nothing.public")
        return Reply(answer(s, "unknown", [Paragraph(text)], [browse_button(s)], unknown=(typed,)))
    voice = voice_of(s)
    kept = list(ids[:MAX_HITS])
    shown = kept[page * PAGE : (page + 1) * PAGE] or kept[:PAGE]
    title = s.say("search.typed", typed=quote(typed)) if typed and s.quotes else s.say("search.title")
    blocks: list[Block] = [Heading(title, s.say("terms", count=len(ids)))]
    for concept_id in shown:
        button = Button(s.say("show"), voice.press("found", (concept_id, *kept), page=page))
        blocks.append(replace(item(s.glossary.concepts[concept_id], voice), button=button))
    if len(ids) > len(kept):
        blocks.append(Note(s.say("search.more", shown=len(kept))))
    buttons: list[Button | Menu] = []
    if page > 0:
        buttons.append(Button(s.say("previous"), voice.press("search", ids, page=page - 1)))
    if len(kept) > (page + 1) * PAGE:
        buttons.append(Button(s.say("next"), voice.press("search", ids, page=page + 1)))
    buttons.append(Button(s.say("all_topics"), voice.press("glossary")))
    return Reply(answer(s, "list", blocks, buttons, concepts=tuple(shown)))


def random(s: Situation) -> Reply:
    """One concept; the chance comes with the request."""
    concepts = list(s.glossary.concepts.values())
    if not concepts:
        return gone(s)
    reply = show(s, concepts[int(s.request.chance * len(concepts)) % len(concepts)])
    if s.request.press is None:
        return reply
    back = Button(s.say("all_topics"), voice_of(s).press("glossary"))
    return replace(reply, answer=replace(reply.answer, buttons=(*reply.answer.buttons, back)))
