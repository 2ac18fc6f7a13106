"""The working directory as a value: what it keeps, what it refuses, and in which words."""

import contextlib
import errno
import faulthandler
import os
import socket
import stat
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sandbox.files import directory as files_posix
from sandbox.files import off_limits as names
from sandbox.files import replace as files_replace
from sandbox.files import root as files
from sandbox.files import unusual
from sandbox.files.root import Entry, Refusal, Root, hold

SECRET = b"the secret of another directory"
PROJECT = Path(files.__file__).parents[2]
OUTSIDE = "as it is outside the permitted working directory"
EXAMPLE = '; use a plain relative path such as "pkg/render.py"'
ON_SHARED = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def _hang_guard() -> Iterator[None]:
    """Waiting for a FIFO cannot be interrupted: print where it hangs and end, instead of hanging for ever."""
    faulthandler.dump_traceback_later(300, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A working directory with everything in it that can go wrong, and neighbours that nobody may touch."""
    (tmp_path / "work_evil").mkdir()
    (tmp_path / "work_evil" / "secret.txt").write_bytes(SECRET)
    work = tmp_path / "work"
    (work / "pkg").mkdir(parents=True)
    (work / "main.py").write_text("print('hello')\n")
    (work / "pkg" / "render.py").write_text("def render(): ...\n")
    (work / ".git").mkdir()
    (work / ".git" / "config").write_text("[core]\n")
    (work / "link_to_file").symlink_to(tmp_path / "work_evil" / "secret.txt")
    (work / "link_to_directory").symlink_to(tmp_path / "work_evil")
    (work / "link_up").symlink_to("..")
    (work / "link_inside").symlink_to("main.py")
    (work / "link_to_nothing").symlink_to(tmp_path / "created_outside")
    os.mkfifo(work / "fifo")
    with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(work):
        server.bind("socket")
    return work


@pytest.fixture
def root(directory: Path) -> Iterator[Root]:
    with Root(directory) as root:
        yield root


@pytest.fixture
def locked(directory: Path, root: Root) -> Iterator[Root]:
    """A root with locked things in it, used by an ordinary user: the superuser gives his powers up for the test."""
    for name, mode in {"read_only.py": 0o444, "unreadable.py": 0o000}.items():
        (directory / name).write_text("locked")
        (directory / name).chmod(mode)
    for name, mode in {"closed": 0o000, "read_only": 0o555}.items():
        (directory / name).mkdir()
        (directory / name / "file.py").write_text("locked")
        (directory / name).chmod(mode)
    superuser = os.geteuid() == 0
    if superuser:
        for path in [directory, *directory.iterdir()]:
            os.chown(path, 65534, 65534, follow_symlinks=False)
        os.seteuid(65534)
    yield root
    if superuser:
        os.seteuid(0)
    for name in ("closed", "read_only"):
        (directory / name).chmod(0o755)


def refusal_of(call: Callable[..., object], *arguments: object, **options: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        call(*arguments, **options)
    return caught.value


def refusal_or_nothing(call: Callable[[str], object], path: str) -> str | None:
    try:
        call(path)
    except Refusal as refusal:
        return str(refusal)
    return None


def open_descriptors() -> set[Path]:
    listed = list(Path("/dev/fd").iterdir())  # among them the one that does the listing
    return {descriptor for descriptor in listed if descriptor.exists()}


def neighbours(directory: Path) -> dict[str, bytes]:
    """All that stands beside the working directory."""
    above = directory.parent
    return {
        str(path.relative_to(above)): path.read_bytes() if path.is_file() else b""
        for path in above.rglob("*")
        if directory not in (path, *path.parents)
    }


def doings(root: Root) -> dict[str, Callable[[str], object]]:
    """Every way to hand a path to a root, by the verb that its refusal uses."""
    return {
        "read": root.read_bytes,
        "write to": lambda path: root.write_bytes(path, b"overwritten"),
        "list": root.entries,
        "execute": lambda path: root.read_bytes(path, verb="execute"),
        "delete": root.remove,
    }


# What is outside


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../",
        "../work_evil/secret.txt",
        "pkg/../main.py",
        "pkg/../../work_evil",
        "./..",
        "nowhere/../../x",
        "a//..",
    ]
    + ["/etc/passwd", "/", "//host/share", "~", "~/.ssh/id_rsa", "~root/x", "/proc/self/cwd/main.py"]
    + [
        "C:",
        "C:\\Windows",
        "c:/x",
        "c:main.py",
        "\\\\host\\share",
        "\\\\?\\C:\\x",
        "\\Windows",
        "..\\x",
        "pkg\\..\\..\\x",
    ],
)
def test_a_path_that_leads_outside_is_refused_in_the_words_that_learners_know(root: Root, path: str) -> None:
    for verb, do in doings(root).items():
        refusal = refusal_of(do, path)
        assert (str(refusal), refusal.reason) == (f'Cannot {verb} "{path}" {OUTSIDE}', "outside")
    for look in (root.read_text, root.walk, root.is_file, root.exists):
        assert refusal_of(look, path).reason == "outside"


def test_a_sibling_directory_with_the_same_prefix_is_outside(root: Root, directory: Path) -> None:
    assert refusal_of(root.read_bytes, "../work_evil/secret.txt").reason == "outside"
    assert refusal_of(root.read_bytes, str(directory) + "_evil/secret.txt").reason == "outside"


def test_the_absolute_path_of_a_file_inside_is_refused_too(root: Root, directory: Path) -> None:
    assert refusal_of(root.read_bytes, str(directory / "main.py")).reason == "outside"


# Links


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("link_to_file", "link_to_file"),
        ("link_to_file/", "link_to_file"),
        ("link_inside", "link_inside"),
        ("link_to_nothing", "link_to_nothing"),
        ("link_to_directory", "link_to_directory"),
        ("link_to_directory/", "link_to_directory"),
        ("link_to_directory/.", "link_to_directory"),
        ("link_to_directory/secret.txt", "link_to_directory"),
        ("link_to_directory/not/there", "link_to_directory"),
        ("./link_up/work/main.py", "link_up"),
    ],
)
def test_a_link_is_never_followed(root: Root, directory: Path, path: str, link: str) -> None:
    before = neighbours(directory)
    for verb, do in doings(root).items():
        if verb == "write to" and path.endswith("/"):
            continue  # refused as a directory, see below
        refusal = refusal_of(do, path)
        detail = f'"{link}" is a symbolic link, and links are never followed'
        assert (str(refusal), refusal.reason) == (f'Cannot {verb} "{path}" {OUTSIDE}: {detail}', "symlink")
    assert refusal_of(root.is_file, path).reason == refusal_of(root.exists, path).reason == "symlink"
    assert neighbours(directory) == before
    assert (directory / link).is_symlink()


def test_a_link_in_place_of_the_working_directory_changes_nothing(root: Root, directory: Path) -> None:
    directory.rename(directory.parent / "moved")
    directory.symlink_to("work_evil")
    root.write_bytes("new.txt", b"new")
    assert root.read_bytes("main.py").startswith(b"print")
    assert "secret.txt" not in [entry.name for entry in root.entries()]
    assert (directory.parent / "moved" / "new.txt").read_bytes() == b"new"
    assert [path.name for path in (directory.parent / "work_evil").iterdir()] == ["secret.txt"]


def test_a_working_directory_that_was_deleted_is_empty_and_takes_no_file(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        (tmp_path / "work").rmdir()
        assert root.entries() == []
        refusal = refusal_of(root.write_bytes, "main.py", b"")
        assert str(refusal) == 'Cannot write to "main.py" as it or its directory does not exist'
        assert not (tmp_path / "work").exists()


# Names


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("a\0b", "it holds a control character or a line break"),
        ("a\nb", "it holds a control character or a line break"),
        ("main.py\r", "it holds a control character or a line break"),
        ("\x1b[2J", "it holds a control character or a line break"),
        ("a\u2028b", "it holds a control character or a line break"),
        ("pkg\\render.py", 'it holds a backslash, and directories are separated by "/"'),
        ("main.py::$DATA", '"main.py::$DATA" holds a colon'),
        ("file:///etc/passwd", '"file:" holds a colon'),
        ("pkg/main.py.", '"main.py." ends in a space or a dot'),
        ("pkg /render.py", '"pkg " ends in a space or a dot'),
        (".../x", '"..." ends in a space or a dot'),
        ("....", '"...." ends in a space or a dot'),
        ("NUL", '"NUL" is a name that Windows reserves for a device'),
        ("pkg/con.py", '"con.py" is a name that Windows reserves for a device'),
        ("Com1.tar.gz", '"Com1.tar.gz" is a name that Windows reserves for a device'),
        ("lpt\u00b9", '"lpt\u00b9" is a name that Windows reserves for a device'),
        ("aux .txt", '"aux .txt" is a name that Windows reserves for a device'),
        ("a\ud800b", "it is not valid Unicode text"),
        ("\udcff", "it is not valid Unicode text"),
        ("\u200b", '"\\u200b" has nothing but dots, spaces and invisible characters'),
        ("x" * 256, "a name in it is longer than 255 bytes"),
        ("\N{SNOWMAN}" * 86, "a name in it is longer than 255 bytes"),
        ("a/" * 513, "it is longer than 1,024 bytes"),
    ],
)
def test_a_name_that_some_system_reads_otherwise_is_refused_by_its_rule(root: Root, path: str, rule: str) -> None:
    for verb, do in doings(root).items():
        refusal = refusal_of(do, path)
        assert refusal.reason == "name"
        assert str(refusal).startswith(f'Cannot {verb} "')
        assert str(refusal).endswith(f'" as {rule}{EXAMPLE}')
        assert str(refusal).isprintable()


@pytest.mark.parametrize(
    "name",
    [".git", ".GIT", ".Git", ".hg", ".svn", ".jj", "\u2024git", "\uff0egit", ".g\uff49t", ".gi\u200ct", ".\u200dgit"]
    + [
        ".git\ufeff",
        "\u202e.git",
        ".gi\ufe0ft",
        ".g\u00adit",
        ".\u017fvn",
        ".\uff27IT",
        ".\u210cg",
        "git~1",
        "GIT~1",
        "GIT~23",
        "gi7eba~1",
        "HG~1",
    ],
)
def test_the_store_of_a_repository_is_out_of_reach_in_every_spelling_and_at_every_depth(root: Root, name: str) -> None:
    for path in (name, f"{name}/config", f"pkg/deep/{name}/hooks/post-checkout", f"{name}/"):
        for verb, do in doings(root).items():
            refusal = refusal_of(do, path)
            assert "belongs to version control, which is off limits" in str(refusal), verb
            assert refusal.reason == "name"


@pytest.mark.parametrize(
    ("codes", "ignored"),
    [
        (
            [0x180B, 0x180F, 0xFE00, 0xFE0F, 0xE0100, 0xE01EF, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0],
            True,
        ),
        ([0x180A, 0x1810, 0xFDFF, 0xFE10, 0xE00FF, 0xE01F0, 0x034E, 0x0350], False),
    ],
)
def test_a_character_that_a_file_system_skips_hides_no_repository(codes: list[int], ignored: bool) -> None:
    assert [hex(code) for code in codes if names.is_repository(f".g{chr(code)}it") is not ignored] == []


@pytest.mark.parametrize(
    "path",
    [
        "a..b.py",
        "..hidden",
        ".hidden",
        ".gitignore",
        ".github/workflows/ci.yml",
        "git",
        "notes~",
        "a b.txt",
        "-rf",
        "$HOME",
    ]
    + [
        "gr\u00fc\u00dfe.txt",
        "gru\u0308n",
        "\N{SNOWMAN}.md",
        "\U0001f469\u200d\U0001f4bb.md",
        "connect.py",
        "com10",
        "con_.py",
    ]
    + ["x" * 255, "a/" * 300 + "deep", "'\"<>|?*.txt", "git~", "nul_.py", "./pkg//./other.py", "{path}", "%s"],
)
def test_an_unusual_but_harmless_name_works(root: Root, path: str) -> None:
    root.write_bytes(path, b"harmless")
    assert root.read_bytes(path) == b"harmless"
    assert root.is_file(path)
    root.remove(path)
    assert not root.exists(path)


@pytest.mark.parametrize("path", [None, 3, b"main.py", ["main.py"], Path("main.py")])
def test_a_path_that_is_not_text_is_refused(root: Root, path: object) -> None:
    for do in doings(root).values():
        assert "a path must be text" in str(refusal_of(do, path))


def test_a_very_long_path_is_shortened_in_the_message(root: Root) -> None:
    assert len(str(refusal_of(root.read_bytes, "../" + "x" * 10**6))) < 300
    assert "x" * 197 in str(refusal_of(root.read_bytes, "../" + "x" * 197)), "200 characters are not many"
    assert "x" * 198 not in str(refusal_of(root.read_bytes, "../" + "x" * 198))


# What is not there, or is something else


@pytest.mark.parametrize("path", ["nowhere.py", "nowhere/x.py", "main.py/x.py", "pkg", "", ".", "fifo", "socket"])
def test_what_is_no_file_is_told_in_the_words_that_learners_know(root: Root, path: str) -> None:
    assert str(refusal_of(root.read_bytes, path)) == f'File not found or is not a regular file: "{path}"'
    execute = refusal_of(root.read_bytes, path, verb="execute")
    assert str(execute) == f'"{path}" does not exist or is not a regular file'
    assert not root.is_file(path)


@pytest.mark.parametrize("path", ["nowhere", "main.py", "nowhere/pkg", "main.py/pkg", "fifo", "socket"])
def test_what_is_no_directory_is_told_in_the_words_that_learners_know(root: Root, path: str) -> None:
    assert str(refusal_of(root.entries, path)) == f'"{path}" is not a directory'
    assert str(refusal_of(root.walk, path)) == f'"{path}" is not a directory'


@pytest.mark.parametrize(
    ("path", "why", "reason"),
    [
        ("pkg", "it is a directory", "is_directory"),
        (".", "it is a directory", "is_directory"),
        ("", "it is a directory", "is_directory"),
        ("new/", "it is a directory", "is_directory"),
        ("fifo", "it is not a regular file", "not_file"),
        ("socket", "it is not a regular file", "not_file"),
        ("main.py/new.py", '"main.py" is not a directory', "not_directory"),
        ("fifo/new.py", '"fifo" is not a directory', "not_directory"),
    ],
)
def test_what_cannot_be_written_to_is_told(root: Root, directory: Path, path: str, why: str, reason: str) -> None:
    before = sorted(directory.rglob("*"))
    refusal = refusal_of(root.write_bytes, path, b"")
    assert (str(refusal), refusal.reason) == (f'Cannot write to "{path}" as {why}', reason)
    assert sorted(directory.rglob("*")) == before


def test_existence_is_told_apart_from_being_a_file(root: Root) -> None:
    assert [root.exists(path) for path in ("main.py", "pkg", "", ".", "nowhere", "main.py/x")] == [True] * 4 + [
        False
    ] * 2
    assert [root.is_file(path) for path in ("main.py", "pkg", "", "pkg/render.py", "fifo")] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_a_fifo_with_somebody_at_its_other_end_is_neither_read_nor_written(root: Root, directory: Path) -> None:
    other_end = os.open(directory / "fifo", os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(other_end, b"bait")
        assert refusal_of(root.read_bytes, "fifo").reason == "not_file"
        assert refusal_of(root.write_bytes, "fifo", b"x").reason == "not_file"
        assert os.read(other_end, 100) == b"bait"
    finally:
        os.close(other_end)


def test_a_device_is_not_read(root: Root, directory: Path) -> None:
    try:
        os.mknod(directory / "zero", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("this system lets this user make no devices")
    assert refusal_of(root.read_bytes, "zero").reason == "not_file"
    assert refusal_of(root.write_bytes, "zero", b"x").reason == "not_file"


# Reading


def test_a_file_of_exactly_the_limit_is_read_and_one_byte_more_is_refused(root: Root) -> None:
    root.write_bytes("ten", b"0123456789")
    assert root.read_bytes("ten", limit=10) == b"0123456789"
    refusal = refusal_of(root.read_bytes, "ten", limit=9)
    assert (str(refusal), refusal.reason) == ('Cannot read "ten" as it is larger than 9 bytes', "too_large")
    root.write_bytes("none", b"")
    assert root.read_bytes("none", limit=0) == b""


def test_a_sparse_terabyte_does_not_fill_the_memory(root: Root, directory: Path) -> None:
    with (directory / "huge").open("wb") as file:
        file.truncate(2**40)
    assert refusal_of(root.read_bytes, "huge").reason == "too_large"
    assert refusal_of(root.read_text, "huge").reason == "too_large"
    root.write_text("huge", "small now")
    assert root.read_text("huge") == "small now"


def test_a_file_that_grows_while_it_is_read_ends_at_the_limit(
    root: Root, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read

    def growing(descriptor: int, size: int) -> bytes:
        with (directory / "log").open("ab") as file:
            file.write(b"more")
        return read(descriptor, size)

    root.write_bytes("log", b"")
    monkeypatch.setattr(files.os, "read", growing)
    assert refusal_of(root.read_bytes, "log", limit=100).reason == "too_large"


# Writing


@ON_SHARED
@given(data=st.binary(max_size=10_000))
@example(data=b"\xef\xbb\xbf\r\n\x00\x1a")
def test_every_byte_string_comes_back_as_written(root: Root, directory: Path, data: bytes) -> None:
    root.write_bytes("deep/er/data.bin", data)
    assert root.read_bytes("deep/er/data.bin") == data == (directory / "deep/er/data.bin").read_bytes()
    assert list((directory / "deep/er").iterdir()) == [directory / "deep/er/data.bin"]


def test_a_megabyte_written_a_few_bytes_at_a_time_is_whole(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    data, write = os.urandom(2**20), os.write
    monkeypatch.setattr(files_posix.os, "write", lambda descriptor, rest: write(descriptor, rest[:70_001]))
    root.write_bytes("big", data)
    assert root.read_bytes("big") == data


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4755, 0o2775, 0o666, 0o777, 0o1611])
def test_a_write_keeps_the_mode_but_no_trust(root: Root, directory: Path, mode: int) -> None:
    (directory / "main.py").chmod(mode)
    root.write_bytes("main.py", b"new")
    assert stat.S_IMODE((directory / "main.py").stat().st_mode) == mode & 0o777


def test_a_new_file_has_the_mode_that_the_umask_leaves(root: Root, directory: Path) -> None:
    old = os.umask(0o027)
    try:
        root.write_bytes("new/file", b"")
    finally:
        os.umask(old)
    assert stat.S_IMODE((directory / "new/file").stat().st_mode) == 0o640
    assert stat.S_IMODE((directory / "new").stat().st_mode) == 0o750


@pytest.mark.parametrize("nameless", [True, False])
def test_where_the_mode_cannot_be_kept_nobody_else_may_read(
    root: Root, directory: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    """Nor for a moment: the file is the person's alone until its mode is that of the one before."""
    if not nameless:
        monkeypatch.setattr(files_replace, "_NAMELESS", 0)
    at_first = []

    def refused(descriptor: int, mode: int) -> None:
        at_first.append((os.fstat(descriptor).st_mode & 0o777, os.fstat(descriptor).st_size))
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(files_posix.os, "fchmod", refused)
    old = os.umask(0)
    try:
        root.write_bytes("main.py", b"new")
    finally:
        os.umask(old)
    assert at_first == [(0o600, 0)]
    assert stat.S_IMODE((directory / "main.py").stat().st_mode) == 0o600


def test_a_write_by_root_leaves_the_file_with_its_owner(root: Root, directory: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(directory / "main.py", 65534, 65533)
    root.write_bytes("main.py", b"new")
    status = (directory / "main.py").stat()
    assert (status.st_uid, status.st_gid) == (65534, 65533)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
@pytest.mark.parametrize("kept", [True, False])
def test_a_write_lets_nobody_in_whom_an_access_list_kept_out(
    root: Root, directory: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """With such a list the group of the mode is the most that anybody on it may (acl(5)): without it, the group's."""
    path, rows = directory / "main.py", [(1, 6, -1), (2, 6, 1000), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
    access = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows)
    try:
        os.setxattr(path, "user.note", b"of a program")
        os.setxattr(path, "system.posix_acl_access", access)
    except OSError:
        pytest.skip("this file system has no access lists")

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    if not kept:
        monkeypatch.setattr(os, "setxattr", refused)
    root.write_bytes("main.py", b"new")
    mode = stat.S_IMODE(path.stat().st_mode)
    if kept:
        assert os.getxattr(path, "user.note") == b"of a program"
        assert (os.getxattr(path, "system.posix_acl_access"), mode) == (access, 0o660)
    else:
        assert (os.listxattr(path), mode) == ([], 0o600)


def test_where_the_group_cannot_be_kept_no_other_group_may_what_that_one_might(
    root: Root, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(directory / "main.py", 0, 65533)
    (directory / "main.py").chmod(0o664)

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refused)
    root.write_bytes("main.py", b"new")
    assert stat.S_IMODE((directory / "main.py").stat().st_mode) == 0o604


def test_a_hard_link_is_replaced_and_not_written_through(root: Root, directory: Path) -> None:
    secret = directory.parent / "work_evil" / "secret.txt"
    (directory / "hard_link").hardlink_to(secret)
    root.write_bytes("hard_link", b"overwritten")
    assert root.read_bytes("hard_link") == b"overwritten"
    assert secret.read_bytes() == SECRET


@pytest.mark.parametrize(
    ("code", "why", "reason"),
    [
        (errno.ENOSPC, "the disk is full; the person must make room first", "full"),
        (errno.EDQUOT, "the disk quota is used up; the person must make room first", "full"),
        (errno.EROFS, "the disk is read-only", "denied"),
        (errno.EMFILE, "too many files are open; try again", "busy"),
        (errno.EIO, "the system reported: Input/output error", "failed"),
        (None, "the system reported: None", "failed"),
    ],
)
@pytest.mark.parametrize("call", ["write", "fsync", "replace", "open"])
def test_a_failing_disk_leaves_the_old_file_and_nothing_else(
    root: Root, directory: Path, monkeypatch: pytest.MonkeyPatch, code: int | None, why: str, reason: str, call: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code)) if code else OSError()

    before = sorted(directory.rglob("*"))
    with monkeypatch.context() as patch:
        patch.setattr(files_posix.os, call, fail)
        if call == "replace":
            patch.setattr(files_replace, "_renamed", fail)
        refusal = refusal_of(root.write_bytes, "main.py", b"new")
    assert (str(refusal), refusal.reason) == (f'Cannot write to "main.py" as {why}', reason)
    assert sorted(directory.rglob("*")) == before
    assert root.read_bytes("main.py") == b"print('hello')\n"


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "fchmod"])
def test_an_interrupt_in_the_middle_of_a_write_leaves_the_old_file_and_nothing_else(
    root: Root, directory: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before = sorted(directory.rglob("*"))
    with monkeypatch.context() as patch:
        patch.setattr(files_posix.os, call, interrupt)
        if call == "replace":
            patch.setattr(files_replace, "_renamed", interrupt)
        with pytest.raises(KeyboardInterrupt):
            root.write_bytes("main.py", b"new")
    assert sorted(directory.rglob("*")) == before
    assert root.read_bytes("main.py") == b"print('hello')\n"


def test_a_file_beyond_the_size_that_the_system_allows_is_refused(directory: Path) -> None:
    program = """if True:
        import resource, sys
        from sandbox.files.root import Refusal, Root
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            Root(sys.argv[1]).write_bytes("main.py", b"x" * 1001)
        except Refusal as refusal:
            print(refusal.reason, refusal)
    """
    run = subprocess.run([sys.executable, "-c", program, directory], capture_output=True, text=True, cwd=PROJECT)
    assert run.stdout == 'full Cannot write to "main.py" as the file would be larger than the system allows\n', (
        run.stderr
    )
    assert (directory / "main.py").read_text() == "print('hello')\n"
    assert not list(directory.glob(".*.tmp"))


def test_readers_beside_writers_see_one_whole_text_or_another(root: Root) -> None:
    texts = [bytes([letter]) * 50_000 for letter in b"abcd"]
    root.write_bytes("shared", texts[0])
    seen = []
    with ThreadPoolExecutor(len(texts)) as pool:
        writers = [
            pool.submit(lambda text=text: [root.write_bytes("shared", text) for _ in range(30)]) for text in texts
        ]
        while not all(writer.done() for writer in writers):
            seen.append(root.read_bytes("shared"))
        for writer in writers:
            writer.result()
    assert set(seen) <= set(texts)


# Permissions


def test_what_the_user_may_not_read_or_list_is_told(locked: Root) -> None:
    for do, verb, path in [
        (locked.read_bytes, "read", "unreadable.py"),
        (locked.read_bytes, "read", "closed/file.py"),
        (locked.entries, "list", "closed"),
        (locked.entries, "list", "closed/deeper"),
        (locked.is_file, "read", "closed/file.py"),
        (locked.remove, "delete", "read_only/file.py"),
    ]:
        refusal = refusal_of(do, path)
        assert (str(refusal), refusal.reason) == (f'Cannot {verb} "{path}" as permission is denied', "denied")
    assert locked.is_file("unreadable.py")


@pytest.mark.parametrize(
    "path", ["read_only.py", "unreadable.py", "read_only/file.py", "read_only/new.py", "closed/new/x"]
)
def test_what_the_user_may_not_write_is_told_and_left(locked: Root, directory: Path, path: str) -> None:
    refusal = refusal_of(locked.write_bytes, path, b"new")
    assert (str(refusal), refusal.reason) == (f'Cannot write to "{path}" as permission is denied', "denied")
    assert "new.py" not in [entry.name for entry in locked.entries("read_only")]
    assert locked.read_bytes("read_only.py") == locked.read_bytes("read_only/file.py") == b"locked"


def test_a_walk_passes_by_what_may_not_be_read(locked: Root) -> None:
    paths = [path for path, _ in locked.walk()]
    assert "main.py" in paths
    assert "closed/file.py" not in paths


# Text


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=200)


