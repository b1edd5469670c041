"""Every answer there is, as Block Kit: Slack takes it, no word is lost, and nothing in it does anything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from adapters.slack.blocks import Rendered, Surface, render
from adapters.terminal import text as terminal
from bot.answer import Answer, Button, Field, Heading, Item, Menu, Note, Paragraph, Shown, Table, silence
from bot.commands.notes import worded
from bot.glossary.concept import LANGUAGES
from bot.note_wording import Used, digest
from bot.request import decode
from bot.state.ports import Channel, Profile
from bot.wording import Voice
from tests.desks import Desk, buttons
from tests.slack_fake_blocks import MOST_TEXT, faults, size, words
from tests.slack_shown import action_ids, everywhere, links, mrkdwn, read, text_objects
from tests.test_every_answer import SEEN, TYPED
from tests.texts import any_text

SURFACES: Final[dict[str, tuple[Callable[[Answer], Rendered], Surface]]] = {
    "message": (partial(render), "message"),
    "message with fields": (partial(render, fields=True), "message"),
    "modal": (partial(render, surface="modal"), "modal"),
    "home": (partial(render, surface="home"), "home"),
}
NOW: Final = datetime(2026, 11, 30, tzinfo=UTC)
SHOWN: tuple[Shown, ...] = (*LANGUAGES, "both")


def there_are(desk: Desk, shown: Shown) -> Iterator[Answer]:
    """All definitions and comparisons, whatever else can be typed, and one press further; notes."""
    knows = Profile(shown, known=frozenset({"slo", "fp16"}))
    reader = desk.at(profile=knows, name="Ana", may_set=True, **SEEN)
    for concept in desk.glossary.concepts.values():
        yield reader.slash("define", next(iter(concept.sections.values())).pref_label.text).answer
    for entry in desk.glossary.comparisons.values():
        sides = [side if isinstance(side, str) else side.labels["en"][0] for side in entry.sides]
        yield reader.slash("vs", " vs ".join(f'"{side}"' for side in sides)).answer
    pressed = set()
    for action, text in TYPED.values():
        for answer in (
            reader.slash(action, text).answer,
            reader.at(channel=Channel(language=shown)).bang(action, text).answer,
        ):
            yield answer
            for button in buttons(answer):
                if (kind := (answer.kind, decode(button.request).action)) not in pressed:
                    pressed.add(kind)
                    yield reader.press(button).answer
    yield reader.at(now=NOW).slash("home").answer
    voice = Voice(desk.glossary, desk.phrases, shown, "en" if shown == "both" else shown)
    used = [
        Used(concept, f"https://acme.slack.com/p{number}?a=1&b=2")
        for number, concept in enumerate(desk.glossary.concepts.values())
    ]
    for page in range(3):
        blocks = digest(used[:12], voice, title="A & B", known=2, page=page)
        yield Answer("explanation", shown, blocks=tuple(blocks), concepts=("slo",))
    for ids in (("ttft",), ("ttft", "kv-cache", "slo")):
        yield worded(ids, voice)


@pytest.fixture(scope="module", params=SHOWN)
def answers(request: pytest.FixtureRequest, desk: Desk) -> list[Answer]:
    return list(there_are(desk, request.param))


@pytest.mark.parametrize("surface", SURFACES)
def test_slack_takes_every_answer(answers: list[Answer], surface: str) -> None:
    draw, where = SURFACES[surface]
    for answer in answers:
        rendered = draw(answer)
        assert faults(rendered.blocks, where) == [], answer
        assert size(rendered.blocks) <= MOST_TEXT
        assert rendered.blocks or answer.kind == "silence"


def test_every_answer_has_a_text_that_reads_well(answers: list[Answer]) -> None:
    """Notifications and screen readers have nothing else."""
    for answer in answers:
        text = render(answer).text
        assert text, answer
        assert len(text) <= 210
        assert re.search(r"[<>\n*`]|  |[.:：]:", text) is None, text
        if answer.kind in ("definition", "comparison"):
            title = next(block.text for block in answer.blocks if isinstance(block, Heading))
            assert text.startswith(title.replace("&", "&amp;"))
            assert len(text) > len(title) + 5


def test_every_button_is_there_once_and_carries_its_request(answers: list[Answer]) -> None:
    for answer in answers:
        blocks = render(answer).blocks
        values = re.findall(r"'value': '([^']*)'", str(blocks))
        assert values == [button.request for button in buttons(answer)]
        ids = action_ids(blocks)
        assert len(set(ids)) == len(ids)
        assert all(re.fullmatch(r"jn:\d+", one) for one in ids)


def counted(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def expected(answer: Answer) -> Counter[str]:
    """What a terminal shows, and the labels of what can be pressed."""
    labels = [button.label for button in buttons(answer)]
    labels += [entry.label for entry in answer.buttons if isinstance(entry, Menu)]
    return counted(terminal.render(answer, numbered=False)) + counted(" ".join(labels))


def test_the_same_words_survive_as_in_a_terminal(answers: list[Answer]) -> None:
    for answer in answers:
        assert counted(read(render(answer).blocks)) == expected(answer)


@pytest.mark.parametrize("surface", [name for name in SURFACES if name != "message"])
def test_no_word_is_lost_where_there_are_no_tables(answers: list[Answer], surface: str) -> None:
    """A column's name stands beside each of its cells then; that of the rows' names isn't needed."""
    for answer in answers:
        tables = [block for block in answer.blocks if isinstance(block, Table)]
        lost = expected(answer) - counted(read(SURFACES[surface][0](answer).blocks))
        assert not lost - counted(" ".join(table.columns[0] for table in tables)), answer


