"""A look at the files that uses the last one again tells what one that knows nothing tells."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.files.look import Look
from sandbox.files.root import Entry, Refusal, Root

LONG_AGO = 1_000_000_000


def is_wanted(path: str, entry: Entry) -> bool:
    return not path.endswith(".tmp") and entry.size < 100


def written(path: Path, text: str = "text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def kept_stamp(path: Path, text: str) -> None:
    """An edit in place after which the folder and the file's time are as they were."""
    folder, before = path.parent.stat(), path.stat()
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    os.utime(path.parent, ns=(folder.st_atime_ns, folder.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "edited in place, its folder as it was": lambda top: kept_stamp(top / "a/one.md", "longer than before"),
    "touched": lambda top: os.utime(top / "a/one.md"),
    "added": lambda top: written(top / "a/new.md"),
    "deleted": lambda top: (top / "a/one.md").unlink(),
    "renamed": lambda top: (top / "a/one.md").rename(top / "a/zero.md"),
    "two change names": lambda top: [
        (top / f"a/{old}").rename(top / f"a/{new}")
        for old, new in (("one.md", "x"), ("two.md", "one.md"), ("x", "two.md"))
    ],
    "replaced": lambda top: written(top / "aside", "another").replace(top / "a/one.md"),
    "a folder in a file's place": lambda top: [(top / "a/one.md").unlink(), written(top / "a/one.md/in.md")],
    "a file in a folder's place": lambda top: [shutil.rmtree(top / "a/b"), written(top / "a/b")],
    "a link in a file's place": lambda top: [
        (top / "a/one.md").unlink(),
        (top / "a/one.md").symlink_to(top / "a/two.md"),
    ],
    "a new folder": lambda top: written(top / "c/d/e.md"),
    "a folder is gone": lambda top: shutil.rmtree(top / "a"),
    "a folder moves": lambda top: (top / "a").rename(top / "z"),
    "too large to be wanted": lambda top: (top / "a/one.md").write_text("x" * 200, encoding="utf-8"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_second_look_tells_what_changed_and_makes_nothing_new_of_the_rest(change: str, tmp_path: Path):
    for name in (
        "top.md",
        "a/one.md",
        "a/two.md",
        "a/odd\nname.md",
        "a/b/three.md",
        "q/same.md",
        ".git/no.md",
        "q/x.tmp",
    ):
        written(tmp_path / name)
    (tmp_path / "q/link.md").symlink_to(tmp_path / "top.md")
    with Root(tmp_path) as root:
        look = Look(root, is_wanted)
        before = look()
        assert list(before) == ["top.md", "a/one.md", "a/two.md", "a/b/three.md", "q/same.md"]
        CHANGES[change](tmp_path)
        after = look()
        assert after == {path: entry for path, entry in root.walk() if is_wanted(path, entry)}
        assert after != before or change == "two change names"
        assert after["q/same.md"] is before["q/same.md"]


def test_over_random_changes_it_is_as_though_each_look_were_the_first(tmp_path: Path):
    draw = random.Random(31)
    names = [f"{folder}{name}" for folder in ("", "a/", "a/b/", "c/") for name in ("one.md", "two.md", "three.tmp")]
    with Root(tmp_path) as root:
        look = Look(root, is_wanted)
        for _ in range(200):
            path = tmp_path / draw.choice(names)
            if path.exists() and draw.random() < 0.5:
                path.unlink()
            else:
                written(path, "x" * draw.randrange(3))
            assert look() == Look(root, is_wanted)() == {path: e for path, e in root.walk() if is_wanted(path, e)}


def test_a_look_at_a_directory_that_is_no_longer_held_is_refused(tmp_path: Path):
    root = Root(tmp_path)
    look = Look(root, is_wanted)
    assert look() == {}
    root.close()
    with pytest.raises(Refusal, match="no longer open"):
        look()
