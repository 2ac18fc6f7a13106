"""The directories that no agent is given to work in."""

import os
import sys
from pathlib import Path

import pytest

from sandbox.files import off_limits
from sandbox.files.root import Refusal, Root

PROJECT = Path(off_limits.__file__).parents[2]


def refusal_of(path: str | Path) -> str:
    with pytest.raises(Refusal) as caught:
        Root(path)
    assert caught.value.reason == "off_limits"
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/", "it is the whole disk"),
        ("/..", "it is the whole disk"),
        (PROJECT, "it contains this program's source"),
        (PROJECT.parent, "it contains this program's source"),
        (PROJECT / "sandbox", "it is part of this program's source"),
        (PROJECT / "offline", "it is part of this program's source"),
        (Path(os.__file__).parent, "it contains the Python installation"),
        (Path(os.__file__).parent / "json", "it is part of the Python installation"),
        (sys.prefix, "it contains the Python installation"),
        (sys.base_prefix, "it contains the Python installation"),
    ],
)
def test_a_directory_that_holds_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str | Path, why: str
) -> None:
    monkeypatch.setattr(off_limits, "_home", list)  # many clone into their home, which is then refused for two reasons
    (tmp_path / "spelled otherwise").symlink_to(path)
    for spelling in (path, tmp_path / "spelled otherwise"):
        name = Path(spelling).name or "/"  # a model may read this, and shall not learn where things are
        assert refusal_of(spelling) == f'Cannot work in "{name}" as {why}; choose a directory that holds one project'


def test_the_home_and_all_above_it_are_refused_and_what_is_in_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "me" / "project").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link").symlink_to("../home/me")
    monkeypatch.setenv("HOME", str(tmp_path / "elsewhere" / "link"))
    for path in ("home", "home/me", "elsewhere/link", "home/me/project/.."):
        assert "as it contains your home directory; choose" in refusal_of(tmp_path / path)
    Root(tmp_path / "home" / "me" / "project").close()


def test_an_account_without_a_home_can_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(off_limits.Path, "home", no_home)
    Root(tmp_path).close()


def test_the_store_of_a_repository_is_no_working_directory(tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    for path in (".git", ".git/hooks"):
        assert "as it is the store of a repository; choose" in refusal_of(tmp_path / path)


def test_directories_that_ship_to_be_worked_in_are_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sandbox", "functions", "calculator/pkg"):
        (tmp_path / "program" / name).mkdir(parents=True)
    monkeypatch.setattr(off_limits, "_PROGRAM", tmp_path / "program")
    Root(tmp_path / "program" / "calculator").close()
    assert "part of this program's source" in refusal_of(tmp_path / "program" / "functions")


def test_a_virtual_environment_is_no_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project" / ".venv" / "lib").mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "project" / ".venv"))
    for path in ("project", "project/.venv", "project/.venv/lib"):
        assert "the Python installation" in refusal_of(tmp_path / path)


@pytest.mark.parametrize("base", ["!", "~"])  # sorts before and after every path
def test_what_is_in_an_environment_is_off_limits_wherever_the_installation_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.setattr(sys, "base_prefix", base)
    assert "is part of the Python installation" in refusal_of(tmp_path / ".venv" / "lib")


def test_a_place_that_is_not_there_limits_nothing_and_those_after_it_still_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path.parent / "gone"))
    Root(tmp_path).close()
    places = off_limits._identities([tmp_path / "gone", tmp_path])
    assert list(places) == [(tmp_path.stat().st_dev, tmp_path.stat().st_ino)]


def test_a_store_is_known_by_any_name_on_its_way(tmp_path: Path) -> None:
    for path in ("/.git", "/.git/hooks", "/a/.HG", "/a/b/.svn/c"):
        assert off_limits.off_limits(Path(path), tmp_path.stat()) == "is the store of a repository"
