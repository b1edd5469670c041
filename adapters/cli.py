"""`jargonaut`: the commands of the command line. What they are made of: `building`."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Annotated, Final

import typer

from adapters.leaving import FOUND, NOT_FOUND, REFUSED, UNUSABLE, USAGE, reader_may_leave
from adapters.registering import discord, slack
from bot.errors import ConnectError, DataError, JargonautError, SettingsError
from bot.glossary.concept import Language
from bot.version import __version__

_MAX_SIDES: Final = 3
_BETWEEN: Final = frozenset({"vs", "vs.", "versus", "or", "and", "/", "|", ",", "和", "与", "跟", "对比", "还是"})

app = typer.Typer(
    name="jargonaut",
    help="Explains model-deployment jargon, in English and Chinese.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Data = Annotated[
    list[Path] | None,
    typer.Option("--data", metavar="DIR", help="Lay this directory over the shipped termbase; may be given again."),
]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"jargonaut {__version__}")
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    data: Data = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    context.obj = tuple(data or ())


@app.command()
def chat(
    context: typer.Context,
    data: Data = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line, for scripts.")] = False,
) -> None:
    """Talk to the bot here, with no account: /define TERM, !vs A B, @jargonaut QUESTION, /help.

    From a pipe it answers line by line. With --json every line in, an empty one too, gives exactly one JSON object
    out: kind, concepts, comparison, language, private, text, buttons (label, request), and error or unknown where
    there is one; for what wasn't said to the bot also mentions (concept, text, start, end; in characters); update
    (reply, text) where a note changes. A line that is {"text": …, "person": …, "thread": …} stands for its text; a
    line that begins with j1: presses a button. Without a thread each line is a channel of its own.
    """
    raise typer.Exit(_run(_chat(_directories(context, data), as_json)))


app.add_typer(slack, name="slack")
app.add_typer(discord, name="discord")


@app.command()
def run(context: typer.Context, data: Data = None) -> None:
    """Connect to Slack and Discord, whichever is configured, until told to stop.

    Exit code 0: stopped by SIGTERM or SIGINT; 1: a platform refused, or shut us out; 2: nothing is configured.
    """
    from adapters.building import serve
    from adapters.platforms import NOTHING_CONFIGURED, names
    from bot.settings import read_settings

    signal.signal(signal.SIGTERM, _leave)  # until the loop listens to it: a container's first process has no default
    settings = read_settings()
    if not names(settings):
        print(NOTHING_CONFIGURED, file=sys.stderr)
        raise typer.Exit(USAGE)
    try:
        raise typer.Exit(asyncio.run(serve(settings, _directories(context, data))))
    except ConnectError as error:
        print(f"jargonaut: {error}", file=sys.stderr)
        raise typer.Exit(REFUSED) from None
    except KeyboardInterrupt:
        raise typer.Exit from None


@app.command()
def define(context: typer.Context, term: list[str], data: Data = None) -> None:
    """Explain a term. Exit code 0: found; 1: unknown or ambiguous; 2: usage."""
    raise typer.Exit(_run(_once("define", " ".join(term), _directories(context, data))))


@app.command()
def vs(context: typer.Context, terms: list[str], data: Data = None) -> None:
    """Compare two or three terms. Exit code 0: compared; 1: unknown, ambiguous or the same; 2: usage."""
    raise typer.Exit(_run(_once("vs", _sides(terms), _directories(context, data))))


@app.command()
def misses(
    context: typer.Context,
    data: Data = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, the most frequent first.")] = 50,
) -> None:
    """List what people looked up more than once and didn't find, with the nearest concepts."""
    from adapters.owners import misses

    raise typer.Exit(_run(_tell(misses(_directories(context, data), _locale() or "en", limit))))


@app.command()
def report(
    context: typer.Context,
    data: Data = None,
    days: Annotated[
        int, typer.Option(min=1, max=90, help="Today and the days before it; counts are kept for 90.")
    ] = 30,
    as_csv: Annotated[bool, typer.Option("--csv", help="All counts, for a spreadsheet.")] = False,
) -> None:
    """Tell what is asked most, what is missing, what was marked wrong, and how notes are taken."""
    from adapters.owners import report

    asked = report(_directories(context, data), _locale() or "en", days, for_spreadsheets=as_csv)
    raise typer.Exit(_run(_tell(asked)))


@app.command()
def forget(
    platform: Annotated[str, typer.Option(help="slack or discord.")],
    user: Annotated[str, typer.Option(help="The person's id there.")],
    home: Annotated[str, typer.Option(help="On Slack, the id of their workspace, or of its organisation.")] = "",
) -> None:
    """Delete all that is kept about a person, as “Delete my data” does. Exit code 2: it isn't clear about whom."""
    from adapters.owners import forget
    from bot.request import Person

    if platform not in ("slack", "discord") or bool(home) != (platform == "slack"):
        print("jargonaut: give --platform slack with --home, or --platform discord without it", file=sys.stderr)
        raise typer.Exit(USAGE)

    async def done() -> str:
        await forget(Person(platform, home, user))
        return "Deleted."

    raise typer.Exit(_run(_tell(done())))


