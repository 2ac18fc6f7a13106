"""After a run of code: what would run later, outside, is moved aside and told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from functions.run_tests import run_tests
from sandbox.files.root import Root
from sandbox.running import levels, quarantine
from sandbox.running.process import run_python


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Root]:
    monkeypatch.setattr(quarantine, "place", tmp_path / "quarantine")
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        yield root


def run(root: Root, code: str) -> tuple[str, ...]:
    (root.path / "main.py").write_text(code)
    outcome = run_python(root, ["main.py"])
    assert outcome.exit_code == 0, outcome
    return outcome.notes


@pytest.mark.parametrize("path", [".git/hooks/post-checkout", "deep/.Git/config", ".vscode/tasks.json", ".envrc"])
def test_what_other_programs_run_is_moved_aside_and_told(root: Root, tmp_path: Path, path: str) -> None:
    code = f"import os; os.makedirs(os.path.dirname({path!r}) or '.', exist_ok=True); open({path!r}, 'w').write('x')"
    notes = run(root, code)
    assert len(notes) == 1
    assert "moved aside" in notes[0]
    assert not (root.path / path).exists()
    assert len(list((tmp_path / "quarantine").iterdir())) == 1


def test_a_bare_repository_is_found(root: Root) -> None:
    notes = run(root, "import os; os.mkdir('objects'); os.mkdir('refs'); open('HEAD', 'w'); open('config', 'w')")
    assert '"HEAD"' in notes[0]
    assert not (root.path / "HEAD").exists()


def test_a_new_conftest_at_the_top_is_told_and_left(root: Root) -> None:
    notes = run(root, "open('conftest.py', 'w')")
    assert "conftest.py" in notes[0]
    assert (root.path / "conftest.py").exists()


def test_after_a_test_run_it_is_told_before_the_failures_which_may_be_long(root: Root) -> None:
    (root.path / "tests.py").write_text(
        "import unittest\nclass T(unittest.TestCase):\n"
        "    def test_it(self):\n        open('.envrc', 'w').close()\n        self.fail('x' * 20_000)\n"
    )
    lines = run_tests(root).split("\n")
    assert lines[0].startswith("1 of 1 tests failed")
    assert "moved aside" in lines[1]


def test_what_was_there_before_is_left_alone(root: Root) -> None:
    (root.path / ".git" / "hooks").mkdir(parents=True)
    (root.path / "conftest.py").write_text("")
    assert run(root, "print(1)") == ()
    assert (root.path / ".git" / "hooks").is_dir()


CHANGES = {
    "a new hook": "open('.git/hooks/post-checkout', 'w').write('x')",
    "a setting": "open('.git/config', 'a').write('[core] fsmonitor = ./evil')",
    "a hook taken away": "import os; os.unlink('.git/hooks/pre-commit')",
    "another in its place": "import os; os.rename('.git', 'old'); os.mkdir('.git'); open('.git/config', 'w')",
}


@pytest.mark.parametrize("hidden", [(), ("namespaces",)], ids=["as it is", "no namespaces"])
@pytest.mark.parametrize("code", CHANGES.values(), ids=CHANGES.keys())
def test_the_commands_of_a_repository_that_was_there_stay_as_they_were(
    root: Root, code: str, hidden: tuple[str, ...]
) -> None:
    (root.path / ".git" / "hooks").mkdir(parents=True)
    (root.path / ".git" / "config").write_text("mine")
    (root.path / ".git" / "hooks" / "pre-commit").write_text("mine")
    with levels.hidden(*hidden):
        run(root, f"try:\n    {code}\nexcept OSError as error:\n    print(error)")
    assert (root.path / ".git" / "config").read_text() == "mine"
    assert [path.name for path in (root.path / ".git" / "hooks").iterdir()] == ["pre-commit"]


def test_a_repository_behind_a_link_does_not_stop_a_run(root: Root) -> None:
    (root.path / ".git").symlink_to("nowhere")
    assert run(root, "print(1)") == ()


def test_a_second_find_of_the_same_name_does_not_overwrite_the_first(root: Root, tmp_path: Path) -> None:
    for text in ("one", "two"):
        run(root, f"open('.envrc', 'w').write({text!r})")
    assert sorted(path.read_text() for path in (tmp_path / "quarantine").iterdir()) == ["one", "two"]
