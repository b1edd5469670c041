"""Messages and choices as Discord takes them from an app."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from tests.discord_fake_components import check_components
from tests.discord_fake_forms import Form, Refused, check_localized

MESSAGE_KEYS: Final = (
    *("content", "nonce", "tts", "embeds", "allowed_mentions", "message_reference", "components", "sticker_ids"),
    *("attachments", "flags", "enforce_nonce", "poll"),
)
EDIT_KEYS: Final = ("content", "embeds", "flags", "allowed_mentions", "components", "attachments", "tts")
"""`tts` means nothing there, but discord.py sends it with every edit."""
REPLY_KEYS: Final = ("tts", "content", "embeds", "allowed_mentions", "flags", "components", "attachments", "poll")
WEBHOOK_KEYS: Final = (*REPLY_KEYS, "thread_name", "applied_tags")

# The bits that an app may set, by what it sends.
POST_FLAGS: Final = 1 << 2 | 1 << 12 | 1 << 15
REPLY_FLAGS: Final = POST_FLAGS | 1 << 6
EDIT_FLAGS: Final = 1 << 2 | 1 << 15


def check_message(body: Any, keys: Collection[str], flags: int, *, old_flags: int = 0, edit: bool = False) -> None:
    """Refused, if Discord wouldn't take it. `old_flags`: of the message that is edited, or of its deferral."""
    form = Form()
    if not form.keys([], body, keys):
        form.done()
    form.text(["content"], body.get("content"), 0, 2000)
    form.flag(["tts"], body.get("tts"))
    form.flag(["enforce_nonce"], body.get("enforce_nonce"))
    form.number(["flags"], body.get("flags"), 0, 1 << 31)
    if not isinstance(body.get("nonce"), int):
        form.text(["nonce"], body.get("nonce"), 1, 25)
    if isinstance(body.get("flags"), int) and body["flags"] & ~flags:
        form.fault(["flags"], "INVALID_FLAGS", f"These bits can't be set: {body['flags'] & ~flags}")
    _check_allowed_mentions(form, body.get("allowed_mentions"))
    if (reference := body.get("message_reference")) is not None:
        allowed = ("type", "message_id", "channel_id", "guild_id", "fail_if_not_exists")
        form.keys(["message_reference"], reference, allowed, ("message_id",))
    form.done()
    v2 = bool((body.get("flags") or 0) & 1 << 15 or old_flags & 1 << 15)
    if v2:
        for key in ("content", "embeds", "poll", "sticker_ids"):
            if body.get(key):
                message = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                form.fault([key], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message)
    for key in ("embeds", "poll", "sticker_ids", "attachments"):
        if body.get(key) and not v2:
            raise Refused(501, 0, f"The fake takes no {key}")
    form.done()
    check_components(body.get("components"), v2=v2)
    if v2 and not body.get("components") and not (edit and "components" not in body):
        raise Refused(400, 50006, "Cannot send an empty message")
    if not edit and not v2 and not (body.get("content") or "").strip() and not body.get("components"):
        raise Refused(400, 50006, "Cannot send an empty message")


def _check_allowed_mentions(form: Form, value: Any) -> None:
    if value is None or not form.keys(["allowed_mentions"], value, ("parse", "roles", "users", "replied_user")):
        return
    for index, kind in enumerate(form.items(["allowed_mentions", "parse"], value.get("parse"), 0, 3)):
        form.choice(["allowed_mentions", "parse", index], kind, ("roles", "users", "everyone"))
    for kind in ("roles", "users"):
        named = form.items(["allowed_mentions", kind], value.get(kind), 0, 100)
        if named and kind in (value.get("parse") or ()):
            form.fault(["allowed_mentions"], "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", f"parse:{kind} and {kind}")
    form.flag(["allowed_mentions", "replied_user"], value.get("replied_user"))


def check_choices(choices: Any) -> None:
    """What autocomplete answers."""
    form = Form()
    for index, choice in enumerate(form.items(["data", "choices"], choices, 0, 25)):
        path: list[str | int] = ["data", "choices", index]
        if form.keys(path, choice, ("name", "name_localizations", "value"), ("name", "value")):
            form.text([*path, "name"], choice.get("name"), 1, 100)
            if isinstance(choice.get("value"), str):
                form.text([*path, "value"], choice["value"], 1, 100)
            check_localized([*path, "name_localizations"], choice.get("name_localizations"), form, 100)
    form.done()
