"""A file is put in place of another in one step, by a name that is told apart, and a kill leaves nothing half done."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from config import PROJECT
from sandbox.files import replace
from sandbox.files.replace import Held, in_place_of, must_be_regular, put, temporary_name

pytestmark = pytest.mark.skipif(os.link not in os.supports_dir_fd, reason="no descriptors of directories here")

FILLING = """if True:
    import os, sys, time
    from sandbox.files.replace import put

    def fill(descriptor):
        os.write(descriptor, b"half of ")
        os.write(1, b"x")
        time.sleep(60)

    put(os.open(sys.argv[1], os.O_RDONLY), sys.argv[2], fill)
"""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "old").write_text("as it was")
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@pytest.fixture(params=["without a name", "by name", "links refused"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "by name":
        monkeypatch.setattr(replace, "_NAMELESS", 0)
    if request.param == "links refused":

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    return request.param


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("name", ["old", "new", b"\xff"])
def test_a_file_is_there_whole_and_nothing_else_is(way: str, held: int, tmp_path: Path, name: str | bytes):
    put(held, name, lambda descriptor: os.write(descriptor, b"new"))
    expected = {"old": "as it was", os.fsdecode(name): "new"}
    assert contents(tmp_path) == expected
    assert (tmp_path / os.fsdecode(name)).stat().st_mode & 0o777 == 0o600


def test_what_fails_on_the_way_changes_nothing(way: str, held: int, tmp_path: Path):
    def fill(descriptor: int) -> None:
        os.write(descriptor, b"half")
        raise OSError(28, "No space left on device")

    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="No space"):
        put(held, "old", fill)
    with pytest.raises(IsADirectoryError):
        put(held, "folder", lambda descriptor: None)
    with pytest.raises(KeyboardInterrupt):
        make_a_link_and_stop(held)
    assert contents(tmp_path) == {"old": "as it was"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "old"]


def make_a_link_and_stop(held: int) -> None:
    with in_place_of(held, "old") as temporary:
        os.symlink("somewhere", temporary, dir_fd=held)
        raise KeyboardInterrupt


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="no files without a name here")
@pytest.mark.parametrize("name", ["old", "new"])
def test_a_kill_while_a_file_is_written_leaves_no_trace_of_it(tmp_path: Path, held: int, name: str):
    process = subprocess.Popen(
        [sys.executable, "-c", FILLING, tmp_path, name], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.read(1) == "x", "it is half written"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert contents(tmp_path) == {"old": "as it was"}


def test_the_temporary_name_is_the_same_all_the_while_and_no_other_process_has_it():
    assert temporary_name() == temporary_name()
    command = [sys.executable, "-c", "from sandbox.files.replace import temporary_name; print(temporary_name())"]
    other = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.strip()
    assert other != temporary_name()
    assert len(other) == len(temporary_name())


def test_what_the_swap_needs_is_found_before_anything_is_compared(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Else a person has milliseconds to put another file in place, between the comparison and the swap."""
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "new").write_bytes(b"new")
    replace._renameat2.cache_clear()
    found: list[int] = []
    lease = replace._lease

    def leased(descriptor: int) -> bool:
        found.append(replace._renameat2.cache_info().currsize)
        return lease(descriptor)

    monkeypatch.setattr(replace, "_lease", leased)
    with replace.Held(held, "file", 100) as old:
        old.swap("new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert found == [1]


def test_a_temporary_name_is_hidden_and_nobody_guesses_it():
    assert re.fullmatch(r"\.[0-9a-f]{24}[0-9a-f]{8}\.tmp", temporary_name())


def test_a_link_planted_where_the_new_file_is_made_leads_nowhere(way: str, held: int, tmp_path: Path):
    """Whoever guesses the name all the same gets nothing through it, and it is not in the way a second time."""
    outside = tmp_path.parent / f"{tmp_path.name} outside"
    outside.write_text("secret")
    (tmp_path / temporary_name()).symlink_to(outside)
    with suppress(FileExistsError):
        put(held, "old", lambda descriptor: os.write(descriptor, b"new"))
    assert outside.read_text() == "secret"
    put(held, "old", lambda descriptor: os.write(descriptor, b"newer"))
    assert contents(tmp_path) == {"old": "newer"}
    assert not (tmp_path / "old").is_symlink()


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (stat.S_IFREG, 0),
        (stat.S_IFDIR, errno.EISDIR),
        (stat.S_IFLNK, errno.ELOOP),
        (stat.S_IFIFO, errno.ENXIO),
        (stat.S_IFCHR, errno.ENXIO),
        (stat.S_IFSOCK, errno.ENXIO),
    ],
)
def test_what_is_no_regular_file_says_what_it_is(kind: int, code: int):
    with pytest.raises(OSError, match=os.strerror(code)) if code else nullcontext() as refused:
        must_be_regular(SimpleNamespace(st_mode=kind | 0o644))
    assert not code or refused.value.errno == code


