"""What the person has told git for all their repositories holds for a commit and a pull, and no program of theirs runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from repositories import act, git, notes, theirs, with_remote

from reach import git as git_module
from reach.repository import Repository
from sandbox.files.root import Refusal

__all__ = ["notes"]  # a fixture


@pytest.fixture
def person(notes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration file of the person, empty yet."""
    path = notes.parent / "person.config"
    path.write_text("", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(path))
    return path


def says(person: Path, name: str, value: str) -> None:
    git(person.parent, "config", "--file", str(person), name, value)


def has_lfs(person: Path, notes: Path) -> None:
    """The person has a filter as git-lfs installs it, which leaves a mark where it runs."""
    for key in ("clean", "smudge"):
        says(person, f"filter.lfs.{key}", f"sh -c 'touch {notes.parent}/RAN; cat'")


def committed(notes: Path) -> set[str]:
    return set(git(notes, "ls-tree", "-r", "--name-only", "HEAD").split())


@pytest.mark.parametrize("how", ["by name", "in its usual place", "taken in", "by a machine's"])
def test_what_the_person_ignores_everywhere_is_not_committed(
    notes: Path, person: Path, how: str, monkeypatch: pytest.MonkeyPatch
):
    ignored = notes.parent / ("config/git/ignore" if how == "in its usual place" else "ignored")
    ignored.parent.mkdir(parents=True, exist_ok=True)
    ignored.write_text(".env", encoding="utf-8")
    other = person.with_name("other.config")
    if how == "by name":
        says(person, "core.excludesFile", str(ignored))
    elif how != "in its usual place":
        says(other, "core.excludesFile", str(ignored))
    if how == "taken in":
        says(person, "include.path", str(other))
    elif how == "by a machine's":
        monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
        monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(other))
    for name in (".env", "new.md", f".{'a' * 32}.tmp"):
        (notes / name).write_text("TOKEN=abc\n", encoding="utf-8")
    assert act(notes, Repository.status) == "## main\n?? new.md\n"
    act(notes, lambda it: it.commit("all"))
    assert committed(notes) == {"one.md", "both.md", "new.md"}


def test_what_is_ignored_from_now_on_holds_for_the_next_commit(notes: Path, person: Path):
    def in_between(repository: Repository) -> str:
        (notes / "new.md").write_text("new\n", encoding="utf-8")
        repository.commit("first")
        (notes.parent / "ignored").write_text(".env\n", encoding="utf-8")
        says(person, "core.excludesFile", str(notes.parent / "ignored"))
        (notes / ".env").write_text("TOKEN=abc\n", encoding="utf-8")
        return repository.commit("second")

    assert "Nothing to commit" in act(notes, in_between)


def test_a_file_of_ignored_names_that_cannot_be_read_stops_a_commit(notes: Path, person: Path):
    says(person, "core.excludesFile", str(notes.parent))
    (notes / ".env").write_text("TOKEN=abc\n", encoding="utf-8")
    with pytest.raises(Refusal, match="The person must mend that first"):
        act(notes, lambda it: it.commit("all"))
    assert ".env" not in committed(notes)


def test_without_room_for_the_ignored_names_nothing_is_committed(notes: Path, monkeypatch: pytest.MonkeyPatch):
    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(Refusal, match="must make room"):
        act(notes, lambda it: it.commit("all"))


def test_no_file_that_the_repositorys_own_configuration_names_is_read(notes: Path, person: Path):
    (notes.parent / "elsewhere").write_text("new.md filter=lfs\nnew.md\n", encoding="utf-8")
    for name in ("core.excludesFile", "core.attributesFile"):
        git(notes, "config", name, str(notes.parent / "elsewhere"))
    (notes / "new.md").write_text("new\n", encoding="utf-8")
    act(notes, lambda it: it.commit("all"))
    assert "new.md" in committed(notes)


