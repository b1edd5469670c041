"""How the tables came to be what they are: Alembic's environment and its revisions.

`run` upgrades a database. `python -m bot.state.migrations "what changed"` writes the next revision after a change in
`tables.py`.
"""