@app.command()
def check(
    context: typer.Context,
    directory: Annotated[Path | None, typer.Argument(help="A team's directory; without one, the shipped data.")] = None,
    data: Data = None,
) -> None:
    """Check the termbase, or a directory laid over it. Exit code 0: usable (there may be warnings); 1: it isn't."""
    from bot.glossary.yaml_files import load, shipped

    layers = _directories(context, data)
    if directory is not None and directory.resolve() != shipped().resolve():
        layers = [*layers, directory]
    try:
        loaded = load(layers)
    except DataError as error:
        problems, usable = error.problems, False
        errors = sum(problem.severity == "error" for problem in problems)
        summary = f"{errors} error(s). The termbase can't be used like this."
    else:
        problems, usable = loaded.warnings, True
        concepts, comparisons = len(loaded.glossary.concepts), len(loaded.glossary.comparisons)
        summary = f"{concepts} concepts, {comparisons} comparisons, {len(problems)} warning(s)."
    with reader_may_leave():
        print(*problems, summary, sep="\n")
    raise typer.Exit(0 if usable else 1)


@app.command()
def schema(directory: Annotated[Path, typer.Argument(help="Where to write the files.")]) -> None:
    """Write the JSON Schemas of the data files, for editors."""
    import json

    from bot.glossary.file_form import schemas

    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, content in schemas().items():
            (directory / name).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{directory} can't be written: {error.strerror}") from None


def main() -> None:
    """The console script. Errors raised on purpose become one line; anything else is a bug and shows itself."""
    gc.disable()  # nothing that start-up makes is garbage; `building` turns it on again
    sys.stdin, sys.stdout = sys.stdin or StringIO(), sys.stdout or StringIO()  # None: whoever started us closed it
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "replace")
    try:
        app()
    except JargonautError as error:
        print(f"jargonaut: {error}", file=sys.stderr)
        sys.exit(UNUSABLE)


def _directories(context: typer.Context, data: list[Path] | None) -> list[Path]:
    from bot.glossary.yaml_files import shipped
    from bot.settings import read_settings

    return [shipped(), *read_settings().jargonaut_data, *(context.obj or ()), *(data or ())]


def _sides(terms: list[str]) -> str:
    """The arguments of `vs` as one typed line: each is a side, unless they are words with a separator among them."""
    words = len(terms) == 1 or any(term.lower() in _BETWEEN for term in terms)
    if words or (len(terms) > _MAX_SIDES and not any(" " in term for term in terms)):
        return " ".join(terms)
    return " ".join(f"“{term.strip('“”')}”" for term in terms)


def _run(work: Coroutine[None, None, int]) -> int:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)  # asyncio's own handler would wait for the next line of a pipe
    with suppress(KeyboardInterrupt), reader_may_leave():
        return asyncio.run(work)
    return FOUND


def _leave(_signal: int, _frame: object) -> None:
    raise SystemExit(FOUND)


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _locale() -> Language | None:
    """The language of the terminal, as the environment says it; None: it doesn't say one of ours."""
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh-Hans" if name.startswith("zh") else "en" if name.startswith("en") else None


async def _tell(text: Coroutine[None, None, str]) -> int:
    print(await text)
    return FOUND


async def _chat(directories: list[Path], as_json: bool) -> int:
    from adapters.building import terminal
    from adapters.terminal import chat as loops

    async with terminal(directories) as (session, loaded):
        session.apart = as_json
        if as_json:
            await loops.scripted(session, sys.stdin, sys.stdout)
        elif loops.is_interactive():
            session.locale = _locale()
            warming = asyncio.create_task(loops.warm_later(loaded.glossary.warm))
            await loops.interactive(session, loaded.phrases)
            warming.cancel()
        else:
            await loops.piped(session, loaded.phrases, sys.stdin, sys.stdout)
    return FOUND


async def _once(command: str, text: str, directories: list[Path]) -> int:
    from adapters.building import terminal
    from adapters.terminal.session import Line

    async with terminal(directories) as (session, _):
        session.locale = _locale() if sys.stdout.isatty() else None
        answer = await session.answer(Line(f"/{command} {text}", session.person))
    if sys.stdout.isatty():
        from rich.console import Console

        from adapters.terminal.rich_text import render as render_rich

        Console(width=min(100, Console().width), highlight=False).print(render_rich(answer))
    else:
        from adapters.terminal.text import render

        print(render(answer, numbered=False))
    if answer.error in ("missing", "usage"):
        return USAGE
    return FOUND if answer.kind in ("definition", "comparison", "list") else NOT_FOUND