@ON_SHARED
@given(text=TEXT | TEXT.map(lambda text: text.replace("a", "\n")))
def test_text_comes_back_as_written(root: Root, text: str) -> None:
    if root.exists("text.txt"):
        root.remove("text.txt")
    root.write_text("text.txt", text)
    assert root.read_bytes("text.txt") == text.encode()
    if "\r" not in text:
        assert root.read_text("text.txt") == text.removeprefix("\ufeff")


@ON_SHARED
@given(st.lists(st.sampled_from(["\n", "\r\n", "\r", "line", "\ufeff", " "]), max_size=12).map("".join))
def test_writing_back_what_was_read_changes_no_byte(root: Root, text: str) -> None:
    root.write_bytes("text.txt", text.encode())
    root.write_text("text.txt", root.read_text("text.txt"))
    assert root.read_bytes("text.txt") == text.encode()


def test_a_file_keeps_its_crlf_and_its_byte_order_mark(root: Root) -> None:
    root.write_bytes("dos.txt", b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert root.read_text("dos.txt") == "one\ntwo\n"
    root.write_text("dos.txt", "one\nthree\nfour")
    assert root.read_bytes("dos.txt") == b"\xef\xbb\xbfone\r\nthree\r\nfour"
    root.write_text("dos.txt", "already\r\nso\r\n")
    assert root.read_bytes("dos.txt") == b"\xef\xbb\xbfalready\r\nso\r\n"


def test_a_new_file_and_one_without_crlf_are_written_exactly_as_given(root: Root) -> None:
    for given_text in ("a\r\nb\r\n", "a\nb\n", "a\r\nb\n"):
        root.write_text("unix.txt", given_text)
        assert root.read_bytes("unix.txt") == given_text.encode()
        root.write_bytes("unix.txt", b"a\nb\n")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"caf\xe9", b"PNG\0", b"\xed\xa0\x80", "utf-16".encode("utf-16")])
