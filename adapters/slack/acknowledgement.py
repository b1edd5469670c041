"""An answer that travels inside the acknowledgement of a command: the body of the response, as text."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from adapters.slack.blocks import OFTEN_ASKED, REMEMBERED, render
from bot.answer import Answer


def acknowledgement(answer: Answer) -> str:
    """JSON for bolt's `ack`, which sends text as it is. Cards that are often asked for are kept ready."""
    return (_remembered if answer.kind in OFTEN_ASKED else _acknowledgement)(answer)


def _acknowledgement(answer: Answer) -> str:
    rendered = render(answer)
    response_type = "in_channel" if answer.where == "public" else "ephemeral"
    said = {"response_type": response_type, "text": rendered.text, "blocks": rendered.blocks}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


_remembered: Final = lru_cache(maxsize=REMEMBERED)(_acknowledgement)
