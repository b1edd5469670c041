"""`jargonaut run` counts, watches the team's files and reports, as a process."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.behind import poster
from bot.answer import Answer
from bot.errors import SettingsError
from tests.data_dirs import concept, directory, glossary
from tests.processes import Jargonaut
from tests.runs import get, on_slack, running
from tests.slack_fake import SlackFake

GOOD = glossary(*(concept(f"team-term-{number}") for number in range(5)))


@dataclass
class Posting:
    name: str
    posts: list[tuple[str, Answer]] = field(default_factory=list)

    async def post(self, channel: str, answer: Answer) -> None:
        self.posts.append((channel, answer))


@pytest.mark.parametrize(("channel", "name"), [("C0123ABC", "slack"), ("112233", "discord")])
async def test_a_report_goes_to_the_platform_of_its_channel(channel: str, name: str) -> None:
    platforms = [Posting("slack"), Posting("discord")]
    answer = Answer("list", "en")
    await poster(channel, platforms)(answer)
    assert {platform.name: platform.posts for platform in platforms if platform.posts} == {name: [(channel, answer)]}


def test_a_channel_of_a_platform_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingsError, match="REPORT_CHANNEL is a channel of Discord"):
        poster("112233", [Posting("slack")])


async def test_files_that_change_are_used_or_reported_while_it_runs(tmp_path: Path) -> None:
    team = directory(tmp_path / "team", glossary=GOOD)
    file = team / "glossary" / "things.yaml"
    async with SlackFake() as slack:
        acme = slack.workspace("Acme")
        lena = acme.person("Lena")
        general = acme.channel("general", lena)
        variables = {"JARGONAUT_DATA": json.dumps([str(team)]), **on_slack(slack, acme)}
        async with running(tmp_path, OPS_PORT="0", **variables) as run:
            await run.logged("slack: ")
            address = (await run.logged("health and metrics"))["event"].split()[-1]
            assert "Team term 1" in (await acme.slash(lena, general, "define", "team term 1")).one.says

            file.write_text(GOOD.replace("summary:", "sumary:", 1), encoding="utf-8")
            assert "sumary" in (await run.logged("isn't used"))["event"]
            told = json.loads((await get(f"{address}/readyz"))[1])["data"]
            assert "sumary" in told["rejected"][0]
            assert "Team term 1" in (await acme.slash(lena, general, "define", "team term 1")).one.says

            file.write_text(glossary(concept("brand-new")), encoding="utf-8")
            run.process.send_signal(signal.SIGHUP)
            await run.logged("loaded again")
            assert "Brand new" in (await acme.slash(lena, general, "define", "brand new")).one.says
            metrics = (await get(f"{address}/metrics"))[1]
            assert 'jargonaut_reloads_total{outcome="loaded"} 1.0' in metrics
            assert 'jargonaut_reloads_total{outcome="rejected"} 1.0' in metrics
            assert "rejected" not in json.loads((await get(f"{address}/readyz"))[1])["data"]
            assert await run.stop() == 0
    told_owners = Jargonaut(tmp_path)("report", "--csv")
    assert (told_owners.code, told_owners.err) == (0, "")
    assert f"asked,slack,{general.id},team-term-1,,en,definition,2" in told_owners.lines
