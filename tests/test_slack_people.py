"""What Slack says about people: asked once, behind, and kept for a day."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.slack import people as module
from adapters.slack.people import AGAIN_SECONDS, KEPT_SECONDS, Known, People, language_of
from adapters.slack.tasks import Tasks
from bot.request import Person
from tests.slack_clients import workspace_in
from tests.slack_fake import SlackFake


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def person(id_: str, home: str) -> Person:
    return Person("slack", home, id_)


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh-CN", "zh-Hans"),
        ("zh-TW", "zh-Hans"),
        ("en-GB", "en"),
        ("en-US", "en"),
        ("de-DE", None),
        ("", None),
    ],
)
def test_a_locale_is_one_of_our_languages_or_none(locale: str, language: str | None) -> None:
    assert language_of(locale) == language


async def test_nobody_waits_at_first_and_the_answer_is_there_the_next_time() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        li = acme.person("Li Wei", locale="zh-CN")
        tasks = Tasks()
        people = People(tasks)
        async with workspace_in(acme) as workspace:
            assert people.known(person(li.id, acme.id), workspace) is None
            assert people.known(person(li.id, acme.id), workspace) is None
            await tasks.finish(5)
            known = people.known(person(li.id, acme.id), workspace)
        assert known == Known("zh-Hans", "Li Wei", full_member=True, admin=False)
        assert len(slack.called("users.info")) == 1


async def test_guests_strangers_and_admins_are_told_apart() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        found: dict[str, tuple[bool, bool]] = {}
        who = {
            "member": acme.person("Lena"),
            "admin": acme.person("Ada", admin=True),
            "guest": acme.person("Gus", guest=True),
            "stranger": acme.stranger("Max"),
        }
        people = People(Tasks())
        async with workspace_in(acme) as workspace:
            for name, user in who.items():
                known = await people.learn(person(user.id, user.team), workspace)
                found[name] = (known.full_member, known.admin)
        assert found == {
            "member": (True, False),
            "admin": (True, True),
            "guest": (False, False),
            "stranger": (False, False),
        }


async def test_people_of_another_workspace_of_the_organisation_are_full_members() -> None:
    async with SlackFake() as slack:
        one, two = slack.workspace("One", enterprise="E1"), slack.workspace("Two", enterprise="E1")
        lena = two.person("Lena")
        one.users[lena.id] = lena
        async with workspace_in(one) as workspace:
            assert (await People(Tasks()).learn(person(lena.id, "E1"), workspace)).full_member


async def test_it_is_kept_for_a_day_and_a_failure_for_minutes() -> None:
    async with SlackFake() as slack:
        acme = slack.workspace()
        lena, clock = acme.person("Lena"), Clock()
        people = People(Tasks(), clock)
        slack.fail("users.info", "internal_error")
        async with workspace_in(acme) as workspace:
            me = person(lena.id, acme.id)
            assert await people.learn(me, workspace) == Known()
            clock.now += AGAIN_SECONDS - 1
            assert await people.learn(me, workspace) == Known()
            clock.now += 1
            assert (await people.learn(me, workspace)).name == "Lena"
            clock.now += KEPT_SECONDS - 1
            await people.learn(me, workspace)
            assert len(slack.called("users.info")) == 2
            clock.now += 1
            await people.learn(me, workspace)
            assert len(slack.called("users.info")) == 3


async def test_the_same_person_in_two_workspaces_is_two(monkeypatch: pytest.MonkeyPatch) -> None:
    async with SlackFake() as slack:
        one, two = slack.workspace("One"), slack.workspace("Two")
        lena = one.person("Lena", admin=True)
        two.users[lena.id] = lena
        people = People(Tasks())
        async with workspace_in(one) as here, workspace_in(two) as there:
            me = person(lena.id, one.id)
            assert (await people.learn(me, here)).admin
            assert not (await people.learn(me, there)).admin


async def test_those_met_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 2)
    async with SlackFake() as slack:
        acme = slack.workspace()
        users = [acme.person(name) for name in ("A", "B", "C")]
        people = People(Tasks())
        async with workspace_in(acme) as workspace:
            for user in users:
                await people.learn(person(user.id, acme.id), workspace)
            await people.learn(person(users[2].id, acme.id), workspace)
            await people.learn(person(users[0].id, acme.id), workspace)
        asked: list[Any] = [call.args["user"] for call in slack.called("users.info")]
        assert asked == [users[0].id, users[1].id, users[2].id, users[0].id]
