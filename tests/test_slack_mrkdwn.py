"""Text on its way to Slack: cleaned, escaped once, cut and split where a reader would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.mrkdwn import clean, cut, escape, first_sentence, has_markup, is_link, link, pieces
from adapters.slack.text import plain
from tests.texts import any_text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  SLO\n", "SLO"),
        ("a\nb\tc", "a\nb\tc"),
        ("\u200b \ufeff", ""),
        ("\x1b[31mred\x07", "[31mred"),
        ("\u202eevil\u2066", "evil"),
        ("x\ud83d", "x"),
        ("👩\u200d💻 KV 缓存", "👩\u200d💻 KV 缓存"),
    ],
)
def test_what_nobody_sees_is_taken_out(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@given(any_text)
def test_cleaned_text_can_be_sent(text: str) -> None:
    clean(text).encode()
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
        ("&lt;", "&amp;lt;"),
        ("<!here>", "&lt;!here&gt;"),
        ("量化", "量化"),
    ],
)
def test_escaped_once(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@given(any_text)
def test_escaped_text_reads_as_it_was(text: str) -> None:
    text = "".join(character for character in text if character not in "*_~`")
    assert plain(escape(text)) == text


@pytest.mark.parametrize("text", ["*b*", "snake_case", "~", "`c`", ":tada:", "a\n> b", ">x", "训练后*量化*"])
def test_markup_is_noticed(text: str) -> None:
    assert has_markup(text)


@pytest.mark.parametrize("text", ["P99 < 500 ms", "a > b", "10:30", "A/B testing", "对比：TPOT", "2–3x & more"])
def test_plain_words_are_no_markup(text: str) -> None:
    assert not has_markup(text)


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://example.org/a?b=1&c=2", True),
        ("http://x", True),
        ("https://", False),
        ("https://a b", False),
        ("https://a<b", False),
        ("HTTPS://X", False),
        ("javascript:alert(1)", False),
        ("https://" + "x" * 3000, False),
        (None, False),
    ],
)
def test_links_lead_to_the_web(url: str | None, linked: bool) -> None:
    assert is_link(url) == linked


def test_a_link_is_escaped() -> None:
    assert link("https://x/?a=1&b=|", "A & <B>") == "<https://x/?a=1&amp;b=%7C|A &amp; &lt;B&gt;>"


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("One. Two.", 20, "One. Two."),
        ("One is here. Two is there.", 20, "One is here. …"),
        ("这是第一句。这是第二句。", 9, "这是第一句。…"),
        ("word word word word", 12, "word word…"),
        ("wordwordword", 6, "wordw…"),
        ("A. wordwordwordword", 12, "A. wordword…"),
        ("v1.5 is out now", 8, "v1.5 is…"),
    ],
)
def test_cut_at_a_sentence_or_a_word(text: str, most: int, short: str) -> None:
    assert cut(text, most) == short


@given(any_text, st.integers(10, 80))
def test_what_is_cut_is_short_enough_and_says_so(text: str, most: int) -> None:
    short = cut(text, most)
    assert len(short) <= most
    assert short == text or short.endswith("…")


@pytest.mark.parametrize(
    ("text", "most", "parts"),
    [
        ("", 10, []),
        ("One. Two.", 9, ["One. Two."]),
        ("One. Two.", 8, ["One.", "Two."]),
        ("第一句。第二句。", 6, ["第一句。", "第二句。"]),
        ("word word word", 10, ["word word", "word"]),
        ("wordword", 5, ["wordw", "ord"]),
        ("first line\nsecond", 14, ["first line", "second"]),
    ],
)
def test_split_at_sentences(text: str, most: int, parts: list[str]) -> None:
    assert pieces(text, most) == parts


@given(any_text, st.integers(5, 40))
def test_nothing_is_lost_between_pieces(text: str, most: int) -> None:
    parts = pieces(text, most)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(0 < len(part) <= most for part in parts)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", [". ", "x", "。", "\n", " ", "*", "...", '"'])
def test_time_grows_with_the_length_only(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    cut(text, 2900)
    pieces(text, 2900)
    first_sentence(text)
    has_markup(clean(text))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("Which one? That.", "Which one?"),
        ("P99 of 0.5 s. More.", "P99 of 0.5 s."),
        ("第一句。第二句。", "第一句。"),
        ('He said "no." Then', 'He said "no."'),
        ("no end", "no end"),
    ],
)
def test_the_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence
