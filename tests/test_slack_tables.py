"""A comparison's rows as a table, and as fields."""

from __future__ import annotations

from adapters.slack.tables import as_fields, fits, native
from bot.answer import Table
from tests.slack_fake_blocks import faults, words

TABLE = Table(("Aspect", "SLO", "SLA"), (("Audience", "your own team", "customers"), ("例子", "P99 < 1 s", "*99%*")))


def test_a_table_wraps_and_names_its_columns_and_rows_in_bold() -> None:
    block = native(TABLE)
    assert faults([block]) == []
    assert words([block]).splitlines() == [
        "Aspect | SLO | SLA",
        "Audience | your own team | customers",
        "例子 | P99 < 1 s | *99%*",
    ]
    assert block["column_settings"] == [{"is_wrapped": True}] * 3
    bold = [[cell["type"] == "rich_text" for cell in row] for row in block["rows"]]
    assert bold == [[True, True, True], [True, False, False], [True, False, False]]


def test_fields_say_the_same() -> None:
    blocks = as_fields(TABLE)
    assert faults(blocks, "modal") == []
    assert words(blocks).splitlines() == [
        *("*Audience*", "*SLO*", "your own team", "*SLA*", "customers"),
        *("*例子*", "*SLO*", "P99 &lt; 1 s", "SLA", "*99%*"),
    ]


def test_many_columns_go_on_in_the_next_section() -> None:
    blocks = as_fields(
        Table(tuple(f"c{number}" for number in range(26)), (tuple(f"d{number}" for number in range(26)),))
    )
    assert faults(blocks, "modal") == []
    assert [len(block["fields"]) for block in blocks] == [10, 10, 5]


def test_a_row_may_have_a_name_only() -> None:
    assert words(as_fields(Table(("Aspect",), (("Audience",),)))) == "*Audience*"


def test_a_long_cell_is_split() -> None:
    blocks = as_fields(Table(("Aspect", "SLO"), (("Audience", "x" * 4000),)))
    assert faults(blocks, "modal") == []
    assert words(blocks).count("x") == 4000


def test_what_slack_takes_as_a_table() -> None:
    row = ("a",) * 20
    assert fits(Table(row, (row,) * 99))
    assert not fits(Table(row, (row,) * 100))
    assert not fits(Table((*row, "b"), ()))
    assert fits(Table(("a",), (("b" * 9_999,),)))
    assert not fits(Table(("a",), (("b" * 10_000,),)))
