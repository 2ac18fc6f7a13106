"""Ordinary programs go on working behind the walls; where a level has less, the difference is stated here."""

# ruff: noqa: E501 - a program is one line of data

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.files.root import Root
from sandbox.running import launcher, levels, pretending
from sandbox.running.process import run_python

FORKS, LOCKS, SIGNALS, TERMINALS = (
    "fork",
    "locks",
    "signals",
    "terminals",
)  # what a program needs that not every level gives

# What Python's own modules ask of the kernel, one call each: an error may come, but not that there is no such call.
OFFERED = """
os.access('f', 4, dir_fd=d, effective_ids=True); os.chmod('f', 0o600, dir_fd=d); os.fchmod(f, 0o600); os.copy_file_range(f, f, 9, 0, 99)
os.dup(f); os.dup2(f, 60, inheritable=False); os.eventfd(1); os.posix_fallocate(f, 0, 9); os.posix_fadvise(f, 0, 9, 0)
os.lockf(f, os.F_LOCK, 0); fcntl.flock(f, 2); os.ftruncate(f, 5000); os.truncate('f', 4000); os.statvfs('.'); os.fstatvfs(f)
os.getgroups(); os.getlogin(); os.getpgid(0); os.getpgrp(); os.getsid(0); os.getppid(); os.getresuid(); os.getresgid(); os.getpriority(0, 0)
os.nice(1); os.setpriority(0, 0, 3); os.getrandom(9); os.kill(os.getpid(), 0); os.link('f', 'g'); os.symlink('f', 's'); os.readlink('s')
os.mkdir('dd', dir_fd=d); os.mkfifo('fifo', dir_fd=d); os.mknod('n'); os.mknod('o', dir_fd=d); os.rename('g', 'h', src_dir_fd=d, dst_dir_fd=d)
os.unlink('o', dir_fd=d); os.rmdir('dd', dir_fd=d); os.pread(f, 9, 0); os.preadv(f, [bytearray(9)], 0); os.preadv(f, [bytearray(9)], 0, 1)
os.pwrite(f, b'x', 0); os.pwritev(f, [b'x'], 0); os.pwritev(f, [b'x'], 0, 0); os.readv(f, [bytearray(9)]); os.writev(f, [b'x']); os.umask(0o22)
os.sched_yield(); os.sched_getaffinity(0); os.sched_setaffinity(0, os.sched_getaffinity(0)); os.sched_getparam(0); os.sched_getscheduler(0)
os.sched_setparam(0, os.sched_param(0)); os.sched_setscheduler(0, 3, os.sched_param(0)); os.sched_get_priority_max(0); os.sched_rr_get_interval(0)
os.sched_get_priority_min(0); os.setuid(os.getuid()); os.setgid(os.getgid()); os.setreuid(-1, -1); os.setregid(-1, -1); os.setgroups([])
os.setresuid(-1, -1, -1); os.setresgid(-1, -1, -1); os.setpgid(0, 0); os.setsid(); os.times(); os.uname(); os.utime('f', dir_fd=d); os.utime(f)
os.getxattr('f', 'user.x'); os.setxattr('f', 'user.x', b'1'); os.listxattr('f'); os.removexattr('f', 'user.x'); os.chown('f', -1, -1); os.fchdir(d)
os.sendfile(w, f, 0, 9); os.wait3(os.WNOHANG); os.waitid(os.P_ALL, 0, os.WNOHANG | os.WEXITED); os.waitpid(-1, os.WNOHANG); os.memfd_create('x')
signal.alarm(0); signal.getitimer(0); signal.setitimer(1, 0); signal.sigpending(); signal.sigtimedwait([10], 0); signal.pthread_sigmask(0, [])
signal.pthread_kill(threading.get_ident(), 0); select.select([], [], [], 0); select.poll().poll(0); select.epoll().register(r); select.epoll().poll(0)
time.clock_gettime(0); time.clock_getres(0); time.sleep(0); time.thread_time(); m.madvise(4); m.flush(); m.resize(99999); resource.getrusage(0)
resource.getrlimit(9); resource.setrlimit(4, (0, 0)); resource.prlimit(0, 7); a.send(b'x'); b.recv(1); a.sendmsg([b'x']); b.recvmsg(9)
a.getsockname(); a.getpeername(); a.setsockopt(1, 7, 4096); a.getsockopt(1, 3); a.shutdown(2); socket.socket().close(); socket.gethostname()
"""

