"""`jargonaut run` as a process of its own in a workspace: it ends as an operator wants, whatever it's doing."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Final

from tests.runs import on_slack, running
from tests.slack_fake import SlackFake

START: Final = 60.0
"""Seconds in which a process has to be there, on a busy machine."""


async def test_sigterm_lets_the_answer_in_flight_out_and_nothing_is_answered_twice(tmp_path: Path) -> None:
    async with SlackFake() as slack:
        acme = slack.workspace("Acme")
        lena = acme.person("Lena")
        general = acme.channel("general", lena)
        async with running(tmp_path, **on_slack(slack, acme)) as run:
            await slack.until(lambda: slack.socket.connections, START)
            hold = slack.hold("chat.postMessage")
            asked = await acme.say(general, lena, f"{acme.at} SLO", settle=False)
            async with asyncio.timeout(START):
                await hold.arrived.wait()
            await slack.until(lambda: all(envelope.acked.is_set() for envelope in asked.envelopes))
            ending = asyncio.create_task(run.stop(signal.SIGTERM))
            late = await acme.say(general, lena, f"{acme.at} SLA", settle=False)
            hold.release()
            assert await ending == 0
            assert "Traceback" not in "\n".join(run.lines)
            assert "SLO" not in "\n".join(run.lines)
        assert asked.posted[0].thread_ts == asked.said.ts
        async with running(tmp_path, **on_slack(slack, acme)):  # the next one, with the same database
            await slack.until(lambda: slack.socket.connections, START)
            for envelope in asked.envelopes:
                await slack.redeliver(envelope)
            await slack.until(lambda: [it for it in general.messages.values() if it.thread_ts == late.said.ts], START)
            await slack.until(lambda: all(it.acked.is_set() or it.given_up for it in slack.envelopes), START)
            card = await acme.slash(lena, general, "define", "TTFT", settle=False)
            await slack.until(lambda: card.whispered, START)
        threads = [message.thread_ts for message in general.messages.values() if message.user == acme.bot]
        assert sorted(map(str, threads)) == sorted([asked.said.ts, late.said.ts])
