"""Many workspaces and many processes: what belongs to one isn't seen in another, and what all know is known by all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.glossary.yaml_files import Loaded
from tests.slack_fake import SlackFake
from tests.slack_houses import House, house

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")  # slack_sdk makes one

JARGON = "our KV cache is full and speculative decoding got slow"
REFRESH = "oauth.v2.access"


@pytest.fixture
async def slack() -> AsyncIterator[SlackFake]:
    async with SlackFake() as made:
        yield made


@pytest.fixture
async def home(slack: SlackFake, loaded: Loaded, tmp_path: Path) -> AsyncIterator[House]:
    async with house(slack, loaded, tmp_path) as made:
        yield made


async def test_workspaces_dont_see_each_others_settings(slack: SlackFake, home: House) -> None:
    one, other = (slack.workspace(name, installed=False) for name in ("One", "Other"))
    for workspace in (one, other):
        await home.install(workspace)
    lena, lin = one.person("Lena"), other.person("Lin")
    lin.id = lena.id  # people's ids are unique within a team; those of channels everywhere, since they can be shared
    other.users = {lin.id: lin}
    here, there = one.channel("general", lena), other.channel("general", lin)

    await one.slash(lena, here, "lang", "zh")
    await one.slash(lena, here, "autoexplain", "all")
    await one.slash(lena, here, "jargonaut", "mute")
    assert "服务等级目标" in (await one.slash(lena, here, "define", "SLO")).says.splitlines()[1]
    assert "Service level objective" in (await other.slash(lin, there, "define", "SLO")).says.splitlines()[1]
    assert (await other.say(there, lin, JARGON)).nothing
    assert "Where: nowhere" in (await other.slash(lin, there, "autoexplain")).says
    assert "Language: Automatic" in (await other.slash(lin, there, "jargonaut", "settings")).says
    assert (await one.say(here, lena, JARGON)).nothing  # muted
    await one.slash(lena, here, "jargonaut", "unmute")
    assert (await one.say(here, lena, JARGON)).posted


async def test_a_person_of_an_organisation_is_the_same_in_all_of_its_workspaces(slack: SlackFake, home: House) -> None:
    one, two = (slack.workspace(name, enterprise="E1", installed=False) for name in ("One", "Two"))
    await home.install(one, two, for_org=True)
    lena = one.person("Lena")
    two.users[lena.id] = lena
    await one.slash(lena, one.channel("general", lena), "lang", "zh")
    assert "服务等级目标" in (await two.slash(lena, two.channel("random", lena), "define", "SLO")).says.splitlines()[1]


# -- S25: tokens that are renewed


@pytest.mark.parametrize("left", [5 * 60, 30], ids=["minutes left", "seconds left"])
async def test_two_processes_renew_a_token_once_and_both_use_it(
    slack: SlackFake, loaded: Loaded, tmp_path: Path, left: float
) -> None:
    async with house(slack, loaded, tmp_path) as one, house(slack, loaded, tmp_path) as other:
        acme = slack.workspace("Acme", installed=False)
        await one.install(acme, expires_in=left)
        lena = acme.person("Lena")
        general = acme.channel("general", lena)
        asked = []
        for process in (one, other):
            process.open()
            asked.append(await acme.say(general, lena, f"{acme.at} SLO", settle=False))
        await asyncio.gather(*(outcome.settled() for outcome in asked))
        assert len(general.messages) == 4
        (renewed,) = [call for call in slack.called(REFRESH) if call.args.get("grant_type") == "refresh_token"]
        assert renewed.response["ok"]
        assert acme.installation is not None
        assert acme.installation.token == renewed.response["access_token"]
        for process in (one, other):
            process.open()
            assert (await acme.say(general, lena, f"{acme.at} SLA")).posted
        assert len([call for call in slack.called(REFRESH) if call.response["ok"]]) == 2


async def test_a_workspace_whose_token_isnt_renewed_has_to_reinstall_and_others_go_on(
    slack: SlackFake, home: House, caplog: pytest.LogCaptureFixture
) -> None:
    acme, other = (slack.workspace(name, installed=False) for name in ("Acme", "Other"))
    await home.install(acme, expires_in=5 * 60)
    await home.install(other)
    lena, lin = acme.person("Lena"), other.person("Lin")
    assert acme.installation is not None
    acme.installation.refresh_token = "spent elsewhere"
    slack.expect("invalid_refresh_token")
    general = acme.channel("general", lena)
    for _ in range(2):  # the token that it has is good for some minutes
        assert (await acme.say(general, lena, f"{acme.at} SLO")).posted
    assert (await other.say(other.channel("general", lin), lin, f"{other.at} SLO")).posted
    (line,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert acme.id in line
    assert "reinstall at /slack/install" in line
    assert "xox" not in caplog.text