# name: (program, what it needs). Each prints "fine" when all is well.
PROGRAMS = {
    "unittest": (
        "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(1, 1)\n"
        "assert unittest.main(exit=False).result.wasSuccessful()",
        None,
    ),
    "pytest": (
        "open('test_it.py', 'w').write('def test_it(tmp_path):\\n    (tmp_path / \"f\").write_text(\"x\")\\n')\n"
        "import pytest\nassert pytest.main(['-q', 'test_it.py']) == 0",
        "pytest",
    ),
    "asyncio": (
        "import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 1\nassert asyncio.run(f()) == 1",
        None,
    ),
    "asyncio subprocess": (
        "import asyncio, sys\nasync def f():\n"
        "    p = await asyncio.create_subprocess_exec(sys.executable, '-c', 'print(5)', stdout=-1)\n"
        "    return (await p.communicate())[0]\nassert asyncio.run(f()) == b'5\\n'",
        FORKS,
    ),
    "threads": (
        "from concurrent.futures import ThreadPoolExecutor as P\nassert list(P(8).map(abs, range(-9, 0))) == list(range(9, 0, -1))",
        None,
    ),
    "subprocess": (
        "import subprocess, sys\nassert subprocess.run([sys.executable, '-c', 'print(7)'], capture_output=True).stdout == b'7\\n'",
        FORKS,
    ),
    "subprocess with a time limit": (
        "import subprocess, sys\ntry:\n    subprocess.run([sys.executable, '-c', 'while True: pass'], timeout=0.3)\n"
        "except subprocess.TimeoutExpired:\n    pass\nelse:\n    raise SystemExit(1)",
        SIGNALS,
    ),
    "multiprocessing": (
        "import multiprocessing as m\nif __name__ == '__main__':\n    for way in ('fork', 'spawn'):\n"
        "        with m.get_context(way).Pool(2) as p:\n            assert p.map(abs, [-1, -2]) == [1, 2]",
        LOCKS,
    ),
    "multiprocessing without locks": (
        "import multiprocessing as m\ndef f(c): c.send(5)\nif __name__ == '__main__':\n    m.set_start_method('fork')\n"
        "    a, b = m.Pipe()\n    p = m.Process(target=f, args=(b,))\n    p.start()\n    assert a.recv() == 5\n    p.join()",
        FORKS,
    ),
    "process pool": (
        "from concurrent.futures import ProcessPoolExecutor as P\nif __name__ == '__main__':\n"
        "    with P(2) as p:\n        assert list(p.map(abs, [-1, -2])) == [1, 2]",
        LOCKS,
    ),
    "sqlite3": (
        "import sqlite3\nd = sqlite3.connect('d.db')\nd.execute('pragma journal_mode=wal')\nd.execute('create table t(x)')\n"
        "d.execute('insert into t values (1)')\nd.commit()\nassert list(d.execute('select x from t')) == [(1,)]",
        None,
    ),
    "tempfile": (
        "import tempfile\nwith tempfile.TemporaryDirectory() as d, tempfile.NamedTemporaryFile(dir=d) as f, "
        "tempfile.TemporaryFile() as g:\n    f.write(b'x'); g.write(b'y')",
        None,
    ),
    "shutil": (
        "import os, shutil\nos.mkdir('a')\nopen('a/f', 'w').write('x')\nshutil.copy('a/f', 'g')\nshutil.copy2('a/f', 'h')\n"
        "shutil.copytree('a', 'b')\nshutil.move('b', 'c')\nshutil.make_archive('z', 'zip', 'a')\n"
        "shutil.make_archive('t', 'gztar', 'a')\nshutil.unpack_archive('t.tar.gz', 'u')\nshutil.rmtree('a')",
        None,
    ),
    "renaming between directories": (
        "import os\nos.makedirs('a/b')\nopen('f', 'w').close()\nos.replace('f', 'a/b/f')",
        None,
    ),
    "modes inside": ("import os\nopen('f', 'w').close()\nos.chmod('f', 0o755)", None),
    "zoneinfo": ("import zoneinfo, datetime\ndatetime.datetime.now(zoneinfo.ZoneInfo('Europe/Berlin'))", "zones"),
    "ssl": ("import ssl\nssl.create_default_context()", None),
    "http.server import": (
        "import http.server, http.client, urllib.request, mimetypes\nmimetypes.guess_type('a.txt')",
        None,
    ),
    "numpy": ("import numpy\nassert numpy.linalg.inv(numpy.eye(50)).sum() == 50", "numpy"),
    "many imports": (
        "import ctypes, curses, csv, decimal, email, getpass, hashlib, hmac, locale, logging, lzma, platform, random, secrets\n"
        "import statistics, turtle if False else uuid\n".replace("turtle if False else uuid", "uuid")
        + "platform.platform(); uuid.uuid4(); secrets.token_hex(); hashlib.sha256(b'x'); locale.setlocale(locale.LC_ALL, '')",
        None,
    ),
    "a virtual environment's packages": ("import sys, sysconfig\nassert sys.path", None),
    "signals": (
        "import signal, os\nhits = []\nsignal.signal(signal.SIGALRM, lambda *a: hits.append(1))\n"
        "signal.setitimer(0, 0.01, 0.01)\nsignal.pause()\nsignal.setitimer(0, 0)\nassert hits\nhits.clear()\n"
        "signal.signal(signal.SIGUSR1, lambda *a: hits.append(1))\nos.kill(os.getpid(), signal.SIGUSR1)\nassert hits",
        None,
    ),
    "memory maps and locks of files": (
        "import fcntl, mmap\nf = open('m', 'w+b')\nf.write(bytes(9))\nf.flush()\nmmap.mmap(f.fileno(), 9)[0] = 1\nfcntl.flock(f, fcntl.LOCK_EX)",
        None,
    ),
    "shared memory": (
        "from multiprocessing import shared_memory as s\nm = s.SharedMemory(create=True, size=10)\nm.close()\nm.unlink()",
        LOCKS,
    ),
    "its own limits": (
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\nassert resource.getrlimit(resource.RLIMIT_NOFILE) == (64, 64)",
        None,
    ),
    "the name of the user": ("import getpass\nassert getpass.getuser() == 'user'", None),
    "links in the temporary directory": (
        "import os, tempfile\nd = tempfile.mkdtemp()\nos.symlink('x', d + '/link')\nos.mkfifo(d + '/fifo')",
        None,
    ),
    "a virtual environment in the temporary directory": (
        "import os, tempfile, venv\nd = tempfile.mkdtemp()\nvenv.create(d)\nassert os.path.exists(d + '/bin/python')",
        None,
    ),
    "pseudo-terminals": (
        "import os, pty\na, b = pty.openpty()\nos.write(b, b'x')\nassert os.read(a, 1) == b'x' and os.isatty(b)",
        TERMINALS,
    ),
    "a program on a pseudo-terminal": (
        "import os, pty, sys\nassert pty.spawn([sys.executable, '-c', 'import os; assert os.isatty(0)']) == 0",
        TERMINALS,
    ),
    "a large terminal width": ("import shutil\nshutil.get_terminal_size()", None),
    "copying with a clone": ("import shutil\nopen('a', 'wb').write(bytes(9))\nshutil.copyfile('a', 'b')", None),
    "calls that Python offers": (
        "import errno, fcntl, mmap, os, resource, select, signal, socket, threading, time\n"
        "f, d = os.open('f', os.O_RDWR | os.O_CREAT), os.open('.', os.O_RDONLY)\nos.write(f, bytes(9999))\n"
        "r, w = os.pipe()\nm = mmap.mmap(-1, 9999)\na, b = socket.socketpair()\nmissing = []\n"
        f"for call in {OFFERED!r}.replace('\\n', ';').split(';'):\n    try:\n        eval(call.strip() or '0')\n"
        "    except (AttributeError, NotImplementedError):\n        pass  # a Python that was built without it\n"
        "    except OSError as error:\n        if error.errno == errno.ENOSYS: missing.append(call)\n"
        "assert not missing, missing",
        None,
    ),
    "socketpair": ("import socket\na, b = socket.socketpair()\na.sendall(b'x')\nassert b.recv(1) == b'x'", None),
}