def test_what_is_not_utf_8_text_is_refused_as_text(root: Root, data: bytes) -> None:
    root.write_bytes("data.bin", data)
    refusal = refusal_of(root.read_text, "data.bin")
    assert (str(refusal), refusal.reason) == ('Cannot read "data.bin" as it is not UTF-8 text', "not_text")
    root.write_text("data.bin", "now it is")
    assert root.read_text("data.bin") == "now it is"


def test_text_that_utf_8_cannot_hold_is_refused_and_the_file_left(root: Root) -> None:
    refusal = refusal_of(root.write_text, "main.py", "half \ud83d of an emoji")
    assert str(refusal) == 'Cannot write to "main.py" as the text holds \\ud83d, which UTF-8 cannot hold'
    assert refusal.reason == "not_text"
    assert root.read_text("main.py") == "print('hello')\n"
    assert refusal_of(root.write_text, "../main.py", "\ud83d").reason == "outside"


# Listing and walking


def test_a_listing_shows_everything_sorted_with_kind_and_size(root: Root) -> None:
    assert [entry[:3] for entry in root.entries("pkg")] == [("render.py", "file", 18)]
    found = {entry.name: entry.kind for entry in root.entries()}
    assert list(found) == sorted(found)
    assert found == {
        ".git": "directory",
        "fifo": "other",
        "link_inside": "other",
        "link_to_directory": "other",
        "link_to_file": "other",
        "link_to_nothing": "other",
        "link_up": "other",
        "main.py": "file",
        "pkg": "directory",
        "socket": "other",
    }


