"""The fake Discord refuses what Discord refuses, and says so as Discord does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_fake import FakeDiscord
from tests.discord_fake_commands import check_commands
from tests.discord_fake_components import check_components, seen, stored
from tests.discord_fake_forms import Refused
from tests.discord_fake_messages import check_choices
from tests.discord_fake_world import (
    MANAGE_MESSAGES,
    PRIVATE_THREAD,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    Channel,
    mentions,
    permissions,
)

V2 = 1 << 15


def text(content: str = "x") -> dict[str, Any]:
    return {"type": 10, "content": content}


def button(**more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "Press", "custom_id": "id"} | more


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(children)}


def box(*children: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 17, "components": list(children)} | more


def section(*texts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 9, "components": list(texts), "accessory": button()} | more


def option(**more: Any) -> dict[str, Any]:
    return {"label": "One", "value": "1"} | more


def select(*options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "menu", "options": list(options or (option(),))} | more


def buttons(count: int) -> list[dict[str, Any]]:
    return [button(custom_id=f"b{number}") for number in range(count)]


def codes(tree: Any) -> set[str]:
    """All codes in a tree of faults."""
    if isinstance(tree, list):
        return {fault["code"] for fault in tree}
    return set().union(*(codes(child) for child in tree.values())) if tree else set()


# -- Components ---------------------------------------------------------------------------------------------------

FITTING = {
    "forty components": [box(*[text() for _ in range(39)])],
    "four thousand characters": [text("字" * 2000), text("x" * 2000)],
    "five buttons in a row": [row(*buttons(5))],
    "the longest button": [row(button(label="x" * 80, custom_id="x" * 100))],
    "a full menu": [
        row(select(*[option(label="x" * 100, value=f"{n:0>100}", description="x" * 100) for n in range(25)]))
    ],
    "a section of three texts": [box(section(text(), text(), text()), accent_color=0xFFFFFF, spoiler=False)],
    "a link": [row(button(style=5, custom_id=None, url="https://example.org/"))],
    "a separator": [{"type": 14, "divider": False, "spacing": 2}],
    "a button without a label, but with an emoji": [row(button(label=None, emoji={"name": "🗑"}))],
}


@pytest.mark.parametrize("components", FITTING.values(), ids=FITTING)
def test_components_within_the_limits_are_taken(components: list[dict[str, Any]]) -> None:
    check_components(components, v2=True)


UNFITTING = {
    "41 components": ([box(*[text() for _ in range(40)])], "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
    "an accessory counts": (
        [box(*[text() for _ in range(36)], section(text(), text()))],
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4001 characters together": ([text("x" * 4000), box(text("x"))], "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
    "an empty text": ([text("")], "BASE_TYPE_BAD_LENGTH"),
    "a blank text": ([text(" \n ")], "BASE_TYPE_BAD_LENGTH"),
    "an empty box": ([box()], "BASE_TYPE_BAD_LENGTH"),
    "an empty row": ([row()], "BASE_TYPE_BAD_LENGTH"),
    "six buttons in a row": ([row(*buttons(6))], "BASE_TYPE_BAD_LENGTH"),
    "a menu beside a button": ([row(select(), button())], "BASE_TYPE_BAD_LENGTH"),
    "two menus in a row": ([row(select(), select(custom_id="other"))], "BASE_TYPE_BAD_LENGTH"),
    "a label of 81": ([row(button(label="x" * 81))], "BASE_TYPE_BAD_LENGTH"),
    "no label": ([row(button(label=None))], "BUTTON_COMPONENT_EMPTY"),
    "an id of 101": ([row(button(custom_id="x" * 101))], "BASE_TYPE_BAD_LENGTH"),
    "no id": ([row(button(custom_id=None))], "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED"),
    "an id twice": ([row(button()), section(text())], "COMPONENT_CUSTOM_ID_DUPLICATED"),
    "an id of a button and a menu": ([row(button()), row(select(custom_id="id"))], "COMPONENT_CUSTOM_ID_DUPLICATED"),
    "a link with an id": ([row(button(style=5, url="https://example.org/"))], "BUTTON_COMPONENT_LINK_CUSTOM_ID"),
    "a link without a url": ([row(button(style=5, custom_id=None))], "BASE_TYPE_REQUIRED"),
    "a url that is none": ([row(button(style=5, custom_id=None, url="example"))], "STRING_TYPE_REGEX"),
    "26 options": ([row(select(*[option(value=str(n)) for n in range(26)]))], "BASE_TYPE_BAD_LENGTH"),
    "no options": ([row(select() | {"options": []})], "BASE_TYPE_BAD_LENGTH"),
    "an option of 101": ([row(select(option(label="x" * 101)))], "BASE_TYPE_BAD_LENGTH"),
    "a description of 101": ([row(select(option(description="x" * 101)))], "BASE_TYPE_BAD_LENGTH"),
    "a value of 101": ([row(select(option(value="x" * 101)))], "BASE_TYPE_BAD_LENGTH"),
    "an empty description": ([row(select(option(description="")))], "BASE_TYPE_BAD_LENGTH"),
    "a value twice": ([row(select(option(), option()))], "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
    "a placeholder of 151": ([row(select(placeholder="x" * 151))], "BASE_TYPE_BAD_LENGTH"),
    "a section of four texts": ([section(*[text() for _ in range(4)])], "BASE_TYPE_BAD_LENGTH"),
    "a section without an accessory": ([section(text(), accessory=None)], "BASE_TYPE_REQUIRED"),
    "a button in a section's text": ([section(button())], "BASE_TYPE_CHOICES"),
    "a button outside of a row": ([button()], "BASE_TYPE_CHOICES"),
    "a box in a box": ([box(box(text()))], "BASE_TYPE_CHOICES"),
    "a colour beyond white": ([box(text(), accent_color=0x1000000)], "NUMBER_TYPE_MAX"),
    "an unknown key": ([text() | {"colour": 1}], "UNKNOWN_KEY"),
    "an unknown kind": ([{"type": 99}], "BASE_TYPE_CHOICES"),
}


@pytest.mark.parametrize(("components", "code"), UNFITTING.values(), ids=UNFITTING)
def test_components_beyond_a_limit_are_refused(components: list[dict[str, Any]], code: str) -> None:
    with pytest.raises(Refused) as fault:
        check_components(components, v2=True)
    assert (fault.value.status, fault.value.code) == (400, 50035)
    assert code in codes(fault.value.errors)


def test_texts_need_the_flag_of_components_v2() -> None:
    with pytest.raises(Refused):
        check_components([text()], v2=False)
    check_components([row(button())], v2=False)


def test_people_see_texts_with_the_buttons_beside_and_below_them() -> None:
    components = [
        box(section(text("**SLO**"), text("A target")), {"type": 14}, row(select(option(), placeholder="More")))
    ]
    assert seen(stored(components)) == ["**SLO**", "A target   [Press]", "---", "[More ▾ One]"]


# -- Commands and completions -------------------------------------------------------------------------------------


def command(**more: Any) -> dict[str, Any]:
    return {"name": "define", "description": "Look up a term"} | more


def typed(**more: Any) -> dict[str, Any]:
    return {"type": 3, "name": "term", "description": "What"} | more


REGISTRABLE = {
    "a chinese name": command(name_localizations={"zh-CN": "定义", "zh-TW": "定義"}),
    "choices": command(
        options=[typed(choices=[{"name": "English", "value": "en", "name_localizations": {"zh-CN": "英"}}])]
    ),
    "a menu entry": {"type": 3, "name": "Explain jargon", "name_localizations": {"zh-CN": "解释术语"}},
    "for servers, people and DMs": command(contexts=[0, 1, 2], integration_types=[0, 1]),
    "a range": command(options=[typed(type=4, min_value=1, max_value=200)]),
    "a right": command(default_member_permissions="16"),
}


@pytest.mark.parametrize("good", REGISTRABLE.values(), ids=REGISTRABLE)
def test_good_commands_are_registered(good: dict[str, Any]) -> None:
    check_commands([good])


UNREGISTRABLE = {
    "capitals": command(name="Define"),
    "spaces": command(name="look up"),
    "33 characters": command(name="x" * 33),
    "a localised name with a space": command(name_localizations={"zh-CN": "解释 一下"}),
    "a localised name in capitals": command(name_localizations={"fr": "Définir"}),
    "a locale that Discord has not": command(name_localizations={"zh": "定义"}),
    "an underscore in a locale": command(description_localizations={"zh_CN": "定义"}),
    "no description": command(description=""),
    "a description of 101": command(description="x" * 101),
    "26 choices": command(options=[typed(choices=[{"name": str(n), "value": str(n)} for n in range(26)])]),
    "a choice of 101": command(options=[typed(choices=[{"name": "x" * 101, "value": "x"}])]),
    "a choice twice": command(options=[typed(choices=[{"name": "x", "value": "x"}] * 2)]),
    "choices and autocomplete": command(options=[typed(autocomplete=True, choices=[{"name": "x", "value": "x"}])]),
    "a required option behind another": command(options=[typed(), typed(name="two", required=True)]),
    "an option twice": command(options=[typed(), typed()]),
    "an unknown context": command(contexts=[3]),
    "no context": command(contexts=[]),
    "a menu entry with a description": {"type": 3, "name": "Explain jargon", "description": "x"},
    "a range of texts": command(options=[typed(min_value=1)]),
    "an unknown key": command(permissions="16"),
    "too large": command(options=[typed(name=f"o{n}", description="x" * 100, choices=CHOICES) for n in range(4)])
    if (CHOICES := [{"name": f"{n:0>50}", "value": f"{n:0>50}"} for n in range(25)])
    else {},
}


@pytest.mark.parametrize("bad", UNREGISTRABLE.values(), ids=UNREGISTRABLE)
def test_bad_commands_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(Refused) as fault:
        check_commands([bad])
    assert fault.value.code == 50035


def test_two_commands_of_one_name_are_refused() -> None:
    with pytest.raises(Refused):
        check_commands([command(), command()])
    check_commands([command(), {"type": 3, "name": "define"}])


@pytest.mark.parametrize(
    "choices",
    [
        [{"name": "x", "value": "x"}] * 26,
        [{"name": "", "value": "x"}],
        [{"name": "x" * 101, "value": "x"}],
        [{"name": "x", "value": "x" * 101}],
        [{"name": "x"}],
    ],
    ids=["26", "empty", "long name", "long value", "no value"],
)
def test_bad_completions_are_refused(choices: list[dict[str, Any]]) -> None:
    with pytest.raises(Refused):
        check_choices(choices)


# -- Who may what, who is pinged ----------------------------------------------------------------------------------


def test_overwrites_of_a_person_win_over_those_of_a_role_and_of_everyone() -> None:
    fake = FakeDiscord()
    owner, max_ = fake.user("Lena"), fake.user("Max")
    guild = fake.guild("Ops", owner)
    mods = fake.role(guild, "mods", MANAGE_MESSAGES)
    fake.join(guild, max_, mods)
    talk = fake.channel(
        guild,
        "talk",
        overwrites={guild.everyone: (0, SEND_MESSAGES), mods: (SEND_MESSAGES, 0), max_: (0, MANAGE_MESSAGES)},
    )
    assert permissions(owner, talk) & SEND_MESSAGES
    assert permissions(max_, talk) & SEND_MESSAGES
    assert not permissions(max_, talk) & MANAGE_MESSAGES
    assert not permissions(fake.me_user, talk) & SEND_MESSAGES


def test_a_private_thread_is_hidden_from_who_is_not_in_it() -> None:
    fake = FakeDiscord()
    lena, max_ = fake.user("Lena"), fake.user("Max")
    guild = fake.guild("Ops", fake.user("Owner"))
    fake.join(guild, lena)
    fake.join(guild, max_)
    thread = fake.thread(fake.channel(guild, "talk"), "secret", private=True, people=(lena,))
    assert thread.type == PRIVATE_THREAD
    assert permissions(lena, thread) & VIEW_CHANNEL
    assert permissions(max_, thread) == permissions(fake.me_user, thread) == 0


def test_mentions_are_read_as_discord_reads_them() -> None:
    fake = FakeDiscord()
    lena = fake.user("Lena")
    talk = Channel(1, 0)
    assert mentions(f"hi {lena.mention} <@!{lena.id}> @everyone <@&7>", talk, fake.users) == (True, [lena], [7])
    assert mentions(f"`{lena.mention}` ```\n@here``` \\@everyone", talk, fake.users) == (False, [], [])
