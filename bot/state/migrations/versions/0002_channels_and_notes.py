"""Channels, notes with all that belongs to them, and handled messages."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "channels",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("advanced", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("set_by", sa.Text(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("by_platform", sa.Text(), nullable=True),
        sa.Column("by_home", sa.Text(), nullable=True),
        sa.Column("by_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("platform", "channel", name="pk_channels"),
    )
    op.create_index("ix_channels_platform_tenant", "channels", ["platform", "tenant"])
    op.create_table(
        "explained",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("concept", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "channel", "concept", "thread", "message", name="pk_explained"),
    )
    op.create_table(
        "known_here",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("concept", sa.Text(), nullable=False),
        sa.Column("reader", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "channel", "concept", "reader", name="pk_known_here"),
    )
    op.create_table(
        "handled",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "channel", "message", name="pk_handled"),
    )
    op.create_index("ix_handled_at", "handled", ["at"])
    op.create_table(
        "notes",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "channel", "message", name="pk_notes"),
    )
    op.create_index("ix_notes_platform_channel_at", "notes", ["platform", "channel", "at"])
    op.create_index("ix_notes_platform_channel_reply", "notes", ["platform", "channel", "reply"])
    op.create_index("ix_notes_platform_channel_thread", "notes", ["platform", "channel", "thread"])
    op.create_table(
        "presses",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_presses"),
    )
    op.create_index("ix_presses_platform_channel_at", "presses", ["platform", "channel", "at"])
    op.create_table(
        "wrong",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("concept", sa.Text(), nullable=False),
        sa.Column("released", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_wrong"),
    )
    op.create_index("ix_wrong_platform_channel_at", "wrong", ["platform", "channel", "at"])
    op.create_index("ix_wrong_platform_channel_label", "wrong", ["platform", "channel", "label"])
    op.create_table(
        "note_terms",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("concept", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["platform", "channel", "message"],
            ["notes.platform", "notes.channel", "notes.message"],
            name="fk_note_terms_notes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("platform", "channel", "message", "concept", name="pk_note_terms"),
    )
    op.create_table(
        "silenced",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["platform", "channel"],
            ["channels.platform", "channels.channel"],
            name="fk_silenced_channels",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("platform", "channel", "kind", "name", name="pk_silenced"),
    )
    op.create_table(
        "votes",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("concept", sa.Text(), nullable=False),
        sa.Column("voter", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["platform", "channel", "message"],
            ["notes.platform", "notes.channel", "notes.message"],
            name="fk_votes_notes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("platform", "channel", "message", "concept", "voter", name="pk_votes"),
    )


def downgrade() -> None:
    op.drop_table("votes")
    op.drop_table("silenced")
    op.drop_table("note_terms")
    op.drop_table("wrong")
    op.drop_table("presses")
    op.drop_table("notes")
    op.drop_table("handled")
    op.drop_table("known_here")
    op.drop_table("explained")
    op.drop_table("channels")
