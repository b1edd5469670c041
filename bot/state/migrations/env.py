"""Alembic runs this file for every command that needs a database.

The connection comes from `run`, so the usual `alembic` command doesn't work here. To make a new revision, change
`tables.py` and run `python -m bot.state.migrations "what changed"`.
"""

from alembic import context

from bot.state.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can't change a column in place
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
