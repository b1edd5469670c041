"""What is set for channels, and which messages were taken care of, in a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, and_, bindparam, delete, select, update

from bot.request import Person, Place
from bot.state.ports import HANDLED_FOR, Channel
from bot.state.tables import channels, handled, silenced, wrong

if TYPE_CHECKING:
    from bot.state.database import Database, Insert

CHANNEL = ("platform", "channel")
SETTINGS = ("tenant", "mode", "language", "advanced", "set_by", "set_at", "by_platform", "by_home", "by_id")


def channel_values(place: Place) -> dict[str, Any]:
    return {"platform": place.platform, "channel": place.channel}


def row_values(place: Place) -> dict[str, Any]:
    """Of a new row, which goes when the bot is removed from the tenant."""
    return channel_values(place) | {"tenant": place.tenant}


class DatabaseChannels:
    """Implements `Channels`."""

    def __init__(self, database: Database, insert: Callable[[Table], Insert]) -> None:
        self._database = database
        rows = select(channels, silenced.c.kind, silenced.c.name).select_from(channels.outerjoin(silenced))
        self._get = rows.where(*(channels.c[name] == bindparam(name) for name in CHANNEL))
        self._listed = rows.where(
            channels.c.platform == bindparam("platform"),
            channels.c.tenant == bindparam("tenant"),
            channels.c.mode != "off",
        )
        row = insert(channels)
        self._set = row.on_conflict_do_update(
            index_elements=CHANNEL, set_={name: row.excluded[name] for name in SETTINGS}
        )
        self._add = row.on_conflict_do_nothing()
        self._silence = insert(silenced).on_conflict_do_nothing()
        self._allow = delete(silenced).where(
            *(silenced.c[name] == bindparam(name) for name in (*CHANNEL, "kind", "name"))
        )
        self._forget_wrong = (
            update(wrong)
            .where(*(wrong.c[name] == bindparam(f"of_{name}") for name in (*CHANNEL, "label")))
            .values(released=True)
        )

    async def get(self, place: Place) -> Channel:
        rows = await self._database.read(self._get, channel_values(place))
        return _channel(rows) if rows else Channel()

    async def set(self, place: Place, channel: Channel, by: Person) -> None:
        values = _row(place, channel) | {"by_platform": by.platform, "by_home": by.home, "by_id": by.id}
        await self._database.write((self._set, [values]))

    async def set_never(self, place: Place, concept: str, never: bool) -> None:
        if never:
            await self._silence_for_good(place, "never", concept)
        else:
            await self._database.write((self._allow, [_silenced(place, "never", concept)]))

    async def rest(self, place: Place, label: str) -> None:
        await self._silence_for_good(place, "resting", label)

    async def release(self, place: Place, label: str) -> None:
        of = {"of_platform": place.platform, "of_channel": place.channel, "of_label": label}
        await self._database.write(
            (self._allow, [_silenced(place, "resting", label)]),
            (self._forget_wrong, [of]),
        )

    async def listed(self, platform: str, tenant: str) -> tuple[tuple[str, Channel], ...]:
        rows = await self._database.read(self._listed, {"platform": platform, "tenant": tenant})
        # Sorted here: a server sorts by the rules of its own language.
        by_id = groupby(sorted(rows, key=_id), key=_id)
        return tuple((channel, _channel(list(of_channel))) for channel, of_channel in by_id)

    async def _silence_for_good(self, place: Place, kind: str, name: str) -> None:
        await self._database.write(
            (self._add, [_row(place, Channel())]),
            (self._silence, [_silenced(place, kind, name)]),
        )


def _row(place: Place, channel: Channel) -> dict[str, Any]:
    return row_values(place) | {
        "mode": channel.mode,
        "language": channel.language,
        "advanced": channel.advanced,
        "set_by": channel.set_by,
        "set_at": channel.set_at,
    }


def _silenced(place: Place, kind: str, name: str) -> dict[str, Any]:
    return channel_values(place) | {"kind": kind, "name": name}


def _id(row: Any) -> str:
    return str(row.channel)


def _channel(rows: Sequence[Any]) -> Channel:
    """From the rows of one channel, each with another of its silenced names, or a single one without."""
    first = rows[0]
    return Channel(
        mode=first.mode,
        language=first.language,
        advanced=first.advanced,
        set_by=first.set_by,
        set_at=first.set_at,
        never=_names(rows, "never"),
        resting=_names(rows, "resting"),
    )


def _names(rows: Iterable[Any], kind: str) -> frozenset[str]:
    return frozenset(row.name for row in rows if row.kind == kind)


class DatabaseHandled:
    """Implements `Handled`."""

    def __init__(self, database: Database, insert: Callable[[Table], Insert]) -> None:
        self._database = database
        one = and_(*(handled.c[name] == bindparam(f"of_{name}") for name in (*CHANNEL, "message")))
        self._claim = insert(handled).on_conflict_do_nothing()
        self._replied = update(handled).where(one).values(reply=bindparam("reply_id"))
        self._reply_to = select(handled.c.reply).where(one)
        self._prune = delete(handled).where(handled.c.at < bindparam("since"))

    async def claim(self, place: Place, message: str, now: datetime) -> bool:
        row = row_values(place) | {"message": message, "at": now}
        return await self._database.write_one(self._claim, row) == 1

    async def replied(self, place: Place, message: str, reply: str) -> None:
        await self._database.write_one(self._replied, _of(place, message) | {"reply_id": reply})

    async def reply_to(self, place: Place, message: str) -> str | None:
        rows = await self._database.read(self._reply_to, _of(place, message))
        return rows[0].reply if rows else None

    async def prune(self, now: datetime) -> None:
        await self._database.write((self._prune, [{"since": now - HANDLED_FOR}]))


def _of(place: Place, message: str) -> dict[str, Any]:
    """Values of a WHERE; an UPDATE keeps the columns' own names for what it sets."""
    return {"of_platform": place.platform, "of_channel": place.channel, "of_message": message}