@pytest.fixture(scope="module", params=["as it is", "no namespaces", "Landlock 2", "no walls"])
def level(request: pytest.FixtureRequest) -> Iterator[levels.Level]:
    hidden = {
        "no namespaces": ["namespaces"],
        "Landlock 2": ["namespaces"],
        "no walls": pretending.all_but(),
    }
    with pretending.hidden(
        *hidden.get(request.param, []), landlock_at_most=2 if request.param == "Landlock 2" else 1000
    ):
        yield levels.level()


def _difference(level: levels.Level, needs: str | None) -> str | None:
    if needs in (FORKS, LOCKS, SIGNALS, TERMINALS) and not level.can_fork:
        return "as root without namespaces code cannot start processes"
    if needs == LOCKS and level.name == "strong":
        return "no multiprocessing locks at level strong: /dev/shm is everybody's"
    if needs == TERMINALS and level.name == "strong":
        return "no pseudo-terminals at level strong: those of the person lie in the same place"
    if needs == SIGNALS and level.name == "strong" and level.walls[0] < "Landlock 6":
        return "before Landlock 6 (Linux 6.12) code at level strong cannot signal even its own children"
    return None


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_ordinary_program_works(level: levels.Level, tmp_path: Path, name: str) -> None:
    program, needs = PROGRAMS[name]
    if needs in ("numpy", "pytest") and subprocess.run([sys.executable, "-E", "-c", f"import {needs}"]).returncode:
        pytest.skip(f"{needs} is not installed")
    if needs == "zones" and not Path("/usr/share/zoneinfo").exists():
        pytest.skip("this system has no time zones")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "main.py").write_text(program + "\nprint('fine')")
    with Root(tmp_path / "work") as root:
        outcome = run_python(root, ["main.py"])
    if difference := _difference(level, needs):
        assert not outcome.stdout.endswith("fine\n"), f"it works, so this is not true: {difference}"
        return
    assert outcome.stdout.endswith("fine\n"), f"{level.line}\n{outcome.stdout}\n{outcome.stderr}\n{outcome}"


