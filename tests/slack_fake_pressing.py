"""What people do with the app's own things: commands, buttons, menus, shortcuts, modals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tests.slack_fake_api import Refused
from tests.slack_fake_blocks import faults, pressable
from tests.slack_fake_chat import check_message, post, whisper
from tests.slack_fake_outcome import Outcome
from tests.slack_fake_state import APP, Channel, Ephemeral, Json, Message, ResponseUrl, Trigger, User, View
from tests.slack_fake_views import submitted

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake
    from tests.slack_fake_people import Workspace


class Pressing:
    """The part of a `Workspace` in which the app is spoken to directly."""

    slack: SlackFake

    async def slash(
        self: Workspace, user: User, channel: Channel, command: str, text: str = "", *, settle: bool = True
    ) -> Outcome:
        """Types `/command text`; Slack offers no commands in threads, and nobody needs to be a member."""
        outcome = Outcome(self.slack)
        url = ResponseUrl(self.id, channel.id, user.id, self.slack.clock.now())
        payload = {
            **{"token": "unused", "team_id": self.id, "team_domain": self.name, "api_app_id": APP, "text": text},
            **{"channel_id": channel.id, "channel_name": _told(channel), "command": f"/{command}"},
            **{"user_id": user.id, "user_name": user.name.lower(), "is_enterprise_install": str(self._for_org).lower()},
            **{"response_url": self.slack.response_url(url), "trigger_id": self.trigger(user)},
            **({"enterprise_id": self.enterprise, "enterprise_name": "Org"} if self.enterprise else {}),
        }

        def answered(answer: Any) -> None:
            if answer:
                self._command_response(user, channel, answer)

        sent = self.slack.deliver("slash_commands", payload, takes_answer=True, then=answered)
        outcome.envelopes = [sent]
        return await outcome.settled() if settle else outcome

    def _command_response(self: Workspace, user: User, channel: Channel, answer: Json) -> None:
        allowed = "response_type text blocks attachments mrkdwn unfurl_links unfurl_media replace_original".split()
        if unknown := sorted(set(answer) - set(allowed)):
            raise Refused("invalid_command_response", detail=f"unknown fields: {unknown}")
        if problems := faults(answer.get("blocks") or []):
            raise Refused("invalid_command_response", errors=problems)
        check_message(self.slack, "ack", answer)
        if answer.get("response_type") == "in_channel":
            post(self.slack, self, channel, answer, bot=self.bot)
        else:
            whisper(self.slack, self, channel, answer, user.id)

    async def press(
        self: Workspace,
        user: User,
        on: Message | View,
        label: str,
        *,
        value: str | None = None,
        nth: int = 0,
        settle: bool = True,
    ) -> Outcome:
        """Presses what is called `label` (or has this action id), the `nth` where several are; options of menus too.

        `value`: the id of what is chosen in a menu of conversations or channels.
        """
        found = [it for it in pressable(on.blocks) if label in (it[0], it[2]["action_id"])]
        if not found:
            found = [it for it in _menus(on.blocks) if label == it[2]["action_id"]]
        assert len(found) > nth, f"there's no {label!r} in:\n{on.says}"
        _, block, element, option = found[nth]
        action = _action(on.blocks.index(block), block, element, option, value, self.slack.clock.ts())
        return await self._act(user, on, action, settle=settle)

    async def choose(self: Workspace, user: User, on: Message | View, option: Json, *, settle: bool = True) -> Outcome:
        """Chooses one of the options that `suggest` brought."""
        _, block, element, _ = next(it for it in _menus(on.blocks) if it[2]["type"] == "external_select")
        action = _action(on.blocks.index(block), block, element, option, None, self.slack.clock.ts())
        if isinstance(on, View):
            chosen = {"type": "external_select", "selected_option": option}
            on.values.setdefault(action["block_id"], {})[action["action_id"]] = chosen
        if block["type"] == "input" and not block.get("dispatch_action"):
            return await Outcome(self.slack).settled()
        return await self._act(user, on, action, settle=settle)

    async def _act(self: Workspace, user: User, on: Message | View, action: Json, *, settle: bool) -> Outcome:
        outcome = Outcome(self.slack)
        body = {**self._interaction(user, "block_actions"), "actions": [action], **self._container(user, on)}
        body["trigger_id"] = self.trigger(user, on if isinstance(on, View) else None)
        outcome.envelopes = [self.slack.deliver("interactive", body)]
        return await outcome.settled() if settle else outcome

    def _container(self: Workspace, user: User, on: Message | View) -> Json:
        if isinstance(on, View):
            container = {"type": "view", "view_id": on.id}
            return {"container": container, "view": on.json(), "state": {"values": on.values}}
        channel, private = self.channels[on.channel], isinstance(on, Ephemeral)
        assert not on.gone, "nobody sees this message any more"
        container = {"type": "message", "message_ts": on.ts, "channel_id": on.channel, "is_ephemeral": private}
        if thread := on.thread_ts if private else channel.with_replies(on).get("thread_ts"):
            container["thread_ts"] = thread
        url = ResponseUrl(self.id, on.channel, user.id, self.slack.clock.now(), on, must_say_what=True)
        seen = {} if private else {"message": channel.with_replies(on)}
        named = {"channel": {"id": on.channel, "name": _told(channel)}, "state": {"values": {}}}
        return {"container": container, **seen, **named, "response_url": self.slack.response_url(url)}

    async def suggest(self: Workspace, user: User, on: View, typed: str) -> list[Json]:
        """The options that appear while somebody types into a menu that searches."""
        _, block, element, _ = next(it for it in _menus(on.blocks) if it[2]["type"] == "external_select")
        assert len(typed) >= element.get("min_query_length", 3), "Slack doesn't ask before that many characters"
        place = {"action_id": element["action_id"], "block_id": _block_id(on.blocks.index(block), block)}
        container = {"container": {"type": "view", "view_id": on.id}, "view": on.json()}
        body = {**self._interaction(user, "block_suggestion"), **place, **container, "value": typed}
        sent = self.slack.deliver("interactive", body, takes_answer=True)
        await self.slack.until(sent.acked.is_set)
        answer = sent.answer or {}
        if set(answer) not in ({"options"}, {"option_groups"}) or len(answer.get("options", ())) > 100:
            self.slack.violated("ack", "invalid_options", str(sorted(answer)))
            return []
        menu = {"type": "static_select", "action_id": "a", **answer}
        if answer.get("options") and (problems := faults([{"type": "actions", "elements": [menu]}], "modal")):
            self.slack.violated("ack", "invalid_options", str(problems))
        options: list[Json] = answer.get("options") or [
            o for g in answer.get("option_groups", ()) for o in g["options"]
        ]
        return options

    async def submit_view(
        self: Workspace, user: User, view: View, values: Mapping[str, str] | None = None, *, settle: bool = True
    ) -> Outcome:
        """Presses the modal's submit button; `values`: label of the input -> what was typed, or the id chosen."""
        assert view.open
        assert "submit" in view.body, f"there's nothing to submit in:\n{view.says}"
        outcome = Outcome(self.slack)
        urls = []
        for place, block in enumerate(view.blocks):
            if block["type"] != "input":
                continue
            element, given = block["element"], (values or {}).get(block["label"]["text"])
            block_id = _block_id(place, block)
            chosen = view.values.get(block_id, {}).get(element["action_id"]) or _typed(element, given)
            assert chosen is not None or block.get("optional"), f"Slack wants {block['label']['text']!r} first"
            view.values.setdefault(block_id, {})[element["action_id"]] = chosen or {"type": element["type"]}
            if element.get("response_url_enabled") and chosen:
                target = next(value for key, value in chosen.items() if key.startswith("selected_"))
                url = ResponseUrl(self.id, target, user.id, self.slack.clock.now())
                at = {"block_id": block_id, "action_id": element["action_id"], "channel_id": target}
                urls.append({**at, "response_url": self.slack.response_url(url)})
        trigger_id = self.trigger(user, view)
        body = {**self._interaction(user, "view_submission"), "view": view.json(), "response_urls": urls}
        body["trigger_id"] = trigger_id
        then = self._submitted(view, self.slack.triggers[trigger_id])
        outcome.envelopes = [self.slack.deliver("interactive", body, takes_answer=True, then=then)]
        return await outcome.settled() if settle else outcome

    def _submitted(self: Workspace, view: View, trigger: Trigger) -> Callable[[Any], None]:
        return lambda answer: submitted(self.slack, self, view, answer, trigger)

    async def close_view(self: Workspace, view: View) -> None:
        """Slack tells the app only where the view wants it."""
        view.open = False
        if view.body.get("notify_on_close"):
            user = self.users[view.user]
            body = {**self._interaction(user, "view_closed"), "view": view.json(), "is_cleared": False}
            self.slack.deliver("interactive", body)
        await self.slack.settled()

    async def shortcut(
        self: Workspace, user: User, callback_id: str, message: Message | None = None, *, settle: bool = True
    ) -> Outcome:
        """Uses a shortcut: the one in the menu of a message, or a global one."""
        outcome = Outcome(self.slack)
        kind = "shortcut" if message is None else "message_action"
        body = {**self._interaction(user, kind), "callback_id": callback_id, "action_ts": self.slack.clock.ts()}
        body["trigger_id"] = self.trigger(user)
        if message is not None:
            channel = self.channels[message.channel]
            url = ResponseUrl(self.id, channel.id, user.id, self.slack.clock.now())
            body["channel"] = {"id": channel.id, "name": _told(channel)}
            body |= {
                "message": channel.with_replies(message),
                "message_ts": message.ts,
                "response_url": self.slack.response_url(url),
            }
        outcome.envelopes = [self.slack.deliver("interactive", body)]
        return await outcome.settled() if settle else outcome

    def trigger(self: Workspace, user: User, view: View | None = None) -> str:
        trigger_id = self.slack.ids.new("trigger")
        self.slack.triggers[trigger_id] = Trigger(self.id, user.id, self.slack.clock.now(), view)
        return trigger_id

    @property
    def _for_org(self: Workspace) -> bool:
        return self.installation is not None and self.installation.for_org

    def _interaction(self: Workspace, user: User, kind: str) -> Json:
        owner = {"id": self.enterprise, "name": "Org"} if self.enterprise else None
        team = {"id": self.id, "domain": self.name, **({"enterprise_id": self.enterprise} if self.enterprise else {})}
        name = user.name.lower().replace(" ", ".")
        who = {"id": user.id, "username": name, "name": name, "team_id": user.team}
        whose = {"is_enterprise_install": self._for_org, "enterprise": owner}
        return {"type": kind, "team": team, "user": who, "api_app_id": APP, "token": "unused", **whose}


