"""A file is put in place of another in one step, by a name that is told apart, and a kill leaves nothing half done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import PROJECT
from sandbox.files import replace
from sandbox.files.replace import in_place_of, put, temporary_name

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
