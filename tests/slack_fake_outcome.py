"""What people see after something was done: everything the bot posted, changed, deleted or opened since."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tests.slack_fake_state import Change, Ephemeral, Message, View

if TYPE_CHECKING:
    from tests.slack_fake import SlackFake
    from tests.slack_fake_delivery import Envelope

T = TypeVar("T")


class Outcome:
    """Changes from the moment it was made until it settled; before that, until now."""

    def __init__(self, slack: SlackFake) -> None:
        self._slack = slack
        self._start = len(slack.journal)
        self._end: int | None = None
        self.message: Message | None = None
        """What the person said."""
        self.envelopes: list[Envelope] = []
        """What was delivered to the app."""

    async def settled(self) -> Outcome:
        await self._slack.settled()
        self._end = len(self._slack.journal)
        return self

    @property
    def said(self) -> Message:
        """The message that the person posted."""
        assert self.message is not None
        return self.message

    @property
    def changes(self) -> list[Change]:
        return self._slack.journal[self._start : self._end]

    def _things(self, kind: type[T], *kinds: str) -> list[T]:
        return [change.thing for change in self.changes if change.kind in kinds and isinstance(change.thing, kind)]

    @property
    def posted(self) -> list[Message]:
        """New messages that everybody in the channel sees."""
        return [message for message in self._things(Message, "posted") if not isinstance(message, Ephemeral)]

    @property
    def whispered(self) -> list[Ephemeral]:
        """New messages that one person sees."""
        return self._things(Ephemeral, "posted")

    @property
    def changed(self) -> list[Message]:
        return self._things(Message, "changed")

    @property
    def deleted(self) -> list[Message]:
        return self._things(Message, "deleted")

    @property
    def views(self) -> list[View]:
        """Modals that opened or changed, each once."""
        return list({view.id: view for view in self._things(View, "opened", "updated")}.values())

    @property
    def home(self) -> View | None:
        homes = self._things(View, "home")
        return homes[-1] if homes else None

    @property
    def nothing(self) -> bool:
        return not self.changes

    @property
    def one(self) -> Message:
        """The one message that is new or different."""
        things = {id(message): message for message in self._things(Message, "posted", "changed", "deleted")}
        assert (len(things), self.views) == (1, []), f"not one message but:\n{self}"
        return next(iter(things.values()))

    @property
    def view(self) -> View:
        """The one modal that opened or changed."""
        assert len(self.views) == 1, f"not one modal but {self}"
        return self.views[0]

    @property
    def says(self) -> str:
        return self.one.says

    def __str__(self) -> str:
        return "\n".join(
            f"-- {change.kind} {type(change.thing).__name__}:\n{change.thing.says}" for change in self.changes
        )
