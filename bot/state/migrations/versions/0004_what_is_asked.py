"""How often what was asked."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "asked",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("concept", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "day", "platform", "tenant", "channel", "concept", "language", "outcome", name="pk_asked"
        ),
    )


def downgrade() -> None:
    op.drop_table("asked")
