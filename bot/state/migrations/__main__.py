"""`python -m bot.state.migrations "what changed"`: writes the next revision, which leads to what `tables.py` says now.

Read it before you keep it: Alembic takes a renamed column for a new one. Then add its number to `tables.REVISIONS`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.config import Config

from bot.state.engine import parse_url
from bot.state.migrations.run import run, upgrade
from bot.state.tables import REVISIONS


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit('usage: python -m bot.state.migrations "what changed"')

    def write_revision(config: Config) -> None:
        command.revision(config, sys.argv[1], autogenerate=True, rev_id=f"{len(REVISIONS) + 1:04}")

    with tempfile.TemporaryDirectory() as folder:
        url = parse_url(f"sqlite:///{Path(folder, 'newest.sqlite')}")
        upgrade(url)
        run(url, write_revision)


if __name__ == "__main__":
    main()
