"""What has gone wrong in other Slack bots: signatures and clocks, too many calls, and what may be read how often.

Letters and numbers are those of the collected cases; each test holds a whole kind, not only its example.
"""

from __future__ import annotations

import json
import logging
import urllib.parse
from typing import Any, Final

import pytest

from bot.glossary.yaml_files import Loaded
from tests.slack_office import Office, office

JARGON: Final = "our KV cache is full and speculative decoding got slow"
FORM: Final = "application/x-www-form-urlencoded"

# -- S20: requests that aren't Slack's, and the clock that says so

EVENT: Final = {"type": "event_callback", "event": {"type": "app_mention", "text": "very secret text"}}
COMMAND: Final = urllib.parse.urlencode({"command": "/define", "text": "very secret text", "team_id": "T1"})

REFUSED: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "too old": ({"age": 301}, "s behind this machine's clock"),
    "too new": ({"age": -302}, "s ahead of this machine's clock"),
    "an hour behind": ({"age": 3600}, "is the clock right?"),
    "another secret": ({"secret": "wrong"}, "signature"),
    "no secret": ({"secret": ""}, "signature"),
    "re-serialised by a proxy": ({"reshape": lambda body: json.dumps(json.loads(body), indent=1)}, "signature"),
    "a byte more": ({"reshape": lambda body: body + " "}, "signature"),
    "a time that is no number": ({"timestamp": "yesterday"}, "timestamp"),
    "no time": ({"timestamp": ""}, "isn't signed"),
    "a time in Arabic digits": ({"timestamp": "١٧٩٦٠٦٥٤٥٥"}, "timestamp"),
    "a time beyond all numbers": ({"timestamp": "9" * 400}, "timestamp"),
    "a fraction": ({"timestamp": "1796065455.5"}, "timestamp"),
}