def _told(channel: Channel) -> str:
    """What commands and presses call a channel."""
    return {"channel": channel.name, "im": "directmessage"}.get(channel.kind, "privategroup")


def _block_id(place: int, block: Json) -> str:
    return str(block.get("block_id", f"b{place}"))


def _menus(blocks: list[Json]) -> list[tuple[str, Json, Json, None]]:
    """What can be pressed but lists no options itself."""
    found = [
        (block, element)
        for block in blocks
        for element in (*block.get("elements", ()), block.get("accessory"), block.get("element"))
        if isinstance(element, dict) and "action_id" in element and element["type"] != "button"
    ]
    return [("", block, element, None) for block, element in found]


def _action(place: int, block: Json, element: Json, option: Json | None, value: str | None, ts: str) -> Json:
    known = {"action_id": element["action_id"], "block_id": _block_id(place, block), "type": element["type"]}
    if element["type"] == "button":
        known |= {"text": element["text"], **({"value": element["value"]} if "value" in element else {})}
    elif option is not None:
        known["selected_option"] = option
    elif value is not None:
        known[f"selected_{element['type'].split('s_')[0]}"] = value
    return {**known, "action_ts": ts}


def _typed(element: Json, given: str | None) -> Json | None:
    """The state of an input; None: nothing was typed or chosen."""
    kind = element["type"]
    if kind == "plain_text_input":
        text = given if given is not None else element.get("initial_value")
        return {"type": kind, "value": text} if text else None
    if kind in ("conversations_select", "channels_select"):
        name = kind.split("s_")[0]
        chosen = given or element.get(f"initial_{name}")
        return {"type": kind, f"selected_{name}": chosen} if chosen else None
    options = [option for label, _, _, option in pressable([{"type": "input", "element": element}]) if label == given]
    selected = options[0] if options else element.get("initial_option")
    return {"type": kind, "selected_option": selected} if selected else None
