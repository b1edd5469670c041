"""Alembic runs this file for every command that needs a database.

The connection comes from `run`, so the usual `alembic` command doesn't work here. To make a new revision, change
`tables.py` and run `python -m bot.state.migrations "what changed"`.
"""

from typing import Any, Literal

from alembic import context

from bot.state.tables import Moment, metadata


def render_item(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """A revision names the type of the column, not our class, which may change. False: as Alembic does it."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Moment) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can't change a column in place
    compare_server_default=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
