"""What undo sees of a directory: every entry, what it is told to keep of it, and where its limits lie."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from catalogue import CATALOGUE

from agent.contracts import ToolCall
from config import PROJECT
from records.undo import tree
from records.undo.keep import touched_by
from records.undo.tree import Entry, Gaps, TooLarge, Tree, covered, look, scan, with_folders

pytestmark = pytest.mark.skipif(not tree.AVAILABLE, reason="no descriptors of directories here")


class Watched:
    """A directory, its descriptor, and what was kept of it."""

    def __init__(self, top: Path) -> None:
        self.top, self.kept, self.gaps = top, [], set()
        self.descriptor = os.open(top, os.O_RDONLY)

    def put(self, **files: bytes) -> None:
        for path, data in files.items():
            place = self.top / path.replace("__", "/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)

    def scan(self, known: Tree | None = None) -> Tree:
        return scan(self.descriptor, known or {}, lambda data, digest: self.kept.append(data), self.gaps)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    made = Watched(tmp_path)
    yield made
    os.close(made.descriptor)


def test_each_entry_has_its_kind_its_mode_and_the_digest_of_what_it_holds(watched: Watched):
    watched.put(pkg__a=b"one")
    (watched.top / "pkg" / "a").chmod(0o640)
    (watched.top / "pkg").chmod(0o750)
    (watched.top / "link").symlink_to("pkg/a")
    os.mkfifo(watched.top / "pipe")
    found = watched.scan()
    assert found["pkg"] == Entry("directory", 0o750)
    assert found["pkg/a"] == Entry("file", 0o640, hashlib.sha256(b"one").hexdigest())
    assert found["link"] == Entry("link", 0, "pkg/a")
    assert found["pkg/a"].owner == (os.geteuid(), (watched.top / "pkg" / "a").stat().st_gid)
    assert not found["pipe"].kept
    assert watched.kept == [b"one"]


def test_a_file_that_was_not_touched_is_not_read_again(watched: Watched):
    watched.put(a=b"one", b=b"two")
    first = watched.scan()
    watched.kept.clear()
    (watched.top / "b").write_bytes(b"TWO")
    second = watched.scan(first)
    assert watched.kept == [b"TWO"]
    assert second["a"] is first["a"]
    assert look(watched.descriptor, ["a"], known=first)["a"] is first["a"]


@pytest.mark.parametrize("change", ["content of the same size", "another file in its place"])
def test_a_file_that_looks_the_same_is_read_again_when_it_was_touched(watched: Watched, change: str):
    watched.put(a=b"one")
    known = watched.scan()
    status = (watched.top / "a").stat()
    if change == "another file in its place":
        (watched.top / "b").write_bytes(b"ONE")
        (watched.top / "b").replace(watched.top / "a")
    else:
        (watched.top / "a").write_bytes(b"ONE")
    os.utime(watched.top / "a", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert watched.scan(known)["a"].digest == hashlib.sha256(b"ONE").hexdigest()


def test_stores_of_repositories_are_left_out_at_any_depth(watched: Watched):
    watched.put(deep__x=b"x")
    for name in (".git", "deep/.git", "deep/.hg"):
        (watched.top / name).mkdir()
        (watched.top / name / "config").write_bytes(b"[core]")
    assert sorted(watched.scan()) == ["deep", "deep/x"]


def test_the_number_of_entries_may_be_reached_and_not_passed(watched: Watched, monkeypatch: pytest.MonkeyPatch):
    watched.put(a=b"", b=b"", d__c=b"")
    monkeypatch.setattr(tree, "MOST_ENTRIES", 4)
    assert len(watched.scan()) == 4
    watched.put(e=b"")
    with pytest.raises(TooLarge):
        watched.scan()


def test_a_folder_that_can_be_made_again_is_a_gap_where_it_would_be_too_many(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    watched.put(a=b"", venv__b=b"", venv__c=b"")
    monkeypatch.setattr(tree, "MOST_ENTRIES", 4)
    assert "venv/c" in watched.scan()
    watched.put(venv__d=b"")
    assert sorted(watched.scan()) == ["a"]
    assert watched.gaps == {"venv"}
    (watched.top / "venv" / "d").unlink()
    assert sorted(watched.scan()) == ["a"], "what is a gap stays one, or its files would seem to be new"


def test_a_folder_that_can_be_made_again_may_be_as_large_as_the_limit(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tree, "MOST_BYTES_MADE", 6)
    watched.put(node_modules__a=b"123", node_modules__b=b"456")
    assert "node_modules/b" in watched.scan()
    watched.put(node_modules__c=b"7")
    assert "node_modules/b" not in watched.scan()


def test_a_file_may_be_as_large_as_the_limit_and_is_else_watched_and_not_kept(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tree, "LARGEST_FILE", 3)
    watched.put(a=b"123", b=b"1234")
    found = watched.scan()
    assert found["a"].kept
    assert not found["b"].kept
    assert watched.kept == [b"123"]
    (watched.top / "b").write_bytes(b"12345")
    assert watched.scan()["b"] != found["b"], "that it was changed is seen all the same"


def test_past_the_bytes_of_all_files_together_nothing_more_is_kept(watched: Watched, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree, "MOST_BYTES", 10)
    watched.put(a=b"123456", b=b"1234", c=b"1")
    assert [path for path, entry in watched.scan().items() if not entry.kept] == ["c"]
    known = watched.scan()
    watched.kept.clear()
    (watched.top / "c").write_bytes(b"2")
    assert not watched.scan(known)["c"].kept, "what was not read again counts too"


def test_what_lies_deeper_than_a_path_can_be_long_is_a_gap(watched: Watched, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree, "LONGEST_PATH", 5)
    watched.put(a__bcd__e=b"", a__bcde__f=b"")
    assert sorted(watched.scan()) == ["a", "a/bcd", "a/bcd/e"]
    assert watched.gaps == {"a/bcde"}


def test_a_folder_that_may_not_be_read_does_not_stop_the_look(watched: Watched):
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    watched.put(closed__a=b"", b=b"")
    (watched.top / "closed").chmod(0)
    try:
        assert sorted(watched.scan()) == ["b", "closed"]
    finally:
        (watched.top / "closed").chmod(0o700)


def test_a_look_sees_these_paths_and_the_folders_on_the_way_and_what_is_not_there_it_leaves_out(watched: Watched):
    watched.put(a__b__c=b"x", a__d=b"y")
    assert sorted(look(watched.descriptor, ["a/b/c", "a/gone", "no/where", "a/d/below", "nul\0"])) == [
        "a", "a/b", "a/b/c", "a/d",
    ]  # fmt: skip
    assert with_folders(["a/b/c", "d"]) == {"a", "a/b", "a/b/c", "d"}


@pytest.mark.parametrize(
    ("path", "gaps", "seen"),
    [
        ("a", set(), True),
        ("venv", {"venv"}, False),
        ("venv/lib/x", {"venv"}, False),
        ("venv2/lib", {"venv"}, True),
        ("b/venv", {"venv", "c"}, True),
    ],
)
def test_what_lies_in_a_gap_is_not_covered(path: str, gaps: Gaps, seen: bool):
    assert covered(path, gaps) is seen


@pytest.mark.parametrize(
    ("path", "reached"),
    [
        ("a", {"a"}),
        ("./pkg//a.py", {"pkg", "pkg/a.py"}),
        ("/etc/passwd", set()),
        ("~/a", set()),
        ("..", set()),
        ("../a", set()),
        ("pkg/../../a", set()),
        ("", set()),
        (".", set()),
        ("a/" * 5000, set()),
        (7, set()),
    ],
)
def test_nothing_outside_is_looked_at_or_kept_for_the_sake_of_a_path_that_a_model_sends(
    path: object, reached: set[str]
):
    assert touched_by(ToolCall("a", "write_file", {"file_path": path, "content": ""}), CATALOGUE) == reached
    assert touched_by(ToolCall("a", "get_file_content", {"file_path": path}), CATALOGUE) == set(), "it only reads"
    assert touched_by(ToolCall("a", "run_python_file", {"file_path": path}), CATALOGUE) is None, (
        "code may change anything"
    )


def test_a_special_mode_is_part_of_an_entry(watched: Watched):
    watched.put(a=b"")
    (watched.top / "a").chmod(0o4755)
    assert watched.scan()["a"].mode == stat.S_ISUID | 0o755


def test_the_page_names_the_limits_as_they_are():
    page = (PROJECT / "docs" / "trace-format.md").read_text(encoding="utf-8")
    mib = 2**20
    assert f"files over {tree.LARGEST_FILE // mib} MiB, or past {tree.MOST_BYTES // mib} MiB in all" in page
    assert f"of more than {tree.MOST_BYTES_MADE // mib} MiB" in page
    assert f"deeper than {tree.LONGEST_PATH:,} bytes of path" in page
    assert f"more than {tree.MOST_ENTRIES:,} entries" in page
