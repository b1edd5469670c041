"""The proxy of docker-compose.yml as a real nginx, before replicas that listen on addresses of loopback."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).parent.parent
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
CONFIG: Final[str] = COMPOSE["configs"]["proxy"]["content"].replace("$$", "$")
"""As the container gets it."""

ADDRESSES: Final = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
"""Where replicas may listen, all at the same port, as containers do; only on Linux they're all there."""

LIMIT: Final = 20.0
"""Seconds in which the proxy has to be there."""


def missing() -> str:
    """Why the proxy can't run on this machine; empty: it can."""
    if not sys.platform.startswith("linux"):
        return "replicas need addresses like 127.0.0.2, which only Linux has unasked"
    return "" if _nginx() else "nginx isn't installed (Debian: apt-get install nginx-light)"


def free_port(*addresses: str) -> int:
    """A port that is free at each of these addresses."""
    while True:
        with socket.socket() as first:
            first.bind((addresses[0], 0))
            port: int = first.getsockname()[1]
            if all(_is_free(address, port) for address in addresses[1:]):
                return port


@dataclass(frozen=True, slots=True)
class Proxy:
    url: str
    """Where it listens, without a slash at the end."""
    pid: int


@asynccontextmanager
async def proxied(
    folder: Path, port: int, replicas: Sequence[str] = ADDRESSES, *, quiet: bool = False
) -> AsyncIterator[Proxy]:
    """The proxy, running. It finds `slack-http` at these addresses, at this port, and writes to `folder` only.

    `quiet`: what it complains of isn't shown.
    AssertionError: nginx doesn't take the configuration, or doesn't start.
    """
    names, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: _Names(replicas), local_addr=("127.0.0.1", 0)
    )
    at = free_port("127.0.0.1")
    config = folder / "nginx.conf"
    config.write_text(_here(folder, names.get_extra_info("sockname")[1], at, port), "utf-8")
    start = [_nginx(), "-e", "stderr", "-p", str(folder), "-c", str(config), "-g", _globals()]
    test = await asyncio.create_subprocess_exec(*start, "-t", stderr=PIPE)
    _, said = await test.communicate()
    assert test.returncode == 0, said.decode()
    nginx = await asyncio.create_subprocess_exec(*start, stderr=DEVNULL if quiet else None)
    try:
        async with asyncio.timeout(LIMIT):
            while not await _listens(at):
                assert nginx.returncode is None
                await asyncio.sleep(0.02)
        yield Proxy(f"http://127.0.0.1:{at}", nginx.pid)
    finally:
        if nginx.returncode is None:
            nginx.terminate()
        await nginx.wait()
        names.close()


def _here(folder: Path, names: int, at: int, port: int) -> str:
    """The configuration, with the addresses of this machine instead of those in the containers' network."""
    text = CONFIG
    for there, here in (
        ("resolver 127.0.0.11 ", f"resolver 127.0.0.1:{names} "),
        ("listen 8080;", f"listen 127.0.0.1:{at};"),
        ("slack-http:3000", f"slack-http:{port}"),
        (" /tmp/", f" {folder}/"),
    ):
        assert there in text, there
        text = text.replace(there, here)
    return text


def _globals() -> str:
    return "daemon off; user root;" if os.geteuid() == 0 else "daemon off;"  # else its workers can't enter `folder`


def _nginx() -> str:
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin") or ""


def _is_free(address: str, port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


class _Names(asyncio.DatagramProtocol):
    """A DNS server that knows one name, as Docker's knows a service by the addresses of its replicas (RFC 1035)."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        question = data[12 : data.index(b"\0", 12) + 5]
        head = data[:2] + b"\x81\x80\0\1" + len(self._addresses).to_bytes(2, "big") + b"\0\0\0\0"
        found = b"".join(
            b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(address) for address in self._addresses
        )  # the name above, an address on the internet, for one second
        self._transport.sendto(head + question + found, addr)
