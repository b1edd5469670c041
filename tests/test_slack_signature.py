"""Which requests are Slack's, and what the log is told about the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.signature import Clock, SignatureVerifier

from adapters.slack.signature import refusal

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
NOW = 1_764_500_000
BODY = b'{"type":"event_callback"}'


class Stopped(Clock):
    def now(self) -> float:
        return NOW + 0.5


VERIFIER = SignatureVerifier(SECRET, Stopped())


def sign(timestamp: str, body: bytes = BODY, secret: str = SECRET) -> dict[str, str]:
    signature = SignatureVerifier(secret).generate_signature(timestamp=timestamp, body=body)
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": str(signature)}


@pytest.mark.parametrize("skew", [0, -299, 300])
def test_what_slack_signed_is_taken(skew: int) -> None:
    assert refusal(VERIFIER, sign(str(NOW + skew)), BODY) == ""


@pytest.mark.parametrize(
    ("timestamp", "reason"),
    [
        (str(NOW - 301), "its timestamp is 302 s behind this machine's clock"),
        (str(NOW - 300), "its timestamp is 300 s behind this machine's clock"),
        (str(NOW + 302), "its timestamp is 302 s ahead of this machine's clock"),
        ("0", "behind this machine's clock"),
        ("soon", "its timestamp isn't a number"),
        ("-1", "its timestamp isn't a number"),
        ("1e9", "its timestamp isn't a number"),
        (f" {NOW}", "its timestamp isn't a number"),
        ("1_764_500_000", "its timestamp isn't a number"),
        ("１７６４５０００００", "its timestamp isn't a number"),
        ("9" * 5000, "its timestamp isn't a number"),
        ("", "it isn't signed"),
    ],
)
def test_a_bad_timestamp_is_told_apart_from_a_bad_signature(timestamp: str, reason: str) -> None:
    assert reason in refusal(VERIFIER, sign(timestamp), BODY)


@pytest.mark.parametrize(
    ("signature", "reason"),
    [
        ("", "it isn't signed"),
        ("v0=", "signature mismatch"),
        ("v0=" + "0" * 64, "signature mismatch"),
        ("v0=数", "signature mismatch"),
        ("v0=\udcff", "signature mismatch"),
    ],
)
def test_a_bad_signature(signature: str, reason: str) -> None:
    assert reason in refusal(VERIFIER, sign(str(NOW)) | {"X-Slack-Signature": signature}, BODY)


@pytest.mark.parametrize(
    "changed",
    [b'{"type": "event_callback"}', BODY + b"\n", b"\xff" + BODY, b""],
    ids=["re-serialised by a proxy", "one character more", "no UTF-8", "empty"],
)
def test_the_raw_body_is_what_was_signed(changed: bytes) -> None:
    assert "signature mismatch" in refusal(VERIFIER, sign(str(NOW)), changed)


def test_another_apps_secret_is_a_mismatch() -> None:
    reason = refusal(VERIFIER, sign(str(NOW), secret="of another app"), BODY)
    assert "signature mismatch: is SLACK_SIGNING_SECRET this app's" in reason


def test_missing_headers() -> None:
    signed = sign(str(NOW))
    for name in signed:
        assert refusal(VERIFIER, {name: signed[name]}, BODY) == "it isn't signed"


@given(st.text(), st.text(), st.binary())
def test_nothing_that_can_be_sent_makes_it_fail_or_is_quoted(timestamp: str, signature: str, body: bytes) -> None:
    headers = {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": signature}
    reason = refusal(VERIFIER, headers, body)
    assert reason
    assert reason == refusal(VERIFIER, headers, b"something else") or "mismatch" in reason
