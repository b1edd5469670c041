"""The Web API's methods that only read: `auth.test`, `conversations.*`, `users.*`, `bots.info`."""

from __future__ import annotations

from tests.slack_fake_api import Caller, Refused, method
from tests.slack_fake_state import Channel, Json, Message, User

_MOST: dict[bool, int] = {False: 999, True: 15}
"""Messages a page, for an app of one's own and for one that is distributed outside of the Marketplace."""


@method("auth.test", allowed="team_id")
def auth_test(caller: Caller) -> Json:
    me, workspace = caller.me, caller.workspace
    team = {"team": workspace.name, "team_id": workspace.id}
    org = {"enterprise_id": me.enterprise} if me.enterprise else {}
    return {
        **{"url": workspace.url, "user": "jargonaut", "user_id": me.user, "bot_id": me.bot},
        **{"is_enterprise_install": me.for_org, **team, **org},
    }


@method("auth.revoke", allowed="test")
def auth_revoke(caller: Caller) -> Json:
    caller.me.state = "token_revoked"
    return {"revoked": True}


@method("bots.info", allowed="bot team_id", scope="users:read")
def bots_info(caller: Caller) -> Json:
    wanted = caller.args.get("bot", caller.me.bot)
    if wanted != caller.me.bot:
        raise Refused("bot_not_found")
    return {"bot": {"id": wanted, "app_id": "A0JARGON", "user_id": caller.me.user, "name": "jargonaut"}}


@method("users.info", needed="user", allowed="include_locale", scope="users:read")
def users_info(caller: Caller) -> Json:
    for workspace in caller.workspaces:
        user = workspace.users.get(caller.args["user"])
        if user is not None:
            locale = str(caller.args.get("include_locale", "")).lower() in ("1", "true")
            stranger = user.team not in caller.me.teams and user.enterprise is None
            return {"user": {**user_json(user, locale=locale), "is_stranger": stranger}}
    raise Refused("user_not_found")


def user_json(user: User, *, locale: bool) -> Json:
    org = {"enterprise_user": {"id": user.id, "enterprise_id": user.enterprise}} if user.enterprise else {}
    return {
        **{"id": user.id, "team_id": user.team, "name": user.name.lower().replace(" ", "."), "is_bot": user.is_bot},
        **{"deleted": False, "is_admin": user.is_admin, "is_owner": False, "is_app_user": False},
        **{"is_restricted": user.is_guest, "is_ultra_restricted": False, "real_name": user.name},
        **{"profile": {"display_name": user.name, "real_name": user.name}, **org},
        **({"locale": user.locale} if locale else {}),
    }


@method("conversations.info", needed="channel", allowed="include_locale include_num_members")
def conversations_info(caller: Caller) -> Json:
    _, channel = caller.channel(scope="read")
    return {"channel": {**channel.json(), "is_member": caller.me.user in channel.members}}


@method("conversations.members", needed="channel", allowed="cursor limit")
def conversations_members(caller: Caller) -> Json:
    _, channel = caller.channel(scope="read")
    return {"members": sorted(channel.members), "response_metadata": {"next_cursor": ""}}


@method("conversations.open", allowed="users channel return_im", scope="im:write")
def conversations_open(caller: Caller) -> Json:
    channel = caller.workspace.conversation(caller.args["users"], caller.me.user)
    if channel is None:
        raise Refused("user_not_found")
    return {"channel": {"id": channel.id}}


@method("users.conversations", allowed="cursor exclude_archived limit team_id types user", scope="channels:read")
def users_conversations(caller: Caller) -> Json:
    reader = caller.args.get("user", caller.me.user)
    kinds = str(caller.args.get("types", "public_channel")).split(",")
    named = {"channel": "public_channel", "group": "private_channel", "im": "im", "mpim": "mpim"}
    found = [
        channel.json()
        for channel in caller.workspace.channels.values()
        if reader in channel.members and caller.me.user in channel.members and named[channel.kind] in kinds
    ]
    return {"channels": found, "response_metadata": {"next_cursor": ""}}


_PAGING = "cursor inclusive latest limit oldest include_all_metadata"


@method("conversations.history", needed="channel", allowed=_PAGING)
def history(caller: Caller) -> Json:
    """Newest first, without replies in threads."""
    _, channel = caller.channel(scope="history")
    if caller.me.user not in channel.members:
        raise Refused("not_in_channel")
    kept = [m for m in channel.messages.values() if not m.gone and not m.in_thread]
    newest_first = sorted(kept, key=lambda message: message.ts, reverse=True)
    return _page(caller, channel, newest_first)


@method("conversations.replies", needed="channel ts", allowed=_PAGING)
def replies(caller: Caller) -> Json:
    """The message that opens the thread, then its replies, oldest first."""
    _, channel = caller.channel(scope="history")
    if caller.me.user not in channel.members:
        raise Refused("not_in_channel")
    opener = channel.messages.get(caller.args["ts"])
    if opener is None or opener.gone:
        raise Refused("thread_not_found")
    return _page(caller, channel, channel.thread(opener.thread_ts or opener.ts))


def _page(caller: Caller, channel: Channel, messages: list[Message]) -> Json:
    """One page; apps outside of the Marketplace get 15 messages, once a minute."""
    slack, outside = caller.slack, caller.slack.outside_marketplace
    if outside:
        now, last = slack.clock.now(), slack.last_read.get(caller.method, float("-inf"))
        if now - last < 60:
            raise Refused("ratelimited")
        slack.last_read[caller.method] = now
    inclusive = str(caller.args.get("inclusive", "")).lower() in ("1", "true")
    for name, beyond in (("oldest", -1), ("latest", 1)):
        bound = caller.args.get(name)
        if bound and float(bound):
            at = float(bound)
            messages = [m for m in messages if (at - float(m.ts)) * beyond > 0 or (inclusive and float(m.ts) == at)]
    limit = min(int(caller.args.get("limit") or 100), _MOST[outside])
    start = int(str(caller.args.get("cursor") or "p0")[1:])
    page, more = messages[start : start + limit], len(messages) > start + limit
    cursor = {"response_metadata": {"next_cursor": f"p{start + limit}"}} if more else {}
    return {"messages": [channel.with_replies(message) for message in page], "has_more": more, **cursor}
