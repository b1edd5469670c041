"""Buttons and menus on Discord: whoever presses them, however old they are, wherever they stand."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.request import Press, encode
from tests.discord_bench import Bench
from tests.discord_fake_components import BUTTON, SELECT, walk
from tests.discord_fake_replies import SAYS, UPDATES, UPDATES_LATER, Interaction
from tests.discord_fake_world import Message

pytest_plugins = ("tests.discord_fixtures",)

STARTS: dict[str, tuple[str, dict[str, Any]]] = {
    "a definition": ("define", {"term": "slo"}),
    "a comparison": ("vs", {"first": "slo", "second": "sla"}),
    "half a comparison": ("vs", {"first": "slo"}),
    "a choice": ("define", {"term": "drift"}),
    "a typo": ("define", {"term": "speculativ decoding"}),
    "a miss": ("define", {"term": "latence"}),
    "a text": ("explain", {"text": "TTFT, KV cache, PSI, SLO, SLA, continuous batching and P99 of the canary release"}),
    "the topics": ("glossary", {}),
    "the panel": ("jargonaut", {}),
    "the languages": ("lang", {}),
    "the notes": ("autoexplain", {}),
}


def controls(message: Message) -> list[str]:
    """What can be pressed or chosen: custom ids of buttons, values of options."""
    found = [c["custom_id"] for c in walk(message.components) if c["type"] == BUTTON and "custom_id" in c]
    return found + [o["value"] for c in walk(message.components) if c["type"] == SELECT for o in c["options"]]


async def use(bench: Bench, message: Message, control: str) -> Interaction:
    is_button = any(c.get("custom_id") == control for c in walk(message.components))
    return await (bench.press if is_button else bench.choose)(message, control)


@pytest.mark.parametrize(("name", "options"), STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
async def test_every_button_answers_once_and_as_privately_as_it_stands(
    bench: Bench, name: str, options: dict[str, Any], locale: str
) -> None:
    """Each one twice removed from the command, and behind a restart."""
    bench.lena.locale = locale
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "the KV cache is full, TTFT explodes")
    start = (await bench.slash(name, **options)).message
    await bench.restart()
    for control in controls(start)[:12]:
        again = (await bench.slash(name, **options)).message
        if control not in controls(again):
            continue  # an earlier one set something
        pressed = await use(bench, again, control)
        shares = "share" in control
        assert pressed.response in (SAYS, UPDATES, UPDATES_LATER)
        for message in pressed.messages:
            assert message.ephemeral or shares or name == "autoexplain"
        if pressed.messages or not again.deleted:
            shown = bench.shown((pressed.messages or [again])[0])
            assert shown.strip()
            assert "(ref" not in shown
            assert "（编号" not in shown


async def test_everybody_may_press_what_stands_in_public_and_sees_it_alone(bench: Bench) -> None:
    await bench.start()
    card = await bench.ask("!define slo", by=bench.lena)
    before = bench.shown(card)
    presses = [await bench.discord.press(user, card, "中文", wait=False) for user in (bench.max, bench.lena) * 3]
    for press in presses:
        await bench.discord.until(lambda press=press: press.done)
        assert press.message.ephemeral
        assert "团队" in bench.shown(press.message)
    assert bench.shown(card) == before
    assert bench.discord.said() == [card]


async def test_a_public_choice_is_settled_by_its_asker_for_all_and_by_others_for_themselves(bench: Bench) -> None:
    await bench.start()
    asked = await bench.discord.say(bench.talk, bench.max, "!define drift")
    choice = await bench.discord.reply_to(asked)
    theirs = await bench.press(choice, "Show", by=bench.lena)
    assert theirs.message.ephemeral
    assert "Which one?" in bench.shown(choice)
    own = await bench.press(choice, "Show", by=bench.max)
    assert own.response == UPDATES
    assert "Which one?" not in bench.shown(choice)
    assert "🗑" in bench.discord.buttons(choice)


async def test_a_private_answer_changes_in_place_and_remembers_the_language(bench: Bench) -> None:
    await bench.start()
    asked = await bench.slash("define", term="slo")
    pressed = await bench.press(asked.message, "中文")
    assert pressed.response == UPDATES
    assert "以后" in bench.shown(asked.message)
    assert "团队" in bench.shown((await bench.slash("define", term="slo")).message)


async def test_one_option_of_a_menu_can_be_chosen_twice(bench: Bench) -> None:
    await bench.start()
    card = await bench.ask("!define slo")
    for _ in range(2):
        chosen = await bench.choose(
            card, "SLA" if "SLA" in bench.discord.options(card) else bench.discord.options(card)[0]
        )
        assert chosen.message.ephemeral


@pytest.mark.parametrize(
    "custom_id",
    ["j1:from-the-future", "j1:define", "j1:", encode(Press("open", ("zzzzzzz",))), "j1:" + "x" * 90, "menu:7"],
    ids=[
        "of a later version",
        "no action of a button",
        "nothing",
        "a removed concept",
        "no button",
        "a menu as a button",
    ],
)
async def test_a_button_that_means_nothing_any_more_gets_a_polite_private_line(bench: Bench, custom_id: str) -> None:
    await bench.start()
    button = {"type": 2, "style": 2, "label": "Old", "custom_id": custom_id}
    body = {"flags": 1 << 15, "components": [{"type": 1, "components": [button]}]}
    old = await bench.discord.post(bench.talk, body)
    pressed = await bench.press(old, "Old", by=bench.max)
    assert pressed.message.ephemeral
    assert "(ref" not in bench.shown(pressed.message)


async def test_buttons_work_where_only_the_presser_has_the_app_and_others_press_too(bench: Bench) -> None:
    guest = bench.discord.user("Guest", installed=True)
    theirs = bench.discord.guild("Theirs", guest, installed=False)
    talk = bench.discord.channel(theirs, "talk")
    other = bench.discord.join(theirs, bench.discord.user("Other"))
    await bench.start()
    shared = (await bench.slash("define", by=guest, at=talk, term="slo", share=True)).message
    pressed = await bench.press(shared, "中文", by=other)
    assert pressed.message.ephemeral
    assert "团队" in bench.shown(pressed.message)


async def test_a_press_during_a_digest_that_is_still_read_is_answered_too(bench: Bench) -> None:
    held = bench.discord.held["GET /channels/{channel}/messages"] = asyncio.Event()
    await bench.start()
    await bench.discord.say(bench.talk, bench.max, "the KV cache is full")
    card = (await bench.slash("define", term="slo")).message
    digest = await bench.discord.slash(bench.lena, bench.talk, "explain", wait=False)
    assert (await bench.press(card, "中文")).done
    held.set()
    await bench.discord.until(lambda: digest.done)


async def test_a_digest_turns_its_pages_and_folds_what_is_known(bench: Bench) -> None:
    await bench.start()
    await bench.discord.say(
        bench.talk, bench.max, "TTFT, KV cache, PSI, SLO, SLA, P99, continuous batching, quantization"
    )
    digest = (await bench.slash("explain")).message
    first = bench.shown(digest)
    await bench.press(digest, "Next ›")
    second = bench.shown(digest)
    assert first != second
    assert not set(names(first)) & set(names(second))
    known = await bench.press(digest, "I know all of these")
    assert "Undo" in [*bench.discord.buttons(known.message), *bench.discord.buttons(digest)]
    again = bench.shown((await bench.slash("explain")).message)
    assert "you know" in again


def names(shown: str) -> list[str]:
    return [line for line in shown.splitlines() if line.startswith("**")]
