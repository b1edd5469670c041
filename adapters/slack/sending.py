"""Answer -> Slack's Web API or a response_url. The only place that sends; says what became of it, and never raises."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.slack.blocks import render
from adapters.slack.faults import FAULTS, REFUSED, code_of
from adapters.slack.workspace import Workspace, retry_handlers
from bot.answer import Answer, Update

_log: Final = logging.getLogger(__name__)

REMEMBERED: Final = 1_000
"""Channels of which a process remembers that an error was logged."""

NO_MEMBER: Final = ("not_in_channel", "channel_not_found", "user_not_in_channel")
"""Slack's errors where the bot, or the person it talks to, isn't in the channel."""

_QUIET: Final[dict[str, Any]] = {"unfurl_links": False, "unfurl_media": False}
_UNREADABLE: Final = ("invalid_blocks", "invalid_blocks_format")


class Sender:
    """One per process."""

    def __init__(
        self, session: aiohttp.ClientSession, logger: logging.Logger, refused: Callable[[str], None] = lambda _: None
    ) -> None:
        """`refused` is told Slack's error when it no longer takes a token. `logger` is the SDK's."""
        self._session = session
        self._logger = logger
        self._refused = refused
        self._logged: dict[tuple[str, str], None] = {}

    async def post(
        self, workspace: Workspace, channel: str, answer: Answer, *, thread: str | None = None, asked: bool = True
    ) -> str | None:
        """Posts it for all. Its id; None: Slack doesn't let us. `asked`: somebody waits for it, so it's tried again."""
        client = workspace.client if asked else workspace.unhurried

        async def send(fields: bool) -> Any:
            return await client.chat_postMessage(
                channel=channel, thread_ts=thread, **_QUIET, **message(answer, fields=fields)
            )

        response = await self._call(send, channel)
        return str(response["ts"]) if response else None

    async def whisper(
        self,
        workspace: Workspace,
        channel: str,
        user: str,
        answer: Answer,
        *,
        thread: str | None = None,
        fine: tuple[str, ...] = (),
    ) -> bool:
        """Shows it to one person, in a channel where the bot is a member; a thread needs to have replies already.

        `fine`: errors of Slack that aren't worth a line in the log.
        """

        async def send(fields: bool) -> Any:
            return await workspace.client.chat_postEphemeral(
                channel=channel, user=user, thread_ts=thread, **message(answer, fields=fields)
            )

        return await self._call(send, channel, fine) is not None

    async def update(self, client: AsyncWebClient, channel: str, ts: str, answer: Answer) -> bool:
        """Edits a message of ours that others see."""

        async def send(fields: bool) -> Any:
            return await client.chat_update(channel=channel, ts=ts, **message(answer, fields=fields))

        return await self._call(send, channel) is not None

    async def delete(self, client: AsyncWebClient, channel: str, ts: str) -> bool:
        """Deletes a message of ours. One that is gone is no error."""

        async def send(_fields: bool) -> Any:
            return await client.chat_delete(channel=channel, ts=ts)

        return await self._call(send, channel, fine=("message_not_found",)) is not None

    async def besides(self, workspace: Workspace, channel: str, answer: Answer) -> None:
        """What happens besides an answer: to another message of ours in its channel, and in other channels."""
        if answer.update is not None:
            await self.carry_out(workspace, channel, answer.update)
        for post in answer.elsewhere:
            await self.post(workspace, post.channel, post.answer)

    async def carry_out(self, workspace: Workspace, channel: str, update: Update) -> None:
        """What an answer says about another message of ours."""
        if update.answer is None:
            await self.delete(workspace.client, channel, update.reply)
        else:
            await self.update(workspace.client, channel, update.reply, update.answer)

    async def respond(
        self, url: str, answer: Answer, *, public: bool = False, replace: bool = False, thread: str | None = None
    ) -> bool:
        """Answers a command or a press, wherever that was: the bot needn't be a member there.

        `thread`: the one in which the button stood; a replaced message stays where it is.
        """
        where: dict[str, Any] = {
            "response_type": "in_channel" if public else "ephemeral",
            "replace_original": replace,
            **_QUIET,
        }
        if thread is not None and not replace:
            where["thread_ts"] = thread
        client = AsyncWebhookClient(
            url, session=self._session, logger=self._logger, retry_handlers=retry_handlers()
        )  # Slack's own address, out of a payload that it signed
        for fields in (False, True):
            try:
                response = await client.send_dict({**where, **message(answer, fields=fields)})
            except FAULTS as error:
                self._failed("response_url", code_of(error))
                return False
            if response.status_code == 200 and '"ok":false' not in response.body.replace(" ", ""):
                return True
            if fields or not any(error in response.body for error in _UNREADABLE):
                self._failed("response_url", f"status {response.status_code}")
                return False
        return False

    async def view(self, call: Awaitable[Any]) -> Any | None:
        """Shows a view: what Slack answered; None: it doesn't show it."""
        try:
            return await call
        except FAULTS as error:
            self._failed("view", code_of(error))
        return None

    async def _call(
        self, send: Callable[[bool], Awaitable[Any]], channel: str, fine: tuple[str, ...] = ()
    ) -> Any | None:
        """What Slack answered, `send` being told to use fields once it refused the blocks; None: it doesn't take it."""
        for fields in (False, True):
            try:
                return await send(fields)
            except FAULTS as error:
                code = code_of(error)
                if code in _UNREADABLE and not fields:
                    continue
                if code not in fine:
                    self._failed(channel, code)
                return None
        return None

    def _failed(self, channel: str, error: str) -> None:
        """Said once: a channel that the bot was taken out of would fill the log."""
        if error in REFUSED:
            self._refused(error)
        if (channel, error) not in self._logged:
            self._logged[channel, error] = None
            _log.warning("Slack: %s (%s); said once", error, channel)
        while len(self._logged) > REMEMBERED:
            del self._logged[next(iter(self._logged))]


def message(answer: Answer, *, fields: bool = False) -> dict[str, Any]:
    """The text and the blocks of a message."""
    rendered = render(answer, fields=fields)
    return {"text": rendered.text, "blocks": rendered.blocks}
