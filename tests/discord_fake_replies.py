"""Interactions of the fake: what an app answers a command, a press, a half-typed option with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from tests.discord_fake_forms import Form, Refused
from tests.discord_fake_limits import body_of
from tests.discord_fake_messages import (
    EDIT_FLAGS,
    EDIT_KEYS,
    REPLY_FLAGS,
    REPLY_KEYS,
    WEBHOOK_KEYS,
    check_choices,
    check_message,
)
from tests.discord_fake_rest import BASE
from tests.discord_fake_world import EPHEMERAL, LOADING, Channel, Message, User

if TYPE_CHECKING:
    from tests.discord_fake import FakeDiscord

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
SAYS, SAYS_LATER, UPDATES_LATER, UPDATES, COMPLETES, ASKS = 4, 5, 6, 7, 8, 9

SECONDS_TO_ANSWER: Final = 3.0
SECONDS_TO_FOLLOW_UP: Final = 15 * 60.0

_TAKEN: Final = {
    COMMAND: (SAYS, SAYS_LATER, ASKS),
    COMPONENT: (SAYS, SAYS_LATER, UPDATES_LATER, UPDATES, ASKS),
    AUTOCOMPLETE: (COMPLETES,),
    MODAL_SUBMIT: (SAYS, SAYS_LATER, UPDATES_LATER, UPDATES),
}


@dataclass(eq=False)
class Interaction:
    """Something that a person did, and what came of it."""

    id: int
    token: str
    type: int
    user: User
    channel: Channel
    at: float
    """By what a test added to the clock."""
    on: Message | None = None
    """The message that the pressed button stands on."""
    guest: bool = False
    """The bot isn't a member of the server: only the person has it installed."""
    hidden: bool = False
    """Discord shows the answers only to the person, whatever the app wants."""
    response: int | None = None
    """The type of the first response; None: none yet."""
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[dict[str, Any]] | None = None
    modal: dict[str, Any] | None = None

    def metadata(self) -> dict[str, Any]:
        """What messages that it brings tell of it."""
        told = {"id": str(self.id), "type": self.type, "user": self.user.payload()}
        told |= {"interacted_message_id": str(self.on.id)} if self.on else {}
        return told | {"authorizing_integration_owners": {}}

    @property
    def done(self) -> bool:
        """Answered, so that a person sees more than "is thinking"."""
        loading = self.original is not None and bool(self.original.flags & LOADING)
        return self.response is not None and not (self.response == SAYS_LATER and loading)

    @property
    def messages(self) -> list[Message]:
        """New messages that it brought, oldest first."""
        own = [self.original] if self.original is not None and self.original is not self.on else []
        return [*own, *self.followups]

    @property
    def message(self) -> Message:
        """The one message that it brought, or the changed one."""
        messages = self.messages or ([self.on] if self.response in (UPDATES, UPDATES_LATER) and self.on else [])
        assert len(messages) == 1, f"{len(messages)} messages"
        return messages[0]

    @property
    def names(self) -> list[str]:
        """Of the completions."""
        assert self.choices is not None, "not completed"
        return [choice["name"] for choice in self.choices]


