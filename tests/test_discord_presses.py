"""Buttons and menus work for everybody, at any time, whoever posted them."""

from __future__ import annotations

from adapters.discord.presses import pressed_item
from tests.discord_bench import Bench

pytest_plugins = ("tests.discord_fixtures",)


def test_only_our_own_ids_are_taken() -> None:
    async def press(interaction: object, button: str) -> None: ...

    pattern = pressed_item(press).__discord_ui_compiled_template__
    assert pattern.fullmatch("j1:define:e:y_OOSWg")
    assert pattern.fullmatch("menu:0")
    assert not pattern.fullmatch("other:1")
    assert not pattern.fullmatch("xj1:define")


async def test_buttons_work_after_a_restart_for_everybody(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!define slo")
    await bench.restart()
    for person in (bench.lena, bench.max):
        pressed = await bench.press(answer, "中文", by=person)
        assert pressed.message.seen_by is person
        assert "团队" in bench.shown(pressed.message)
    assert answer.versions == 1


async def test_an_option_of_a_menu_is_a_button(bench: Bench) -> None:
    await bench.start()
    asked = await bench.slash("define", term="slo")
    chosen = await bench.discord.choose(bench.lena, asked.message, "P99")
    assert chosen.message is asked.message
    assert "P99" in bench.shown(chosen.message)


async def test_no_view_is_kept_in_memory(bench: Bench) -> None:
    platform = await bench.start()
    for _ in range(3):
        asked = await bench.slash("define", term="slo")
        await bench.press(asked.message, "中文")
        await bench.press(asked.message, "English")
    client = platform._client
    assert client is not None
    store = client._connection._view_store
    assert not store._views
    assert not store._synced_message_views


async def test_a_choice_settles_the_question_for_its_asker(bench: Bench) -> None:
    await bench.start()
    answer = await bench.ask("!define batching", by=bench.max)
    private = await bench.press(answer, "Show", by=bench.lena)
    assert private.message.seen_by is bench.lena
    settled = await bench.press(answer, "Show", by=bench.max)
    assert settled.message is answer
