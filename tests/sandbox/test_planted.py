"""The table of names that other programs run later: which name is of which kind, and where a tool may write."""

from __future__ import annotations

import pytest

from sandbox.files.off_limits import kind_of, refusal_to_write
from sandbox.files.planted import ASIDE, BARE, BY_CODE, CACHE, HOOKS, KINDS, REPOSITORY, TOLD
from sandbox.running.quarantine import is_bare_repository


@pytest.mark.parametrize(
    ("name", "promise"),
    [
        (".vscode", ASIDE),
        (".VSCode", ASIDE),
        (".EnvRC", ASIDE),
        ("SiteCustomize.py", ASIDE),
        ("a.pyc", CACHE),
        ("A.PYO", CACHE),
        ("x.y.pth", TOLD),
        ("conftest.py", TOLD),
    ],
)
def test_a_name_is_known_in_any_spelling(name: str, promise: str):
    kind = kind_of(name)
    assert kind is not None
    assert kind.promise == promise


def test_repositories_and_hooks_are_kinds_of_their_own_and_ordinary_names_are_of_none():
    assert kind_of(".git") is kind_of("git~1") is REPOSITORY
    assert kind_of(".githooks") is HOOKS
    assert not [name for name in ("main.py", "pyc", ".py", "x.pyc.txt", ".gitignore", "HEAD", "path") if kind_of(name)]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (".vscode/tasks.json", "run by editors"),
        ("deep/.idea/a/b/c", "run by editors"),
        (".envrc", "run by a shell"),
        ("a/sitecustomize.py", "run by Python"),
        ("a/b.pyc", "run by Python"),
        ("HEAD", '"HEAD" can make a folder a repository'),
        ("a/Head", '"Head" can make a folder a repository'),
    ],
)
def test_a_tool_may_not_write_there(path: str, why: str):
    assert why in (refusal_to_write(path.split("/")) or "")


@pytest.mark.parametrize(
    "path", ["conftest.py", "a.pth", ".envrc/x", "a.pyc/b", "main.py", "HEAD/x", "objects/x", ".gitconfig"]
)
def test_a_tool_may_write_there(path: str):
    assert refusal_to_write(path.split("/")) is None
    assert refusal_to_write([]) is None


@pytest.mark.parametrize(
    ("names", "is_one"),
    [
        ("HEAD objects refs", True),
        ("head OBJECTS Refs config", True),
        ("HEAD commondir", True),
        ("HEAD objects", False),
        ("HEAD refs", False),
        ("objects refs commondir", False),
        ("HEAD commondir-and-more", False),
    ],
)
def test_what_git_would_take_for_a_repository(names: str, is_one: bool):
    assert is_bare_repository(set(names.split())) is is_one


def test_every_kind_says_what_it_is_who_runs_it_and_what_is_done():
    for kind in KINDS:
        assert kind.promise in (ASIDE, TOLD, CACHE, BY_CODE)
        assert kind.run_by
        assert kind.names or kind is BARE
        assert all(kind_of(name.replace("*", "a")) is kind for name in kind.names.split())
        assert kind.folder == (kind.names.startswith((".husky", ".vscode", ".claude", "sitecustomize user")))
