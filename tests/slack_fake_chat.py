"""The Web API's `chat.*`, and the answers to response_urls: everything that puts a message before people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tests.slack_fake_api import Caller, Refused, method
from tests.slack_fake_blocks import MOST_TEXT, faults, size
from tests.slack_fake_state import URL_SECONDS, URL_USES, Channel, Ephemeral, Json, Message, ResponseUrl

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake
    from tests.slack_fake_people import Workspace

_PING: Final = re.compile(r"<!(?:channel|here|everyone|subteam)|<@[UW]")
_MOST: Final = 40_000
_LOOK: Final = "text blocks attachments unfurl_links unfurl_media mrkdwn metadata parse link_names"


def check_message(slack: SlackFake, where: str, args: Json, *, blocks_stay: bool = False) -> None:
    """Refuses what Slack refuses in a message; what only this bot promises is a violation and goes through."""
    blocks = args.get("blocks")
    if blocks is None and blocks_stay:
        blocks = []
    if problems := faults(blocks or []):
        raise Refused("invalid_blocks", errors=problems)
    if not str(args.get("text") or "").strip():
        raise Refused("no_text")
    if len(args["text"]) > _MOST:
        raise Refused("msg_too_long")
    if size(blocks or []) > MOST_TEXT:
        raise Refused("msg_blocks_too_long")
    if args.get("attachments"):
        raise Refused("invalid_attachments")
    if _PING.search(args["text"]) or _PING.search(str(_marked_up(blocks or []))):
        slack.violated(where, "pings")
    if args.get("reply_broadcast"):
        slack.violated(where, "broadcasts")
    if args.get("link_names") or args.get("parse") == "full":
        slack.violated(where, "pings", "link_names")


def _marked_up(blocks: object) -> list[str]:
    """The texts in which Slack looks for mentions."""
    if isinstance(blocks, dict):
        if blocks.get("type") == "mrkdwn":
            return [blocks["text"]]
        return [text for value in blocks.values() for text in _marked_up(value)]
    return [text for one in blocks for text in _marked_up(one)] if isinstance(blocks, list) else []


@method("chat.postMessage", needed="channel", allowed=f"{_LOOK} thread_ts reply_broadcast", scope="chat:write")
def post_message(caller: Caller) -> Json:
    workspace, channel = caller.channel(member=True)
    check_message(caller.slack, caller.method, caller.args)
    if caller.args.get("unfurl_links") is not False or caller.args.get("unfurl_media") is not False:
        caller.slack.violated(caller.method, "unfurls")
    posted = post(caller.slack, workspace, channel, caller.args, bot=caller.me.user)
    return {"channel": channel.id, "ts": posted.ts, "message": posted.json()}


def post(slack: SlackFake, workspace: Workspace, channel: Channel, args: Json, *, bot: str) -> Message:
    """Puts a message of the app into a channel; the app hears of it like everybody else."""
    if channel.is_archived:
        raise Refused("is_archived")
    thread = args.get("thread_ts")
    if thread is not None and (thread not in channel.messages or channel.messages[thread].in_thread):
        raise Refused("cannot_reply_to_message", detail="thread_ts isn't the ts of a message that opens a thread")
    message = Message(
        **{"ts": slack.clock.ts(), "channel": channel.id, "user": bot, "text": args["text"], "thread_ts": thread},
        **{"blocks": args.get("blocks") or [], **slack.signature(workspace)},
    )
    channel.messages[message.ts] = message
    slack.changed("posted", workspace, message)
    workspace.tell(channel, message)
    return message


@method("chat.update", needed="channel ts", allowed=f"{_LOOK} reply_broadcast", scope="chat:write")
def update(caller: Caller) -> Json:
    workspace, channel = caller.channel()
    message = channel.messages.get(caller.args["ts"])
    if message is None or message.gone:
        raise Refused("message_not_found")
    if message.user != caller.me.user:
        raise Refused("cant_update_message")
    check_message(caller.slack, caller.method, caller.args, blocks_stay=True)
    change(caller.slack, workspace, channel, message, caller.args)
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": message.json()}


def change(slack: SlackFake, workspace: Workspace, channel: Channel, message: Message, args: Json) -> None:
    """Blocks that aren't given stay."""
    before = message.json()
    message.text = args["text"]
    if args.get("blocks") is not None:
        message.blocks = args["blocks"]
    slack.changed("changed", workspace, message)
    if not isinstance(message, Ephemeral):
        message.edited = {"user": message.user, "ts": slack.clock.ts()}
        workspace.tell_changed(channel, message, before)


