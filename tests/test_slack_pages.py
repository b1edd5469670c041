"""The pages of an installation: in both languages, small, and without anything of what was asked."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_bolt.async_app import AsyncBoltRequest
from slack_bolt.oauth.async_callback_options import AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.response import BoltResponse

from adapters.slack.pages import Pages, home_of
from bot.phrases import Phrases
from tests.slack_installed import installation

REASONS = ["access_denied", "invalid_browser", "invalid_state", "missing_code", "invalid_code", "storage_error"]


def settings() -> AsyncOAuthSettings:
    return AsyncOAuthSettings(client_id="1.2", client_secret="shh", scopes=["commands"], user_scopes=[])


class Links(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.languages: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name == "href"]
        self.languages += [value or "" for name, value in attrs if name == "lang" and tag == "p"]


async def failed(phrases: Phrases, reason: str, status: int = 401) -> BoltResponse:
    made = settings()
    request = AsyncBoltRequest(body="", query="error=x")
    args = AsyncFailureArgs(
        request=request,
        reason=reason,
        suggested_status_code=status,
        settings=made,
        default=made.callback_options,  # type: ignore[arg-type]
    )
    return await Pages(phrases, "https://slack.com").failed(args)


async def installed(phrases: Phrases, team: str | None, enterprise: str | None = None, app: str = "A1") -> BoltResponse:
    made = settings()
    args = AsyncSuccessArgs(
        request=AsyncBoltRequest(body=""),
        installation=installation(team, enterprise, app_id=app),
        settings=made,
        default=made.callback_options,  # type: ignore[arg-type]
    )
    return await Pages(phrases, "https://slack.com").installed(args)


@pytest.mark.parametrize(
    ("team", "enterprise", "link"),
    [
        ("T1", None, "https://slack.com/app_redirect?app=A1&team=T1"),
        ("T1", "E1", "https://slack.com/app_redirect?app=A1&team=T1"),
        (None, "E1", "https://slack.com/app_redirect?app=A1&team=E1"),
    ],
)
async def test_after_an_installation_there_is_the_way_to_slack(
    phrases: Phrases, team: str | None, enterprise: str | None, link: str
) -> None:
    page = await installed(phrases, team, enterprise)
    links = Links(page.body)
    assert page.status == 200
    assert links.found == [link, link]
    assert links.languages == ["en", "zh-Hans"] * 2
    for language in ("en", "zh-Hans"):
        assert phrases.say("slack.oauth.installed", language) in page.body


@pytest.mark.parametrize("reason", REASONS)
async def test_a_failure_is_said_in_both_languages_and_kindly(phrases: Phrases, reason: str) -> None:
    page = await failed(phrases, reason)
    links = Links(page.body)
    assert links.languages[:2] == ["en", "zh-Hans"]
    assert links.found in ([], ["/slack/install"] * 2)
    assert reason not in page.body
    assert page.status == (200 if reason == "access_denied" else 401)


async def test_who_said_no_is_not_asked_again(phrases: Phrases) -> None:
    assert Links((await failed(phrases, "access_denied")).body).found == []


@pytest.mark.parametrize("reason", REASONS)
async def test_pages_are_not_kept_and_load_nothing(phrases: Phrases, reason: str) -> None:
    for page in (await failed(phrases, reason), await installed(phrases, "T1")):
        headers = page.first_headers()
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["set-cookie"].startswith("slack-app-oauth-state=deleted;")
        assert len(page.body) < 2000
        assert not re.search(r"<(script|img|link|iframe)", page.body)


@given(st.text())
@hypothesis.settings(max_examples=30)
async def test_nothing_of_the_address_reaches_the_page_or_the_log(phrases: Phrases, reason: str) -> None:
    page = await failed(phrases, f"<b>{reason}</b>")
    assert "<b>" not in page.body


async def test_a_reason_from_the_address_is_not_logged(phrases: Phrases, caplog: pytest.LogCaptureFixture) -> None:
    await failed(phrases, "forged\nERROR line")
    await failed(phrases, "invalid_state")
    assert [record.getMessage() for record in caplog.records] == [
        "an installation ended: another reason",
        "an installation ended: invalid_state",
    ]


async def test_ids_are_escaped(phrases: Phrases) -> None:
    page = await installed(phrases, 'T1"><script>', app="A 1&x=y")
    assert "<script>" not in page.body
    assert Links(page.body).found[0] == "https://slack.com/app_redirect?app=A%201%26x%3Dy&team=T1%22%3E%3Cscript%3E"


@pytest.mark.parametrize(
    ("api_url", "home"),
    [
        ("https://slack.com/api/", "https://slack.com"),
        ("https://www.slack.com/api/", "https://slack.com"),
        ("https://slack-gov.com/api/", "https://slack-gov.com"),
        ("https://api.slack-gov.com/", "https://slack-gov.com"),
        ("https://not-slack-gov.com/api/", "https://slack.com"),
        ("http://127.0.0.1:3128/api/", "https://slack.com"),
        ("", "https://slack.com"),
    ],
)
def test_where_browsers_go(api_url: str, home: str) -> None:
    assert home_of(api_url) == home
