"""Where no two files can change places in one step, one at a time compares and replaces, on whatever machine it is; and what
a git that is at work beside us puts back is put there again."""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from config import PROJECT
from sandbox.files import directory, replace, turn
from sandbox.files.root import Refusal, Root

pytestmark = pytest.mark.skipif(os.link not in os.supports_dir_fd, reason="no descriptors of directories here")

ADDING = """if True:
    import sys
    from sandbox.files import replace
    from sandbox.files.root import Refusal, Root

    replace._renameat2, replace._lease = lambda: None, lambda descriptor: False
    with Root(sys.argv[1]) as root:
        for number in range(int(sys.argv[3])):
            while True:
                try:
                    root.change_text("note.md", lambda old: f"{old}{sys.argv[2]} {number}\\n")
                    break
                except Refusal as refusal:
                    assert refusal.reason == "changed", refusal
"""


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mount that knows of no exchange of two files, and of no leases."""
    monkeypatch.setattr(replace, "_renameat2", lambda: None)
    monkeypatch.setattr(replace, "_lease", lambda descriptor: False)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@pytest.mark.parametrize("count", [25, pytest.param(400, marks=pytest.mark.long)])
def test_programs_without_the_exchange_of_two_files_lose_no_change_of_each_other(tmp_path: Path, count: int):
    (tmp_path / "note.md").write_text("", encoding="utf-8")
    started = [
        subprocess.Popen([sys.executable, "-c", ADDING, str(tmp_path), str(who), str(count)], cwd=PROJECT)
        for who in range(4)
    ]
    assert [each.wait(120) for each in started] == [0] * 4
    lines = (tmp_path / "note.md").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted(f"{who} {number}" for who in range(4) for number in range(count))
    assert [path.name for path in tmp_path.iterdir()] == ["note.md"]


def test_a_turn_is_waited_for_and_one_that_a_killed_program_left_is_not_for_long(
    tmp_path: Path, held: int, network: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(turn, "LEFT", 0.1)
    (tmp_path / "note.md").write_text("old", encoding="utf-8")
    with Root(tmp_path) as root, turn.turn(held, "note.md"):
        left = next(tmp_path.glob(".*.turn"))
        os.link(left, tmp_path / "kept")
        asked = []
        real = turn._said
        monkeypatch.setattr(turn, "_said", lambda *given: asked.append(given) or real(*given))
        root.write_text("note.md", "new")
        assert len(asked) > 2, "it was waited for"
    assert (tmp_path / "note.md").read_text(encoding="utf-8") == "new"
    assert not list(tmp_path.glob(".*.turn"))


def test_who_stood_still_in_his_turn_puts_nothing_in_place(
    tmp_path: Path, network: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(turn, "MOST", 0.0)
    (tmp_path / "note.md").write_text("old", encoding="utf-8")
    with Root(tmp_path) as root, pytest.raises(Refusal, match="somebody else keeps changing it"):
        root.write_text("note.md", "new")
    assert (tmp_path / "note.md").read_text(encoding="utf-8") == "old"


def test_a_turn_that_somebody_took_over_is_told_and_left_to_him(held: int, tmp_path: Path):
    with turn.turn(held, "note.md") as is_ours:
        assert is_ours()
        file = next(tmp_path.glob(".*.turn"))
        file.write_bytes(b"another's")
        assert not is_ours()
    assert file.read_bytes() == b"another's"


def test_a_server_that_only_says_that_the_file_of_a_turn_cannot_be_made_is_asked_again(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    real, refused = os.open, [1, 1]

    def opened(path: str, flags: int, *more: int, **given: int) -> int:
        if flags & os.O_EXCL and refused:
            refused.pop()
            raise PermissionError(errno.EPERM, "Failure")
        return real(path, flags, *more, **given)

    monkeypatch.setattr(os, "open", opened)
    with turn.turn(held, "note.md") as is_ours:
        assert is_ours()
    refused += [1] * 1000
    monkeypatch.setattr(turn, "MOST", 0.05)
    with pytest.raises(PermissionError), turn.turn(held, "note.md"):
        pass


def test_a_file_that_a_network_mount_lost_between_opening_and_reading_is_a_changed_one(held: int, tmp_path: Path):
    (tmp_path / "note.md").write_text("old", encoding="utf-8")

    def gone(descriptor: int) -> None:
        raise FileNotFoundError(errno.ENOENT, "gone")

    with pytest.raises(OSError, match=os.strerror(errno.ESTALE)):
        replace.Held(held, "note.md", 100, gone)


def test_who_begins_to_put_a_file_in_a_place_does_not_stand_in_the_way_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """He has a lease on what was there, which says EAGAIN to whoever asks whether it may be written."""
    (tmp_path / "note.md").write_text("old", encoding="utf-8")
    real = os.open

    def leased(path: str | bytes, flags: int, *more: int, **given: int) -> int:
        if os.fsencode(path) == b"note.md" and flags & os.O_WRONLY:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return real(path, flags, *more, **given)

    monkeypatch.setattr(os, "open", leased)
    with Root(tmp_path) as root:
        root.write_text("note.md", "new")
        assert root.read_text("note.md") == "new"


@pytest.mark.skipif(sys.platform != "linux", reason="statx(2) is Linux's")
def test_the_server_is_asked_what_the_file_and_the_turn_are_by_now(
    tmp_path: Path, network: None, monkeypatch: pytest.MonkeyPatch
):
    """Of 180 messages over sshfs as it is by default 66 to 76 were overwritten without it."""
    (tmp_path / "note.md").write_text("old", encoding="utf-8")
    real, asked = ctypes.CDLL, set[str]()

    def statx(descriptor: int, name: bytes, flags: int, mask: int, into: object) -> int:
        assert flags & 0x2000, "AT_STATX_FORCE_SYNC"
        asked.add(Path(f"/proc/self/fd/{descriptor}").readlink().suffix)
        assert real(None).statx(descriptor, name, flags, mask, into) == 0
        return 0

    monkeypatch.setattr(ctypes, "CDLL", lambda *_: SimpleNamespace(statx=statx))
    with Root(tmp_path) as root:
        root.write_text("note.md", "new")
    assert asked == {".md", ".turn"}


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_links_gets_its_new_files_too(
    tmp_path: Path, network: None, monkeypatch: pytest.MonkeyPatch, code: int
):
    def refused(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", refused)
    with Root(tmp_path) as root:
        root.write_text("note.md", "new", new=True)
        with pytest.raises(Refusal, match="there already"):
            root.write_text("note.md", "newer", new=True)
    assert (tmp_path / "note.md").read_text(encoding="utf-8") == "new"


# Beside git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_bytes(b"first")
    (tmp_path / "note.md").write_text("old\n", encoding="utf-8")
    return tmp_path


def test_what_a_git_puts_over_a_change_of_ours_is_changed_again(repository: Path, monkeypatch: pytest.MonkeyPatch):
    """It had looked at the file before."""
    put, times = replace.put, []

    def and_then_git(*given: object) -> None:
        put(*given)
        if not times:
            (repository / "note.md").unlink()
            (repository / "note.md").write_text("theirs\n", encoding="utf-8")
            (repository / ".git" / "index").write_bytes(b"second, of theirs")
        times.append(1)

    monkeypatch.setattr("sandbox.files.directory.put", and_then_git)
    with Root(repository) as root:
        root.change_text("note.md", lambda old: f"{old}mine\n")
    assert (repository / "note.md").read_text(encoding="utf-8") == "theirs\nmine\n"
    assert len(times) == 2


def test_a_git_at_work_is_waited_for_and_one_that_was_killed_long_ago_is_not(
    repository: Path, monkeypatch: pytest.MonkeyPatch
):
    lock = repository / ".git" / "index.lock"
    lock.touch()
    waited = threading.Event()
    monkeypatch.setattr(directory.time, "sleep", lambda seconds: (waited.set(), lock.unlink()))
    with Root(repository) as root:
        root.write_text("note.md", "new\n")
        assert waited.is_set()
        waited.clear()
        lock.touch()
        os.utime(lock, (1, 1))
        root.write_text("note.md", "newer\n")
    assert not waited.is_set()
    assert (repository / "note.md").read_text(encoding="utf-8") == "newer\n"
