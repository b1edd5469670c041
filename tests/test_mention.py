"""What is said to the bot itself, and what isn't."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.answer import Kind
from bot.request import Request
from tests.desks import ANA, CHANNEL, Desk, labels, said
from tests.texts import any_text

SAID: dict[str, tuple[str, Kind, tuple[str, ...]]] = {
    "label": ("slo", "definition", ("slo",)),
    "question": ("what is a KV cache?", "definition", ("kv-cache",)),
    "chinese question": ("什么是 KV cache?", "definition", ("kv-cache",)),
    "difference": ("difference between SLO and SLA", "comparison", ("slo", "sla")),
    "chinese difference": ("SLO 和 SLA 有什么区别", "comparison", ("slo", "sla")),
    "versus": ("slo vs sla", "comparison", ("slo", "sla")),
    "command": ("vs slo sla", "comparison", ("slo", "sla")),
    "chinese command": ("查 量化", "definition", ("quantization",)),
    "setting": ("lang", "setting", ()),
    "glossary": ("glossary", "list", ()),
    "chinese glossary": ("术语表", "list", ()),
    "help": ("help", "help", ()),
    "help with a mark": ("Help?", "help", ()),
    "chinese help": ("帮助", "help", ()),
    "help for one command": ("help vs", "help", ()),
    "the same": ("is an SLO the same thing as a service level objective?", "error", ("slo",)),
    "unknown": ("what is zzqx", "unknown", ()),
}


@pytest.mark.parametrize(("text", "kind", "concepts"), SAID.values(), ids=SAID)
def test_what_is_understood(text: str, kind: Kind, concepts: tuple[str, ...], desk: Desk) -> None:
    answer = desk.mention(text).answer
    assert (answer.kind, answer.concepts) == (kind, concepts)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("对比 SLO SLA", "zh-Hans"),
        ("vs SLO SLA", "en"),
        ("查 SLO", "zh-Hans"),
        ("帮助", "zh-Hans"),
        ("术语表", "zh-Hans"),
    ],
)
def test_a_chinese_command_is_a_chinese_question(text: str, language: str, desk: Desk) -> None:
    assert desk.mention(text).answer.language == language


@pytest.mark.parametrize("text", ["slo", "slo vs sla", "drift", "TTFT, TPOT", "glossary"])
def test_others_see_the_answer(text: str, desk: Desk) -> None:
    assert desk.mention(text).answer.where == "public"


@pytest.mark.parametrize("text", ["zzqx", "help", "lang", "", "slo vs zzqx", "vs", "slo vs slo", "glossary search"])
def test_misses_hints_and_settings_are_for_the_asker(text: str, desk: Desk) -> None:
    assert desk.mention(text).answer.where == "private"


EXPLAINED = {
    "explain TTFT got bad today, and the KV cache was full": ("ttft", "kv-cache"),
    "TTFT was bad today, and the KV cache was full all day": ("ttft", "kv-cache"),
    "解释 今天 TTFT 很差，KV 缓存也满了": ("ttft", "kv-cache"),
}


@pytest.mark.parametrize(("text", "concepts"), EXPLAINED.items())
def test_a_text_with_labels_in_it_is_explained(text: str, concepts: tuple[str, ...], desk: Desk) -> None:
    answer = desk.mention(text).answer
    assert (answer.kind, answer.concepts, answer.where) == ("explanation", concepts, "private")
    assert desk.at(whispers=False).mention(text).answer.where == "public"


@pytest.mark.parametrize("text", ["explain SLO", "explain the SLO", "解释 SLO", "can you explain SLO?"])
def test_explaining_one_term_is_defining_it(text: str, desk: Desk) -> None:
    assert (desk.mention(text).answer.kind, desk.mention(text).answer.concepts[:1]) == ("definition", ("slo",))


def test_explain_alone_says_how(desk: Desk) -> None:
    answer = desk.mention("explain").answer
    assert (answer.kind, answer.error) == ("error", "usage")
    assert "/explain" in said(answer)


@pytest.mark.parametrize("text", ["autoexplain", "explain auto"])
def test_the_settings_of_notes_answer_to_a_mention(text: str, desk: Desk) -> None:
    answer = desk.mention(text).answer
    assert (answer.kind, answer.where) == ("setting", "private")


LONG = ["could you please book the big meeting room for tomorrow", "明天下午的会议室能不能帮我改到三楼去呀"]


@pytest.mark.parametrize("text", LONG)
def test_a_long_text_without_a_label_is_told_privately_what_this_is_for(text: str, desk: Desk) -> None:
    reply = desk.mention(text)
    assert (reply.answer.kind, reply.answer.where, reply.changes) == ("help", "private", ())
    assert said(reply.answer) == desk.phrases.say("only_terms", reply.answer.chrome)
    assert text not in said(reply.answer)


@pytest.mark.parametrize("text", LONG)
def test_or_nothing_where_all_would_hear_it(text: str, desk: Desk) -> None:
    assert desk.at(whispers=False).mention(text).answer.kind == "silence"
    request = Request(ANA, CHANNEL, "mention", text, by="mention", public=True, direct=True, whispers=False)
    assert desk.at(direct=True, whispers=False).mention(text).answer.kind == "help"
    assert request.direct


@pytest.mark.parametrize("text", ["slo", "!define slo", "what is a KV cache?", "", "@jargonaut"])
def test_what_is_said_in_a_channel_and_not_to_the_bot(text: str, desk: Desk) -> None:
    reply = desk.slash("message", text)
    assert (reply.answer.kind, reply.answer.blocks, reply.changes) == ("silence", (), ())


@given(any_text)
def test_any_mention_gets_an_answer_or_silence(desk: Desk, text: str) -> None:
    for there in (desk, desk.at(whispers=False)):
        answer = there.mention(text).answer
        assert (answer.kind == "silence") == (not answer.blocks)
        assert "Share" not in labels(answer) or answer.where == "private"


MARKER = "zqxzqx"
AROUND = [
    *(
        "{}",
        "what is {}",
        "{} vs slo",
        "slo vs {}",
        "{} {} {}",
        "什么是{}",
        "SLO 和 {} 的区别",
        "drift {}",
        "search {}",
    ),
    *("speculative decoding {}", "quantizaton{}", "glossary {}", "define {}", "vs {} {}", "lang {}", "“{}” vs “slo”"),
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(
    "command", ["mention", "define", "vs", "explain", "glossary", "lang", "autoexplain", "jargonaut", "help"]
)
def test_public_text_never_repeats_what_somebody_typed(command: str, around: str, desk: Desk) -> None:
    """Not even on a platform that can't whisper, where misses and hints are public too."""
    text = around.replace("{}", MARKER)
    there = desk.at(whispers=False)
    answer = (there.mention(text) if command == "mention" else there.bang(command, text)).answer
    assert MARKER not in said(answer).casefold()
    assert not any(MARKER in label.casefold() for label in labels(answer))