@pytest.mark.parametrize("said", [0, 3, 7, 10])
@pytest.mark.parametrize("piece", [1, 4, 100])
@pytest.mark.parametrize(("most", "whole"), [(9, False), (10, True), (11, True)])
def test_all_bytes_of_a_file_are_read_and_never_more_than_may_be(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: int, piece: int, most: int, whole: bool
):
    """It may have grown since its size was told, and a read may give less than was asked for."""
    (tmp_path / "file").write_bytes(b"0123456789")
    descriptor = os.open("file", os.O_RDONLY, dir_fd=held)
    read = os.read
    monkeypatch.setattr(os, "fstat", lambda descriptor: SimpleNamespace(st_size=said))
    monkeypatch.setattr(os, "read", lambda descriptor, size: read(descriptor, min(size, piece)))
    assert replace.contents(descriptor, most) == (b"0123456789" if whole else None)
    monkeypatch.undo()
    os.close(descriptor)


def test_what_is_larger_than_may_be_is_not_read_at_all(held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("it was read"))
    assert Held(held, "old", 8).data is None


# What is held


CHANGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda file: None,
    "read": lambda file: file.read_bytes(),
    "times alone": lambda file: os.utime(file, (1, 1)),
    "longer": lambda file: file.write_text("as it was, and more"),
    "shorter": lambda file: file.write_text("as"),
    "another of the size": lambda file: file.write_text("as it Was"),
    "another with these bytes": lambda file: (file.with_name("n").write_text("as it was"), file.with_name("n").replace(file)),
    "more mode": lambda file: file.chmod(0o777),
    "less mode": lambda file: file.chmod(0o400),
    "gone": lambda file: file.unlink(),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a link to the same": lambda file: (file.rename(file.with_name("n")), file.symlink_to("n")),
    "earlier": lambda file: os.utime(file, ns=(1, file.stat().st_mtime_ns - 1)),
    "later": lambda file: os.utime(file, ns=(1, file.stat().st_mtime_ns + 1)),
}  # fmt: skip
SAME = ("nothing", "read", "times alone", "earlier", "later")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("known", [True, False])
def test_what_is_held_is_there_until_its_bytes_its_mode_or_its_place_are_others(
    held: int, tmp_path: Path, change: str, known: bool
):
    """Where the bytes are too many to compare, size and time tell."""
    os.utime(tmp_path / "old", (10**9, 10**9))
    with Held(held, "old", 9 if known else 8) as old:
        assert old.data == (b"as it was" if known else None)
        CHANGES[change](tmp_path / "old")
        still = SAME if known else ("nothing", "read")
        for _ in range(2):  # looked at twice: the file is read from its beginning each time
            if change in still:
                old.check()
            else:
                with pytest.raises(OSError, match=os.strerror(errno.ESTALE)) as stale:
                    old.check()
                assert stale.value.errno == errno.ESTALE


def test_where_nothing_was_nothing_may_be(held: int, tmp_path: Path):
    with Held(held, "new", 9) as nothing:
        assert (nothing.status, nothing.data) == (None, None)
        nothing.check()
        (tmp_path / "new").touch()
        with pytest.raises(OSError, match=os.strerror(errno.ESTALE)):
            nothing.check()


@pytest.mark.parametrize("links", ["links", "none"])
@pytest.mark.parametrize("renames", ["renames", "none"])
@pytest.mark.parametrize("meanwhile", [False, True])
def test_a_new_file_is_put_only_where_nothing_is(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: str, renames: str, meanwhile: bool
):
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    if links == "none":
        monkeypatch.setattr(os, "link", refused)
    if renames == "none":
        monkeypatch.setattr(replace, "_renameat2", lambda: None)
    with Held(held, "new", 9) as nothing:
        if meanwhile:
            (tmp_path / "new").write_text("the person's")
            with pytest.raises(OSError, match=os.strerror(errno.ESTALE)):
                put(held, "new", lambda descriptor: os.write(descriptor, b"ours"), held=nothing)
        else:
            put(held, "new", lambda descriptor: os.write(descriptor, b"ours"), held=nothing)
    assert contents(tmp_path) == {"old": "as it was", "new": "the person's" if meanwhile else "ours"}


