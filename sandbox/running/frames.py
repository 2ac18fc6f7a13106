"""Reading what the agent sends a runner, and that its script: JSON with its length in front, and descriptors beside it.

Without the length who reads a stream could take a part of what is sent next, unix(7), and its descriptors with it.
"""

import json
import os
import socket
from typing import Any

LENGTH = 8  # bytes, as decimal digits


def value_of(frame: bytes) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(frame[LENGTH:])
    return value


def receive(channel: socket.socket, descriptors: int = 0) -> tuple[bytes, list[int]]:
    """One frame, and the descriptors that came with it. EOFError when the other end has gone."""
    length, found, _, _ = socket.recv_fds(channel, LENGTH, descriptors)
    length += _exactly(channel, LENGTH - len(length))
    return length + _exactly(channel, int(length)), found


def _exactly(channel: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = channel.recv(size - len(data))
        if not part:
            raise EOFError("the other end has gone")
        data += part
    return data


def rehearse() -> None:
    """Receive once before it counts: whatever is touched first after a fork is copied first, and that takes time."""
    here, there = socket.socketpair()
    with here, there:
        data = json.dumps({str(number): "x" * 30 for number in range(30)}).encode()  # about as long as a run
        frame = b"%*d" % (LENGTH, len(data)) + data
        socket.send_fds(here, [frame[:1]], [here.fileno()])
        here.sendall(frame[1:])
        again, [descriptor] = receive(there, 1)
        value_of(again)
        os.close(descriptor)
