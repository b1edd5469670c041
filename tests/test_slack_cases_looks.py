"""What has gone wrong in other Slack bots: messages that Slack refuses, that read as nothing, or with raw asterisks.

Letters and numbers are those of the collected cases; each test holds a whole kind, not only its example. That Slack
takes a message, the fake judges: it refuses what goes beyond a limit, and fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.commands.names import COMMANDS
from bot.glossary.folding import has_han
from bot.glossary.yaml_files import Loaded, load, shipped
from tests.data_dirs import directory
from tests.slack_fake_state import Message, View
from tests.slack_office import Office, office

# -- S14, S15: too long, too many, empty, twice

SENTENCE: Final = "这是一个很长很长的释义，里面什么都有，就是没有重点。"
EXTREME: Final = f"""\
topic: llm-inference
concepts:
  - id: extreme
    related: [{", ".join(["slo", "sla", "sli", "ttft", "tpot", "qat", "awq", "gptq", "psi", "p99", "kv-cache"])}]
    confusable_with: [slo, sla, sli, ttft]
    note: {"note " * 200}
    link: https://example.com/{"a" * 1500}
    contact: the team of {"b" * 300}
    en:
      pref_label: Extreme {"n" * 52}
      alt_labels: [extreme, {", ".join(f"extreme name number {number}" for number in range(60))}]
      summary: what an extreme is
      definition: {"A sentence that goes on. " * 200}
    zh-Hans:
      pref_label: 极端{"长" * 58}
      alt_labels: [极端]
      summary: 什么都很多
      definition: {SENTENCE * (3001 // len(SENTENCE) + 1)}
"""


@pytest.fixture(scope="module")
def extreme(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    folder: Path = directory(tmp_path_factory.mktemp("extreme"), glossary=EXTREME)
    return load([shipped(), folder], strict_languages=False)


def bodies(at: Office) -> Iterator[dict[str, Any]]:
    """Everything that was sent to be seen: calls, answers to response_urls, and acknowledgements of commands."""
    for call in at.slack.calls:
        if call.method.startswith("chat.p") or call.method in ("chat.update", "response_url"):
            yield call.args
    yield from (
        envelope.answer for envelope in at.slack.envelopes if envelope.kind == "slash_commands" and envelope.answer
    )


async def test_the_longest_entry_is_taken_by_slack_wherever_it_stands(extreme: Loaded) -> None:
    async with office(extreme) as at:
        await at.knows_everybody()
        for person in (at.lena, at.li):
            private = (await at.acme.slash(person, at.general, "define", "extreme")).one
            public = await at.acme.say(
                at.general, person, f"{at.acme.at} 极端" if person is at.li else "!define extreme"
            )
            assert private.says.count("\n") >= 4
            assert public.one.thread_ts == public.said.ts
            await at.acme.slash(person, at.general, "vs", "extreme slo")
            await at.acme.slash(person, at.general, "glossary", "search sentence that goes on")
            await at.acme.slash(person, at.general, "explain", "extreme 极端 SLO TTFT")
            await at.acme.press(person, private, "Share" if person is at.lena else "发到频道")
            view = (await at.acme.shortcut(person, "explain_jargon", public.said)).view
            await at.acme.press(person, view, "Show" if person is at.lena else "查看")


async def test_everything_that_a_message_offers_can_be_pressed(extreme: Loaded) -> None:
    async with office(extreme) as at:
        await at.knows_everybody()
        for text in ("extreme", "SLO", "quantization"):
            card = (await at.acme.slash(at.lena, at.general, "define", text)).one
            for place, label in enumerate(card.buttons):
                await at.acme.slash(at.lena, at.general, "lang", "en")  # a language button saves
                fresh = (await at.acme.slash(at.lena, at.general, "define", text)).one
                same = [number for number, other in enumerate(fresh.buttons[:place]) if other == label]
                pressed = await at.acme.press(at.lena, fresh, label, nth=len(same))
                assert not pressed.nothing, (text, label)


async def test_an_entry_that_names_another_twice_offers_it_once(extreme: Loaded) -> None:
    async with office(extreme) as at:
        card = (await at.acme.slash(at.lena, at.general, "define", "extreme")).one
        assert len(card.buttons) == len(set(card.buttons))
        ids = [
            element["action_id"]
            for block in card.blocks
            for element in block.get("elements", ())
            if "action_id" in element
        ]
        assert len(ids) == len(set(ids)) >= 4


# -- S16, S17: what is read aloud, in notifications, and around Chinese characters

MARKUP: Final = re.compile(r"[*_~`]\S|<[@!#h]|&(?!amp;|lt;|gt;)|:[a-z_]+:")
BOLD: Final = re.compile(r"(?<![A-Za-z0-9*])\*[^*\n]+\*")


def mrkdwn(it: object) -> Iterator[str]:
    if isinstance(it, dict):
        if it.get("type") == "mrkdwn":
            yield it["text"]
        for value in it.values():
            yield from mrkdwn(value)
    elif isinstance(it, list):
        for one in it:
            yield from mrkdwn(one)


def asterisks_show(text: str) -> bool:
    """Slack wants a space or the end of a line outside of each marker; next to a wide character it shows asterisks."""
    return any(
        (match.start() > 0 and not text[match.start() - 1].isspace())
        or (match.end() < len(text) and not text[match.end()].isspace() and text[match.end()] not in ".,:;!?)")
        for match in BOLD.finditer(text)
    )


@pytest.mark.parametrize(
    ("text", "shows"),
    [
        *[
            ("训练后*量化*是一种方法", True),
            ("（*SLO*）", True),
            ("*定义：*后续", True),
            ("使用*AWQ*", True),
            ("*量化* 是", False),
        ],
        *[("*量化*", False), ("*量化*\n一种方法", False), ("训练后 *量化* 是一种方法", False), ("2*3*4", False)],
    ],
)
def test_the_judge_of_asterisks_knows_them(text: str, shows: bool) -> None:
    assert asterisks_show(text) == shows


LINES: Final = [
    *[f"{command.name} {text}".strip() for command in COMMANDS for text in ("", command.example.partition(" ")[2])],
    *(
        "define drift",
        "define flurbel",
        "define speculativ decoding",
        "define 令牌",
        "vs slo",
        "vs slo flurbel",
        "vs drift slo",
    ),
    *("glossary random", "glossary llm inference", "glossary search zzzz", "explain nothing here", "jargonaut known"),
    *("jargonaut help", "jargonaut forget", "lang both", "define SLO", "vs slo sla", "autoexplain off", "lang auto"),
    *("define a *b* _c_ &lt;!channel&gt; <https://a.example|x>", "vs p99 p95", "define 量化", "vs 量化 剪枝"),
]


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_answer_reads_well_without_its_blocks(loaded: Loaded, language: str) -> None:
    async with office(loaded) as at:
        await at.knows_everybody()
        person = at.ada if language == "en" else at.li
        await at.acme.slash(person, at.general, "lang", language)
        for line in LINES:
            command, _, text = line.partition(" ")
            if command == "lang" and text:
                text = language
            await at.acme.slash(person, at.general, command, text)
            await at.acme.say(at.general, person, f"!{command} {text}".strip())
        sent = list(bodies(at))
        assert len(sent) > len(LINES)
        for body in sent:
            text = body["text"]
            assert text.strip(), body
            assert not MARKUP.search(text.replace("@jargonaut", "")), text
            assert not [line for line in mrkdwn(body.get("blocks", [])) if asterisks_show(line)]
        private = [body["text"] for body in sent if body.get("response_type") == "ephemeral"]
        if language == "zh":
            assert [text for text in private if not has_han(text)] == []


async def test_views_have_no_asterisks_that_show(loaded: Loaded) -> None:
    async with office(loaded) as at:
        await at.knows_everybody()
        said = (await at.acme.say(at.general, at.lena, "首 token 延迟和 KV 缓存、量化、PSI、SLO 都有关系")).said
        shown: list[View | Message | None] = [
            (await at.acme.open_home(at.li)).home,
            (await at.acme.shortcut(at.li, "explain_jargon", said)).view,
            (await at.acme.shortcut(at.li, "define")).view,
        ]
        for view in shown:
            assert view is not None
            assert not [line for line in mrkdwn(view.blocks) if asterisks_show(line)]
