"""Components as Discord takes them (v1 rows; v2 with IS_COMPONENTS_V2), and as people see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.discord_fake_forms import Form

ROW, BUTTON, SELECT, SECTION, TEXT, THUMBNAIL, SEPARATOR, CONTAINER = 1, 2, 3, 9, 10, 11, 14, 17
LINK: Final = 5
MAX_COMPONENTS: Final = 40
MAX_TEXT: Final = 4000

_KEYS: Final[dict[int, tuple[str, ...]]] = {
    ROW: ("components",),
    BUTTON: ("style", "label", "emoji", "custom_id", "url", "disabled"),
    SELECT: ("custom_id", "options", "placeholder", "min_values", "max_values", "disabled", "required"),
    SECTION: ("components", "accessory"),
    TEXT: ("content",),
    SEPARATOR: ("divider", "spacing"),
    CONTAINER: ("components", "accent_color", "spoiler"),
}
_NEEDED: Final[dict[int, tuple[str, ...]]] = {
    ROW: ("components",),
    BUTTON: ("style",),
    SELECT: ("custom_id", "options"),
    SECTION: ("components", "accessory"),
    TEXT: ("content",),
    CONTAINER: ("components",),
}
_TOP: Final = (ROW, SECTION, TEXT, SEPARATOR, CONTAINER)
_IN_CONTAINER: Final = (ROW, SECTION, TEXT, SEPARATOR)


def check_components(components: Any, *, v2: bool) -> None:
    """Refused, if Discord wouldn't take them."""
    form = Form()
    path: list[str | int] = ["components"]
    for index, component in enumerate(form.items(path, components, 0, MAX_COMPONENTS if v2 else 5)):
        _check(form, [*path, index], component, _TOP if v2 else (ROW,))
    form.done()
    everything = list(walk(components or []))
    if len(everything) > MAX_COMPONENTS:
        form.fault(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", f"{len(everything)} of {MAX_COMPONENTS}")
    text = sum(len(c["content"]) for c in everything if c["type"] == TEXT)
    if text > MAX_TEXT:
        form.fault(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", f"{text} of {MAX_TEXT} characters")
    for name in ("custom_id", "id"):
        values = [c[name] for c in everything if c.get(name)]
        for value in sorted({v for v in values if values.count(v) > 1}, key=str):
            form.fault(path, f"COMPONENT_{name.upper()}_DUPLICATED", f"Component {name} cannot be duplicated: {value}")
    form.done()


def _check(form: Form, path: list[str | int], component: Any, allowed: tuple[int, ...]) -> None:
    kind = component.get("type") if isinstance(component, dict) else None
    if kind not in allowed:
        form.fault([*path, "type"], "BASE_TYPE_CHOICES", f"Value must be one of {allowed}, not {kind!r}.")
        return
    form.keys(path, component, ("type", "id", *_KEYS[kind]), _NEEDED.get(kind, ()))
    form.number([*path, "id"], component.get("id"), 0, 1 << 31)
    form.flag([*path, "disabled"], component.get("disabled"))
    if kind == ROW:
        _check_row(form, path, component)
    elif kind == BUTTON:
        _check_button(form, path, component)
    elif kind == SELECT:
        _check_select(form, path, component)
    elif kind == SECTION:
        for index, text in enumerate(form.items([*path, "components"], component.get("components"), 1, 3)):
            _check(form, [*path, "components", index], text, (TEXT,))
        _check(form, [*path, "accessory"], component.get("accessory"), (BUTTON,))
    elif kind == TEXT:
        form.text([*path, "content"], component.get("content"), 1, MAX_TEXT)
    elif kind == SEPARATOR:
        form.flag([*path, "divider"], component.get("divider"))
        form.choice([*path, "spacing"], component.get("spacing"), (1, 2))
    else:
        form.number([*path, "accent_color"], component.get("accent_color"), 0, 0xFFFFFF)
        form.flag([*path, "spoiler"], component.get("spoiler"))
        for index, child in enumerate(form.items([*path, "components"], component.get("components"), 1, 40)):
            _check(form, [*path, "components", index], child, _IN_CONTAINER)


def _check_row(form: Form, path: list[str | int], row: dict[str, Any]) -> None:
    children = form.items([*path, "components"], row.get("components"), 1, 5)
    selects = [c for c in children if isinstance(c, dict) and c.get("type") == SELECT]
    if selects and len(children) > 1:
        form.fault([*path, "components"], "BASE_TYPE_BAD_LENGTH", "A select menu takes a whole row.")
    for index, child in enumerate(children):
        _check(form, [*path, "components", index], child, (BUTTON, SELECT))


def _check_button(form: Form, path: list[str | int], button: dict[str, Any]) -> None:
    form.choice([*path, "style"], button.get("style"), (1, 2, 3, 4, LINK))
    form.text([*path, "label"], button.get("label"), 1, 80)
    if not button.get("label") and not button.get("emoji"):
        form.fault([*path, "label"], "BUTTON_COMPONENT_EMPTY", "A button must have a label or an emoji.")
    if emoji := button.get("emoji"):
        form.keys([*path, "emoji"], emoji, ("id", "name", "animated"))
    if button.get("style") == LINK:
        form.text([*path, "url"], button.get("url"), 1, 512, r"(?:https?|discord)://\S+")
        if not button.get("url"):
            form.fault([*path, "url"], "BASE_TYPE_REQUIRED", "A link button must have a url.")
        if button.get("custom_id"):
            form.fault([*path, "custom_id"], "BUTTON_COMPONENT_LINK_CUSTOM_ID", "A link button has no custom id.")
        return
    form.text([*path, "custom_id"], button.get("custom_id"), 1, 100)
    if not button.get("custom_id"):
        form.fault([*path, "custom_id"], "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")
    if button.get("url"):
        form.fault([*path, "url"], "BUTTON_COMPONENT_URL", "Only a link button has a url.")


def _check_select(form: Form, path: list[str | int], select: dict[str, Any]) -> None:
    form.text([*path, "custom_id"], select.get("custom_id"), 1, 100)
    form.text([*path, "placeholder"], select.get("placeholder"), 0, 150)
    options = form.items([*path, "options"], select.get("options"), 1, 25)
    low, high = select.get("min_values"), select.get("max_values")
    form.number([*path, "min_values"], low, 0, 25)
    form.number([*path, "max_values"], high, 1, max(1, len(options)))
    for index, option in enumerate(options):
        here: list[str | int] = [*path, "options", index]
        if form.keys(here, option, ("label", "value", "description", "emoji", "default"), ("label", "value")):
            form.text([*here, "label"], option.get("label"), 1, 100)
            form.text([*here, "value"], option.get("value"), 1, 100)
            form.text([*here, "description"], option.get("description"), 1, 100)
            form.flag([*here, "default"], option.get("default"))
    values = [option.get("value") for option in options if isinstance(option, dict)]
    if len(set(map(str, values))) < len(values):
        form.fault([*path, "options"], "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The option values must be unique")


# -- What was stored ----------------------------------------------------------------------------------------------


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component, also nested ones, in the order of reading."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if component.get("accessory"):
            yield from walk([component["accessory"]])


def stored(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As Discord gives them back: each with an id, and no empty keys."""
    taken = {c["id"] for c in walk(components) if c.get("id")}
    fresh = (number for number in range(1, 1000) if number not in taken)

    def keep(component: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in component.items() if value is not None}
        kept["id"] = component.get("id") or next(fresh)
        if "components" in kept:
            kept["components"] = [keep(child) for child in kept["components"]]
        if "accessory" in kept:
            kept["accessory"] = keep(kept["accessory"])
        return kept

    return [keep(component) for component in components]


def texts(components: list[dict[str, Any]]) -> str:
    return "\n".join(c["content"] for c in walk(components) if c["type"] == TEXT)


def seen(components: list[dict[str, Any]]) -> list[str]:
    """Lines as a person sees them: `[Button]`, `▾ menu: option / option`, `---` for a line across."""
    lines: list[str] = []
    for component in components:
        kind = component["type"]
        if kind == TEXT:
            lines += component["content"].split("\n")
        elif kind == ROW:
            lines.append(" ".join(_control(child) for child in component["components"]))
        elif kind == SECTION:
            inside = seen(component["components"])
            lines += [*inside[:-1], f"{inside[-1]}   {_control(component['accessory'])}"]
        elif kind == SEPARATOR:
            lines.append("---" if component.get("divider", True) else "")
        elif kind == CONTAINER:
            lines += seen(component["components"])
    return lines


def _control(component: dict[str, Any]) -> str:
    if component["type"] == SELECT:
        options = " / ".join(option["label"] for option in component["options"])
        return f"[{component.get('placeholder', '')} ▾ {options}]"
    emoji = (component.get("emoji") or {}).get("name", "")
    label = " ".join(part for part in (emoji, component.get("label", "")) if part)
    return f"[{label}]" if not component.get("disabled") else f"[{label} (off)]"
