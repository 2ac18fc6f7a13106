"""What surrounds a run of code, piece by piece: where settings lead, what is taken away, copied, put back and removed."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("no descriptors of directories here", allow_module_level=True)

from sandbox.running import aside, leads, links, repositories, script, temporary
from sandbox.running.aside import Aside
from sandbox.running.leads import led_to
from sandbox.running.links import Links
from sandbox.running.look import after, by_rule, look
from sandbox.running.quarantine import _some, is_bare_repository, why_it_failed


@pytest.fixture
def top(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


# Where settings lead


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("[core]\n\thooksPath = hooks\n", {"hooks", ".git/hooks"}),
        ('[core]\nhooksPath = "my hooks"\n', {"my hooks", ".git/my hooks", "my", "hooks"}),
        ("[core] hooksPath = a/b\n", {"a/b", ".git/a/b"}),
        ("[core]\nhooksPath = a\\\n/b\n", {"a/b", ".git/a/b"}),
        ("[core]\nhooksPath = ../hooks\n", {"hooks"}),
        ("[core]\nhooksPath = ../../hooks\n", set()),
        ("[core]\nhooksPath = {top}/x/y\n", {"x/y"}),
        ("[core]\nhooksPath = /elsewhere/x\n", set()),
        ("[core]\neditor = vim\n", set()),
        ("[core]\neditor = ./vim\n", {"vim", ".git/vim"}),
        ('[hook "x"]\ncommand = run\n', {"run", ".git/run"}),
        ("[alias]\nx = !sh a.sh\n", {"!sh", "a.sh"}),
        ('[alias]\nx = "!sh \\"b/c\\""\n', {"b/c"}),
        ('[hook "x"]\ncommand = "sh run.sh"\n', {"run.sh"}),
        ("[user]\nname = A\n", set()),
        ("[core]\nhooksPath = .\n", {".git"}),
        ("[core]\nhooksPath = ..\n", set()),
    ],
)
def test_what_a_value_of_the_settings_names_is_found(tmp_path: Path, settings: str, found: set[str]):
    put(tmp_path, **{".git/config": settings.replace("{top}", str(tmp_path))})
    led = {"/".join(path) for path in led_to(str(tmp_path), str(tmp_path))}
    assert found <= led
    assert found or not led
    assert not any(path.startswith("..") for path in led)


def test_settings_that_others_take_in_are_read_each_once(tmp_path: Path):
    put(tmp_path, **{
        ".git/config": "[include]\npath = ../more\n",
        "more": "[include]\npath = .git/config\n[core]\nhooksPath = taken/in\n",
        ".git/config.worktree": "[core]\nhooksPath = of/worktree\n",
    })  # fmt: skip
    led = led_to(str(tmp_path), str(tmp_path))
    assert {("more",), ("taken", "in"), ("of", "worktree")} <= led


def test_a_worktree_has_its_settings_where_its_file_points_and_those_of_all(tmp_path: Path):
    put(tmp_path, **{
        "work/.git": "gitdir: ../main/.git/worktrees/work\n",
        "main/.git/worktrees/work/commondir": "../..\n",
        "main/.git/worktrees/work/config": "[core]\nhooksPath = ../work/own\n",
        "main/.git/config": f"[core]\nhooksPath = {tmp_path}/work/common/hooks\n",
    })  # fmt: skip
    led = led_to(str(tmp_path / "work"), str(tmp_path / "work"))
    assert {("own",), ("common", "hooks")} <= led


def test_of_very_many_settings_twenty_are_read_and_of_one_a_mebibyte(tmp_path: Path):
    put(tmp_path, **{".git/config": "[include]\npath = ../0/x\n"})
    put(tmp_path, **{f"{number}/x": f"[include]\npath = ../{number + 1}/x\n" for number in range(30)})
    led = led_to(str(tmp_path), str(tmp_path))
    assert ("19", "x") in led
    assert ("20", "x") not in led
    value = "[core]\nhooksPath = "
    put(tmp_path, **{".git/config": "#" * (2**20 - len(value) - 5) + "\n" + value + "a/bcdefgh"})
    assert ("a", "bc") in led_to(str(tmp_path), str(tmp_path))


@pytest.mark.parametrize("kind", ["missing", "fifo", "folder"])
def test_settings_that_are_no_file_lead_nowhere(tmp_path: Path, kind: str):
    (tmp_path / ".git").mkdir()
    if kind == "fifo":
        os.mkfifo(tmp_path / ".git" / "config")
    elif kind == "folder":
        (tmp_path / ".git" / "config").mkdir()
    assert led_to(str(tmp_path), str(tmp_path)) == set()
    assert leads._text(str(tmp_path / ".git" / "config")) == ""


# What is found by rule


@pytest.mark.parametrize(
    ("name", "mode", "data", "rule"),
    [
        ("a", 0o644, b"text", None),
        ("a", 0o600, b"", None),
        (".a", 0o644, b"text", "hidden"),
        ("a", 0o744, b"text", "executable"),
        ("a", 0o654, b"text", "executable"),
        ("a", 0o645, b"text", "executable"),
        ("a", 0o644, b"te\0xt", "binary"),
        ("a", 0o644, b"x" * 8191 + b"\0", "binary"),
        ("a", 0o644, b"x" * 8192 + b"\0", None),
    ],
)
def test_what_is_told_of_a_new_file_of_any_name(
    top: int, tmp_path: Path, name: str, mode: int, data: bytes, rule: str | None
):
    (tmp_path / name).write_bytes(data)
    (tmp_path / name).chmod(mode)
    assert by_rule(name, (tmp_path / name).stat(), top) == rule


def test_what_is_told_of_what_is_no_file(top: int, tmp_path: Path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "file").touch()
    for name, rule in [("folder", None), ("link", "no plain file")]:
        assert by_rule(name, (tmp_path / name).lstat(), top) == rule
    assert by_rule("gone", (tmp_path / "file").stat(), top) == "unreadable"
    (tmp_path / "since").symlink_to("file")
    assert by_rule("since", (tmp_path / "file").stat(), top) == "unreadable", "it has become a link since"


@pytest.mark.parametrize(
    ("names", "bare"),
    [
        ("HEAD objects refs", True),
        ("head OBJECTS Refs x", True),
        ("HEAD commondir", True),
        ("HEAD objects", False),
        ("HEAD refs", False),
        ("objects refs commondir", False),
        ("HEAD", False),
        ("", False),
    ],
)
def test_a_folder_that_git_takes_for_a_repository(names: str, bare: bool):
    assert is_bare_repository(set(names.split())) is bare


def test_of_many_paths_five_are_named():
    paths = [("a", str(number)) for number in range(7)]
    assert _some(paths[:5]) == '"a/0", "a/1", "a/2", "a/3", "a/4"'
    assert _some(paths[:6]) == '"a/0", "a/1", "a/2", "a/3", "a/4" and 1 more'
    assert _some(paths).endswith(" and 2 more")


@pytest.mark.parametrize(("code", "told"), [(errno.EROFS, 1), (errno.EBUSY, 1), (errno.ENOENT, 0)])
def test_why_a_program_failed_is_told_where_it_may_have_been_for_the_mounts(code: int, told: int):
    assert len(why_it_failed(f"OSError: {os.strerror(code)}")) == told


def test_a_link_that_has_come_is_moved_aside_whatever_its_name_promises(tmp_path: Path):
    work = tmp_path / "work"
    put(work, **{"main.py": "", "there": ""})
    folder = os.open(work, os.O_RDONLY)
    before = look(folder, str(work), mounts=False)
    for name in ("conftest.py", ".envrc", "plain"):
        (work / name).symlink_to("main.py")
    put(work, **{"folder/conftest.py": "", "folder/.envrc": "", "main.py": "changed"})
    told = after(folder, before, tmp_path / "aside")
    os.close(folder)
    assert sorted(str(path.relative_to(work)) for path in work.rglob("*")) == [
        "folder", "folder/conftest.py", "main.py", "there",
    ]  # fmt: skip
    opens = next(line for line in told if "whoever opens it" in line)
    assert all(f'"{name}"' in opens for name in ("conftest.py", "plain"))
    shell = next(line for line in told if "a shell that enters the folder" in line)
    assert all(f'"{name}"' in shell for name in (".envrc", "folder/.envrc"))
    assert "pytest" in told[-1]
    assert '"folder/conftest.py"' in told[-1]
    assert len(told) == 3


@pytest.mark.parametrize(
    ("error", "said"), [(OSError(errno.ESTALE, "it was moved"), "it was moved"), (OSError("odd"), "odd")]
)
def test_what_could_not_be_looked_through_is_said(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
):
    def folders(top: int) -> None:
        raise error

    before = look(top, str(tmp_path), mounts=False)
    monkeypatch.setattr("sandbox.running.look.folders", folders)
    assert after(top, before, None) == [f"Not all of the working directory could be looked through: {said}."]


# What is taken away


@pytest.mark.parametrize("another_disk", [False, True])
def test_what_is_taken_away_lies_in_numbered_files_that_nobody_runs(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, another_disk: bool
):
    put(tmp_path, **{"work/run": "#!x", "work/deep/.git/config": "[core]", "work/deep/.git/hooks/x": "evil"})
    (tmp_path / "work" / "run").chmod(0o755)
    (tmp_path / "work" / "deep" / "link").symlink_to("/etc/\npasswd")
    os.mkfifo(tmp_path / "work" / "pipe")
    if another_disk:

        def refused(*_: object, **__: object) -> None:
            raise OSError(errno.EXDEV, "Invalid cross-device link")

        monkeypatch.setattr(os, "rename", refused)
    into = tmp_path / "a" / "quarantine"
    put(into, **{"00002": "of a run before"})
    taken = Aside(into)
    folder = os.open(tmp_path / "work", os.O_RDONLY)
    taken.take(("work", "pipe"), folder, "pipe")
    taken.take(("work", "run"), folder, "run")
    taken.take(("work", "deep"), folder, "deep")
    os.close(folder)
    assert list((tmp_path / "work").iterdir()) == []
    files = {path.name: path.read_text() for path in into.iterdir()}
    lines = files.pop(aside.CONTENTS).splitlines()
    assert files.pop("00002") == "of a run before"
    assert sorted(files.values()) == ["#!x", "[core]", "evil"]
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in into.iterdir() if path.name in files)
    assert lines[0] == "      work/pipe (prw-r--r--)"
    assert f"{next(name for name in files if files[name] == '#!x')}  work/run" == lines[1]
    assert "      work/deep/link -> /etc/\\npasswd (lrwxrwxrwx)" in lines
    assert {line[7:] for line in lines[2:] if line[:5].isdigit()} == {"work/deep/.git/config", "work/deep/.git/hooks/x"}
    assert {line[:5] for line in lines if line[:5].isdigit()} == set(files)


def test_what_cannot_be_moved_stays_and_is_said(top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    put(tmp_path, file="x")
    monkeypatch.setattr(os, "rename", refused)
    with pytest.raises(OSError, match="Permission denied"):
        Aside(tmp_path / "into").take(("file",), top, "file")
    assert (tmp_path / "file").read_text() == "x"


def test_without_a_folder_a_temporary_one_is_made_once(top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made: list[str] = []
    monkeypatch.setattr(
        aside.tempfile, "mkdtemp", lambda prefix: made.append(prefix) or str(tmp_path / f"made{len(made)}")
    )
    put(tmp_path, one="1", two="2")
    taken = Aside(None)
    for name in ("one", "two"):
        taken.take((name,), top, name)
    assert made == ["glassbox-quarantine-"]
    assert sorted(path.name for path in (tmp_path / "made1").iterdir()) == ["00001", "00002", aside.CONTENTS]


# Files with several names


def status(number: int, names: int, size: int = 10, mode: int = 0o644) -> Any:
    return SimpleNamespace(st_dev=1, st_ino=number, st_nlink=names, st_size=size, st_mode=stat.S_IFREG | mode)


def test_a_file_leads_outside_that_has_more_names_than_were_met():
    met = Links(mounts=True)
    met.add(("a",), status(1, 2, 5))
    met.add(("b",), status(1, 2, 5))
    met.add(("c",), status(2, 2, 7))
    met.add(("d",), status(3, 3, 9))
    met.add(("e",), status(3, 3, 9))
    assert list(met.outside()) == [(("c",), 7), (("d",), 9), (("e",), 9)]
    assert met.left == 0


@pytest.mark.parametrize(("room", "left"), [(20, 0), (19, 1), (9, 2)])
def test_each_gets_a_content_of_its_own_as_far_as_there_is_room(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, left: int
):
    assert (links.MOST_COPIED, links.MOST_MOUNTS) == (268_435_456, 2000)
    monkeypatch.setattr(links, "MOST_COPIED", room)
    put(tmp_path, **{"in/deep/one": "1" * 10, "in/two": "2" * 10})
    found = Links(mounts=False)
    for path in ("in/deep/one", "in/two"):
        os.link(tmp_path / path, tmp_path / path.replace("/", "_"))
        (tmp_path / path).chmod(0o640)
        os.utime(tmp_path / path, ns=(1, 10**15 + 7))
        found.add(tuple(path.split("/")), (tmp_path / path).stat())
    assert len(list(found.separate(top))) == 2 - left
    assert found.left == left
    for number, path in enumerate(("in/deep/one", "in/two")):
        here, cached = (tmp_path / path).stat(), (tmp_path / path.replace("/", "_")).stat()
        assert (here.st_ino != cached.st_ino) is (number < 2 - left)
        assert (here.st_mode, here.st_mtime_ns) == (cached.st_mode, 10**15 + 7)
        assert (tmp_path / path).read_text() == str(number + 1) * 10


def test_what_nobody_may_write_to_may_stay_and_what_is_mounted_too(top: int, tmp_path: Path):
    put(tmp_path, file="x")
    os.link(tmp_path / "file", tmp_path / "cache")
    before = (tmp_path / "file").stat()
    assert Links(mounts=True).part(top, "file", before) is before
    for mode, copied in [(0o444, False), (0o644, True), (0o464, True), (0o446, True)]:
        now = Links(mounts=False).part(top, "file", status(before.st_ino, 2, 1, mode))
        assert (now.st_ino != before.st_ino) is copied
        (tmp_path / "file").unlink()
        os.link(tmp_path / "cache", tmp_path / "file")


def test_a_large_file_is_copied_whole(top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    data = os.urandom(3000)
    (tmp_path / "file").write_bytes(data)
    monkeypatch.setattr(links, "_CHUNK", 1000)
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, rest: write(descriptor, rest[:300]))
    (tmp_path / "file").chmod(0o4751)
    links._separate(top, ["file"])
    assert (tmp_path / "file").read_bytes() == data
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o751, "without the trust that the old one had"


# A repository that is put back


@pytest.fixture
def store(tmp_path: Path) -> Path:
    put(tmp_path, **{".git/config": "[core]", ".git/HEAD": "ref", ".git/objects/ab/c": "object", ".git/hooks/x": "#!"})
    (tmp_path / ".git" / "hooks" / "x").chmod(0o755)
    (tmp_path / ".git" / "link").symlink_to("HEAD")
    (tmp_path / ".git" / "empty").mkdir()
    return tmp_path / ".git"


def remembered(top: int, store: Path) -> repositories.Repository:
    return repositories.remember((".git",), top, ".git", store.lstat())


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): f"-> {path.readlink()}" if path.is_symlink() else path.read_text()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def test_what_was_changed_lost_and_made_in_a_repository_is_told_apart_and_put_back(top: int, store: Path):
    before, was = contents(store), remembered(top, store)
    repositories.begin_again([was])
    (store / "config").write_text("[evil]")
    (store / "HEAD").unlink()
    (store / "hooks" / "x").unlink()
    (store / "hooks").rmdir()
    (store / "empty").rmdir()
    (store / "link").unlink()
    (store / "link").mkdir()
    put(store, **{"hooks2/new": "evil", "link/x": "y"})
    lost, new = repositories.changes(was, remembered(top, store))
    assert lost == [("HEAD",), ("config",), ("hooks", "x"), ("link",)]
    assert new == [("hooks2", "new"), ("link", "x")]
    (store / "hooks2" / "new").unlink()
    assert repositories.put_back(top, was, (".git",), lost) == []
    aside_of_link = next(path.name for path in store.iterdir() if path.name.startswith("link.aside-"))
    assert contents(store) == {**before, f"{aside_of_link}/x": "y"}
    assert (store / "hooks" / "x").stat().st_mode & 0o777 == 0o755
    assert (store / "empty").is_dir()
    assert repositories.changes(was, was) == ([], [])


@pytest.mark.parametrize(("room", "kept"), [(6, True), (5, False)])
def test_objects_and_all_else_are_remembered_as_far_as_there_is_room_for_each(
    top: int, store: Path, monkeypatch: pytest.MonkeyPatch, room: int, kept: bool
):
    """ "object" has six bytes, and so has "[core]" alone: what is no object has a room of its own."""
    assert repositories._MOST_BYTES == 33_554_432
    for name in ("HEAD", "hooks/x", "link"):
        (store / name).unlink()
    monkeypatch.setattr(repositories, "_MOST_BYTES", room)
    repositories.begin_again([])
    was = remembered(top, store)
    assert {parts: file.data is not None for parts, file in was.files.items()} == {
        ("config",): kept, ("objects", "ab", "c"): kept,
    }  # fmt: skip
    put(store, **{"config": "changed", "objects/ab/c": "changed"})
    lost, new = repositories.changes(was, remembered(top, store))
    assert (len(lost), new) == (2, [])
    assert repositories.put_back(top, was, (".git",), lost) == ([] if kept else lost)


def test_only_a_file_with_another_name_is_given_a_content_of_its_own(top: int, store: Path, tmp_path: Path):
    os.link(store / "config", tmp_path / "cache")
    seen: list[tuple[str, int]] = []

    class Seen(Links):
        def part(self, folder: int, name: str, status: os.stat_result) -> os.stat_result:
            seen.append((name, status.st_nlink))
            return super().part(folder, name, status)

    was = repositories.remember((".git",), top, ".git", store.lstat(), Seen(mounts=False))
    assert seen == [("config", 2)]
    assert (tmp_path / "cache").stat().st_nlink == 1
    assert repositories.changes(was, remembered(top, store)) == ([], []), "the copy is what was there"


def test_an_unchanged_file_is_not_read_for_each_run(top: int, store: Path, monkeypatch: pytest.MonkeyPatch):
    was = remembered(top, store)
    repositories.begin_again([was])
    opened: list[object] = []
    really = os.open
    monkeypatch.setattr(os, "open", lambda *args, **more: opened.append(args[0]) or really(*args, **more))
    assert remembered(top, store) == was
    assert "config" not in opened
    repositories.begin_again([])
    assert remembered(top, store) == was
    assert "config" in opened


def test_a_repository_gets_its_name_and_its_place_again(top: int, store: Path, tmp_path: Path):
    before = contents(store)
    (tmp_path / "a").mkdir()
    store.rename(tmp_path / "a" / "moved")
    repositories.bring_back(top, ("a", "moved"), ("b", "c", ".git"))
    assert contents(tmp_path / "b" / "c" / ".git") == before
    assert list((tmp_path / "a").iterdir()) == []


def test_the_file_that_stands_for_a_repository_is_one_too(top: int, tmp_path: Path):
    put(tmp_path, **{".git": "gitdir: elsewhere"})
    was = remembered(top, tmp_path / ".git")
    assert was.files[()].data == b"gitdir: elsewhere"
    (tmp_path / ".git").write_text("gitdir: evil")
    assert repositories.changes(was, remembered(top, tmp_path / ".git")) == ([()], [])
    assert repositories.put_back(top, was, (".git",), [()]) == []
    assert (tmp_path / ".git").read_text() == "gitdir: elsewhere"


# The temporary directory of a run, and its limits


def test_a_temporary_directory_is_its_owners_alone_and_has_a_name_of_its_own(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    old, tokens = os.umask(0), ["taken", "taken", "free"]
    monkeypatch.setattr(temporary.secrets, "token_hex", lambda size: tokens.pop(0) if size == 8 else "")
    try:
        assert temporary.make(top) == "glassbox-taken"
        assert temporary.make(top) == "glassbox-free"
    finally:
        os.umask(old)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o700}


def test_whatever_is_in_a_directory_it_is_removed_and_what_it_leads_to_is_not(top: int, tmp_path: Path):
    put(tmp_path, **{"outside/file": "x", "t/a/b/c/file": "x", "t/a/d/file": "x", "t/file": "x"})
    (tmp_path / "t" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "t" / "a" / "b").chmod(0)
    (tmp_path / "t" / "a").chmod(0o500)
    temporary.remove("t", top)
    assert contents(tmp_path) == {"outside/file": "x"}
    put(tmp_path, **{"u/a/file": "x"})
    (tmp_path / "u").chmod(0)
    temporary.remove_all(tmp_path / "u")
    temporary.remove_all(tmp_path / "never")
    temporary.remove_all(tmp_path / "never" / "there")
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]


def test_what_is_opened_to_be_removed_is_opened_for_its_owner_alone(
    top: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    put(tmp_path, **{"t/a/file": "x"})
    really, closed, modes = os.open, ["t", "a"], list[tuple[str, int]]()

    def opened(name: str, flags: int, *, dir_fd: int) -> int:
        if name in closed:
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(name, flags, dir_fd=dir_fd)

    def chmod(name: str, mode: int, *, dir_fd: int) -> None:
        modes.append((name, mode))
        closed.remove(name)

    fchmod = os.fchmod
    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "chmod", chmod)
    monkeypatch.setattr(os, "fchmod", lambda here, mode: modes.append(("open", mode)) or fchmod(here, mode))
    temporary.remove("t", top)
    assert modes == [("t", 0o700), ("open", 0o700), ("a", 0o700), ("open", 0o700)]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("seconds", "processors", "cpu"), [(30, 4, 121), (0.1, 2, 2), (1.5, None, 3)])
@pytest.mark.parametrize("ceiling", [-1, 100])
def test_the_kernel_holds_each_process_to_its_part_of_the_limits(
    monkeypatch: pytest.MonkeyPatch, seconds: float, processors: int | None, cpu: int, ceiling: int
):
    resource = script.resource
    held: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(resource, "getrlimit", lambda number: (7, resource.RLIM_INFINITY if ceiling < 0 else ceiling))
    monkeypatch.setattr(resource, "setrlimit", held.__setitem__)
    script._limit({"seconds": seconds, "memory_bytes": 60, "file_bytes": 1000, "processes": 64}, 8)
    wanted = {
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_AS: 120,
        resource.RLIMIT_FSIZE: 1000,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 72,
    }
    assert held == {
        number: (value if ceiling < 0 else min(value, 100),) * 2 for number, value in wanted.items()
    }  # what the person may not have, code may not either
