"""The bolt app: which of Slack's requests goes where. Listeners only acknowledge; what takes time runs behind."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.response import BoltResponse

from adapters.slack.answers import Answers
from adapters.slack.commands import Commands
from adapters.slack.conversations import Conversations
from adapters.slack.edits import Edits
from adapters.slack.home import Home
from adapters.slack.invited import Invited
from adapters.slack.messages import Messages
from adapters.slack.modals import Modals
from adapters.slack.names import GLOBAL_SHORTCUT, MESSAGE_SHORTCUT, PRESS, REMOVALS, SEARCH
from adapters.slack.people import People
from adapters.slack.presses import Presses
from adapters.slack.requests import of_event, of_interaction
from adapters.slack.sending import Sender
from adapters.slack.tasks import Tasks
from adapters.slack.turns import Turns
from adapters.slack.views import SHARE_FORM
from adapters.slack.workspace import workspace_of
from bot.bot import Bot
from bot.phrases import Phrases
from bot.settings import Settings

_log: Final = logging.getLogger(__name__)

Ack = Callable[..., Awaitable[Any]]
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Handlers:
    """Everything that Slack's requests lead to, put together once."""

    commands: Commands
    presses: Presses
    modals: Modals
    home: Home
    messages: Messages
    edits: Edits
    invited: Invited
    tasks: Tasks


def handlers(bot: Bot, phrases: Phrases, settings: Settings, sender: Sender, tasks: Tasks) -> Handlers:
    """The parts of the adapter, over one bot."""
    prefix = settings.slack_command_prefix
    people = People(tasks)
    conversations = Conversations(people, admins_only=settings.autoexplain_admins_only)
    answers = Answers(bot, conversations)
    home = Home(answers, phrases, people, sender)
    modals = Modals(bot, answers, phrases, people, sender, home, prefix)
    messages = Messages(bot, answers, conversations, people, sender, tasks, Turns(), home)
    return Handlers(
        commands=Commands(answers, conversations, phrases, people, sender, tasks, home, prefix),
        presses=Presses(answers, conversations, people, sender, modals, home),
        modals=modals,
        home=home,
        messages=messages,
        edits=Edits(bot, answers, messages, sender, tasks),
        invited=Invited(bot, answers, people, sender),
        tasks=tasks,
    )


def listen(app: AsyncApp, to: Handlers, removed: Callable[[AsyncBoltContext, Body], Awaitable[None]]) -> None:
    """Registers everything. Commands come first: they are what people wait for, and bolt looks through one by one.

    `app` is made with `process_before_response=True`, so that a listener's end is the acknowledgement, and with
    `raise_error_for_unhandled_request=True`: what nobody listens for is acknowledged here, and not written down.
    `removed` is told that the app was taken out of a workspace, before that's acknowledged.
    """
    app.error(_failed)
    start = to.tasks.start

    @app.command(re.compile("^/"))
    async def command(ack: Ack, body: Body, context: AsyncBoltContext) -> None:
        await to.commands.typed(ack, body, workspace_of(context))

    @app.action(re.compile(f"^({re.escape(PRESS)}|{re.escape(SEARCH)}$)"))
    async def action(ack: Ack, body: Body, context: AsyncBoltContext) -> None:
        await ack()
        start(to.presses.pressed(body, workspace_of(context)))

    @app.options(SEARCH)
    async def options(ack: Ack, body: Body, context: AsyncBoltContext) -> None:
        await ack(options=to.modals.found(body, workspace_of(context)))

    @app.shortcut({"type": "message_action", "callback_id": MESSAGE_SHORTCUT})
    async def explain(ack: Ack, body: Body, context: AsyncBoltContext) -> None:
        await ack()
        start(to.modals.explain(body, workspace_of(context)))

    @app.shortcut({"type": "shortcut", "callback_id": GLOBAL_SHORTCUT})
    async def define(ack: Ack, body: Body, context: AsyncBoltContext) -> None:
        await ack()
        workspace = workspace_of(context)
        start(to.modals.search(body, of_interaction(body, workspace), workspace))

    @app.view(SHARE_FORM)
    async def share(ack: Ack, body: Body, context: AsyncBoltContext) -> None:
        await ack()
        start(to.modals.share(body, workspace_of(context)))

    @app.event("app_mention")
    async def mention(event: Body, context: AsyncBoltContext) -> None:
        to.messages.said(event, context, workspace_of(context))

    @app.event("message")
    async def message(event: Body, context: AsyncBoltContext) -> None:
        match event.get("subtype"):
            case "message_changed":
                to.edits.changed(event, context, workspace_of(context))
            case "message_deleted":
                to.edits.deleted(event, context, workspace_of(context))
            case _:
                to.messages.said(event, context, workspace_of(context))

    @app.event("app_home_opened")
    async def home(event: Body, context: AsyncBoltContext) -> None:
        if event.get("tab") != "messages":
            workspace = workspace_of(context)
            start(to.home.opened(of_event(event, context, workspace, event["user"]), workspace))

    @app.event(re.compile(f"^({'|'.join(REMOVALS)})$"))
    async def removal(body: Body, context: AsyncBoltContext) -> None:
        await removed(context, body)  # if this fails, it isn't acknowledged, and Slack tells it again

    @app.event("member_joined_channel")
    async def joined(event: Body, context: AsyncBoltContext) -> None:
        start(to.invited.joined(event, context, workspace_of(context)))


async def _failed(error: Exception, body: Mapping[str, Any]) -> BoltResponse | None:
    """What nobody listens for is acknowledged. A fault of ours is logged by type and place: it may quote a person."""
    if isinstance(error, BoltUnhandledRequestError):
        return BoltResponse(status=200, body="")
    frames = "".join(traceback.format_tb(error.__traceback__))
    _log.error("%s while taking a request of type %s\n%s", type(error).__name__, body.get("type", "command"), frames)
    return None