# What does not work at any level that has walls, as docs/sandbox-promises.md says: program, and a word of the page.
BROKEN = {
    "a manager of multiprocessing": (
        "import multiprocessing as m\nif __name__ == '__main__':\n    m.Manager()",
        "Manager",
    ),
    "the forkserver of multiprocessing": (
        "import multiprocessing as m\nif __name__ == '__main__':\n    p = m.get_context('forkserver').Process(target=print)\n"
        "    p.start()\n    p.join()\n    assert p.exitcode == 0",
        "forkserver",
    ),
    "pairs of datagrams": ("import socket\nsocket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)", "datagram"),
    "a virtual environment in the working directory": ("import venv\nvenv.create('e')", "venv"),
    "finding a library": ("import ctypes.util\nassert ctypes.util.find_library('c')", "find_library"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", BROKEN)
def test_what_does_not_work_is_on_the_page(level: levels.Level, tmp_path: Path, name: str) -> None:
    program, word = BROKEN[name]
    assert word in (Path(__file__).parents[2] / "docs" / "sandbox-promises.md").read_text(encoding="utf-8")
    if not level.confined:
        pytest.skip("there are no walls")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "main.py").write_text(program + "\nprint('fine')")
    with Root(tmp_path / "work") as root:
        assert not run_python(root, ["main.py"]).stdout.endswith("fine\n"), "it works: take it off the page"


@pytest.mark.long
def test_a_working_directory_in_shared_memory_works(level: levels.Level) -> None:
    if not Path("/dev/shm").is_dir():
        pytest.skip("this system has no /dev/shm")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        Path(directory, "main.py").write_text("open('made', 'w').write('here')\nprint('fine')")
        with Root(directory) as root:
            assert run_python(root, ["main.py"]).stdout == "fine\n"
        assert Path(directory, "made").read_text() == "here"


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount")
def test_what_is_mounted_read_only_inside_leaves_the_rest_writable(level: levels.Level, tmp_path: Path) -> None:
    inside = tmp_path / "work" / "data"
    inside.mkdir(parents=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", inside], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        program = "open('made', 'w')\ntry:\n    open('data/x', 'w')\nexcept OSError:\n    print('fine')"
        (tmp_path / "work" / "main.py").write_text(program)
        launcher.forget(launcher.supervisor())  # one that was ready before does not see the mount
        with Root(tmp_path / "work") as root:
            assert run_python(root, ["main.py"]).stdout == "fine\n"
    finally:
        subprocess.run(["umount", inside], check=True)
