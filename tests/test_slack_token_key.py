"""TOKEN_KEY, and what it does to a column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import sqlite

from adapters.slack.token_key import MARK, Secret, read_keys
from bot.errors import SettingsError
from tests.slack_installed import KEY as OLD
from tests.slack_installed import OTHER_KEY as NEW

DIALECT = sqlite.dialect()  # type: ignore[no-untyped-call]


def write(value: str | None, keys: str) -> str | None:
    return Secret(read_keys(keys)).process_bind_param(value, DIALECT)


def read(value: str | None, keys: str) -> str | None:
    return Secret(read_keys(keys)).process_result_value(value, DIALECT)


@given(st.text())
def test_what_is_written_can_be_read(token: str) -> None:
    stored = write(token, OLD)
    assert stored is not None
    assert stored.startswith(MARK)
    assert read(stored, OLD) == token
    assert token == "" or token not in stored or len(token) < 8


@pytest.mark.parametrize("keys", ["", OLD])
def test_nothing_stays_nothing(keys: str) -> None:
    assert write(None, keys) is None
    assert read(None, keys) is None


def test_without_a_key_tokens_stay_as_they_are() -> None:
    assert write("xoxb-1", "") == "xoxb-1"
    assert read_keys("") is None
    assert read_keys(" , ") is None


def test_what_was_written_before_the_key_was_set_can_be_read() -> None:
    assert read(write("xoxb-1", ""), NEW) == "xoxb-1"


def test_the_first_key_encrypts_and_each_one_decrypts() -> None:
    assert read(write("xoxb-1", OLD), f"{NEW},{OLD}") == "xoxb-1"
    assert read(write("xoxb-1", f"{NEW}, {OLD}"), NEW) == "xoxb-1"


def test_the_same_token_looks_different_each_time() -> None:
    assert write("xoxb-1", OLD) != write("xoxb-1", OLD)


@pytest.mark.parametrize(("keys", "says"), [(NEW, "another key"), ("", "isn't set")])
def test_a_key_that_does_not_fit_is_named_and_nothing_repeated(keys: str, says: str) -> None:
    stored = write("xoxb-1", OLD)
    with pytest.raises(SettingsError, match=f"TOKEN_KEY: .*{says}") as caught:
        read(stored, keys)
    assert str(stored) not in str(caught.value)


@pytest.mark.parametrize("keys", ["hunter2", f"{OLD},hunter2", "数" * 44, OLD[:-2], f"{OLD} {NEW}"])
def test_what_is_no_key_is_refused_with_the_way_to_make_one(keys: str) -> None:
    with pytest.raises(SettingsError, match=r"TOKEN_KEY: .*generate_key") as caught:
        read_keys(keys)
    for part in ("hunter2", OLD[:10]):
        assert part not in str(caught.value)


def test_what_the_newest_key_encrypted_is_told_from_the_rest() -> None:
    keys = read_keys(f"{NEW},{OLD}")
    assert keys is not None
    assert keys.several
    cases = {write("xoxb-1", NEW): True, write("xoxb-1", OLD): False, "xoxb-1": False, "": False}
    assert {stored: keys.is_newest(str(stored)) for stored in cases} == cases
