"""What happened, as figures for Prometheus and as one log line per request. No text and nobody's id."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.answer import Answer
from bot.commands import ACTIONS
from bot.commands.answering import OPENED_FROM
from bot.request import Request
from bot.watching import Noticed, Watch

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Bounds of the histogram: what a person waits for is over at 3 s, when Slack and Discord give up."""

Reload: TypeAlias = Literal["loaded", "rejected"]

Connection: TypeAlias = tuple[str, bool, int]
"""A platform's name, whether events arrive now, and how often it was connected again."""

_log: Final = structlog.stdlib.get_logger("jargonaut.requests")


class Metrics:
    """Implements `Watch`. A registry of its own, so that two in one process don't meet."""

    def __init__(self, connections: Callable[[], list[Connection]] = list) -> None:
        """`connections` is asked at each scrape."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "jargonaut_requests",
            "Requests, by what was asked, how, and what kind of answer it got.",
            ("platform", "command", "by", "outcome"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "jargonaut_request_seconds",
            "Time from a request to its answer, without the platform's own.",
            ("platform", "command"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._messages = Counter(
            "jargonaut_messages",
            "Messages that weren't said to the bot, by what came of them.",
            ("platform", "outcome"),
            registry=self._registry,
        )
        self._failures = Counter(
            "jargonaut_database_errors", "Failed calls to the database.", ("error",), registry=self._registry
        )
        self._reloads = Counter(
            "jargonaut_reloads", "Changes of the glossary's files.", ("outcome",), registry=self._registry
        )
        self._registry.register(_Connections(connections))

    def answered(self, request: Request, answer: Answer, seconds: float, reference: str) -> None:
        platform, command = request.place.platform, command_of(request)
        outcome = answer.error or answer.kind
        self._requests.labels(platform, command, request.by, outcome).inc()
        self._seconds.labels(platform, command).observe(seconds)
        _log.info(
            "answered",
            platform=platform,
            command=command,
            by=request.by,
            outcome=outcome,
            where=answer.where,
            language=answer.language,
            concepts=list(answer.concepts[:10]),
            ms=round(seconds * 1_000, 1),
            ref=reference,
        )

    def noticed(self, platform: str, what: Noticed) -> None:
        self._messages.labels(platform, what).inc()

    def store_failed(self, error: str) -> None:
        self._failures.labels(error).inc()

    def reloaded(self, outcome: Reload) -> None:
        self._reloads.labels(outcome).inc()

    def text(self) -> bytes:
        """All figures in Prometheus's text format."""
        return generate_latest(self._registry)


def command_of(request: Request) -> str:
    """What was asked for: one of a bounded number of names, whatever a button says."""
    name, _, rest = request.action.partition("-")
    if name in OPENED_FROM and rest:
        return name
    return request.action if request.action in ACTIONS else "other"


class _Connections(Collector):
    """The platforms' connections, as they are when somebody looks."""

    def __init__(self, connections: Callable[[], list[Connection]]) -> None:
        self._connections = connections

    def collect(self) -> Iterator[Metric]:
        connected = GaugeMetricFamily("jargonaut_connected", "1 where events arrive now.", labels=["platform"])
        again = CounterMetricFamily("jargonaut_reconnects", "Connections that were made again.", labels=["platform"])
        for name, is_connected, times in self._connections():
            connected.add_metric([name], is_connected)
            again.add_metric([name], times)
        yield from (connected, again)


if TYPE_CHECKING:
    _watch: type[Watch] = Metrics
