"""The fake Discord refuses what Discord refuses, and says so as Discord does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.discord_fake import FakeDiscord
from tests.discord_fake_commands import check_commands
from tests.discord_fake_components import check_components, seen, stored
from tests.discord_fake_forms import Refused
from tests.discord_fake_messages import check_choices
from tests.discord_fake_world import (
    MANAGE_MESSAGES,
    PRIVATE_THREAD,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
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


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord() as fake:
        yield fake


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


# -- Over the wire ------------------------------------------------------------------------------------------------


class Api:
    """An app's requests, without a library between."""

    def __init__(self, fake: FakeDiscord, session: aiohttp.ClientSession) -> None:
        self._fake, self._session = fake, session

    async def __call__(self, method: str, path: str, body: Any = None, *, token: str = "") -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {token or self._fake.token}"}
        async with self._session.request(method, self._fake.api_url + path, json=body, headers=headers) as response:
            return response.status, await response.json() if response.status != 204 else None


@pytest.fixture
async def api(discord: FakeDiscord) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(discord, session)


async def test_an_unexpected_refusal_fails_the_test(api: Api, discord: FakeDiscord) -> None:
    assert (await api("GET", "/users/@me", token="wrong"))[0] == 401
    with pytest.raises(AssertionError, match="401"):
        discord.check()
    discord.expect(401)
    with pytest.raises(AssertionError, match="never refused"):
        discord.check()
    await api("GET", "/users/@me", token="wrong")
    discord.check()


async def test_what_the_fake_does_not_know_is_refused(api: Api, discord: FakeDiscord) -> None:
    discord.expect(404)
    assert (await api("GET", "/soundboard"))[0] == 404


@pytest.mark.parametrize(
    ("denied", "in_thread", "code"),
    [
        (SEND_MESSAGES, False, 50013),
        (SEND_MESSAGES_IN_THREADS, False, 0),
        (SEND_MESSAGES, True, 0),
        (SEND_MESSAGES_IN_THREADS, True, 50013),
        (VIEW_CHANNEL, False, 50001),
        (VIEW_CHANNEL, True, 50001),
    ],
)
async def test_writing_needs_the_right_of_the_place(
    api: Api, discord: FakeDiscord, denied: int, in_thread: bool, code: int
) -> None:
    guild = discord.guild("Ops", discord.user("Lena"))
    talk = discord.channel(guild, "talk", overwrites={guild.everyone: (0, denied)})
    place = discord.thread(talk, "thread") if in_thread else talk
    if code:
        discord.expect(code)
    status, answer = await api("POST", f"/channels/{place.id}/messages", {"content": "hi"})
    assert (status, answer.get("code", 0)) == (403 if code else 200, code)


async def test_without_allowed_mentions_everybody_mentioned_is_pinged(api: Api, discord: FakeDiscord) -> None:
    lena = discord.user("Lena")
    talk = discord.channel(discord.guild("Ops", lena), "talk")
    asked = await discord.say(talk, lena, "hi")
    reply = {"content": lena.mention, "message_reference": {"message_id": str(asked.id)}}
    await api("POST", f"/channels/{talk.id}/messages", reply)
    await api("POST", f"/channels/{talk.id}/messages", reply | {"allowed_mentions": {"parse": []}})
    assert [message.pings for message in discord.said(talk)] == [("Lena", "Lena"), ()]


async def test_the_same_nonce_makes_one_message_where_that_is_asked_for(api: Api, discord: FakeDiscord) -> None:
    talk = discord.channel(discord.guild("Ops", discord.user("Lena")), "talk")
    body = {"content": "hi", "nonce": "1", "enforce_nonce": True}
    answers = [(await api("POST", f"/channels/{talk.id}/messages", body))[1]["id"] for _ in range(2)]
    assert len(set(answers)) == len(discord.said()) == 1


async def test_text_beside_components_v2_is_refused(api: Api, discord: FakeDiscord) -> None:
    talk = discord.channel(discord.guild("Ops", discord.user("Lena")), "talk")
    discord.expect(50035)
    body = {"content": "hi", "flags": V2, "components": [text()]}
    status, answer = await api("POST", f"/channels/{talk.id}/messages", body)
    assert (status, list(answer["errors"])) == (400, ["content"])


async def test_without_the_history_right_there_are_no_messages(api: Api, discord: FakeDiscord) -> None:
    lena = discord.user("Lena")
    guild = discord.guild("Ops", lena)
    hidden = discord.channel(guild, "hidden", overwrites={guild.everyone: (0, READ_MESSAGE_HISTORY)})
    await discord.say(hidden, lena, "hi")
    assert await api("GET", f"/channels/{hidden.id}/messages") == (200, [])
    discord.expect(160002)
    reference = {"message_id": str(next(iter(hidden.messages)))}
    assert (await api("POST", f"/channels/{hidden.id}/messages", {"content": "x", "message_reference": reference}))[
        0
    ] == 403


async def test_history_is_paged_from_the_newest(api: Api, discord: FakeDiscord) -> None:
    lena = discord.user("Lena")
    talk = discord.channel(discord.guild("Ops", lena), "talk")
    said = [await discord.say(talk, lena, str(number)) for number in range(5)]
    _, page = await api("GET", f"/channels/{talk.id}/messages?limit=2")
    assert [message["content"] for message in page] == ["4", "3"]
    _, page = await api("GET", f"/channels/{talk.id}/messages?limit=2&before={said[3].id}")
    assert [message["content"] for message in page] == ["2", "1"]
    _, page = await api("GET", f"/channels/{talk.id}/messages?limit=2&after={said[0].id}")
    assert [message["content"] for message in page] == ["2", "1"]


async def test_an_exhausted_bucket_answers_429_with_the_time_to_wait(api: Api, discord: FakeDiscord) -> None:
    route = "POST /channels/{channel}/messages"
    talk = discord.channel(discord.guild("Ops", discord.user("Lena")), "talk")
    discord.limits[route] = (2, 60.0)
    answers = [await api("POST", f"/channels/{talk.id}/messages", {"content": "hi"}) for _ in range(3)]
    assert [status for status, _ in answers] == [200, 200, 429]
    assert 0 < answers[2][1]["retry_after"] <= 60
    assert discord.limited == [route]
    discord.clock.advance(61)
    assert (await api("POST", f"/channels/{talk.id}/messages", {"content": "hi"}))[0] == 200


async def test_localisations_are_given_back_only_when_asked_for(api: Api, discord: FakeDiscord) -> None:
    path = f"/applications/{discord.application_id}/commands"
    await api("PUT", path, [command(name_localizations={"zh-CN": "定义"}, options=[typed(required=False)])])
    (bare,) = (await api("GET", path))[1]
    (full,) = (await api("GET", path + "?with_localizations=true"))[1]
    assert "name_localizations" not in bare
    assert full["name_localizations"] == {"zh-CN": "定义"}
    assert full["options"] == [typed()]
    assert len(discord.command_writes) == 1
