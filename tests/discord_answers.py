"""Every kind of answer that people on Discord can get, and what holds for each message that shows one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters.discord.layout import view_of
from bot.answer import Answer, Shown
from bot.commands.explain import explain_messages
from bot.commands.notes import worded
from bot.commands.situation import Reply
from bot.glossary.concept import LANGUAGES, code
from bot.request import Message, Press, encode
from bot.state.ports import Channel, Profile
from bot.wording import Voice
from tests.desks import ANA, CHANNEL, Desk, buttons
from tests.discord_fake_components import check_components, seen, walk
from tests.stores import NOW
from tests.test_every_answer import SEEN, TYPED

SHOWN: tuple[Shown, ...] = (*LANGUAGES, "both")


def message_of(answer: Answer) -> list[dict[str, Any]]:
    """The components of the message, as they're sent. AssertionError, Refused: Discord wouldn't take them."""
    components = view_of(answer).to_components()
    check_components(components, v2=True)
    assert components, "an empty message"
    assert sum(len(text.encode("utf-16-le")) // 2 for text in contents(components)) <= 4000
    return components


def contents(components: list[dict[str, Any]]) -> list[str]:
    return [component["content"] for component in walk(components) if component["type"] == 10]


def picture(answer: Answer) -> str:
    """What people see, roughly."""
    return "\n".join(seen(message_of(answer)))


def definitions(desk: Desk) -> Iterator[Answer]:
    for concept in desk.glossary.concepts:
        for reply in _both_ways(desk, Press("define", (code(concept),))):
            yield reply.answer


def comparisons(desk: Desk) -> Iterator[Answer]:
    """All that somebody wrote; those with a side that is no concept are asked for by their one concept."""
    for entry in desk.glossary.comparisons.values():
        for reply in _both_ways(desk, Press("vs", tuple(map(code, entry.concepts())))):
            yield reply.answer


def pages(desk: Desk) -> Iterator[tuple[str, Answer]]:
    """Lists, help, settings, choices, faults, digests, notes; and what their buttons lead to. Each answer once."""
    knowing = Profile(desk.profile.language, muted=True, known=frozenset(desk.glossary.concepts))
    public = desk.at(whispers=False, deletable=True)
    asked = [(name, desk.slash(*typed).answer) for name, typed in TYPED.items()]
    asked += [(f"{name}, for all", public.bang(*typed).answer) for name, typed in TYPED.items()]
    asked += [
        (f"{name}, of an expert", desk.at(profile=knowing).slash("jargonaut", name).answer) for name in ("", "known")
    ]
    asked += [("a digest", digest(desk)), ("a welcome", desk.slash("welcome").answer), *notes(desk)]
    seen: set[Answer] = set()
    for name, answer in asked:
        yield name, answer
        for button in buttons(answer):
            led_to = desk.press(button, public=answer.where == "public").answer
            if led_to not in seen:
                seen.add(led_to)
                yield f"{name}: {button.label}", led_to


def digest(desk: Desk) -> Answer:
    """Of a thread, with links."""
    link = "https://discord.com/channels/1234567890123456789/1234567890123456789/1234567890123456789"
    texts = (
        "TTFT got worse",
        "since continuous batching and speculative decoding",
        "so the SLO is gone",
        "量化 and LoRA",
    )
    said = [Message(f"m{n}", CHANNEL, ANA, text, NOW, link=link) for n, text in enumerate(texts)]
    request = desk.request("explain", last=50)
    return explain_messages(desk.situation(request), said, of="50", total=2140).answer


def notes(desk: Desk) -> Iterator[tuple[str, Answer]]:
    shown = desk.profile.language or "en"
    chrome = "en" if shown == "both" else shown
    for concepts in (("ttft",), ("ttft", "kv-cache"), ("ttft", "kv-cache", "continuous-batching")):
        voice = Voice(desk.glossary, desk.phrases, shown, chrome)
        yield f"a note on {len(concepts)}", worded(concepts, voice)


def at(desk: Desk, shown: Shown) -> Desk:
    """Somebody who reads this language, in a channel that has it, and may do everything."""
    names = {str(number): f"channel-{number}" for number in range(30)}
    listed = tuple((channel, Channel("all", shown)) for channel in names)
    there = desk.at(
        profile=Profile(shown, known=frozenset({"slo", "fp16"})),
        name="Ana",
        may_set=True,
        may_remove=True,
        now=NOW,
        **SEEN,
    )
    return there.at(channel=Channel("threads", shown), channel_names=names, listed=listed)


def _both_ways(desk: Desk, press: Press) -> Iterator[Reply]:
    """As somebody's own answer, and shared with all."""
    for action in (press.action, "share-vs" if press.action == "vs" else "share"):
        both = desk.profile.language == "both"
        language = "en" if both else desk.profile.language
        asked = Press(action, press.codes, language=language, both=both)  # type: ignore[arg-type]
        yield desk.press(encode(asked))
