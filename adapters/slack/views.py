"""Modals and the App Home, as Slack's views. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from adapters.slack.blocks import render
from adapters.slack.names import PRESS, SEARCH
from bot.answer import Answer
from bot.completion import Suggestion
from bot.glossary.concept import Language, code
from bot.phrases import Phrases
from bot.request import Press, encode

SEARCH_AGAIN: Final = "open:search"
"""In place of a request, a button's value: it opens the modal that is searched as one types."""

SHARE_FORM: Final = "share_form"
"""Callback id of the form that asks where to share."""

SHARE_BLOCK: Final = "share_to"

MAX_OPTION: Final = 75
"""Characters of an option's text and description."""

MAX_OPTIONS: Final = 100

View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Carried:
    """What a view remembers, in its `private_metadata`: where it was opened, and what is about to be shared."""

    channel: str = ""
    thread: str | None = None
    share: str = ""
    searched: bool = False
    """The view leads back to the search."""

    def dump(self) -> str:
        return json.dumps({name: value for name, value in asdict(self).items() if value})


def carried(view: Mapping[str, Any]) -> Carried:
    """What `view` remembers; one of another version of the app may remember something else."""
    try:
        kept = json.loads(view.get("private_metadata") or "{}")
    except ValueError:
        return Carried()
    if not isinstance(kept, dict):
        return Carried()
    return Carried(**{name: value for name, value in kept.items() if name in Carried.__slots__})


def loading(phrases: Phrases, language: Language, carry: Carried) -> View:
    """What is shown at once: a trigger lives for three seconds."""
    return _modal(
        phrases,
        language,
        _title(phrases, language, carry),
        [_plain_section(phrases.say("slack.loading", language))],
        carry,
    )


def search_form(phrases: Phrases, language: Language, carry: Carried) -> View:
    """One menu that is searched as one types; choosing is all there is to do."""
    say = phrases.say
    menu = {
        "type": "external_select",
        "action_id": SEARCH,
        "placeholder": _plain(say("slack.search.placeholder", language)),
        "min_query_length": 0,
        "focus_on_load": True,
    }
    section = {"type": "section", "text": _plain(say("slack.search.label", language)), "accessory": menu}
    return _modal(phrases, language, _title(phrases, language, carry), [section], carry)


def options(found: Sequence[Suggestion]) -> list[dict[str, Any]]:
    """What the menu offers; each option's value is the request for its card."""
    shown: dict[str, dict[str, Any]] = {}
    for suggestion in found[:MAX_OPTIONS]:
        value = encode(Press("define", (code(suggestion.concept),)))
        option: dict[str, Any] = {"text": _plain(_cut(suggestion.title)), "value": value}
        if suggestion.summary:
            option["description"] = _plain(_cut(suggestion.summary))
        shown[value] = option
    return list(shown.values())


def answer_modal(phrases: Phrases, answer: Answer, carry: Carried) -> View:
    """An answer in a modal."""
    blocks = render(answer, surface="modal").blocks
    if carry.searched:
        button = {
            "type": "button",
            "action_id": f"{PRESS}search",
            "text": _plain(phrases.say("slack.search.again", answer.chrome)),
            "value": SEARCH_AGAIN,
        }
        blocks = [*blocks, {"type": "actions", "elements": [button]}]
    return _modal(phrases, answer.chrome, _title(phrases, answer.chrome, carry), blocks, carry)


def share_form(phrases: Phrases, language: Language, carry: Carried) -> View:
    """Asks where a card goes. Slack then gives us an address that works wherever the person may write."""
    where = {
        "type": "conversations_select",
        "action_id": SHARE_BLOCK,
        "default_to_current_conversation": True,
        "response_url_enabled": True,
        "filter": {"include": ["public", "private", "mpim", "im"], "exclude_bot_users": True},
    }
    label = _plain(phrases.say("slack.share.where", language))
    view = _modal(
        phrases,
        language,
        phrases.say("share", language),
        [{"type": "input", "block_id": SHARE_BLOCK, "label": label, "element": where}],
        carry,
    )
    return view | {"callback_id": SHARE_FORM, "submit": _plain(phrases.say("share", language))}


def home(answer: Answer) -> View:
    """The App Home."""
    return {"type": "home", "blocks": render(answer, surface="home").blocks}


def _modal(
    phrases: Phrases, language: Language, title: str, blocks: Sequence[Mapping[str, Any]], carry: Carried
) -> View:
    return {
        "type": "modal",
        "title": _plain(title),
        "close": _plain(phrases.say("slack.close", language)),
        "blocks": list(blocks),
        "private_metadata": carry.dump(),
    }


def _title(phrases: Phrases, language: Language, carry: Carried) -> str:
    return phrases.say("slack.define.title" if carry.searched else "slack.explain.title", language)


def _plain_section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": _plain(text)}


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def _cut(text: str) -> str:
    return text if len(text) <= MAX_OPTION else text[: MAX_OPTION - 1].rstrip() + "…"
