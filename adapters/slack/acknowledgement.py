"""An answer that travels inside the acknowledgement of a command: the body of the response, as text."""

from __future__ import annotations

import json
from typing import Final

from adapters.slack.blocks import OFTEN_ASKED, REMEMBERED, render
from bot.answer import Answer

_ready: Final[dict[int, tuple[Answer, str]]] = {}
"""By the identity of the answer, which no other one has while it's kept: the bot gives the same one again."""


def acknowledgement(answer: Answer) -> str:
    """JSON for bolt's `ack`, which sends text as it is. Cards that are often asked for are kept ready."""
    ready = _ready.get(id(answer))
    if ready is not None:
        return ready[1]
    text = _as_json(answer)
    if answer.kind in OFTEN_ASKED:
        _ready[id(answer)] = answer, text
        while len(_ready) > REMEMBERED:
            del _ready[next(iter(_ready))]
    return text


def _as_json(answer: Answer) -> str:
    rendered = render(answer)
    response_type = "in_channel" if answer.where == "public" else "ephemeral"
    said = {"response_type": response_type, "text": rendered.text, "blocks": rendered.blocks}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
