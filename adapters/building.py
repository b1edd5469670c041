"""The composition root: what each way to start the bot is made of. Only here more than one platform is known."""

from __future__ import annotations

import asyncio
import gc
import getpass
import logging
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.errors import RefusedError, SettingsError, StoreError

if TYPE_CHECKING:
    from adapters.terminal.session import Session
    from bot.glossary.yaml_files import Loaded
    from bot.settings import Settings
    from bot.state.database import Database
    from bot.state.ports import Store

DATABASE_SECONDS: Final = 10.0
"""So long a start waits for a database that is coming up; then answers come from memory."""


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
    from adapters.behind import Behind
    from adapters.operations.health import HealthServer
    from adapters.operations.logs import set_up
    from adapters.operations.metrics import Metrics
    from adapters.platforms import build, phrases_of
    from adapters.readiness import Watchman
    from adapters.running import Platform, keep_running
    from bot.bot import Bot
    from bot.settings import limits
    from bot.state.caching import Cached

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    set_up(settings.log_level or "INFO", sys.stderr)
    async with _database_of_a_run(settings, stop) as database:
        platforms: list[Platform] = []
        metrics = Metrics(lambda: [(each.name, each.connected, each.reconnects) for each in platforms])
        store = Cached(database)
        behind = Behind(settings, directories, store, metrics)
        loaded = behind.reloading.loaded
        phrases = phrases_of(settings, loaded.phrases)
        bot = Bot(
            lambda place: behind.reloading.glossary,
            loaded.phrases,
            store,
            keep_misses=settings.keep_misses,
            limits=limits(settings),
            platform_phrases=phrases,
            per_minute=settings.requests_per_minute,
            watch=behind.tally,
        )
        platforms += build(settings, bot, phrases, store, database)
        watchman = Watchman(platforms, database.answers, behind.data)
        health = HealthServer(settings.ops_host, settings.ops_port, metrics, watchman.look)
        gc.freeze()
        gc.enable()
        warming = asyncio.create_task(bot.warm(loaded.glossary))
        try:
            if settings.ops_host:
                await health.start()
                logging.getLogger("jargonaut").info("health and metrics: http://%s:%d", *health.address)
            async with behind.going_on(bot, platforms):
                return await keep_running(platforms, stop, logging.getLogger("jargonaut").log)
        finally:
            warming.cancel()
            await health.stop()
            await bot.close()


@asynccontextmanager
async def kept() -> AsyncIterator[Database]:
    """The database, for what is asked of it at the command line; one that is coming up is waited for.

    Raises `StoreError`.
    """
    from bot.settings import read_settings
    from bot.state.database import open_database

    settings = read_settings()
    _log_to_stderr(settings)
    with _naming_the_setting():
        database = await open_database(settings.database_url or _default_database())
    try:
        await database.ready(within=DATABASE_SECONDS)
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def _database_of_a_run(settings: Settings, stop: asyncio.Event) -> AsyncIterator[Database]:
    """Its database, which no other run has if it's a file. One that is away is waited for a little, until `stop`.

    Raises `SettingsError` where waiting doesn't help.
    """
    from bot.state.database import open_database
    from bot.state.locking import only_run

    url = settings.database_url or _default_database()
    with ExitStack() as stack:
        with _naming_the_setting():
            stack.enter_context(only_run(url))
            database = await open_database(url, connections=settings.database_pool)
        try:
            with _naming_the_setting():
                await _ready(database, stop)
            yield database
        finally:
            await database.close()


async def _ready(database: Database, stop: asyncio.Event) -> None:
    ready = asyncio.create_task(database.ready(within=DATABASE_SECONDS))
    told = asyncio.create_task(stop.wait())
    await asyncio.wait({ready, told}, return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if not ready.done():
        ready.cancel()
        return
    try:
        ready.result()
    except RefusedError as error:
        raise SettingsError(str(error)) from None
    except StoreError as error:
        logging.getLogger("jargonaut").warning("store: %s; answers come from memory until it's back", error)


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
        logging.getLogger("bot.state.bounded").setLevel(logging.ERROR)  # it would say so again with every answer
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
