"""Memory that the kernel holds for what was sent and not yet read: it is in no process's own account. Of a pipe it is
never more than PIPE_BYTES, since no code can make one larger (seccomp.py).

The kernel is asked over netlink, sock_diag(7): one question, and an answer for each Unix socket of this network
namespace. Where it does not know the question (no unix_diag), nothing is counted.
"""

import os
import socket
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

PIPE_BYTES = 16 * os.sysconf("SC_PAGE_SIZE")  # pipe(7)
_SOCK_DIAG, _BY_FAMILY = 4, 20  # linux/netlink.h, linux/sock_diag.h
_REQUEST, _DUMP = 0x1, 0x300
_ERROR, _DONE = 2, 3
_HEADER, _QUESTION = struct.Struct("=IHHII"), struct.Struct("=BBHIIIII")  # nlmsghdr, unix_diag_req
_ANSWER_BYTES = 16  # unix_diag_msg, whose fifth byte begins the number of the socket
_SHOW_MEMORY, _MEMORY, _WAITING = 0x20, 5, 2  # UDIAG_SHOW_MEMINFO, UNIX_DIAG_MEMINFO, SK_MEMINFO_WMEM_ALLOC


def ask_here() -> socket.socket:
    """A socket on which to ask about the network namespace that this process is in now."""
    netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG)
    netlink.settimeout(1)
    return netlink


def of_sockets(netlink: socket.socket) -> dict[int, int]:
    """Each Unix socket there, by its file number, with the bytes that it sent and nobody read."""
    question = _QUESTION.pack(socket.AF_UNIX, 0, 0, 0xFFFFFFFF, 0, _SHOW_MEMORY, 0xFFFFFFFF, 0xFFFFFFFF)
    with suppress(OSError):
        netlink.send(_HEADER.pack(_HEADER.size + len(question), _BY_FAMILY, _REQUEST | _DUMP, 1, 0) + question)
        return dict(_answers(netlink))
    return {}


def _answers(netlink: socket.socket) -> Iterator[tuple[int, int]]:
    while True:
        data = netlink.recv(1 << 16)
        while data:
            length, kind, *_ = _HEADER.unpack_from(data)
            if kind in (_ERROR, _DONE):
                return
            yield _answer(data[_HEADER.size : length])
            data = data[_aligned(length) :]


def _answer(message: bytes) -> tuple[int, int]:
    number, waiting = struct.unpack_from("=I", message, 4)[0], 0
    rest = message[_ANSWER_BYTES:]
    while len(rest) >= 4:
        length, kind = struct.unpack_from("=HH", rest)
        if kind == _MEMORY:
            waiting = struct.unpack_from("=I", rest, 4 + 4 * _WAITING)[0]
        rest = rest[_aligned(max(length, 4)) :]
    return number, waiting


def _aligned(length: int) -> int:
    return length + 3 & ~3


def held_by(tree: Mapping[int, Sequence[str]]) -> tuple[set[int], set[int]]:
    """File numbers of the sockets and of the pipes that these processes hold open, each once."""
    found: dict[str, set[int]] = {"socket:[": set(), "pipe:[": set()}
    for process, threads in tree.items():
        for thread in threads:
            with suppress(OSError):
                for name in os.listdir(f"/proc/{process}/task/{thread}/fd"):
                    target = os.readlink(f"/proc/{process}/task/{thread}/fd/{name}")
                    for kind, numbers in found.items():
                        if target.startswith(kind):
                            numbers.add(int(target[len(kind) : -1]))
    return found["socket:["], found["pipe:["]
