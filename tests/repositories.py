"""Repositories of notes as a person has them, with a remote that somebody else pushes to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from reach.repository import Repository, repository_around
from sandbox.files.root import Root

PERSON = {
    **os.environ,
    **{f"GIT_{role}_{what}": "person" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(folder: Path, *arguments: str) -> str:
    """git as the person runs it."""
    ran = subprocess.run(["git", *arguments], cwd=folder, env=PERSON, capture_output=True, encoding="utf-8", timeout=60)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit on the branch main, of a person who has told git nothing."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "notes"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "one.md").write_text("one\n", encoding="utf-8")
    (folder / "both.md").write_text("line\n", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def act(folder: Path, action: Callable[[Repository], str], **settings: object) -> str:
    with Root(folder) as root:
        repository = repository_around(root, **settings)
        assert repository is not None
        try:
            return action(repository)
        finally:
            repository.close()


def with_remote(notes: Path) -> Path:
    bare = notes.parent / "bare.git"
    git(notes.parent, "clone", "-q", "--bare", str(notes), str(bare))
    git(notes, "remote", "add", "origin", str(bare))
    return bare


def theirs(notes: Path, name: str, text: str) -> None:
    """Somebody else pushes a change."""
    other = notes.parent / "other"
    git(notes.parent, "clone", "-q", str(notes.parent / "bare.git"), str(other))
    (other / name).write_text(text, encoding="utf-8")
    git(other, "add", ".")
    git(other, "commit", "-qm", "theirs")
    git(other, "push", "-q")