def test_a_comparison_is_one_table_that_wraps(answers: list[Answer]) -> None:
    tables = 0
    for answer in answers:
        found = [block for block in render(answer).blocks if block["type"] == "table"]
        assert len(found) == sum(isinstance(block, Table) for block in answer.blocks)
        for table in found:
            assert table["column_settings"] == [{"is_wrapped": True}] * len(table["rows"][0])
            tables += 1
    assert tables


def test_bold_never_touches_chinese(answers: list[Answer]) -> None:
    """Slack shows the asterisks else. Where bold and Chinese do meet, it's rich text, which has none."""
    seen = 0
    for answer in answers:
        for draw, _ in SURFACES.values():
            for text in mrkdwn(draw(answer).blocks):
                assert re.findall(r"(?m)^\*.*\*$", text) == [text.split("\n")[0]]
                assert text.count("*") == 2
                seen += 1
    assert seen


def test_a_public_note_stays_small(answers: list[Answer]) -> None:
    notes = [answer for answer in answers if answer.kind == "explanation" and answer.where == "public"]
    assert notes
    for answer in notes:
        kinds = [block["type"] for block in render(answer).blocks]
        if not any(isinstance(block, Heading) for block in answer.blocks):
            assert kinds == ["rich_text", "actions"]


def test_silence_renders_to_nothing() -> None:
    assert render(silence()) == Rendered("", [])


# -- Limits -------------------------------------------------------------------------------------------------------

SENTENCE: Final = "这一句话正好说明它为什么重要。"
MANY: Final = tuple(Button(f"Term {number}", f"j1:define::{number:07}") for number in range(30))
LONG: dict[str, Answer] = {
    "a long definition": Answer("definition", "zh-Hans", blocks=(Heading("量化"), Paragraph(SENTENCE * 201))),
    "no sentence in it": Answer("definition", "en", blocks=(Paragraph("x" * 7000),)),
    "a long name": Answer("definition", "en", blocks=(Heading("n" * 151, "d" * 3001),)),
    "much to see": Answer("definition", "en", blocks=(Heading("A"),), buttons=(*MANY, Menu("See also", MANY))),
    "more options than a menu takes": Answer("list", "en", buttons=(Menu("All", MANY * 4), Menu("⋯", MANY, "j1:x"))),
    "the same button twice": Answer("list", "en", buttons=(MANY[0], MANY[0], Menu("m", (MANY[0], MANY[0])))),
    "nothing in it": Answer(
        "list",
        "en",
        blocks=(
            *(Heading(""), Heading("", "d"), Paragraph(" \u200b"), Field("", ""), Field("", "v"), Field("n", "")),
            *(Item("", ""), Item("", "s"), Item("", "", MANY[0]), Note("\n"), Table(("", "b"), (("", "d"),))),
        ),
        buttons=(Button("", "j1:help"), Menu("", (Button(" ", "j1:help"),))),
    ),
    "many notes": Answer("list", "en", blocks=tuple(Note(f"note {number}") for number in range(60))),
    "many fields": Answer("list", "en", blocks=tuple(Field(f"f{number}", "&<>" * 400) for number in range(30))),
    "many items": Answer("list", "en", blocks=tuple(Item(f"i{number}", "s", MANY[0]) for number in range(120))),
    "many buttons": Answer("list", "en", blocks=(Heading("A"), Note("b")), buttons=MANY * 50),
    "a wide table": Answer("comparison", "en", blocks=(Table(("c",) * 25, (("d",) * 25,)),)),
    "a high table": Answer("comparison", "en", blocks=(Table(("c", "d"), (("e", "f"),) * 100),)),
    "a full table": Answer("comparison", "en", blocks=(Table(("c", "d"), (("e", "f" * 400),) * 30),)),
    "two tables": Answer("comparison", "en", blocks=(Table(("c", "d"), (("e", "f"),)),) * 2),
    "a table of nothing": Answer(
        "comparison", "en", blocks=(Table((), ()), Table(("a",), ()), Table(("a",), (("b",),)))
    ),
    "a book": Answer("list", "en", blocks=(Heading("A"), Paragraph("One more sentence. " * 3000)), buttons=MANY[:3]),
}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("name", LONG)
def test_no_answer_is_too_much(name: str, surface: str) -> None:
    draw, where = SURFACES[surface]
    blocks = draw(LONG[name]).blocks
    assert faults(blocks, where) == []
    assert where != "message" or size(blocks) <= MOST_TEXT


