"""People, what they know, and misses."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("home", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("muted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "home", "id", name="pk_people"),
    )
    op.create_table(
        "known",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("home", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("concept", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["platform", "home", "id"],
            ["people.platform", "people.home", "people.id"],
            name="fk_known_people",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("platform", "home", "id", "concept", name="pk_known"),
    )
    op.create_table(
        "misses",
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("text", name="pk_misses"),
    )


def downgrade() -> None:
    op.drop_table("misses")
    op.drop_table("known")
    op.drop_table("people")
