"""The composition root: what each way to start the bot is made of. Only here more than one platform is known."""

from __future__ import annotations

import asyncio
import gc
import getpass
import logging
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import SettingsError

if TYPE_CHECKING:
    from adapters.terminal.session import Session
    from bot.glossary.yaml_files import Loaded
    from bot.settings import Settings
    from bot.state.ports import Store


@asynccontextmanager
async def terminal(directories: list[Path]) -> AsyncIterator[tuple[Session, Loaded]]:
    """The bot over its data and its store, and a chat with it; all of it closed again at the end."""
    from adapters.terminal.session import Session
    from adapters.terminal.store import ChatStore
    from bot.bot import Bot, fixed
    from bot.glossary.yaml_files import load
    from bot.settings import limits, read_settings

    settings = read_settings()
    _log_to_stderr(settings)
    loaded = load(directories)
    store = await _open_store(settings.database_url)
    gc.freeze()
    gc.enable()
    bot = Bot(
        fixed(loaded.glossary),
        loaded.phrases,
        ChatStore(store),
        keep_misses=settings.keep_misses,
        limits=limits(settings),
    )
    try:
        yield Session(bot, _user(), None), loaded
    finally:
        await bot.close()
        await store.close()


async def serve(settings: Settings, directories: list[Path]) -> int:
    """The bot on all configured platforms, until it's told to stop; the exit code.

    Raises `ConnectError` if a platform refuses.
    """
    from adapters.operations.health import HealthServer
    from adapters.operations.logs import set_up
    from adapters.operations.metrics import Metrics
    from adapters.platforms import build, phrases_of
    from adapters.readiness import Watchman
    from adapters.running import Platform, keep_running
    from bot.bot import Bot, fixed
    from bot.glossary.yaml_files import load
    from bot.settings import limits
    from bot.state.caching import Cached
    from bot.state.database import open_database

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    set_up(settings.log_level or "INFO", sys.stderr)
    loaded = load(directories)
    with _naming_the_setting():
        database = await open_database(settings.database_url or _default_database())
    platforms: list[Platform] = []
    metrics = Metrics(lambda: [(each.name, each.connected, each.reconnects) for each in platforms])
    store = Cached(database)
    phrases = phrases_of(settings, loaded.phrases)
    bot = Bot(
        fixed(loaded.glossary),
        loaded.phrases,
        store,
        keep_misses=settings.keep_misses,
        limits=limits(settings),
        platform_phrases=phrases,
        per_minute=settings.requests_per_minute,
        watch=metrics,
    )
    platforms += build(settings, bot, phrases, store, database)
    watchman = Watchman(platforms, database.answers, lambda: {"concepts": len(loaded.glossary.concepts)})
    health = HealthServer(settings.ops_host, settings.ops_port, metrics, watchman.look)
    gc.freeze()
    gc.enable()
    warming = asyncio.create_task(bot.warm(loaded.glossary))
    try:
        if settings.ops_host:
            await health.start()
        return await keep_running(platforms, stop, logging.getLogger("jargonaut").info)
    finally:
        warming.cancel()
        await health.stop()
        await bot.close()
        await store.close()


async def _open_store(url: str) -> Store:
    """`url` empty: a file in the user's state directory. Where that can't be written, one answers all the same."""
    from bot.state.database import open_database

    if url:
        with _naming_the_setting():
            return await open_database(url)
    try:
        return await open_database(_default_database())
    except SettingsError as error:
        from bot.state.memory import MemoryStore

        print(f"jargonaut: what you set can't be saved: {error}", file=sys.stderr)
        logging.getLogger("bot.bot").setLevel(logging.ERROR)  # it would say so again with every answer
        store = MemoryStore()
        store.away = True
        return store


@contextmanager
def _naming_the_setting() -> Iterator[None]:
    try:
        yield
    except SettingsError as error:
        raise SettingsError(f"DATABASE_URL: {error}") from None


def _log_to_stderr(settings: Settings) -> None:
    logging.basicConfig(
        level=settings.log_level or "WARNING", stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )


def _default_database() -> str:
    from platformdirs import user_state_path

    return f"sqlite+aiosqlite:///{user_state_path('jargonaut') / 'jargonaut.sqlite'}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "you"
