"""What of a message is prose, and what is code, an address, a name, a quotation."""

from __future__ import annotations

import pytest
from hypothesis import given

from bot.glossary.masking import Prose
from tests.texts import any_text


def prose(text: str) -> str:
    """The text with a dot for everything that is no prose, and for spaces."""
    found = Prose(text)
    return "".join(
        "." if character == " " or not found.has(at, at + 1) else character for at, character in enumerate(text)
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # Code
        pytest.param("a `slo` b", "a.......b", id="inline code"),
        pytest.param("a ``slo `x` slo`` b", "a" + "." * 17 + "b", id="inline code with backticks in it"),
        pytest.param("a `slo\nb` c", "a.`slo\nb`.c", id="a backtick over lines is none"),
        pytest.param("```\nslo = 0.99\n```\nSLO", "." * 18 + "\nSLO", id="a fence"),
        pytest.param("x ```slo", "x.......", id="an unclosed fence is code to the end"),
        pytest.param("```a``` b ```c", "........b.....", id="a closed and an unclosed fence"),
        pytest.param("~~~\nslo\n~~~ b", "............b", id="tildes"),
        pytest.param("~5 ms", "~5.ms", id="one tilde"),
        # Quotations
        pytest.param("> our slo\nSLO", ".........\nSLO", id="a quoted line"),
        pytest.param("  > our slo", "...........", id="indented"),
        pytest.param("&gt; our slo\nSLO", "............\nSLO", id="as Slack sends it"),
        pytest.param("＞ 我们的\n好", ".....\n好", id="full width"),
        pytest.param("a\n>>> slo\nslo", "a\n" + "." * 11, id="a quotation to the end"),
        pytest.param("a\n&gt;&gt;&gt; slo\nslo", "a\n" + "." * 20, id="to the end, as Slack sends it"),
        pytest.param("PSI > 0.2", "PSI.>.0.2", id="greater than"),
        pytest.param("p99 &gt; 2s", "p99.&gt;.2s", id="greater than, as Slack sends it"),
        pytest.param("a >>> b", "a.>>>.b", id="not at the beginning of a line"),
        # Addresses, paths, names
        pytest.param("see https://slo.io/kv-cache?x=slo ok", "see." + "." * 29 + ".ok", id="an address"),
        pytest.param("www.slo.io/slo b", "...............b", id="without a scheme"),
        pytest.param("docs.vllm.ai/en/awq.html b", "." * 25 + "b", id="only host and path"),
        pytest.param("<https://slo.io|SLO> b", "<..............|SLO>.b", id="a link with a text"),
        pytest.param("mail slo@awq.io b", "mail............b", id="e-mail"),
        pytest.param("hey @slo-team b", "hey...........b", id="somebody"),
        pytest.param("ask #slo-team, #awq b", "ask..........,......b", id="a channel"),
        pytest.param("SLO #1, C#, issue#slo", "SLO.#1,.C#,.issue#slo", id="a number sign"),
        pytest.param("recall@k b", "recall@k.b", id="an at inside a word"),
        pytest.param("<@U12SLO> <#C1|slo> <!here> b", "." * 28 + "b", id="as Slack and Discord send names"),
        pytest.param(":slo_down: b", "...........b", id="emoji"),
        pytest.param("at 10:30: SLO", "at.10:30:.SLO", id="a time"),
        pytest.param("run --kv-cache=fp8 -q slo", "run" + "." * 19 + "slo", id="flags"),
        pytest.param("kv-cache – slo - b", "kv-cache.–.slo.-.b", id="hyphens and dashes"),
        pytest.param("in /srv/slo/awq ~/slo ./slo b", "in." + "." * 25 + "b", id="paths"),
        pytest.param("tools/quant/run_awq.py b", "." * 23 + "b", id="a relative path"),
        pytest.param("model.gguf slo.yaml b", "." * 20 + "b", id="files"),
        pytest.param(r"C:\slo\awq b", "...........b", id="windows"),
        pytest.param("prefill/decode, A/B", "prefill/decode,.A/B", id="a slash between words"),
        pytest.param("SLO. AWQ", "SLO..AWQ", id="a full stop"),
        # Prose in marks
        pytest.param('**SLO** "AWQ" “KV” (TTFT)', '**SLO**."AWQ".“KV”.(TTFT)', id="bold and quotes"),
        pytest.param("", "", id="empty"),
    ],
)  # fmt: skip
def test_prose(text: str, left: str) -> None:
    assert prose(text) == left


def test_what_is_partly_prose_is_none() -> None:
    assert not Prose("KV `cache`").has(0, 10)
    assert not Prose("KV\n> cache").has(0, 10)
    assert Prose("KV\ncache").has(0, 8)


def test_lines_may_be_asked_about_in_any_order() -> None:
    found = Prose("slo\n> slo\nslo `slo`\nslo")
    places = [(20, 23), (0, 3), (15, 18), (6, 9), (10, 13), (6, 9), (20, 23)]
    assert [found.has(*place) for place in places] == [True, True, False, False, True, False, True]


@given(any_text)
def test_any_text_has_prose_or_not(text: str) -> None:
    found = Prose(text)
    for start in range(len(text)):
        if found.has(start, len(text)):
            assert all(found.has(place, place + 1) for place in range(start, len(text)))


@given(any_text)
def test_nothing_is_prose_behind_an_unclosed_fence(text: str) -> None:
    text = text.replace("`", "").replace("~", "")
    found = Prose(f"SLO ```{text}SLO")
    assert found.has(0, 3)
    assert not any(
        found.has(place, place + 1) for place in range(4, len(text) + 10) if text[place - 7 : place - 6].strip()
    )
