"""One `jargonaut run` per database file, and none over a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bot
from bot.errors import SettingsError
from bot.state import locking
from bot.state.locking import file_system, network_file_system, only_run

ROOT = Path(str(bot.__file__)).parents[1]

HOLDER = """
import sys
from bot.state.locking import only_run
with only_run(sys.argv[1]):
    print("in", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state.sqlite"


def url(file: Path) -> str:
    return f"sqlite:///{file}"


@contextmanager
def another_is_in(file: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, url(file)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "in\n"
        yield holder
        if holder.stdin:
            holder.stdin.close()


def test_a_second_one_is_told_who_is_in_and_what_to_do(file: Path) -> None:
    with (
        another_is_in(file) as holder,
        pytest.raises(SettingsError, match=f"process {holder.pid} on .*{re.escape(str(file))}.*PostgreSQL") as caught,
        only_run(url(file)),
    ):
        pytest.fail("two are in")
    assert "\n" not in str(caught.value)


def test_when_the_first_has_left_the_next_gets_in(file: Path) -> None:
    with another_is_in(file):
        pass
    for _ in range(2):
        with only_run(url(file)):
            assert file.with_name("state.sqlite.lock").read_text().split()[0] == str(os.getpid())


def test_one_that_was_killed_has_left(file: Path) -> None:
    with another_is_in(file) as holder:
        holder.kill()
        holder.wait()
        with only_run(url(file)):
            pass


def test_a_child_does_not_keep_the_lock(file: Path) -> None:
    with only_run(url(file)):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with only_run(url(file)):
        pass
    child.communicate(b"\n")


def test_another_file_is_free(file: Path) -> None:
    with another_is_in(file), only_run(url(file.with_name("another.sqlite"))):
        pass


def test_a_lock_that_cannot_be_made_is_named(file: Path) -> None:
    file.with_name("state.sqlite.lock").mkdir()
    with pytest.raises(SettingsError, match=r"state\.sqlite\.lock can't be made"), only_run(url(file)):
        pytest.fail("there's no lock")


def test_a_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(SettingsError, match=r"needs .*file, which can't"),
        only_run(url(tmp_path / "file" / "x.sqlite")),
    ):
        pytest.fail("there's no folder")


@pytest.mark.parametrize("shared", ["sqlite://", "postgresql://u@host/name"])
def test_what_has_no_file_lets_everybody_in(shared: str) -> None:
    with only_run(shared), only_run(shared):
        pass


def test_the_lock_is_this_users_only(file: Path) -> None:
    with only_run(url(file)):
        assert file.with_name("state.sqlite.lock").stat().st_mode & 0o777 == 0o600


TABLE = r"""
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
28 27 0:30 / /srv/nfs rw,relatime shared:7 master:2 - nfs4 server:/export rw,vers=4.2
29 27 0:31 / /srv/nfs/local rw - xfs /dev/vdb rw
30 27 0:32 / /srv/with\040space rw - cifs //server/share rw
31 27 0:33 / /srv/ssh rw - fuse.sshfs you@host:/ rw
32 27 8:1 / /srv/stick rw - fuseblk /dev/sdb1 rw
33 27 8:2 / /srv/twice rw - ext4 /dev/sdc rw
34 33 0:34 / /srv/twice rw - nfs server:/b rw
a line that means nothing
35 27 0:35 / /srv/memory rw - tmpfs tmpfs rw
"""


@pytest.mark.parametrize(
    ("file", "kind", "is_network"),
    [
        ("/var/lib/jargonaut/state.sqlite", "ext4", False),
        ("/srv/nfs/state.sqlite", "nfs4", True),
        ("/srv/nfs/deep/er/state.sqlite", "nfs4", True),
        ("/srv/nfsother/state.sqlite", "ext4", False),
        ("/srv/nfs/local/state.sqlite", "xfs", False),
        ("/srv/with space/state.sqlite", "cifs", True),
        ("/srv/ssh/state.sqlite", "fuse.sshfs", True),
        ("/srv/stick/state.sqlite", "fuseblk", False),
        ("/srv/twice/state.sqlite", "nfs", True),
        ("/srv/memory/state.sqlite", "tmpfs", False),
    ],
)
def test_the_deepest_mount_counts(
    file: str, kind: str, is_network: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert file_system(Path(file), TABLE) == kind
    (tmp_path / "mountinfo").write_text(TABLE)
    monkeypatch.setattr(locking, "MOUNTS", tmp_path / "mountinfo")
    assert network_file_system(Path(file)) == (kind if is_network else None)


def test_a_link_counts_as_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").symlink_to(tmp_path / "there")
    table = f"1 0 0:1 / / rw - ext4 a rw\n2 1 0:2 / {tmp_path / 'there'} rw - nfs b rw\n"
    assert file_system(tmp_path / "here" / "state.sqlite", table) == "nfs"


def test_where_nobody_says_it_all_is_taken_for_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "MOUNTS", tmp_path / "nothing")
    assert network_file_system(tmp_path / "state.sqlite") is None
    assert file_system(tmp_path, "") == ""


def test_a_file_over_a_network_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "share").mkdir()
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"1 0 0:1 / / rw - ext4 a rw\n2 1 0:2 / {tmp_path / 'share'} rw - nfs4 server:/x rw\n")
    monkeypatch.setattr(locking, "MOUNTS", mounts)
    with (
        pytest.raises(SettingsError, match=r"network file system \(nfs4\).*PostgreSQL"),
        only_run(url(tmp_path / "share" / "state.sqlite")),
    ):
        pytest.fail("it's in")
    assert list((tmp_path / "share").iterdir()) == []
    with only_run(url(tmp_path / "state.sqlite")):
        pass
