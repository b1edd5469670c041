"""The tables as this version of the code expects them. `migrations/` leads to them from every older schema.

After a change here: `python -m bot.state.migrations "what changed"`, then read and complete the file that it writes.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    false,
)

REVISIONS = ("0001", "0002")
"""Every revision in `migrations/versions`, oldest first. It stands here so that a start needs no Alembic."""

HEAD = REVISIONS[-1]

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """A moment, in UTC. SQLite has no time zones: it would keep 20:00+08:00 as 20:00, and give it back without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


people = Table(
    "people",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("home", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("language", Text),
    Column("muted", Boolean, nullable=False, server_default=false()),
)

known = Table(
    "known",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("home", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("concept", Text, primary_key=True),
    ForeignKeyConstraint(
        ["platform", "home", "id"], ["people.platform", "people.home", "people.id"], ondelete="CASCADE"
    ),
)

misses = Table(
    "misses",
    metadata,
    Column("text", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last_day", Date, nullable=False),
)

channels = Table(
    "channels",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("language", Text),
    Column("advanced", Boolean, nullable=False, server_default=false()),
    Column("set_by", Text, nullable=False),
    Column("set_at", Moment),
    Column("by_platform", Text),  # who `set_by` is, so that they can be forgotten
    Column("by_home", Text),
    Column("by_id", Text),
    Index(None, "platform", "tenant"),
)

silenced = Table(
    "silenced",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("kind", Text, primary_key=True),  # never: `name` is a concept's id; resting: it's a folded label
    Column("name", Text, primary_key=True),
    ForeignKeyConstraint(["platform", "channel"], ["channels.platform", "channels.channel"], ondelete="CASCADE"),
)

notes = Table(
    "notes",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("message", Text, primary_key=True),
    Column("thread", Text, nullable=False),  # empty: the channel itself; so in every table
    Column("author", Text, nullable=False),
    Column("reply", Text),
    Column("at", Moment, nullable=False),
    Index(None, "platform", "channel", "at"),
    Index(None, "platform", "channel", "thread"),
    Index(None, "platform", "channel", "reply"),
)

NOTE = ["notes.platform", "notes.channel", "notes.message"]

note_terms = Table(  # what a note shows now; a note without terms is gone
    "note_terms",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("message", Text, primary_key=True),
    Column("concept", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("position", Integer, nullable=False),
    ForeignKeyConstraint(["platform", "channel", "message"], NOTE, ondelete="CASCADE"),
)

votes = Table(
    "votes",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("message", Text, primary_key=True),
    Column("concept", Text, primary_key=True),
    Column("voter", Text, primary_key=True),
    ForeignKeyConstraint(["platform", "channel", "message"], NOTE, ondelete="CASCADE"),
)

known_here = Table(
    "known_here",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("concept", Text, primary_key=True),
    Column("reader", Text, primary_key=True),
    Column("at", Moment, nullable=False),
)

explained = Table(
    "explained",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("concept", Text, primary_key=True),
    Column("thread", Text, primary_key=True),
    Column("message", Text, primary_key=True),  # under which a note explained it; empty: people saw it otherwise
    Column("at", Moment, nullable=False),
)

presses = Table(
    "presses",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("platform", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "platform", "channel", "at"),
)

wrong = Table(
    "wrong",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("platform", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("concept", Text, nullable=False),
    Column("released", Boolean, nullable=False, server_default=false()),
    Column("at", Moment, nullable=False),
    Index(None, "platform", "channel", "label"),
    Index(None, "platform", "channel", "at"),
)

handled = Table(
    "handled",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("message", Text, primary_key=True),
    Column("reply", Text),
    Column("at", Moment, nullable=False),
    Index(None, "at"),
)
