"""The gateway of the fake: sessions over websockets, each with its shard, its intents, and its events to replay."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from aiohttp import WSMsgType, web

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT, REQUEST_MEMBERS = 0, 1, 2, 3, 6, 7, 8
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11

GUILDS, GUILD_MEMBERS, GUILD_PRESENCES, GUILD_MESSAGES = 1 << 0, 1 << 1, 1 << 8, 1 << 9
DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 12, 1 << 15
PRIVILEGED: Final = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT
ALL_INTENTS: Final = (1 << 26) - 1

CLOSES: Final = {
    **{4001: "Unknown opcode.", 4002: "Error while decoding payload.", 4003: "Not authenticated."},
    **{4004: "Authentication failed.", 4005: "Already authenticated.", 4007: "Invalid seq."},
    **{
        4008: "You are being rate limited.",
        4009: "Session timed out.",
        4010: "Invalid shard.",
        4011: "Sharding required.",
    },
    **{4012: "Invalid API version.", 4013: "Invalid intent(s).", 4014: "Disallowed intent(s)."},
}


class Closed(Exception):
    """The client did what Discord closes a connection for."""

    def __init__(self, code: int, *, told: bool = True) -> None:
        super().__init__(code)
        self.code, self.told = code, told


class World(Protocol):
    """What the gateway asks the fake."""

    token: str
    heartbeat_seconds: float

    def allowed_intents(self) -> int: ...
    def shards(self) -> int: ...
    def ready(self, session: Session) -> dict[str, Any]: ...
    def guild_payloads(self, session: Session) -> list[dict[str, Any]]: ...
    def blamed(self, method: str, path: str, status: int, code: int, message: str) -> None: ...
    def resume_url(self) -> str: ...


@dataclass(eq=False)
class Session:
    """What a client identified; it outlives its connections."""

    id: str
    shard: int
    shards: int
    intents: int
    events: list[dict[str, Any]] = field(default_factory=list)
    connection: Connection | None = None
    resumable: bool = True
    resumed: int = 0

    def covers(self, guild: int | None) -> bool:
        return (0 if guild is None else (guild >> 22) % self.shards) == self.shard


class Connection:
    """One websocket."""

    def __init__(self, socket: web.WebSocketResponse, compress: str) -> None:
        self.socket = socket
        self.session: Session | None = None
        self.acknowledged = asyncio.Event()
        """The client answered a heartbeat that was asked for."""
        self.beats = 0
        self._deflate = zlib.compressobj() if compress == "zlib-stream" else None
        self._lock = asyncio.Lock()

    async def send(self, payload: dict[str, Any]) -> None:
        text = json.dumps(payload)
        async with self._lock:
            if self.socket.closed:
                return
            try:
                if self._deflate is None:
                    await self.socket.send_str(text)
                else:
                    data = self._deflate.compress(text.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(data)
            except ConnectionError:
                return  # the client went; what it missed is replayed

    def drop(self) -> None:
        """Without a close frame, as when a cable is pulled."""
        transport = self.socket._req.transport if self.socket._req else None
        if transport is not None:
            transport.abort()


class Gateway:
    """All sessions. `faulty` connections are closed with the code right after hello, as long as there are codes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.sessions: list[Session] = []
        self.connections: set[Connection] = set()
        self.identifies: list[dict[str, Any]] = []
        self.resumes: list[dict[str, Any]] = []
        self.addresses: list[str] = []
        """Paths at which connections were opened."""
        self.refuse: list[int] = []
        """HTTP statuses that the next connections get instead of a websocket."""
        self.close_next: list[int] = []
        """Close codes for the next that identify or resume."""
        self.silent = False
        """Acknowledges no heartbeats and sends nothing, as a connection that died unnoticed."""

    def online(self) -> list[Session]:
        return [session for session in self.sessions if session.connection is not None]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.addresses.append(request.path)
        if self.refuse:
            return web.Response(status=self.refuse.pop(0))
        compress = request.query.get("compress", "")
        if compress not in ("", "zlib-stream"):
            self._world.blamed("GET", request.path, 501, 0, f"The fake can't compress with {compress}")
        socket = web.WebSocketResponse(autoping=True)
        await socket.prepare(request)
        connection = Connection(socket, compress)
        self.connections.add(connection)
        try:
            if request.query.get("v") != "10" or request.query.get("encoding") != "json":
                raise Closed(4012)
            interval = round(self._world.heartbeat_seconds * 1000)
            await connection.send({"op": HELLO, "s": None, "t": None, "d": {"heartbeat_interval": interval}})
            await self._listen(connection)
        except Closed as fault:
            if fault.told:
                self._world.blamed("WS", request.path, fault.code, fault.code, CLOSES.get(fault.code, ""))
            await socket.close(code=fault.code, message=CLOSES.get(fault.code, "").encode())
        finally:
            self.connections.discard(connection)
            if connection.session is not None and connection.session.connection is connection:
                connection.session.connection = None
                if socket.close_code in (1000, 1001):  # then Discord forgets the session
                    connection.session.resumable = False
        return socket

    async def _listen(self, connection: Connection) -> None:
        async for message in connection.socket:
            if message.type is not WSMsgType.TEXT or len(message.data) > 4096:
                raise Closed(4002)
            try:
                payload = json.loads(message.data)
                op, data = payload["op"], payload.get("d")
            except (ValueError, KeyError, TypeError):
                raise Closed(4002) from None
            if op == HEARTBEAT:
                connection.beats += 1
                connection.acknowledged.set()
                if not self.silent:
                    await asyncio.sleep(
                        0.02
                    )  # discord.py takes an answer that's there at once for one to the last beat
                    await connection.send({"op": HEARTBEAT_ACK, "d": None})
            elif op == IDENTIFY:
                await self._identify(connection, data)
            elif op == RESUME:
                await self._resume(connection, data)
            elif op not in (PRESENCE, 4, REQUEST_MEMBERS):
                raise Closed(4001)
            elif connection.session is None:
                raise Closed(4003)

    async def _identify(self, connection: Connection, data: dict[str, Any]) -> None:
        if connection.session is not None:
            raise Closed(4005)
        self.identifies.append(data)
        self._close_as_told()
        if data.get("token") != self._world.token:
            raise Closed(4004)
        if not {"os", "browser", "device"} <= data.get("properties", {}).keys() or "intents" not in data:
            raise Closed(4002)
        shard, shards = data.get("shard", [0, 1])
        if not 0 <= shard < shards:
            raise Closed(4010)
        if shards < self._world.shards():
            raise Closed(4011)
        intents = data["intents"]
        if not isinstance(intents, int) or intents & ~ALL_INTENTS:
            raise Closed(4013)
        if intents & PRIVILEGED & ~self._world.allowed_intents():
            raise Closed(4014)
        session = Session(secrets.token_hex(16), shard, shards, intents, connection=connection)
        connection.session = session
        self.sessions.append(session)
        await self._dispatch(session, "READY", self._world.ready(session))
        for guild in self._world.guild_payloads(session):
            await self._dispatch(session, "GUILD_CREATE", guild)

    async def _resume(self, connection: Connection, data: dict[str, Any]) -> None:
        self.resumes.append(data)
        self._close_as_told()
        if data.get("token") != self._world.token:
            raise Closed(4004)
        session = next((s for s in self.sessions if s.id == data.get("session_id") and s.resumable), None)
        if session is None:
            await connection.send({"op": INVALID_SESSION, "d": False})
            return
        if not isinstance(data.get("seq"), int) or data["seq"] > len(session.events):
            raise Closed(4007)
        session.connection, connection.session = connection, session
        session.resumed += 1
        for event in session.events[data["seq"] :]:
            await connection.send(event)
        await self._dispatch(session, "RESUMED", {})

    def _close_as_told(self) -> None:
        if self.close_next:
            raise Closed(self.close_next.pop(0), told=False)

    async def _dispatch(self, session: Session, event: str, data: dict[str, Any]) -> None:
        payload = {"op": DISPATCH, "s": len(session.events) + 1, "t": event, "d": data}
        session.events.append(payload)
        if session.connection is not None and not self.silent:
            await session.connection.send(payload)

    async def dispatch(
        self, event: str, guild: int | None, intents: int, data: Callable[[Session], dict[str, Any]]
    ) -> None:
        """To every session that covers the server and asked for one of the intents (0: everybody gets it)."""
        for session in list(self.sessions):
            if session.resumable and session.covers(guild) and (not intents or session.intents & intents):
                await self._dispatch(session, event, data(session))

    # -- Faults ---------------------------------------------------------------------------------------------------

    def _open(self) -> Iterator[Connection]:
        return (session.connection for session in self.online() if session.connection is not None)

    async def ask_to_reconnect(self) -> None:
        """Op 7."""
        for connection in list(self._open()):
            await connection.send({"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool) -> None:
        """Op 9."""
        for connection in list(self._open()):
            if connection.session is not None:
                connection.session.resumable = resumable
            await connection.send({"op": INVALID_SESSION, "d": resumable})

    async def close(self, code: int) -> None:
        for connection in list(self._open()):
            await connection.socket.close(code=code, message=CLOSES.get(code, "").encode())

    def drop(self) -> None:
        """Every connection, without a word."""
        for connection in list(self.connections):
            connection.drop()

    async def beat(self) -> None:
        """Asks every client for a heartbeat and waits for it: then it has read whatever was sent before."""
        for connection in list(self._open()):
            connection.acknowledged.clear()
            await connection.send({"op": HEARTBEAT, "d": None})
        for connection in list(self._open()):
            waiting = asyncio.create_task(connection.acknowledged.wait())
            await asyncio.wait([waiting], timeout=5)
            waiting.cancel()
