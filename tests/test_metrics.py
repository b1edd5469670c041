"""Figures and log lines about what happened."""

from __future__ import annotations

import re

import pytest
from structlog.testing import capture_logs

from adapters.operations.metrics import Metrics, command_of
from bot.answer import Answer, silence
from bot.commands import ACTIONS
from bot.commands.answering import OPENED_FROM
from bot.request import Place, Press, Request
from tests.stores import ANA, CHANNEL, NOW, THREAD


def figures(metrics: Metrics) -> dict[str, float]:
    lines = metrics.text().decode().splitlines()
    return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def asked(action: str, text: str = "", **how: object) -> Request:
    return Request(ANA, THREAD, action, text, today=NOW.date(), **how)  # type: ignore[arg-type]


def test_requests_are_counted_by_what_came_of_them() -> None:
    metrics = Metrics()
    metrics.answered(asked("define", "slo"), Answer("definition", "en"), 0.004, "AAAA")
    metrics.answered(asked("define"), Answer("error", "en", error="usage"), 0.004, "BBBB")
    metrics.answered(asked("mention", by="mention"), silence(), 0.02, "CCCC")
    found = figures(metrics)
    assert found['jargonaut_requests_total{by="slash",command="define",outcome="definition",platform="slack"}'] == 1
    assert found['jargonaut_requests_total{by="slash",command="define",outcome="usage",platform="slack"}'] == 1
    assert found['jargonaut_requests_total{by="mention",command="mention",outcome="silence",platform="slack"}'] == 1
    assert found['jargonaut_request_seconds_bucket{command="define",le="0.005",platform="slack"}'] == 2
    assert found['jargonaut_request_seconds_bucket{command="mention",le="0.01",platform="slack"}'] == 0


def test_everything_else_is_counted_too() -> None:
    metrics = Metrics(lambda: [("slack", True, 3), ("discord", False, 0)])
    metrics.noticed("slack", "note")
    metrics.noticed("slack", "silent")
    metrics.store_failed("StoreError")
    metrics.reloaded("rejected")
    found = figures(metrics)
    assert found['jargonaut_messages_total{outcome="note",platform="slack"}'] == 1
    assert found['jargonaut_database_errors_total{error="StoreError"}'] == 1
    assert found['jargonaut_reloads_total{outcome="rejected"}'] == 1
    assert found['jargonaut_connected{platform="slack"}'] == 1
    assert found['jargonaut_connected{platform="discord"}'] == 0
    assert found['jargonaut_reconnects_total{platform="slack"}'] == 3


@pytest.mark.parametrize(
    ("action", "command"),
    [
        *((name, name) for name in sorted(ACTIONS) if "-" not in name or name.split("-")[0] not in OPENED_FROM),
        *(("digest-thr", "digest"), ("digest-50", "digest"), ("digest-known", "digest")),
        *(("dug-thr", "dug"), ("dug-50", "dug"), ("x-1", "other"), ("x", "other")),
    ],
)
def test_the_names_of_commands_are_bounded(action: str, command: str) -> None:
    assert command_of(Request(ANA, CHANNEL, action, press=Press(action))) == command


def test_neither_text_nor_people_are_in_it() -> None:
    metrics = Metrics()
    place = Place("slack", "TSECRET", "CSECRET", "9.9")
    request = Request(ANA, place, "define", "secretword", name="Lena Secret", today=NOW.date())
    with capture_logs() as logged:
        metrics.answered(request, Answer("unknown", "en", unknown=("secretword",)), 0.1, "7F3A")
    (line,) = logged
    assert (line["event"], line["ref"], line["outcome"], line["ms"]) == ("answered", "7F3A", "unknown", 100.0)
    written = str(line) + metrics.text().decode()
    assert re.findall(r"secret\w*|U1\b", written, re.IGNORECASE) == []
