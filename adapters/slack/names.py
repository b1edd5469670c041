"""Names that Slack hands back: what the manifest registers and views carry, and the handlers listen for."""

from __future__ import annotations

from typing import Final

PRESS: Final = "jn:"
"""Begins the action id of everything whose value is a request: each button and menu of an answer."""

MESSAGE_SHORTCUT: Final = "explain_jargon"
"""Callback id of "Explain jargon", in a message's menu."""

GLOBAL_SHORTCUT: Final = "define"
"""Callback id of "Define…", in the shortcuts menu and behind "Search…"."""

SEARCH: Final = "search"
"""Action id of the menu that is searched as one types."""

EVENTS_PATH: Final = "/slack/events"
"""Where Slack's requests arrive in HTTP mode."""

INSTALL_PATH: Final = "/slack/install"
REDIRECT_PATH: Final = "/slack/oauth_redirect"
"""Where workspaces install the app, and where Slack sends their browsers back to."""

REMOVALS: Final = ("app_uninstalled", "tokens_revoked")
"""Events that say that the app was taken out."""