def test_a_name_on_the_disk_cannot_forge_a_line_of_the_listing(root: Root, directory: Path) -> None:
    (directory / "pkg" / "a\nb\x1b[2J\u2028").touch()
    (directory / "pkg" / os.fsdecode(b"latin-\xe9")).touch()
    assert [entry.name for entry in root.entries("pkg")] == ["a\\nb\\x1b[2J\\u2028", "latin-\\xe9", "render.py"]
    assert [path for path, _ in root.walk("pkg")] == ["pkg/render.py"]


def test_a_walk_finds_every_file_sorted_and_passes_by_what_tools_do_not_open(root: Root, directory: Path) -> None:
    for path in [
        "pkg/a/z.py",
        "pkg/a.py",
        "b.py",
        "node_modules/x.js",
        "pkg/__pycache__/x.pyc",
        ".venv/x",
        ".config/x",
    ]:
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(b"")
    (directory / "pkg" / "con.py").touch()
    (directory / "~top").touch()
    expected = [".config/x", "b.py", "main.py", "pkg/a/z.py", "pkg/a.py", "pkg/render.py"]
    assert [path for path, _ in root.walk()] == expected
    assert [path for path, _ in root.walk("./pkg/")] == ["pkg/a/z.py", "pkg/a.py", "pkg/render.py"]
    assert [path for path, _ in root.walk("node_modules")] == ["node_modules/x.js"]
    assert all(root.is_file(path) for path in expected)


