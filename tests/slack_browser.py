"""Somebody who installs the app in a browser."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import aiohttp


class Browser:
    """Keeps cookies, as browsers do over HTTPS, and doesn't follow redirects by itself."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session = session
        self.url = url
        self.cookie = ""

    async def get(self, path: str, **query: str) -> tuple[int, str, str]:
        """Status, page, and where it leads."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        at = self.url + path
        async with self._session.get(at, params=query, headers=headers, allow_redirects=False) as answer:
            for name, morsel in answer.cookies.items():
                assert (morsel["secure"], morsel["httponly"]) == (True, True)
                self.cookie = f"{name}={morsel.value}"
            return answer.status, await answer.text(), answer.headers.get("Location", "")

    async def begin(self) -> str:
        """The state that Slack's redirect has to bring back."""
        status, _, location = await self.get("/slack/install")
        assert status == 302
        return parse_qs(urlsplit(location).query)["state"][0]

    async def install(self, code: str) -> tuple[int, str]:
        status, page, _ = await self.get("/slack/oauth_redirect", code=code, state=await self.begin())
        return status, page