@pytest.mark.skipif(replace._renameat2() is None, reason="no two files can change places here")
@pytest.mark.parametrize("third", ["made before ours", "made after ours"])
def test_a_third_file_that_is_put_over_ours_on_the_way_back_is_the_one_that_stays(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, third: str
):
    (tmp_path / "third").write_text("third")
    renamed, asked = replace._renamed, []

    def meanwhile(*arguments: object) -> bool:
        asked.append(arguments)
        if len(asked) == 1:
            (tmp_path / "second").write_text("second")
            (tmp_path / "second").replace(tmp_path / "old")
        if len(asked) == 2:
            if third == "made after ours":
                (tmp_path / "new").write_text("third")
                (tmp_path / "new").replace(tmp_path / "third")
            (tmp_path / "third").replace(tmp_path / "old")
        return renamed(*arguments)

    monkeypatch.setattr(replace, "_renamed", meanwhile)
    with Held(held, "old", 9) as old, pytest.raises(OSError, match=os.strerror(errno.ESTALE)):
        put(held, "old", lambda descriptor: os.write(descriptor, b"ours"), held=old)
    assert contents(tmp_path) == {"old": "third"}
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("code", "expected"),
    [(0, True), (errno.EINVAL, False), (errno.ENOSYS, False), (errno.ENOENT, errno.ESTALE)]
    + [(errno.EPERM, errno.EPERM), (errno.EXDEV, errno.EXDEV), (errno.EEXIST, errno.EEXIST)],
)
def test_what_the_kernel_says_of_a_swap_is_told_apart(
    held: int, monkeypatch: pytest.MonkeyPatch, code: int, expected: bool | int
):
    asked = []

    def rename(*arguments: object) -> int:
        asked.append(arguments)
        ctypes.set_errno(code)
        return -1 if code else 0

    monkeypatch.setattr(replace, "_renameat2", lambda: rename)
    try:
        said: bool | int | None = replace._renamed(held, "a", b"b", 2)
    except OSError as error:
        said = error.errno
    assert said is expected if isinstance(expected, bool) else said == expected
    assert asked == [(held, b"a", held, b"b", 2)]


class Clock:
    """The time, which passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, list[float]()

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.mark.skipif(sys.platform != "linux", reason="no leases here")
@pytest.mark.parametrize("closed_after", [0.0, 0.05, 0.15, None])
def test_who_writes_into_the_file_is_waited_for_a_fifth_of_a_second(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed_after: float | None
):
    clock = Clock()
    monkeypatch.setattr(replace, "time", clock)
    person = os.open(tmp_path / "old", os.O_WRONLY)
    real, told = replace.fcntl.fcntl, []

    def fcntl(descriptor: int, command: int, value: int = 0) -> int:
        told.append((command, value))
        if command == replace.fcntl.F_SETLEASE and closed_after is not None and clock.now >= 100 + closed_after:
            with suppress(OSError):
                os.close(person)
        return real(descriptor, command, value)

    monkeypatch.setattr(replace.fcntl, "fcntl", fcntl)
    with Held(held, "old", 100) as old:
        if closed_after is None:
            with pytest.raises(OSError, match=os.strerror(errno.EBUSY)), old._unwritten():
                pytest.fail("somebody can write into it")
            os.close(person)
            assert 0.19 < clock.now - 100 < 0.22
        else:
            with old._unwritten() as still:
                assert still()
            assert abs(clock.now - 100 - closed_after) < 0.011
            assert told[-1] == (replace.fcntl.F_SETLEASE, replace.fcntl.F_UNLCK), "it is given back"
    assert set(clock.slept) <= {0.005}


@pytest.mark.parametrize("code", [errno.EACCES, errno.EINVAL])
def test_a_file_that_takes_no_lease_is_swapped_without_one(held: int, monkeypatch: pytest.MonkeyPatch, code: int):
    def refused(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(replace.fcntl, "fcntl", refused)
    with Held(held, "old", 100) as old, old._unwritten() as still:
        assert still()
    assert not replace._lease(-1)
