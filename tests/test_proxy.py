"""The proxy of docker-compose.yml: what it lets through, and what it does when a replica is gone."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from adapters.slack.http import LARGEST_BODY
from tests.proxies import ADDRESSES, COMPOSE, CONFIG, free_port, missing, proxied

# -- As a text ----------------------------------------------------------------------------------------------------


def directives(config: str) -> list[str]:
    """Each directive, under the blocks that it stands in: `http > server > listen 8080`.

    AssertionError: a block isn't closed, or a directive isn't ended.
    """
    found, around, words = [], [], []
    for word in re.findall(r"[{};]|[^\s{};]+", re.sub(r"#.*", "", config)):
        if word == "{":
            around.append(" ".join(words))
        elif word == "}":
            assert not words, f"no semicolon after: {words}"
            assert around, "a bracket too many"
            around.pop()
        elif word == ";":
            found.append(" > ".join([*around, " ".join(words)]))
        else:
            words.append(word)
            continue
        words = []
    assert not around, f"not closed: {around}"
    assert not words, f"no semicolon after: {words}"
    return found


LINES = directives(CONFIG)


def test_it_listens_where_the_compose_file_says_and_passes_on_to_its_replicas() -> None:
    [port] = COMPOSE["services"]["proxy"]["ports"]
    assert f"http > server > listen {port.rpartition(':')[2]}" in LINES
    assert "slack-http" in COMPOSE["services"]
    replicas = f"slack-http:{COMPOSE['services']['slack-http']['environment']['HTTP_PORT']}"
    assert f"http > server > location /slack/ > set $replicas {replicas}" in LINES


def test_nothing_but_slack_goes_through() -> None:
    inside = "http > server > location /slack/"
    assert [line for line in LINES if "proxy_pass" in line] == [
        f"{inside} > proxy_pass http://$replicas",
        f"{inside} > location /slack/oauth_redirect > proxy_pass http://$replicas",
    ]
    assert "http > server > location / > return 404" in LINES


def test_nothing_that_people_type_is_kept() -> None:
    assert "http > access_log off" in LINES
    largest = f"{LARGEST_BODY // 1024 // 1024}m"
    assert "http > server > location /slack/ > location /slack/oauth_redirect > error_log stderr crit" in LINES
    for name in ("client_max_body_size", "client_body_buffer_size"):
        assert f"http > server > {name} {largest}" in LINES
    assert "http > server > proxy_max_temp_file_size 0" in LINES


def test_a_command_never_arrives_twice() -> None:
    [repeats] = [line for line in LINES if "proxy_next_upstream " in line]
    assert repeats.endswith("> proxy_next_upstream error timeout")


def test_it_writes_only_where_it_may() -> None:
    writable = {place.split(":")[0] for place in COMPOSE["services"]["proxy"]["tmpfs"]}
    written = [line.split()[-1] for line in LINES if "_temp_path " in line or line.startswith("pid ")]
    assert len(written) == 6
    assert [path for path in written if "/" + path.split("/")[1] not in writable] == []


@pytest.mark.parametrize("config", ["http {", "http { listen 1 }", "}", "listen 1"])
def test_a_text_that_is_no_configuration_is_refused(config: str) -> None:
    with pytest.raises(AssertionError):
        directives(config)


# -- As a process -------------------------------------------------------------------------------------------------

NEEDS_NGINX = pytest.mark.skipif(bool(missing()), reason=f"the proxy wasn't tried: {missing()}")


@dataclass
class Replica:
    """A server that notes what reaches it."""

    address: str
    got: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    dies: bool = False
    """Cuts the connection when a request is there."""

    async def answer(self, request: web.Request) -> web.Response:
        self.got.append((request.method, request.raw_path, dict(request.headers), await request.read()))
        if self.dies:
            assert request.transport is not None
            request.transport.abort()
        return web.Response(text=self.address)


@dataclass
class Scene:
    proxy: str
    replicas: list[Replica]
    runners: list[web.AppRunner]
    session: aiohttp.ClientSession

    async def post(self, path: str = "/slack/events", body: bytes = b"{}", **headers: str) -> tuple[int, str]:
        url = URL(self.proxy + path, encoded=True)
        async with self.session.post(url, data=io.BytesIO(body), headers=headers, allow_redirects=False) as answer:
            return answer.status, await answer.text()

    @property
    def got(self) -> list[tuple[str, str, dict[str, str], bytes]]:
        return [request for replica in self.replicas for request in replica.got]

    async def close(self, number: int) -> None:
        """This replica leaves."""
        await self.runners[number].cleanup()


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[Scene]:
    port = free_port(*ADDRESSES)
    replicas, runners = [Replica(address) for address in ADDRESSES], []
    for replica in replicas:
        served = web.Application(client_max_size=4 * LARGEST_BODY)
        served.router.add_route("*", "/{path:.*}", replica.answer)
        runner = web.AppRunner(served)
        await runner.setup()
        await web.TCPSite(runner, replica.address, port).start()
        runners.append(runner)
    try:
        async with proxied(folder, port) as proxy, aiohttp.ClientSession() as session:
            yield Scene(proxy.url, replicas, runners, session)
    finally:
        for runner in runners:
            await runner.cleanup()


@NEEDS_NGINX
async def test_nginx_takes_it_and_gives_every_replica_its_share(tmp_path: Path) -> None:
    async with scene(tmp_path) as its:
        answers = [await its.post() for _ in range(60)]
        assert {status for status, _ in answers} == {200}
        assert {address for _, address in answers} == set(ADDRESSES)


@NEEDS_NGINX
async def test_a_request_arrives_as_it_was_signed(tmp_path: Path) -> None:
    body = 'text=%2B1+%E4%BB%80%E4%B9%88&x=a b\r\n\0{"ü": 1}  '.encode()
    async with scene(tmp_path) as its:
        await its.post(
            "/slack/events?a=%2F..%2f&b",
            body,
            **{
                "Content-Type": "application/x-www-form-urlencoded",
                "X-Slack-Signature": "v0=a",
                "X-Slack-Request-Timestamp": "1",
                "X-Slack-Retry-Num": "1",
            },
        )
        [(method, path, headers, got)] = its.got
        assert (method, path, got) == ("POST", "/slack/events?a=%2F..%2f&b", body)
        assert headers["Content-Type"] == "application/x-www-form-urlencoded"
        assert headers["Content-Length"] == str(len(body))
        assert [headers[f"X-Slack-{name}"] for name in ("Signature", "Request-Timestamp", "Retry-Num")] == [
            "v0=a",
            "1",
            "1",
        ]


@NEEDS_NGINX
@pytest.mark.parametrize(
    "path",
    ["/", "/metrics", "/healthz", "/slack", "/slack/../metrics", "/slack/%2e%2e/metrics", "//metrics", "/SLACK/x"],
)
async def test_nothing_else_reaches_a_replica(path: str, tmp_path: Path) -> None:
    async with scene(tmp_path) as its:
        status, _ = await its.post(path)
        assert status in (301, 404)
        assert its.got == []


@NEEDS_NGINX
async def test_what_is_too_large_stays_outside_and_nothing_is_written(tmp_path: Path) -> None:
    async with scene(tmp_path) as its:
        assert (await its.post(body=b"x" * LARGEST_BODY))[0] == 200
        assert (await its.post(body=b"x" * (LARGEST_BODY + 1)))[0] == 413
        assert len(its.got) == 1
        assert [
            file for folder in ("client_body", "proxy") for file in (tmp_path / folder).rglob("*") if file.is_file()
        ] == []


@NEEDS_NGINX
async def test_without_one_replica_the_others_answer_everything(tmp_path: Path) -> None:
    async with scene(tmp_path) as its:
        await its.close(0)
        answers = await asyncio.gather(*(its.post() for _ in range(60)))
        assert {status for status, _ in answers} == {200}
        assert {address for _, address in answers} <= set(ADDRESSES[1:])


@NEEDS_NGINX
async def test_what_a_replica_took_is_not_given_to_another(tmp_path: Path) -> None:
    """It may have answered already: only Slack knows whether to send it again."""
    async with scene(tmp_path) as its:
        for replica in its.replicas:
            replica.dies = True
        assert (await its.post())[0] == 502
        assert len(its.got) == 1
