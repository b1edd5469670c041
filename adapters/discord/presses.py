"""Buttons and menus of any message that the bot ever sent: no view is kept for them, so that they outlive restarts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import discord
from discord import ui

Press: TypeAlias = Callable[[discord.Interaction[Any], str], Awaitable[None]]


def pressed_item(press: Press) -> type[ui.DynamicItem[ui.Item[Any]]]:
    """What to register with a client: it hands the request of a pressed button, or of a chosen option, to `press`."""

    class Pressed(ui.DynamicItem[ui.Item[Any]], template=r"j1:.*|menu:\d+"):
        @classmethod
        async def from_custom_id(
            cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
        ) -> Pressed:
            return cls(item)

        async def callback(self, interaction: discord.Interaction[Any]) -> None:
            chosen = self.item.values[0] if isinstance(self.item, ui.Select) else self.custom_id
            await press(interaction, chosen)

    return Pressed
