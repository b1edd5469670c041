"""A workspace and what people do in it. Every verb returns an `Outcome`: what they see of it afterwards."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from tests.slack_fake_outcome import Outcome
from tests.slack_fake_pressing import Pressing
from tests.slack_fake_state import APP, PREFIXES, Channel, Ephemeral, Installation, Json, Message, User, View

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake
    from tests.slack_fake_delivery import Envelope


class Workspace(Pressing):
    """People, channels and messages of one team, and the app where it's installed (`installation`)."""

    def __init__(self, slack: SlackFake, team: str, name: str, enterprise: str | None) -> None:
        self.slack = slack
        self.id = team
        self.name = name
        self.enterprise = enterprise
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.ephemerals: list[Ephemeral] = []
        self.views: dict[str, View] = {}
        self.homes: dict[str, View] = {}
        self.installation: Installation | None = None

    # -- Who and where --------------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return f"https://{self.id.lower()}.slack.com/"

    @property
    def bot(self) -> str:
        """The bot's user id."""
        assert self.installation is not None
        return self.installation.user

    @property
    def at(self) -> str:
        """The bot, mentioned."""
        return f"<@{self.bot}>"

    def person(self, name: str, *, locale: str = "en-US", admin: bool = False, guest: bool = False) -> User:
        user = User(self.slack.ids.new("U"), name, self.id, self.enterprise, locale, admin, guest)
        self.users[user.id] = user
        return user

    def stranger(self, name: str, *, team: str = "T0STRANGE") -> User:
        """Somebody of another company, in a shared channel."""
        user = User(self.slack.ids.new("U"), name, team)
        self.users[user.id] = user
        return user

    def channel(
        self,
        name: str,
        *people: User,
        bot: bool = True,
        kind: Literal["channel", "group", "im", "mpim"] = "channel",
    ) -> Channel:
        """`bot`: the bot is a member."""
        letter = {"channel": "C", "group": "C", "im": "D", "mpim": "G"}[kind]
        members = {user.id for user in people} | ({self.bot} if bot else set())
        channel = Channel(self.slack.ids.new(letter), name, kind, members)
        self.channels[channel.id] = channel
        return channel

    def dm(self, user: User) -> Channel:
        """The conversation of somebody with the bot."""
        for channel in self.channels.values():
            if channel.kind == "im" and channel.members == {user.id, self.bot}:
                return channel
        return self.channel("directmessage", user, kind="im")

    def conversation(self, wanted: str, bot: str) -> Channel | None:
        """A channel by its id, or the direct conversation with the person who has this id."""
        if wanted in self.users and self.installation and bot == self.bot:
            return self.dm(self.users[wanted])
        return self.channels.get(wanted)

    def link(self, channel: Channel, message: Message) -> str:
        inside = f"?thread_ts={message.thread_ts}&cid={channel.id}" if message.in_thread else ""
        return f"{self.url}archives/{channel.id}/p{message.ts.replace('.', '')}{inside}"

    def sees(self, user: User, channel: Channel) -> list[Message]:
        """What stands in a channel for this person, threads too, oldest first."""
        mine = [one for one in self.ephemerals if one.reader == user.id and one.channel == channel.id]
        return sorted((m for m in (*channel.messages.values(), *mine) if not m.gone), key=lambda message: message.ts)

    # -- What people do -------------------------------------------------------------------------------------------

    async def say(
        self,
        channel: Channel,
        user: User,
        text: str,
        *,
        thread: Message | str | None = None,
        subtype: str | None = None,
        ago: float = 0,
        settle: bool = True,
        **extra: object,
    ) -> Outcome:
        """Posts a message; `text` as Slack encodes it (`<@U1>`, `&amp;`). `Outcome.message` is the message itself.

        `ago`: it's delivered that many seconds late. `extra` goes into the message: files, blocks …
        """
        outcome = Outcome(self.slack)
        thread_ts = thread.thread_ts or thread.ts if isinstance(thread, Message) else thread
        known = {"client_msg_id": str(uuid.uuid4()), "team": user.team, **extra}
        if thread_ts in channel.messages:
            known["parent_user_id"] = channel.messages[thread_ts].user
        message = Message(self.slack.clock.ts(ago), channel.id, user.id, text, [], thread_ts, subtype, extra=known)
        outcome.message = channel.messages[message.ts] = message
        outcome.envelopes = self.tell(channel, message)
        return await outcome.settled() if settle else outcome

    async def say_as_app(
        self, channel: Channel, text: str, *, thread: Message | None = None, subtype: str | None = "bot_message"
    ) -> Outcome:
        """Another app or a webhook posts a message."""
        outcome = Outcome(self.slack)
        thread_ts = thread.ts if thread else None
        message = Message(self.slack.clock.ts(), channel.id, "", text, [], thread_ts, subtype, "B0OTHER", "A0OTHER")
        message.user = "U0OTHERAPP" if subtype is None else ""
        outcome.message = channel.messages[message.ts] = message
        outcome.envelopes = self.tell(channel, message)
        return await outcome.settled()

    async def edit(self, message: Message, text: str, *, settle: bool = True) -> Outcome:
        """A person changes the text of a message."""
        outcome = Outcome(self.slack)
        before = message.json()
        message.text = text
        message.edited = {"user": message.user, "ts": self.slack.clock.ts()}
        outcome.message = message
        outcome.envelopes = self.tell_changed(self.channels[message.channel], message, before)
        return await outcome.settled() if settle else outcome

    async def touch(self, message: Message, *, settle: bool = True, **extra: object) -> Outcome:
        """Slack changes a message by itself: it unfurls a link, adds attachments, finds out the language."""
        outcome = Outcome(self.slack)
        before = message.json()
        message.extra.update(extra)
        outcome.message = message
        outcome.envelopes = self.tell_changed(self.channels[message.channel], message, before)
        return await outcome.settled() if settle else outcome

    async def delete(self, message: Message) -> Outcome:
        outcome = Outcome(self.slack)
        self.remove(self.channels[message.channel], message)
        return await outcome.settled()

    async def invite(self, channel: Channel, inviter: User | None, *, settle: bool = True) -> Outcome:
        """Somebody adds the bot to a channel; None: the bot was added by no person."""
        outcome = Outcome(self.slack)
        channel.members.add(self.bot)
        by = {"inviter": inviter.id} if inviter else {}
        text = f"<@{self.bot}> has joined the channel"
        joined = Message(self.slack.clock.ts(), channel.id, self.bot, text, subtype="channel_join", extra=dict(by))
        channel.messages[joined.ts] = joined
        self.tell(channel, joined)
        event = {"type": "member_joined_channel", "user": self.bot, "channel": channel.id, "team": self.id, **by}
        letter = "C" if channel.kind == "channel" else "G"
        self.event({**event, "channel_type": letter, "event_ts": self.slack.clock.ts()})
        return await outcome.settled() if settle else outcome

    async def join(self, channel: Channel, user: User) -> Outcome:
        """A person joins a channel."""
        outcome = Outcome(self.slack)
        channel.members.add(user.id)
        event = {"type": "member_joined_channel", "user": user.id, "channel": channel.id, "team": self.id}
        self.event({**event, "channel_type": "C", "event_ts": self.slack.clock.ts()})
        return await outcome.settled()

    async def open_home(self, user: User, *, tab: str = "home", settle: bool = True) -> Outcome:
        outcome = Outcome(self.slack)
        event = {"type": "app_home_opened", "user": user.id, "channel": self.dm(user).id, "tab": tab}
        view = {"view": self.homes[user.id].json()} if user.id in self.homes else {}
        self.event({**event, **view, "event_ts": self.slack.clock.ts()})
        return await outcome.settled() if settle else outcome

    async def uninstall(self) -> Outcome:
        """An admin removes the app: two events, and no token works any more."""
        outcome = Outcome(self.slack)
        installation = self.installation
        assert installation is not None
        installation.state = "account_inactive"
        self.event({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [installation.user]}})
        self.event({"type": "app_uninstalled"})
        return await outcome.settled()

    # -- What the app hears of it ---------------------------------------------------------------------------------

    def tell(self, channel: Channel, message: Message) -> Sequence[Envelope]:
        """A new message: `message`, and `app_mention` too where it mentions the bot outside of direct messages."""
        sent = [self._message_event(channel, message.json(), message.ts)]
        if f"<@{self.bot}" in message.text and channel.kind != "im" and message.user != self.bot:
            sent.append(self.event({**message.json(), "type": "app_mention", "event_ts": message.ts}, channel))
        return [envelope for envelope in sent if envelope]

    def tell_changed(self, channel: Channel, message: Message, before: Json) -> Sequence[Envelope]:
        changed = {"subtype": "message_changed", "message": message.json(), "previous_message": before, "hidden": True}
        envelope = self._message_event(channel, {"type": "message", "ts": self.slack.clock.ts(), **changed})
        return [envelope] if envelope else []

    def remove(self, channel: Channel, message: Message) -> None:
        """Slack leaves a tombstone where a deleted message has replies."""
        before = message.json()
        has_replies = not isinstance(message, Ephemeral) and len(channel.thread(message.ts)) > 1
        message.gone = True
        if message.user == self.bot:
            self.slack.changed("deleted", self, message)
        if isinstance(message, Ephemeral):
            return
        ts = self.slack.clock.ts()
        if has_replies:
            stone = {"text": "This message was deleted.", "subtype": "tombstone", "user": "USLACKBOT", "hidden": True}
            stone = {"type": "message", "ts": message.ts, "thread_ts": message.ts, **stone}
            changed = {"subtype": "message_changed", "message": stone, "previous_message": before}
            self._message_event(channel, {"type": "message", "ts": ts, "hidden": True, **changed})
        else:
            gone = {"subtype": "message_deleted", "deleted_ts": message.ts, "previous_message": before}
            self._message_event(channel, {"type": "message", "ts": ts, "hidden": True, **gone})

    def _message_event(self, channel: Channel, body: Json, ts: str | None = None) -> Envelope | None:
        return self.event({**body, "channel_type": channel.kind, "event_ts": ts or body["ts"]}, channel)

    def event(self, event: Json, channel: Channel | None = None, **how: object) -> Envelope | None:
        """Sends an event if the app subscribed to it, may read it and is a member; else None."""
        me = self.installation
        if me is None:
            return None
        name = event["type"]
        if channel is not None:
            event = {**event, "channel": channel.id}
            prefix = PREFIXES[channel.kind]
            scope = "app_mentions:read" if name == "app_mention" else f"{prefix}:history"
            name = f"message.{prefix}" if name == "message" else name
            if me.user not in channel.members or scope not in me.scopes:
                return None
        if name not in self.slack.events:
            return None
        payload = {
            **{"token": "unused", "team_id": self.id, "api_app_id": APP, "event": event, "type": "event_callback"},
            **{"event_id": self.slack.ids.new("Ev"), "event_time": int(self.slack.clock.now())},
            **{"authorizations": [self._authorization(me)], "is_ext_shared_channel": False},
            **({"enterprise_id": self.enterprise} if self.enterprise else {}),
        }
        return self.slack.deliver("events_api", payload, **how)

    def _authorization(self, me: Installation) -> Json:
        team = None if me.for_org else self.id
        whose = {"enterprise_id": self.enterprise, "team_id": team, "user_id": me.user}
        return {**whose, "is_bot": True, "is_enterprise_install": me.for_org}
