"""The branch for Windows, run here with the three system calls replaced by what Linux has in their place."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest

from sandbox.files import root as files
from sandbox.files import windows as files_windows
from sandbox.files.root import Refusal, Root


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Root]:
    if sys.platform != "linux":
        pytest.skip("the final path of a descriptor is asked of /proc")
    monkeypatch.setattr(files_windows, "_pin", lambda path: os.open(path, os.O_RDONLY | os.O_DIRECTORY))
    monkeypatch.setattr(files_windows, "_unpin", os.close)
    monkeypatch.setattr(files_windows, "_final_path", lambda handle: str(Path(f"/proc/self/fd/{handle}").readlink()))
    monkeypatch.setattr(files_windows, "_handle_of", lambda descriptor: descriptor)
    monkeypatch.setattr(files, "Directory", files_windows.Directory)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "work" / "link_to_nothing").symlink_to(tmp_path / "outside" / "new.txt")
    (tmp_path / "work" / "link_to_file").symlink_to(tmp_path / "outside" / "secret.txt")
    (tmp_path / "work" / "main.py").write_text("print('hello')\n")
    with Root(tmp_path / "work") as root:
        yield root


def test_it_reads_writes_lists_walks_and_deletes(root: Root) -> None:
    root.write_bytes("pkg/deep/new.py", b"a longer text")
    root.write_bytes("pkg/deep/new.py", b"short\n\x00")
    assert root.read_bytes("pkg/deep/new.py") == b"short\n\x00"
    assert [entry[:3] for entry in root.entries("pkg/deep")] == [("new.py", "file", 7)]
    assert [path for path, _ in root.walk()] == ["main.py", "pkg/deep/new.py"]
    root.remove("main.py")
    assert not root.exists("main.py")


@pytest.mark.parametrize("path", ["link/secret.txt", "link", "link_to_file", "link_to_nothing", "link/new/file.txt"])
def test_it_follows_no_link(root: Root, tmp_path: Path, path: str) -> None:
    for do in (root.read_bytes, lambda path: root.write_bytes(path, b"x"), root.entries, root.remove, root.is_file):
        with pytest.raises(Refusal, match="is a symbolic link, and links are never followed") as caught:
            do(path)
        assert caught.value.reason == "symlink"
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["secret.txt"]
    assert (tmp_path / "outside" / "secret.txt").read_text() == "secret"


@pytest.mark.parametrize("path", ["link/secret.txt", "link_to_file"])
def test_a_link_that_appears_after_the_look_is_caught_by_the_final_path(
    root: Root, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a look at the name said a moment ago is forgotten here: as if the link had been put there since."""
    monkeypatch.setattr(files_windows, "is_link", lambda status: False)
    lstat = Path.lstat
    monkeypatch.setattr(Path, "lstat", lambda path: path.stat() if path.is_relative_to(root.path) else lstat(path))
    before = set(Path("/proc/self/fd").iterdir())
    for do in (root.read_bytes, lambda path: root.write_bytes(path, b"x")):
        with pytest.raises(Refusal) as caught:
            do(path)
        assert caught.value.reason == "symlink"
    assert (tmp_path / "outside" / "secret.txt").read_text() == "secret"
    assert set(Path("/proc/self/fd").iterdir()) == before


def test_what_is_no_file_or_no_directory_is_told_in_the_same_words(root: Root) -> None:
    root.write_bytes("pkg/a.py", b"")
    for do, path, sentence in [
        (root.read_bytes, "nowhere", 'File not found or is not a regular file: "nowhere"'),
        (root.read_bytes, "pkg", 'File not found or is not a regular file: "pkg"'),
        (root.entries, "main.py", '"main.py" is not a directory'),
        (root.entries, "nowhere", '"nowhere" is not a directory'),
        (lambda path: root.write_bytes(path, b""), "pkg", 'Cannot write to "pkg" as it is a directory'),
        (
            lambda path: root.write_bytes(path, b""),
            "main.py/x",
            'Cannot write to "main.py/x" as "main.py" is not a directory',
        ),
        (root.remove, "nowhere", 'Cannot delete "nowhere" as it or its directory does not exist'),
    ]:
        with pytest.raises(Refusal) as caught:
            do(path)
        assert str(caught.value) == sentence


def test_a_working_directory_that_is_a_file_is_refused(root: Root) -> None:
    with pytest.raises(Refusal, match="is not a directory"):
        Root(root.path / "main.py")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("\\\\?\\C:\\Users\\Me\\work", "\\\\?\\c:\\users\\me\\WORK", True),
        ("\\\\?\\C:\\work", "\\\\?\\C:\\work\\", True),
        ("\\\\?\\C:\\work_evil", "\\\\?\\C:\\work", False),
        ("\\\\?\\C:\\work", "\\\\?\\D:\\work", False),
        ("\\\\?\\UNC\\host\\share\\work", "\\\\?\\UNC\\HOST\\share\\work", True),
        ("\\\\?\\UNC\\host\\share\\work", "\\\\?\\UNC\\host\\other\\work", False),
        ("\\\\?\\C:\\work\\LONGNA~1", "\\\\?\\C:\\work\\longname.txt", False),
    ],
)
def test_final_paths_are_compared_name_by_name(one: str, other: str, same: bool) -> None:
    assert files_windows.same_path(PureWindowsPath(one), PureWindowsPath(other)) is same


@pytest.mark.parametrize(("tag", "link"), [(0xA000000C, True), (0xA0000003, True), (0, False), (0x9000001A, False)])
def test_a_junction_is_a_link_and_a_file_in_the_cloud_is_not(tag: int, link: bool) -> None:
    assert files_windows.is_link(SimpleNamespace(st_mode=stat.S_IFDIR, st_reparse_tag=tag)) is link
