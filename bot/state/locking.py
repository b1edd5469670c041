"""One `jargonaut run` per SQLite file, on a disk of this machine.

SQLite itself lets several processes use a file, and `chat`, `misses` and `forget` do. Two of `run` are mostly a
mistake: both would answer. Over a network file system SQLite's locks and shared memory don't hold: the file breaks.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot.errors import SettingsError
from bot.state.engine import parse_url, prepare_file, sqlite_file

MOUNTS: Final = Path("/proc/self/mountinfo")
"""Where Linux says what kind of file system is mounted where. Other systems aren't asked."""

NETWORK: Final = frozenset(
    "9p afs beegfs ceph cifs coda davfs gfs2 glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 orangefs smb3 smbfs".split()
)
"""File systems that other machines may write, too. Those of FUSE count as well, except on a disk (`fuseblk`)."""


@contextmanager
def only_run(url: str) -> Iterator[None]:
    """While it lasts, no other process of any container on this machine gets in with the same database file.

    `url` as `engine.parse_url` takes it; a server and a database in memory let everybody in. Raises `SettingsError`:
    another one is in, the file system is no local one, or file or lock can't be made. However the process ends, the
    lock ends with it; the file beside the database stays, and is no sign of anything.
    """
    file = sqlite_file(parse_url(url))
    if file is None:
        yield
        return
    if kind := network_file_system(file):
        raise SettingsError(
            f"the database {file} is on a network file system ({kind}), where SQLite breaks: "
            "set DATABASE_URL to a file on a disk of this machine, or to PostgreSQL"
        )
    prepare_file(file)
    beside = Path(f"{file}.lock")
    try:
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SettingsError(f"the lock {beside} can't be made ({error.strerror})") from None
    try:
        try:
            _lock(descriptor)
        except OSError:
            raise SettingsError(_in_use(file, descriptor)) from None
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"{os.getpid()} {socket.gethostname()}".encode())
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 1024, os.SEEK_SET)  # behind the text, which others have to be able to read
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _in_use(file: Path, descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    written = os.read(descriptor, 300).decode(errors="replace").split()
    who = f" (process {written[0]} on {written[1]})" if len(written) == 2 else ""
    return (
        f"another `jargonaut run`{who} uses the database {file}: stop it, or set DATABASE_URL to another file. "
        "Several at once need PostgreSQL"
    )


def network_file_system(file: Path) -> str | None:
    """The kind of file system that a file is on, or would be, if other machines may write it; None: they can't."""
    try:
        table = MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    kind = file_system(file, table)
    return kind if kind in NETWORK or kind.startswith("fuse.") or kind == "fuse" else None


def file_system(file: Path, table: str) -> str:
    """By a table as in `MOUNTS`; empty: it doesn't say."""
    resolved = file.resolve()
    found = ""
    deepest = -1
    for line in table.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split()
        if len(fields) < 5 or not after:
            continue
        point = Path(_unescaped(fields[4]))
        # Of several at the same point the last one covers the others.
        if resolved.is_relative_to(point) and len(point.parts) >= deepest:
            found, deepest = after.split()[0], len(point.parts)
    return found


def _unescaped(point: str) -> str:
    """Spaces, tabs, line breaks and backslashes are written as `\\\\040`, in octal."""
    for code in ("040", "011", "012", "134"):
        point = point.replace(f"\\{code}", chr(int(code, 8)))
    return point
