"""Which installation a request comes from. An uninstall takes away everything that is kept under it."""

from __future__ import annotations

from slack_bolt.context.async_context import AsyncBoltContext


def installed_in(context: AsyncBoltContext) -> tuple[str | None, str | None]:
    """Organisation (None: it isn't Enterprise Grid) and workspace (None: the organisation installed the app for all).

    Of an organisation's own installation, Slack names no workspace, or the one where something happened, or the
    organisation once more.
    """
    enterprise_id, team_id = context.enterprise_id, context.team_id
    if team_id and team_id.startswith("E"):
        return team_id, None
    for_all = context.is_enterprise_install or not team_id
    return enterprise_id, None if for_all and enterprise_id else team_id


def tenant_of(context: AsyncBoltContext) -> str:
    """`Place.tenant` of a request: the workspace, or the organisation if that installed the app for all of its own."""
    enterprise_id, team_id = installed_in(context)
    return team_id or enterprise_id or ""