def test_a_long_text_is_split_at_sentences_and_whole() -> None:
    blocks = render(LONG["a long definition"]).blocks
    parts = [read(block) for block in blocks[1:]]
    assert len(parts) == 2
    assert all(part.endswith("。") for part in parts)
    assert "".join(parts) == SENTENCE * 201


def test_a_long_heading_is_cut_and_said_in_full_below() -> None:
    header, _, whole, *_ = render(LONG["a long name"]).blocks
    assert header["text"]["text"] == "n" * 149 + "…"
    assert read(whole) == "n" * 151


def test_what_no_message_holds_is_cut_at_a_sentence_with_a_sign() -> None:
    *body, sign, actions = render(LONG["a book"]).blocks
    assert read(sign) == "…"
    assert read(body).endswith("One more sentence.")
    assert words([actions]) == "[Term 0] [Term 1] [Term 2]"


def test_buttons_outlast_lines() -> None:
    blocks = render(LONG["many buttons"]).blocks
    assert len(blocks) == 50
    assert len(action_ids(blocks)) == 50 * 25
    many = render(LONG["many items"]).blocks
    assert len(many) == 50
    assert read(many[-1]) == "…"


def test_a_second_table_is_shown_as_fields() -> None:
    kinds = [block["type"] for block in render(LONG["two tables"]).blocks]
    assert kinds == ["table", "section"]


# -- Nothing is done ----------------------------------------------------------------------------------------------

HOSTILE: Final = (
    *("<!channel>", "<!here|here>", "<@U1>", "<#C1>", "<!subteam^S1>", "@here @everyone", "<https://evil.example|x>"),
    *(
        "https://evil.example",
        "&lt;!channel&gt;",
        "*b* _i_ ~s~ `c`",
        "```x",
        ":tada:",
        "> quote",
        "a\nb",
        "训练后*量化*是",
    ),
    *(
        "使用`AWQ`量化",
        "（*SLO*）",
        "*定义：*后续",
        "\u202eevil",
        "\ud800",
        "\x00\x1b[31m",
        "x" * 5000,
        "&" * 3000,
        "字" * 4000,
    ),
)


def acts(blocks: list[dict[str, Any]]) -> list[str]:
    """Whatever in the blocks could ping, link or look like markup."""
    found = [
        str(block) for block in blocks if re.search(r"'type': '(?:user|broadcast|usergroup|channel|emoji)'", str(block))
    ]
    for text in mrkdwn(blocks):
        rest = re.sub(r"<https://ok\.example/[^|<>]*\|[^<>]*>", "", text)
        if re.search(r"[<>`~]|_|:\w+:", rest) or re.sub(r"(?m)^\*(.*)\*$", r"\1", rest).count("*"):
            found.append(text)
    return found + [it["text"] for it in text_objects(blocks) if not _literal(it)]


def _literal(it: dict[str, Any]) -> bool:
    """Whether nothing in a text becomes a link or an emoji by itself."""
    if it["type"] == "mrkdwn":
        return it.get("verbatim") is True
    return it["type"] != "plain_text" or it.get("emoji") is False


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("typed", HOSTILE, ids=lambda typed: ascii(typed)[:20])
def test_nothing_typed_does_anything(typed: str, surface: str) -> None:
    draw, where = SURFACES[surface]
    rendered = draw(everywhere(typed, "https://ok.example/?a=1&b=2"))
    assert faults(rendered.blocks, where) == []
    assert acts(rendered.blocks) == []
    assert set(links(rendered.blocks)) <= {"https://ok.example/?a=1&b=2"}
    assert re.search(r"[<>]|&(?!amp;|lt;|gt;)", rendered.text) is None
    rendered.text.encode()
    str(rendered.blocks).encode()


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "https://a b",
        "http://",
        "ftp://a.example",
        "https://x|y>z",
        "mailto:a@b",
        "https://" + "x" * 3000,
    ],
)
@pytest.mark.parametrize("surface", SURFACES)
def test_only_addresses_of_the_web_become_links(link: str, surface: str) -> None:
    assert links(SURFACES[surface][0](everywhere("SLO", link)).blocks) == []


@given(any_text, st.sampled_from(list(SURFACES)))
@bounds(max_examples=150)
def test_any_text_can_be_shown_and_does_nothing(typed: str, surface: str) -> None:
    draw, where = SURFACES[surface]
    rendered = draw(everywhere(typed, "https://ok.example/"))
    assert faults(rendered.blocks, where) == []
    assert acts(rendered.blocks) == []
    shown = read(rendered.blocks)
    letters = [character for character in typed if character.isalnum()]
    assert all(shown.count(letter) >= 8 for letter in letters)
    rendered.text.encode()
