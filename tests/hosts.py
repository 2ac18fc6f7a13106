"""Machines that share a folder, as truly as one machine can have them: each is a process in namespaces of its own, with its
own name, process numbers, temporary files and home, and the folder at a path of its own. As a script it is such a machine:
`hosts.py PLACE SHARED WAY NAME`, where standard input is a socket, over which it is sent a socket for each writer.

`locks`: flock(2) works among them, as on a machine or on NFS version 4. `no locks`: it is of no effect, as on other network
mounts. `sshfs`: a real network mount on each, of no machine but this one; what it reads is not kept (direct_io).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

NAMESPACES = ("--uts", "--mount", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc")
AS_USER = ("--user", "--map-root-user")
SERVERS = ("/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server")
SSHFS = "passive,direct_io,dir_cache=no"
PATIENCE = 20.0  # seconds for a mount: a hang guard


def separated(way: str) -> list[str] | None:
    """What a command begins with that runs in namespaces of its own; None where this system has none such."""
    command = ["unshare", *(() if os.geteuid() == 0 else AS_USER), *NAMESPACES]
    needed = [name for name in ("sshfs",) if way == "sshfs" and not shutil.which(name)]
    if way == "sshfs" and (not any(map(os.path.exists, SERVERS)) or os.geteuid()):
        needed.append("sftp-server")
    with contextlib.suppress(OSError):
        if not needed and not subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
            return command
    return None


class Host:
    """One of them, at work until it is closed."""

    def __init__(self, command: list[str], place: Path, shared: Path, way: str) -> None:
        place.mkdir()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        arguments = [sys.executable, __file__, str(place), str(shared), way, place.name]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(Path(__file__).parents[1]), *sys.path))}
        with theirs:
            self._process = subprocess.Popen([*command, *arguments], stdin=theirs, env=environment)
        assert self._control.recv(100) == b"ready"

    def writer(self, name: str) -> tuple[socket.socket, int]:
        """A new process on it that works for the person of this name: the socket over which it is told a text a line
        and answers with a line each, and a descriptor to kill it by."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [name.encode()], [theirs.fileno()])
        _, (process,), _, _ = socket.recv_fds(ours, 1, 1)
        return ours, process

    def close(self) -> None:
        self._control.close()
        self._process.wait()


def main(place: Path, shared: Path, way: str, name: str) -> None:
    from index import meaning

    meaning.available = lambda model: False  # a program without the embeddings starts quicker, and there are many
    socket.sethostname(name)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(place)], check=True)
    os.environ["HOME"] = os.environ["TMPDIR"] = tempfile.tempdir = str(place)
    notes = place / "shared"
    notes.mkdir()
    if way == "sshfs":
        mount_over_the_network(shared, notes)
    else:
        subprocess.run(["mount", "--bind", str(shared), str(notes)], check=True)
    if way != "locks":
        import fcntl

        fcntl.flock = lambda descriptor, how: None
    (place / "first").mkdir()
    asyncio.run(first(place))  # loads before the forks what each of them would load
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    control = socket.socket(fileno=0)
    control.send(b"ready")
    while True:
        person, descriptors, _, _ = socket.recv_fds(control, 100, 1)
        if not descriptors:
            return
        if os.fork() == 0:
            control.close()
            asyncio.run(work(socket.socket(fileno=descriptors[0]), place / "people", notes, person.decode()))
            os._exit(0)
        os.close(descriptors[0])


def mount_over_the_network(shared: Path, notes: Path) -> None:
    ours, theirs = socket.socketpair()
    server = next(filter(os.path.exists, SERVERS))
    subprocess.Popen([server], stdin=ours, stdout=ours, stderr=subprocess.DEVNULL)
    subprocess.Popen(["sshfs", f":{shared}", str(notes), "-f", "-o", SSHFS], stdin=theirs, stdout=theirs)
    until = time.monotonic() + PATIENCE
    while not os.path.ismount(notes):
        assert time.monotonic() < until, "it was never mounted"
        time.sleep(0.01)


async def first(place: Path) -> None:
    makers, agent = await opened(place / "nobody", "nobody")
    await agent.process([{"role": "user", "content": "# First\n\nA message."}], kb_path=place / "first")
    await makers.close()


async def opened(people: Path, person: str) -> tuple[Any, Any]:
    from config import Settings
    from doors.people.notekeepers import Notekeepers

    makers = Notekeepers(Settings(), people, kind="offline")
    return makers, await makers.get_agent(person)


async def work(told: socket.socket, people: Path, notes: Path, person: str) -> None:
    """Answer each text with true when it is acknowledged, else with the sentence with which it is refused."""
    from doors.people.notekeeper import AgentError

    _, agent = await opened(people, person)
    socket.send_fds(told, [b"!"], [os.pidfd_open(os.getpid())])
    for line in told.makefile(encoding="utf-8"):
        answer: Any = True
        try:
            await agent.process([{"role": "user", "content": json.loads(line)}], kb_path=notes)
        except AgentError as error:
            answer = str(error)
        except Exception as error:  # a defect
            answer = {"defect": repr(error)}
        told.sendall(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
