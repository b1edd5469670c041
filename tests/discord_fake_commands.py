"""Application commands: the form in which they are registered, and what Discord makes of them."""

from __future__ import annotations

from typing import Any, Final

from tests.discord_fake_forms import LOCALES, Form, Refused, check_localized

CHAT, USER, MESSAGE = 1, 2, 3
SUB_COMMANDS: Final = (1, 2)
STRING, INTEGER, BOOLEAN, CHANNEL, NUMBER = 3, 4, 5, 7, 10

NAME: Final = r"[-_'\w]+"
"""https://docs.discord.com/developers/interactions/application-commands#application-command-object-naming"""

_KEYS: Final = (
    *("name", "name_localizations", "description", "description_localizations", "options", "type", "nsfw"),
    *("default_member_permissions", "dm_permission", "default_permission", "integration_types", "contexts"),
)
_OPTION_KEYS: Final = (
    *("type", "name", "name_localizations", "description", "description_localizations", "required", "choices"),
    *("channel_types", "min_value", "max_value", "min_length", "max_length", "autocomplete"),
)


def check_commands(commands: Any) -> None:
    """Of a bulk overwrite."""
    form = Form()
    items = form.items([], commands, 0, 130)
    for index, command in enumerate(items):
        _check_command(form, [index], command)
    form.done()
    for kind, most in ((CHAT, 100), (USER, 15), (MESSAGE, 15)):
        names = [command["name"] for command in items if command.get("type", CHAT) == kind]
        if len(names) > most:
            raise Refused(400, 30032, f"Maximum number of application commands reached ({most})")
        if len(set(names)) < len(names):
            form.fault([], "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
    form.done()


def check_command(command: Any) -> None:
    form = Form()
    _check_command(form, [], command)
    form.done()


def _check_command(form: Form, path: list[str | int], command: Any) -> None:
    if not form.keys(path, command, _KEYS, ("name",)):
        return
    kind = command.get("type", CHAT)
    form.choice([*path, "type"], kind, (CHAT, USER, MESSAGE))
    chat = kind == CHAT
    _check_name(form, path, command, chat=chat)
    if chat:
        _check_description(form, path, command)
        options = form.items([*path, "options"], command.get("options"), 0, 25)
        _check_options(form, [*path, "options"], options)
        if _size(command) > 8000:
            form.fault(path, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")
    elif command.get("description") or command.get("options"):
        form.fault([*path, "description"], "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", "A menu entry has none")
    form.flag([*path, "nsfw"], command.get("nsfw"))
    bits = command.get("default_member_permissions")
    form.text([*path, "default_member_permissions"], None if isinstance(bits, int) else bits, 1, 20, r"\d+")
    for key, allowed in (("contexts", (0, 1, 2)), ("integration_types", (0, 1))):
        values = form.items([*path, key], command.get(key), 0, 3)
        if key in command and command[key] is not None and not values:
            form.fault([*path, key], "BASE_TYPE_BAD_LENGTH", "Must be 1 or more in length.")
        for index, value in enumerate(values):
            form.choice([*path, key, index], value, allowed)
        if len(set(map(str, values))) < len(values):
            form.fault([*path, key], "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")


def _check_name(form: Form, path: list[str | int], thing: dict[str, Any], *, chat: bool) -> None:
    """Lower case, where the letters have one; a menu entry may have spaces and capitals."""
    form.text([*path, "name"], thing.get("name"), 1, 32, NAME if chat else "")
    check_localized([*path, "name_localizations"], thing.get("name_localizations"), form, 32, NAME if chat else "")
    if not chat:
        return
    names = {"name": thing.get("name")} | {
        f"name_localizations/{locale}": name for locale, name in (thing.get("name_localizations") or {}).items()
    }
    for where, name in names.items():
        if isinstance(name, str) and name != name.lower():
            form.fault([*path, *where.split("/")], "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_description(form: Form, path: list[str | int], thing: dict[str, Any]) -> None:
    if not thing.get("description"):
        form.fault([*path, "description"], "BASE_TYPE_REQUIRED", "This field is required")
    form.text([*path, "description"], thing.get("description"), 1, 100)
    check_localized([*path, "description_localizations"], thing.get("description_localizations"), form, 100)


def _check_options(form: Form, path: list[str | int], options: list[Any]) -> None:
    optional_seen = False
    names = [option.get("name") for option in options if isinstance(option, dict)]
    if len(set(map(str, names))) < len(names):
        form.fault(path, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
    for index, option in enumerate(options):
        here: list[str | int] = [*path, index]
        if not form.keys(here, option, _OPTION_KEYS, ("type", "name", "description")):
            continue
        kind = option.get("type")
        if kind in SUB_COMMANDS:
            raise Refused(501, 0, "The fake takes no subcommands")
        form.choice([*here, "type"], kind, range(3, 12))
        _check_name(form, here, option, chat=True)
        _check_description(form, here, option)
        form.flag([*here, "required"], option.get("required"))
        form.flag([*here, "autocomplete"], option.get("autocomplete"))
        if option.get("required") and optional_seen:
            message = "Required options must be placed before non-required options"
            form.fault(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional_seen = optional_seen or not option.get("required")
        _check_choices(form, here, option)
        for key, kinds in _ONLY_OF.items():
            if option.get(key) is not None and kind not in kinds:
                form.fault([*here, key], "APPLICATION_COMMAND_OPTION_KEY", f"{key} isn't for options of type {kind}")
        if kind == STRING:
            form.number([*here, "min_length"], option.get("min_length"), 0, 6000)
            form.number([*here, "max_length"], option.get("max_length"), 1, 6000)


_ONLY_OF: Final = {
    **{"min_length": (STRING,), "max_length": (STRING,), "channel_types": (CHANNEL,)},
    **{"min_value": (INTEGER, NUMBER), "max_value": (INTEGER, NUMBER), "choices": (STRING, INTEGER, NUMBER)},
    "autocomplete": (STRING, INTEGER, NUMBER),
}


def _check_choices(form: Form, path: list[str | int], option: dict[str, Any]) -> None:
    choices = form.items([*path, "choices"], option.get("choices"), 0, 25)
    if choices and option.get("autocomplete"):
        form.fault([*path, "autocomplete"], "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", "Not together with choices")
    for index, choice in enumerate(choices):
        here: list[str | int] = [*path, "choices", index]
        if form.keys(here, choice, ("name", "name_localizations", "value"), ("name", "value")):
            form.text([*here, "name"], choice.get("name"), 1, 100)
            check_localized([*here, "name_localizations"], choice.get("name_localizations"), form, 100)
            if option.get("type") == STRING:
                form.text([*here, "value"], choice.get("value"), 1, 100)
    for key in ("name", "value"):
        values = [str(choice.get(key)) for choice in choices if isinstance(choice, dict)]
        if len(set(values)) < len(values):
            code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS"
            form.fault([*path, "choices"], code, f"Choice {key} already exists")


def _size(thing: dict[str, Any]) -> int:
    """Characters of name, description and value, of each the longest localisation."""
    own = sum(
        max((len(t) for t in (thing.get(key) or "", *(thing.get(f"{key}_localizations") or {}).values())), default=0)
        for key in ("name", "description")
    )
    own += len(thing["value"]) if isinstance(thing.get("value"), str) else 0
    return own + sum(_size(child) for key in ("options", "choices") for child in thing.get(key) or ())


# -- What Discord makes of them -----------------------------------------------------------------------------------


def registered(command: dict[str, Any], id_: int, version: int, application: int) -> dict[str, Any]:
    """As GET gives it back with its localisations: with defaults, without what says nothing."""
    chat = command.get("type", CHAT) == CHAT
    bits = command.get("default_member_permissions")
    kept = {
        **{"id": str(id_), "application_id": str(application), "version": str(version)},
        **{"type": command.get("type", CHAT), "name": command["name"], "nsfw": bool(command.get("nsfw"))},
        **{"description": command["description"] if chat else "", "dm_permission": True},
        "default_member_permissions": None if bits is None else str(bits),
        "contexts": sorted(command["contexts"]) if command.get("contexts") else None,
        "integration_types": sorted(command.get("integration_types") or [0]),
        **{key: command.get(key) or None for key in ("name_localizations", "description_localizations")},
    }
    if command.get("options"):
        kept["options"] = [_kept(option) for option in command["options"]]
    return kept


def _kept(thing: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in thing.items() if value not in (None, False, [], {})}
    if "value" in thing:
        kept["value"] = thing["value"]
    if "choices" in kept:
        kept["choices"] = [_kept(choice) for choice in kept["choices"]]
    return kept


def without_localizations(thing: dict[str, Any]) -> dict[str, Any]:
    """As GET gives it back unless asked `with_localizations=true`."""
    bare = {key: value for key, value in thing.items() if not key.endswith("_localizations")}
    for key in ("options", "choices"):
        if key in bare:
            bare[key] = [without_localizations(child) for child in bare[key]]
    return bare


def localized(thing: dict[str, Any], key: str, locale: str) -> str:
    """What a person sees: their language's text, else the default."""
    assert locale in LOCALES, locale
    return str((thing.get(f"{key}_localizations") or {}).get(locale, thing.get(key, "")))