async def test_what_slack_didnt_sign_is_refused_and_the_log_says_why(
    loaded: Loaded, caplog: pytest.LogCaptureFixture
) -> None:
    async with office(loaded, http=True) as at:
        for case, (how, why) in REFUSED.items():
            caplog.clear()
            status, body = await at.slack.http.post(json.dumps(EVENT), **how)
            assert status == 401, case
            (logged,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
            assert why in logged.getMessage(), case
            assert logged.exc_info is None, case
            for secret in ("very secret text", at.slack.signing_secret):
                assert secret not in caplog.text + body, case


NOTHING: Final = {
    **{"null": "null", "a list": "[]", "a string": '"text"', "no JSON": "{", "nothing": ""},
    **{"null in a form": "payload=null", "no JSON in a form": "payload=%7B", "a list in a form": "payload=[]"},
}


async def test_a_body_that_says_nothing_is_no_fault_of_ours(loaded: Loaded, caplog: pytest.LogCaptureFixture) -> None:
    async with office(loaded, http=True) as at:
        for case, body in NOTHING.items():
            status, _ = await at.slack.http.post(body, FORM if "form" in case else "application/json")
            assert status in (400, 401, 404), case
        assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
        assert "SLO" in (await at.acme.slash(at.lena, at.general, "define", "SLO")).says


async def test_slack_may_verify_the_address_and_everything_works_over_http(loaded: Loaded) -> None:
    async with office(loaded, http=True) as at:
        challenge = json.dumps({"type": "url_verification", "challenge": "3eZbrw1aB", "token": "unused"})
        status, body = await at.slack.http.post(challenge)
        assert (status, "3eZbrw1aB" in body) == (200, True)
        for age in (290, -290):
            assert (await at.slack.http.post(challenge, age=age))[0] == 200
        card = (await at.acme.slash(at.lena, at.general, "define", "SLO")).one
        assert "Shared by Lena" in (await at.acme.press(at.lena, card, "Share")).says
        assert (await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO")).posted
        view = (await at.acme.shortcut(at.lena, "define")).view
        options = await at.acme.suggest(at.lena, view, "quanti")
        assert "Quantization" in (await at.acme.choose(at.lena, view, options[0])).view.says
        assert (await at.acme.open_home(at.lena)).home


# -- S22: too many calls


async def test_an_answer_waits_twice_and_is_sent_once(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "all")
        at.slack.fail("chat.postMessage", "ratelimited", times=2, retry_after=1)
        asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLO", settle=False)
        await at.slack.until(lambda: len(at.slack.called("chat.postMessage")) == 1)
        others = at.acme.channel("others", at.lena)
        for number in range(20):
            await at.acme.say(others, at.lena, f"{number}: {JARGON}", settle=False)
        card = await at.acme.slash(at.li, at.general, "define", "SLA", settle=False)
        await at.slack.until(lambda: all(one.acked.is_set() for one in at.slack.envelopes))
        assert card.whispered
        assert asked.posted == []
        await asked.settled()
        assert len(asked.posted) == 1
        assert all(envelope.seconds < 3 for envelope in at.slack.envelopes)


WAITING: Final = {
    "an answer that is edited": "chat.update",
    "a private answer": "chat.postEphemeral",
    "a window": "views.open",
    "what fills it": "views.update",
    "the Home": "views.publish",
    "an address for one answer": "response_url",
}


async def edited(at: Office) -> Any:
    asked = await at.acme.say(at.general, at.lena, f"{at.acme.at} SLI")
    at.slack.fail("chat.update", "ratelimited", retry_after=1)
    return await at.acme.edit(asked.said, f"{at.acme.at} SLO")


@pytest.mark.parametrize("method", WAITING.values(), ids=WAITING)
async def test_whatever_slack_puts_off_arrives(loaded: Loaded, method: str) -> None:
    async with office(loaded) as at:
        said = (await at.acme.say(at.general, at.lena, "our TTFT got worse")).said
        if method != "chat.update":
            at.slack.fail(method, "ratelimited", retry_after=1)
        match method:
            case "chat.update":
                outcome = await edited(at)
            case "chat.postEphemeral":
                outcome = await at.acme.say(at.general, at.lena, f"{at.acme.at} flurbel")
            case "views.open" | "views.update":
                outcome = await at.acme.shortcut(at.lena, "explain_jargon", said)
            case "views.publish":
                outcome = await at.acme.open_home(at.lena)
            case _:
                outcome = await at.acme.slash(at.lena, at.general, "vs", "slo sla")
        assert not outcome.nothing
        assert len([call for call in at.slack.called(method) if call.status != 429]) == 1


# -- S23: reading is rationed


async def test_notes_read_nothing_but_what_slack_delivers(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.acme.slash(at.ada, at.general, "autoexplain", "threads")
        at.slack.outside_marketplace = True
        opener = (await at.acme.say(at.general, at.li, "morning")).said
        at.slack.calls.clear()
        notes = [
            (await at.acme.say(at.general, at.lena, text, thread=opener)).posted
            for text in (JARGON, "and the TTFT? the KV cache?", "what about quantization, the TTFT and the KV cache")
        ]
        assert [len(posted) for posted in notes] == [1, 1, 1]
        assert "KV cache" not in notes[1][0].says + notes[2][0].says
        assert "TTFT" not in notes[2][0].says
        assert [call.method for call in at.slack.calls if call.method.startswith("conversations.")] == []


async def test_a_digest_says_how_much_slack_let_it_read(loaded: Loaded) -> None:
    async with office(loaded) as at:
        opener = (await at.acme.say(at.general, at.li, "TTFT")).said
        for number in range(40):
            await at.acme.say(at.general, at.lena, f"{number} KV cache", thread=opener, settle=False)
        await at.slack.settled()
        at.slack.outside_marketplace = True
        at.slack.allow("ratelimited", "conversations.replies")
        told = await at.acme.say(at.general, at.lena, f"{at.acme.at} explain", thread=opener)
        (digest,) = told.whispered
        assert digest.thread_ts == opener.ts
        assert "TTFT" in digest.says
        assert "15" in digest.says
        assert "42" in digest.says
