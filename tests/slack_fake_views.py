"""The Web API's `views.*`, and what a modal's submission may be acknowledged with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from tests.slack_fake_api import Caller, Refused, method
from tests.slack_fake_blocks import Json, faults
from tests.slack_fake_state import TRIGGER_SECONDS, Trigger, View

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake
    from tests.slack_fake_people import Workspace

_MOST_IN_STACK: Final = 3
_MOST_BYTES: Final = 250_000
_HOME: Final = frozenset("type blocks private_metadata callback_id external_id".split())
_MODAL: Final = _HOME | frozenset("title submit close clear_on_close notify_on_close submit_disabled".split())


def check_view(view: object) -> Json:
    """The view, if Slack would take it."""
    if not isinstance(view, dict):
        raise Refused("invalid_arguments", response_metadata={"messages": ["view must be an object"]})
    kind = view.get("type")
    if kind not in ("modal", "home"):
        raise Refused("invalid_arguments", response_metadata={"messages": ["type must be modal or home"]})
    problems = [f"unknown field: {key}" for key in sorted(set(view) - (_MODAL if kind == "modal" else _HOME))]
    problems += faults(view.get("blocks"), kind)
    if kind == "modal":
        if "title" not in view:
            problems.append("a modal needs a title")
        for key in ("title", "submit", "close"):
            text = view.get(key)
            if text is not None and not (text.get("type") == "plain_text" and 1 <= len(text.get("text", "")) <= 24):
                problems.append(f"{key} must be a plain_text of 1 to 24 characters")
        if any(block.get("type") == "input" for block in view.get("blocks", ())) and "submit" not in view:
            problems.append("a modal with inputs needs submit")
    for key, most in (("callback_id", 255), ("external_id", 255), ("private_metadata", 3000)):
        if len(view.get(key, "")) > most:
            problems.append(f"{key} must be at most {most} characters")
    if problems:
        raise Refused("invalid_arguments", response_metadata={"messages": problems})
    if len(json.dumps(view)) > _MOST_BYTES:
        raise Refused("view_too_large")
    return view


def _trigger(caller: Caller) -> Trigger:
    found = caller.slack.triggers.get(caller.args["trigger_id"])
    if found is None or found.team not in caller.me.teams:
        raise Refused("invalid_trigger_id")
    if found.used:
        raise Refused("exchanged_trigger_id")
    if caller.slack.clock.now() - found.made_at > TRIGGER_SECONDS:
        raise Refused("expired_trigger_id")
    found.used = True
    return found


@method("views.open", needed="trigger_id view")
def views_open(caller: Caller) -> Json:
    trigger, body = _trigger(caller), check_view(caller.args["view"])
    workspace = caller.slack.workspaces[trigger.team]
    return {"view": show(caller.slack, workspace, trigger.user, body, None).json()}


@method("views.push", needed="trigger_id view")
def views_push(caller: Caller) -> Json:
    trigger, body = _trigger(caller), check_view(caller.args["view"])
    return {"view": push(caller.slack, caller.slack.workspaces[trigger.team], trigger, body).json()}


def push(slack: SlackFake, workspace: Workspace, trigger: Trigger, body: Json) -> View:
    stack = [view for view in workspace.views.values() if view.user == trigger.user and view.open]
    if not stack:
        raise Refused("not_found", detail="there's no modal to push onto")
    if len(stack) >= _MOST_IN_STACK:
        raise Refused("push_limit_reached")
    return show(slack, workspace, trigger.user, body, stack[-1])


def show(slack: SlackFake, workspace: Workspace, user: str, body: Json, previous: View | None) -> View:
    if body["type"] != "modal":
        raise Refused("invalid_arguments", response_metadata={"messages": ["type must be modal"]})
    if previous is None:
        for other in workspace.views.values():  # a new modal takes the place of what is open
            other.open = other.open and other.user != user
    view = View(slack.ids.new("V"), user, workspace.id, body, slack.ids.new("h"), previous)
    workspace.views[view.id] = view
    slack.changed("opened", workspace, view)
    return view


@method("views.update", needed="view", allowed="view_id external_id hash")
def views_update(caller: Caller) -> Json:
    for workspace in caller.workspaces:
        for view in (*workspace.views.values(), *workspace.homes.values()):
            wanted = caller.args.get("external_id")
            if view.id != caller.args.get("view_id") and (not wanted or view.body.get("external_id") != wanted):
                continue
            if not view.open:
                raise Refused("not_found", detail="the person has closed it")
            if caller.args.get("hash", view.hash) != view.hash:
                raise Refused("hash_conflict")
            change_view(caller.slack, workspace, view, check_view(caller.args["view"]))
            return {"view": view.json()}
    raise Refused("not_found")


def change_view(slack: SlackFake, workspace: Workspace, view: View, body: Json) -> None:
    view.body, view.hash = body, slack.ids.new("h")
    slack.changed("updated", workspace, view)


@method("views.publish", needed="user_id view", allowed="hash")
def views_publish(caller: Caller) -> Json:
    body = check_view(caller.args["view"])
    if body["type"] != "home":
        raise Refused("invalid_arguments", response_metadata={"messages": ["type must be home"]})
    for workspace in caller.workspaces:
        user = workspace.users.get(caller.args["user_id"])
        if user is None:
            continue
        home = workspace.homes.get(user.id)
        if home is None:
            home = View(caller.slack.ids.new("V"), user.id, workspace.id, body, caller.slack.ids.new("h"))
            workspace.homes[user.id] = home
        elif caller.args.get("hash", home.hash) != home.hash:
            raise Refused("hash_conflict")
        home.body, home.hash = body, caller.slack.ids.new("h")
        caller.slack.changed("home", workspace, home)
        return {"view": home.json()}
    raise Refused("user_not_found")


def submitted(slack: SlackFake, workspace: Workspace, view: View, answer: Json | None, trigger: Trigger) -> None:
    """What the acknowledgement of a submission does to the modal."""
    action = (answer or {}).get("response_action")
    known = {None: set(), "clear": set(), "update": {"view"}, "push": {"view"}, "errors": {"errors"}}
    if action not in known or set(answer or {}) - {"response_action"} != known[action]:
        raise Refused("invalid_response", detail=f"a submission can't be acknowledged with {answer}")
    if action == "update":
        assert answer is not None
        change_view(slack, workspace, view, check_view(answer["view"]))
    elif action == "push":
        assert answer is not None
        push(slack, workspace, trigger, check_view(answer["view"]))
    elif action == "errors":
        assert answer is not None
        inputs = {block.get("block_id") for block in view.blocks if block["type"] == "input"}
        if not answer["errors"] or not set(answer["errors"]) <= inputs:
            raise Refused("invalid_response", detail="errors name blocks that aren't inputs")
        view.values["errors"] = answer["errors"]
    else:
        closing: View | None = view
        while closing is not None:
            closing.open = False
            closing = closing.previous if action == "clear" else None
        slack.changed("closed", workspace, view)