def test_a_walk_reads_one_directory_at_a_time_and_holds_none(root: Root, directory: Path) -> None:
    root.write_bytes("a/1.py", b"")
    root.write_bytes("b/1.py", b"")
    before = open_descriptors()
    walk = root.walk()
    assert next(walk)[0] == "a/1.py"
    assert open_descriptors() == before
    (directory / "b" / "1.py").rename(directory / "b" / "2.py")
    assert next(walk)[0] == "b/2.py"


@pytest.mark.long
def test_a_walk_down_a_very_deep_tree_ends_where_paths_get_too_long(root: Root, directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    for _ in range(600):
        os.mkdir("d", dir_fd=descriptor)
        below = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
        os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    paths = [path for path, _ in root.walk("d")]
    assert len(paths) == 511
    assert root.read_bytes(max(paths, key=len)) == b""
    subprocess.run(["rm", "-rf", directory / "d"], check=True)  # pytest's own removal is recursive


def test_contents_are_those_of_the_walk_without_what_is_not_wanted_too_large_or_gone(
    root: Root, directory: Path
) -> None:
    for path in ["pkg/a/z.py", "pkg/a.py", "b.py", "b.txt", "node_modules/x.js", ".venv/x"]:
        root.write_bytes(path, path.encode())
    root.write_bytes("large.py", b"x" * 101)
    both = [path for path, _ in root.walk() if path.endswith(".py")]
    read = dict(root.contents(wanted=lambda path, entry: path.endswith(".py"), limit=100))
    assert list(read) == [path for path in both if path != "large.py"]
    assert all(data == root.read_bytes(path) for path, data in read.items())
    assert [path for path, _ in root.contents("pkg/a", wanted=lambda *_: True, limit=100)] == ["pkg/a/z.py"]

    def gone(path: str, entry: Entry) -> bool:
        (directory / "b.py").unlink(missing_ok=True)
        return True

    assert "b.py" not in dict(root.contents(wanted=gone, limit=100))


def test_contents_follow_no_link_that_takes_the_place_of_a_file_and_hold_no_descriptor(
    root: Root, directory: Path
) -> None:
    root.write_bytes("one/1.py", b"1")
    root.write_bytes("one/2.py", b"2")
    secret = directory.parent / "secret.py"
    secret.write_bytes(b"secret")
    before = open_descriptors()

    def swap(path: str, entry: Entry) -> bool:
        if path == "one/2.py":
            (directory / "one" / "2.py").unlink()
            (directory / "one" / "2.py").symlink_to(secret)
        return True

    contents = root.contents("one", wanted=swap, limit=100)
    assert next(contents) == ("one/1.py", b"1")
    assert open_descriptors() == before
    assert list(contents) == []


def test_more_files_than_are_read_at_once_all_come_in_order(root: Root) -> None:
    for number in range(150):
        root.write_bytes(f"many/{number:03}", str(number).encode())
    found = list(root.contents("many", wanted=lambda *_: True, limit=100))
    assert found == [(f"many/{number:03}", str(number).encode()) for number in range(150)]


@given(st.text("abgitcon9_-. ~", max_size=12) | st.text(max_size=12))
def test_the_short_cut_for_plain_names_forbids_what_the_rules_forbid(name: str) -> None:
    assert not names.is_plain(name) or unusual.rule_against(name) is None
    assert names.is_repository(name) == unusual.is_store(name)


@pytest.mark.long
def test_a_directory_of_a_hundred_thousand_entries_is_listed_and_walked(root: Root, directory: Path) -> None:
    descriptor = os.open(directory / "pkg", os.O_RDONLY)
    for number in range(100_000):
        os.mknod(f"{number:06}", dir_fd=descriptor)
    os.close(descriptor)
    assert len(root.entries("pkg")) == 100_001
    assert sum(1 for _ in root.walk("pkg")) == 100_001
    assert next(root.walk("pkg"))[0] == "pkg/000000"


# Holding and letting go


def test_a_working_directory_that_is_not_there_is_refused(directory: Path) -> None:
    for path, sentence, reason in [
        ("nowhere", 'The working directory "nowhere" does not exist', "missing"),
        (directory / "main.py", 'The working directory "main.py" is not a directory', "not_directory"),
        (directory / "fifo", 'The working directory "fifo" is not a directory', "not_directory"),
        ("a\0b", '"a\\x00b" cannot be the name of a working directory', "name"),
        ("x" * 300, f'Cannot open "{"x" * 120}...{"x" * 60}" as the name is longer than the system allows', "name"),
    ]:
        refusal = refusal_of(Root, path)
        assert (str(refusal), refusal.reason) == (sentence, reason)


def test_a_root_that_was_closed_refuses(directory: Path) -> None:
    with Root(directory) as root:
        pass
    root.close()
    for verb, do in doings(root).items():
        refusal = refusal_of(do, "main.py")
        assert str(refusal) == f'Cannot {verb} "main.py" as the working directory is no longer open'
        assert refusal.reason == "closed"


def test_hold_opens_a_path_and_passes_a_root_through(directory: Path) -> None:
    for given_path in (directory, str(directory)):
        with hold(given_path) as root:
            assert root.path == directory
        assert refusal_of(root.entries).reason == "closed"
    with Root(directory) as root:
        with hold(root) as same:
            assert same is root
        assert root.is_file("main.py")


def test_no_descriptor_is_left_open_or_inherited(directory: Path) -> None:
    before = open_descriptors()
    with Root(directory) as root:
        held = [int(descriptor.name) for descriptor in open_descriptors() - before]
        assert [os.get_inheritable(descriptor) for descriptor in held] == [False]
        for path in ("main.py", "nowhere", "pkg", "fifo", "link_to_file", "link_up/x", "main.py/x", "..", "pkg/new.py"):
            for do in [*doings(root).values(), root.read_text, root.is_file, root.exists, root.walk]:
                with contextlib.suppress(Refusal):
                    do(path)
    for path in ("/", PROJECT, "nowhere", directory / "fifo"):
        refusal_of(Root, path)
    assert open_descriptors() == before


def test_threads_that_list_at_once_each_see_everything(root: Root) -> None:
    for number in range(300):
        (root.path / "pkg" / f"{number}.py").touch()
    with Root(root.path / "pkg") as pkg, ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: len(pkg.entries()), range(200))) == {301}


