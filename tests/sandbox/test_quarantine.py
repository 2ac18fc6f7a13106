"""After a run of code: what would run later, outside, is moved aside or told, wherever it is; what was there stays."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from config import PROJECT
from functions.run_python_file import run_python_file
from functions.run_tests import run_tests
from sandbox.files.off_limits import kind_of
from sandbox.files.planted import ASIDE, BY_CODE, KINDS, TOLD, Kind
from sandbox.files.root import Refusal, Root
from sandbox.running import levels, pretending
from sandbox.running.look import after, look
from sandbox.running.process import run_python

LEVELS = pytest.mark.parametrize("hidden", [(), ("namespaces",)], ids=["as it is", "no namespaces"])
MAKE = "import os\ndef make(path, text='x'):\n    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)\n    open(path, 'w').write(text)\n"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        root.quarantine = tmp_path / "quarantine"
        yield root


def run(root: Root, code: str) -> tuple[str, ...]:
    (root.path / "main.py").write_text(MAKE + code)
    outcome = run_python(root, ["main.py"])
    assert outcome.exit_code == 0, outcome
    return outcome.notes


def tried(code: str) -> str:
    """Code that a wall may stop, which is as good."""
    body = "\n".join(f"    {line}" for line in code.splitlines())
    return f"try:\n{body}\nexcept OSError as error:\n    print(error)"


def put(root: Root, **files: str) -> None:
    for name, text in files.items():
        path = root.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


ODD_NAMES = {
    ".git .hg .svn .jj": ".git/hooks/post-checkout deep/.Git/config .hg/hgrc .svn/wc.db deep/.jj/repo/config.toml",
    "*.so *.pyd": "a.so a.pyd deep/a.cpython-311-darwin.so",
    "*.pyc *.pyo": "__pycache__/a.cpython-311.pyc b.pyc b.pyo",
    "*.pth": "lib/site-packages/a.pth",
}


def examples(kind: Kind) -> list[str]:
    """Paths to plant: each name at the top and deep below, and of a folder something inside."""
    if kind.names in ODD_NAMES:
        return ODD_NAMES[kind.names].split()
    ways = ("{}/x", "deep/{}/below/x") if kind.folder else ("{}", "deep/{}")
    return [way.format(name) for name in kind.names.split() for way in ways]


EXAMPLES = [(kind, path) for kind in KINDS for path in examples(kind)]


@pytest.mark.parametrize(("kind", "path"), EXAMPLES, ids=[path for _, path in EXAMPLES])
def test_each_name_of_the_table_gets_what_it_promises(root: Root, tmp_path: Path, kind: Kind, path: str) -> None:
    """The look before and the look after, with the planting between: no code is needed to plant."""
    top = os.open(root.path, os.O_RDONLY)
    before = look(top, str(root.path), mounts=False)
    put(root, **{path: "x"})
    told = after(top, before, root.quarantine)
    os.close(top)
    assert len(told) == 1
    assert (root.path / path).exists() == (kind.promise == TOLD)
    assert ("moved aside" in told[0]) == (kind.promise != TOLD)
    assert kind.run_by in told[0]
    if kind.promise != TOLD:
        assert path in (tmp_path / "quarantine" / "contents.txt").read_text()


@pytest.mark.parametrize(("kind", "path"), EXAMPLES, ids=[path for _, path in EXAMPLES])
def test_a_tool_does_not_write_what_is_moved_aside_after_a_run(root: Root, kind: Kind, path: str) -> None:
    if kind.promise in (TOLD, BY_CODE):
        root.write_text(path, "x")
        return
    with pytest.raises(Refusal):
        root.write_text(path, "x")
    assert list(root.path.rglob("*")) == []


def test_where_all_is_plain_the_machinery_for_the_rest_is_not_loaded(tmp_path: Path) -> None:
    """A run that changes a file and makes another; what the system refuses is not what happens either."""
    (tmp_path / "main.py").write_text("open('data.txt', 'w').write('x'); open('new.txt', 'w').write('y')")
    (tmp_path / "data.txt").write_text("1")
    program = (
        "import sys\nfrom sandbox.files.root import Root\nfrom sandbox.running.process import run_python\n"
        "with Root(sys.argv[1]) as root:\n    root.change_text('data.txt', lambda text: text + '2')\n"
        "    root.is_file('missing')\n    print(run_python(root, ['main.py']).notes)\n"
        "print(*sys.modules)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    notes, modules = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert notes == "()"
    assert "sandbox.running.look" in modules.split()
    assert not {"sandbox.running.quarantine", "sandbox.running.aside", "sandbox.files.refusal"} & {*modules.split()}


def test_what_other_programs_run_is_found_after_a_real_run(root: Root) -> None:
    notes = run(root, "make('.git/hooks/post-checkout'); make('tests/conftest.py')")
    assert len(notes) == 2
    assert not (root.path / ".git").exists()
    assert (root.path / "tests" / "conftest.py").exists()


PLACES = {
    "a bare repository in a folder": "make('tests/HEAD'); os.makedirs('tests/objects'); os.makedirs('tests/refs')",
    "a repository that borrows another": "make('t/HEAD'); make('t/commondir', '../other')",
    "a folder that cannot be listed": "os.mkdir('tools', 0o311); make('tools/.git/config')",
    "a repository that cannot be moved": "make('tools/.git/config'); os.chmod('tools/.git', 0o555)",
    "a folder that cannot be written to": "make('tools/.git/config'); os.chmod('tools', 0o555)",
    "behind many names": "os.mkdir('data')\nfor n in range(3000): open(f'data/{n}', 'w').close()\nmake('y/z/.git/config')",
    "1,200 levels down": "for _ in range(1200): os.mkdir('d'); os.chdir('d')\nmake('.git/config')",
    "by a path that no system call takes": "for _ in range(25): os.mkdir('x' * 200); os.chdir('x' * 200)\nmake('.git/config')",
}


@pytest.mark.sample(3)
@pytest.mark.usefixtures("leaves_nothing_deep")
@pytest.mark.parametrize("place", PLACES)
def test_it_is_found_wherever_it_is(root: Root, place: str) -> None:
    notes = run(root, PLACES[place])
    assert len(notes) == 1
    assert "moved aside" in notes[0]
    assert run(root, "print(1)") == ()


def test_a_bare_repository_at_the_top_is_found(root: Root) -> None:
    notes = run(root, "os.mkdir('objects'); os.mkdir('refs'); make('HEAD'); make('config')")
    assert '"HEAD"' in notes[0]
    assert not (root.path / "HEAD").exists()


def test_a_hook_where_the_settings_lead_is_moved_aside(root: Root) -> None:
    put(root, **{".git/config": "[core]\n\thooksPath = build/hooks\n", "build/hooks/readme": "mine"})
    notes = run(root, "make('build/hooks/pre-commit')")
    assert "moved aside" in notes[0]
    assert [path.name for path in (root.path / "build" / "hooks").iterdir()] == ["readme"]


def test_in_a_folder_that_was_there_the_new_is_moved_aside_and_the_changed_told(root: Root) -> None:
    put(root, **{".vscode/settings.json": "mine"})
    notes = run(root, "make('.vscode/tasks.json'); make('.vscode/settings.json', 'evil')")
    assert sorted("moved aside" in note for note in notes) == [False, True]
    assert '".vscode/settings.json"' in "".join(notes)
    assert [path.name for path in (root.path / ".vscode").iterdir()] == ["settings.json"]


def test_after_a_test_run_it_is_told_before_the_failures_which_may_be_long(root: Root) -> None:
    (root.path / "tests.py").write_text(
        "import unittest\nclass T(unittest.TestCase):\n"
        "    def test_it(self):\n        open('.envrc', 'w').close()\n        self.fail('x' * 20_000)\n"
    )
    lines = run_tests(root).split("\n")
    assert lines[0].startswith("1 of 1 tests failed")
    assert "moved aside" in lines[1]


def test_nothing_runs_in_the_quarantine(root: Root, tmp_path: Path) -> None:
    """What is taken away lies there as plain numbered files, whatever it was."""
    settings = f'[core]\n\tfsmonitor = "touch {tmp_path}/ran; false"\n'
    run(
        root,
        "for n in ('objects', 'refs'): os.makedirs('.git/' + n)\nmake('.git/HEAD', 'ref: refs/heads/main')\n"
        f"make('.git/config', {settings!r})\nos.close(os.open('.git/run', os.O_CREAT, 0o755)); make('.envrc')",
    )
    quarantine = tmp_path / "quarantine"
    assert all(path.is_file() and not os.access(path, os.X_OK) for path in quarantine.iterdir())
    assert ".git/config" in (quarantine / "contents.txt").read_text()
    if shutil.which("git"):
        outside = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
        subprocess.run(["git", "status"], cwd=quarantine, env=outside, capture_output=True)
        assert not (tmp_path / "ran").exists()


@LEVELS
def test_a_folder_renamed_out_of_the_temporary_one_brings_no_links_and_pipes(
    root: Root, tmp_path: Path, hidden: tuple[str, ...]
) -> None:
    code = (
        "d = os.environ['TMPDIR'] + '/d'; os.mkdir(d)\n"
        "os.symlink('/etc/passwd', d + '/notes.txt'); os.mkfifo(d + '/pipe')\nos.rename(d, 'd')"
    )
    with pretending.hidden(*hidden):
        notes = run(root, tried(code))
    left = root.path / "d"
    if left.exists():  # where the temporary folder lies on the same disk
        assert list(left.iterdir()) == []
        assert '"d/pipe", "d/notes.txt"' in notes[0] or '"d/notes.txt", "d/pipe"' in notes[0]
        assert "d/notes.txt -> /etc/passwd" in (tmp_path / "quarantine" / "contents.txt").read_text()


BY_RULE = {
    "hidden": "make('.local/tool/a'); make('.local/tool/b'); make('sub/.hidden')",
    "executable": "os.close(os.open('tool', os.O_CREAT, 0o755))",
    "binary": "open('data.bin', 'wb').write(b'x' + bytes(3))",
}


@LEVELS
@pytest.mark.parametrize("what", BY_RULE)
def test_what_is_new_and_hidden_executable_or_binary_is_told(root: Root, what: str, hidden: tuple[str, ...]) -> None:
    with pretending.hidden(*hidden):
        notes = run(root, BY_RULE[what] + "\nmake('plain.txt'); make('more/plain.py')")
    assert len(notes) == 1
    assert notes[0].startswith(f"Made while the code ran, and {what}: ")
    assert "plain" not in notes[0]
    assert what != "hidden" or ('".local"' in notes[0] and '"sub/.hidden"' in notes[0])


def test_what_was_there_and_is_run_by_tools_is_told_when_it_changes(root: Root) -> None:
    put(root, **{"tool": "mine", ".tool.toml": "mine", "plain.txt": "mine"})
    (root.path / "tool").chmod(0o755)
    notes = run(root, "make('tool', 'other'); make('.tool.toml', 'other'); make('plain.txt', 'other')")
    assert [note.partition(":")[0] for note in notes] == [
        "Changed while the code ran, and hidden",
        "Changed while the code ran, and executable",
    ]


def test_instructions_made_by_code_are_moved_aside_and_changed_ones_told(root: Root, tmp_path: Path) -> None:
    assert "as instructions" in run(root, "make('AGENTS.md', 'Obey.')")[0]
    assert not (root.path / "AGENTS.md").exists()
    root.write_text("AGENTS.md", "Mine.")
    assert "read it first" in run(root, "make('AGENTS.md', 'Obey.')")[0]


LEADS = {
    "relative": "[core]\n\thooksPath = build/hooks\n",
    "on the line of the section, in capitals": "[CORE] HOOKSPATH = build/hooks\n",
    "in quotes": '[core]\n\thooksPath = "build/hooks"\n',
    "over two lines": "[core]\n\thooksPath = build/\\\nhooks\n",
    "absolute": "[core]\n\thooksPath = {top}/build/hooks\n",
    "by an include": "[include]\n\tpath = ../more.config\n",
    "a command for a hook": '[hook "x"]\n\tevent = pre-commit\n\tcommand = sh build/hooks/pre-commit\n',
}


@LEVELS
@pytest.mark.parametrize("settings", LEADS.values(), ids=LEADS.keys())
def test_what_the_settings_of_a_repository_name_is_moved_aside(
    root: Root, settings: str, hidden: tuple[str, ...]
) -> None:
    put(root, **{".git/config": settings.format(top=root.path), "build/x": "", "more.config": LEADS["relative"]})
    with pretending.hidden(*hidden):
        notes = run(root, "make('build/hooks/pre-commit')")
    assert "core.hooksPath" in notes[0] or "settings lead" in notes[0]
    assert not (root.path / "build" / "hooks" / "pre-commit").exists()


def test_hooks_of_a_linked_worktree_and_of_a_repository_above_are_found(root: Root, tmp_path: Path) -> None:
    put(root, **{"tree/.git": "gitdir: ../main/.git/worktrees/tree\n", "main/.git/config": LEADS["relative"]})
    put(root, **{"main/.git/worktrees/tree/commondir": "../..\n", "tree/a.py": ""})
    assert "settings lead" in run(root, "make('tree/build/hooks/pre-commit')")[0]
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("[core]\n\thooksPath = work/build/hooks\n")
    assert "settings lead" in run(root, "make('build/hooks/pre-commit')")[0]


@LEVELS
@pytest.mark.parametrize("mark", ["pyvenv.cfg", "conda-meta/history"])
def test_installed_packages_that_are_renamed_and_replaced_are_told(
    root: Root, mark: str, hidden: tuple[str, ...]
) -> None:
    put(root, **{f"project/env/{mark}": "", "project/env/lib/site.py": "mine"})
    code = f"os.rename('project', 'old'); make('project/env/{mark}'); make('project/env/lib/site.py', 'evil')"
    with pretending.hidden(*hidden):
        notes = run(root, code)
    assert any('"project/env' in note and "installed packages" in note for note in notes)


def test_a_copy_of_a_project_that_shares_its_store_does_not_lead_to_the_original(root: Root, tmp_path: Path) -> None:
    put(root, **{".git/config": "mine", ".git/HEAD": "mine", "a.py": "mine"})
    for name in (".git/config", ".git/HEAD", "a.py"):
        os.link(root.path / name, tmp_path / name.replace("/", "-"))
    for hidden in ((), ("namespaces",)):
        with pretending.hidden(*hidden):
            run(root, tried("for n in ('.git/config', '.git/HEAD', 'a.py'): open(n, 'a').write('evil')"))
        assert {(tmp_path / name).read_text() for name in (".git-config", ".git-HEAD", "a.py")} == {"mine"}


def test_after_a_run_it_is_told_before_what_the_code_printed(root: Root) -> None:
    put(root, **{"main.py": "print('x' * 20_000); open('.envrc', 'w').close()"})
    assert "moved aside" in run_python_file(root, "main.py").split("\n")[0]


def test_what_was_there_before_is_left_alone(root: Root) -> None:
    put(root, **{".git/hooks/x": "", "conftest.py": "", ".vscode/x": "", "a/__pycache__/b.pyc": "", ".envrc": ""})
    assert run(root, "print(1)") == ()
    assert (root.path / ".git" / "hooks").is_dir()


def test_a_second_find_of_the_same_name_does_not_overwrite_the_first(root: Root, tmp_path: Path) -> None:
    for text in ("one", "two"):
        run(root, f"make('.envrc', {text!r})")
    kept = sorted(path.read_text() for path in (tmp_path / "quarantine").iterdir() if path.name.isdigit())
    assert kept == ["one", "two"]


def test_it_is_carried_to_another_disk(root: Root) -> None:
    elsewhere = Path("/dev/shm", f"glassbox-test-{os.getpid()}")
    if not Path("/dev/shm").is_dir() or Path("/dev/shm").stat().st_dev == root.path.stat().st_dev:
        pytest.skip("this system has no second disk")
    root.quarantine = elsewhere
    try:
        run(root, "make('.git/hooks/x'); make('.envrc')")
        assert sorted(path.name for path in elsewhere.iterdir()) == ["00001", "00002", "contents.txt"]
        assert sorted(path.name for path in root.path.iterdir()) == ["main.py"]
    finally:
        shutil.rmtree(elsewhere, ignore_errors=True)


CHANGES = {
    "a new hook": "make('.git/hooks/post-checkout')",
    "a hook of more than a mebibyte": "make('.git/hooks/post-checkout', '#' * (2 << 20))",
    "a setting": "open('.git/config', 'a').write('[core] fsmonitor = ./evil')",
    "a hook taken away": "os.unlink('.git/hooks/pre-commit')",
    "another in its place": "os.rename('.git', 'old'); os.mkdir('.git'); open('.git/config', 'w')",
    "another store": "make('.git/commondir', '../evil')",
    "HEAD deleted": "os.unlink('.git/HEAD')",
    "a directory for HEAD": "os.unlink('.git/HEAD'); os.mkdir('.git/HEAD')",
    "objects deleted": "os.unlink('.git/objects/ab/cd'); os.rmdir('.git/objects/ab')",
    "the settings of a submodule": "make('.git/modules/sub/config', 'evil')",
    "the file of a worktree": "make('tree/.git', 'gitdir: ../evil')",
    "the file of a worktree replaced": "os.unlink('tree/.git'); make('tree/.git/config', 'evil')",
    "all of it deleted": "import shutil; shutil.rmtree('.git')",
    "a bare one": "make('fixtures/repo/config', 'evil')",
}


@pytest.mark.sample(8)
@LEVELS
@pytest.mark.parametrize("code", CHANGES.values(), ids=CHANGES.keys())
def test_a_repository_that_was_there_stays_as_it_was(root: Root, code: str, hidden: tuple[str, ...]) -> None:
    names = ["HEAD", "config", "hooks/pre-commit", "objects/ab/cd", "refs/heads/main", "modules/sub/config"]
    bare = [f"fixtures/repo/{name}" for name in ("HEAD", "config", "objects/x", "refs/x")]
    files = [*(f".git/{name}" for name in names), "tree/.git", *bare]
    put(root, **dict.fromkeys(files, "mine"))
    with pretending.hidden(*hidden):
        run(root, tried(code))
    kept = [
        path for path in root.path.rglob("*") if path.is_file() and ".git" in path.parts or "fixtures" in path.parts
    ]
    assert sorted(
        str(path.relative_to(root.path)) for path in kept if path.is_file() and "old" not in path.parts
    ) == sorted(files)
    assert all((root.path / file).read_text() == "mine" for file in files)


@LEVELS
def test_a_repository_may_be_carried_with_its_folder(root: Root, hidden: tuple[str, ...]) -> None:
    put(root, **{"vendor/.git/HEAD": "mine", "vendor/x.py": ""})
    with pretending.hidden(*hidden):
        assert run(root, "os.rename('vendor', 'vendor2')") == ()
    assert (root.path / "vendor2" / ".git" / "HEAD").read_text() == "mine"


def test_what_is_too_large_to_put_back_is_told(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.running.repositories._MOST_BYTES", 10)
    put(root, **{".git/HEAD": "mine", ".git/objects/pack": "x" * 100})
    with pretending.hidden("namespaces"):
        notes = run(root, "os.unlink('.git/objects/pack'); os.unlink('.git/HEAD')")
    assert (root.path / ".git" / "HEAD").read_text() == "mine"
    assert "too large to put back" in notes[-1]


def test_what_the_person_s_git_packs_anew_meanwhile_is_not_taken_where_the_old_cannot_be_put_back(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which("git"):
        pytest.skip("git is not installed")

    def git(*words: str) -> str:
        mine = ["git", "-c", "user.name=me", "-c", "user.email=me@example.org", *words]
        return subprocess.run(mine, cwd=root.path, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet", "--template=")
    one, two = (os.urandom(10_000).hex() for _ in range(2))
    for text in (one, two):
        put(root, **{"work.txt": text})
        git("add", ".")
        git("commit", "--quiet", "-m", "more")
    monkeypatch.setattr("sandbox.running.repositories._MOST_BYTES", 5_000)
    with closing(root.again()) as directory:
        before = look(directory.fileno(), str(root.path), mounts=False)
        git("gc", "--quiet", "--prune=now")
        put(root, **{".git/objects/info/alternates": "/elsewhere"})
        after(directory.fileno(), before, None)
    assert not (root.path / ".git" / "objects" / "info" / "alternates").exists()
    git("fsck", "--full", "--strict")
    assert git("show", "HEAD~:work.txt") == one


def test_a_repository_behind_a_link_does_not_stop_a_run(root: Root) -> None:
    (root.path / ".git").symlink_to("nowhere")
    assert run(root, "print(1)") == ()


def test_git_itself_finds_nothing_to_run(root: Root, tmp_path: Path) -> None:
    """The whole way, with the program that would run it."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    fsmonitor = f'[core]\n\tworktree = ..\n\tfsmonitor = "touch {tmp_path}/ran; false"\n'
    code = f"for n in ('objects', 'refs/heads'): os.makedirs('tests/' + n)\nmake('tests/HEAD', 'ref: refs/heads/main')\nmake('tests/config', {fsmonitor!r})"
    run(root, code)
    subprocess.run(["git", "status"], cwd=root.path / "tests", capture_output=True)
    assert not (tmp_path / "ran").exists()


