"""The environment and .env, read once; a wrong setting is named, and its value, which may be a secret, never is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.errors import SettingsError
from bot.settings import Settings, read_settings

NAMES = tuple(name.upper() for name in Settings.model_fields)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one to read .env from, and none of the machine's own settings."""
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_nothing_has_to_be_set() -> None:
    settings = read_settings()
    assert (settings.database_url, settings.keep_misses, settings.jargonaut_data) == ("", True, ())
    assert settings.log_level == ""


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("KEEP_MISSES", "0", False),
        ("KEEP_MISSES", "1", True),
        ("KEEP_MISSES", "false", False),
        ("DATABASE_URL", "sqlite:///a b.sqlite", "sqlite:///a b.sqlite"),
        ("JARGONAUT_DATA", '["/srv/one", "two"]', (Path("/srv/one"), Path("two"))),
        ("JARGONAUT_DATA", "[]", ()),
        ("LOG_LEVEL", "debug", "DEBUG"),
        ("log_level", "Error", "ERROR"),
    ],
)
def test_a_variable_counts(name: str, value: str, meant: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(read_settings(), name.lower()) == meant


def test_the_file_counts_and_the_environment_wins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "LOG_LEVEL=info\nKEEP_MISSES=0\nSOMETHING_ELSE=x\n# 注释\n"
    (folder / ".env").write_text(text, encoding="utf-8")
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    assert (read_settings().log_level, read_settings().keep_misses) == ("ERROR", False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_LEVEL", "s3cret"),
        ("KEEP_MISSES", "s3cret"),
        ("KEEP_MISSES", ""),
        ("JARGONAUT_DATA", "/srv/s3cret"),
        ("JARGONAUT_DATA", '{"s3cret": 1}'),
        ("JARGONAUT_DATA", '["s3cret", 1]'),
        ("JARGONAUT_DATA", "s3cret]"),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert name in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_all_wrong_settings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "loud")
    monkeypatch.setenv("KEEP_MISSES", "perhaps")
    with pytest.raises(SettingsError, match=r"KEEP_MISSES: .*LOG_LEVEL: use DEBUG, INFO, WARNING or ERROR"):
        read_settings()


@pytest.mark.parametrize("content", [b"LOG_LEVEL=\xff\xfe", "KEEP_MISSES=1 # 中文".encode("gbk")], ids=["bytes", "gbk"])
def test_a_file_that_is_no_text_is_named(content: bytes, folder: Path) -> None:
    (folder / ".env").write_bytes(content)
    with pytest.raises(SettingsError, match=r"\.env"):
        read_settings()


def test_settings_do_not_change(folder: Path) -> None:
    settings = read_settings()
    (folder / ".env").write_text("LOG_LEVEL=INFO\n", encoding="utf-8")
    assert settings.log_level == ""
    with pytest.raises(ValidationError):
        settings.log_level = "INFO"
