"""`jargonaut run` as a process: what it needs, what it says, how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import pytest

from tests.discord_fake import FakeDiscord
from tests.runs import ended, get, on_discord, on_slack, running
from tests.slack_fake import SlackFake

REFUSED, USAGE, UNUSABLE = 1, 2, 3


# -- It can't begin -----------------------------------------------------------------------------------------------


def test_with_nothing_configured_it_says_what_is_missing(tmp_path: Path) -> None:
    run = ended(tmp_path)
    assert (run.code, run.out) == (USAGE, "")
    assert "SLACK_BOT_TOKEN" in run.err
    assert "DISCORD_TOKEN" in run.err


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        ({"SLACK_BOT_TOKEN": "xoxb-1"}, "SLACK_APP_TOKEN"),
        ({"DISCORD_TOKEN": "x", "DISCORD_SHARDS": "0-16"}, "DISCORD_SHARDS: write the first"),
        ({"DISCORD_TOKEN": "x", "DATABASE_URL": "mysql://x"}, "DATABASE_URL"),
    ],
    ids=["half of Slack", "shards", "database"],
)
def test_a_wrong_setting_is_one_line(tmp_path: Path, variables: dict[str, str], complaint: str) -> None:
    run = ended(tmp_path, **variables)
    (line,) = run.err.splitlines()
    assert run.code == UNUSABLE
    assert complaint in line


async def test_a_wrong_token_of_slack_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace("Acme")
        slack.expect("invalid_auth")
        wrong = on_slack(slack, acme) | {"SLACK_BOT_TOKEN": "xoxb-wrong"}
        async with running(tmp_path, **wrong) as run:
            assert await run.ended() == REFUSED
    complaints = [line for line in run.lines if line.startswith("jargonaut: ")]
    assert len(complaints) == 1
    assert "SLACK_BOT_TOKEN" in complaints[0]
    assert "xoxb-wrong" not in "\n".join(run.lines)
    assert "Traceback" not in "\n".join(run.lines)


async def test_a_wrong_token_of_discord_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    async with FakeDiscord() as discord:
        discord.expect(401)
        wrong = on_discord(discord) | {"DISCORD_TOKEN": "a.wrong.token"}
        async with running(tmp_path, **wrong) as run:
            assert await run.ended() == REFUSED
    complaints = [line for line in run.lines if line.startswith("jargonaut: ")]
    assert len(complaints) == 1
    assert "DISCORD_TOKEN" in complaints[0]
    assert "Traceback" not in "\n".join(run.lines)


# -- It runs ------------------------------------------------------------------------------------------------------


async def test_it_answers_on_both_platforms_until_it_is_told_to_stop(tmp_path: Path) -> None:
    async with SlackFake() as slack, FakeDiscord() as discord:
        acme = slack.workspace("Acme")
        lena = acme.person("Lena")
        general = acme.channel("general", lena)
        ana = discord.user("Ana")
        talk = discord.channel(discord.guild("Ops", ana), "talk")
        async with running(tmp_path, OPS_PORT="0", **on_slack(slack, acme), **on_discord(discord)) as run:
            assert "Acme" in (await run.logged("slack: "))["event"]
            await run.logged("discord: ")
            address = (await run.logged("health and metrics"))["event"].split()[-1]

            outcome = await acme.slash(lena, general, "define", "slo")
            assert "SLO" in outcome.one.says
            interaction = await discord.slash(ana, talk, "define", term="slo")
            assert interaction.message is not None

            assert await get(f"{address}/healthz") == (200, "ok\n")
            code, text = await get(f"{address}/readyz")
            assert (code, json.loads(text)["platforms"]) == (200, {"slack": True, "discord": True})
            assert json.loads(text)["database"] == "ok"
            metrics = (await get(f"{address}/metrics"))[1]
            for platform in ("slack", "discord"):
                assert f'command="define",outcome="definition",platform="{platform}"}} 1.0' in metrics
            line = await run.logged('"event": "answered"')
            assert (line["command"], line["outcome"], line["concepts"]) == ("define", "definition", ["slo"])
            assert len(line["ref"]) == 4
            assert await run.stop() == 0
    everything = "\n".join(run.lines)
    for secret in (acme.installation.token, slack.app_token, discord.token, "Lena", lena.id):
        assert secret not in everything
    assert [json.loads(text)["level"] for text in run.lines if '"level": "error"' in text] == []


async def test_one_file_has_one_run(tmp_path: Path) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace("Acme")
        async with running(tmp_path, **on_slack(slack, acme)) as first:
            await first.logged("slack: ")
            async with running(tmp_path, **on_slack(slack, acme)) as second:
                assert await second.ended() == UNUSABLE
            (complaint,) = [line for line in second.lines if line.startswith("jargonaut: ")]
            assert "jargonaut.sqlite" in complaint
            assert await first.stop(signal.SIGINT) == 0
        async with running(tmp_path, **on_slack(slack, acme)) as third:
            await third.logged("slack: ")
            assert await third.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_told_to_stop_while_it_connects(tmp_path: Path, number: signal.Signals) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace("Acme")
        hold = slack.hold("auth.test")
        async with running(tmp_path, **on_slack(slack, acme)) as run:
            await hold.arrived.wait()
            assert await run.stop(number) == 0
        hold.release()


async def test_told_to_stop_while_it_waits_for_its_database(tmp_path: Path) -> None:
    """A server that takes connections and never says anything."""

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.set()
        await gone.wait()
        writer.close()

    arrived, gone = asyncio.Event(), asyncio.Event()
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server, SlackFake() as slack:
        port = server.sockets[0].getsockname()[1]
        acme = slack.workspace("Acme")
        url = f"postgresql://jargonaut:secret@127.0.0.1:{port}/jargonaut"
        async with running(tmp_path, DATABASE_URL=url, **on_slack(slack, acme)) as run:
            async with asyncio.timeout(60):
                await arrived.wait()
            assert await run.stop() == 0
        gone.set()
    assert "secret" not in "\n".join(run.lines)


async def test_an_address_for_health_that_somebody_has_stops_the_start(tmp_path: Path) -> None:
    async with await asyncio.start_server(lambda _r, w: w.close(), "127.0.0.1", 0) as server, SlackFake() as slack:
        acme = slack.workspace("Acme")
        port = str(server.sockets[0].getsockname()[1])
        async with running(tmp_path, OPS_PORT=port, **on_slack(slack, acme)) as run:
            assert await run.ended() == REFUSED
    assert any("OPS_PORT" in line for line in run.lines)
