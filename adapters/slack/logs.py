"""What the SDK may write into the log: nothing that somebody said, and no token."""

from __future__ import annotations

import logging
import re
from typing import Final

_SECRET: Final = re.compile(r"\bx(?:ox[a-z]|app|oxe)[.-][\w.%-]+|(?<=ticket=)[^\s&'\"]+|https://hooks\.\S+")

NAME: Final = "adapters.slack.sdk"


class _Scrub(logging.Filter):
    """Takes tokens and connection tickets out of a line, and of an error leaves its type."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if record.exc_info and record.exc_info[0] is not None:
            text = f"{text.partition('(error: ')[0].rstrip()} ({record.exc_info[0].__name__})"
        record.msg, record.args, record.exc_info, record.exc_text = _SECRET.sub("…", text), (), None, None
        return True


def sdk_logger(part: str, level: int = logging.WARNING) -> logging.Logger:
    """The logger to hand to a part of the SDK; `level` is the lowest that it writes.

    It's never the one of the settings: at debug level the SDK would write down whole messages.
    """
    logger = logging.getLogger(f"{NAME}.{part}")
    logger.setLevel(level)
    if not logger.filters:
        logger.addFilter(_Scrub())
    return logger
