"""Is a request Slack's? The check is slack_sdk's; here its reasons are told apart, for the log.

Slack's rule: the signature covers the timestamp and the raw body, and the timestamp is at most five minutes old.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from slack_sdk.signature import SignatureVerifier

LONGEST_SKEW: Final = 60 * 5
"""Seconds; as in `SignatureVerifier`."""

_NUMBER: Final = re.compile(r"[0-9]{1,12}")


def refusal(verifier: SignatureVerifier, headers: Mapping[str, str], body: bytes) -> str:
    """Why this request isn't taken for Slack's; empty: it's Slack's. Quotes nothing of the request.

    `headers` must find names in any case.
    """
    timestamp = headers.get("X-Slack-Request-Timestamp", "")
    signature = headers.get("X-Slack-Signature", "")
    if not (timestamp and signature):
        return "it isn't signed"
    if not _NUMBER.fullmatch(timestamp):  # before int(), which takes "1_0", " 1" and digits of other scripts
        return "its timestamp isn't a number"
    skew = verifier.clock.now() - int(timestamp)
    if abs(skew) > LONGEST_SKEW:
        direction = "behind" if skew > 0 else "ahead of"
        return (
            f"its timestamp is {abs(round(skew))} s {direction} this machine's clock, and {LONGEST_SKEW} are allowed: "
            "is the clock right?"
        )
    return "" if _matches(verifier, timestamp, signature, body) else _MISMATCH


_MISMATCH: Final = "signature mismatch: is SLACK_SIGNING_SECRET this app's, and does a proxy change the body?"


def _matches(verifier: SignatureVerifier, timestamp: str, signature: str, body: bytes) -> bool:
    if not signature.isascii():  # `compare_digest` would raise TypeError
        return False
    try:
        return verifier.is_valid(body, timestamp, signature)
    except UnicodeDecodeError:  # Slack's bodies are UTF-8, so this isn't one
        return False
