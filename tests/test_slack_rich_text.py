"""Rich text: styles instead of markup."""

from __future__ import annotations

from adapters.slack.rich_text import add_line, bullets, paragraph, words
from bot.answer import Field, Item
from tests.slack_fake_blocks import faults

BOLD = {"style": {"bold": True}}


def spans(*them: dict[str, object]) -> list[dict[str, object]]:
    return [{"type": "rich_text_section", "elements": list(them)}]


def test_words_stay_as_they_are() -> None:
    assert paragraph(words("训练后*量化*是 <!here> &amp;")) == {
        "type": "rich_text",
        "elements": spans({"type": "text", "text": "训练后*量化*是 <!here> &amp;"}),
    }


def test_fields_are_a_list_with_bold_names() -> None:
    block = bullets([Field("SLO", "管自己的事"), Field("Docs", "Chapter 4", "https://x"), Field("SLI", "")])
    assert faults([block]) == []
    [entries] = block["elements"]
    assert (entries["type"], entries["style"]) == ("rich_text_list", "bullet")
    assert entries["elements"] == [
        *spans({"type": "text", "text": "SLO", **BOLD}, {"type": "text", "text": "：管自己的事"}),
        *spans(
            {"type": "text", "text": "Docs", **BOLD},
            {"type": "text", "text": ": "},
            {"type": "link", "url": "https://x", "text": "Chapter 4"},
        ),
        *spans({"type": "text", "text": "SLI", **BOLD}),
    ]


def test_a_lone_field_needs_no_bullet() -> None:
    assert bullets([Field("SLO", "x", "ftp://y")]) == paragraph(words("SLO", bold=True), words(": x"))


def test_lines_follow_a_paragraph_in_the_same_block() -> None:
    block = paragraph(words("New to these terms?"))
    add_line(block, Item("TTFT", "how long"))
    add_line(block, Item("SLO", ""))
    assert faults([block]) == []
    texts = [span["text"] for span in block["elements"][0]["elements"]]
    assert texts == ["New to these terms?", "\n", "TTFT", ": how long", "\n", "SLO"]


def test_lines_stand_alone_without_a_paragraph() -> None:
    block = paragraph()
    add_line(block, Item("SLO", "x"))
    assert block == paragraph(words("SLO", bold=True), words(": x"))
