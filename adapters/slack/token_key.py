"""Tokens in the database: encrypted with TOKEN_KEY, where it is set.

What was written before the key was set, or with an older key, stays readable, until `Installations.encrypt_again`
writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from sqlalchemy import Dialect, Text, TypeDecorator

from bot.errors import SettingsError

MARK: Final = "fernet:"
"""Before what is encrypted. No token of Slack's begins like this: they begin with xox."""

_KEY: Final = re.compile(r"[A-Za-z0-9_-]{43}=")

_ADVICE: Final = 'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())" makes one'


class Keys:
    """What TOKEN_KEY holds, the newest first."""

    def __init__(self, keys: Sequence[str]) -> None:
        """At least one, each a Fernet key."""
        fernets = [Fernet(key) for key in keys]
        self._newest = fernets[0]
        self._all = MultiFernet(fernets)
        self.several = len(fernets) > 1

    def encrypt(self, value: str) -> str:
        """With the newest key."""
        return MARK + self._newest.encrypt(value.encode()).decode()

    def decrypt(self, stored: str) -> str:
        """With whichever key it was encrypted. Raises `SettingsError` if that isn't here."""
        try:
            return self._all.decrypt(stored.removeprefix(MARK)).decode()
        except InvalidToken:
            raise SettingsError(
                "TOKEN_KEY: Slack's tokens in the database are encrypted with another key; put that one behind the "
                "new one, separated by a comma"
            ) from None

    def is_newest(self, stored: str) -> bool:
        """Whether it's encrypted, and with the newest key."""
        try:
            self._newest.decrypt(stored.removeprefix(MARK))
        except InvalidToken:
            return False
        return stored.startswith(MARK)


def read_keys(text: str) -> Keys | None:
    """What TOKEN_KEY says: keys separated by commas; None: it's empty.

    Raises `SettingsError`, which doesn't repeat any of it.
    """
    keys = [key.strip() for key in text.split(",") if key.strip()]
    if not all(map(_KEY.fullmatch, keys)):  # Fernet itself takes two keys with a space between them for the first
        raise SettingsError(f"TOKEN_KEY: must be one Fernet key, or several separated by commas; {_ADVICE}")
    return Keys(keys) if keys else None


class Secret(TypeDecorator[str]):
    """A column whose values are encrypted on their way in, and decrypted on their way out.

    Reading raises `SettingsError` if the key for a value isn't there.
    """

    impl = Text
    cache_ok = True

    def __init__(self, keys: Keys | None) -> None:
        super().__init__()
        self.keys = keys

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value if value is None or self.keys is None else self.keys.encrypt(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or not value.startswith(MARK):
            return value
        if self.keys is None:
            raise SettingsError("TOKEN_KEY: isn't set, but Slack's tokens in the database are encrypted with one")
        return self.keys.decrypt(value)
