"""What the attacks aim at: files outside, a victim, listeners, a secret; and the judge who looks at it from outside."""

import ctypes
import json
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

# Of this process alone: several harnesses run at a time, as several users, and see one /dev/shm and one site-packages.
MARK = f"glassbox_evil_{os.getpid()}"
SHARED_KEY = 0x60000000 + 2 * os.getpid()
_VICTIM = """
import ctypes, os, signal, time
buffer = ctypes.create_string_buffer(b'victim!!')
print(ctypes.addressof(buffer), flush=True)
signal.pause()
"""


class World:
    """Built anew for each attack that changed something. `base` must be readable for the user who runs."""

    def __init__(self, base: Path, supervisor: int) -> None:
        self.base, self.supervisor = base, supervisor
        self.work, self.out, self.readable = base / "calculator", base / "outside", base / "readable"
        self.victim: subprocess.Popen | None = None
        self.listeners: dict[str, socket.socket] = {}
        self.shared = ctypes.CDLL(None).shmget(SHARED_KEY, 16, 0o1600)
        self.build()

    def build(self) -> None:
        self.tear_down()
        for folder in ("calculator", "outside/empty", "readable", "home/.ssh", "calculator_evil"):
            (self.base / folder).mkdir(parents=True)
        for name in ("outside/key", "outside/canary", "home/.ssh/id", "calculator_evil/secret", "readable/library.py"):
            (self.base / name).write_text("precious")
        (self.work / "link_out").symlink_to(self.out / "key")
        self.victim = subprocess.Popen([sys.executable, "-c", _VICTIM], stdout=subprocess.PIPE, text=True)
        self.address = int(self.victim.stdout.readline())
        self._listen("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self._listen("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self._listen("unix", socket.AF_UNIX, socket.SOCK_STREAM, str(self.out / "unix"))
        self._listen("datagram", socket.AF_UNIX, socket.SOCK_DGRAM, str(self.out / "datagram"))
        self._listen("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0glassbox-{os.getpid()}")

    def _listen(self, name: str, family: int, kind: int, address: Any) -> None:
        listener = socket.socket(family, kind)
        listener.bind(address)
        listener.setblocking(False)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        self.listeners[name] = listener

    def tear_down(self) -> None:
        for listener in self.listeners.values():
            listener.close()
        if self.victim:
            self.victim.kill()
            self.victim.wait()
            self.victim.stdout.close()
        for path in self.base.iterdir():
            shutil.rmtree(path)
        for path in (Path("/dev/shm", MARK), Path(sysconfig.get_path("purelib"), f"{MARK}.pth")):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        self.tear_down()
        libc = ctypes.CDLL(None)
        libc.shmctl(self.shared, 0, None)  # IPC_RMID, as below
        libc.msgctl(libc.msgget(SHARED_KEY + 1, 0), 0, None)
        if hasattr(libc, "mq_unlink"):  # glibc before 2.34 has it elsewhere
            libc.mq_unlink(f"/{MARK}".encode())

    def clear_working_directory(self) -> None:
        for path in self.work.iterdir():
            if path.name != "link_out":
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def as_json(self) -> str:
        loaders = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
        return json.dumps(
            {
                "out": str(self.out),
                "home": str(self.base / "home"),
                "library": str(self.readable / "library.py"),
                "source": str(Path(__file__).parents[2] / "sandbox" / "running" / "process.py"),
                "site": sysconfig.get_path("purelib"),
                "victim": self.victim.pid,
                "address": self.address,
                "agent": os.getpid(),
                "supervisor": self.supervisor,
                "tcp": self.listeners["tcp"].getsockname()[1],
                "udp": self.listeners["udp"].getsockname()[1],
                "unix": str(self.out / "unix"),
                "datagram": str(self.out / "datagram"),
                "abstract": f"glassbox-{os.getpid()}",
                "mark": MARK,
                "shared_key": SHARED_KEY,
                "disks": [path.name for path in Path("/sys/block").iterdir()] if Path("/sys/block").exists() else [],
                "loader": next((loader for loader in loaders if Path(loader).exists()), ""),
            }
        )

    def state(self) -> dict[str, Any]:
        """Everything that no attack may change, as plain values."""
        victim = self.victim.pid
        return {
            "files": {
                str(p): _status(p) for top in ("outside", "readable", "home") for p in (self.base / top).rglob("*")
            },
            "victim": self.victim.poll() is None
            and (
                os.getpriority(os.PRIO_PROCESS, victim),
                os.sched_getaffinity(victim),
                os.sched_getscheduler(victim),
                resource.prlimit(victim, resource.RLIMIT_NOFILE),
            ),
            "heard": [name for name, listener in self.listeners.items() if _heard(listener)],
            "special files inside": [p.name for p in self.work.rglob("*") if _is_special(p)],
            "shared memory": Path("/dev/shm", MARK).exists(),
            "site-packages": Path(sysconfig.get_path("purelib"), f"{MARK}.pth").exists(),
            "supervisor": _lives(self.supervisor),
        }


def _status(path: Path) -> tuple:
    status = path.lstat()
    content = path.read_bytes() if path.is_file() else b""
    return content, status.st_mode, status.st_mtime_ns, status.st_nlink, status.st_uid, tuple(os.listxattr(path))


def _heard(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_DGRAM:
            return bool(listener.recv(10))
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _is_special(path: Path) -> bool:
    """What no program may leave in the working directory: links, pipes, sockets, devices, setuid files, hooks."""
    mode = path.lstat().st_mode
    if path.name == "link_out":
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or bool(mode & 0o6000) or path.name == ".git"


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def ignore_signals() -> None:
    """The harness itself is a stranger that an attack may reach when there is no wall."""
    for number in (signal.SIGTERM, signal.SIGIO, signal.SIGUSR1):
        signal.signal(number, signal.SIG_IGN)
