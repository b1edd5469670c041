"""Tokens in the database: encrypted with TOKEN_KEY, where it is set.

A row that was written before the key was set stays readable, and becomes encrypted when its token is next written.
"""

from __future__ import annotations

import re
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from sqlalchemy import Dialect, Text, TypeDecorator

from bot.errors import SettingsError

MARK: Final = "fernet:"
"""Before what is encrypted. No token of Slack's begins like this: they begin with xox."""

_KEY: Final = re.compile(r"[A-Za-z0-9_-]{43}=")

_ADVICE: Final = 'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())" makes one'


def read_keys(text: str) -> MultiFernet | None:
    """What TOKEN_KEY says: keys separated by commas. The first encrypts, each decrypts; None: it's empty.

    Raises `SettingsError`, which doesn't repeat any of it.
    """
    keys = [key.strip() for key in text.split(",") if key.strip()]
    if not all(map(_KEY.fullmatch, keys)):  # Fernet itself takes two keys with a space between them for the first
        raise SettingsError(f"TOKEN_KEY: must be one Fernet key, or several separated by commas; {_ADVICE}")
    return MultiFernet([Fernet(key) for key in keys]) if keys else None


class Secret(TypeDecorator[str]):
    """A column whose values are encrypted on their way in, and decrypted on their way out.

    Reading raises `SettingsError` if the key for a value isn't there.
    """

    impl = Text
    cache_ok = True

    def __init__(self, keys: MultiFernet | None) -> None:
        super().__init__()
        self.keys = keys

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or self.keys is None:
            return value
        return MARK + self.keys.encrypt(value.encode()).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or not value.startswith(MARK):
            return value
        if self.keys is None:
            raise SettingsError("TOKEN_KEY: isn't set, but Slack's tokens in the database are encrypted with one")
        try:
            return self.keys.decrypt(value.removeprefix(MARK)).decode()
        except InvalidToken:
            raise SettingsError(
                "TOKEN_KEY: Slack's tokens in the database are encrypted with another key; keep old keys behind the "
                "new one, separated by commas"
            ) from None
