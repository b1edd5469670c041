"""The tables as this version of the code expects them. `migrations/` leads to them from every older schema.

After a change here: `python -m bot.state.migrations "what changed"`, then read and complete the file that it writes.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Date, ForeignKeyConstraint, Integer, MetaData, Table, Text, false

REVISIONS = ("0001",)
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