@pytest.mark.parametrize("place", [".gitattributes", "below/.gitattributes", ".git/info/attributes", "../attributes"])
def test_a_file_that_goes_through_a_filter_is_not_committed(notes: Path, person: Path, place: str):
    has_lfs(person, notes)
    (notes / "below").mkdir()
    (notes / place).write_text("*.png filter=lfs -text\n", encoding="utf-8")
    says(person, "core.attributesFile", str(notes.parent / "attributes"))
    (notes / "below" / "y.png").write_text("raw\n", encoding="utf-8")
    with pytest.raises(Refusal, match=r'below/y\.png goes through the filter "lfs".*commit it with git itself'):
        act(notes, lambda it: it.commit("all"))
    assert committed(notes) == {"one.md", "both.md"}
    assert git(notes, "diff", "--cached", "--name-only") == ""
    assert not (notes.parent / "RAN").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a name is text")
def test_a_name_that_is_no_text_hides_no_filter(notes: Path):
    folder = notes / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / ".gitattributes").write_text("y filter=lfs\n", encoding="utf-8")
    (folder / "y").write_text("raw\n", encoding="utf-8")
    with pytest.raises(Refusal, match=r"/y goes through the filter") as refused:
        act(notes, lambda it: it.commit("all"))
    str(refused.value).encode("utf-8")


def test_beside_a_file_of_a_filter_that_is_as_committed_others_are_committed(notes: Path, person: Path):
    (notes / "y.png").write_text("pointer\n", encoding="utf-8")
    (notes / "gone.png").write_text("pointer\n", encoding="utf-8")
    (notes / ".gitattributes").write_text("*.png filter=lfs\n*.md -filter\n*.txt filter=\n", encoding="utf-8")
    git(notes, "add", "--all")
    git(notes, "commit", "-qm", "as the person does")
    (notes / "gone.png").unlink()
    for name in ("new.md", "new.txt"):
        (notes / name).write_text("new\n", encoding="utf-8")
    act(notes, lambda it: it.commit("all"))
    assert committed(notes) == {".gitattributes", "one.md", "both.md", "new.md", "new.txt", "y.png"}


def test_a_pull_that_would_put_pointers_in_the_place_of_pictures_changes_nothing(notes: Path, person: Path):
    has_lfs(person, notes)
    with_remote(notes)
    theirs(notes, "their.md", "theirs\n")
    assert "Pulled" in act(notes, Repository.pull)
    other = notes.parent / "other"
    (other / "y.png").write_text("pointer\n", encoding="utf-8")
    (other / ".gitattributes").write_text("*.png filter=lfs -text\n", encoding="utf-8")
    git(other, "add", ".")
    git(other, "commit", "-qm", "a picture")
    git(other, "push", "-q")
    before = git(notes, "rev-parse", "HEAD")
    with pytest.raises(Refusal, match=r'y\.png goes through the filter "lfs".*bring it here with git itself'):
        act(notes, Repository.pull)
    assert git(notes, "rev-parse", "HEAD") == before
    assert git(notes, "status", "--short") == ""
    assert not (notes / "y.png").exists()
    git(notes, "branch", "side", "refs/remotes/origin/main")
    with pytest.raises(Refusal, match=r'y\.png goes through the filter "lfs"'):
        act(notes, lambda it: it.switch("side"))
    assert git(notes, "branch", "--show-current") == "main\n"
    assert not (notes.parent / "RAN").exists()


@pytest.mark.parametrize(("own", "stored"), [("", len("one\ntwo\n")), ("false", len("one\r\ntwo\r\n"))])
def test_lines_end_in_a_commit_as_the_person_says_unless_the_repository_says(
    notes: Path, person: Path, own: str, stored: int
):
    says(person, "core.autocrlf", "true")
    if own:
        git(notes, "config", "core.autocrlf", own)
    (notes / "one.md").write_bytes(b"one\r\ntwo\r\n")
    act(notes, lambda it: it.commit("all"))
    assert int(git(notes, "cat-file", "-s", "HEAD:one.md")) == stored


def test_more_names_than_are_looked_through_are_refused_and_not_cut_off(notes: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(git_module, "LARGEST_LIST", 10)
    (notes / "a-longer-name.md").write_text("new\n", encoding="utf-8")
    with pytest.raises(Refusal, match="too many files"):
        act(notes, lambda it: it.commit("all"))
