"""Logs: one line per event, JSON unless somebody is reading at a terminal.

What people type, who they are, and tokens are in no line, at no level.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from traceback import extract_tb
from typing import Final, TextIO

import structlog
from structlog.typing import Processor

_CHATTY: Final = ("aiohttp", "alembic", "discord", "slack_bolt", "slack_sdk", "sqlalchemy")
"""At their lower levels these log what people type, tokens, or what nobody asked."""

_SHARED: Final[tuple[Processor, ...]] = (
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def set_up(level: str, stream: TextIO) -> None:
    """Sends all logs of the process to `stream`, those of the standard library too. `level`: "INFO" and the like."""
    lines: Processor = (
        structlog.dev.ConsoleRenderer(colors=True)
        if stream.isatty()
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _without_values,
                lines,
            ],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.getLevelName(level), logging.WARNING))


def _without_values(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """A traceback ends with the error's message, which may quote what somebody typed: its type and places stay."""
    info = event.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    if isinstance(info, BaseException):
        info = (type(info), info, info.__traceback__)
    if isinstance(info, tuple) and info[0] is not None:
        event["error"] = info[0].__name__
        event["at"] = [f"{frame.name} {Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(info[2])]
    return event
