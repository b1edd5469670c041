"""A name in bold above its value, in mrkdwn; and the colon between them elsewhere."""

from __future__ import annotations

import pytest

from adapters.slack.elements import plain
from adapters.slack.lines import colon, linked, named, section, with_link
from bot.answer import Field


def mrkdwn(text: str) -> dict[str, object]:
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def test_bold_and_its_value_stand_on_two_lines() -> None:
    assert named("定义", "后续") == mrkdwn("*定义*\n后续")
    assert named("SLO") == mrkdwn("*SLO*")


def test_all_is_escaped_once() -> None:
    assert named("A & B", "<!here> &lt;") == mrkdwn("*A &amp; B*\n&lt;!here&gt; &amp;lt;")


@pytest.mark.parametrize(
    ("name", "value"), [("kv_cache", "x"), ("x", "训练后*量化*是"), ("`AWQ`", ""), (":tada:", "x"), ("a\nb", "")]
)
def test_what_would_be_markup_is_plain(name: str, value: str) -> None:
    assert named(name, value) == plain(f"{name}\n{value}" if value else name)


def test_what_escaping_makes_too_long_is_plain() -> None:
    assert named("x", "&" * 500) == plain("x\n" + "&" * 500)


def test_a_link_is_one_only_to_the_web() -> None:
    assert linked(Field("Chapter", "4 & 5", "https://x/?a&b")) == mrkdwn("*Chapter*\n<https://x/?a&amp;b|4 &amp; 5>")
    assert linked(Field("Chapter", "", "https://x/")) == mrkdwn("*Chapter*\n<https://x/|https://x/>")
    assert linked(Field("Chapter", "4", "javascript:x")) == mrkdwn("*Chapter*\n4")
    assert linked(Field("Chapter", "4")) == mrkdwn("*Chapter*\n4")
    assert linked(Field("a_b", "4", "https://x/")) == plain("a_b\n4")


def test_a_link_joins_the_item_above() -> None:
    item = section(named("TTFT", "how long"))
    assert with_link(item, Field("First used", "message", "https://x/p1?a&b"))
    assert item["text"] == mrkdwn("*TTFT*\nhow long\nFirst used: <https://x/p1?a&amp;b|message>")


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("TTFT", Field("Owner", "me")),
        ("TTFT", Field("Owner", "me", "ftp://x")),
        ("TTFT", Field("a_b", "me", "https://x")),
        ("kv_cache", Field("First used", "message", "https://x")),
        ("TTFT", Field("First used", "&" * 500, "https://" + "x" * 2000)),
    ],
)
def test_a_field_that_cannot_join_leaves_the_item_as_it_was(name: str, field: Field) -> None:
    item = section(named(name))
    assert not with_link(item, field)
    assert item == section(named(name))


@pytest.mark.parametrize(
    ("name", "value", "between"),
    [
        ("SLO", "for steering", ": "),
        ("SLO", "管自己的事", "："),
        ("语言", "自动", "："),
        ("我已经懂的", "0 个术语", "："),
        ("TTFT（首 Token 延迟）", "等多久", "："),
        ("TTFT", "LLM 服务的延迟指标，排队时间也算在内", "："),
        ("设置者", "Li Wei · 2026-11-30", "："),
        ("“batch”的搜索结果", "TTFT", "："),
        ("首次出现", "<", "："),
        ("连续批处理 · KV 缓存", "free places", ": "),
        ("KV 缓存 · KV Cache", "存着注意力键和值", "："),
        ("Language", "English", ": "),
        ("Jargon in this thread", "TTFT · Quantization · 量化", ": "),
        ("SLO", "99.9", ": "),
    ],
)
def test_the_colon_is_as_wide_as_what_follows(name: str, value: str, between: str) -> None:
    assert colon(name, value) == between
