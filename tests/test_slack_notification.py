"""What a notification says of an answer."""

from __future__ import annotations

import pytest

from adapters.slack.notification import MAX_CHARACTERS, notification
from bot.answer import Block, Button, Field, Heading, Item, Note, Paragraph, Table

SHOW = Button("Show", "j1:help")

SAID: dict[str, tuple[list[Block], str]] = {
    "a definition": (
        [Note("Showing SLO"), Heading("SLO", "Service level objective"), Paragraph("A target. It is internal.")],
        "SLO: A target.",
    ),
    "in Chinese": ([Heading("量化"), Paragraph("一种压缩方法。很常用。")], "量化：一种压缩方法。"),
    "a title that is a sentence": (
        [Heading("I explain jargon.", "Ask me."), Field("/define", "x")],
        "I explain jargon. Ask me.",
    ),
    "a list": ([Heading("Topics", "7 terms"), Item("A", "x", SHOW), Item("B", "y", SHOW)], "Topics: A · B"),
    "settings": ([Heading("Settings"), Field("Language", "Automatic")], "Settings: Language: Automatic"),
    "a field alone": ([Field("语言", "自动")], "语言：自动"),
    "a name alone": ([Field("Language", "")], "Language"),
    "a question": ([Paragraph("Which term? For example SLO.")], "Which term? For example SLO."),
    "a note": ([Paragraph("New to these?"), Item("TTFT", "x"), Item("SLO", "y")], "New to these? TTFT · SLO"),
    "a note in Chinese": (
        [Paragraph("给刚接触的同学："), Item("TTFT", "x"), Item("量化", "y")],
        "给刚接触的同学：TTFT · 量化",
    ),
    "a choice in Chinese": ([Paragraph("你指哪一个？"), Item("量化", "x", SHOW)], "你指哪一个？量化"),
    "small print alone": ([Note("Nothing here.")], "Nothing here."),
    "a title alone": ([Heading("SLO")], "SLO"),
    "a table": ([Heading("A vs. B"), Table(("x",), (("y",),))], "A vs. B"),
    "several lines": ([Heading("A"), Paragraph("one\n\ntwo. three")], "A: one"),
    "escaped": ([Paragraph("<!here> & co")], "&lt;!here&gt; &amp; co"),
    "nothing": ([], ""),
}


@pytest.mark.parametrize(("blocks", "text"), SAID.values(), ids=SAID)
def test_it_says_what_it_is_about(blocks: list[Block], text: str) -> None:
    assert notification(blocks) == text


def test_it_is_short() -> None:
    text = notification([Heading("A"), Paragraph("word " * 200)])
    assert len(text) <= MAX_CHARACTERS
    assert text.endswith("word…")