@LEVELS
@pytest.mark.parametrize("path", [".venv/lib/package.py", "node_modules/a/index.js", "data/shared.txt"])
def test_a_hard_link_leads_nowhere(root: Root, tmp_path: Path, path: str, hidden: tuple[str, ...]) -> None:
    put(root, **{path: "shared", ".venv/pyvenv.cfg": ""})
    os.link(root.path / path, tmp_path / "cache")
    with pretending.hidden(*hidden):
        run(root, tried(f"open({path!r}, 'r+').write('EVIL!!')"))
    assert (tmp_path / "cache").read_text() == "shared"


@LEVELS
def test_two_names_that_are_both_inside_stay_one_file(root: Root, hidden: tuple[str, ...]) -> None:
    put(root, **{"a.txt": "x"})
    os.link(root.path / "a.txt", root.path / "b.txt")
    with pretending.hidden(*hidden):
        run(root, "open('a.txt', 'w').write('new')")
    assert (root.path / "b.txt").read_text() == "new"


def test_files_that_are_too_large_to_copy_are_told(root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.running.links.MOST_COPIED", 3)
    put(root, data="shared")
    os.link(root.path / "data", tmp_path / "cache")
    with pretending.hidden("namespaces"):
        assert "1 files here have another name outside" in run(root, "print(1)")[-1]


def test_a_program_that_fails_on_installed_packages_is_told_why(root: Root) -> None:
    if "namespaces" not in levels.level().walls:
        pytest.skip(f"packages are read-only with namespaces alone: {levels.level().line}")
    put(root, **{".venv/pyvenv.cfg": "", "main.py": "open('.venv/x.pth', 'w')"})
    outcome = run_python(root, ["main.py"])
    assert "installed packages" in outcome.notes[-1]
    assert not (root.path / ".venv" / "x.pth").exists()


def test_ordinary_names_are_in_no_kind() -> None:
    ordinary = [
        "main.py",
        "HEAD.md",
        ".env",
        ".gitignore",
        ".github",
        "Makefile",
        "conftest.txt",
        "git",
        "pth",
        ".pyc.txt",
    ]
    assert [name for name in ordinary if kind_of(name)] == []
    assert {kind.promise for kind in KINDS} > {ASIDE, TOLD}
