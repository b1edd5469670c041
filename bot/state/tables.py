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
    String,
    Table,
    Text,
    TypeDecorator,
    false,
    func,
    text,
)

REVISIONS = ("0001", "0002", "0003", "0004")
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


def _tenant() -> Column[str]:
    """Whose row goes when the bot is removed. Empty: it was kept before this was; such a row ends by its age."""
    return Column("tenant", Text, nullable=False, server_default=text("''"))


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
    _tenant(),
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
    _tenant(),
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
    _tenant(),
)

presses = Table(
    "presses",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("platform", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("at", Moment, nullable=False),
    _tenant(),
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
    _tenant(),
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
    _tenant(),
    Index(None, "at"),
)

asked = Table(
    "asked",
    metadata,
    Column("day", Date, primary_key=True),
    Column("platform", Text, primary_key=True),
    Column("tenant", Text, primary_key=True),
    Column("channel", Text, primary_key=True),  # empty: a conversation with the bot alone
    Column("concept", Text, primary_key=True),  # empty: not in the glossary
    Column("language", Text, primary_key=True),
    Column("outcome", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", Moment, nullable=False),
)

# Slack's installations. Who reads and writes these is slack_sdk, which the bot doesn't know: they are as its
# SQLAlchemy stores build them, and a test of the Slack adapter compares. Only secrets are longer here: encrypted.

slack_installations = Table(
    "slack_installations",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("client_id", String(32), nullable=False),
    Column("app_id", String(32), nullable=False),
    Column("enterprise_id", String(32)),
    Column("enterprise_name", String(200)),
    Column("enterprise_url", String(200)),
    Column("team_id", String(32)),
    Column("team_name", String(200)),
    Column("bot_token", Text),
    Column("bot_id", String(32)),
    Column("bot_user_id", String(32)),
    Column("bot_scopes", String(1000)),
    Column("bot_refresh_token", Text),
    Column("bot_token_expires_at", DateTime),
    Column("user_id", String(32), nullable=False),
    Column("user_token", Text),
    Column("user_scopes", String(1000)),
    Column("user_refresh_token", Text),
    Column("user_token_expires_at", DateTime),
    Column("incoming_webhook_url", Text),
    Column("incoming_webhook_channel", String(200)),
    Column("incoming_webhook_channel_id", String(200)),
    Column("incoming_webhook_configuration_url", String(200)),
    Column("is_enterprise_install", Boolean, default=False, nullable=False),
    Column("token_type", String(32)),
    Column("installed_at", DateTime, nullable=False, default=func.now()),
    Index("slack_installations_idx", "client_id", "enterprise_id", "team_id", "user_id", "installed_at"),
)

slack_bots = Table(
    "slack_bots",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("client_id", String(32), nullable=False),
    Column("app_id", String(32), nullable=False),
    Column("enterprise_id", String(32)),
    Column("enterprise_name", String(200)),
    Column("team_id", String(32)),
    Column("team_name", String(200)),
    Column("bot_token", Text),
    Column("bot_id", String(32)),
    Column("bot_user_id", String(32)),
    Column("bot_scopes", String(1000)),
    Column("bot_refresh_token", Text),
    Column("bot_token_expires_at", DateTime),
    Column("is_enterprise_install", Boolean, default=False, nullable=False),
    Column("installed_at", DateTime, nullable=False, default=func.now()),
    Index("slack_bots_idx", "client_id", "enterprise_id", "team_id", "installed_at"),
)

slack_oauth_states = Table(
    "slack_oauth_states",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("state", String(200), nullable=False),
    Column("expire_at", DateTime, nullable=False),
)
