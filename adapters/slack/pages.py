"""What somebody sees in their browser after they allowed the app, or didn't. In both languages: nobody asked which."""

from __future__ import annotations

import html
import logging
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from slack_bolt.oauth.async_callback_options import AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.response import BoltResponse

from bot.phrases import Phrases

_LOGGED: Final = frozenset({"access_denied", "invalid_browser", "invalid_state", "missing_code", "invalid_code"})
"""Reasons that may stand in the log. Others are whatever somebody wrote into the address."""

_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Referrer-Policy": "no-referrer",  # the address holds a code
}

_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Jargonaut</title>
<style>body {{ font: 1.1rem/1.6 sans-serif; margin: 15vh auto; max-width: 32rem; padding: 0 1rem }}</style>
<h1>Jargonaut</h1>
{}
</html>
"""

_log = logging.getLogger(__name__)


class Pages:
    """`success` and `failure` of bolt's flow."""

    def __init__(self, phrases: Phrases, home: str) -> None:
        """`home`: see `home_of`."""
        self._phrases = phrases
        self._home = home

    async def installed(self, args: AsyncSuccessArgs) -> BoltResponse:
        done = args.installation
        where = {"app": done.app_id or "", "team": done.team_id or done.enterprise_id or ""}
        address = f"{self._home}/app_redirect?{urlencode(where, quote_via=quote)}"
        text = _both(self._phrases, "slack.oauth.installed") + _both(self._phrases, "slack.oauth.open", address)
        return _page(args, 200, text)

    async def failed(self, args: AsyncFailureArgs) -> BoltResponse:
        """Nothing of the request is shown."""
        if args.reason == "storage_error":
            return _page(args, args.suggested_status_code, _both(self._phrases, "slack.oauth.away"))
        _log.warning("an installation ended: %s", args.reason if args.reason in _LOGGED else "another reason")
        if args.reason == "access_denied":
            return _page(args, 200, _both(self._phrases, "slack.oauth.cancelled"))
        again = _both(self._phrases, "slack.oauth.again", args.settings.install_path)
        return _page(args, args.suggested_status_code, _both(self._phrases, "slack.oauth.failed") + again)


def home_of(api_url: str) -> str:
    """Where people of this Slack are, by the address of its Web API. A proxy in front of that isn't for browsers."""
    host = urlsplit(api_url).hostname or ""
    return (
        "https://slack-gov.com" if host == "slack-gov.com" or host.endswith(".slack-gov.com") else "https://slack.com"
    )


def _both(phrases: Phrases, key: str, address: str = "") -> str:
    """A sentence in both languages, as a link if there's an address."""
    paragraphs = []
    for language in ("en", "zh-Hans"):
        text = html.escape(phrases.say(key, language), quote=False)
        linked = f'<a href="{html.escape(address)}">{text}</a>' if address else text
        paragraphs.append(f'<p lang="{language}">{linked}</p>\n')
    return "".join(paragraphs)


def _page(args: AsyncSuccessArgs | AsyncFailureArgs, status: int, text: str) -> BoltResponse:
    used = args.settings.state_utils.build_set_cookie_for_deletion()
    return BoltResponse(status=status, body=_PAGE.format(text), headers={**_HEADERS, "Set-Cookie": used})