def test_threads_that_make_the_same_new_directories_do_not_disturb_each_other(root: Root) -> None:
    together = threading.Barrier(8)

    def write(number: int) -> None:
        for attempt in range(20):
            together.wait()
            root.write_bytes(f"new{attempt}/deep/{number}", b"")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert all(len(root.entries(f"new{attempt}/deep")) == 8 for attempt in range(20))


def test_closing_waits_for_a_call_that_is_just_taking_hold(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Root(directory)
    closer = threading.Thread(target=root.close)
    again = files.Directory.again

    def taking_hold(top: files.Directory) -> files.Directory:
        closer.start()
        closer.join(0.1)  # it cannot come to an end: the descriptor is needed here
        assert closer.is_alive()
        return again(top)

    monkeypatch.setattr(files.Directory, "again", taking_hold)
    assert root.read_bytes("main.py") == b"print('hello')\n"
    closer.join()
    assert refusal_of(root.read_bytes, "main.py").reason == "closed"


def test_closing_while_others_read_ends_their_reading_with_a_refusal_and_nothing_else(directory: Path) -> None:
    root = Root(directory)
    reading = threading.Barrier(5)

    def read_until_refused() -> str:
        reading.wait()
        while True:
            try:
                assert root.read_bytes("main.py") == b"print('hello')\n"
            except Refusal as refusal:
                return refusal.reason

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read_until_refused) for _ in range(4)]
        reading.wait()
        root.close()
        assert {reader.result() for reader in readers} == {"closed"}