@method("chat.delete", needed="channel ts", scope="chat:write")
def delete(caller: Caller) -> Json:
    workspace, channel = caller.channel()
    message = channel.messages.get(caller.args["ts"])
    if message is None or message.gone:
        raise Refused("message_not_found")
    if message.user != caller.me.user:
        raise Refused("cant_delete_message")
    workspace.remove(channel, message)
    return {"channel": channel.id, "ts": message.ts}


@method("chat.postEphemeral", needed="channel user", allowed=f"{_LOOK} thread_ts", scope="chat:write")
def post_ephemeral(caller: Caller) -> Json:
    workspace, channel = caller.channel(member=True)
    if caller.args["user"] not in channel.members:
        raise Refused("user_not_in_channel")
    check_message(caller.slack, caller.method, caller.args)
    whispered = whisper(caller.slack, workspace, channel, caller.args, caller.args["user"])
    return {"message_ts": whispered.ts}


def whisper(slack: SlackFake, workspace: Workspace, channel: Channel, args: Json, reader: str) -> Ephemeral:
    thread = args.get("thread_ts")
    if thread is not None and thread not in channel.messages:
        raise Refused("cannot_reply_to_message")
    if thread is not None and len(channel.thread(thread)) == 1:
        slack.violated("chat.postEphemeral", "unseen", "Slack shows it only in threads that have replies")
    ephemeral = Ephemeral(
        **{"ts": slack.clock.ts(), "channel": channel.id, "user": workspace.bot, "text": args["text"]},
        **{"blocks": args.get("blocks") or [], "thread_ts": thread, "reader": reader, **slack.signature(workspace)},
    )
    workspace.ephemerals.append(ephemeral)
    slack.changed("posted", workspace, ephemeral)
    return ephemeral


@method("chat.getPermalink", needed="channel message_ts")
def permalink(caller: Caller) -> Json:
    workspace, channel = caller.channel()
    if caller.args["message_ts"] not in channel.messages:
        raise Refused("message_not_found")
    return {"channel": channel.id, "permalink": workspace.link(channel, channel.messages[caller.args["message_ts"]])}


_URL_FIELDS: Final = frozenset(f"{_LOOK} response_type replace_original delete_original thread_ts".split())


def respond(slack: SlackFake, url: ResponseUrl, body: object) -> None:
    """One use of a response_url."""
    workspace = slack.workspaces[url.team]
    if slack.clock.now() - url.made_at > URL_SECONDS:
        raise Refused("expired_url")
    url.uses += 1
    if url.uses > URL_USES:
        raise Refused("used_url")
    if not isinstance(body, dict):
        raise Refused("invalid_payload")
    if unknown := sorted(set(body) - _URL_FIELDS):
        raise Refused("invalid_payload", detail=f"unknown fields: {unknown}")
    _carry_out(slack, workspace, url, body)


def _carry_out(slack: SlackFake, workspace: Workspace, url: ResponseUrl, body: Json) -> None:
    channel, original = workspace.channels[url.channel], url.original
    if body.get("delete_original"):
        if original is None or original.gone:
            raise Refused("message_not_found", detail="there's no original message")
        workspace.remove(channel, original)
        return
    if url.must_say_what and "replace_original" not in body:
        slack.violated("response_url", "ambiguous", "replace_original isn't said")
    check_message(slack, "response_url", body)
    kind = body.get("response_type", "ephemeral")
    if kind not in ("ephemeral", "in_channel"):
        raise Refused("invalid_payload", detail="response_type")
    if body.get("replace_original"):
        if original is None or original.gone:
            raise Refused("message_not_found", detail="there's no original message")
        change(slack, workspace, channel, original, {**body, "blocks": body.get("blocks") or []})
    elif kind == "in_channel":
        post(slack, workspace, channel, body, bot=workspace.bot)
    else:
        # Documented for in_channel alone: what one person sees is taken to appear in the channel.
        whisper(slack, workspace, channel, {**body, "thread_ts": None}, url.user)
