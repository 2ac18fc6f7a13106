"""Where git waits for a person, the git tools change nothing and say what comes next; what was kept meanwhile stays."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from repositories import PERSON, act, git, notes, theirs, with_remote

from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.tools.save_note import save_note
from reach.git import Git
from reach.repository import Repository
from reach.under_way import holds_both_sides
from sandbox.files.replace import temporary_name
from sandbox.files.root import Refusal, Root

__all__ = ["notes"]  # a fixture

BOTH = "A note.\n\n<<<<<<< HEAD\nmy line\n=======\ntheir line\n>>>>>>> origin/main\n"


@pytest.fixture
def forked(notes: Path) -> Path:
    """Here and at the remote the same line was changed, and what is there is fetched."""
    with_remote(notes)
    theirs(notes, "both.md", "their line\n")
    (notes / "both.md").write_text("my line\n", encoding="utf-8")
    git(notes, "commit", "-qam", "mine")
    git(notes, "fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*")
    return notes


def stopped(folder: Path, *arguments: str) -> None:
    """What stops at a conflict."""
    ran = subprocess.run(["git", *arguments], cwd=folder, env=PERSON, capture_output=True, timeout=60)
    assert ran.returncode != 0
    assert "<<<<<<<" in (folder / "both.md").read_text(encoding="utf-8")


def merge(folder: Path) -> None:
    stopped(folder, "merge", "origin/main")


def rebase(folder: Path) -> None:
    stopped(folder, "rebase", "origin/main")


def cherry_pick(folder: Path) -> None:
    stopped(folder, "cherry-pick", "origin/main")


def stash(folder: Path) -> None:
    (folder / "both.md").write_text("stashed\n", encoding="utf-8")
    git(folder, "stash", "-q")
    (folder / "both.md").write_text("later\n", encoding="utf-8")
    git(folder, "commit", "-qam", "later")
    stopped(folder, "stash", "pop")


def killed(folder: Path) -> None:
    (folder / ".git" / "index.lock").touch()


STEPS = {
    merge: "git merge --abort",
    rebase: "git rebase --abort",
    cherry_pick: "git cherry-pick --abort",
    stash: "git checkout HEAD -- FILE",
    killed: "the person deletes that file",
}
ACTIONS: dict[str, Callable[[Repository], str]] = {
    "commit": lambda it: it.commit("all"),
    "pull": Repository.pull,
    "branch": lambda it: it.switch("other"),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("state", STEPS, ids=lambda each: each.__name__)
def test_what_is_not_settled_is_neither_committed_nor_left_and_the_next_step_is_told(
    forked: Path, state: Callable[[Path], None], action: str
):
    state(forked)
    (forked / "kept.md").write_text("kept meanwhile\n", encoding="utf-8")
    before, stood = git(forked, "rev-parse", "HEAD"), (forked / "both.md").read_bytes()
    with pytest.raises(Refusal, match=STEPS[state]):
        act(forked, ACTIONS[action])
    assert git(forked, "rev-parse", "HEAD") == before
    assert (forked / "both.md").read_bytes() == stood
    assert (forked / "kept.md").read_text(encoding="utf-8") == "kept meanwhile\n"


def test_a_merge_that_the_person_settled_is_committed_and_one_with_a_mark_left_in_it_is_not(forked: Path):
    merge(forked)
    git(forked, "add", "both.md")  # marks and all
    with pytest.raises(Refusal, match=r"still stand in both\.md"):
        act(forked, ACTIONS["commit"])
    (forked / "both.md").write_text("both lines\n", encoding="utf-8")
    assert "Committed" in act(forked, ACTIONS["commit"])
    assert git(forked, "show", "HEAD:both.md") == "both lines\n"
    assert len(git(forked, "rev-list", "--parents", "-1", "HEAD").split()) == 3, "it concludes the merge"


def test_a_rebase_whose_files_are_settled_is_the_persons_to_end(forked: Path):
    rebase(forked)
    (forked / "both.md").write_text("both lines\n", encoding="utf-8")
    git(forked, "add", "both.md")
    with pytest.raises(Refusal, match="git rebase --continue"):
        act(forked, ACTIONS["commit"])


def test_on_no_branch_nothing_is_committed_until_there_is_one_and_no_commit_goes_out_of_sight(forked: Path):
    git(forked, "checkout", "-q", "--detach")
    (forked / "kept.md").write_text("kept\n", encoding="utf-8")
    before = git(forked, "rev-parse", "HEAD")
    with pytest.raises(Refusal, match="git_branch and a new name"):
        act(forked, ACTIONS["commit"])
    assert git(forked, "rev-parse", "HEAD") == before
    git(forked, "add", "kept.md")
    git(forked, "commit", "-qm", "on no branch")
    with pytest.raises(Refusal, match="out of sight"):
        act(forked, lambda it: it.switch("main"))
    assert "git switch --detach" in act(forked, lambda it: it.switch("found"))
    assert "on no branch" in git(forked, "log", "found")
    (forked / "more.md").write_text("more\n", encoding="utf-8")
    assert "Committed" in act(forked, ACTIONS["commit"])


def test_a_pull_with_a_conflict_touches_no_file_for_a_moment_either(forked: Path):
    """What is kept in a file while both sides stand in it would be put back with it."""
    stood = (forked / "both.md").stat()
    with pytest.raises(Refusal, match=r"same lines of both\.md"):
        act(forked, Repository.pull)
    assert (forked / "both.md").stat() == stood


def test_a_pull_never_resets_what_is_kept_while_it_is_at_work(forked: Path, monkeypatch: pytest.MonkeyPatch):
    """As `git merge` does where a file that it is about to write has changed: between its copy and its reset."""
    git(forked, "reset", "-q", "--hard", "HEAD~1")
    git(forked, "commit", "-qm", "mine", "--allow-empty")
    run = Git.run

    def meanwhile(self: Git, *arguments: str, **given: object) -> str:
        if arguments[0] == "merge":
            (forked / "both.md").write_text("kept meanwhile\n", encoding="utf-8")
        assert arguments[0] != "reset"
        assert arguments[0] != "merge" or "--ff-only" in arguments
        return run(self, *arguments, **given)

    monkeypatch.setattr(Git, "run", meanwhile)
    with pytest.raises(Refusal, match="would be overwritten"):
        act(forked, Repository.pull)
    assert (forked / "both.md").read_text(encoding="utf-8") == "kept meanwhile\n"
    monkeypatch.undo()
    (forked / "both.md").write_text("line\n", encoding="utf-8")
    assert "Pulled main" in act(forked, Repository.pull)
    assert (forked / "both.md").read_text(encoding="utf-8") == "their line\n"
    assert len(git(forked, "rev-list", "--parents", "-1", "HEAD").split()) == 3


def test_what_is_kept_while_a_pull_writes_its_files_stays(notes: Path):
    """git had looked at all of them before the first. Of twelve such changes it took back twelve."""
    for number in range(300):  # so that it takes a while from the first to the last
        (notes / f"a{number}.md").write_text("old\n", encoding="utf-8")
    (notes / "z.md").write_text("theirs\n\n\n\n\n", encoding="utf-8")
    git(notes, "add", ".")
    git(notes, "commit", "-qm", "many")
    with_remote(notes)
    other = notes.parent / "other"
    git(notes.parent, "clone", "-q", str(notes.parent / "bare.git"), str(other))
    for path in other.glob("*.md"):
        path.write_text(
            path.read_text(encoding="utf-8").replace("old", "new").replace("theirs", "again"), encoding="utf-8"
        )
    git(other, "commit", "-qam", "all of them")
    git(other, "push", "-q")
    first = notes / "a0.md"

    def keep() -> None:
        before = first.stat().st_mtime_ns
        with Root(notes) as root:
            begun.set()
            with suppress(FileNotFoundError):
                while first.stat().st_mtime_ns == before:
                    pass
            root.change_text("z.md", lambda old: f"{old}mine\n")

    begun, keeping = threading.Event(), threading.Thread(target=keep)
    keeping.start()
    assert begun.wait(60)
    assert "Pulled main" in act(notes, Repository.pull)
    keeping.join()
    assert (notes / "z.md").read_text(encoding="utf-8") == "again\n\n\n\n\nmine\n"


def test_what_a_killed_program_left_behind_is_not_committed(notes: Path):
    for name in (temporary_name(), f".{'0a' * 16}.turn", ".own.tmp", "0.tmp"):
        (notes / name).write_text("half", encoding="utf-8")
    assert "2 files changed" in act(notes, ACTIONS["commit"])
    assert set(git(notes, "ls-files").split()) == {"0.tmp", ".own.tmp", "both.md", "one.md"}


def test_who_pushes_what_others_were_quicker_with_is_told_to_pull_first(forked: Path):
    with pytest.raises(Refusal, match="git_pull"):
        act(forked, Repository.push, push=True)


def test_nothing_is_kept_in_a_note_that_both_sides_of_a_conflict_stand_in(forked: Path, tmp_path: Path):
    """It would be told as kept, and go with `git merge --abort`, or with the side that is left."""
    merge(forked)
    with Root(forked) as root:
        kb = KnowledgeBase(root, tmp_path / "index")
        said = save_note(kb, "both", "A new sentence about it.", "general")
        assert said.startswith("Error: ")
        assert "settles it first" in said
        assert save_note(kb, "Another", "What else there is.", "general", related=["both.md"]).startswith("Created")
        git(forked, "merge", "--abort")
        assert "Extended" in save_note(kb, "both", "A new sentence about it.", "general")
        kb.close()
    assert (forked / "both.md").read_text(encoding="utf-8").count("A new sentence about it.") == 1


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (BOTH, True),
        (BOTH.replace("=======", "||||||| base\nline\n======="), True),
        (f"How git marks it:\n\n```\n{BOTH}```\n", False),
        ("Title\n=======\n\nText.\n", False),
        ("<<<<<<< to the left\n", False),
        (">>>>>>> a\n=======\n<<<<<<< b\n", False),
    ],
)
def test_a_conflict_is_told_from_a_text_about_one(text: str, is_one: bool):
    assert holds_both_sides(text) is is_one