class Replies:
    """The routes that need no token of the bot's, since the interaction's own is in their path."""

    def __init__(self, fake: FakeDiscord) -> None:
        self._fake = fake

    def add_to(self, app: web.Application) -> None:
        webhook = "/webhooks/{application}/{token}"
        for method, path, handler in (
            ("POST", "/interactions/{interaction}/{token}/callback", self.callback),
            ("POST", webhook, self.follow_up),
            ("GET", webhook + "/messages/{message}", self.get),
            ("PATCH", webhook + "/messages/{message}", self.edit),
            ("DELETE", webhook + "/messages/{message}", self.delete),
        ):
            app.router.add_route(method, BASE + path, handler)  # type: ignore[arg-type]

    async def callback(self, request: web.Request) -> Any:
        body = await body_of(request)
        interaction = next((i for i in self._fake.interactions if str(i.id) == request.match_info["interaction"]), None)
        if interaction is None or interaction.token != request.match_info["token"]:
            raise Refused(404, 10062, "Unknown interaction")
        if interaction.response is not None:
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        if self._fake.clock.ahead - interaction.at > SECONDS_TO_ANSWER:
            raise Refused(404, 10062, "Unknown interaction")
        form = Form()
        form.keys([], body, ("type", "data"), ("type",))
        form.choice(["type"], body.get("type"), _TAKEN[interaction.type])
        form.done()
        kind, data = body["type"], body.get("data") or {}
        await self._respond(interaction, kind, data)
        interaction.response = kind
        if request.query.get("with_response", "").lower() not in ("true", "1"):
            return None
        made: dict[str, Any] = {"id": str(interaction.id), "type": interaction.type}
        resource: dict[str, Any] = {"type": kind}
        if (message := interaction.original) is not None:
            made |= {"response_message_id": str(message.id), "response_message_ephemeral": message.ephemeral}
            made["response_message_loading"] = bool(message.flags & LOADING)
            resource["message"] = message.payload()
        return {"interaction": made, "resource": resource}

    async def _respond(self, interaction: Interaction, kind: int, data: dict[str, Any]) -> None:
        if kind == COMPLETES:
            form = Form()
            form.keys(["data"], data, ("choices",), ("choices",))
            form.done()
            check_choices(data["choices"])
            interaction.choices = data["choices"]
        elif kind == ASKS:
            interaction.modal = data
        elif kind == SAYS:
            check_message(data, REPLY_KEYS, REPLY_FLAGS)
            interaction.original = await self._say(interaction, data)
        elif kind == SAYS_LATER:
            form = Form()
            form.keys(["data"], data, ("flags",))
            form.done()
            later = {"flags": LOADING | (data.get("flags") or 0), "content": ""}
            interaction.original = await self._say(interaction, later)
        else:
            interaction.original = interaction.on
            if kind == UPDATES:
                assert interaction.on is not None
                check_message(data, REPLY_KEYS, EDIT_FLAGS, old_flags=interaction.on.flags, edit=True)
                await self._fake.change(interaction.on, data)

    async def _say(self, interaction: Interaction, data: dict[str, Any]) -> Message:
        alone = interaction.hidden or bool((data.get("flags") or 0) & EPHEMERAL)
        seen_by = interaction.user if alone else None
        reply_to = interaction.on if interaction.type == COMPONENT and not alone else None
        return await self._fake.post(interaction.channel, data, seen_by=seen_by, asked=interaction, on=reply_to)

    def _interaction(self, request: web.Request) -> Interaction:
        token = request.match_info["token"]
        interaction = next((i for i in self._fake.interactions if i.token == token), None)
        if interaction is None or request.match_info["application"] != str(self._fake.application_id):
            raise Refused(404, 10015, "Unknown Webhook")
        if self._fake.clock.ahead - interaction.at > SECONDS_TO_FOLLOW_UP:
            raise Refused(401, 50027, "Invalid Webhook Token")
        if interaction.response is None:
            raise Refused(404, 10015, "Unknown Webhook")
        return interaction

    async def follow_up(self, request: web.Request) -> Any:
        interaction, body = self._interaction(request), await body_of(request)
        check_message(body, WEBHOOK_KEYS, REPLY_FLAGS)
        original = interaction.original
        if interaction.response == SAYS_LATER and original is not None and original.flags & LOADING:
            # Discord puts the first one in the place of "is thinking", and whoever saw that sees it
            await self._fake.change(original, body)
            return original.payload()
        if interaction.guest and len(interaction.followups) >= 5:
            raise Refused(400, 40094, "This interaction has hit the maximum number of follow up messages")
        message = await self._say(interaction, body)
        interaction.followups.append(message)
        return message.payload()

    def _own(self, request: web.Request) -> Message:
        interaction, name = self._interaction(request), request.match_info["message"]
        messages = [m for m in (interaction.original, *interaction.followups) if m is not None and not m.deleted]
        wanted = interaction.original if name == "@original" else None
        found = next((m for m in messages if m is wanted or str(m.id) == name), None)
        if found is None:
            raise Refused(404, 10008, "Unknown Message")
        return found

    async def get(self, request: web.Request) -> Any:
        return self._own(request).payload()

    async def edit(self, request: web.Request) -> Any:
        message = self._own(request)
        check_message(await body_of(request), EDIT_KEYS, EDIT_FLAGS, old_flags=message.flags, edit=True)
        await self._fake.change(message, await body_of(request))
        return message.payload()

    async def delete(self, request: web.Request) -> None:
        await self._fake.remove(self._own(request))
