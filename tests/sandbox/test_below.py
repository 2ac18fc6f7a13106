"""The walk below a directory that code may have built: every folder, by descriptor, closed ones and moved ones too."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from sandbox.files.directory import DIRECTORY, enter, folders, identity_of, stamp_of

pytestmark = pytest.mark.skipif(os.scandir not in os.supports_fd, reason="no descriptors of directories here")


@pytest.fixture
def top(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def ordinary(monkeypatch: pytest.MonkeyPatch) -> None:
    """As root, whom no mode keeps out, a directory without a right to read fails to open as it does for others."""
    if os.geteuid() != 0:
        return
    really = os.open

    def opened(path: str, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        enters = dir_fd is not None and path not in (".", "..") and not flags & os.O_PATH
        if enters and not os.stat(path, dir_fd=dir_fd, follow_symlinks=False).st_mode & 0o400:
            raise PermissionError(13, "Permission denied")
        return really(path, flags, *rest, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", opened)


def made(top: Path, *paths: str) -> None:
    for path in paths:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).touch()


def walked(top: int) -> dict[str, list[str]]:
    return {"/".join(names): sorted(entry.name for entry in entries) for names, _, entries in folders(top)}


def test_every_folder_comes_once_with_what_is_in_it_and_each_before_those_below(top: int, tmp_path: Path):
    made(tmp_path, "a/b/x", "a/y", "c/d/e/z")
    (tmp_path / "a" / "link").symlink_to("../c")
    seen = walked(top)
    assert seen == {"": ["a", "c"], "a": ["b", "link", "y"], "a/b": ["x"], "c": ["d"], "c/d": ["e"], "c/d/e": ["z"]}
    order = list(seen)
    assert all(order.index(path) > order.index(path.rpartition("/")[0]) for path in order if path)


def test_the_descriptor_is_that_of_the_folder(top: int, tmp_path: Path):
    made(tmp_path, "a/b/x", "c/x")
    for names, here, _ in folders(top):
        assert identity_of(os.fstat(here)) == identity_of((tmp_path / Path(*names)).stat())


def test_what_the_caller_takes_out_is_not_entered(top: int, tmp_path: Path):
    made(tmp_path, "a/b/x", "c/x")
    seen = []
    for names, _, entries in folders(top):
        seen.append("/".join(names))
        entries[:] = [entry for entry in entries if entry.name != "a"]
    assert seen == ["", "c"]


def test_no_descriptor_is_left_and_the_callers_own_stays_open(top: int, tmp_path: Path):
    made(tmp_path, "a/b/c/d/x")
    before = descriptors()
    walked(top)
    for names, _, _ in folders(top):
        if len(names) == 3:
            break
    os.fstat(top)
    assert descriptors() == before


def descriptors() -> int:
    """How many are open; 0 where the system does not tell."""
    return len(list(Path("/proc/self/fd").glob("*")))


@pytest.mark.parametrize("mode", [0o000, 0o311, 0o444, 0o555])
@pytest.mark.usefixtures("ordinary")
def test_a_folder_closed_to_its_owner_is_looked_into_and_closed_again(top: int, tmp_path: Path, mode: int):
    made(tmp_path, "a/b/c/x", "a/y")
    (tmp_path / "a" / "b").chmod(mode)
    (tmp_path / "a").chmod(mode)
    try:
        assert walked(top) == {"": ["a"], "a": ["b", "y"], "a/b": ["c"], "a/b/c": ["x"]}
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode
        for names, here, _ in folders(top):
            if len(names) == 1:
                assert os.fstat(here).st_mode & 0o700 == 0o700, "its owner may take things out of it meanwhile"
            if len(names) == 2:
                break
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode, "also when the walk is left early"
    finally:
        (tmp_path / "a").chmod(0o700)
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == mode
    (tmp_path / "a" / "b").chmod(0o700)


@pytest.mark.parametrize("first", ["inside", "outside"])
def test_a_folder_that_is_moved_while_it_is_looked_through_ends_the_walk(top: int, tmp_path: Path, first: str):
    (tmp_path / first).mkdir()  # so that either number is the larger one
    made(tmp_path, "inside/a/b/x", "inside/c/x", "outside/a/x")
    inside = os.open(tmp_path / "inside", os.O_RDONLY)

    def walk_and_move() -> None:
        for names, _, _ in folders(inside):
            if names == ["a", "b"]:
                (tmp_path / "inside" / "a" / "b").rename(tmp_path / "outside" / "b")

    try:
        with pytest.raises(OSError, match="moved while it was looked through"):
            walk_and_move()
    finally:
        os.close(inside)


def test_a_link_is_not_entered(top: int, tmp_path: Path):
    made(tmp_path, "a/x")
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(OSError, match="[Ll]ink|directory"):
        enter("link", top)
    os.close(enter("a", top))


def test_every_directory_is_opened_as_one_following_no_link_and_for_this_process_alone(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made(tmp_path, "a/b/x")
    really, flags = os.open, set[int]()

    def opened(path: str, flag: int, *rest: int, dir_fd: int | None = None) -> int:
        flags.add(flag)
        return really(path, flag, *rest, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", opened)
    walked(top)
    assert flags == {DIRECTORY} == {sum({os.O_RDONLY, os.O_DIRECTORY, os.O_NOFOLLOW, os.O_CLOEXEC})}


@pytest.mark.usefixtures("ordinary")
def test_who_is_let_in_for_a_moment_leaves_the_mode_as_it_was(top: int, tmp_path: Path):
    for mode in (0o000, 0o055, 0o2300):
        (tmp_path / "closed").mkdir()
        (tmp_path / "closed").chmod(mode)
        before = descriptors()
        os.close(enter("closed", top))
        assert stat.S_IMODE((tmp_path / "closed").stat().st_mode) == mode
        assert descriptors() == before
        (tmp_path / "closed").rmdir()


def test_every_mode_on_the_way_comes_back_when_the_walk_is_left_early(tmp_path: Path):
    made(tmp_path, "closed/a/b/c/x")
    places = [tmp_path / "closed", *(tmp_path / "closed" / path for path in ("a", "a/b", "a/b/c"))]
    for place in reversed(places):
        place.chmod(0o500)
    top = os.open(tmp_path / "closed", os.O_RDONLY)
    for depth in range(4):
        for names, _, _ in folders(top):
            if len(names) == depth:
                break
        assert [stat.S_IMODE(place.stat().st_mode) for place in places] == [0o500] * 4
    os.close(top)
    for place in places:
        place.chmod(0o700)


def test_another_users_folder_keeps_its_mode_while_it_is_looked_through(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made(tmp_path, "a/x")
    (tmp_path / "a").chmod(0o500)
    for user in (os.geteuid() - 1, os.geteuid() + 1):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        seen = [stat.S_IMODE(os.fstat(here).st_mode) for names, here, _ in folders(top) if names]
        assert seen == [0o500]
        monkeypatch.undo()
    seen = [stat.S_IMODE(os.fstat(here).st_mode) for names, here, _ in folders(top) if names]
    assert seen == [0o700]
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o500


def test_a_folder_that_is_open_to_its_owner_is_not_touched(top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made(tmp_path, "a/b/x", "c/x")
    (tmp_path / "c").chmod(0o2700)
    monkeypatch.setattr(os, "fchmod", lambda *_: pytest.fail("a mode was changed"))
    assert len(walked(top)) == 4


def test_a_stamp_tells_every_touch():
    fields = {"st_dev": 1, "st_ino": 2, "st_mode": 3, "st_size": 4, "st_mtime_ns": 5, "st_ctime_ns": 6}
    stamp = stamp_of(SimpleNamespace(**fields))
    assert stamp == (1, 2, 3, 4, 5, 6)
    assert stamp[2] == 3, "which is asked for as the mode"


def test_what_cannot_be_listed_or_looked_at_is_empty_and_no_directory(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made(tmp_path, "a/b/x", "c/x")
    really = os.scandir

    class Dead:
        name = "b"

        def is_dir(self, *, follow_symlinks: bool) -> bool:
            raise OSError(5, "Input/output error")

    def listed(here: int):
        if identity_of(os.fstat(here)) == identity_of((tmp_path / "c").stat()):
            raise OSError(5, "Input/output error")
        return really(here)

    monkeypatch.setattr(os, "scandir", listed)
    assert walked(top) == {"": ["a", "c"], "a": ["b"], "a/b": ["x"], "c": []}
    seen = {}
    for names, _, entries in folders(top):
        seen["/".join(names)] = [entry.name for entry in entries]
        if names == ["a"]:
            entries[:] = [Dead()]
    assert sorted(seen) == ["", "a", "c"]