CAREFULLY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def test_whatever_is_opened_is_opened_carefully(root: Root, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No link is followed, no FIFO waited for, no terminal taken, nothing inherited by a program that is started."""
    really, seen = os.open, set[int]()

    def opened(path: str | bytes, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        seen.add(flags)
        return really(path, flags, *rest, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", opened)
    with Root(directory) as again:
        for do in [*doings(again).values(), again.read_text, again.exists]:
            for path in ("pkg/render.py", "new/file", "pkg"):
                with contextlib.suppress(Refusal):
                    do(path)
    made = {os.O_WRONLY | os.O_TMPFILE} if hasattr(os, "O_TMPFILE") else {os.O_WRONLY | os.O_CREAT | os.O_EXCL}
    assert seen - made == {
        os.O_RDONLY | os.O_DIRECTORY | CAREFULLY,
        os.O_RDONLY | CAREFULLY,
        os.O_WRONLY | CAREFULLY,
    }
    assert CAREFULLY == files_replace.CAREFULLY
    assert os.O_WRONLY | os.O_CREAT | os.O_EXCL == files_replace._NEW


@pytest.mark.parametrize("made", [files_posix.Directory, files_replace.Held])
def test_a_descriptor_is_let_go_once_whatever_its_number(monkeypatch: pytest.MonkeyPatch, made: type) -> None:
    closed: list[int] = []
    monkeypatch.setattr(files_posix.os, "close", closed.append)
    for number in (0, 1, 7, -1):
        held = made.__new__(made)
        held._descriptor = number
        held.close()
        held.close()
        assert held._descriptor == -1
    assert closed == [0, 1, 7]


def test_what_has_gone_is_not_listed_and_what_the_system_does_not_tell_is_listed_without(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Found:
        def __init__(self, name: str, status: os.stat_result | OSError) -> None:
            self.name, self.status = name, status

        def stat(self, *, follow_symlinks: bool) -> os.stat_result:
            if isinstance(self.status, OSError):
                raise self.status
            return self.status

    status = (root.path / "main.py").stat()
    listed = [Found("gone", FileNotFoundError()), Found("dead", OSError(errno.EIO, "")), Found("there", status)]
    monkeypatch.setattr(files_posix.os, "scandir", lambda descriptor: contextlib.nullcontext(listed))
    assert root.entries() == [Entry("dead", "other", 0, 0), Entry("there", "file", 15, status.st_mtime_ns)]
    assert Entry("a", "file", 1).changed == 0


@pytest.mark.parametrize(("limit", "size", "fits"), [(3, 3, True), (3, 4, False), (0, 0, True), (0, 1, False)])
def test_a_file_may_be_as_large_as_the_limit(root: Root, limit: int, size: int, fits: bool) -> None:
    root.write_bytes("data", b"x" * size)
    assert dict(root.contents(wanted=lambda path, _: path == "data", limit=limit)) == (
        {"data": b"x" * size} if fits else {}
    )
    if fits:
        assert root.read_bytes("data", limit=limit) == b"x" * size
    else:
        refusal = refusal_of(root.read_bytes, "data", limit=limit)
        assert (str(refusal), refusal.reason) == (f'Cannot read "data" as it is larger than {limit} bytes', "too_large")


def test_where_no_limit_is_set_it_is_64_mib(root: Root, directory: Path) -> None:
    with (directory / "sparse").open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    expected = 'Cannot read "sparse" as it is larger than 67,108,864 bytes'
    assert str(refusal_of(root.read_bytes, "sparse")) == str(refusal_of(root.read_text, "sparse")) == expected
    assert str(refusal_of(root.change_text, "sparse", lambda text: text)) == expected
    assert files.LARGEST_READ == 67_108_864


def test_who_is_quicker_ten_times_in_a_row_is_left_alone(root: Root, directory: Path) -> None:
    asked = []

    def made(text: str) -> str:
        asked.append(text)
        (directory / "main.py").write_text(f"{len(asked)}\n")
        return "ours"

    refusal = refusal_of(root.change_text, "main.py", made)
    sentence = 'Cannot write to "main.py" as somebody else keeps changing it; try again later'
    assert (str(refusal), refusal.reason) == (sentence, "changed")
    assert asked == ["print('hello')\n", *(f"{number}\n" for number in range(1, 10))]
    assert (directory / "main.py").read_text() == "10\n"


def test_files_are_read_sixty_four_at_a_time(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(150):
        (root.path / "pkg" / f"{number:03}").touch()
    seen = []
    monkeypatch.setattr(
        Root, "_read_several", lambda self, folder, several, limit: seen.append((folder, len(several))) or []
    )
    assert list(root.contents("pkg", wanted=lambda path, _: path != "pkg/render.py", limit=9)) == []
    assert seen == [("pkg", 64), ("pkg", 64), ("pkg", 22)]


def test_who_keeps_what_changes_hears_of_each_change_and_of_what_was_not_made(root: Root, directory: Path) -> None:
    heard: list[object] = []
    root.before_change = lambda path, kind, data=b"", held=None, computed=False: heard.append(
        (path, kind, data, held and held.data, computed)
    )
    root.not_changed = heard.append
    hello = b"print('hello')\n"
    root.write_bytes("./pkg//new.py", b"1")
    root.change_text("main.py", str.upper)
    root.change_text("main.py", lambda text: text)
    root.make_folder("folder/inner/")
    root.remove_folder("folder/inner")
    root.remove("pkg/new.py", saying="1")
    assert heard == [
        ("pkg/new.py", "file", b"1", None, False),
        ("main.py", "file", hello.upper(), hello, True),
        ("folder/inner", "directory", b"", None, False),
        ("folder/inner", "", b"", None, False),
        ("pkg/new.py", "", b"", b"1", False),
    ]
    assert (directory / "folder").is_dir()
    assert not (directory / "folder" / "inner").exists()
    heard.clear()
    for other in ("!", "~", ""):
        assert refusal_of(root.remove, "main.py", saying=other).reason == "changed"
    assert refusal_of(root.write_text, "main.py", "x", new=True).reason == "exists"
    assert refusal_of(root.remove, "gone").reason == "missing"
    assert refusal_of(root.change_text, "gone", str.upper).reason == "missing"
    assert heard == []


def test_a_folder_is_deleted_only_when_it_is_empty_and_no_link(root: Root, directory: Path) -> None:
    for path, reason in [
        ("pkg", "not_empty"),
        ("link_to_directory", "symlink"),
        ("gone", "missing"),
        ("..", "outside"),
    ]:
        assert refusal_of(root.remove_folder, path).reason == reason
    assert refusal_of(root.remove_folder, "main.py").reason == "not_directory"


@pytest.mark.parametrize(
    ("path", "reason"), [("a/" * 512, None), ("a/" * 512 + "b", "name"), ("1:x", "name"), ("a" * 255, None)]
)
def test_a_path_may_be_as_long_as_the_shortest_of_three_systems_allows(path: str, reason: str | None) -> None:
    try:
        assert "/".join(names.parts_of(path, "read")) == path.rstrip("/")
    except Refusal as refusal:
        assert refusal.reason == reason, refusal  # noqa: PT017


# Whatever a model may send


PIECES = ["..", ".", "", "~", "/", "\\", "C:", "pkg", "main.py", "fifo", "socket", ".git", "link_up", "link_to_file"]
PIECES += [
    "link_to_directory",
    "link_to_nothing",
    "secret.txt",
    "work",
    "work_evil",
    "\0",
    "\ud800",
    "nul",
    "x" * 300,
    "new",
]
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(st.characters(), max_size=5), max_size=6).flatmap(
    lambda pieces: st.sampled_from(["/", "//", "/./", "\\", ""]).map(lambda separator: separator.join(pieces))
)


@pytest.mark.long
@settings(ON_SHARED, max_examples=500)
@given(path=HOSTILE, text=st.text(st.characters(), max_size=20))
def test_no_path_and_no_text_does_more_than_raise_a_refusal(root: Root, directory: Path, path: str, text: str) -> None:
    before = neighbours(directory)
    for call in [
        *doings(root).values(),
        root.read_text,
        root.is_file,
        root.exists,
        lambda path: list(root.walk(path)),
        lambda path: root.write_text(path, text),
    ]:
        if said := refusal_or_nothing(call, path):
            assert said.isprintable()
            assert str(directory.parent) not in said
    assert neighbours(directory) == before
    assert [path.name for path in (directory / ".git").iterdir()] == ["config"]
    assert (directory / ".git" / "config").read_text() == "[core]\n"


@pytest.mark.parametrize("encoding", ["C", "en_US.ISO-8859-1"])
def test_names_are_utf_8_whatever_the_locale(directory: Path, encoding: str) -> None:
    program = """if True:
        import sys
        from sandbox.files.root import Root
        with Root(sys.argv[1]) as root:
            root.write_text("gr\\u00fc\\u00dfe \\u2603", "x")
            print(ascii([path for path, _ in root.walk()]))
    """
    environment = {"LC_ALL": encoding, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", program, directory]
    run = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, env=environment)
    assert run.stdout == "['gr\\xfc\\xdfe \\u2603', 'main.py', 'pkg/render.py']\n", run.stderr


def test_the_import_is_light() -> None:
    program = "import sys, sandbox.files.root; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, cwd=PROJECT, check=True)
    heavy = {
        "dataclasses",
        "inspect",
        "typing",
        "ctypes",
        "tempfile",
        "shutil",
        "subprocess",
        "logging",
        "asyncio",
        "json",
    }
    assert not heavy & set(run.stdout.split())
